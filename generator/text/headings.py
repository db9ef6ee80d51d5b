"""Take a line that the font of the sheets cannot set, make its outline in the fonts of the game,
shaped and in the direction of its script."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from generator.basics.geometry import Rect
from generator.text.flow import Compositor, WordRun
from generator.text.fontbook import HOUSE_FAMILY, FontBook
from generator.text.glyphs import Segment, glyphs, outline
from generator.text.markup import Span, TextBlock, WordLook
from generator.text.style import Style

_ROOM = Rect(0.0, 0.0, 10_000.0, 100.0)  # ems: wide enough for any title


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
