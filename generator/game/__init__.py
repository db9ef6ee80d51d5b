"""A Game, read from its folder; the only reader of templates/."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
