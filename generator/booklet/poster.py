"""The picture of a Poster, for the cover of a game and the title page of its booklet.

A composition lays out the pieces in the size of the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import groupby, product
from math import ceil, radians, sqrt

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError
from generator.basics.geometry import IDENTITY, ORIGIN, Affine, Point, Rect, Size, scaling, steady, translation, turning
from generator.basics.shapes import Outline, box_of, carried, common, holds, rectangle
from generator.booklet.figure import FaceIndex, PlacedFace, read_figure
from generator.booklet.paging import PageDesign, PageFrame
from generator.booklet.plates import Plate, carry, cut_to_outline, draw_sides, edge_of, extent_of
from generator.booklet.reading import FigureLine, MarkdownFigure
from generator.faces.canvas import Canvas
from generator.layout.folds import standing_net
from generator.model import Art, Booklet, Component, Composition, Face, Game, PlacedLayer, Poster, Side
from generator.text.flow import Compositor, Flow
from generator.text.markup import copy_of
from generator.text.placing import TextLine
from generator.text.shape import Style

_MOST = {"fan": 3, "row": 4, "wall": 12}
_FRONT = 0.7  # of the picture's height or width, the most for the piece in front
_TURN = 10.0  # degrees between the cards of a fan
_PIVOT = 2.2  # heights of a card from its middle to the point that a fan turns about
_OVERLAP = {"fan": 0.5, "row": -0.08}  # of a piece, if the game does not say
_KINDS = {4: "rectangle", 6: "hexagon", 12: "trihex"}  # of pieces, by their corners
_ACROSS = {"rectangle": 4.3, "hexagon": 3.2, "circle": 4.1, "trihex": 2.9}  # pieces of a wall
_MOST_DOWN = 12  # pieces of a wall, one above another
_MOST_SEEN = 0.72  # of a piece, that is cut at the foot of the picture
_APART = {"circle": 1.06, "polygon": 1.06}  # pitches of a wall
_TITLE, _ABOUT = 0.3, 0.14  # the most of the page's height for the title, the line about the game
_GAP = 5.0  # mm between the parts of the page


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
        piece = lay_out(composition, placed, poster, room)
        base, height = _fit(piece, room, to_foot=bool(front))
        layers = list(_draw(piece.placed, base, room))
    if front:
        height = room.height
        layers += _draw([front], _in_front(front, poster, room), room)
    return Plate(tuple(layers), Size(room.width, height))


def _pieces(words: Sequence[str], poster: Poster, game: Game, index: FaceIndex) -> Iterator[PlacedFace]:
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
    components = (component for component in game.components if component.id == name)
    is_known = any(piece.id == id_ for component in components for piece in component.pieces)
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
    shown = [component for component in game.components if index.first_of(component)]
    flat = (component for component in shown if not standing_net(component.shape))
    return next(flat, next(iter(shown), None))


def _usual(component: Component) -> Composition:
    if standing_net(component.shape):
        return "row"
    return "fan" if component.shape.kind == "rectangle" else "wall"


def _choose(component: Component, index: FaceIndex, composition: Composition) -> list[PlacedFace]:
    """Different faces of a component, from its first to its last; a fan begins with a back."""
    faces = different_faces(component, index)
    chosen = choose_some(faces, _MOST.get(composition, 1))
    back = different_faces(component, index, "back")[:1]
    if composition == "fan" and back and len(chosen) > 2:
        chosen = [*back, *chosen[1:]]
    return [PlacedFace(face, IDENTITY) for face in chosen]


def choose_some(faces: Sequence[Face], most: int) -> list[Face]:
    """At most so many of different faces, evenly spread over all of them."""
    count = min(len(faces), most)
    return [faces[number * len(faces) // count] for number in range(count)]


def _fit(piece: Layout, room: Size, *, to_foot: bool) -> tuple[Affine, float]:
    """The map of the pieces to the picture, and its height. Without a piece in front,
    the picture is no higher than what it shows."""
    across, down = room.width / piece.view.width, room.height / piece.view.height
    scale = max(across, down) if piece.fills else min(across, down)
    height = min(scale * piece.view.height, room.height)
    low = room.height if to_foot else height
    x = (room.width - scale * piece.view.width) / 2 - scale * piece.view.x0
    over = scale * piece.view.height - height  # both ends lose the same
    y = low - height - over / 2 - scale * piece.view.y0
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
    for level, group in groupby(placed, key=lambda piece: piece.level):
        pieces = list(group)
        if level:
            yield from _cut_at(window, PlacedLayer(draw_sides(pieces, base, room), ORIGIN))
        for piece in pieces:
            yield from _draw_piece(piece, base, window)


def _draw_piece(piece: PlacedFace, base: Affine, window: Rect) -> Iterator[PlacedLayer]:
    place = base @ piece.place
    outline = carried(piece.face.cut, place)
    if window.overlaps(box_of(outline)):
        for layer in carry(cut_to_outline(piece.face), place):
            yield from _cut_at(window, layer)
        canvas = Canvas(Size(window.width, window.height))
        canvas.lines([(*outline, outline[0])], *edge_of(piece))
        yield from _cut_at(window, PlacedLayer(canvas.layer("edge of a piece"), ORIGIN))


def _cut_at(window: Rect, placed: PlacedLayer) -> Iterator[PlacedLayer]:
    size = Rect(0.0, 0.0, *placed.layer.size)
    seen: Outline = placed.clip or carried(size.corners(), placed.place)
    if holds(window.corners(), box_of(seen)):
        yield placed
    else:
        for clip in common(window.corners(), seen):
            yield placed._replace(clip=clip)


class Layout(Struct, frozen=True):
    """Pieces in mm of their own, the part of them to show, and whether it fills the picture."""

    placed: Sequence[PlacedFace]
    view: Rect
    fills: bool = False


def lay_out(composition: Composition, placed: Sequence[PlacedFace], poster: Poster, room: Size) -> Layout:
    """Pieces in a composition, for a picture of some size (mm)."""
    if composition == "table":
        return Layout(placed, reduce(Rect.around, map(extent_of, placed)), poster.fills)
    if composition == "wall" and poster.rows:
        return _lay_rows(poster)
    centred = [_centre(piece) for piece in placed]
    if composition == "wall":
        return _lay_wall(centred, room)
    if composition == "large":
        return _lay_large(centred[0], room, fills=poster.fills)
    step = 1 - (_OVERLAP[composition] if poster.overlap is None else poster.overlap)
    if composition == "fan":
        spread = list(_fan_out(centred, step))
    else:
        spread = max(
            (list(line_up(centred, step, rows)) for rows in range(1, len(centred) + 1)),
            key=lambda placed: steady(min(room.width / (box := _around(placed)).width, room.height / box.height)),
        )
    return Layout(spread, _around(spread), poster.fills)


def _centre(piece: PlacedFace) -> PlacedFace:
    """A piece with its turn, its middle at the origin."""
    middle = box_of(piece.outline()).centre
    return replace(piece, place=translation(-middle.x, -middle.y) @ piece.place)


def _around(placed: Iterable[PlacedFace]) -> Rect:
    return box_of(point for piece in placed for point in piece.outline())


def _lay_large(piece: PlacedFace, room: Size, *, fills: bool) -> Layout:
    """One piece as wide as the picture, of which the top shows; whole if most of it would show."""
    box = _around([piece])
    seen = min(box.height, box.width * room.height / room.width)
    fills = fills and seen < _MOST_SEEN * box.height
    return Layout([piece], box._replace(y1=box.y0 + seen) if fills else box, fills)


def _fan_out(placed: Sequence[PlacedFace], part: float) -> Iterator[PlacedFace]:
    """A hand of cards: each covers the one at its left."""
    for number, piece in enumerate(placed):
        box, step = box_of(piece.outline()), number - (len(placed) - 1) / 2
        turn = turning(_TURN * step, Point(0.0, _PIVOT * box.height))
        along = part * box.width - _PIVOT * box.height * radians(_TURN)
        yield replace(piece, place=translation(along * step, 0.0) @ turn @ piece.place)


def line_up(placed: Sequence[PlacedFace], step: float, rows: int = 1) -> Iterator[PlacedFace]:
    """Pieces that stand on lines, about as many on each; `step` is the part of its width from each
    piece to the next."""
    high = max(box_of(piece.outline()).height for piece in placed)
    for row in range(rows):
        x, y = 0.0, row * (1 - _OVERLAP["row"]) * high
        for piece in placed[row * len(placed) // rows : (row + 1) * len(placed) // rows]:
            box = box_of(piece.outline())
            yield replace(piece, place=translation(x - box.x0, y - box.y1) @ piece.place)
            x += step * box.width


def _lay_wall(placed: Sequence[PlacedFace], room: Size) -> Layout:
    """Pieces edge to edge, again and again, and a view that they fill."""
    box, corners = box_of(placed[0].outline()), len(placed[0].face.outline)
    kind = _KINDS.get(corners, "circle" if corners > 50 else "polygon")
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
        piece = placed[(column + row * other) % len(placed)]
        seats.append(replace(piece, place=translation(x, y) @ piece.place))
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


def title_page(
    game: Game,
    booklet: Booklet,
    title: str,
    index: FaceIndex,
    design: PageDesign,
    frame: PageFrame,
    compositor: Compositor,
) -> Iterator[PlacedLayer]:
    """The game's title across the page, a line about it, its picture and its designer.

    Raises MisfitError if a text does not fit, PnpError if the picture has unknown pieces.
    """
    canvas, box = Canvas(frame.size), frame.text
    head = set_title(title, Size(box.width, _TITLE * box.height), design, compositor)
    canvas.flow(head.moved(box.x0, box.y0).lines)
    low = box.y0 + head.height + _GAP
    place = Rect(box.x0, low, box.x1, low + _ABOUT * box.height)
    about = compositor.set(copy_of(game.about), place, _shrinking(design.lead))
    canvas.flow(about.lines)
    high = frame.foot - 2 * design.line
    middle = (box.x0 + box.x1) / 2
    part = replace(design.part, valign="bottom", fallback=design.foot.fallback)
    by = _shrinking(replace(design.body, weight=700, align="right", valign="bottom"))
    for words, foot, style in (
        (game.phrases.say("rules.lead"), Rect(box.x0, high, middle, frame.foot), _shrinking(part)),
        (game.designer, Rect(middle, high, box.x1, frame.foot), by),
    ):
        canvas.flow(compositor.set(copy_of(words), foot, style).lines)
    yield PlacedLayer(canvas.layer("title page of the rules"), ORIGIN)
    top, room = low + about.height + _GAP, Size(box.width, high - 2 * _GAP - low - about.height)
    poster = make_poster(game, booklet.poster, index, room) if room.height > 0 else None
    if poster:
        yield from poster.moved(box.x0, top + (room.height - poster.size.height) / 2)


def set_title(words: str, room: Size, design: PageDesign, compositor: Compositor) -> Flow:
    """A title as large as its room (mm) allows, the ink of its first line at the top of it.

    Raises MisfitError if it does not fit at its least size.
    """
    style = replace(design.title, size=room.height, align="start", valign="top", leading=1.0)
    flow = compositor.set(copy_of(words), Rect(0.0, 0.0, *room), style)
    if not flow.lines or not flow.lines[0].runs:
        return flow
    first, last = _ink(flow.lines[0]), _ink(flow.lines[-1])
    is_rtl = flow.lines[0].runs[-1].is_rtl
    aside = room.width - first.x1 if is_rtl else -first.x0
    return replace(flow.moved(aside, -first.y0), height=last.y1 - first.y0)


def _ink(line: TextLine) -> Rect:
    """The box around the letters of a line."""
    inks = [run.font.ink(run.text, run.size).moved(run.x, run.y) for run in line.runs]
    return reduce(Rect.around, inks)


def _shrinking(style: Style) -> Style:
    return replace(style, least=0.6 * style.size)
