"""Take a kit and a print shop, make the files that the shop prints it from."""
