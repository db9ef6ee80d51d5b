"""Take a paper, make the two-sided sheet from which a person reads a printer's misprint."""

from __future__ import annotations

from collections.abc import Iterator

from generator.basics.errors import fail
from generator.basics.geometry import Affine, Point, Rect, Size
from generator.basics.place import Place
from generator.layout.printers.explanation import explain
from generator.layout.printers.gauge import BLOCK, CORNERS, INSET, WIDTH, Gauge, gauges
from generator.layout.printers.pins import grid, grid_labels, pin, target
from generator.layout.printers.profile import upright
from generator.layout.printers.shapes import READABLE, arrow_up
from generator.layout.turn import paper_turn
from generator.model import Flip, Label, MarkLine, Sheet
from generator.text import FontBook, Lettering
from generator.text.lettering import PageDrawing

_SMALLEST = Size(200.0, 250.0)  # mm
_CAPTIONS = {"across": 47.5, "down": 62.0}  # mm from the paper's side
_CAPTION = WIDTH + INSET + 8.0  # mm from the paper's end
_BAND = INSET + BLOCK.height + 7.0  # mm from the paper's end to the words


def calibration_sheet(
    paper: Size, flip: Flip, fonts: FontBook, paper_name: str | None = None
) -> Sheet:
    """The sheet, of lines and labels only, in portrait.

    `paper_name` is the paper's name in the command printed on the sheet. Raises PnpError if the
    paper is smaller than 200 x 250 mm.
    """
    paper = upright(paper)
    if paper.width < _SMALLEST.width - 0.5 or paper.height < _SMALLEST.height - 0.5:
        what = f"paper of {paper.width:g} x {paper.height:g} mm is too small for the scales"
        raise fail(
            Place("the calibration sheet"),
            what,
            "measure on letter or a4: smaller paper takes the same correction",
        )
    lettering = Lettering.of(fonts)
    name = paper_name or f"{paper.width:g}x{paper.height:g}mm"
    front = _front(paper, flip, name, lettering)
    back = _back(paper, paper_turn(paper, flip), lettering)
    pages = (front.page("front", paper), back.page("back", paper))
    return Sheet("calibration", "Printer calibration", 1, 1, paper, flip, pages)


def front_heading(paper: Size, lettering: Lettering) -> PageDrawing:
    """The name of the front and an arrow to the upper edge, in the middle of that edge."""
    x, y = paper.width / 2, 10.0
    labels = [
        lettering.line("FRONT", 1.3 * READABLE, Point(x, y + 9.0), "centre", bold=True),
        lettering.line("this edge up", READABLE, Point(x, y + 12.2), "centre"),
    ]
    return PageDrawing(labels, list(arrow_up(Point(x, y), 5.0)))


def back_heading(paper: Size, lettering: Lettering) -> PageDrawing:
    """The name of the back, in a place that no flip puts behind the front's heading."""
    at = Point(paper.width / 2, paper.height - 27.0)
    return PageDrawing([lettering.line("BACK", 1.3 * READABLE, at, "centre", bold=True)])


def _front(paper: Size, flip: Flip, paper_name: str, lettering: Lettering) -> PageDrawing:
    drawing = explain(_band(paper), flip, paper_name, lettering)
    drawing.add(front_heading(paper, lettering))
    for gauge in gauges(paper):
        drawing.lines += [*gauge.strokes(), *gauge.ticks()]
        drawing.labels += [*gauge.labels(lettering), *_caption(gauge, paper, lettering)]
    for corner in CORNERS:
        centre = pin(paper, corner)
        drawing.lines += target(centre)
        drawing.labels.append(lettering.at("pin", READABLE, Point(centre.x - 6.5, centre.y)))
    return drawing


def _back(paper: Size, turn: Affine, lettering: Lettering) -> PageDrawing:
    drawing = back_heading(paper, lettering)
    for gauge in gauges(paper):
        line = gauge.index()
        drawing.lines.append(MarkLine(turn.apply(line.start), turn.apply(line.end), line.width))
    for index, corner in enumerate(CORNERS):
        centre = pin(paper, corner)
        drawing.lines += grid(centre, turn)
        drawing.labels += grid_labels(centre, turn, lettering)
        behind = turn.apply(centre)
        inward = 1 if behind.y < paper.height / 2 else -1
        words = (f"{2 * index + 1} sideways, {2 * index + 2} up/down", "for the pin only")
        for text, far in zip(words, (14.5, 18.5), strict=True):
            beside = Point(behind.x, behind.y + inward * far)
            drawing.labels.append(lettering.at(text, READABLE, beside))
    return drawing


def _band(paper: Size) -> Rect:
    """The room for words, between the upper scales and the lower ones."""
    return Rect(INSET + 4.0, _BAND, paper.width - INSET - 4.0, paper.height - _BAND)


def _caption(gauge: Gauge, paper: Size, lettering: Lettering) -> Iterator[Label]:
    """The number and the direction of a scale, beyond the scale down."""
    from_side = _CAPTIONS[gauge.direction]
    x = from_side if "left" in gauge.corner else paper.width - from_side
    y = _CAPTION if "top" in gauge.corner else paper.height - _CAPTION
    yield lettering.at(str(gauge.number), 2.2 * READABLE, Point(x, y - 2.2), bold=True)
    yield lettering.at(gauge.direction, READABLE, Point(x, y + 3.4))
