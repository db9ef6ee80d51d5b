"""Pieces of a line, measured in ems: words in one font each, and icons among them in their colour.

Also how text is set (fonts, sizes, lines), and the icons themselves: the pictures of a game, or
those that every game has.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unicodedata import category

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.colours import find_colour, legible_on
from generator.basics.errors import MisfitError, nearest, quote
from generator.basics.geometry import MM_PER_INCH, Size, parse_length
from generator.basics.recent import remembered
from generator.model import Art
from generator.text.fontbook import FontBook
from generator.text.fonts import Font
from generator.text.markup import TINT, WordLook

if TYPE_CHECKING:
    from lxml import etree

# Characters that only control breaks and order, and are never drawn.
_CONTROLS = dict.fromkeys(
    map(ord, "\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff"
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
)  # fmt: skip
BLANKS = " \u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u3000"
_JOINERS = "\u200c\u200d"
BESIDE_ICON = 0.05  # ems of room on each side of an icon, as beside a letter
_MAX_NAMED = 5  # characters that a message names
_ICON = re.compile(r"([a-z][a-z0-9_-]*)(?:\((.+)\))?(?:@(\d+)%?)?")
_ICON_PERCENT = range(50, 401)
_NUMBER_HIGH, _NUMBER_WIDE = 0.72, 0.6  # the most of an icon that a number on it takes
Align = Literal["start", "left", "right", "centre", "justified"]  # start: by its direction
Valign = Literal["top", "middle", "bottom"]
_HOUSE = Path(__file__).with_name("house_icons")
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_SVG = "data:image/svg+xml;base64,"
_PICTURE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")
_TAKES_COLOUR = b"currentcolor"
_COLOUR = "color"
_LEAST_DPI = 150.0  # fewer look coarse


class IconNumber(Struct, frozen=True):
    """A number on an icon: in one font, `size` ems high and `ems` wide, on a `disc`."""

    text: str
    font: Font
    size: float
    ems: float
    colour: str
    disc: Art


class GlyphPiece(Struct, frozen=True):
    """A part of a line, `ems` wide: words in one font, or an icon; without either, blanks that may
    be stretched. `size` is a part of that of the style; `more` is the ems that the piece needs
    above its line, and below; `look` has the colour of its pill as "#rrggbb"."""

    text: str
    font: Font | None
    colour: str
    ems: float
    level: int  # odd runs from right to left
    icon: Art | None = None
    look: WordLook = WordLook()
    size: float = 1.0
    more: float = 0.0
    number: IconNumber | None = None

    @property
    def is_blank(self) -> bool:
        return self.font is None and self.icon is None

    @property
    def dress(self) -> tuple[bool, bool, str]:
        """Whether it is underlined, or struck out, and its pill."""
        return self.look.underline, self.look.strike, self.look.pill


@lru_cache(maxsize=1024)  # between nearly all words of a game
def blank(ems: float, level: int) -> GlyphPiece:
    return GlyphPiece("", None, "", ems, level)


class Word(Struct, frozen=True):
    """Pieces side by side, in reading order, and the room they need in ems."""

    pieces: tuple[GlyphPiece, ...]
    ems: float
    ascent: float
    descent: float


class Shaper:
    """Shapes words of one style. It remembers their measures and the characters without a glyph."""

    def __init__(self, style: Style, fonts: FontBook, icons: Mapping[str, Art], colours: Mapping[str, str]) -> None:
        self._style = style
        self._families = tuple(dict.fromkeys((style.family, *style.fallback)))
        self._fonts = fonts
        self._icons = icons
        self._colours = colours
        self._words: dict[tuple[str, WordLook, int, str], Word] = {}
        self._missing: dict[str, None] = {}

    @staticmethod
    def key_of(style: Style) -> tuple[object, ...]:
        """All of a style that words depend on."""
        fonts = style.family, style.fallback, style.weight, style.bold, style.italic
        return *fonts, style.colour, style.icon, style.sink

    def word(self, text: str, look: WordLook, level: int, icon: str = "") -> Word:
        """A word, or part of one, of one look and one level. `icon` is the name of an icon, or "".

        Raises MisfitError if there is no such icon, colour or font."""
        key = (text, look, level, icon)
        word = self._words.get(key)
        if word is None:
            pieces = [self._icon(icon, look, level)] if icon else self._pieces(text, look, level)
            word = self._words[key] = self.join(tuple(pieces))
        return word

    def join(self, pieces: tuple[GlyphPiece, ...]) -> Word:
        """The pieces as one word."""
        sink, icon = self._style.sink, self._style.icon
        return Word(
            pieces,
            sum(piece.ems for piece in pieces),
            max((p.font.ascent if p.font else icon - sink for p in pieces), default=0.0),
            max((p.font.descent if p.font else sink for p in pieces), default=0.0),
        )

    def blank(self, text: str, look: WordLook) -> float:
        """The width in ems of `text`, the blanks between two words."""
        return look.size * sum(own for _, own in (self._look(look)[0][0].parts(text, rtl=False) if text else ()))

    def check(self) -> None:
        """Raises MisfitError if no font has a character of the words so far."""
        if not self._missing:
            return
        named = [f"{quote(c)} (U+{ord(c):04X})" for c in self._missing][:_MAX_NAMED]
        more = " and others" if len(self._missing) > len(named) else ""
        families = ", ".join(self._families)
        none = f"none of {families} has a" if len(self._families) > 1 else f"{families} has no"
        is_sign = all(category(character).startswith("S") for character in self._missing)
        other = "say in [symbols] what it stands for" if is_sign else "choose another text"
        self.forget()
        what = f"{none} glyph for {', '.join(named)}{more}"
        raise MisfitError(what, f"add a family that has it to the fallback, or {other}")

    def forget(self) -> None:
        """Forget the missing characters, and the words with them, before the next text."""
        if self._missing:
            self._missing.clear()
            self._words.clear()

    def _icon(self, written: str, look: WordLook, level: int) -> GlyphPiece:
        """An icon, its number and its size: "coin(3)@150%". Raises MisfitError."""
        match = _ICON.fullmatch(written)
        assert match, "the marks of a text allow no other"
        name, number, percent = match.groups()
        art = find_icon(name, self._icons, f"draw it as icons/{name}.svg, or write \\: for a colon")
        if percent and int(percent) not in _ICON_PERCENT:
            least, most = _ICON_PERCENT[0], _ICON_PERCENT[-1]
            raise MisfitError(f"the icon {quote(f':{written}:')} has a size of {percent} %", f"{least} % to {most} %")
        size = int(percent or 100) / 100 * look.size
        high = self._style.icon * size
        ems = proportion(art) * high + 2 * BESIDE_ICON
        look, colour = self._resolve(look)
        more = (size - 1.0) * self._style.icon / 2
        on = self._number(number, colour, high, high * proportion(art)) if number else None
        return GlyphPiece("", None, colour, ems, level, colour_picture(art, colour), look, size, more, on)

    def _number(self, text: str, colour: str, high: float, wide: float) -> IconNumber:
        """A number on an icon that is `high` and `wide` ems, on a disc of its colour."""
        font = self._look(WordLook(bold=True, italic=self._style.italic))[0][0]
        self._missing |= dict.fromkeys(font.missing(text))
        ems = font.width(text, 1.0)
        size = min(_NUMBER_HIGH * high, _NUMBER_WIDE * wide / ems)
        disc = colour_picture(find_icon("circle", {}, ""), colour)
        return IconNumber(text, font, size, ems * size, legible_on(colour), disc)

    def _resolve(self, look: WordLook) -> tuple[WordLook, str]:
        """A look with the colour of its pill, and the colour of its words, which stands out."""
        colour = self._colour(look.colour)
        if look.pill in ("", TINT):
            return look, colour
        pill = self._colour(look.pill)
        return replace(look, pill=pill), colour if look.colour else legible_on(pill, colour)

    def _pieces(self, text: str, look: WordLook, level: int) -> Iterator[GlyphPiece]:
        fonts, colour = self._look(look)
        size, seen = look.size, self._resolve(look)[0]
        for stretch, font in self._stretches(text.translate(_CONTROLS), fonts):
            more = max(size - 1.0, 0.0) * font.ascent
            for part, ems in font.parts(stretch, rtl=level % 2 == 1):
                yield GlyphPiece(part, font, colour, ems * size, level, None, seen, size, more)

    def _stretches(self, text: str, fonts: tuple[Font, ...]) -> Iterator[tuple[str, Font]]:
        for part, font, missing in part_by_font(text, fonts):
            self._missing |= dict.fromkeys(missing)
            yield part, font

    @remembered
    def _look(self, look: WordLook) -> tuple[tuple[Font, ...], str]:
        """The fonts of a look, the preferred one first, and its colour. Raises MisfitError."""
        weight = self._style.bold if look.bold else self._style.weight
        return tuple(self._find(family, weight, look) for family in self._families), self._resolve(look)[1]

    def find_lacking(self, look: WordLook) -> tuple[str, str] | None:
        """The family and the style that it lacks for a look: "bold", "italic" or both; or None."""
        style = self._style
        font, *_ = self._look(look)[0]
        plain = self._find(style.family, style.weight, WordLook())
        is_as_bold = style.weight < style.bold and font.weight <= plain.weight
        is_upright = self._is_italic(look) and not font.italic
        lacks = {"bold": look.bold and is_as_bold, "italic": is_upright}
        styles = " ".join(name for name, is_lacking in lacks.items() if is_lacking)
        return (font.title, styles) if styles else None

    def _is_italic(self, look: WordLook) -> bool:
        """Whether words are in italics: within an italic text, those that are not marked."""
        return look.italic != self._style.italic

    def _find(self, family: str, weight: int, look: WordLook) -> Font:
        try:
            return self._fonts.find(family, weight, italic=self._is_italic(look))
        except ValueError as error:
            raise MisfitError(str(error)) from None

    def _colour(self, name: str) -> str:
        if not name:
            return self._style.colour
        return find_colour(name, self._colours)


def part_by_font(text: str, fonts: Sequence[Font]) -> Iterator[tuple[str, Font, str]]:
    """The parts of a text, each with its font, and with its characters that no font has.

    The font of a character is the first that has the character and all its marks.
    """
    part, missing, last = "", "", fonts[0]
    for cluster in _clusters(text):
        visible = _strip_invisible(cluster)
        font = next((f for f in fonts if all(map(f.has, visible))), None)
        if font is None:
            missing += "".join(c for c in visible if not last.has(c))
        elif font is not last and part:
            yield part, last, missing
            part = missing = ""
        part, last = part + cluster, font or last
    if part:
        yield part, last, missing


def _clusters(text: str) -> Iterator[str]:
    """The characters of a text, each with its marks."""
    cluster = ""
    for c in text:
        is_bound = category(c)[0] == "M" or c in _JOINERS or cluster.endswith("\u200d")
        if cluster and not is_bound:
            yield cluster
            cluster = ""
        cluster += c
    if cluster:
        yield cluster


def _strip_invisible(text: str) -> str:
    """Text without the characters that need no glyph: blanks of any width, line breaks, joiners, selectors."""
    seen = (c for c in text if c not in _JOINERS and not "\ufe00" <= c <= "\ufe0f")
    return "".join(c for c in seen if category(c) != "Zs" and c not in "\n\r\t")


class Style(Struct, frozen=True, kw_only=True):
    """How a text is set. Sizes are mm; measures in ems are multiples of the size."""

    family: str
    size: float
    least: float = 0.0  # the least size that text may shrink to; 0: it does not shrink
    weight: int = 400
    bold: int = 700  # the weight of bold words
    italic: bool = False  # the words in italics are then upright
    fallback: tuple[str, ...] = ()  # families for characters that the first one lacks, in order
    colour: str = "#000000"
    leading: float = 1.25  # ems from baseline to baseline
    gap: float = 0.5  # extra ems between paragraphs
    align: Align = "start"
    valign: Valign = "top"
    is_round: bool = False  # the text is in the ellipse that touches the sides of its box
    goes_on: bool = False  # lines that do not fit its box are left for another one
    hyphens: str = ""  # the language of hyphenation ("de", "en_GB"); "" for none
    icon: float = 1.1  # the height of an icon, in ems
    sink: float = 0.2  # how far an icon goes below the baseline, in ems


@cache
def house_icons() -> Mapping[str, Path]:
    """The files of the icons that every game has, by their names."""
    return {path.stem: path for path in sorted(_HOUSE.glob("*.svg"), key=lambda path: path.stem)}


@cache
def house_icon(name: str) -> Art | None:
    """The icon of that name that every game has, or None."""
    path = house_icons().get(name)
    return Art(name, _uri(path.read_bytes())) if path else None


def find_icon(name: str, own: Mapping[str, Art], otherwise: str) -> Art:
    """The icon of that name: one of `own`, or one that every game has. Raises MisfitError; its hint
    names one with nearly the same name, or says `otherwise`."""
    art = own.get(name) or house_icon(name)
    if art is None:
        near = nearest(name, {*own, *house_icons()})
        raise MisfitError(f"there is no icon {quote(name)}", f"did you mean {quote(near)}?" if near else otherwise)
    return art


@cache
def colour_picture(art: Art, colour: str) -> Art:
    """A picture with `colour` as its currentColor; unchanged if it does not use currentColor, or sets it itself."""
    root = _read_colourable(art.uri)
    if root is None or root.get(_COLOUR) is not None:
        return art
    root.set(_COLOUR, colour)
    return Art(art.name, _to_uri(root))


def pictures_in(drawings: Iterable[str]) -> set[str]:
    """The pictures in drawings, as data URIs without the colour of words."""
    uris = {match[0] for drawing in drawings for match in _PICTURE.finditer(drawing)}
    return set(map(colourless, uris))


def colourless(uri: str) -> str:
    """The data URI of a picture without the colour that `colour_picture` gave it."""
    root = _read_colourable(uri)
    if root is None:
        return uri
    root.attrib.pop(_COLOUR, None)
    return _to_uri(root)


def _read_colourable(uri: str) -> etree._Element | None:
    """The root of an SVG that uses currentColor, None for any other picture."""
    picture = base64.b64decode(uri.removeprefix(_SVG)) if uri.startswith(_SVG) else b""
    return _root(picture) if _TAKES_COLOUR in picture.lower() else None


def _root(picture: bytes) -> etree._Element:
    from lxml import etree

    from generator.basics.files import xml_parser

    return etree.fromstring(picture, xml_parser())


def _to_uri(root: etree._Element) -> str:
    from lxml import etree

    return _uri(etree.tostring(root))


def _uri(picture: bytes) -> str:
    return _SVG + base64.b64encode(picture).decode()


@cache
def proportion(art: Art) -> float:
    """Its width over its height; 1.0 for an SVG without a size. `art` has passed its checks."""
    kind, _, content = art.uri.partition(";base64,")
    picture = base64.b64decode(content)
    width, height = _svg_size(picture) if kind.endswith("svg+xml") else _pixels(picture)[:2]
    return width / height if width > 0 and height > 0 else 1.0


def natural_size(art: Art) -> Size:
    """In mm: of a drawing its page, or its viewBox in mm if its width has no unit; of another
    picture its pixels at its dpi, or at _LEAST_DPI."""
    kind, _, content = art.uri.partition(";base64,")
    picture = base64.b64decode(content)
    if kind.endswith("svg+xml"):
        try:
            width = parse_length(_root(picture).get("width", ""))
        except MisfitError:
            width, _ = _svg_size(picture)
    else:
        width, _, dpi = _pixels(picture)
        width *= MM_PER_INCH / max(dpi, _LEAST_DPI)
    return Size(width, width / proportion(art))


def _svg_size(picture: bytes) -> tuple[float, float]:
    root = _root(picture)
    box = _NUMBER.findall(root.get("viewBox", ""))
    sides = box[2:4] or _NUMBER.findall(f"{root.get('width', '')} {root.get('height', '')}")
    return (float(sides[0]), float(sides[1])) if len(sides) == 2 else (1.0, 1.0)


def _pixels(picture: bytes) -> tuple[float, float, float]:
    """Across, down, and in an inch, 0.0 if the picture does not say it."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        return *image.size, float(image.info.get("dpi", (0.0,))[0])
