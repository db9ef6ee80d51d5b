"""Take the makings of a game, keep a page on this machine that shows them as they are now.

view.py      all that the page shows of a game, frozen, and as JSON
watch.py     the files of a folder -> which of them changed
painters.py  faces -> pictures, in processes that are watched (easel.py)
servant.py   a process that answers, again and again
parts.py     a face -> what a picture shows of it
studio.py    the loop: a file changes, the game is made anew, its faces are painted, all is told
server.py    what a browser may ask for, and who may ask
page/        the page itself
"""

from generator.preview.servant import Servant, ServantError, serve
from generator.preview.server import Server
from generator.preview.studio import Studio
from generator.preview.view import Choice, Drawn, Maker, Show, View

__all__ = [
    "Choice",
    "Drawn",
    "Maker",
    "Servant",
    "ServantError",
    "Server",
    "Show",
    "Studio",
    "View",
    "serve",
]
