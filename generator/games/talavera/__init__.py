"""Talavera: 18 cards."""
