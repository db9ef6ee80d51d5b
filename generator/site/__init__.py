"""Take the content of games' pages, write their HTML, and that of a page that leads to them."""

from generator.site.archive import pack
from generator.site.content import (
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
    TypeFace,
)
from generator.site.contrast import choose_accent
from generator.site.pages import write_game, write_index

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
