"""Pictures of how to cut, score, fold and glue the pieces of a kit, and of its parts.

A knife along a ruler cuts; a pen along a ruler scores a fold, with its purpose. A folded piece is drawn flat, half
folded and whole. Flat pieces of a kit are drawn to one scale, folded pieces to another.
"""

from collections.abc import Callable, Iterator, Sequence
from math import dist

from msgspec import Struct
from msgspec.structs import replace

from generator.basics import geometry
from generator.basics.colours import tint
from generator.basics.geometry import IDENTITY, ORIGIN, Affine, Point, Rect, Size, decimal, steady, translation
from generator.basics.shapes import Crease, Outline, Ray, area, box_of, carried, edges, rims
from generator.booklet import step_pictures as steps
from generator.booklet.figure import Figure, PlacedFace
from generator.booklet.paging import PageDesign, PlacedPlate
from generator.booklet.plates import Plate, carry, cut_to_outline, make_plate
from generator.booklet.poster import choose_some, line_up
from generator.booklet.step_pictures import INK, ROOM, THIN, StepPainter, loop_of, path_of, rim_of
from generator.faces.canvas import Canvas
from generator.faces.standing import stand
from generator.layout.folds import half_closed, standing_net
from generator.layout.nets import Fold, Net, standing
from generator.model import Component, Face, PlacedLayer, Tiling

_LEFT, _MIDDLE = 2.8, 9.0  # mm to the row of cards, and down to its middle
_ROW, _MOST = Size(25.0, 10.6), 3  # the mm that cards on a sheet take, and their number
_MARK, _TO_MARK = 1.6, 0.5  # mm, a crop mark and its distance to a card
_PIECE = Rect(2.4, 2.0, 16.8, 16.0)  # mm, the room of a piece alone
_RULER, _REACH = 10.0, (1.5, 16.5)  # mm, the least length of a ruler, and the room for it
_WIDE, _PAST = 3.0, 1.2  # mm of a ruler: its width, and past each end of its line
_KNIFE = 0.72  # of the cut, from its upper end to the knife
_LEAN, _LOW = 38.0, 58.0  # degrees that a knife leans to the right
_TURNED = 7.8  # mm from the top to a knife that points up
_FOLD = Point(7.2, 3.2), Point(7.2, 15.2)  # the ends of the fold that is scored
_FLAT, _HALF = Rect(0.6, 5.0, 10.7, 17.6), Rect(13.4, 4.0, 20.2, 17.6)  # mm, of the two states
_WHOLE = Rect(23.4, 2.4, 29.8, 17.6)
_FOLDED, _CLOSING = 0.5, 0.85  # of each fold's angle, on its way: of a box, of another piece
_LID, _TUCK = 0.15, 1.0  # of their angles, on a box that is nearly closed
_BESIDE, _DOWN = 0.9, 3.4  # mm from the lid to the arrow, and its least length
_SHADOW = 0.3  # the opacity of the shade on the darkest panel
_PAPER, _SHADE = "#ffffff", "#e9e5dc"  # its outside, and its inside
_TAB = 0.6  # the opacity of the accent on tabs
_LEAST = 9.0  # mm, the least length of a piece in its picture
_FANNED = 0.22  # of a card's width, from one to the next
_PIECES_BESIDE = 1.1  # of the width of another piece
_MOST_FANNED, _MOST_BESIDE = 3, 5  # pieces in a picture
_LONG = 3.0  # times its width: a piece with a scale of its own
_TALL = 2.2  # times its width: a box that lies on its side
_BOARD = Rect(0.4, 0.4, 29.6, 17.6)  # mm, the room of a piece in panels
_PALED = 0.55  # the opacity of the paper over it
_LARGEST_NAME, _NAME_HIGH, _NAME_WIDE = 2.6, 0.6, 0.5  # mm, and of a panel, its name's size
_EDGE = 0.21  # mm around a picture, for the edges of its pieces


def draw_cutting(name: str, faces: Sequence[Face], painter: StepPainter) -> Plate:
    """A knife along a ruler on a cut: between cards for "cut", between hexagons for
    "cut-straight", else along a side of the first piece, as of a card too wide for a row."""
    boxes = list(_row_of(box_of(faces[0].cut)))
    if name == "cut" and len(boxes) > 1:
        return _cut_cards(faces, boxes, painter)
    if name == "cut-straight":
        return painter.picture(name)
    return _cut_piece(faces[0], painter)


