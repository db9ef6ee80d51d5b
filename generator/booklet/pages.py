"""Take PageBlocks and the height of a page, make pages: what belongs together stays together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from generator.booklet.page_blocks import PageBlock
from generator.faces.canvas import Canvas
from generator.geometry import HAIR
from generator.model import Stamp

_LOWEST = 0.6  # of a figure's height that it may shrink to


class PlacedBlock(NamedTuple):
    """A block, and how far its top is from the top of the text."""

    y: float
    block: PageBlock


@dataclass
class BookletPage:
    """What stands on a page: its foot names the section at its head, else the first to begin."""

    section: str
    last_section: str
    placed: list[PlacedBlock] = field(default_factory=list)

    def place_of(self, block: PageBlock) -> float:
        """Where the next block has its top."""
        if not self.placed:
            return 0.0
        y, last = self.placed[-1]
        return y + last.height + last.below + block.above

    def put(self, block: PageBlock) -> None:
        """Add a block below the others."""
        if block.section:
            is_named = self.placed and self.section
            self.section = self.section if is_named else block.section
            self.last_section = block.section
        self.placed.append(PlacedBlock(self.place_of(block), block))

    def after(self) -> BookletPage:
        """An empty page behind this one."""
        return BookletPage(self.last_section, self.last_section)

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw all but the pictures of faces; the text has its top left at (left, top)."""
        for y, block in self.placed:
            for tint in block.tints:
                canvas.rect(tint.box.moved(left, top + y), tint.colour)
            for art, box in block.images:
                canvas.image(art, box.moved(left, top + y))
            canvas.flow(line.moved(left, top + y) for line in block.lines)

    def pictures(self, left: float, top: float) -> Iterator[Stamp]:
        """The pictures of faces."""
        for y, block in self.placed:
            for picture in block.pictures:
                yield from picture.plate.moved(left + picture.x, top + y + picture.y)


def paginate(blocks: Sequence[PageBlock], height: float) -> list[BookletPage]:
    """Every block on a page of so many mm. What is to be kept together is, unless it is higher
    than a page."""
    pages = [BookletPage("", "")]
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
    """The group with its figure made smaller, where that saves the rest of a page."""
    over = _height(group) - room
    for index, block in enumerate(group):
        if over > 0 and block.lower and block.height - over >= _LOWEST * block.height:
            lower = replace(block.lower(block.height - over), keeps=block.keeps, below=block.below)
            return [*group[:index], lower, *group[index + 1 :]]
    return group


def _groups(blocks: Sequence[PageBlock]) -> Iterator[list[PageBlock]]:
    """PageBlocks that are to stay on one page; the end of a page by itself."""
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
    """From the top of the first to the end of the last."""
    between = sum(one.below + other.above for one, other in pairwise(group))
    return sum(block.height for block in group) + between - HAIR
