"""Take a kit, make a saved object of Tabletop Simulator."""
