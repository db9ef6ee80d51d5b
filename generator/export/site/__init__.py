"""HTML of games' pages, written from their content, and of a page that leads to them."""

from generator.export.site.content import (
    Download,
    GamePage,
    KitEntry,
    News,
    Notice,
    PaperRow,
    PartRow,
    Rules,
    ShownFace,
    ShownFigure,
    ShownPicture,
)
from generator.export.site.pages import pack, write_game, write_index
from generator.web.shell import TypeFace, choose_accent

__all__ = [
    "Download",
    "GamePage",
    "KitEntry",
    "News",
    "Notice",
    "PaperRow",
    "PartRow",
    "Rules",
    "ShownFace",
    "ShownFigure",
    "ShownPicture",
    "TypeFace",
    "choose_accent",
    "pack",
    "write_game",
    "write_index",
]
