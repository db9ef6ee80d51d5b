"""Take pieces, a composition and the size of a picture, lay the pieces out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import product
from math import ceil, radians, sqrt

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import ORIGIN, Point, Rect, Size, steady, translation, turning
from generator.basics.outlines import box_of, rectangle
from generator.booklet.figure import PlacedFace
from generator.booklet.plates import extent_of
from generator.faces.canvas import Canvas
from generator.model import Art, Composition, Face, PlacedLayer, Poster

_TURN = 10.0  # degrees between the cards of a fan
_PIVOT = 2.2  # heights of a card from its middle to the point that a fan turns about
_OVERLAP = {"fan": 0.5, "row": -0.08}  # of a piece, if the game does not say
_ACROSS = {"rectangle": 4.3, "hexagon": 3.2, "circle": 4.1, "trihex": 2.9}  # pieces of a wall
_MOST_DOWN = 12  # pieces of a wall, one above another
_MOST_SEEN = 0.72  # of a piece, that is cut at the foot of the picture
_APART = {"circle": 1.06, "polygon": 1.06}  # pitches of a wall


class Layout(Struct, frozen=True):
    """Pieces in mm of their own, the part of them to show, and whether it fills the picture."""

    placed: Sequence[PlacedFace]
    view: Rect
    fills: bool = False


def lay_out(
    composition: Composition, placed: Sequence[PlacedFace], poster: Poster, room: Size
) -> Layout:
    """Pieces in a composition, for a picture of some size (mm)."""
    if composition == "table":
        return Layout(placed, reduce(Rect.around, map(extent_of, placed)), poster.fills)
    if composition == "wall" and poster.rows:
        return _lay_rows(poster)
    centred = [_centre(one) for one in placed]
    if composition == "wall":
        return _lay_wall(centred, room)
    if composition == "large":
        return _lay_large(centred[0], room, fills=poster.fills)
    overlap = _OVERLAP[composition] if poster.overlap is None else poster.overlap
    if composition == "fan":
        spread = list(_fan_out(centred, overlap))
    else:
        spread = max(
            (list(_line_up(centred, overlap, rows)) for rows in range(1, len(centred) + 1)),
            key=lambda placed: steady(_scale(_around(placed), room)),
        )
    return Layout(spread, _around(spread), poster.fills)


def _centre(one: PlacedFace) -> PlacedFace:
    """A piece with its turn, its middle at the origin."""
    middle = box_of(one.outline()).centre
    return replace(one, place=translation(-middle.x, -middle.y) @ one.place)


def _around(placed: Iterable[PlacedFace]) -> Rect:
    return box_of(point for one in placed for point in one.outline())


def _lay_large(one: PlacedFace, room: Size, *, fills: bool) -> Layout:
    """One piece as wide as the picture, of which the top shows; whole if most of it would show."""
    box = _around([one])
    seen = min(box.height, box.width * room.height / room.width)
    fills = fills and seen < _MOST_SEEN * box.height
    return Layout([one], box._replace(y1=box.y0 + seen) if fills else box, fills)


def _fan_out(placed: Sequence[PlacedFace], overlap: float) -> Iterator[PlacedFace]:
    """A hand of cards: each covers the one at its left."""
    for number, one in enumerate(placed):
        box, step = box_of(one.outline()), number - (len(placed) - 1) / 2
        turn = turning(_TURN * step, Point(0.0, _PIVOT * box.height))
        along = (1 - overlap) * box.width - _PIVOT * box.height * radians(_TURN)
        yield replace(one, place=translation(along * step, 0.0) @ turn @ one.place)


def _line_up(placed: Sequence[PlacedFace], overlap: float, rows: int) -> Iterator[PlacedFace]:
    """Pieces that stand on lines, about as many on each."""
    high = max(box_of(one.outline()).height for one in placed)
    for row in range(rows):
        x, y = 0.0, row * (1 - _OVERLAP["row"]) * high
        for one in placed[row * len(placed) // rows : (row + 1) * len(placed) // rows]:
            box = box_of(one.outline())
            yield replace(one, place=translation(x - box.x0, y - box.y1) @ one.place)
            x += (1 - overlap) * box.width


def _scale(box: Rect, room: Size) -> float:
    """The scale at which a box just fits a room."""
    return min(room.width / box.width, room.height / box.height)


def _lay_wall(placed: Sequence[PlacedFace], room: Size) -> Layout:
    """Pieces edge to edge, again and again, and a view that they fill."""
    box, kind = box_of(placed[0].outline()), _kind(placed[0].face)
    ratio = room.height / room.width
    across = min(_ACROSS.get(kind, 4.0), _MOST_DOWN * box.height / (box.width * ratio))
    view = Rect(0.0, 0.0, across * box.width, across * box.width * ratio)
    pitch, shift = _pitch(kind, Size(box.width, box.height))
    columns, rows = ceil(view.width / pitch.width) + 2, ceil(view.height / pitch.height) + 2
    other = len(placed) // 2 + 1  # so that neighbours in a column differ
    seats = []
    for row, column in product(range(rows), range(columns)):
        x = pitch.width * (column - 0.35) + row % 2 * shift.x
        y = pitch.height * (row - 0.2) + column % 2 * shift.y
        one = placed[(column + row * other) % len(placed)]
        seats.append(replace(one, place=translation(x, y) @ one.place))
    return Layout(seats, view, fills=True)


def _pitch(kind: str, size: Size) -> tuple[Size, Point]:
    """The distances from one piece of a wall to the next, and how far every second column is lower
    and every second row further right."""
    width, height = size
    if kind == "trihex":
        return Size(0.75 * width, height * 6 / 7), Point(0.0, -height * 3 / 7)
    if kind == "hexagon" and width > height:  # an edge at the top
        return Size(0.75 * width, height), Point(0.0, -height / 2)
    if kind == "hexagon":
        return Size(width, 0.75 * height), Point(width / 2, 0.0)
    width, height = _APART.get(kind, 1.0) * width, _APART.get(kind, 1.0) * height
    if kind == "circle":
        return Size(width, height * sqrt(3) / 2), Point(width / 2, 0.0)
    return Size(width, height), Point(0.0, 0.0)


def _kind(face: Face) -> str:
    """The kind of a piece's shape, by the corners of its outline."""
    corners = len(face.outline)
    kinds = {4: "rectangle", 6: "hexagon", 12: "trihex"}
    return kinds.get(corners, "circle" if corners > 50 else "polygon")


def _lay_rows(poster: Poster) -> Layout:
    """Squares of art in rows, as the letters of each row name them."""
    faces = {letter: _square(art) for letter, art in poster.art.items()}
    placed = [
        PlacedFace(faces[letter], translation(column, row))
        for row, letters in enumerate(poster.rows)
        for column, letter in enumerate(letters)
        if letter in faces
    ]
    width = max(map(len, poster.rows))
    return Layout(placed, Rect(0.0, 0.0, width, len(poster.rows)))


def _square(art: Art) -> Face:
    """A picture as a square face of 1 mm."""
    size = Size(1.0, 1.0)
    canvas = Canvas(size)
    canvas.image(art, Rect(0.0, 0.0, 1.0, 1.0))
    layer = PlacedLayer(canvas.layer(art.name), ORIGIN)
    return Face.of([layer], art.name, size, rectangle(size).outline)
