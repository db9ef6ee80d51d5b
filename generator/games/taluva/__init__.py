"""Taluva: 48 volcano tiles."""
