"""The contents of a finished page, read back from it: words, lines, pictures; the pages of a face.

Boxes are in mm from the top left of the page, y down.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from generator.basics.geometry import Rect

# what the mark of a form on the page of a proof begins with: one mark stands for one form
FORM_MARK = "ProofForm"


class Ink(NamedTuple):
    """A colour, each part 0 to 255; alpha 255 is opaque."""

    red: int
    green: int
    blue: int
    alpha: int


class FacePages(NamedTuple):
    """The pages of a proof that make one face, by their numbers from 0, the lowest first.

    `painted` one above the other are the face; `read` have the contents of the piece, without
    those of mirrored edges.
    """

    painted: tuple[int, ...]
    read: tuple[int, ...]


class PrintedWord(Struct, frozen=True):
    """Letters without a space between. `size` is that of the printed font in pt, after scaling."""

    text: str
    size: float
    ink: Ink
    letters: tuple[Rect, ...]

    @property
    def box(self) -> Rect:
        return Rect.around(*self.letters)


class PageContents(Struct, frozen=True):
    """The contents of a page.

    `lines` are the different widths of its thin lines in mm. `pictures` are the different
    resolutions of its pixel images in dpi, the lesser of across and down.
    """

    words: tuple[PrintedWord, ...] = ()
    lines: tuple[float, ...] = ()
    pictures: tuple[float, ...] = ()

    @property
    def letters(self) -> tuple[Rect, ...]:
        return tuple(letter for word in self.words for letter in word.letters)
