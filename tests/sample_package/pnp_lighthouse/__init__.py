"""Lighthouses for print-and-play games."""

from generator.plugins import require

require(1)
