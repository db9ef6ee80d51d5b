"""Toripoka: 17 cards."""
