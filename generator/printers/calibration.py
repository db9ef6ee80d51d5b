"""Take a paper, make the two-sided sheet from which a person reads a printer's misprint."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import fail
from generator.geometry import Affine, Point, Rect, Size
from generator.model import Flip, Label, MarkLine, Sheet
from generator.place import Place
from generator.printers.explanation import Rooms, explain
from generator.printers.gauge import BLOCK, CORNERS, INSET, REACH, Gauge, gauges
from generator.printers.pins import grid, grid_labels, pin, target
from generator.printers.profile import upright
from generator.printers.shapes import SMALL, arrow_up
from generator.text import FontBook, Lettering
from generator.text.lettering import PageDrawing
from generator.turn import paper_turn

_SMALLEST = Size(148.0, 210.0)  # mm, A5
_CAPTION = 39.5  # mm from the paper's side to the middle of a scale's number
_BESIDE = 44.0  # mm from the paper's side to the words between the scales of two corners
_BELOW_PINS = 38.0  # mm from the paper's upper or lower edge


def calibration_sheet(
    paper: Size, flip: Flip, fonts: FontBook, paper_name: str | None = None
) -> Sheet:
    """The sheet, of lines and labels only, in portrait.

    `paper_name` is the paper's name in the command printed on the sheet. Raises PnpError if the
    paper is smaller than A5.
    """
    paper = upright(paper)
    if paper.width < _SMALLEST.width - 0.5 or paper.height < _SMALLEST.height - 0.5:
        what = f"paper of {paper.width:g} x {paper.height:g} mm is too small for the scales"
        raise fail(Place("the calibration sheet"), what, "measure the printer on A5 or larger")
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
        lettering.line("FRONT", SMALL * 9 / 7, Point(x, y + 9.0), "centre", bold=True),
        lettering.line("this edge up", SMALL, Point(x, y + 12.2), "centre"),
    ]
    return PageDrawing(labels, list(arrow_up(Point(x, y), 5.0)))


def back_heading(paper: Size, lettering: Lettering) -> PageDrawing:
    """The name of the back, in a place that no flip puts behind the front's heading."""
    at = Point(paper.width / 2, paper.height - 27.0)
    return PageDrawing([lettering.line("BACK", SMALL * 9 / 7, at, "centre", bold=True)])


def _front(paper: Size, flip: Flip, paper_name: str, lettering: Lettering) -> PageDrawing:
    drawing = explain(_rooms(paper), flip, paper_name, lettering)
    drawing.add(front_heading(paper, lettering))
    for gauge in gauges(paper):
        drawing.lines += gauge.strokes()
        drawing.labels += [*gauge.labels(lettering), *_caption(gauge, paper, lettering)]
    for corner in CORNERS:
        centre = pin(paper, corner)
        drawing.lines += target(centre)
        drawing.labels.append(lettering.at("pin", SMALL, Point(centre.x, centre.y + 5.0)))
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
        beside = Point(behind.x, behind.y + inward * (REACH + 6.2))
        words = f"{2 * index + 1} sideways, {2 * index + 2} up/down"
        drawing.labels.append(lettering.at(words, SMALL, beside))
    return drawing


def _rooms(paper: Size) -> Rooms:
    """The rooms between the scales: the band across the middle, and one above and one below it."""
    width, height = paper
    low = height - BLOCK - 4.0
    return Rooms(
        above=Rect(_BESIDE, _BELOW_PINS, width - _BESIDE, BLOCK),
        band=Rect(INSET, BLOCK, width - INSET, low),
        below=Rect(_BESIDE, low, width - _BESIDE, height - _BELOW_PINS),
    )


def _caption(gauge: Gauge, paper: Size, lettering: Lettering) -> Iterator[Label]:
    """The number and the direction of a scale, on its inner side, past the back's line."""
    y = gauge.middle.y
    x = _CAPTION if "left" in gauge.corner else paper.width - _CAPTION
    yield lettering.at(str(gauge.number), SMALL * 18 / 7, Point(x, y - 1.6), bold=True)
    yield lettering.at(gauge.direction, SMALL, Point(x, y + 3.0))
