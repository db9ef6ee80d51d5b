"""Take a text of a drawing, make its letters, each with its style and its given position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from msgspec import Struct, field

from generator.art.drawing import SVG
from generator.art.looks import LetterStyle, inherit
from generator.geometry import Size
from generator.text import Font, FontBook

_LISTS = ("x", "y", "dx", "dy", "rotate")
_BETWEEN = re.compile(r"[\s,]+")
_SPANS = (f"{SVG}tspan", f"{SVG}a", f"{SVG}textPath", f"{SVG}tref")


class Letter(Struct):
    """A character of a text.

    given: the values of x, y, dx, dy and rotate for it, in user units and degrees.
    own: the font of its glyph, if `font` has none for it.
    stretch: the textLength that it is part of.
    path: its textPath.
    """

    character: str
    look: LetterStyle
    font: Font
    own: Font
    given: dict[str, float] = field(default_factory=dict)
    stretch: Stretch | None = None
    path: Element | None = None


class Stretch(Struct, frozen=True, eq=False):
    """A length to which letters are stretched (textLength)."""

    length: float
    is_of_glyphs: bool


def read(text: Element, around: LetterStyle, fonts: FontBook, view: Size) -> list[Letter]:
    """Reads the letters of a text; `around` is the style of the element around it."""
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
        look = inherit(around, element.attrib, self._fonts)
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
            plain = " " if character in "\n\r\t" else character
            last = self.letters[-1] if self.letters else None
            if plain == " " and not look.is_preserved and (last is None or _is_blank(last)):
                continue
            own = look.font_of(plain, self._fonts)
            self.letters.append(Letter(plain, look, font, own, {}, stretch, path))

    def _place(self, element: Element, look: LetterStyle, start: int) -> None:
        """Gives letters the positions of an element, unless an inner element has set them."""
        own = self.letters[start:]
        for name in _LISTS:
            numbers = list(self._numbers(element, name, look))
            if name == "rotate" and numbers:
                numbers += numbers[-1:] * (len(own) - len(numbers))
            for letter, number in zip(own, numbers, strict=False):
                letter.given.setdefault(name, number)

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
