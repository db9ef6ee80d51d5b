"""Take an SVG with placeholders, make the drawing of each row."""
