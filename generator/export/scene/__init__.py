"""Take a kit, make a picture of the game on a table."""
