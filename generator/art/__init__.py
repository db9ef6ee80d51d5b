"""Pictures and drawings, made printable, or reports of what cannot be printed."""
