"""Take Slabs and the height of a page, make pages: what belongs together stays together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from generator.booklet.slabs import Slab
from generator.geometry import HAIR

_LOWEST = 0.6  # of a figure's height that it may shrink to


class Placed(NamedTuple):
    """A slab, and how far its top is from the top of the text."""

    y: float
    slab: Slab


@dataclass
class BookletPage:
    """What stands on a page: its foot names the section at its head, else the first to begin."""

    section: str
    last_section: str
    placed: list[Placed] = field(default_factory=list)

    def place_of(self, slab: Slab) -> float:
        """Where the next slab has its top."""
        if not self.placed:
            return 0.0
        y, last = self.placed[-1]
        return y + last.height + last.below + slab.above

    def put(self, slab: Slab) -> None:
        if slab.section:
            is_told = self.placed and self.section
            self.section = self.section if is_told else slab.section
            self.last_section = slab.section
        self.placed.append(Placed(self.place_of(slab), slab))

    def after(self) -> BookletPage:
        """An empty page behind this one."""
        return BookletPage(self.last_section, self.last_section)


def paginate(slabs: Sequence[Slab], height: float) -> list[BookletPage]:
    """Every slab on a page of so many mm. What is to be kept together is, unless it is higher
    than a page."""
    pages = [BookletPage("", "")]
    for group in _groups(slabs):
        page = pages[-1]
        group = _fit(group, height - page.place_of(group[0]))
        if page.placed and (group[0].is_break or page.place_of(group[0]) + _height(group) > height):
            pages.append(page.after())
        for slab in group if not group[0].is_break else ():
            page = pages[-1]
            if page.placed and page.place_of(slab) + slab.height > height + HAIR:
                pages.append(page.after())
            pages[-1].put(slab)
    return pages if pages[-1].placed else pages[:-1]


def _fit(group: list[Slab], room: float) -> list[Slab]:
    """The group with its figure made smaller, where that saves the rest of a page."""
    over = _height(group) - room
    for index, slab in enumerate(group):
        if over > 0 and slab.lower and slab.height - over >= _LOWEST * slab.height:
            lower = replace(slab.lower(slab.height - over), keeps=slab.keeps, below=slab.below)
            return [*group[:index], lower, *group[index + 1 :]]
    return group


def _groups(slabs: Sequence[Slab]) -> Iterator[list[Slab]]:
    """Slabs that are to stay on one page; the end of a page by itself."""
    group: list[Slab] = []
    for slab in slabs:
        if slab.is_break and group:
            yield group
            group = []
        group.append(slab)
        if not slab.keeps:
            yield group
            group = []
    if group:
        yield group


def _height(group: Sequence[Slab]) -> float:
    """From the top of the first to the end of the last."""
    between = sum(one.below + other.above for one, other in pairwise(group))
    return sum(slab.height for slab in group) + between - HAIR
