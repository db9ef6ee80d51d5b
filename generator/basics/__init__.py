"""What everything stands on: lengths, shapes, colours, files, faults, processes."""
