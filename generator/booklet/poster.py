"""Take a Poster and the faces of a game, make the picture of its cover and its title page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import ceil
from typing import NamedTuple

from generator.booklet.blocks import FigureLine, MarkdownFigure
from generator.booklet.figure import FaceIndex, PlacedFace, read_figure
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.errors import MisfitError
from generator.faces.canvas import Canvas
from generator.geometry import (
    IDENTITY,
    ORIGIN,
    Affine,
    Point,
    Rect,
    Size,
    scaling,
    steady,
    translation,
    turning,
)
from generator.model import Art, Component, Composition, Face, Game, PlacedLayer, Poster, Side
from generator.nets import Net
from generator.outlines import Outline, box_of, carried, common, holds, rectangle

_TURN = 10.0  # degrees between the cards of a fan
_PIVOT = 2.2  # heights of a card from its middle to the point that a fan turns about
_OVERLAP = {"fan": 0.5, "row": -0.08}  # of a piece, if the game does not say
_MOST = {"fan": 3, "row": 4, "wall": 12}
_ACROSS = {"rectangle": 4.3, "hexagon": 3.2, "circle": 4.1, "trihex": 2.9}  # pieces of a wall
_MOST_DOWN = 12  # pieces of a wall, one above another
_FRONT = 0.7  # of the picture's height or width, the most for the piece in front
_MOST_SEEN = 0.72  # of a piece, that is cut at the foot of the picture
_EDGE, _EDGE_COLOUR = 0.2, "#a39d92"
_APART = {"circle": 1.06, "polygon": 1.06}  # pitches of a wall


class _Layout(NamedTuple):
    """Pieces in mm of their own, the part of them to show, and whether it fills the picture."""

    placed: Sequence[PlacedFace]
    view: Rect
    fills: bool = False


def make_poster(game: Game, poster: Poster, index: FaceIndex, room: Size) -> Plate | None:
    """The picture, at most as large as `room` (mm); None if the game has no faces.

    Raises PnpError for each piece that the game does not have.
    """
    placed = list(_pieces(poster.pieces, poster, game, index))
    main = _main(game, index)
    if main is None:
        return None
    composition = poster.composition or ("large" if len(placed) == 1 else _usual(main))
    if not placed and not poster.rows:
        placed = _choose(main, index, composition)
    front = next(_pieces((poster.front,) if poster.front else (), poster, game, index), None)
    layers: list[PlacedLayer] = []
    height = room.height
    if placed or poster.rows:
        one = _lay(composition, placed, poster, room)
        base, height = _fit(one, room, to_foot=bool(front))
        layers = list(_draw(one.placed, base, room))
    if front:
        height = room.height
        layers += _draw([front], _in_front(front, poster, room), room)
    return Plate(tuple(layers), Size(room.width, height))


def _pieces(
    words: Sequence[str], poster: Poster, game: Game, index: FaceIndex
) -> Iterator[PlacedFace]:
    """The named pieces. In a draft some have no faces: these are left out."""
    kind = "table" if poster.composition == "table" and words is poster.pieces else "row"
    line = poster.place.line or 1
    lines = tuple(FigureLine(line, text) for text in words if not _lacks_face(text, game, index))
    if lines:
        source = MarkdownFigure(kind, "", lines, line)
        yield from read_figure(source, index, poster.place).placed


def _lacks_face(text: str, game: Game, index: FaceIndex) -> bool:
    """Whether the piece of a line is in the game, but has no face."""
    name, id_, *_ = (*text.split(), "", "")
    components = (one for one in game.components if one.id == name)
    is_known = any(piece.id == id_ for one in components for piece in one.pieces)
    if is_known:
        try:
            index.face(name, id_, "front")
        except MisfitError:
            return True
    return False


def different_faces(component: Component, index: FaceIndex, side: Side = "front") -> list[Face]:
    """The different faces of a component's pieces, nets folded, without those not drawn."""
    faces: dict[str, Face] = {}
    for piece in component.pieces:
        with suppress(MisfitError):
            if piece.copies:
                face = index.face(component.id, piece.id, side)
                faces.setdefault(face.id, face)
    return list(faces.values())


