"""A page on this machine that shows the current state of a game, from a builder of views.

view.py      all that the page shows of a game, frozen, and as JSON; what it offers to choose:
             paper, language, variant, printer, draft
session.py   the loop: a file changes, the view is built, its faces are painted, pages are notified
server.py    the requests that are answered, and those that are refused
page/        the page itself
"""

from __future__ import annotations

from generator.studio.server import Server
from generator.studio.session import PreviewSession
from generator.studio.view import Choice, DrawnFace, Offers, Show, View, ViewBuilder

__all__ = [
    "Choice",
    "DrawnFace",
    "Offers",
    "PreviewSession",
    "Server",
    "Show",
    "View",
    "ViewBuilder",
]