def _cut_cards(faces: Sequence[Face], boxes: Sequence[Rect], painter: StepPainter) -> Plate:
    """Cards on a sheet, their marks, and a cut from mark to mark."""
    top, foot = boxes[0].y0 - _TO_MARK, boxes[0].y1 + _TO_MARK
    marks = (
        [Point(x, y), Point(x, y + way * _MARK)]
        for x in (boxes[0].x0, *(box.x1 for box in boxes))
        for y, way in ((top, -1), (foot, 1))
    )
    x = boxes[-1].x0
    cut = Point(x, top), Point(x, foot)
    values = _cut(*cut, _LEAN) | _ruler(cut[1], cut[0])
    return _draw(_show(faces, boxes), painter, marks=path_of(*marks), rim="", **values)


def _draw(pieces: Iterator[PlacedLayer], painter: StepPainter, **values: str) -> Plate:
    """Pieces between the sheet below them and the tools above."""
    below, above = (painter.paint("cut", layer=layer, **values) for layer in ("below", "above"))
    return Plate((below, *pieces, above), ROOM)


def _row_of(card: Rect) -> Iterator[Rect]:
    """The boxes of a few cards beside one another, as large as the sheet allows."""
    count = max(1, min(_MOST, int(steady(_ROW.width * card.height / _ROW.height / card.width))))
    scale = min(_ROW.width / count / card.width, _ROW.height / card.height)
    size = Size(scale * card.width, scale * card.height)
    for number in range(count):
        left = _LEFT + number * size.width
        yield Rect(0.0, 0.0, *size).moved(left, _MIDDLE - size.height / 2)


def _show(faces: Sequence[Face], boxes: Sequence[Rect]) -> Iterator[PlacedLayer]:
    """Pieces in their boxes, the first again after the last."""
    for number, box in enumerate(boxes):
        face = faces[number % len(faces)]
        place = steps.fit(box_of(face.cut), box)
        yield from carry(cut_to_outline(face), place)
        edge = Canvas(ROOM)
        edge.lines([(*rim, rim[0]) for rim in rims(carried(face.cut, place))], INK, THIN)
        yield PlacedLayer(edge.layer("edge of a card"), ORIGIN)


def _cut_piece(face: Face, painter: StepPainter) -> Plate:
    """A piece on a sheet, its cut around it, the knife on the side that is farthest right."""
    place = steps.fit(box_of(face.cut), _PIECE)
    rim, *holes = rims(carried(face.cut, place))
    top, foot = _rightmost(rim)
    is_low = steps.between(top, foot, _KNIFE).y > _TURNED
    values = _cut(top, foot, _LOW if is_low else 180.0 - _LOW) | _ruler(*_along(top, foot))
    return _draw(carry(cut_to_outline(face), place), painter, marks="", rim=rim_of(rim, *holes), **values)


def _cut(top: Point, foot: Point, lean: float) -> dict[str, str]:
    """The part of a cut that is made, the part that will be, and the place of the knife."""
    tip = steps.between(top, foot, _KNIFE)
    at = f"translate({decimal(tip.x)} {decimal(tip.y)}) rotate({decimal(lean)})"
    return {"made": path_of([top, tip]), "ahead": path_of([tip, foot]), "knife": at}


def _ruler(start: Point, end: Point) -> dict[str, str]:
    """A ruler along a line and a bit longer, with marks on that side."""
    place, rim = Ray.through(start, end).frame, Rect(-_PAST, -_WIDE, dist(start, end) + _PAST, 0.0)
    count = max(4, int(steady(rim.width / 1.2)))
    ticks = (
        (Point(x, 0.0), Point(x, -1.3 if number % 5 == 0 else -0.8))
        for number in range(1, count)
        for x in [rim.x0 + rim.width * number / count]
    )
    return {"ruler": rim_of(carried(rim.corners(), place)), "ticks": path_of(*(carried(tick, place) for tick in ticks))}


def _along(top: Point, foot: Point) -> tuple[Point, Point]:
    """The ends of a ruler on a cut: no shorter than usual, and in the picture."""
    half = max(_RULER, foot.y - top.y) / 2
    middle, slope = steps.between(top, foot, 0.5), (foot.x - top.x) / (foot.y - top.y)
    low, high = max(_REACH[0], middle.y - half), min(_REACH[1], middle.y + half)
    lower, upper = (Point(middle.x + (y - middle.y) * slope, y) for y in (high, low))
    return lower, upper


def _rightmost(rim: Outline) -> tuple[Point, Point]:
    """The upper and the lower end of the cut on the side that looks most to the right."""

    def looks(side: tuple[Point, Point]) -> tuple[float, float]:
        start, end = side
        return steady(Ray.through(start, end).dy, 2), steady(start.x + end.x)

    return max(edges(rim), key=looks)


