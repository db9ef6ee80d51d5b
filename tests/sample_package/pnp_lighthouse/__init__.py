"""Lighthouses for print-and-play games."""
