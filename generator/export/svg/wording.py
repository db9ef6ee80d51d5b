"""Take a text of a drawing, make its letters: the look of each, and where it is told to stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from generator.export.svg.cascade import SVG
from generator.export.svg.looks import LetterStyle, inherit
from generator.geometry import Size
from generator.text import Font, FontBook

_LISTS = ("x", "y", "dx", "dy", "rotate")
_BETWEEN = re.compile(r"[\s,]+")
_SPANS = (f"{SVG}tspan", f"{SVG}a", f"{SVG}textPath", f"{SVG}tref")


@dataclass
class Letter:
    """A character of a text; `told` is where it is told to stand, in user units and degrees.

    stretch: the length that it is part of.
    path: the textPath that it stands on.
    """

    character: str
    look: LetterStyle
    font: Font
    told: dict[str, float] = field(default_factory=dict)
    stretch: Stretch | None = None
    path: Element | None = None


@dataclass(frozen=True, eq=False)
class Stretch:
    """A length that letters are made to take (textLength)."""

    length: float
    is_of_glyphs: bool


def read(text: Element, around: LetterStyle, fonts: FontBook, view: Size) -> list[Letter]:
    """The letters of a text, `around` being the look of what it stands in."""
    reader = _LetterReader(fonts, view)
    reader.read(text, around)
    while reader.letters and _is_blank(reader.letters[-1]):
        reader.letters.pop()
    return reader.letters


class _LetterReader:
    def __init__(self, fonts: FontBook, view: Size) -> None:
        self.letters: list[Letter] = []
        self._fonts = fonts
        self._view = view

    def read(
        self,
        element: Element,
        around: LetterStyle,
        stretch: Stretch | None = None,
        path: Element | None = None,
    ) -> None:
        look = inherit(around, element, self._fonts)
        if not look.is_shown:
            return
        start = len(self.letters)
        stretch = self._stretch(element, look) or stretch
        path = element if element.tag == f"{SVG}textPath" else path
        self._add(element.text or "", look, stretch, path)
        for child in element:
            if child.tag in _SPANS:
                self.read(child, look, stretch, path)
            self._add(child.tail or "", look, stretch, path)
        self._place(element, look, start)

    def _add(
        self, text: str, look: LetterStyle, stretch: Stretch | None, path: Element | None
    ) -> None:
        font = look.font(self._fonts)
        for character in text:
            sign = " " if character in "\n\r\t" else character
            last = self.letters[-1] if self.letters else None
            if sign == " " and not look.is_preserved and (last is None or _is_blank(last)):
                continue
            self.letters.append(Letter(sign, look, font, {}, stretch, path))

    def _place(self, element: Element, look: LetterStyle, start: int) -> None:
        """What an element tells of its letters, unless one within it tells more nearly."""
        own = self.letters[start:]
        for name in _LISTS:
            told = list(self._numbers(element, name, look))
            if name == "rotate" and told:
                told += told[-1:] * (len(own) - len(told))
            for letter, number in zip(own, told, strict=False):
                letter.told.setdefault(name, number)

    def _numbers(self, element: Element, name: str, look: LetterStyle) -> Iterator[float]:
        whole = self._view.width if name in ("x", "dx") else self._view.height
        for number in filter(None, _BETWEEN.split(element.get(name, "").strip())):
            yield look.length(number, whole)

    def _stretch(self, element: Element, look: LetterStyle) -> Stretch | None:
        length = look.length(element.get("textLength", ""), self._view.width)
        is_of_glyphs = element.get("lengthAdjust") == "spacingAndGlyphs"
        return Stretch(length, is_of_glyphs) if length > 0 else None


def _is_blank(letter: Letter) -> bool:
    return letter.character == " " and not letter.look.is_preserved
