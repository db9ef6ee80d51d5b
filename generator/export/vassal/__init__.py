"""Take a kit, make a module of VASSAL."""
