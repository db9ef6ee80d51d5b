"""Take an SVG with placeholders, make a drawing for each row."""
