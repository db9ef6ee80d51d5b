"""PageBlocks, and pages of these.

PageBlocks are placed one below another, with related blocks on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import MisfitError
from generator.basics.geometry import HAIR, Rect
from generator.booklet.plates import Plate
from generator.faces.canvas import Canvas
from generator.model import LackingWords, PlacedLayer
from generator.text.placing import TextLine

_LOWEST = 0.6  # of a figure's height that it may shrink to


class Tint(Struct, frozen=True):
    """An area of one colour."""

    box: Rect
    colour: str


class PlacedPlate(Struct, frozen=True):
    """A plate with its top left at a point."""

    plate: Plate
    x: float
    y: float


class PageBlock(Struct, frozen=True):
    """A block that no page break divides: a line, a row of a table, a figure.

    Places are in mm from the left of the column and the top of the block.

    `above` and `below` are free mm, left out at the ends of a page. `panel` is the left and the
    right of an aside's panel; it covers the free mm above the block too, except above the first.
    """

    height: float
    lines: tuple[TextLine, ...] = ()
    tints: tuple[Tint, ...] = ()
    pictures: tuple[PlacedPlate, ...] = ()
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False  # on one page with the next block
    panel: tuple[float, float] | None = None
    is_first: bool = False  # of its panel
    section: str = ""  # the title of a section that begins here
    is_break: bool = False
    role: str = "P"  # of its lines, when they are read out
    lower: Callable[[float], PageBlock] | None = None  # makes a lower version, of a height in mm


class PlacedBlock(NamedTuple):
    """A block, and the mm from the top of the text to its top."""

    y: float
    block: PageBlock


class BookletPage(Struct):
    """The blocks of a page. Its foot names the section of the first of them."""

    section: str
    last_section: str
    placed: list[PlacedBlock] = field(default_factory=list)

    def place_of(self, block: PageBlock) -> float:
        """The top of the next block."""
        if not self.placed:
            return 0.0
        y, last = self.placed[-1]
        return y + last.height + last.below + block.above

    def put(self, block: PageBlock) -> None:
        """Add a block below the others."""
        if block.section:
            self.section = self.section if self.placed else block.section
            self.last_section = block.section
        self.placed.append(PlacedBlock(self.place_of(block), block))

    def after(self) -> BookletPage:
        """A new page after this one."""
        return BookletPage(self.last_section, self.last_section)

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw everything except pictures of faces; the top left of the text is (left, top)."""
        for y, block in self.placed:
            for tint in block.tints:
                canvas.rect(tint.box.moved(left, top + y), tint.colour)
            canvas.flow(line.moved(left, top + y) for line in block.lines)

    def pictures(self, left: float, top: float) -> Iterator[PlacedLayer]:
        """The pictures of faces."""
        for y, block in self.placed:
            for picture in block.pictures:
                yield from picture.plate.moved(left + picture.x, top + y + picture.y)

    def lacking(self) -> Iterator[LackingWords]:
        """The words whose family lacks the style that they ask for."""
        for _, block in self.placed:
            for line in block.lines:
                yield from line.lacking
            for icon in (icon for line in block.lines for icon in line.icons):
                yield from icon.art.lacking
            for picture in block.pictures:
                for placed in picture.plate.layers:
                    yield from placed.layer.lacking


def paginate(blocks: Sequence[PageBlock], height: float, title: str = "") -> list[BookletPage]:
    """Put the blocks on pages `height` mm high. The title is at the foot before the first section.

    Blocks that belong together stay together, unless they are higher than a page.
    """
    pages = [BookletPage(title, title)]
    for group in _groups(blocks):
        page = pages[-1]
        group = _fit(group, height - page.place_of(group[0]))
        if page.placed and (group[0].is_break or page.place_of(group[0]) + _height(group) > height):
            pages.append(page.after())
        for block in group if not group[0].is_break else ():
            page = pages[-1]
            if page.placed and page.place_of(block) + block.height > height + HAIR:
                pages.append(page.after())
            pages[-1].put(block)
    return pages if pages[-1].placed else pages[:-1]


def _fit(group: list[PageBlock], room: float) -> list[PageBlock]:
    """Make the figure of a group smaller, if the group then fits on the page."""
    over = _height(group) - room
    for index, block in enumerate(group):
        if over > 0 and block.lower and block.height - over >= _LOWEST * block.height:
            with suppress(MisfitError):  # its letters, which have one size, need more room
                lower = block.lower(block.height - over)
                lower = replace(lower, keeps=block.keeps, below=block.below)
                return [*group[:index], lower, *group[index + 1 :]]
    return group


def _groups(blocks: Sequence[PageBlock]) -> Iterator[list[PageBlock]]:
    """Groups of PageBlocks that stay on one page; a page break is a group by itself."""
    group: list[PageBlock] = []
    for block in blocks:
        if block.is_break and group:
            yield group
            group = []
        group.append(block)
        if not block.keeps:
            yield group
            group = []
    if group:
        yield group


def _height(group: Sequence[PageBlock]) -> float:
    """The height from the top of the first block to the end of the last."""
    between = sum(one.below + other.above for one, other in pairwise(group))
    return sum(block.height for block in group) + between - HAIR
