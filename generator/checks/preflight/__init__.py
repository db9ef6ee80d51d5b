"""Faults of faces as they will print, as a print shop would report them.

Works on pictures and the contents of pages; knows no rules of games and draws nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
