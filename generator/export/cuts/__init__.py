"""Files of a kit for cutting machines: the cut and fold lines of each sheet."""
