"""What a page of labels and lines is made of as it comes to be."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.model import Label, MarkLine
from generator.units import PT_PER_MM

SMALL = 7 / PT_PER_MM  # mm, 7 pt: the smallest type on these sheets


@dataclass(slots=True)
class PageDrawing:
    """The labels and lines of a page as they come to be."""

    labels: list[Label] = field(default_factory=list)
    lines: list[MarkLine] = field(default_factory=list)

    def add(self, other: PageDrawing) -> None:
        self.labels += other.labels
        self.lines += other.lines
