"""Take a builder of views, serve a page on this machine that shows the current state of a game.

view.py      all that the page shows of a game, frozen, and as JSON
choices.py   what the page offers to choose: paper, language, variant, printer, draft
watch.py     a folder -> its changed files
picture_pool.py  faces -> pictures, in worker processes (picture_worker.py)
parts.py     a face -> the part that a picture shows
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
