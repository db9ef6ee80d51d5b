"""Lines of plain words that the press sets itself, from words that we have set or from drawings.

Plain words are in one font, of one colour, without effects, on a straight line. The engine sets all
others. It makes an object of each letter, which takes ten times as long.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from lxml import etree
from msgspec import Struct

from generator.art.drawing import NUMBER, SPACE, SVG
from generator.art.measure import place_of
from generator.art.texts import STYLING, LetterStyle, LetterStyles, Pairs, Run, TextReader, chunks, read_properties
from generator.basics.geometry import Affine, Rect, Size
from generator.basics.recent import remembered
from generator.model import SetLine
from generator.text import Font, FontBook
from generator.text.bidi import is_plain, levels
from generator.text.fonts import ShapedLine, set_line

Colour = tuple[int, int, int]  # red, green, blue from 0 to 255

_INITIAL = ("auto", "none", "normal")  # values of other properties that change nothing
_ACROSS = ("lr", "lr-tb", "horizontal-tb")
_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of a line before its place
_NUMBER = re.compile(NUMBER)
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_NAMED = {"black": (0, 0, 0), "white": (255, 255, 255)}
_SPECIAL_FONTS = ("CBDT", "CFF2", "COLR", "SVG ", "sbix")  # tables of colour and other formats
_UNREAD = frozenset({"class", "line-height"})  # attributes that mean nothing for letters
_OF_PLACE = frozenset({"id", "transform", "x", "y"})  # attributes that are no style
_TEXT, _PART = f"{SVG}text", f"{SVG}tspan"


class PlainWords(Struct, frozen=True):
    """A line of words of one font and colour; `place` maps ems, y down, to mm on its layer. `room`
    is a box around its ink there (mm)."""

    line: ShapedLine
    colour: Colour
    place: Affine
    room: Rect

    def touches(self, box: Rect) -> bool:
        """Whether its ink is in a box of its layer (mm)."""
        inks = (_seat(ink, self.line.font.em, self.place) for ink in self.line.inks())
        return self.room.overlaps(box) and any(ink.overlaps(box) for ink in inks)


class _PlainStyle(Struct, frozen=True):
    """The font and the colour of letters that the press may set."""

    font: Font
    colour: Colour


class WordSetter:
    """Sets the lines of words of a drawing."""

    def __init__(self, fonts: FontBook) -> None:
        self._fonts = fonts

    def set(self, line: SetLine, place: Affine) -> list[PlainWords] | None:
        """The words of a line; None if they are not plain. `place` maps user units of the drawing to its layer."""
        plain: list[PlainWords] = []
        for words in line:
            style = self._find_plain(words.family, words.weight, words.is_italic, words.colour)
            shaped = style and _set(style.font, words.text)
            if not (style and shaped):
                return None
            seat = Affine(words.size, 0.0, 0.0, words.size, words.x, words.y)
            plain.append(_seat_words(shaped, style.colour, place @ seat))
        return plain

    @remembered
    def _find_plain(self, family: str, weight: int, is_italic: bool, colour: str) -> _PlainStyle | None:
        if not self._fonts.known(family):
            return None
        return _plain_style(self._fonts.find(family, weight, italic=is_italic), _read_colour(colour))


class WordReader:
    """Reads the texts of drawings. It remembers the styles and the fonts that it has met."""

    def __init__(self, fonts: FontBook) -> None:
        self._styles = LetterStyles(fonts)
        self._texts = TextReader(self._styles, Size(0.0, 0.0), {})

    def style(self, around: LetterStyle, attributes: Iterable[tuple[str, str]]) -> LetterStyle | None:
        """The style within an element; None if it hides it, or changes more than letters."""
        own = tuple([pair for pair in attributes if pair[0] not in _OF_PLACE])
        if not _changes_only_letters(own):
            return None
        look = self._styles.within(around, own)
        return look if look.is_shown and _is_visible(look) else None

    def lines(self, text: etree._Element, around: LetterStyle, place: Affine) -> list[PlainWords] | None:
        """The lines of a text; None if it is not plain."""
        if not all(map(_is_plain_part, text.iter())):
            return None
        place = place_of(text, place)
        runs = self._texts.read(text, around)
        lines: list[PlainWords] = []
        y = 0.0
        for chunk in chunks(runs):
            first, words = chunk[0], _words_of(chunk)
            x = first.given.get("x", 0.0 if first is runs[0] else None)
            y = first.given.get("y", y)
            if words is None or x is None:
                return None
            if words:
                line = self._line(words, first.look, (x, y), place)
                if line is None:
                    return None
                lines.append(line)
        return lines

    def _line(self, words: str, look: LetterStyle, at: tuple[float, float], place: Affine) -> PlainWords | None:
        style = self._find_plain(look)
        line = _set(style.font, words) if style else None
        if line is None or style is None:
            return None
        width = line.advance / style.font.em * look.size
        start = at[0] - width * _SHARES[look.anchor]
        seat = Affine(look.size, 0.0, 0.0, look.size, start, at[1])
        return _seat_words(line, style.colour, place @ seat)

    @remembered
    def _find_plain(self, look: LetterStyle) -> _PlainStyle | None:
        colour = _solid_fill(dict(look.paint))
        known = any(map(self._styles.fonts.known, look.families))
        if colour is None or not known or not _is_plain_look(look):
            return None
        return _plain_style(self._styles.font(look), colour)


def _plain_style(font: Font, colour: Colour | None) -> _PlainStyle | None:
    if colour is None or font.is_variable or any(map(font.has_table, _SPECIAL_FONTS)):
        return None
    return _PlainStyle(font, colour)


def _seat_words(line: ShapedLine, colour: Colour, place: Affine) -> PlainWords:
    return PlainWords(line, colour, place, _seat(line.room(), line.font.em, place))


def _seat(units: Rect, em: int, place: Affine) -> Rect:
    """A box in units of a font, y upward, where ems are mapped to (mm)."""
    ems = Rect(units.x0 / em, -units.y1 / em, units.x1 / em, -units.y0 / em)
    return place.apply_rect(ems)


def _set(font: Font, words: str) -> ShapedLine | None:
    if is_plain(words):
        return set_line(font, words, rtl=False)
    own = set(levels(words, 0))
    return set_line(font, words, rtl=bool(own.pop() % 2)) if len(own) == 1 else None


def _words_of(chunk: Sequence[Run]) -> str | None:
    """The words of runs that are set together; None if they are in several styles, or if blanks
    after them move them."""
    first = chunk[0]
    text = "".join([run.characters for run in chunk])
    words = first.characters.rstrip(" ")
    if text.rstrip(" ") != words or (text != words and first.look.anchor != "start"):
        return None
    return words


def number_of(element: etree._Element, name: str, default: float | None) -> float | None:
    """A coordinate; None for a list of them or another unit."""
    value = element.get(name)
    if value is None:
        return default
    text = value.strip()
    return float(text) if _NUMBER.fullmatch(text) else None


def _is_plain_part(part: etree._Element) -> bool:
    """Whether a part of a text has no effect but on letters, and coordinates in user units."""
    if part.tag not in (_TEXT, _PART):
        return False
    is_placed = number_of(part, "x", 0.0) is not None and number_of(part, "y", 0.0) is not None
    return is_placed and _changes_only_letters(tuple([pair for pair in part.items() if pair[0] not in _OF_PLACE]))


@lru_cache(maxsize=1024)  # the texts of a deck have few styles
def _changes_only_letters(attributes: Pairs) -> bool:
    if any("}" in name and name != SPACE for name, _ in attributes):
        return False
    return all(_is_of_letters(*pair) for pair in read_properties(dict(attributes)).items())


def _is_of_letters(name: str, value: str) -> bool:
    """Whether a property is one of letters, or changes nothing."""
    if name in STYLING or name in _UNREAD or name.startswith("-") or value in _INITIAL:
        return True
    return name == "opacity" and value in ("1", "1.0")


def _is_visible(look: LetterStyle) -> bool:
    return dict(look.paint).get("visibility", "visible") == "visible"


def _is_plain_look(look: LetterStyle) -> bool:
    return (
        _is_visible(look)
        and look.is_kerned
        and not look.has_small_caps
        and not look.lines
        and look.spacing == look.word_spacing == look.raised == 0.0
        and look.size > 0.0
        and look.dominant == "auto"
        and look.aligned in ("auto", "baseline")
        and look.mode in _ACROSS
        and look.anchor in _SHARES
    )


def changes_letters(look: LetterStyle) -> bool:
    """Whether words that we have set would look another way within a style."""
    paint = dict(look.paint)
    is_inked = paint.get("stroke", "none") == "none" and paint.get("fill-opacity", "1") == "1"
    return not (is_inked and _is_plain_look(look)) or look.is_italic or look.anchor != "start"


def _solid_fill(paint: Mapping[str, str]) -> Colour | None:
    """The colour of letters without lines; None if there is more to their paint."""
    if paint.get("stroke", "none") != "none":
        return None
    if paint.get("fill-opacity", "1") != "1":
        return None
    return _read_colour(paint.get("fill", "black"))


def _read_colour(fill: str) -> Colour | None:
    """The colour of a paint that is written in the usual way; None for any other."""
    if not _HEX.fullmatch(fill):
        return _NAMED.get(fill)
    digits = fill[1:] if len(fill) == 7 else "".join(digit * 2 for digit in fill[1:])
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue
