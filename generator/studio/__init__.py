"""A page on this machine that shows the current state of a game, from a builder of views.

view.py      all that the page shows of a game, frozen, and as JSON; what it offers to choose:
             paper, language, variant, printer, draft
commands.py  the commands that the page runs: print, export, a new game, a printer
session.py   the loop: a file changes, the view is built, its faces are painted, pages are notified
server.py    the requests that are answered, and those that are refused
page/        the page itself
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
