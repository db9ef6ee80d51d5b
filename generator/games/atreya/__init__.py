"""Atreya: 168 hexagons in three colours."""
