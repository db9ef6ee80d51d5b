"""Take a text of a drawing, make the lines of words that the press sets itself.

Plain words are in one font, of one colour, without effects, on a straight line. All others are the
engine's. It makes an object of each letter, which takes ten times as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lxml import etree
from msgspec import Struct

from generator.art.drawing import NUMBER, SPACE, SVG
from generator.art.looks import LetterStyle, inherit, read_properties
from generator.art.transforms import place_of
from generator.geometry import Affine, Rect
from generator.recent import RecentValues
from generator.text import Font, FontBook
from generator.text.bidi import is_plain, levels
from generator.text.glyphs import ShapedLine, set_line

Colour = tuple[int, int, int]  # red, green, blue from 0 to 255

# Properties that a style reads, and attributes that mean nothing for letters.
_READ = frozenset(
    {
        "alignment-baseline", "baseline-shift", "class", "color", "display", "dominant-baseline",
        "fill", "fill-opacity", "fill-rule", "font", "font-family", "font-kerning", "font-size",
        "font-style", "font-variant", "font-weight", "kerning", "letter-spacing",
        "line-height", "stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap",
        "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width", "style",
        "text-anchor", "text-decoration", "text-decoration-line", "visibility",
        "word-spacing", "writing-mode",
    }
)  # fmt: skip
_INITIAL = ("auto", "none", "normal")  # values of other properties that change nothing
_ACROSS = ("lr", "lr-tb", "horizontal-tb")
_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of a line before its place
_NUMBER = re.compile(NUMBER)
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_NAMED = {"black": (0, 0, 0), "white": (255, 255, 255)}
_SPECIAL_FONTS = ("CBDT", "CFF2", "COLR", "SVG ", "sbix")  # tables of colour and other formats
_OF_PLACE = frozenset({"id", "transform", "x", "y"})  # attributes that are no style
_PART = f"{SVG}tspan"


class PlainWords(Struct, frozen=True):
    """A line of words of one font and colour; `place` maps ems, y down, to mm on its layer. `room`
    is a box around its ink there (mm)."""

    line: ShapedLine
    colour: Colour
    place: Affine
    room: Rect

    def touches(self, box: Rect) -> bool:
        """Whether its ink is in a box of its layer (mm)."""
        return self.room.overlaps(box) and any(
            _seat(ink, self.line.font.em, self.place).overlaps(box) for ink in self.line.inks()
        )


class _PlainStyle(Struct, frozen=True):
    """The font and the colour of letters that the press may set."""

    font: Font
    colour: Colour


class WordReader:
    """Reads the texts of drawings. It remembers the styles and the fonts that it has met, and the
    last texts, `most_kept` of them."""

    def __init__(self, fonts: FontBook, most_kept: int = 0) -> None:
        self._fonts = fonts
        self._most_kept = most_kept
        self._kept = RecentValues[tuple[bytes, int, Affine], list[PlainWords] | None](most_kept)
        # by the id of a style, which takes long to hash; each is kept, so that its id stays its own
        self._styles: dict[tuple[int, tuple[tuple[str, str], ...]], LetterStyle | None] = {}
        self._plain: dict[int, _PlainStyle | None] = {}

    def style(
        self, around: LetterStyle, attributes: Iterable[tuple[str, str]]
    ) -> LetterStyle | None:
        """The style within an element; None if it hides it, or changes more than letters."""
        own = tuple([one for one in attributes if one[0] not in _OF_PLACE])
        if not own:
            return around
        key = id(around), own
        if key not in self._styles:
            self._styles[key] = self._inherit(around, dict(own))
        return self._styles[key]

    def _inherit(self, around: LetterStyle, attributes: dict[str, str]) -> LetterStyle | None:
        if any("}" in name and name != SPACE for name in attributes):
            return None
        properties = read_properties(attributes).items()
        if not all(_is_of_letters(name, value) for name, value in properties):
            return None
        look = inherit(around, attributes, self._fonts)
        is_visible = dict(look.paint).get("visibility", "visible") == "visible"
        return look if look.is_shown and is_visible else None

    def lines(
        self, text: etree._Element, around: LetterStyle, place: Affine
    ) -> list[PlainWords] | None:
        """The lines of a text; None if it is not plain."""
        if not self._most_kept:
            return self._read(text, around, place)
        key = etree.tostring(text, with_tail=False), id(around), place
        return self._kept.find(key, lambda: self._read(text, around, place))

    def _read(
        self, text: etree._Element, around: LetterStyle, place: Affine
    ) -> list[PlainWords] | None:
        look = self.style(around, text.items())
        if look is None:
            return None
        place = place_of(text, place)
        if len(text):
            return self._spans(text, look, place)
        at = number_of(text, "x", 0.0), number_of(text, "y", 0.0)
        return self._line(text.text or "", look, at, place, is_last=True)

    def _spans(
        self, text: etree._Element, around: LetterStyle, place: Affine
    ) -> list[PlainWords] | None:
        """The lines of a text that has them as its parts, each with a place."""
        lines: list[PlainWords] = []
        spans = list(text)
        if (text.text or "").strip() or (text.text and around.is_preserved):
            return None
        x, y = number_of(text, "x", 0.0), number_of(text, "y", 0.0)
        for span in spans:
            look = self.style(around, span.items()) if span.tag == _PART else None
            if look is None or len(span) or span.get("transform") is not None:
                return None
            if span is not spans[0] and span.get("x") is None:
                return None
            after = span.tail
            if after and (after.strip() or look.anchor != "start" or look.is_preserved):
                return None
            x, y = number_of(span, "x", x), number_of(span, "y", y)
            line = self._line(span.text or "", look, (x, y), place, is_last=span is spans[-1])
            if line is None:
                return None
            lines += line
        return lines

    def _line(
        self,
        text: str,
        look: LetterStyle,
        at: tuple[float | None, float | None],
        place: Affine,
        *,
        is_last: bool,
    ) -> list[PlainWords] | None:
        x, y = at
        style = self._read_plain(look)
        if x is None or y is None or style is None:
            return None
        words = _clean(text, look, is_last=is_last)
        if words is None:
            return None
        if not words:
            return []
        line = _set(style.font, words)
        if line is None:
            return None
        width = line.advance / style.font.em * look.size
        own = _place_line(place, x - width * _SHARES[look.anchor], y, look.size)
        return [PlainWords(line, style.colour, own, _seat(line.room(), style.font.em, own))]

    def _read_plain(self, look: LetterStyle) -> _PlainStyle | None:
        if id(look) not in self._plain:
            self._plain[id(look)] = self._find_plain(look)
        return self._plain[id(look)]

    def _find_plain(self, look: LetterStyle) -> _PlainStyle | None:
        colour = _solid_fill(dict(look.paint))
        known = any(map(self._fonts.known, look.families))
        if colour is None or not known or not _is_plain_look(look):
            return None
        font = look.font(self._fonts)
        if font.is_variable or any(map(font.has_table, _SPECIAL_FONTS)):
            return None
        return _PlainStyle(font, colour)


def _place_line(place: Affine, x: float, y: float, size: float) -> Affine:
    """Map ems from the start of a line; a deck has so many that no other map is made for it."""
    a, b, c, d, e, f = place
    return Affine(a * size, b * size, c * size, d * size, a * x + c * y + e, b * x + d * y + f)


def _seat(units: Rect, em: int, place: Affine) -> Rect:
    """A box in units of a font, y upward, where ems are mapped to (mm)."""
    ems = Rect(units.x0 / em, -units.y1 / em, units.x1 / em, -units.y0 / em)
    return place.apply_rect(ems)


def _set(font: Font, words: str) -> ShapedLine | None:
    if is_plain(words):
        return set_line(font, words, rtl=False)
    own = set(levels(words, 0))
    return set_line(font, words, rtl=bool(own.pop() % 2)) if len(own) == 1 else None


def _clean(text: str, look: LetterStyle, *, is_last: bool) -> str | None:
    """The words of a line, with blanks as the engine reads them; None if they depend on others."""
    words = text.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    if look.is_preserved:
        return words if words == words.strip() else None
    plain = words.strip(" ")
    if "  " in plain:
        plain = " ".join(part for part in plain.split(" ") if part)
    is_anchored = look.anchor != "start" and not is_last
    return None if is_anchored and words.endswith(" ") else plain


def number_of(element: etree._Element, name: str, default: float | None) -> float | None:
    """A coordinate; None for a list of them or another unit."""
    value = element.get(name)
    if value is None:
        return default
    text = value.strip()
    return float(text) if _NUMBER.fullmatch(text) else None


def _is_of_letters(name: str, value: str) -> bool:
    """Whether a property is one of letters, or changes nothing."""
    if name in _READ or name.startswith("-") or value in _INITIAL:
        return True
    return name == "opacity" and value in ("1", "1.0")


def _is_plain_look(look: LetterStyle) -> bool:
    return (
        look.is_kerned
        and not look.has_small_caps
        and not look.lines
        and look.spacing == look.word_spacing == look.raised == 0.0
        and look.size > 0.0
        and look.dominant == "auto"
        and look.aligned in ("auto", "baseline")
        and look.mode in _ACROSS
        and look.anchor in _SHARES
    )


def _solid_fill(paint: Mapping[str, str]) -> Colour | None:
    """The colour of letters without lines; None if there is more to their paint."""
    if paint.get("stroke", "none") != "none":
        return None
    if paint.get("fill-opacity", "1") != "1":
        return None
    fill = paint.get("fill", "black")
    if not _HEX.fullmatch(fill):
        return _NAMED.get(fill)
    digits = fill[1:] if len(fill) == 7 else "".join(digit * 2 for digit in fill[1:])
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue
