"""Take a Poster and the faces of a game, make the picture of its cover and its title page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

from generator.basics.errors import MisfitError
from generator.basics.geometry import IDENTITY, ORIGIN, Affine, Rect, Size, scaling, translation
from generator.basics.outlines import Outline, box_of, carried, common, holds
from generator.booklet.blocks import FigureLine, MarkdownFigure
from generator.booklet.compositions import Layout, lay_out
from generator.booklet.figure import FaceIndex, PlacedFace
from generator.booklet.figure_reading import read_figure
from generator.booklet.plates import Plate, carry, cut_to_outline, draw_sides, edge_of
from generator.faces.canvas import Canvas
from generator.layout.nets import Net
from generator.model import Component, Composition, Face, Game, PlacedLayer, Poster, Side

_MOST = {"fan": 3, "row": 4, "wall": 12}
_FRONT = 0.7  # of the picture's height or width, the most for the piece in front


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
        one = lay_out(composition, placed, poster, room)
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


def _fit(one: Layout, room: Size, *, to_foot: bool) -> tuple[Affine, float]:
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
    """Pieces with their sides and edges, cut at the edges of the picture."""
    window = Rect(0.0, 0.0, *room)
    for level, group in groupby(placed, key=lambda one: one.level):
        pieces = list(group)
        if level:
            yield from _cut_at(window, PlacedLayer(draw_sides(pieces, base, room), ORIGIN))
        for one in pieces:
            yield from _draw_piece(one, base, window)


def _draw_piece(one: PlacedFace, base: Affine, window: Rect) -> Iterator[PlacedLayer]:
    place = base @ one.place
    outline = carried(one.face.cut, place)
    if window.overlaps(box_of(outline)):
        for layer in carry(cut_to_outline(one.face), place):
            yield from _cut_at(window, layer)
        canvas = Canvas(Size(window.width, window.height))
        canvas.lines([(*outline, outline[0])], *edge_of(one))
        yield from _cut_at(window, PlacedLayer(canvas.layer("edge of a piece"), ORIGIN))


def _cut_at(window: Rect, placed: PlacedLayer) -> Iterator[PlacedLayer]:
    size = Rect(0.0, 0.0, *placed.layer.size)
    seen: Outline = placed.clip or carried(size.corners(), placed.place)
    if holds(window.corners(), box_of(seen)):
        yield placed
    else:
        for clip in common(window.corners(), seen):
            yield placed._replace(clip=clip)
