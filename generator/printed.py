"""What a finished page holds, read back from it: words, lines, pictures. Boxes are mm from its top
left, y down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from generator.geometry import Rect


class Ink(NamedTuple):
    """What something is filled with, 0 to 255; alpha 255 covers all beneath."""

    red: int
    green: int
    blue: int
    alpha: int


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """Letters that stand together. `size` (pt): of the font as printed, after all scaling."""

    text: str
    size: float
    ink: Ink
    letters: tuple[Rect, ...]

    @property
    def box(self) -> Rect:
        x0, y0, x1, y1 = zip(*self.letters, strict=True)
        return Rect(min(x0), min(y0), max(x1), max(y1))


@dataclass(frozen=True, slots=True)
class PageContents:
    """A page. `lines`: the widths (mm) of its lines, each once, thin ones only; `pictures`: the
    resolutions (dpi, across or down, the lesser) of its pixel images, each once."""

    words: tuple[PrintedWord, ...] = ()
    lines: tuple[float, ...] = ()
    pictures: tuple[float, ...] = ()

    @property
    def letters(self) -> tuple[Rect, ...]:
        return tuple(letter for word in self.words for letter in word.letters)
