"""Lines of a text at their places in a box, or how much room they lack.

A line that the font of the sheets cannot set becomes an outline in the fonts of the game, shaped
and in the direction of its script.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import MM_PER_PT, Rect, Size
from generator.basics.recent import RecentValues
from generator.model import Art, LackingWords
from generator.text.fontbook import HOUSE_FAMILY, FontBook
from generator.text.fonts import Segment, glyphs, outline
from generator.text.galley import fill_line, has_row_of_icons
from generator.text.markup import PLAIN, Notation, Span, TextBlock, WordLook, parse
from generator.text.placing import GalleyBlock, LineContent, Placer, TableBlock, TextLine, WordRun, content_of
from generator.text.shape import Shaper, Style

_STEP = 0.1 * MM_PER_PT  # mm between the sizes to try
_SLACK = 1e-6  # mm: the rounding error of a sum of lengths
_ABOVE_BASELINES = 0.25  # ems: how far the middle between lines is above that of their baselines
_WIDE = 10_000.0  # ems
_SHARES = 50  # of the width of an ellipse, to try
_MAX_FLOWS = 1000  # that are remembered
_ROOM = Rect(0.0, 0.0, 10_000.0, 100.0)  # ems: wide enough for any title


class Flow(Struct, frozen=True):
    """Text set in a box. `height` is that of its lines, `top` where they begin. Lengths are mm."""

    lines: tuple[TextLine, ...]
    size: float
    height: float
    top: float = 0.0
    left: tuple[TextBlock, ...] = ()  # what goes on in another box

    @property
    def lacking(self) -> tuple[LackingWords, ...]:
        """The words that ask for a bold or an italic that their font lacks."""
        return tuple(words for line in self.lines for words in line.lacking)

    def moved(self, x: float, y: float) -> Flow:
        """The same text, moved right by `x` mm and down by `y` mm."""
        return replace(self, lines=tuple(line.moved(x, y) for line in self.lines), top=self.top + y)


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
        notation: Notation = PLAIN,
    ) -> None:
        self._fonts = fonts
        self._notation = notation
        self._icons = icons or {}
        self._colours = colours or {}
        self._shapers: dict[tuple[object, ...], Shaper] = {}
        named = tuple(self._icons.items()), tuple(self._colours.items())
        self._flows = _flows(fonts, *named, notation)

    def set(self, text: str | Sequence[TextBlock], box: Rect, style: Style) -> Flow:
        """Set text with marks (see markup), or its blocks, in a box in mm, as large as fits.

        Raises OverfullError if it does not fit at the least size; MisfitError if a character, an
        icon, a colour or a font does not exist, or a mark is not closed.
        """
        if not isinstance(text, str):
            return self._set(text, box, style)
        return self._flows.find((text, box, style), lambda: self._set(parse(text, self._notation), box, style))

    def _set(self, blocks: Sequence[TextBlock], box: Rect, style: Style) -> Flow:
        copy = self._compose(blocks, box, style)
        flow = copy.place(box, _size(copy, box, style))
        shaper = self._shaper(style)
        flow = _note_lacking(flow, tuple(dict.fromkeys(_find_lacking(blocks, shaper))))
        over = _over(copy, box, style, flow.size)
        if over.height and style.goes_on and not over.width:
            return _note_lacking(copy.begin(box, flow.size), flow.lacking)
        if any(over):
            raise _overfull(copy, over, flow)
        return flow

    def _compose(self, blocks: Sequence[TextBlock], box: Rect, style: Style) -> _Copy:
        shaper = self._shaper(style)
        try:
            copy = _compose(blocks, style, shaper, parts_icons=False)
            if copy.has_row_of_icons and copy.widest[0] * _least(style) - box.width > _SLACK:
                copy = _compose(blocks, style, shaper, parts_icons=True)
        except MisfitError:
            shaper.forget()
            raise
        shaper.check()
        return copy

    def _shaper(self, style: Style) -> Shaper:
        """A shaper for a style. Styles that differ in size or lines measure the same words."""
        key = Shaper.key_of(style)
        if key not in self._shapers:
            self._shapers[key] = Shaper(style, self._fonts, self._icons, self._colours)
        return self._shapers[key]


def _compose(blocks: Sequence[TextBlock], style: Style, shaper: Shaper, *, parts_icons: bool) -> _Copy:
    if style.is_round and any(block.aligns for block in blocks):
        raise MisfitError("a table has no room in a circle", "put it into a rectangle")
    parts = [
        (TableBlock if block.aligns else GalleyBlock)(block, style, shaper, parts_icons=parts_icons) for block in blocks
    ]
    return _Copy(parts, style)


def _note_lacking(flow: Flow, lacking: tuple[LackingWords, ...]) -> Flow:
    if not lacking or not flow.lines:
        return flow
    first, *others = flow.lines
    return replace(flow, lines=(replace(first, lacking=lacking), *others))


def _find_lacking(blocks: Sequence[TextBlock], shaper: Shaper) -> Iterator[LackingWords]:
    for span in (span for block in blocks for line in block.lines for span in line):
        if span.look.bold or span.look.italic:
            family_and_lack = shaper.find_lacking(span.look)
            if family_and_lack and not span.icon and span.text.strip():
                yield LackingWords(span.text.strip(), *family_and_lack)


@lru_cache(maxsize=4)
def _flows(
    _fonts: FontBook, _icons: tuple[tuple[str, Art], ...], _colours: tuple[tuple[str, str], ...], _notation: Notation
) -> RecentValues[tuple[str, Rect, Style], Flow]:
    """The texts that were set with these, by text, box and style."""
    return RecentValues(_MAX_FLOWS)


class _FlowRow(Struct, frozen=True):
    """A line of a block where there is room for it, and the ems that it needs above and below."""

    part: GalleyBlock
    line: LineContent
    room: Rect
    more: float

    def left(self, *, is_begun: bool) -> TextBlock:
        """What is left of its block from this line on; of one that is begun, without its bullet."""
        block, cell = self.part.block, self.line.galley
        number = self.part.galleys.index(cell)
        assert self.line.start is not None, "no text is parted here"
        return replace(
            block,
            lines=(cell.rest(self.line.start), *block.lines[number + 1 :]),
            is_item=block.is_item and not is_begun,
            apart=False,
            is_ruled=block.is_ruled and not is_begun,
            has_head=block.has_head and not is_begun,
        )


class _Copy:
    """A text to set. Its measures are ems, so that they do not depend on the size."""

    def __init__(self, parts: Sequence[GalleyBlock], style: Style) -> None:
        self._parts = parts
        self._style = style
        self.widest = max((part.widest() for part in parts), default=(0.0, ""))
        texts = [galley.text for part in parts for galley in part.galleys]
        self.has_row_of_icons = any(map(has_row_of_icons, texts))
        self._ascent = max((g.ascent for part in parts[:1] for g in part.galleys), default=0.0)
        self._descent = max((g.descent for part in parts[-1:] for g in part.galleys), default=0.0)
        self._gaps = sum(part.gap for part in parts)
        self.is_round = style.is_round
        self._most = max(self._tall(_WIDE), default=0.0) if self.is_round else 0.0

    def height(self, width: float) -> float:
        """The height in ems of the text in lines of `width` ems."""
        return self._stack(sum(part.count(width) for part in self._parts)) + 2 * sum(self._tall(width))

    def _tall(self, width: float) -> Iterator[float]:
        """The ems that large letters and icons need above their lines, and below."""
        for part in self._parts:
            if part.is_tall:
                yield from (line.more for line in part.lines(width, self._style.align))

    def _stack(self, lines: int) -> float:
        if not lines:
            return 0.0
        leading = self._style.leading * (lines - 1)
        return self._ascent + leading + self._gaps + self._descent

    def place(self, box: Rect, size: float) -> Flow:
        """The text in the box, at a size in mm that fits."""
        rows = self._rows_of(box, size)
        height = self._stack(len(rows)) + 2 * sum(row.more for row in rows)
        return self._place(rows, box, size, height * size)

    def begin(self, box: Rect, size: float) -> Flow:
        """The lines that fit in the box; the others, of which there are some, are left. A row of a
        table is not parted."""
        rows = self._rows_of(box, size)
        lines = self._place(rows, box._replace(y1=box.y0), size, 0.0).lines
        below = [(row.line.galley.descent + row.more) * size for row in rows]
        feet = [line.y + deep for line, deep in zip(lines, below, strict=True)]
        fitting = bisect_right(feet, box.y1 + _SLACK)
        while rows[fitting].line.start is None:
            fitting -= 1
        row = rows[fitting]
        is_begun = fitting > 0 and row.part is rows[fitting - 1].part
        others = self._parts[self._parts.index(row.part) + 1 :]
        height = feet[fitting - 1] - box.y0 if fitting else 0.0
        flow = self._place(rows[:fitting], box, size, height)
        return replace(flow, left=(row.left(is_begun=is_begun), *(part.block for part in others)))

    def _place(self, rows: Sequence[_FlowRow], box: Rect, size: float, height: float) -> Flow:
        spare = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[self._style.valign]
        top = box.y0 + (box.height - height) * spare
        y = top + self._ascent * size
        lines: list[TextLine] = []
        last = None
        for row in rows:
            part, room, is_first = row.part, row.room, row.part is not last
            y += part.gap * size if is_first and last is not None else 0.0
            placer = Placer(self._style, size, y + row.more * size)
            if part.block.is_ruled and is_first:
                middle = row.more + (self._style.leading + part.gap) / 2 + _ABOVE_BASELINES
                placer.rule(room.x0, room.x1, -middle)
            lines.append(placer.line(row.line, part, room, is_first=is_first))
            y += (self._style.leading + 2 * row.more) * size
            last = part
        return Flow(tuple(lines), size, height, top)

    def _rows_of(self, box: Rect, size: float) -> list[_FlowRow]:
        """The lines of the text in a box; in an ellipse that is too small, those in its box."""
        if self.is_round and (rows := self.fill_ellipse(box, size)):
            return rows
        lines = ((part, line) for part in self._parts for line in part.lines(box.width / size, self._style.align))
        return [_FlowRow(part, line, box, line.more) for part, line in lines]

    def fill_ellipse(self, box: Rect, size: float) -> list[_FlowRow] | None:
        """The fewest lines in the ellipse in a box; None if the text does not fit. They are in the
        middle, so the room for each depends on how many there are. Those of the narrowest ellipse
        that has room for as many are evenly filled."""
        least = sum(part.count(box.width / size) for part in self._parts)
        for lines in range(least, int(box.height / size / self._style.leading) + 2):
            if self._fill(box, size, lines, 1.0) is not None:
                shares = (share / _SHARES for share in range(1, _SHARES + 1))
                narrower = (self._fill(box, size, lines, share) for share in shares)
                for rows in narrower:
                    if rows is not None and len(rows) == lines:
                        return rows
        return None

    def _fill(self, box: Rect, size: float, lines: int, share: float) -> list[_FlowRow] | None:
        """At most so many lines, in a `share` of the width of an ellipse, each as high as the highest."""
        more = self._most
        y = box.centre.y + (self._ascent - self._stack(lines) / 2 - more * lines) * size
        rows: list[_FlowRow] = []
        for part in self._parts:
            y += part.gap * size if rows else 0.0
            for galley in part.galleys:
                begin, last = 0, len(galley.breaks) - 1
                while begin < last:
                    foot = y + (galley.descent + 2 * more) * size
                    room = _chord(box, y - galley.ascent * size, foot, share)
                    end = fill_line(galley, begin, room.width / size - part.indent)
                    if end == begin or len(rows) == lines:
                        return None
                    line = content_of(galley, galley.breaks[begin], galley.breaks[end])
                    rows.append(_FlowRow(part, line, room, more))
                    begin, y = end, y + (self._style.leading + 2 * more) * size
        return rows


def _chord(box: Rect, top: float, bottom: float, share: float) -> Rect:
    """The largest rectangle between two heights in the ellipse that touches the sides of a box,
    and a `share` of its width."""
    middle = box.centre
    off = max(middle.y - top, bottom - middle.y) / (box.height / 2)
    half = share * box.width / 2 * sqrt(max(0.0, 1.0 - off * off))
    return Rect(middle.x - half, top, middle.x + half, bottom)


def _size(copy: _Copy, box: Rect, style: Style) -> float:
    """The largest size in mm that fits; the least size if none does."""
    least = _least(style)
    steps = range(ceil((style.size - least) / _STEP - _SLACK) + 1)

    def size(step: int) -> float:
        return max(style.size - step * _STEP, least)

    def fits(step: int) -> bool:
        return not any(_over(copy, box, style, size(step)))

    return size(bisect_left(steps, True, key=fits))


def _least(style: Style) -> float:
    return min(style.least or style.size, style.size)


def _over(copy: _Copy, box: Rect, style: Style, size: float) -> Size:
    """The mm that text at a size lacks: in width, or in height if the width fits; in an ellipse
    that is too small, those of a line."""
    if copy.is_round:
        line = 0.0 if copy.fill_ellipse(box, size) is not None else style.leading * size
        return Size(line, line)
    wide = copy.widest[0] * size - box.width
    if wide > _SLACK:
        return Size(wide, 0.0)
    high = copy.height(box.width / size) * size - box.height
    return Size(0.0, high if high > _SLACK else 0.0)


def _overfull(copy: _Copy, over: Size, flow: Flow) -> OverfullError:
    even = f"at {flow.size / MM_PER_PT:.1f} pt, its least size"
    hint = "give it more room, a smaller least size, or fewer words"
    if copy.is_round:
        return OverfullError(f"the text does not fit its circle {even}", hint, over, flow)
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
    style = Style(family=HOUSE_FAMILY, fallback=fonts.own_families, size=1.0, weight=weight, bold=weight, align="left")
    block = TextBlock(((Span(text, WordLook()),),), is_item=False, apart=False)
    (line,) = Compositor(fonts).set([block], _ROOM, style).lines
    return OutlinedLine(line.width, tuple(segment for run in line.runs for segment in _outline(run)))


def _outline(run: WordRun) -> Iterator[Segment]:
    x = run.x
    for glyph in glyphs(run.font, run.text, rtl=run.is_rtl, features={}):
        for command, points in outline(run.font, glyph.id):
            yield command, tuple((x + glyph.x + px, glyph.y + py) for px, py in points)
        x += glyph.advance
