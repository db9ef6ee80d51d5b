"""Sheets of Placements, from shapes and counts. No module here sees what a face shows."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
