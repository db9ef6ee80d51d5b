"""Lines of a text at their places in a box, or how much room they lack.

A line that the font of the sheets cannot set becomes an outline in the fonts of the game, shaped
and in the direction of its script.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import Rect, Size
from generator.basics.recent import RecentValues
from generator.basics.units import MM_PER_PT
from generator.model import Art, LackingWords
from generator.text import bidi
from generator.text.fontbook import HOUSE_FAMILY, FontBook
from generator.text.fonts import Font
from generator.text.galley import Galley, choose_breaks, count, widest
from generator.text.glyphs import Segment, glyphs, outline
from generator.text.markup import Span, TextBlock, WordLook, has_row_of_icons, hyphenate, parse
from generator.text.shape import BESIDE_ICON, GlyphPiece, Shaper, Style

_STEP = 0.1 * MM_PER_PT  # mm between the sizes to try
_SLACK = 1e-6  # mm: the rounding error of a sum of lengths
_BULLET_GAP = 0.4  # ems between the bullet and the words
_MAX_FLOWS = 1000  # that are remembered
_ROOM = Rect(0.0, 0.0, 10_000.0, 100.0)  # ems: wide enough for any title


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


class IconBox(Struct, frozen=True):
    """An icon among words, and its box in mm."""

    art: Art
    box: Rect


class TextLine(Struct, frozen=True, dict=True):
    """The words and icons of one baseline, from left to right; `width` is from end to end, in mm.

    `lacking`, on the first line of a text: the words of the whole text that ask for a bold or an
    italic that their font lacks."""

    y: float
    width: float
    runs: tuple[WordRun, ...]
    icons: tuple[IconBox, ...]
    lacking: tuple[LackingWords, ...] = ()

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
        return replace(self, y=self.y + y, runs=tuple(runs), icons=tuple(icons))


def _follows(before: WordRun, run: WordRun) -> bool:
    """Whether two runs could be one text with a blank between them."""
    font, size = run.font, run.size
    if before.font is not font or before.size != size or before.colour != run.colour:
        return False
    gap = run.x - before.x - before.width - font.blank * size
    return abs(gap) < _SLACK and font.joins(before.text, run.text)


def _join(runs: Sequence[WordRun]) -> WordRun:
    first, last = runs[0], runs[-1]
    text = " ".join([run.text for run in runs])
    return replace(first, text=text, width=last.x + last.width - first.x)


class Flow(Struct, frozen=True):
    """Text set in a box. `height` is that of all its lines. Lengths are mm."""

    lines: tuple[TextLine, ...]
    size: float
    height: float

    @property
    def lacking(self) -> tuple[LackingWords, ...]:
        """The words that ask for a bold or an italic that their font lacks."""
        return tuple(words for line in self.lines for words in line.lacking)

    def moved(self, x: float, y: float) -> Flow:
        """The same text, moved right by `x` mm and down by `y` mm."""
        return replace(self, lines=tuple(line.moved(x, y) for line in self.lines))


class OverfullError(MisfitError):
    """Text that does not fit at its least size: `over` is the mm that it lacks, `flow` has it at
    that size, past the end of its box."""

    def __init__(self, what: str, hint: str, over: Size, flow: Flow) -> None:
        super().__init__(what, hint)
        self.over = over
        self.flow = flow


class Compositor:
    """Sets text with some fonts, icons and colours.

    It remembers the words that it has measured. Compositors with the same fonts, icons and colours
    share the last texts that they have set."""

    def __init__(
        self,
        fonts: FontBook,
        icons: Mapping[str, Art] | None = None,
        colours: Mapping[str, str] | None = None,
    ) -> None:
        self._fonts = fonts
        self._icons = icons or {}
        self._colours = colours or {}
        self._shapers: dict[Style, Shaper] = {}
        self._shapers_alike: dict[tuple[object, ...], Shaper] = {}
        self._flows = _flows(fonts, tuple(self._icons.items()), tuple(self._colours.items()))

    def set(self, text: str | Sequence[TextBlock], box: Rect, style: Style) -> Flow:
        """Set text with marks (see markup), or its blocks, in a box in mm, as large as fits.

        Raises OverfullError if it does not fit at the least size; MisfitError if a character, an
        icon, a colour or a font does not exist, or a mark is not closed.
        """
        if not isinstance(text, str):
            return self._set(text, box, style)
        return self._flows.find((text, box, style), lambda: self._set(parse(text), box, style))

    def _set(self, blocks: Sequence[TextBlock], box: Rect, style: Style) -> Flow:
        shaper = self._shapers.get(style) or self._add_shaper(style)
        try:
            copy = _compose(blocks, style, shaper, parts_icons=False)
            if _has_wide_icons(copy, box, style):
                copy = _compose(blocks, style, shaper, parts_icons=True)
        except MisfitError:
            shaper.forget()
            raise
        shaper.check()
        flow = copy.place(box, _size(copy, box, style))
        lacking = tuple(dict.fromkeys(_find_lacking(blocks, shaper)))
        if lacking:
            first, *others = flow.lines
            flow = replace(flow, lines=(replace(first, lacking=lacking), *others))
        if any(over := _over(copy, box, flow.size)):
            raise _overfull(copy, over, flow)
        return flow

    def _add_shaper(self, style: Style) -> Shaper:
        """A shaper for a style. Styles that differ in size or lines measure the same words."""
        key = Shaper.key_of(style)
        if key not in self._shapers_alike:
            self._shapers_alike[key] = Shaper(style, self._fonts, self._icons, self._colours)
        shaper = self._shapers[style] = self._shapers_alike[key]
        return shaper


def _compose(
    blocks: Sequence[TextBlock], style: Style, shaper: Shaper, *, parts_icons: bool
) -> _Copy:
    parts = [_GalleyBlock(block, style, shaper, parts_icons=parts_icons) for block in blocks]
    return _Copy(parts, style)


def _has_wide_icons(copy: _Copy, box: Rect, style: Style) -> bool:
    """Whether a text with a row of icons is wider than its box, even at its least size."""
    return copy.has_row_of_icons and copy.widest[0] * _least(style) - box.width > _SLACK


def _find_lacking(blocks: Sequence[TextBlock], shaper: Shaper) -> Iterator[LackingWords]:
    for span in (span for block in blocks for line in block.lines for span in line):
        if span.look.bold or span.look.italic:
            family_and_lack = shaper.find_lacking(span.look)
            if family_and_lack and not span.icon and span.text.strip():
                yield LackingWords(span.text.strip(), *family_and_lack)


@lru_cache(maxsize=4)
def _flows(
    _fonts: FontBook, _icons: tuple[tuple[str, Art], ...], _colours: tuple[tuple[str, str], ...]
) -> RecentValues[tuple[str, Rect, Style], Flow]:
    """The texts that were set with these, by text, box and style."""
    return RecentValues(_MAX_FLOWS)


class _GalleyBlock:
    """A block as galleys, with its bullet and the room beside them for it."""

    def __init__(
        self, block: TextBlock, style: Style, shaper: Shaper, *, parts_icons: bool
    ) -> None:
        self.base = bidi.direction("".join(s.text for line in block.lines for s in line))
        lines = (
            [_hyphenate(line, style.hyphens) for line in block.lines]
            if style.hyphens
            else block.lines
        )
        self.galleys = [Galley(line, self.base, shaper, parts_icons=parts_icons) for line in lines]
        self.bullet = shaper.word(style.bullet, WordLook(), self.base) if block.is_item else None
        self.indent = self.bullet.ems + _BULLET_GAP if self.bullet else 0.0
        self.gap = style.gap if block.apart else 0.0

    def is_right(self, style: Style) -> bool:
        """Whether short lines end at the right edge."""
        if style.align in ("start", "justified") or self.bullet:
            return self.base == 1
        return style.align == "right"


def _hyphenate(line: Sequence[Span], language: str) -> list[Span]:
    """A line with soft hyphens in its words. Raises MisfitError if the language is unknown."""
    return [replace(span, text=hyphenate(span.text, language)) for span in line]


class _Copy:
    """A text to set. Its measures are ems, so that they do not depend on the size."""

    def __init__(self, parts: Sequence[_GalleyBlock], style: Style) -> None:
        self._parts = parts
        self._style = style
        self.widest = max(
            (
                (line.ems + part.indent, line.text)
                for part in parts
                for line in map(widest, part.galleys)
            ),
            default=(0.0, ""),
        )
        texts = [galley.text for part in parts for galley in part.galleys]
        self.has_row_of_icons = any(map(has_row_of_icons, texts))
        self._ascent = max((g.ascent for part in parts[:1] for g in part.galleys), default=0.0)
        self._descent = max((g.descent for part in parts[-1:] for g in part.galleys), default=0.0)
        self._gaps = sum(part.gap for part in parts)

    def height(self, width: float) -> float:
        """The height in ems of the text in lines of `width` ems."""
        lines = sum(count(g, width - part.indent) for part in self._parts for g in part.galleys)
        return self._stack(lines)

    def _stack(self, lines: int) -> float:
        if not lines:
            return 0.0
        leading = self._style.leading * (lines - 1)
        return self._ascent + leading + self._gaps + self._descent

    def place(self, box: Rect, size: float) -> Flow:
        """The text in the box, at a size in mm that fits."""
        rows = [(part, row) for part in self._parts for row in self._rows(part, box.width / size)]
        height = self._stack(len(rows)) * size
        spare = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[self._style.valign]
        y = box.y0 + (box.height - height) * spare + self._ascent * size
        lines: list[TextLine] = []
        last = None
        for part, row in rows:
            y += part.gap * size if part is not last and last is not None else 0.0
            placer = _Placer(self._style, size, y)
            lines.append(placer.line(row, part, box, is_first=part is not last))
            y += self._style.leading * size
            last = part
        return Flow(tuple(lines), size, height)

    def _rows(self, part: _GalleyBlock, width: float) -> Iterator[_LineContent]:
        room = width - part.indent
        is_alike = self._style.align == "centre"
        for galley in part.galleys:
            lines = choose_breaks(galley, room, is_last_alike=is_alike)
            for number, (start, end) in enumerate(lines, 1):
                is_full = self._style.align == "justified" and number < len(lines)
                yield _LineContent(galley.pieces(start, end), galley.width(start, end), is_full)


class _LineContent(Struct, frozen=True):
    """The pieces of a line, and whether its blanks are stretched to fill it."""

    pieces: list[GlyphPiece]
    ems: float
    is_full: bool


class _Placer:
    """Puts the pieces of one baseline in their places."""

    def __init__(self, style: Style, size: float, y: float) -> None:
        self._style = style
        self._size = size
        self._y = y
        self._runs: list[WordRun] = []
        self._icons: list[IconBox] = []

    def line(self, row: _LineContent, part: _GalleyBlock, box: Rect, *, is_first: bool) -> TextLine:
        size, bullet = self._size, part.bullet
        indent = part.indent * size
        left, right = (box.x0, box.x1 - indent) if part.base else (box.x0 + indent, box.x1)
        empty = right - left - row.ems * size
        stretch = self._stretch(row, empty)
        if bullet and is_first:
            x = box.x1 - bullet.ems * size if part.base else box.x0
            self._put(bullet.pieces, x)
        start = left + self._before(empty, part) if not stretch else left
        width = self._put(row.pieces, start, stretch) - start
        return TextLine(self._y, width, tuple(self._runs), tuple(self._icons))

    def _stretch(self, row: _LineContent, empty: float) -> float:
        """The mm to add to each blank of a full line."""
        blanks = sum(piece.is_blank for piece in row.pieces) if row.is_full else 0
        return empty / blanks if blanks else 0.0

    def _before(self, empty: float, part: _GalleyBlock) -> float:
        if self._style.align == "centre" and not part.bullet:
            return empty / 2
        return empty if part.is_right(self._style) else 0.0

    def _put(self, pieces: Sequence[GlyphPiece], x: float, stretch: float = 0.0) -> float:
        """Put pieces from x on, their blanks `stretch` mm wider. Returns their end."""
        size, y = self._size, self._y
        for piece in pieces:
            width = piece.ems * size
            if piece.icon is not None:
                foot = y + self._style.sink * size
                top, side = foot - self._style.icon * size, BESIDE_ICON * size
                self._icons.append(IconBox(piece.icon, Rect(x + side, top, x + width - side, foot)))
            elif piece.font is not None:
                is_rtl = piece.level % 2 == 1
                run = WordRun(piece.text, piece.font, size, x, y, piece.colour, width, is_rtl)
                self._runs.append(run)
            else:
                width += stretch
            x += width
        return x


def _size(copy: _Copy, box: Rect, style: Style) -> float:
    """The largest size in mm that fits; the least size if none does."""
    least = _least(style)
    steps = range(ceil((style.size - least) / _STEP - _SLACK) + 1)

    def size(step: int) -> float:
        return max(style.size - step * _STEP, least)

    def fits(step: int) -> bool:
        return not any(_over(copy, box, size(step)))

    return size(bisect_left(steps, True, key=fits))


def _least(style: Style) -> float:
    return min(style.least or style.size, style.size)


def _over(copy: _Copy, box: Rect, size: float) -> Size:
    """The mm that text at a size lacks: in width, or in height if the width fits."""
    wide = copy.widest[0] * size - box.width
    if wide > _SLACK:
        return Size(wide, 0.0)
    high = copy.height(box.width / size) * size - box.height
    return Size(0.0, high if high > _SLACK else 0.0)


def _overfull(copy: _Copy, over: Size, flow: Flow) -> OverfullError:
    even = f"at {flow.size / MM_PER_PT:.1f} pt, its least size"
    hint = "give it more room, a smaller least size, or fewer words"
    what, how = (quote(copy.widest[1]), "wider") if over.width else ("the text", "higher")
    by = ceil(max(over) * 10) / 10
    return OverfullError(f"{what} is {by:.1f} mm {how} than its box {even}", hint, over, flow)


class OutlinedLine(Struct, frozen=True):
    """A line at a size of 1: its baseline starts at (0, 0), y down."""

    width: float
    segments: tuple[Segment, ...]

    def ink(self) -> Rect:
        xs, ys = zip(*(point for _, points in self.segments for point in points), strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys))


@lru_cache(maxsize=256)
def outline_line(fonts: FontBook, text: str, weight: int) -> OutlinedLine:
    """The outline of a line. Raises MisfitError if no font has one of its characters."""
    style = Style(
        family=HOUSE_FAMILY,
        fallback=fonts.own_families(),
        size=1.0,
        weight=weight,
        bold=weight,
        align="left",
    )
    block = TextBlock(((Span(text, WordLook()),),), is_item=False, apart=False)
    (line,) = Compositor(fonts).set([block], _ROOM, style).lines
    segments = (one for run in line.runs for one in _outline(run))
    return OutlinedLine(line.width, tuple(segments))


def _outline(run: WordRun) -> Iterator[Segment]:
    x = run.x
    for glyph in glyphs(run.font, run.text, rtl=run.is_rtl, features={}):
        for command, points in outline(run.font, glyph.id):
            yield command, tuple((x + glyph.x + px, glyph.y + py) for px, py in points)
        x += glyph.advance
