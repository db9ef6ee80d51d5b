"""Blocks of a text as galleys, and their lines with words and icons at their places.

Also the rules, pills and lines that belong to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import Rect
from generator.model import Art, LackingWords
from generator.text import bidi
from generator.text.fonts import Font, metric
from generator.text.galley import Break, Galley, choose_breaks, count, hyphenate, widest
from generator.text.markup import TINT, Span, TextBlock, WordLook
from generator.text.shape import BESIDE_ICON, Align, GlyphPiece, IconNumber, Shaper, Style, blank

_SLACK = 1e-6  # mm: the rounding error of a sum of lengths
_BULLET_GAP = 0.4  # ems between the bullet and the words
_NESTED = 1.0  # ems: the indent of a list in an item
_BULLET, _NESTED_BULLET = "•", "–"  # before an item of a list, and of one in an item
_CELL_GAP = 0.8  # ems between the columns of a table
_RULED_GAP = 1.5  # of the gap between paragraphs: that around a rule
_RULE = 0.06  # ems: the thickness of a rule
_ABOVE_RULE = 0.28  # ems from a baseline to the rule below it
_TINT = 0.15  # the opacity of a pill in the colour of its words
_PILL = (0.08, 0.82, 0.24)  # ems beside words, above and below the baseline
_DISC = 0.66  # of an icon: the picture of the disc behind a number


class WordRun(Struct, frozen=True):
    """Words in one font: `x` is their left end and `y` their baseline, in mm."""

    text: str  # in reading order, also if it runs from right to left
    font: Font
    size: float
    x: float
    y: float
    colour: str
    width: float
    is_rtl: bool


class TextBar(Struct, frozen=True):
    """A filled rectangle: a line, or a ground, with round corners if it `is_round`. In mm."""

    box: Rect
    colour: str
    is_round: bool = False
    opacity: float = 1.0


class IconBox(Struct, frozen=True):
    """An icon among words, and its box in mm."""

    art: Art
    box: Rect


class TextLine(Struct, frozen=True, dict=True):
    """The words and icons of one baseline, from left to right; `width` is from end to end, in mm.
    Words that are raised, lowered or on an icon have a baseline of their own. `bars` are below.

    `lacking`, on the first line of a text: the words of the whole text that ask for a bold or an
    italic that their font lacks."""

    y: float
    width: float
    runs: tuple[WordRun, ...]
    icons: tuple[IconBox, ...]
    lacking: tuple[LackingWords, ...] = ()
    bars: tuple[TextBar, ...] = ()

    @cached_property
    def stretches(self) -> Sequence[WordRun]:
        """The runs to draw. Neighbours of one look are joined if the font, given the joined text,
        puts every letter in the same place."""
        stretches: list[list[WordRun]] = []
        for run in self.runs:
            if stretches and _follows(stretches[-1][-1], run):
                stretches[-1].append(run)
            else:
                stretches.append([run])
        return [runs[0] if len(runs) == 1 else _join(runs) for runs in stretches]

    def moved(self, x: float, y: float) -> TextLine:
        """The same line, moved right by `x` mm and down by `y` mm."""
        runs = (replace(run, x=run.x + x, y=run.y + y) for run in self.runs)
        icons = (replace(icon, box=icon.box.moved(x, y)) for icon in self.icons)
        bars = tuple(replace(bar, box=bar.box.moved(x, y)) for bar in self.bars)
        return replace(self, y=self.y + y, runs=tuple(runs), icons=tuple(icons), bars=bars)


def _follows(before: WordRun, run: WordRun) -> bool:
    """Whether two runs could be one text with a blank between them."""
    font, size = run.font, run.size
    if before.font is not font or before.size != size or before.colour != run.colour:
        return False
    if before.y != run.y:
        return False
    gap = run.x - before.x - before.width - font.blank * size
    return abs(gap) < _SLACK and font.joins(before.text, run.text)


def _join(runs: Sequence[WordRun]) -> WordRun:
    first, last = runs[0], runs[-1]
    return replace(first, text=" ".join([run.text for run in runs]), width=last.x + last.width - first.x)


class LineContent(Struct, frozen=True):
    """The pieces of a line, whether its blanks are stretched to fill it, and whether a rule is
    below it. It begins at a break of a galley; None within a row of a table."""

    pieces: list[GlyphPiece]
    ems: float
    galley: Galley
    start: Break | None
    is_full: bool = False
    is_ruled: bool = False

    @property
    def more(self) -> float:
        """The ems that large letters and icons need above it, and below."""
        return max([piece.more for piece in self.pieces], default=0.0)


def content_of(galley: Galley, start: Break, end: Break, *, is_full: bool = False) -> LineContent:
    """A line of a galley from one break to another."""
    return LineContent(galley.pieces(start, end), galley.width(start, end), galley, start, is_full)


class GalleyBlock:
    """A block as galleys, with its bullet and the room beside them for it."""

    def __init__(self, block: TextBlock, style: Style, shaper: Shaper, *, parts_icons: bool) -> None:
        self.base = bidi.direction("".join(s.text for line in block.lines for s in line))
        lines: Sequence[Sequence[Span]] = block.lines
        if style.hyphens:
            lines = [[replace(span, text=hyphenate(span.text, style.hyphens)) for span in line] for line in block.lines]
        self.block = block
        self.galleys = [Galley(line, self.base, shaper, parts_icons=parts_icons) for line in lines]
        text = block.bullet or (_NESTED_BULLET if block.depth else _BULLET)
        self.bullet = shaper.word(text, WordLook(), self.base) if block.is_item else None
        self.outer = _NESTED * block.depth
        self.indent = 0.0
        if block.is_item:  # as wide for each number of as many digits
            room = shaper.word(re.sub(r"\d", "0", text), WordLook(), self.base)
            self.indent = self.outer + room.ems + _BULLET_GAP
        self.gap = style.gap * (_RULED_GAP if block.is_ruled else 1.0) if block.apart else 0.0
        spans = [span for line in block.lines for span in line]
        self.is_tall = any(span.look.size > 1.0 or "@" in span.icon for span in spans)

    def widest(self) -> tuple[float, str]:
        """The ems that the block needs at least, and the words that need them."""
        ems, text = max(map(widest, self.galleys), key=itemgetter(0))
        return ems + self.indent, text

    def count(self, width: float) -> int:
        """How many lines of `width` ems it needs."""
        return sum(count(galley, width - self.indent) for galley in self.galleys)

    def lines(self, width: float, align: Align) -> Iterator[LineContent]:
        """Its lines of at most `width` ems."""
        for galley in self.galleys:
            lines = choose_breaks(galley, width - self.indent, is_last_alike=align == "centre")
            for number, (start, end) in enumerate(lines, 1):
                is_full = align == "justified" and number < len(lines)
                yield content_of(galley, start, end, is_full=is_full)

    def is_right(self, style: Style) -> bool:
        """Whether short lines end at the right edge."""
        if style.align in ("start", "justified") or self.bullet:
            return self.base == 1
        return style.align == "right"


class TableBlock(GalleyBlock):
    """A table as galleys, one for each cell. Its columns are as wide as their words, or less."""

    def widest(self) -> tuple[float, str]:
        """The ems that all columns need."""
        return sum(self._least) + self._gaps, " | ".join(cell.text for cell in self._rows[0])

    def count(self, width: float) -> int:
        return sum(1 for _ in self.lines(width, "left"))

    def lines(self, width: float, _: Align) -> Iterator[LineContent]:
        widths = self._widths(width)
        for number, row in enumerate(self._rows):
            broken = [choose_breaks(cell, room, is_last_alike=False) for cell, room in zip(row, widths, strict=True)]
            last = max(1, *map(len, broken)) - 1
            for at in range(last + 1):
                now = (lines[at : at + 1] for lines in broken)
                columns = list(map(_fill, row, now, widths, self.block.aligns))
                pieces = [
                    piece
                    for column in (columns[::-1] if self.base else columns)
                    for piece in (*column, blank(_CELL_GAP, self.base))
                ][:-1]
                is_ruled = self.block.has_head and number == 0 and at == last
                start = None if at else row[0].breaks[0]
                ems = sum(widths) + self._gaps
                yield LineContent(pieces, ems, row[0], start, is_ruled=is_ruled)

    @cached_property
    def _rows(self) -> list[list[Galley]]:
        columns = len(self.block.aligns)
        return [self.galleys[i : i + columns] for i in range(0, len(self.galleys), columns)]

    @cached_property
    def _least(self) -> list[float]:
        """The ems that each column needs."""
        return [max(map(widest, column))[0] for column in zip(*self._rows, strict=True)]

    @property
    def _gaps(self) -> float:
        return _CELL_GAP * (len(self.block.aligns) - 1)

    def _widths(self, width: float) -> list[float]:
        """The ems of each column within `width` ems."""
        whole = [max(cell.ends[-1] for cell in column) for column in zip(*self._rows, strict=True)]
        spare = max(width - self._gaps - sum(self._least), 0.0)
        wanted = sum(whole) - sum(self._least)
        if spare >= wanted:
            return whole
        return [least + (most - least) * spare / wanted for least, most in zip(self._least, whole, strict=True)]


def _fill(cell: Galley, line: Sequence[tuple[Break, Break]], room: float, align: str) -> list[GlyphPiece]:
    """The pieces of a line of a cell, or of none, with blanks up to its `room` in ems."""
    empty = room - sum(cell.width(start, end) for start, end in line)
    before = {"left": empty * cell.base, "centre": empty / 2, "right": empty * (1 - cell.base)}
    pieces = [piece for start, end in line for piece in cell.pieces(start, end)]
    sides = before[align], empty - before[align]
    return [blank(sides[0], cell.base), *pieces, blank(sides[1], cell.base)]


class Placer(Struct):
    """Puts the pieces of one baseline in their places."""

    _style: Style
    _size: float
    _y: float
    _runs: list[WordRun] = []
    _icons: list[IconBox] = []
    _bars: list[TextBar] = []

    def line(self, row: LineContent, part: GalleyBlock, box: Rect, *, is_first: bool) -> TextLine:
        size, bullet = self._size, part.bullet
        indent = part.indent * size
        left, right = (box.x0, box.x1 - indent) if part.base else (box.x0 + indent, box.x1)
        empty = right - left - row.ems * size
        stretch = self._stretch(row, empty)
        if bullet and is_first:
            outer = part.outer * size
            x = box.x1 - bullet.ems * size - outer if part.base else box.x0 + outer
            self._put(bullet.pieces, x)
        start = left + self._before(empty, part) if not stretch else left
        width = self._put(row.pieces, start, stretch) - start
        if row.is_ruled:
            self.rule(start, start + width, _ABOVE_RULE)
        runs, icons = tuple(self._runs), tuple(self._icons)
        return TextLine(self._y, width, runs, icons, bars=tuple(self._bars))

    def rule(self, left: float, right: float, below: float) -> None:
        """A rule from left to right, some ems `below` the baseline."""
        y = self._y + below * self._size
        self._bars.append(TextBar(Rect(left, y, right, y + _RULE * self._size), self._style.colour))

    def _stretch(self, row: LineContent, empty: float) -> float:
        """The mm to add to each blank of a full line."""
        blanks = sum(piece.is_blank for piece in row.pieces) if row.is_full else 0
        return empty / blanks if blanks else 0.0

    def _before(self, empty: float, part: GalleyBlock) -> float:
        if self._style.align == "centre" and not part.bullet:
            return empty / 2
        return empty if part.is_right(self._style) else 0.0

    def _put(self, pieces: Sequence[GlyphPiece], x: float, stretch: float = 0.0) -> float:
        """Put pieces from x on, their blanks `stretch` mm wider. Returns their end."""
        size = self._size
        dressed: list[tuple[GlyphPiece, float, float]] = []
        before = blank(0.0, 0)
        for piece in pieces:
            width, y = piece.ems * size, self._y - piece.look.rise * size
            if piece.icon is not None:
                foot = y + (self._style.sink + piece.more) * size
                top, side = foot - self._style.icon * piece.size * size, BESIDE_ICON * size
                box = Rect(x + side, top, x + width - side, foot)
                self._icons.append(IconBox(piece.icon, box))
                if piece.number:
                    self._number(piece.number, box)
            elif piece.font is not None:
                is_rtl = piece.level % 2 == 1
                own = size * piece.size
                run = WordRun(piece.text, piece.font, own, x, y, piece.colour, width, is_rtl)
                self._runs.append(run)
            else:
                width += stretch
            if any(piece.dress):
                first, left = piece, x
                if before.dress == piece.dress and x - dressed[-1][2] < size:
                    first, left, _ = dressed.pop()
                dressed.append((first, left, x + width))
            before = before if piece.is_blank else piece
            x += width
        for first, left, right in dressed:
            self._bars += self._dress(first, left, right)
        return x

    def _number(self, number: IconNumber, box: Rect) -> None:
        """Put a number in the middle of an icon."""
        size, (x, y) = number.size * self._size, box.centre
        half = _DISC * min(box.width, box.height) / 2
        self._icons.append(IconBox(number.disc, Rect(x - half, y - half, x + half, y + half)))
        ink, font, colour = number.font.ink(number.text, size), number.font, number.colour
        place = x - (ink.x0 + ink.x1) / 2, y - (ink.y0 + ink.y1) / 2
        width = number.ems * self._size
        self._runs.append(WordRun(number.text, font, size, *place, colour, width, is_rtl=False))

    def _dress(self, piece: GlyphPiece, left: float, right: float) -> Iterator[TextBar]:
        """The pill and the lines of words, of which `piece` is the first."""
        look, size, font = piece.look, self._size * piece.size, piece.font
        y = self._y - look.rise * self._size
        if look.pill:
            beside, above, below = (ems * size for ems in _PILL)
            box = Rect(left - beside, y - above, right + beside, y + below)
            is_tint = look.pill == TINT
            colour, opacity = (piece.colour, _TINT) if is_tint else (look.pill, 1.0)
            yield TextBar(box, colour, is_round=True, opacity=opacity)
        for is_drawn, name in ((look.underline, "underline"), (look.strike, "line-through")):
            if is_drawn and font:
                half = metric(font, "thickness") * size / 2
                middle = y - metric(font, name) * size
                yield TextBar(Rect(left, middle - half, right, middle + half), piece.colour)
