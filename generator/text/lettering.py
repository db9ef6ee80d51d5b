"""Take fonts, make labels that stand where they should, and text broken into lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self

from generator.geometry import Point, Rect, translation
from generator.model import Label
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