def draw_joining(face: Face, tiling: Tiling, painter: StepPainter) -> Plate:
    """A piece as its panels, pale, with a line at each joint and the name on each panel."""
    place = steps.fit(box_of(face.cut), _BOARD)
    whole = carried(face.cut, place)
    scale = box_of(whole).width / tiling.size.width
    at = translation(*box_of(whole).corners()[0]) @ geometry.scaling(scale)
    above = Canvas(ROOM)
    above.polygons([whole], _PAPER, opacity=_PALED)
    for panel in tiling.panels:
        seen = at.apply_rect(panel.seen)
        above.lines([(*seen.corners(), seen.corners()[0])], INK, THIN)
        size = min(_LARGEST_NAME, _NAME_HIGH * seen.height, _NAME_WIDE * seen.width)
        above.text(panel.name, painter.find_font(panel.name), size, seen.centre, INK)
    pieces = carry(cut_to_outline(face), place)
    return Plate((*pieces, PlacedLayer(above.layer("panels"), ORIGIN)), ROOM)


def draw_scoring(net: Net, painter: StepPainter) -> Plate:
    """A part of the flat net, a pen along a ruler on its longest fold, and paper folded there."""
    longest = max(net.creases, key=lambda fold: steady(dist(*fold)))
    base = _lay_on(longest, _FOLD)
    others = (fold for fold in net.creases if fold != longest)
    folds = (steps.dashes(base.apply(start), base.apply(end)) for start, end in others)
    return painter.picture("score", net=rim_of(carried(net.outline, base)), folds=loop_of(folds))


def _lay_on(fold: Crease, line: Crease) -> Affine:
    """The map of a net that lays one of its folds on a line of the picture."""
    own, seen = (Ray.through(*ends).frame for ends in (fold, line))
    return seen @ geometry.scaling(dist(*line) / dist(*fold)) @ own.undo()


class FoldedExample(Struct, frozen=True):
    """A piece of the kit that is folded: its component, its id, and its flat face."""

    component: Component
    piece: str
    flat: Face
    back: Face | None = None

    @property
    def net(self) -> Net:
        """The shape of the piece, half closed if it lies flat in use."""
        net = self.component.shape_of(self.piece)
        assert isinstance(net, Net)
        return standing_net(net) or half_closed(net)


def draw_forming(example: FoldedExample, painter: StepPainter) -> Plate:
    """The bare net with glue on its tabs, the same half folded, and the finished piece; of a box,
    the lid is about to be tucked in."""
    net, lid = example.net, {"top": _LID, "tuck": _TUCK}
    shape = _open(net, lambda fold: lid.get(fold.to, 1.0))
    part = replace(example.component, shape=shape)
    face = stand(part, example.piece, example.flat, example.back)
    place = steps.fit(box_of(face.cut), _WHOLE, to_foot=True)
    tinted = tint(painter.accent, _TAB)
    values = _flat(net) | _tucking(shape, place) | {"tint": tinted}
    above = painter.paint("fold-pieces", rim=rim_of(*rims(carried(face.cut, place))), **values)
    whole = carry(cut_to_outline(face), place)
    return Plate((_draw_half(net, tinted), *whole, above), ROOM)


def _open(net: Net, part_of: Callable[[Fold], float]) -> Net:
    """The net with each fold at a part of its angle."""
    folds = (replace(fold, angle=part_of(fold) * fold.angle) for fold in net.folds)
    return replace(net, folds=tuple(folds))


def _flat(net: Net) -> dict[str, str]:
    """The bare net, its folds, its tabs, and the place of the glue on the largest."""
    place = steps.fit(box_of(net.outline), _FLAT, to_foot=True)
    tabs = [carried(panel.outline, place) for panel in net.panels if panel.is_glued]
    folds = (steps.dashes(place.apply(start), place.apply(end), 1.2) for start, end in net.creases)
    glue = ""
    if tabs:
        largest = max(tabs, key=lambda tab: steady(area(tab)))
        x, y = box_of(largest).centre
        glue = f"translate({decimal(x)} {decimal(y)})"
    return {"net": rim_of(carried(net.outline, place)), "tabs": rim_of(*tabs), "folds": loop_of(folds), "glue": glue}


