"""Pages of a game's rule booklet and its cover, from Markdown and the game's faces."""

from generator.booklet.cover import KitContents, cover, score_pad
from generator.booklet.figure import ContentsEntry, FaceIndex
from generator.booklet.piece_pictures import FoldedExample, KitPart
from generator.booklet.poster import different_faces
from generator.booklet.reading import symbols
from generator.booklet.typesetting import IllustratedText, Illustration, fault_list, illustrate, omit_faults, pages
