"""Files from which a print shop prints a kit."""
