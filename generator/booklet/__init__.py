"""Take Markdown and a game's faces, make the pages of its rule booklet, and its cover."""

from generator.booklet.cover import KitContents, cover
from generator.booklet.fault_list import fault_list
from generator.booklet.figure import ContentsEntry, FaceIndex
from generator.booklet.forming_picture import FoldedExample
from generator.booklet.illustrating import IllustratedText, Illustration, illustrate
from generator.booklet.kit_list import KitPart
from generator.booklet.omitting import omit_faults
from generator.booklet.poster import different_faces
from generator.booklet.reading import symbols
from generator.booklet.typesetting import is_sound, pages

__all__ = [
    "ContentsEntry",
    "FaceIndex",
    "FoldedExample",
    "IllustratedText",
    "Illustration",
    "KitContents",
    "KitPart",
    "cover",
    "different_faces",
    "fault_list",
    "illustrate",
    "is_sound",
    "omit_faults",
    "pages",
    "symbols",
]
