"""The steps in order: read, check, draw, impose, print, write. Only this room connects them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
