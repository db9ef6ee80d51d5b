"""Take Markdown and a game's faces, make the pages of its rule booklet, and its cover."""

from generator.booklet.cover import KitContents, KitPart, cover
from generator.booklet.figure import FaceIndex
from generator.booklet.reading import symbols
from generator.booklet.typesetting import pages

__all__ = ["FaceIndex", "KitContents", "KitPart", "cover", "pages", "symbols"]
