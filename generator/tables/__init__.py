"""Pieces of a component, from its tables, or a report of each faulty cell."""
