"""Chances of a component's cards, from its table. Knows no rules of a game.

They are exact where that is feasible, and sampled with an interval elsewhere.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
