"""Take words and a box, set the words in a column, in the largest type that fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from generator.basics.geometry import Point, Rect
from generator.basics.units import PT_PER_MM
from generator.text import Lettering
from generator.text.lettering import PageDrawing

SIZES = tuple(points / PT_PER_MM for points in (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
_LEADING = 1.3  # of the type size


class TextColumn(Struct):
    """A column of text that grows downward from `y` (mm)."""

    lettering: Lettering
    left: float
    y: float
    width: float
    size: float
    drawing: PageDrawing = field(default_factory=PageDrawing)

    def text(
        self, text: str, *, bold: bool = False, scale: float = 1.0, indent: float = 0.0
    ) -> None:
        """Set a paragraph, its type `scale` times as large as the column's."""
        size = self.size * scale
        for line in self.lettering.break_text(text, size, self.width - indent):
            self.y += size * _LEADING
            self.label(line, size, Point(self.left + indent, self.y), bold=bold)

    def step(self, number: int, text: str) -> None:
        """Set a step with its number hanging before it."""
        at = Point(self.left, self.y + self.size * _LEADING)
        self.label(f"{number}", self.size, at, bold=True)
        self.text(text, indent=self.size * 1.3)

    def label(self, text: str, size: float, start: Point, *, bold: bool) -> None:
        """Write a line whose baseline starts at a point."""
        self.drawing.labels.append(self.lettering.line(text, size, start, bold=bold))

    def skip(self, lines: float) -> None:
        """Leave some lines free, each as high as the type size."""
        self.y += self.size * lines


def fit(
    room: Rect,
    fill: Callable[[TextColumn], None],
    lettering: Lettering,
    sizes: Sequence[float] = SIZES,
) -> PageDrawing | None:
    """Let `fill` set a column in the largest type that fits, in the middle of its room.

    None if no size fits.
    """
    for size in sizes:
        trial = TextColumn(lettering, room.x0, 0.0, room.width, size)
        fill(trial)
        if trial.y <= room.height:
            top = room.y0 + (room.height - trial.y) / 2
            column = TextColumn(lettering, room.x0, top, room.width, size)
            fill(column)
            return column.drawing
    return None