def _main(game: Game, index: FaceIndex) -> Component | None:
    """The first flat component with a face, or else the first with one."""
    shown = [one for one in game.components if index.first_of(one)]
    flat = (one for one in shown if not isinstance(one.shape, Net))
    return next(flat, next(iter(shown), None))


def _usual(component: Component) -> Composition:
    if component.shape.kind == "rectangle":
        return "fan"
    return "row" if isinstance(component.shape, Net) else "wall"


def _choose(component: Component, index: FaceIndex, composition: Composition) -> list[PlacedFace]:
    """Different faces of a component, from its first to its last; a fan begins with a back."""
    faces = different_faces(component, index)
    most = min(len(faces), _MOST.get(composition, 1))
    chosen = [faces[at * len(faces) // most] for at in range(most)]
    back = different_faces(component, index, "back")[:1]
    if composition == "fan" and back and most > 2:
        chosen = [*back, *chosen[1:]]
    return [PlacedFace(face, IDENTITY) for face in chosen]


def _lay(
    composition: Composition, placed: Sequence[PlacedFace], poster: Poster, room: Size
) -> _Layout:
    if composition == "table":
        return _Layout(placed, _around(placed), poster.fills)
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
    return _Layout(spread, _around(spread), poster.fills)


def _centre(one: PlacedFace) -> PlacedFace:
    """A piece with its turn, its middle at the origin."""
    middle = box_of(one.outline()).centre
    return one._replace(place=translation(-middle.x, -middle.y) @ one.place)


def _around(placed: Iterable[PlacedFace]) -> Rect:
    return box_of(point for one in placed for point in one.outline())


def _lay_large(one: PlacedFace, room: Size, *, fills: bool) -> _Layout:
    """One piece as wide as the picture, of which the top shows; whole if most of it would show."""
    box = _around([one])
    seen = min(box.height, box.width * room.height / room.width)
    fills = fills and seen < _MOST_SEEN * box.height
    return _Layout([one], box._replace(y1=box.y0 + seen) if fills else box, fills)


def _fan_out(placed: Sequence[PlacedFace], overlap: float) -> Iterator[PlacedFace]:
    """A hand of cards: each covers the one at its left."""
    for number, one in enumerate(placed):
        box, step = box_of(one.outline()), number - (len(placed) - 1) / 2
        turn = turning(_TURN * step, Point(0.0, _PIVOT * box.height))
        along = (1 - overlap) * box.width - _PIVOT * box.height * _TURN * 0.01745
        yield one._replace(place=translation(along * step, 0.0) @ turn @ one.place)


def _line_up(placed: Sequence[PlacedFace], overlap: float, rows: int) -> Iterator[PlacedFace]:
    """Pieces that stand on lines, about as many on each."""
    high = max(box_of(one.outline()).height for one in placed)
    for row in range(rows):
        x, y = 0.0, row * (1 - _OVERLAP["row"]) * high
        for one in placed[row * len(placed) // rows : (row + 1) * len(placed) // rows]:
            box = box_of(one.outline())
            yield one._replace(place=translation(x - box.x0, y - box.y1) @ one.place)
            x += (1 - overlap) * box.width


def _scale(box: Rect, room: Size) -> float:
    """The scale at which a box just fits a room."""
    return min(room.width / box.width, room.height / box.height)


def _lay_wall(placed: Sequence[PlacedFace], room: Size) -> _Layout:
    """Pieces edge to edge, again and again, and a view that they fill."""
    first = placed[0]
    box, kind = box_of(first.outline()), _kind(first.face)
    ratio = room.height / room.width
    across = min(_ACROSS.get(kind, 4.0), _MOST_DOWN * box.height / (box.width * ratio))
    view = Rect(0.0, 0.0, across * box.width, across * box.width * ratio)
    apart = _APART.get(kind, 1.0)
    pitch = Size(box.width * apart, box.height * apart)
    # every second column is lower: hexagons with an edge at the top, and trihexes
    down = kind == "trihex" or (kind == "hexagon" and box.width > box.height)
    along = kind == "circle" or (kind == "hexagon" and not down)
    if down:
        pitch = Size(0.75 * pitch.width, (6 / 7 if kind == "trihex" else 1.0) * pitch.height)
    elif along:
        pitch = Size(pitch.width, (0.75 if kind == "hexagon" else 0.866) * pitch.height)
    columns, rows = ceil(view.width / pitch.width) + 2, ceil(view.height / pitch.height) + 2
    seats = []
    for row, column in product(range(rows), range(columns)):
        x = pitch.width * (column - 0.35) + (pitch.width / 2 if along and row % 2 else 0.0)
        y = pitch.height * (row - 0.2) - (pitch.height / 2 if down and column % 2 else 0.0)
        one = placed[(column + row * (len(placed) // 2 + 1)) % len(placed)]
        seats.append(one._replace(place=translation(x, y) @ one.place))
    return _Layout(seats, view, fills=True)


def _kind(face: Face) -> str:
    """The kind of a piece's shape, by the corners of its outline."""
    corners = len(face.outline)
    kinds = {4: "rectangle", 6: "hexagon", 12: "trihex"}
    return kinds.get(corners, "circle" if corners > 50 else "polygon")


def _lay_rows(poster: Poster) -> _Layout:
    """Squares of art in rows, as the letters of each row name them."""
    faces = {letter: _square(art) for letter, art in poster.art.items()}
    placed = [
        PlacedFace(faces[letter], translation(column, row))
        for row, letters in enumerate(poster.rows)
        for column, letter in enumerate(letters)
        if letter in faces
    ]
    width = max(map(len, poster.rows))
    return _Layout(placed, Rect(0.0, 0.0, width, len(poster.rows)))


def _square(art: Art) -> Face:
    """A picture as a square face of 1 mm."""
    size = Size(1.0, 1.0)
    canvas = Canvas(size)
    canvas.image(art, Rect(0.0, 0.0, 1.0, 1.0))
    layer = PlacedLayer(canvas.layer(art.name), ORIGIN)
    return Face.of([layer], art.name, size, rectangle(size).outline)


def _fit(one: _Layout, room: Size, *, to_foot: bool) -> tuple[Affine, float]:
    """The map of the pieces to the picture, and its height. Without a piece in front,
    the picture is no higher than what it shows."""
    across, down = room.width / one.view.width, room.height / one.view.height
    scale = max(across, down) if one.fills else min(across, down)
    height = min(scale * one.view.height, room.height)
    low = room.height if to_foot else height
    x = (room.width - scale * one.view.width) / 2 - scale * one.view.x0
    over = scale * one.view.height - height  # both ends lose the same
    y = low - height - over / 2 - scale * one.view.y0
    return translation(x, y) @ scaling(scale), height


def _in_front(front: PlacedFace, poster: Poster, room: Size) -> Affine:
    """The map of the piece in front: within the picture, its middle as near as can be to the place
    that the game names."""
    box = box_of(front.outline())
    scale = min(_FRONT * room.height / box.height, _FRONT * room.width / box.width)
    half = Size(scale * box.width / 2, scale * box.height / 2)
    x = min(max(poster.front_at[0] * room.width, half.width), room.width - half.width)
    y = min(max(poster.front_at[1] * room.height, half.height), room.height - half.height)
    middle = box.centre
    return translation(x, y) @ scaling(scale) @ translation(-middle.x, -middle.y)


def _draw(placed: Sequence[PlacedFace], base: Affine, room: Size) -> Iterator[PlacedLayer]:
    """Pieces with their edges, cut at the edges of the picture."""
    window = Rect(0.0, 0.0, *room)
    for one in placed:
        place = base @ one.place
        outline = carried(one.face.cut, place)
        if window.overlaps(box_of(outline)):
            for layer in carry(cut_to_outline(one.face), place):
                yield from _cut_at(window, layer)
            canvas = Canvas(room)
            canvas.lines([(*outline, outline[0])], _EDGE_COLOUR, _EDGE)
            yield from _cut_at(window, PlacedLayer(canvas.layer("edge of a piece"), ORIGIN))


def _cut_at(window: Rect, placed: PlacedLayer) -> Iterator[PlacedLayer]:
    size = Rect(0.0, 0.0, *placed.layer.size)
    seen: Outline = placed.clip or carried(size.corners(), placed.place)
    if holds(window.corners(), box_of(seen)):
        yield placed
    else:
        for clip in common(window.corners(), seen):
            yield placed._replace(clip=clip)
