"""Drawings for each row, from an SVG with placeholders."""
