"""Take Markdown and a game's faces, make the pages of its rule booklet, and its cover."""

from generator.booklet.cover import KitContents, KitPart, cover
from generator.booklet.fault_list import fault_list
from generator.booklet.figure import FaceIndex
from generator.booklet.omitting import omit_faults
from generator.booklet.reading import symbols
from generator.booklet.typesetting import pages

__all__ = [
    "FaceIndex",
    "KitContents",
    "KitPart",
    "cover",
    "fault_list",
    "omit_faults",
    "pages",
    "symbols",
]
