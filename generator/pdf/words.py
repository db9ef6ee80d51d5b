"""Take plain words, make PDF operators that show them; name the glyphs of each font."""

from __future__ import annotations

from array import array
from codecs import BOM_UTF16_BE
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from math import ceil
from operator import add, sub
from sys import byteorder

from msgspec import Struct

from generator.art.words import Colour, PlainWords
from generator.basics.geometry import Affine, Rect, decimal
from generator.basics.recent import RecentValues
from generator.text import Font
from generator.text.glyphs import ShapedLine, advance

GREY, COLOURED = "/Gray", "/Color"  # the names of colour spaces in the operators
_WordsKey = tuple[Affine, tuple[int, ...]]
_DIGITS = 4  # of the number of a glyph
_FINE = 6  # digits of the scales of a matrix
_SHADES = [f"{ceil(value / 255 * 1e5) / 1e5:g}" for value in range(256)]  # some viewers round down


class Advances(dict[int, int]):
    """The advances of the glyphs of a font alone, in its units, each measured at its first use."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, glyph: int) -> int:
        own = self[glyph] = advance(self._font, glyph)
        return own


class WordFont(Struct, frozen=True):
    """A font of words, its name in operators, the advances of its glyphs."""

    font: Font
    name: str
    advances: Advances


class UsedGlyphs(Struct, frozen=True):
    """The glyphs of a font by its name, and the letters of those that have no code of their own."""

    font: str
    glyphs: array[int]
    ligatures: Mapping[int, str]


class ShownWords(Struct, frozen=True):
    """The operators that show words, the glyphs of each font in them, and a box around them on
    their layer (mm)."""

    operators: str
    used: Sequence[UsedGlyphs]
    room: Rect


class WordWriter:
    """Writes words; the name of a font depends on nothing but the font. It remembers what it wrote
    last for the same objects, `most_kept` times."""

    def __init__(self, most_kept: int = 0) -> None:
        self._most_kept = most_kept
        # by the ids of the words, which take long to hash; they are kept too
        self._kept = RecentValues[_WordsKey, tuple[list[PlainWords], ShownWords]](most_kept)
        self.fonts: dict[str, WordFont] = {}  # by name
        self._fonts: dict[Font, WordFont] = {}

    def show(self, words: Sequence[PlainWords], page: Affine) -> ShownWords:
        """The operators of words; `page` maps the millimetres of their layer to points."""
        if not self._most_kept:
            return self._show(words, page)
        key = page, tuple(map(id, words))
        return self._kept.find(key, lambda: (list(words), self._show(words, page)))[1]

    def _show(self, words: Sequence[PlainWords], page: Affine) -> ShownWords:
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

    def write_line(self, line: ShapedLine) -> tuple[str, list[str], UsedGlyphs]:
        """The name of the font of a line, the operators that show it, and its glyphs."""
        own = self._font(line.font)
        pen = _Pen(line, own)
        pen.write()
        glyphs = array("H", sorted(set(line.glyphs)))
        return own.name, pen.operators, UsedGlyphs(own.name, glyphs, _find_ligatures(line))

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
        own = self._fonts.get(font)
        if own is None:
            digest = blake2b(font.digest + f"{font.name} {font.weight}".encode(), digest_size=4)
            own = self._fonts[font] = WordFont(font, f"/F{digest.hexdigest()}", Advances(font))
            self.fonts[own.name] = own
        return own


def _find_ligatures(line: ShapedLine) -> dict[int, str]:
    """The glyphs of several letters, and others without a code, each with its letters."""
    unnamed = set(line.glyphs).difference(line.font.letters)
    if not unnamed:  # most lines
        return {}
    return {
        glyph: text
        for glyph, text in zip(line.glyphs, line.texts, strict=True)
        if text and glyph in unnamed
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
        """Show glyphs, and move on where the next is not at the end of the one before."""
        glyphs, xs = self._line.glyphs[start:end], self._line.xs[start:end]
        ends = map(add, xs, map(self._used.advances.__getitem__, glyphs))
        *ats, self._at = self._at, *ends
        back = map(sub, ats, xs)  # from where the glyph before ends
        codes, em = _code(glyphs), self._line.font.em
        shown, last = [], 0
        for index, units in enumerate(back):
            if units:
                by = decimal(units * 1000 / em, 2)
                shown.append(f"<{codes[last : index * _DIGITS]}>{by}")
                last = index * _DIGITS
        rest = f"<{codes[last:]}>"
        self.operators.append(f"[{''.join(shown)}{rest}] TJ" if shown else f"{rest} Tj")


def _code(glyphs: array[int]) -> str:
    """The numbers of glyphs, each as four digits."""
    if byteorder == "little":
        glyphs = glyphs[:]
        glyphs.byteswap()
    return glyphs.tobytes().hex()


def _hex(text: str) -> str:
    return f"<{(BOM_UTF16_BE + text.encode('utf-16-be')).hex()}>"
