"""Advaya: 49 hexagons in two colours."""
