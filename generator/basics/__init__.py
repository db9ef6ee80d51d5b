"""Basics for all rooms: lengths, shapes, colours, files, faults, processes."""
