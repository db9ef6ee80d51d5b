"""Games kept as folders of plain files, printed on both sides of the paper.

    import generator as pnp

    pnp.print_game("talavera", paper="a4")

docs/library.md explains every name. Each is loaded when it is first used.
"""

import lazy_loader

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
