"""Take a cutting machine and a paper, find the marks it looks for and the corners to keep bare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from generator.basics.geometry import Point, Rect, Size
from generator.model import MarkLine

Machine = Literal["silhouette", "cricut", "opos", "laser", "contour"]

USUAL_INSET, LONGEST = 10.0, 20.0  # mm; of Silhouette's marks
SQUARE = 5.0  # mm; the side of Silhouette's square, between the middles of its strokes
_CLEAR = 1.5  # mm of bare paper around marks of a layout of our own
# The largest print-then-cut picture of Cricut's Design Space. Source: piecepackr issue 343.
CRICUT_ROOM = Size(234.95, 171.45)  # 9.25 x 6.75 in
# Marks of Summa's OPOS: black squares. Source: card-creatr-studio issue 141.
OPOS_SIDE = 2.0  # mm
_OPOS_CLEAR = 4.0
_CROSS_ARM, _CROSS_WIDTH = 4.0, 0.2  # mm, for the camera of a laser


class Registration(Struct, frozen=True):
    """What a machine needs on the front of a sheet: marks that it finds, the `bare` corners that
    no other ink may enter, and words about both for the slug."""

    marks: tuple[MarkLine, ...] = ()
    bare: tuple[Rect, ...] = ()
    words: str = ""


UNMARKED = Registration()


class Cutter(Struct, frozen=True):
    """A cutting machine. `inset` (mm) goes from the paper's edges to the middle of the strokes of
    Silhouette's marks, to the squares of OPOS, to the middle of a laser's crosses.

    `length` and `stroke` (mm) are those of Silhouette's marks, which are four angles if `is_four`,
    else three and a square. `is_usual`: nothing was set, so that a documented layout may be used.
    Pieces lie at least `gap` mm apart.
    """

    machine: Machine
    inset: float = 0.0
    length: float = 0.0
    stroke: float = 0.0
    is_four: bool = False
    is_usual: bool = True
    gap: float = 0.0

    def register(self, paper: Size, clear: float = _CLEAR) -> Registration:
        """The marks on a paper, with `clear` mm of bare paper beside those of Silhouette."""
        match self.machine:
            case "silhouette":
                return self._register_silhouette(paper, clear)
            case "opos":
                side = self.inset + OPOS_SIDE
                corners = _corners(paper, self.inset + OPOS_SIDE / 2)
                marks = (_square(at, OPOS_SIDE) for at, _ in corners)
                words = f"squares of {OPOS_SIDE:g} mm, inset {self.inset:g} mm"
                return Registration(tuple(marks), _bare(paper, side + _OPOS_CLEAR), words)
            case "laser":
                corners = _corners(paper, self.inset)
                crosses = (line for at, _ in corners for line in _cross(at))
                bare = _bare(paper, self.inset + _CROSS_ARM + _CLEAR)
                return Registration(tuple(crosses), bare, f"crosses, inset {self.inset:g} mm")
            case _:
                return UNMARKED

    def _register_silhouette(self, paper: Size, clear: float) -> Registration:
        """Source of the shapes: SPECIFICATION.md and page_manager.py of silhouette-card-maker.

        Its square and its angles are strokes along lines `inset` mm from the edges.
        """
        bare = _bare(paper, self.reach(clear))
        count, marks = (4, []) if self.is_four else (3, [self._first_square()])
        for number, (at, inward) in enumerate(_corners(paper, self.inset)):
            if self.is_four or number in (1, 2):
                marks += _angle(at, inward, self.length, self.stroke)
        words = (
            f"{count} marks, inset {self.inset:.4g} mm, length {self.length:.4g} mm, "
            f"stroke {self.stroke:g} mm"
        )
        return Registration(tuple(marks), bare if self.is_four else bare[:3], words)

    def _first_square(self) -> MarkLine:
        middle = self.inset + SQUARE / 2
        return _square(Point(middle, middle), SQUARE + self.stroke)

    def reach(self, clear: float = _CLEAR) -> float:
        """The side (mm) of the corners that Silhouette's marks take."""
        return self.inset + max(self.length, SQUARE + self.stroke / 2) + clear

    def rooms(self, paper: Size, margin: float, overhang: float) -> list[Rect | None]:
        """Where trims may be, with `overhang` mm around them out of all bare corners: between the
        corners on the left and right, or between those above and below; None is as without a
        machine.

        A machine with marks cuts only between them.
        """
        if self.machine == "cricut":
            room = CRICUT_ROOM if paper.width > paper.height else CRICUT_ROOM.turned()
            return [_inner(paper, (paper.width - room.width) / 2, (paper.height - room.height) / 2)]
        bare = self.register(paper).bare
        if not bare:
            return [None]
        side, edge = bare[0].x1 + overhang, max(margin, self.inset)
        return [_inner(paper, side, edge), _inner(paper, edge, side)]


def _inner(paper: Size, x: float, y: float) -> Rect:
    """The paper without strips at its edges. Strips that meet leave nothing."""
    width, height = paper
    return Rect(x, y, max(x, width - x), max(y, height - y))


def _corners(paper: Size, inset: float) -> Iterator[tuple[Point, Point]]:
    """A point near each corner, from the top left on in reading order, and the direction inward."""
    for y, down in ((inset, 1.0), (paper.height - inset, -1.0)):
        for x, right in ((inset, 1.0), (paper.width - inset, -1.0)):
            yield Point(x, y), Point(right, down)


def _bare(paper: Size, side: float) -> tuple[Rect, ...]:
    """A square in each corner of the paper, from the top left on in reading order."""
    width, height = paper
    return tuple(
        Rect(x, y, x + side, y + side) for y in (0.0, height - side) for x in (0.0, width - side)
    )


def _square(middle: Point, side: float) -> MarkLine:
    """A black square: a line as wide as it is long."""
    half = side / 2
    start, end = Point(middle.x - half, middle.y), Point(middle.x + half, middle.y)
    return MarkLine(start, end, side, kind="cutter")


def _angle(at: Point, inward: Point, length: float, stroke: float) -> list[MarkLine]:
    """Two arms from a corner, `length` mm long from the middle of the other arm's stroke."""
    (x, y), (dx, dy), half = at, inward, stroke / 2
    across = Point(x - dx * half, y), Point(x + dx * length, y)
    down = Point(x, y - dy * half), Point(x, y + dy * length)
    return [MarkLine(*ends, stroke, kind="cutter") for ends in (across, down)]


def _cross(at: Point) -> list[MarkLine]:
    (x, y), arm = at, _CROSS_ARM
    across, down = (Point(x - arm, y), Point(x + arm, y)), (Point(x, y - arm), Point(x, y + arm))
    return [MarkLine(*ends, _CROSS_WIDTH, kind="cutter") for ends in (across, down)]
