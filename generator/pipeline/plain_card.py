"""A plain card for the columns of a table, as a drawing that the designer opens and goes on with.

A title, a picture, short values line by line, long texts in boxes. Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path, PurePosixPath

from msgspec import Struct

from generator.art.pixels import FORMATS
from generator.basics.errors import Place, Problem, quote
from generator.basics.geometry import Size, decimal

BLEED = 3.0
CARDS = {  # in the order in which they are tried for a picture
    "poker": Size(63.5, 88.9),
    "tarot": Size(69.85, 120.65),
    "jumbo": Size(88.9, 139.7),
    "square": Size(70.0, 70.0),
    "mini": Size(44.45, 63.5),
}
_TALL = ("poker", "tarot", "jumbo")
_PICTURES = (".svg", *FORMATS)
_TITLES = ("title", "name", "card", "card_name", "cardname", "titel", "nom", "nombre", "nome")
_SHORT = 18  # letters of a value that stands in a line of its own, beside its heading
_MOST_LINES, _MOST_LONG = 4, 4  # lines of values, and texts
_LEAST = 4.5  # the height of a text of a line
_NARROW = 11  # letters of a heading, and of a value, in half a line
_LETTER = 3.0  # mm² of a letter of 7 pt, with its share of the line
_SIDE, _BAND, _LINE = 5.0, 14.0, 6.0  # the margin, the ground of the title, a line of a value


class CardColumn(Struct, frozen=True):
    """A column: its heading, its name in expressions, its cells as texts, and whether these are
    lists."""

    heading: str
    name: str
    values: Sequence[str]
    is_list: bool = False

    @property
    def longest(self) -> int:
        return max(map(len, self.values), default=0)

    @property
    def is_narrow(self) -> bool:
        """Whether its heading and values fit half a line."""
        return max(self.longest, len(self.heading)) <= _NARROW

    @property
    def words(self) -> str:
        """The placeholder that shows it."""
        return f"{{{{ {self.name} | join(', ') }}}}" if self.is_list else f"{{{{ {self.name} }}}}"


class PlainCard(Struct, frozen=True):
    """Where the columns of a table stand on a card."""

    title: str  # an expression
    pictures: CardColumn | None
    short: Sequence[CardColumn]
    long: Sequence[CardColumn]
    size: str
    notes: Sequence[Problem]

    @classmethod
    def of(cls, columns: Sequence[CardColumn], folder: Path) -> PlainCard:
        pictures = next((column for column in columns if _are_pictures(column, folder)), None)
        left = [column for column in columns if column is not pictures]
        title = next((column for column in left if column.name in _TITLES), None)
        title = title or next((column for column in left if _may_be_title(column)), None)
        left = [column for column in left if column is not title]
        short = [column for column in left if column.longest <= _SHORT]
        if len(short) > _MOST_LINES:  # two beside each other
            short = [column for column in short if column.is_narrow][: 2 * _MOST_LINES]
        long = [column for column in left if column not in short][:_MOST_LONG]
        size = _find_size(pictures is not None, short, long)
        name = title.name if title else "id"
        shown = {name, *(column.name for column in (*short, *long))}
        rest = [column.heading for column in left if column.name not in shown]
        notes = [_say_left_out(rest)] if rest else []
        return cls(name, pictures, short, long, size, notes)

    @property
    def picture_files(self) -> list[str]:
        """The pictures that its cells name, each once."""
        return list(dict.fromkeys(filter(None, self.pictures.values))) if self.pictures else []

    def front(self) -> str:
        """The drawing of the front."""
        size = CARDS[self.size]
        parts = [*self._head(size), *self._values(size), *self._texts(size)]
        return make_drawing(size, "\n".join(parts))

    def _head(self, size: Size) -> Iterator[str]:
        """The ground, the title, the picture."""
        whole = f'width="{decimal(size.width + 6)}" height="{decimal(size.height + 6)}"'
        yield f'  <rect x="-3" y="-3" {whole} fill="#f7f2e6"/>'
        across = decimal(size.width + 6)
        yield f'  <rect x="-3" y="-3" width="{across}" height="{_BAND + 3:g}" fill="#2f5d73"/>'
        yield _text("title", _box(size, 3.0, 9.0), 5.4, f"{{{{ {self.title} }}}}", _ON_BAND)
        if self.pictures:
            first = escape(self.picture_files[0])
            box = f'x="{_SIDE:g}" y="{_BAND + 4:g}" width="{decimal(size.width - 2 * _SIDE)}"'
            box += (
                f' height="{decimal(_picture_height(size))}" preserveAspectRatio="xMidYMid slice"'
            )
            name = self.pictures.name
            yield f'  <image {box} href="{first}" pnp:href="{name}" pnp:if="{name} != \'\'"/>'

    def _values(self, size: Size) -> Iterator[str]:
        """A line for each short column: its heading, and its value at the end."""
        top, half = _top(size, self.pictures is not None), len(self.short) > _MOST_LINES
        for number, column in enumerate(self.short):
            across = (size.width - 2 * _SIDE - 3 * half) / (1 + half)
            left = _SIDE + (across + 3) * (number % 2 if half else 0)
            y = top + _LINE * (number // 2 if half else number)
            yield f"  <g pnp:if=\"{column.name} != ''\">"
            heading = f'x="{decimal(left)}" y="{decimal(y + 4.2)}" fill="#6b6256"'
            yield f"    <text {heading} {_SMALL}>{escape(column.heading)}</text>"
            box = f'x="{decimal(left + across * 0.4)}" y="{decimal(y)}"'
            box += f' width="{decimal(across * 0.6)}" height="{_LINE - 0.6:g}"'
            yield _text(f"value-{number + 1}", box, 3.9, column.words, _AT_END)
            line = f'y1="{decimal(y + _LINE - 0.4)}" y2="{decimal(y + _LINE - 0.4)}"'
            ends = f'x1="{decimal(left)}" x2="{decimal(left + across)}"'
            yield f'    <line {ends} {line} stroke="#cfc5ae" stroke-width="0.25"/>'
            yield "  </g>"

    def _texts(self, size: Size) -> Iterator[str]:
        """A box for each long column, as high as its longest text needs."""
        lines = -(-len(self.short) // (2 if len(self.short) > _MOST_LINES else 1))
        top = _top(size, self.pictures is not None) + _LINE * lines + (2 if lines else 0)
        room = size.height - _SIDE - top - 2 * (len(self.long) - 1)
        total = sum(column.longest for column in self.long)
        for number, column in enumerate(self.long, 1):
            height = _LEAST + (room - _LEAST * len(self.long)) * column.longest / total
            yield _text(f"text-{number}", _box(size, top, height), 3.9, column.words, "")
            top += height + 2


_ON_BAND = ' text-anchor="middle" pnp:valign="middle" fill="#ffffff"'
_AT_END = ' text-anchor="end" pnp:valign="middle" font-weight="bold"'
_SMALL = 'font-family="Alegreya Sans" font-size="2.8"'


def _are_pictures(column: CardColumn, folder: Path) -> bool:
    """Whether all cells but empty ones name pictures that are there."""
    files = [PurePosixPath(value) for value in column.values if value]
    return all(
        file.suffix.lower() in _PICTURES
        and not file.is_absolute()
        and ".." not in file.parts
        and (folder / file).is_file()
        for file in files
    )


def _may_be_title(column: CardColumn) -> bool:
    """Whether nearly all cells hold a few words."""
    filled = [value for value in column.values if value]
    has_words = all(any(sign.isalpha() for sign in value) for value in filled)
    return has_words and column.longest <= 40 and len(filled) * 5 >= len(column.values) * 4


def _say_left_out(headings: Sequence[str]) -> Problem:
    names = ", ".join(map(quote, headings))
    what = f"the drawing has no room for more columns: {names} are not shown"
    return Problem(Place("front.svg"), what, "write {{ … }} in it to show one", level="note")


def _find_size(has_picture: bool, short: Sequence[CardColumn], long: Sequence[CardColumn]) -> str:
    """The smallest card that has room for the longest texts."""
    lines = -(-len(short) // (2 if len(short) > _MOST_LINES else 1))
    letters = sum(column.longest for column in long)
    for name in _TALL:
        size = CARDS[name]
        room = size.height - _SIDE - _top(size, has_picture) - _LINE * lines
        room -= (_LEAST + 2) * len(long)
        if room * (size.width - 2 * _SIDE) >= letters * _LETTER:
            return name
    return _TALL[-1]


def _top(size: Size, has_picture: bool) -> float:
    """Where the values and texts begin."""
    return _BAND + 4 + (_picture_height(size) + 3 if has_picture else 0)


def _picture_height(size: Size) -> float:
    return round(size.height * 0.38, 1)


def _box(size: Size, top: float, height: float) -> str:
    across = decimal(size.width - 2 * _SIDE)
    return f'x="{_SIDE:g}" y="{decimal(top)}" width="{across}" height="{decimal(height)}"'


def _text(id_: str, box: str, letters: float, words: str, more: str) -> str:
    """A text in a box, no smaller than 7 pt."""
    fill = "" if "fill" in more else ' fill="#2b241d"'
    family = "Fraunces" if "#ffffff" in more else "Alegreya Sans"
    font = f'font-family="{family}" font-size="{letters:g}"'
    rect = f'  <rect id="{id_}" {box} fill="none"/>'
    return f'{rect}\n  <text pnp:box="{id_}" pnp:least="7pt" {font}{more}{fill}>{words}</text>'


def make_drawing(size: Size, content: str) -> str:
    """The drawing of a card with its bleed, from its elements."""
    width, height = decimal(size.width + 2 * BLEED), decimal(size.height + 2 * BLEED)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp"
     width="{width}mm" height="{height}mm" viewBox="-3 -3 {width} {height}">
  <!-- 0 0 is the corner of the cut card; 3 mm around it are cut away. -->
{content}
</svg>
"""


def draw_back(size: Size) -> str:
    """A plain back: a frame, and a lozenge in the middle."""
    x, y = size.width / 2, size.height / 2
    lozenge = f"M{decimal(x)} {decimal(y - 14)} l9 14 l-9 14 l-9 -14 Z"
    frame = f'width="{decimal(size.width - 10)}" height="{decimal(size.height - 10)}" rx="2"'
    whole = f'width="{decimal(size.width + 6)}" height="{decimal(size.height + 6)}"'
    return make_drawing(
        size,
        f"""  <rect x="-3" y="-3" {whole} fill="#2f5d73"/>
  <rect x="5" y="5" {frame} fill="none" stroke="#f7f2e6" stroke-width="0.5"/>
  <path d="{lozenge}" fill="none" stroke="#f7f2e6" stroke-width="0.5"/>
  <path d="M{decimal(x)} {decimal(y - 8)} l5 8 l-5 8 l-5 -8 Z" fill="#f7f2e6"/>""",
    )