def _draw_half(net: Net, tinted: str) -> PlacedLayer:
    """The net on its way: its tabs are seen."""
    seen = tuple(replace(panel, behind="", is_glued=False) for panel in net.panels)
    tabs = {panel.name for panel in net.panels if panel.is_glued}
    part = _FOLDED if any(panel.name == "tuck" for panel in net.panels) else _CLOSING
    walls = standing(replace(_open(net, lambda _: part), panels=seen))
    place = steps.fit(box_of(point for wall in walls for point in wall.outline), _HALF, to_foot=True)
    canvas = Canvas(ROOM)
    for wall in walls:
        outline = carried(wall.outline, place)
        paper = _SHADE if wall.is_inside else _PAPER
        canvas.polygons([outline], tinted if wall.panel.name in tabs else paper)
        canvas.polygons([outline], INK, opacity=_SHADOW * wall.shade)
        canvas.lines([(*outline, outline[0])], INK, 0.2)
    return PlacedLayer(canvas.layer("half folded"), ORIGIN)


def _tucking(net: Net, place: Affine) -> dict[str, str]:
    """An arrow beside the open lid of a box, down to the edge that its flap goes behind."""
    seen = {wall.panel.name: box_of(carried(wall.outline, place)) for wall in standing(net)}
    if "tuck" not in seen:
        return {"tuck": "", "tip": ""}
    flap, front = seen["tuck"], seen["front"]
    x = min(flap.x0, front.x0) - _BESIDE
    start = Point(x, min(flap.y0, seen["top"].y0))
    line, tip = steps.arrow(start, Point(x, max(front.y0, start.y + _DOWN)))
    return {"tuck": line, "tip": tip}


class KitPart(Struct, frozen=True):
    """A part of the kit: its number, the pages and the paper to print it, and different faces of
    its pieces, folded ones as they stand.

    `is_container`: it holds or explains the others, and its picture has a scale of its own."""

    title: str
    count: int
    printing: str
    faces: tuple[Face, ...]
    is_folded: bool = False
    is_container: bool = False


def draw_parts(parts: Sequence[KitPart], room: Size, design: PageDesign) -> Iterator[PlacedPlate]:
    """A picture of each part at the foot of its room (mm).

    Flat pieces have one scale and folded ones another, since a hut beside a tile of its true size
    is too small to see. It is the largest at which all of them fit, or at which the smallest is
    large enough; what does not fit then is smaller, and so is a long strip.
    """
    scales = {kind: _common_scale(parts, room, is_folded=kind) for kind in (False, True)}
    for part in parts:
        group = _group(part, scales[part.is_folded], room)
        box = box_of(point for piece in group for point in piece.outline())
        size = Size(box.width, box.height)
        scale = min(scales[part.is_folded], _fit(size, room))
        own = Size(scale * size.width + _EDGE, scale * size.height + _EDGE)
        plate = make_plate(Figure(placed=group), own, design.accent, design.bold)
        yield PlacedPlate(plate, 0.0, room.height - plate.size.height)


def _common_scale(parts: Sequence[KitPart], room: Size, *, is_folded: bool) -> float:
    """The scale of all flat or all folded pieces, at most 1."""
    sizes = [
        Size(box.width, box.height)
        for part in parts
        if not part.is_container and part.is_folded == is_folded
        for box in [box_of(part.faces[0].cut)]
        if max(box.width, box.height) <= _LONG * min(box.width, box.height)
    ]
    most = min((_fit(size, room) for size in sizes), default=1.0)
    least = max((_LEAST / max(size) for size in sizes), default=0.0)
    return min(1.0, max(most, least))


def _group(part: KitPart, scale: float, room: Size) -> list[PlacedFace]:
    """One piece, a fan of cards, or whole folded pieces beside one another."""
    first = part.faces[0]
    box = box_of(first.cut)
    if part.is_container:
        lies = part.is_folded and box.height > _TALL * box.width
        return [PlacedFace(first, geometry.turning(-90.0, ORIGIN) if lies else IDENTITY)]
    if part.is_folded:
        most = int(steady(room.width / scale / box.width / _PIECES_BESIDE))
        return _line_up(part.faces, max(1, min(_MOST_BESIDE, most)), _PIECES_BESIDE)
    is_card = len(first.outline) == 4
    return _line_up(part.faces, _MOST_FANNED if is_card else 1, _FANNED)


def _line_up(faces: Sequence[Face], most: int, step: float) -> list[PlacedFace]:
    """Different pieces on one line, each before the one at its left."""
    placed = [PlacedFace(face, IDENTITY) for face in choose_some(faces, most)]
    return list(line_up(placed, step))


def _fit(size: Size, room: Size) -> float:
    return min((room.width - _EDGE) / size.width, (room.height - _EDGE) / size.height)
