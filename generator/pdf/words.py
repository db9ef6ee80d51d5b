"""Take plain words, make PDF operators that show them; record the glyphs of each font."""

from __future__ import annotations

from codecs import BOM_UTF16_BE
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil

from generator.art.words import Colour, PlainWords
from generator.geometry import Affine, decimal
from generator.text import Font
from generator.text.glyphs import ShapedLine, advance

GREY, COLOURED = "/Gray", "/Color"  # the names of colour spaces in the operators
_FINE = 6  # digits of the scales of a matrix
_SHADES = [f"{ceil(value / 255 * 1e5) / 1e5:g}" for value in range(256)]  # some viewers round down


@dataclass
class UsedFont:
    """A font in a file: its name in operators, the advances and the texts of its glyphs."""

    font: Font
    name: str
    advances: dict[int, int] = field(default_factory=dict)  # units of the font
    texts: dict[int, str] = field(default_factory=dict)

    def advance(self, glyph: int) -> int:
        """The advance of a glyph, which is in the file from now on."""
        own = self.advances.get(glyph)
        if own is None:
            own = self.advances[glyph] = advance(self.font, glyph)
        return own


class WordWriter:
    """Writes words of one file."""

    def __init__(self) -> None:
        self._fonts: dict[int, UsedFont] = {}  # by id of the Font, which takes long to hash

    def fonts(self) -> Iterable[UsedFont]:
        """The fonts of the words so far, in their order of use."""
        return self._fonts.values()

    def show(self, words: Iterable[PlainWords], page: Affine) -> str:
        """The operators that show words; `page` maps the millimetres of their layer to points."""
        operators = ["BT"]
        font: UsedFont | None = None
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

    def _font(self, font: Font) -> UsedFont:
        used = self._fonts.get(id(font))
        if used is None:
            used = self._fonts[id(font)] = UsedFont(font, f"/F{len(self._fonts)}")
        return used


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

    def __init__(self, line: ShapedLine, used: UsedFont) -> None:
        self._line, self._used = line, used
        self._at = 0  # units of the font
        self._rise = 0
        self.operators: list[str] = []

    def write(self) -> None:
        """The whole line; a cluster whose letters its glyphs do not tell gets them as a text."""
        line = self._line
        named = list(map(self._used.texts.setdefault, line.glyphs, line.texts))
        if "" not in line.texts and tuple(named) == line.texts and not any(line.rises):
            self._show(0, len(line.glyphs))
            return
        starts = [index for index, text in enumerate(line.texts) if text]
        for start, end in pairwise([*starts, len(line.glyphs)]):
            if end - start == 1 and named[start] == line.texts[start]:
                self._raise(start, end)
            else:
                self.operators.append(f"/Span <</ActualText {_hex(line.texts[start])}>> BDC")
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
