"""Take fonts, make labels that stand where they should, text in lines, and pages of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, Self

from generator.geometry import Point, Rect, Size, translation
from generator.model import Label, MarkLine, Page, Placement, Side
from generator.text.fonts import HOUSE_FAMILY, Font, FontBook

Align = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Lettering:
    """The two fonts that sheets are lettered in, and labels set in them. Sizes are mm."""

    regular: Font
    bold: Font

    @classmethod
    def of(cls, fonts: FontBook) -> Self:
        return cls(fonts.find(HOUSE_FAMILY), fonts.find(HOUSE_FAMILY, 700))

    def font(self, *, bold: bool) -> Font:
        return self.bold if bold else self.regular

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        return self.font(bold=bold).width(text, size)

    def at(self, text: str, size: float, middle: Point, *, bold: bool = False) -> Label:
        """Text whose ink is centred on a point."""
        ink = self.font(bold=bold).ink(text, size)
        x = middle.x - (ink.x0 + ink.x1) / 2
        return Label(text, size, translation(x, middle.y - (ink.y0 + ink.y1) / 2), bold)

    def ink(self, label: Label) -> Rect:
        """Where the ink of a label is on the page."""
        font = self.font(bold=label.bold)
        return label.affine.apply_rect(font.ink(label.text, label.size))

    def line(
        self,
        text: str,
        size: float,
        baseline: Point,
        align: Align = "left",
        *,
        bold: bool = False,
    ) -> Label:
        """Text on a baseline that begins, is centred, or ends at a point."""
        width = self.width(text, size, bold=bold)
        shift = {"left": 0.0, "centre": width / 2, "right": width}[align]
        return Label(text, size, translation(baseline.x - shift, baseline.y), bold)

    def break_text(self, text: str, size: float, width: float) -> Iterator[str]:
        """The text in lines no wider than `width`; a longer word stands alone."""
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and self.width(longer, size) > width:
                yield line
                longer = word
            line = longer
        yield line


@dataclass(slots=True)
class PageDrawing:
    """What stands on a page that is written by hand, not imposed."""

    labels: list[Label] = field(default_factory=list)
    lines: list[MarkLine] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)

    def add(self, other: PageDrawing) -> None:
        """Put all of another drawing on this page too."""
        self.labels += other.labels
        self.lines += other.lines
        self.placements += other.placements

    def page(self, side: Side, paper: Size) -> Page:
        """The page of a paper, none of which is cut off."""
        whole = Rect(0.0, 0.0, *paper)
        content = tuple(self.placements), tuple(self.lines), tuple(self.labels)
        return Page(side, *content, trim=whole, bleed=whole)
