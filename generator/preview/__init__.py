"""Take what builds views of a game, keep a page on this machine that shows it as it is now.

view.py      all that the page shows of a game, frozen, and as JSON
watch.py     the files of a folder -> which of them changed
picture_pool.py  faces -> pictures, in worker processes (picture_worker.py)
parts.py     a face -> what a picture shows of it
session.py   the loop: a file changes, the view is built anew, its faces are painted, all is told
server.py    what a browser may ask for, and who may ask
page/        the page itself
"""

from generator.preview.server import Server
from generator.preview.session import PreviewSession
from generator.preview.view import Choice, DrawnFace, Show, View, ViewBuilder

__all__ = ["Choice", "DrawnFace", "PreviewSession", "Server", "Show", "View", "ViewBuilder"]
