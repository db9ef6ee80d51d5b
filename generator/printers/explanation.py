"""Take a free rectangle of the sheet, make the words and the picture that replace a manual."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from generator.geometry import Point, Rect
from generator.model import Flip
from generator.printers.drawn import SMALL, PageDrawing
from generator.printers.example import READING, example
from generator.printers.shapes import box, ruler
from generator.text import Lettering
from generator.units import PT_PER_MM

_SIZES = tuple(points / PT_PER_MM for points in (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
_SIZES_IN_BAND = tuple(size for size in _SIZES if size >= 8.5 / PT_PER_MM)
_LEADING = 1.3  # of the type size

_TITLE = "Printer calibration"
_LEAD = (
    "Where does your printer lay the back? Read it once, here; from then on "
    "every back lies behind its front."
)
_STEPS = (
    "Print this sheet at 100 % on both sides, flipped on the {flip} edge. "
    "The ruler here measures 50 mm, or the sheet was scaled.",
    "Hold it against a window or a lamp, this side towards you. Through each of the eight "
    "scales shines one line from the back.",
    "Find the little stroke that hides the line best. Name its column by the nearest letter "
    "(bold for a thick stroke, light for a thin one), its row by the figure at its end: in the "
    "picture {reading}.",
    "Two strokes equally good? Give both figures: L45 lies between L4 and L5, "
    "L95 between L9 and M0.",
    "Write the eight readings into the boxes, then type the line.",
)
_THICK = (
    "Paper too thick for light? Prick a pin through the middle of the four targets and "
    "turn the sheet over. Each hole lies on a ruler: the last letter it has passed, in the order "
    "of the alphabet, then tenths by eye. Sideways is the first reading of that corner, up and "
    "down the second. Add --pins to the line."
)
_AFTERWARDS = (
    "Afterwards, pnp printer proof NAME prints a sheet that shows whether it worked. Measure "
    "again for another tray or another paper, under another NAME. K0 everywhere is a perfect "
    "printer."
)


@dataclass(frozen=True, slots=True)
class Command:
    """What the sheet has to tell `pnp printer set` of itself."""

    paper: str
    flip: Flip

    def __str__(self) -> str:
        return f"pnp printer set NAME --paper {self.paper} --flip {self.flip}"


@dataclass(slots=True)
class TextColumn:
    """A column of text that grows downward from `y` (mm)."""

    lettering: Lettering
    left: float
    y: float
    width: float
    size: float
    drawn: PageDrawing = field(default_factory=PageDrawing)

    def text(
        self, text: str, *, bold: bool = False, scale: float = 1.0, indent: float = 0.0
    ) -> None:
        size = self.size * scale
        for line in self.lettering.break_text(text, size, self.width - indent):
            self.y += size * _LEADING
            self._line(line, size, indent, bold=bold)

    def add_step(self, number: int, text: str) -> None:
        """A step with its number hanging before it."""
        at = Point(self.left, self.y + self.size * _LEADING)
        self.drawn.labels.append(self.lettering.line(f"{number}", self.size, at, bold=True))
        self.text(text, indent=self.size * 1.3)

    def skip(self, lines: float) -> None:
        self.y += self.size * lines

    def _line(self, text: str, size: float, indent: float, *, bold: bool) -> None:
        at = Point(self.left + indent, self.y)
        self.drawn.labels.append(self.lettering.line(text, size, at, bold=bold))


@dataclass(frozen=True, slots=True)
class Rooms:
    """What is free for words: a band across the sheet, and narrower rooms above and below it."""

    above: Rect
    band: Rect
    below: Rect


def explain(rooms: Rooms, command: Command, lettering: Lettering) -> PageDrawing:
    """All of it in the band where it fits in type easily read, else spread over the three rooms."""

    def head(flow: TextColumn) -> None:
        flow.text(_TITLE, bold=True, scale=1.9)
        flow.skip(0.25)
        flow.text(_LEAD)

    def middle(flow: TextColumn) -> None:
        _set_steps_beside_picture(flow, command)
        flow.skip(0.9)
        _set_form(flow, command)

    def notes(flow: TextColumn) -> None:
        flow.text(_THICK)
        flow.skip(0.5)
        flow.text(_AFTERWARDS)

    def everything(flow: TextColumn) -> None:
        head(flow)
        flow.skip(0.8)
        middle(flow)
        flow.skip(0.9)
        notes(flow)

    drawn = fit_part(rooms.band, everything, lettering, _SIZES_IN_BAND)
    if drawn is not None:
        return drawn
    spread = PageDrawing()
    for room, part in ((rooms.above, head), (rooms.band, middle), (rooms.below, notes)):
        in_room = fit_part(room, part, lettering)
        assert in_room is not None, "A5 has room for it"
        spread.add(in_room)
    return spread


def fit_part(
    room: Rect,
    part: Callable[[TextColumn], None],
    lettering: Lettering,
    sizes: Sequence[float] = _SIZES,
) -> PageDrawing | None:
    """A part in the largest type that fits, in the middle of its room; None when none does."""
    for size in sizes:
        trial = TextColumn(lettering, room.x0, 0.0, room.width, size)
        part(trial)
        if trial.y <= room.height:
            flow = TextColumn(
                lettering, room.x0, room.y0 + (room.height - trial.y) / 2, room.width, size
            )
            part(flow)
            return flow.drawn
    return None


def _set_steps_beside_picture(flow: TextColumn, command: Command) -> None:
    right = Point(flow.left + flow.width, flow.y + 0.3 * flow.size)
    picture = example(right, flow.size, flow.lettering)
    width = picture.left - 2.5 * flow.size - flow.left
    steps = TextColumn(flow.lettering, flow.left, flow.y, width, flow.size)
    _set_steps(steps, command)
    flow.drawn.add(picture.drawn)
    flow.drawn.add(steps.drawn)
    flow.y = max(steps.y, picture.bottom)


def _set_steps(flow: TextColumn, command: Command) -> None:
    for number, step in enumerate(_STEPS, 1):
        flow.add_step(number, step.format(flip=command.flip, reading=READING))
        if number == 1:
            flow.y += 4.2
            flow.drawn.lines += ruler(Point(flow.left + flow.size * 1.3, flow.y))
        flow.skip(0.45)


def _set_form(flow: TextColumn, command: Command) -> None:
    """The command to type, with a box for each reading."""
    flow.text(str(command), bold=True)
    flow.y += flow.size * 0.5
    gap = 0.02 * flow.width
    width, height = (flow.width - 7 * gap) / 8, max(7.0, flow.size * 2.4)
    for index in range(8):
        left = flow.left + index * (width + gap)
        flow.drawn.lines += box(Rect(left, flow.y, left + width, flow.y + height), 1.0)
        at = Point(left + 1.0, flow.y + SMALL)
        flow.drawn.labels.append(flow.lettering.line(str(index + 1), SMALL, at, bold=True))
    flow.y += height
