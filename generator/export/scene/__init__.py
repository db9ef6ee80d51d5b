"""A picture of a kit's game on a table."""
