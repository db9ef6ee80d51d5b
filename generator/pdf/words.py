"""Take plain words, make PDF operators that show them; name the glyphs of each font."""

from __future__ import annotations

from array import array
from codecs import BOM_UTF16_BE
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from generator.art.words import Colour, PlainWords
from generator.geometry import Affine, Rect, decimal
from generator.text import Font
from generator.text.glyphs import ShapedLine, advance

GREY, COLOURED = "/Gray", "/Color"  # the names of colour spaces in the operators
_FINE = 6  # digits of the scales of a matrix
_SHADES = [f"{ceil(value / 255 * 1e5) / 1e5:g}" for value in range(256)]  # some viewers round down


@dataclass
class WordFont:
    """A font of words: its name in operators, the advances of its glyphs."""

    font: Font
    name: str
    _advances: dict[int, int] = field(default_factory=dict)

    def advance(self, glyph: int) -> int:
        """The advance of a glyph, in units of the font."""
        own = self._advances.get(glyph)
        if own is None:
            own = self._advances[glyph] = advance(self.font, glyph)
        return own


class UsedGlyphs(NamedTuple):
    """The glyphs of a font by its name, and the letters of those that have no code of their own."""

    font: str
    glyphs: array[int]
    ligatures: Mapping[int, str]


class ShownWords(NamedTuple):
    """The operators that show words, the glyphs of each font in them, and a box around them on
    their layer (mm)."""

    operators: str
    used: Sequence[UsedGlyphs]
    room: Rect


class WordWriter:
    """Writes words; the name of a font depends on nothing but the font."""

    def __init__(self) -> None:
        self.fonts: dict[str, WordFont] = {}  # by name
        self._fonts: dict[int, WordFont] = {}  # by id of the Font, which takes long to hash

    def show(self, words: Sequence[PlainWords], page: Affine) -> ShownWords:
        """The operators of words; `page` maps the millimetres of their layer to points."""
        glyphs: dict[str, set[int]] = {}
        ligatures: dict[str, dict[int, str]] = {}
        for one in words:
            own = self._font(one.line.font)
            glyphs.setdefault(own.name, set()).update(one.line.glyphs)
            ligatures.setdefault(own.name, {}).update(_find_ligatures(one.line))
        used = [
            UsedGlyphs(name, array("H", sorted(own)), ligatures[name])
            for name, own in glyphs.items()
        ]
        x0, y0, x1, y1 = zip(*(one.room for one in words), strict=True)
        room = Rect(min(x0), min(y0), max(x1), max(y1))
        return ShownWords(self._write(words, page), used, room)

    def _write(self, words: Iterable[PlainWords], page: Affine) -> str:
        operators = ["BT"]
        font: WordFont | None = None
        colour: Colour | None = None
        for one in words:
            own = self._font(one.line.font)
            if one.colour != colour:
                operators.append(_fill(one.colour))
                colour = one.colour
            if own is not font:
                operators.append(f"{own.name} 1 Tf")
                font = own
            operators.append(f"{_matrix(page @ one.place)} Tm")
            pen = _Pen(one.line, own)
            pen.write()
            operators += pen.operators
        return "\n".join([*operators, "ET"])

    def _font(self, font: Font) -> WordFont:
        own = self._fonts.get(id(font))
        if own is None:
            digest = blake2b(font.digest + f"{font.name} {font.weight}".encode(), digest_size=4)
            own = self._fonts[id(font)] = WordFont(font, f"/F{digest.hexdigest()}")
            self.fonts[own.name] = own
        return own


def _find_ligatures(line: ShapedLine) -> dict[int, str]:
    """The glyphs of several letters, and others without a code, each with its letters."""
    letters = line.font.letters
    return {
        glyph: text
        for glyph, text in zip(line.glyphs, line.texts, strict=True)
        if text and glyph not in letters
    }


def _fill(colour: Colour) -> str:
    """The operators of a colour, in the spaces of the engine."""
    red, green, blue = (_SHADES[value] for value in colour)
    if red == green == blue:
        return f"{GREY} cs {red} scn"
    return f"{COLOURED} cs {red} {green} {blue} scn"


def _matrix(place: Affine) -> str:
    """The matrix of text, whose y runs up."""
    a, b, c, d, e, f = place
    turns = (decimal(number, _FINE) for number in (a, b, -c, -d))
    return f"{' '.join(turns)} {decimal(e)} {decimal(f)}"


class _Pen:
    """Writes the glyphs of a line, in ems from its start."""

    def __init__(self, line: ShapedLine, used: WordFont) -> None:
        self._line, self._used = line, used
        self._at = 0  # units of the font
        self._rise = 0
        self.operators: list[str] = []

    def write(self) -> None:
        """The whole line; a cluster whose letters its glyphs do not tell gets them as a text."""
        line = self._line
        texts = list(line.texts)
        named = list(map(line.font.letters.get, line.glyphs, texts))
        if named == texts and "" not in texts and not any(line.rises):
            self._show(0, len(line.glyphs))
            return
        starts = [index for index, text in enumerate(texts) if text]
        for start, end in pairwise([*starts, len(line.glyphs)]):
            if end - start == 1 and named[start] == texts[start]:
                self._raise(start, end)
            else:
                self.operators.append(f"/Span <</ActualText {_hex(texts[start])}>> BDC")
                self._raise(start, end)
                self.operators.append("EMC")
        self._set_rise(0)

    def _raise(self, start: int, end: int) -> None:
        """Show glyphs, each at its height."""
        for index in range(start, end):
            self._set_rise(self._line.rises[index])
            self._show(index, index + 1)

    def _set_rise(self, rise: int) -> None:
        if rise != self._rise:
            self._rise = rise
            self.operators.append(f"{decimal(rise / self._line.font.em, 5)} Ts")

    def _show(self, start: int, end: int) -> None:
        line, advance = self._line, self._used.advance
        shown, codes, at = [], "", self._at
        for glyph, x in zip(line.glyphs[start:end], line.xs[start:end], strict=True):
            if x != at:
                shown.append(f"<{codes}>{decimal((at - x) * 1000 / line.font.em, 2)}")
                codes, at = "", x
            codes += f"{glyph:04x}"
            at += advance(glyph)
        self._at = at
        self.operators.append(f"[{''.join(shown)}<{codes}>] TJ" if shown else f"<{codes}> Tj")


def _hex(text: str) -> str:
    return f"<{(BOM_UTF16_BE + text.encode('utf-16-be')).hex()}>"
