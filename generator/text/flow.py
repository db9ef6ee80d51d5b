"""Take text, a style and a box, make lines at their places in it; or say by how much they miss."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from generator.errors import MisfitError, quote
from generator.geometry import Rect, Size
from generator.model import Art, LackingWords
from generator.text import bidi
from generator.text.breaks import hyphenate
from generator.text.fonts import Font, FontBook
from generator.text.galley import Galley
from generator.text.lines import choose_breaks, count, widest
from generator.text.markup import Span, TextBlock, WordLook, parse
from generator.text.shape import BESIDE_ICON, GlyphPiece, Shaper
from generator.text.style import Style
from generator.units import MM_PER_PT

_STEP = 0.1 * MM_PER_PT  # mm: sizes are tried a tenth of a point apart
_SLACK = 1e-6  # mm that sums of lengths are off
_BULLET_GAP = 0.4  # ems between the bullet and the words
_KEPT = 1000  # texts, as they were set


class WordRun(NamedTuple):
    """Words in one font: `x` is their left end and `y` their baseline, in mm."""

    text: str  # as it is read, whichever way it runs
    font: Font
    size: float
    x: float
    y: float
    colour: str
    width: float
    is_rtl: bool


class IconBox(NamedTuple):
    """Where an icon stands among the words."""

    art: Art
    box: Rect


class TextLine(NamedTuple):
    """What stands on one baseline, from left to right; `width` is from end to end, in mm. The first
    line of a text says which of its words are not set as they ask."""

    y: float
    width: float
    runs: tuple[WordRun, ...]
    icons: tuple[IconBox, ...]
    lacking: tuple[LackingWords, ...] = ()

    def stretches(self) -> list[WordRun]:
        """The runs as they may be drawn: those of one look are one where the font itself, set all
        in one go, would put every letter where it stands."""
        stretches: list[list[WordRun]] = []
        for run in self.runs:
            if stretches and _follows(stretches[-1][-1], run):
                stretches[-1].append(run)
            else:
                stretches.append([run])
        return [runs[0] if len(runs) == 1 else _in_one_go(runs) for runs in stretches]

    def moved(self, x: float, y: float) -> TextLine:
        """The same line so many mm further right and down."""
        runs = (run._replace(x=run.x + x, y=run.y + y) for run in self.runs)
        icons = (icon._replace(box=icon.box.moved(x, y)) for icon in self.icons)
        return self._replace(y=self.y + y, runs=tuple(runs), icons=tuple(icons))


def _follows(before: WordRun, run: WordRun) -> bool:
    """Whether a run goes on after another as if they were one text, a blank between them."""
    font, size = run.font, run.size
    if before.font is not font or before.size != size or before.colour != run.colour:
        return False
    gap = run.x - before.x - before.width - font.blank * size
    return abs(gap) < _SLACK and font.joins(before.text, run.text)


def _in_one_go(runs: Sequence[WordRun]) -> WordRun:
    first, last = runs[0], runs[-1]
    text = " ".join(run.text for run in runs)
    return first._replace(text=text, width=last.x + last.width - first.x)


@dataclass(frozen=True, slots=True)
class Flow:
    """Text set in a box. `height` is what its lines claim of it; all lengths are mm."""

    lines: tuple[TextLine, ...]
    size: float
    height: float

    @property
    def lacking(self) -> tuple[LackingWords, ...]:
        """The words that are not set as they ask."""
        return tuple(words for line in self.lines for words in line.lacking)

    def moved(self, x: float, y: float) -> Flow:
        """The same text so many mm further right and down."""
        return replace(self, lines=tuple(line.moved(x, y) for line in self.lines))


class OverfullError(MisfitError):
    """Text that does not fit at its least size: `over` says by how many mm."""

    def __init__(self, what: str, hint: str, over: Size) -> None:
        super().__init__(what, hint)
        self.over = over


class Compositor:
    """Sets text with some fonts, icons and colours. What it once measured it knows; how texts were
    set lately, those with the same fonts, icons and colours know."""

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
        self._lately = _flows(fonts, tuple(self._icons.items()), tuple(self._colours.items()))

    def set(self, text: str | Sequence[TextBlock], box: Rect, style: Style) -> Flow:
        """Text with marks (see markup), or the blocks that such text is, at its places in the
        box, in mm, as large as fits.

        Raises OverfullError when it does not fit at the least size, MisfitError for what cannot
        be set: a sign, an icon, a colour or a font that is not there, a mark that never closes.
        """
        if not isinstance(text, str):
            return self._set(text, box, style)
        flow = self._lately.pop((text, box, style), None) or self._set(parse(text), box, style)
        self._lately[text, box, style] = flow  # the last of them
        if len(self._lately) > _KEPT:
            del self._lately[next(iter(self._lately))]
        return flow

    def _set(self, blocks: Sequence[TextBlock], box: Rect, style: Style) -> Flow:
        shaper = self._shapers.get(style)
        if shaper is None:
            shaper = Shaper(style, self._fonts, self._icons, self._colours)
            self._shapers[style] = shaper
        try:
            copy = _Copy([_GalleyBlock(block, style, shaper) for block in blocks], style)
        except MisfitError:
            shaper.forget()
            raise
        shaper.check()
        flow = copy.placed(box, _size(copy, box, style))
        lacking = tuple(dict.fromkeys(_find_lacking(blocks, shaper)))
        if not lacking:
            return flow
        first, *others = flow.lines
        return replace(flow, lines=(first._replace(lacking=lacking), *others))


def _find_lacking(blocks: Sequence[TextBlock], shaper: Shaper) -> Iterator[LackingWords]:
    for span in (span for block in blocks for line in block.lines for span in line):
        if span.look.bold or span.look.italic:
            found = shaper.find_lacking(span.look)
            if found and not span.icon and span.text.strip():
                yield LackingWords(span.text.strip(), *found)


@lru_cache(maxsize=4)
def _flows(
    _fonts: FontBook, _icons: tuple[tuple[str, Art], ...], _colours: tuple[tuple[str, str], ...]
) -> dict[tuple[str, Rect, Style], Flow]:
    """What was set with these."""
    return {}


class _GalleyBlock:
    """A block as galleys, with what it keeps free at their side for its bullet."""

    def __init__(self, block: TextBlock, style: Style, shaper: Shaper) -> None:
        self.base = bidi.direction("".join(s.text for line in block.lines for s in line))
        lines = (
            [_hyphenate(line, style.hyphens) for line in block.lines]
            if style.hyphens
            else block.lines
        )
        self.galleys = [Galley(line, self.base, shaper) for line in lines]
        self.bullet = shaper.word(style.bullet, WordLook(), self.base) if block.is_item else None
        self.indent = self.bullet.ems + _BULLET_GAP if self.bullet else 0.0
        self.gap = style.gap if block.apart else 0.0

    def is_right(self, style: Style) -> bool:
        """Whether its lines end at the right edge when they are short."""
        if style.align in ("start", "justified") or self.bullet:
            return self.base == 1
        return style.align == "right"


def _hyphenate(line: Sequence[Span], language: str) -> list[Span]:
    """A line with soft hyphens in its words. Raises MisfitError: an unknown language."""
    return [span._replace(text=hyphenate(span.text, language)) for span in line]


class _Copy:
    """A text to be set, measured in ems: nothing of it depends on the size."""

    def __init__(self, parts: Sequence[_GalleyBlock], style: Style) -> None:
        self._parts = parts
        self._style = style
        self.widest = max(
            (
                (found.ems + part.indent, found.text)
                for part in parts
                for found in map(widest, part.galleys)
            ),
            default=(0.0, ""),
        )
        self._ascent = max((g.ascent for part in parts[:1] for g in part.galleys), default=0.0)
        self._descent = max((g.descent for part in parts[-1:] for g in part.galleys), default=0.0)
        self._gaps = sum(part.gap for part in parts)

    def height(self, width: float) -> float:
        """The ems that the text is high in lines of `width` ems."""
        lines = sum(count(g, width - part.indent) for part in self._parts for g in part.galleys)
        return self._stack(lines)

    def _stack(self, lines: int) -> float:
        if not lines:
            return 0.0
        leading = self._style.leading * (lines - 1)
        return self._ascent + leading + self._gaps + self._descent

    def placed(self, box: Rect, size: float) -> Flow:
        """The text at a size that fits."""
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


class _LineContent(NamedTuple):
    """What stands in a line, and whether its blanks are stretched until it is full."""

    pieces: list[GlyphPiece]
    ems: float
    is_full: bool


class _Placer:
    """Puts what stands on one baseline to its places."""

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
        """What each blank of a full line grows by."""
        blanks = sum(piece.is_blank for piece in row.pieces) if row.is_full else 0
        return empty / blanks if blanks else 0.0

    def _before(self, empty: float, part: _GalleyBlock) -> float:
        if self._style.align == "centre" and not part.bullet:
            return empty / 2
        return empty if part.is_right(self._style) else 0.0

    def _put(self, pieces: Sequence[GlyphPiece], x: float, stretch: float = 0.0) -> float:
        """Pieces from x on, their blanks `stretch` mm wider; where they end."""
        size, y = self._size, self._y
        for text, font, colour, ems, level, icon in pieces:
            width = ems * size
            if icon is not None:
                foot = y + self._style.sink * size
                top, side = foot - self._style.icon * size, BESIDE_ICON * size
                self._icons.append(IconBox(icon, Rect(x + side, top, x + width - side, foot)))
            elif font is not None:
                self._runs.append(WordRun(text, font, size, x, y, colour, width, level % 2 == 1))
            else:
                width += stretch
            x += width
        return x


def _size(copy: _Copy, box: Rect, style: Style) -> float:
    """The largest size that fits. Raises OverfullError."""
    least = min(style.least or style.size, style.size)
    steps = range(ceil((style.size - least) / _STEP - _SLACK) + 1)

    def size(step: int) -> float:
        return max(style.size - step * _STEP, least)

    def fits(step: int) -> bool:
        return not any(_over(copy, box, size(step)))

    step = bisect_left(steps, True, key=fits)
    if step == len(steps):
        raise _overfull(copy, box, least)
    return size(step)


def _over(copy: _Copy, box: Rect, size: float) -> Size:
    """The mm that text at a size needs beyond the box; its height only once its width fits."""
    wide = copy.widest[0] * size - box.width
    if wide > _SLACK:
        return Size(wide, 0.0)
    high = copy.height(box.width / size) * size - box.height
    return Size(0.0, high if high > _SLACK else 0.0)


def _overfull(copy: _Copy, box: Rect, size: float) -> OverfullError:
    over = _over(copy, box, size)
    even = f"at {size / MM_PER_PT:.1f} pt, its least size"
    hint = "give it more room, a smaller least size, or fewer words"
    what, how = (quote(copy.widest[1]), "wider") if over.width else ("the text", "higher")
    by = ceil(max(over) * 10) / 10
    return OverfullError(f"{what} is {by:.1f} mm {how} than its box {even}", hint, over)
