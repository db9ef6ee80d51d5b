"""Take a free rectangle of the sheet, make the words and the picture that replace a manual."""

from __future__ import annotations

from generator.basics.geometry import Point, Rect
from generator.layout.printers.columns import TextColumn, fit
from generator.layout.printers.example import READING, example
from generator.layout.printers.gauge import name
from generator.layout.printers.shapes import SMALL, box, ruler
from generator.model import Flip
from generator.text import Lettering
from generator.text.lettering import PageDrawing

_TITLE = "Printer calibration"
_LEAD = (
    "This sheet measures where your printer puts the back. pnp then corrects every back. "
    "A perfect printer reads {perfect} on all eight scales; most printers read between C50 "
    "and F50. The letters run from A to H."
)
_STEPS = (
    "Print this sheet at 100 % on both sides, flipped on the {flip} edge. "
    "The ruler here measures 50 mm, or the sheet was scaled.",
    "Hold it against a window or a lamp, this side towards you. Through each of the eight "
    "scales shines one line from the back.",
    "Find the little stroke that hides the line best. If several hide it equally well, take the "
    "middle one.",
    "Read the letter of its column: at one end for thick strokes, at the other for thin ones. "
    "Then read the number of its row: follow the row to the tick at its end, and count from the "
    "nearest number. In the picture it is {reading}.",
    "Write the eight readings into the boxes, then type the line. One step too many or too few "
    "does no harm.",
)
_THICK = (
    "Paper too thick for light? Prick a pin through the middle of the four targets and "
    "turn the sheet over. Each hole lies on a ruler in millimetres. Read both of its numbers, "
    "tenths by eye, as in 8.3; 8 is perfect. Sideways is the first reading of that corner, up and "
    "down the second. Add --pins to the line."
)
_AFTERWARDS = (
    "Afterwards, pnp printer proof NAME prints a sheet that shows whether it worked. Measure "
    "again for another tray or another paper, under another NAME."
)


def explain(room: Rect, flip: Flip, paper: str, lettering: Lettering) -> PageDrawing:
    """The explanation in its room, in the largest type that fits.

    `paper` is the paper's name in the command that the person types.
    """

    def fill(column: TextColumn) -> None:
        column.text(_TITLE, bold=True, scale=1.9)
        column.skip(0.25)
        column.text(_LEAD.format(perfect=name(0.0)))
        column.skip(0.8)
        _set_steps_beside_picture(column, flip)
        column.skip(0.9)
        column.text(f"pnp printer set NAME --paper {paper} --flip {flip}", bold=True)
        _draw_form(column)
        column.skip(0.9)
        column.text(_THICK)
        column.skip(0.5)
        column.text(_AFTERWARDS)

    drawing = fit(room, fill, lettering)
    assert drawing is not None, "the smallest paper has room for it"
    return drawing


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
