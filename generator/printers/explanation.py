"""Take a free rectangle of the sheet, make the words and the picture that replace a manual."""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Point, Rect
from generator.model import Flip
from generator.printers.columns import SIZES, TextColumn, fit
from generator.printers.example import READING, example
from generator.printers.shapes import SMALL, box, ruler
from generator.text import Lettering
from generator.text.lettering import PageDrawing
from generator.units import PT_PER_MM

_SIZES_IN_BAND = tuple(size for size in SIZES if size >= 8.5 / PT_PER_MM)

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


class Rooms(NamedTuple):
    """The rooms for words: a band across the sheet, and narrower rooms above and below it."""

    above: Rect
    band: Rect
    below: Rect


def explain(rooms: Rooms, flip: Flip, paper: str, lettering: Lettering) -> PageDrawing:
    """The explanation in the band, if it fits in large type, otherwise spread over three rooms.

    `paper` is the paper's name in the command that the person types.
    """

    def head(column: TextColumn) -> None:
        column.text(_TITLE, bold=True, scale=1.9)
        column.skip(0.25)
        column.text(_LEAD)

    def middle(column: TextColumn) -> None:
        _set_steps_beside_picture(column, flip)
        column.skip(0.9)
        column.text(f"pnp printer set NAME --paper {paper} --flip {flip}", bold=True)
        _draw_form(column)

    def notes(column: TextColumn) -> None:
        column.text(_THICK)
        column.skip(0.5)
        column.text(_AFTERWARDS)

    def everything(column: TextColumn) -> None:
        head(column)
        column.skip(0.8)
        middle(column)
        column.skip(0.9)
        notes(column)

    drawing = fit(rooms.band, everything, lettering, _SIZES_IN_BAND)
    if drawing is not None:
        return drawing
    spread = PageDrawing()
    for room, part in zip(rooms, (head, middle, notes), strict=True):
        drawing = fit(room, part, lettering)
        assert drawing is not None, "A5 has room for it"
        spread.add(drawing)
    return spread


def _set_steps_beside_picture(column: TextColumn, flip: Flip) -> None:
    right = Point(column.left + column.width, column.y + 0.3 * column.size)
    picture = example(right, column.size, column.lettering)
    width = picture.left - 2.5 * column.size - column.left
    steps = TextColumn(column.lettering, column.left, column.y, width, column.size)
    for number, step in enumerate(_STEPS, 1):
        steps.step(number, step.format(flip=flip, reading=READING))
        if number == 1:
            steps.y += 4.2
            steps.drawing.lines += ruler(Point(steps.left + steps.size * 1.3, steps.y))
        steps.skip(0.45)
    column.drawing.add(picture.drawing)
    column.drawing.add(steps.drawing)
    column.y = max(steps.y, picture.bottom)


def _draw_form(column: TextColumn) -> None:
    """A box for each reading."""
    column.skip(0.5)
    gap = 0.02 * column.width
    width, height = (column.width - 7 * gap) / 8, max(7.0, column.size * 2.4)
    for index in range(8):
        left = column.left + index * (width + gap)
        column.drawing.lines += box(Rect(left, column.y, left + width, column.y + height), 1.0)
        column.label(str(index + 1), SMALL, Point(left + 1.0, column.y + SMALL), bold=True)
    column.y += height
