"""HTML of games' pages, written from their content, and of a page that leads to them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
