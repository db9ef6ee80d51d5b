"""Take a kit, make files for cutting machines: the cut and fold lines of each sheet."""
