"""Take a finished PDF, measure where its pieces lie on the paper that a hand turns.

Nothing here asks the generator where it meant to put a piece: placements are read back out of the
file, and the paper is a rigid sheet in space, turned by a rotation matrix of its own.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple

import pikepdf
from msgspec import Struct

MM_PER_PT = 25.4 / 72

Vector = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float]
_UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Spot(NamedTuple):
    """A point of a page: mm from its left and from its top."""

    x: float
    y: float


class Corners(NamedTuple):
    """The corners of a piece, named as one who reads the face upright would name them."""

    top_left: Spot
    top_right: Spot
    bottom_right: Spot
    bottom_left: Spot

    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom on the page."""
        xs, ys = zip(*self, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def centre(self) -> Spot:
        return Spot(sum(p.x for p in self) / 4, sum(p.y for p in self) / 4)


class Placed(Struct, frozen=True):
    """A face that a page of the PDF draws: the name of its form, its trim on the page."""

    face: str
    trim: Corners


class Meeting(NamedTuple):
    """A front and the back that lies behind it, as far apart as their worst corners (mm)."""

    front: str
    back: str
    drift: float


def placements(pdf: bytes, bleed: float) -> list[list[Placed]]:
    """The faces that each page draws, in the order of drawing."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return [list(_placed(page, bleed)) for page in document.pages]


def pages_on(side: Sequence[Placed]) -> list[Placed]:
    """The pages to read on a side of a sheet: the parts of each, of one role, lie one above another."""
    return list({placed.trim.box(): placed for placed in side}.values())


def paper_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """The width and height (mm) of each page."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        boxes = [[float(value) for value in page.mediabox] for page in document.pages]
        return [((x1 - x0) * MM_PER_PT, (y1 - y0) * MM_PER_PT) for x0, y0, x1, y1 in boxes]


def edit_pages(pdf: bytes, edit: Callable[[int, list[Matrix]], list[Matrix]]) -> bytes:
    """The PDF with the matrices that place the faces of each page changed by `edit`."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for number, page in enumerate(document.pages):
            steps = list(pikepdf.parse_content_stream(page))
            spots = [
                index
                for index, (step, after) in enumerate(pairwise(steps))
                if str(step.operator) == "cm" and str(after.operator) == "Do"
            ]
            matrices = [_matrix(steps[index].operands) for index in spots]
            for index, matrix in zip(spots, edit(number, matrices), strict=True):
                steps[index] = pikepdf.ContentStreamInstruction(
                    [round(value, 6) for value in matrix], pikepdf.Operator("cm")
                )
            page.Contents = document.make_stream(pikepdf.unparse_content_stream(steps))
        buffer = io.BytesIO()
        document.save(buffer)
        return buffer.getvalue()


def meetings(pdf: bytes, bleed: float, flip: str) -> list[Meeting]:
    """Each front with the back nearest behind it, on all sheets of a duplex file.

    A finished piece is turned over like the page of a book, so the top left corner of its front
    is to meet the top right corner of its back; and so on. A back that is mirrored or upside down
    has its corners elsewhere, and so drifts by the width or height of the piece.
    """
    pages = placements(pdf, bleed)
    sizes = paper_sizes(pdf)
    assert len(pages) % 2 == 0, "a duplex file has a back for every front"
    found: list[Meeting] = []
    for number in range(0, len(pages), 2):
        assert sizes[number] == sizes[number + 1], "front and back are one sheet"
        found += sheet_meetings(pages[number], pages[number + 1], sizes[number], flip)
    return found


def worst(found: Sequence[Meeting]) -> float:
    """The largest drift (mm)."""
    return max(meeting.drift for meeting in found)


def sheet_meetings(
    fronts: Sequence[Placed], backs: Sequence[Placed], paper: tuple[float, float], flip: str
) -> Iterator[Meeting]:
    """Each front of a sheet of paper (width, height in mm) with the back nearest behind it."""
    assert len(fronts) == len(backs), "a back for each front"
    turn = hand_turn(paper, flip)
    behind = [(back.face, [_behind(spot, paper, turn) for spot in back.trim]) for back in backs]
    for front in fronts:
        top_left, top_right, bottom_right, bottom_left = front.trim
        seen_from_behind = [_on_sheet(spot, paper) for spot in (top_right, top_left, bottom_left, bottom_right)]
        centre = _centre(seen_from_behind)
        face, corners = min(behind, key=lambda back: _distance(_centre(back[1]), centre))
        drift = max(map(_distance, seen_from_behind, corners))
        yield Meeting(front.face, face, drift)


def as_seen(placed: Placed, paper: tuple[float, float], side: str, flip: str) -> tuple[tuple[float, float], ...]:
    """The corners of a piece on a sheet (mm from its middle), looked at from the side it is on.

    The sheet lies as its front is read; for the back it is turned over like the page of a book.
    """
    if side == "front":
        return tuple((x, y) for x, y, _ in (_on_sheet(spot, paper) for spot in placed.trim))
    turn = hand_turn(paper, flip)
    return tuple((-x, y) for x, y, _ in (_behind(spot, paper, turn) for spot in placed.trim))


def hand_turn(paper: tuple[float, float], flip: str) -> tuple[Vector, Vector, Vector]:
    """The rotation by half a turn about the line through the sheet's middle that runs along its
    long or its short edge (Rodrigues' formula)."""
    width, height = paper
    long_edge: Vector = (0.0, 1.0, 0.0) if height > width else (1.0, 0.0, 0.0)
    short_edge: Vector = (1.0, 0.0, 0.0) if height > width else (0.0, 1.0, 0.0)
    x, y, z = long_edge if flip == "long" else short_edge
    c, s = cos(pi), sin(pi)
    return (
        (c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s),
        (y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s),
        (z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)),
    )


def _on_sheet(spot: Spot, paper: tuple[float, float]) -> Vector:
    """Where a point of the front is on the sheet: from its middle, front side towards us."""
    return (spot.x - paper[0] / 2, spot.y - paper[1] / 2, 0.0)


def _behind(spot: Spot, paper: tuple[float, float], turn: tuple[Vector, Vector, Vector]) -> Vector:
    """Where a point of the back page is on the same sheet.

    The printer lays the back page on the turned sheet so that it reads upright there: the point
    is printed where it lies, then the hand turns the sheet back (the transpose of the turn).
    """
    lying = _on_sheet(spot, paper)
    columns = zip(*turn, strict=True)
    x, y, z = (sum(a * b for a, b in zip(column, lying, strict=True)) for column in columns)
    return (x, y, z)


def _centre(corners: Sequence[Vector]) -> Vector:
    x, y, z = (sum(values) / len(corners) for values in zip(*corners, strict=True))
    return (x, y, z)


def _distance(a: Vector, b: Vector) -> float:
    return hypot(*(p - q for p, q in zip(a, b, strict=True)))


def _placed(page: pikepdf.Page, bleed: float) -> Iterator[Placed]:
    left, _, _, top = (float(value) for value in page.mediabox)
    matrix, stack = _UNIT, []
    for step in pikepdf.parse_content_stream(page):
        match str(step.operator):
            case "q":
                stack.append(matrix)
            case "Q":
                matrix = stack.pop()
            case "cm":
                matrix = _times(_matrix(step.operands), matrix)
            case "Do" if "face-" in str(step.operands[0]):
                form = page.obj.Resources.XObject[str(step.operands[0])]
                inner = _matrix(form.get("/Matrix", _UNIT))
                corners = _trim(form, bleed, _times(inner, matrix), (left, top))
                yield Placed(str(step.operands[0]).rpartition("-")[2], corners)


def _trim(form: pikepdf.Object, bleed: float, matrix: Matrix, origin: Sequence[float]) -> Corners:
    """The form's box less the bleed on each side, as corners on the page in mm."""
    a, b, c, d, e, f = matrix
    inset = bleed / MM_PER_PT
    x0, y0, x1, y1 = (float(value) for value in form.BBox)
    x0, y0, x1, y1 = x0 + inset, y0 + inset, x1 - inset, y1 - inset
    corners = ((a * x + c * y + e, b * x + d * y + f) for x, y in ((x0, y1), (x1, y1), (x1, y0), (x0, y0)))
    return Corners(*(Spot((x - origin[0]) * MM_PER_PT, (origin[1] - y) * MM_PER_PT) for x, y in corners))


def _matrix(operands: object) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in operands)  # type: ignore[attr-defined]
    return (a, b, c, d, e, f)


def _times(first: Matrix, then: Matrix) -> Matrix:
    """The map that does `first`, then `then`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)
