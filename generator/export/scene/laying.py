"""Pieces of a scene in their places: where each lies, turned, how high.

What is laid later rests on what lies below it. A folded net stands on the table, or lies on its back,
as the plane of each of its panels.

Also scenes for a kit whose spec has none: boxes, stacks and the rules in the back, faces in front.
"""

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import ceil, cos, radians, sin, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place
from generator.basics.geometry import ORIGIN, Affine, Point, Rect, Size, translation, turning
from generator.basics.shapes import Outline, box_of, carried, common, grown, hull
from generator.export.scene import COLOURS, Arrangement, Caption, LatticeCell, Scene, SceneGroup
from generator.export.scene.space import Plane, Vectors
from generator.layout.folds import has_panel, standing_net
from generator.layout.nets import Net, Panel, PanelPlane, fold_net
from generator.model import RULEBOOK, Component, Face, Game, Piece, Side

_LEAF = 0.1  # mm: a leaf of the rules
_TOUCH = 0.25  # mm: pieces that overlap by less only touch
_HAND = (0.0, 0.9, -0.7, 0.4, -1.0, 0.6, -0.3)  # degrees by which a hand misses
_PILE = (0.0, 0.25, -0.2, 0.1, -0.3, 0.15)  # mm, the same
_GOLDEN = 137.508  # degrees
_SEEDS_APART = 1.45  # the least distance of such seeds, the first of which is in the middle
_FAN_RADIUS = 1.9  # of a fan, in heights of a card
_HELD: tuple[Arrangement, ...] = ("stack", "fan")  # pieces lie alike, whatever their faces show
_BEHIND = 0.4  # mm: how far a flap is behind the panel in front of it
_ON_TABLE = 0.5  # mm: what is lower belongs to the foot
# Of scenes that no spec says.
_TILT = 50.0
_TURNS = (-5.0, 4.0, -3.0, 6.0, -4.0, 3.0)  # degrees, so that nothing lies as if measured
_GAP = 16.0  # mm between groups
_WIDTHS = (240.0, 320.0, 400.0, 500.0, 620.0, 760.0, 940.0, 1200.0)  # mm, of rows of groups: the best is chosen
_FLAT = 2.1  # the width of a picture, in depths of the table that it shows
_CARD = 45.0  # mm, the longer side of the smallest card; what is smaller is a token
_LARGEST = 160.0  # mm: a larger piece is a board
_FANNED, _SCATTERED, _STANDING = 5, 12, 6  # pieces of a component in the front
_MOST_STACKED = 60
_MOST_PARTS = 12  # components
_AROUND = ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_OF_THREE = ((0, 0, 0), (1, 0, 5), (0, 2, 1))  # the same for trihexes
_FROM_ABOVE = 1.72  # the same, for a steeper look
_CLOSE = 5.0  # mm between pieces that lie apart
_MOST_APART = 16
_LETTERS, _LETTER_WIDE, _LETTER_ROOM = 0.032, 0.55, 2.4  # of what is written: its size, and the room for it


class Stock(Struct, frozen=True):
    """What can be laid down: components, faces of pieces, and pages of the rules."""

    components: Mapping[str, Component]
    faces: Mapping[tuple[str, str, Side], Face]
    leaves: int  # of the rules

    def face(self, piece: tuple[str, str], side: Side) -> Face | None:
        """The face of a piece; None if that side is bare."""
        return self.faces.get((*piece, side))

    def has(self, piece: tuple[str, str]) -> bool:
        return (*piece, "front") in self.faces


class Folded(Struct, frozen=True):
    """A folded piece: its panels without tabs, each with its plane of the flat net, around whose
    middle x and y count, z from the table; and its outline on the table."""

    panels: tuple[tuple[Panel, Plane], ...]
    foot: Outline


class Laid(Struct, frozen=True):
    """A piece on the table.

    face:    what it shows, None for bare paper.
    inside:  what the other side of a folded piece shows, None for bare paper.
    outline: of the cut piece, or of the folded one seen from above, from its own middle.
    motion:  maps that to the table.
    height:  mm from the table to its lower side.
    folded:  its panels in space if it is a net.
    """

    face: Face | None
    outline: Outline
    motion: Affine
    height: float
    thickness: float
    folded: Folded | None = None
    inside: Face | None = None
    is_covered: bool = False  # wholly, by the next piece of its stack

    @property
    def foot(self) -> Outline:
        return carried(self.outline, self.motion)


def lay(groups: Sequence[SceneGroup], stock: Stock) -> list[Laid]:
    """Every piece in its place; pieces that the stock lacks are left out."""
    table = _Tabletop()
    for group in groups:
        for laid in _group(group, stock):
            table.add(laid, group.lift)
    return table.laid


class _Tabletop:
    def __init__(self) -> None:
        self.laid: list[Laid] = []
        self._tops: list[tuple[float, Rect, Outline]] = []

    def add(self, laid: Laid, lift: float) -> None:
        """Put a piece on the highest of those below it."""
        foot = grown(laid.foot, -_TOUCH) if laid.folded is None else laid.foot
        box = box_of(foot)
        below = (
            top
            for top, other, outline in self._tops  # the highest first
            if other.overlaps(box) and common(outline, foot)
        )
        height = next(below, 0.0) + lift
        self.laid.append(replace(laid, height=height))
        if laid.folded is None:
            top = height + laid.thickness
            insort(self._tops, (top, box, foot), key=lambda ranked: -ranked[0])


def _group(group: SceneGroup, stock: Stock) -> Iterator[Laid]:
    pieces = [piece for piece in group.pieces if stock.has(piece)]
    if not pieces:
        return
    shown = [_piece(group, stock, piece) for piece in pieces]
    places = _places(group, stock, pieces, [box_of(laid.outline) for laid in shown])
    for index, (laid, place) in enumerate(zip(shown, places, strict=True)):
        is_covered = group.arrange == "stack" and index + 1 < len(shown)
        yield replace(laid, motion=place, is_covered=is_covered and laid.folded is None)


def _piece(group: SceneGroup, stock: Stock, piece: tuple[str, str]) -> Laid:
    """A piece in the middle of nowhere."""
    front = stock.faces[(*piece, "front")]
    component = stock.components.get(piece[0])
    net = standing_net(component.shape_of(piece[1])) if component else None
    if net:
        folded, inside = fold(net, lies=group.lies), stock.face(piece, "back")
        return Laid(front, folded.foot, translation(0.0, 0.0), 0.0, 0.0, folded, inside)
    face = stock.face(piece, group.side)
    if group.arrange not in _HELD:  # single pieces are turned so that people can read them
        front, face = front.upright, face and face.upright
    shown = face or front
    middle = shown.trim.centre
    outline = carried(shown.cut, translation(-middle.x, -middle.y))
    if face is None:
        outline = carried(outline, Affine(a=-1.0))
    thickness = group.thickness if component else _LEAF * stock.leaves
    return Laid(face, outline, translation(0.0, 0.0), 0.0, thickness)


def _places(group: SceneGroup, stock: Stock, pieces: Sequence[tuple[str, str]], boxes: Sequence[Rect]) -> list[Affine]:
    """Where the middle of each piece of a group goes, and how it is turned."""
    base = translation(*group.at) @ turning(group.turn, Point(0.0, 0.0))
    sizes = [Size(box.width, box.height) for box in boxes]
    match group.arrange:
        case "row":
            places = _row(group, sizes)
        case "stack":
            places = _stack(sizes)
        case "fan":
            places = _fan(group, sizes)
        case "cells":
            places = _cells(group, stock.components[pieces[0][0]])
        case "scatter":
            places = _scatter(group, sizes)
    return [base @ place for place in places]


def _row(group: SceneGroup, sizes: Sequence[Size]) -> list[Affine]:
    columns = group.columns or len(sizes)
    width, height = (max(lengths) + group.gap for lengths in zip(*sizes, strict=True))
    return [_at(index % columns * width, index // columns * height, _miss(index, sizes)) for index in range(len(sizes))]


def _miss(index: int, sizes: Sequence[Size]) -> float:
    """Degrees by which a hand turns a piece too far: little, for large ones."""
    return _HAND[index % len(_HAND)] * min(1.0, 60.0 / max(sizes[index]))


def _stack(sizes: Sequence[Size]) -> list[Affine]:
    total = len(sizes)
    return [
        _at(_pile(index), _pile(index * 5 + 3), _miss(index, sizes) / 2) if index + 1 < total else _at(0.0, 0.0, 0.0)
        for index in range(total)
    ]


def _pile(index: int) -> float:
    return _PILE[index % len(_PILE)]


def _fan(group: SceneGroup, sizes: Sequence[Size]) -> list[Affine]:
    radius = _FAN_RADIUS * max(size.height for size in sizes)
    first = -(len(sizes) - 1) / 2
    return [turning((first + i) * group.step, Point(0.0, radius)) for i in range(len(sizes))]


def _cells(group: SceneGroup, component: Component) -> list[Affine]:
    """On the lattice of the component's hexagons: of a trihex, that of its upper hexagon."""
    kind, size = component.shape.kind, component.size
    if kind == "trihex":
        across = size.width / 2
        upper = Point(0.0, across / sqrt(3) - size.height / 2)
    else:
        across, upper = min(size), Point(0.0, 0.0)
    is_upright = kind == "trihex" or size.width < size.height
    return [
        translation(*_cell(across, cell.column, cell.row, is_upright=is_upright))
        @ turning(cell.turns * 60.0, Point(0.0, 0.0))
        @ translation(-upper.x, -upper.y)
        for cell in group.cells
    ]


def _cell(across: float, column: int, row: int, *, is_upright: bool) -> Point:
    """The middle of a hexagon; it is upright with a corner at its top."""
    along, aside = across * (column + row / 2), across * row * sqrt(3) / 2
    return Point(along, aside) if is_upright else Point(aside, along)


def _scatter(group: SceneGroup, sizes: Sequence[Size]) -> list[Affine]:
    """From the middle outward, as seeds of a sunflower."""
    step = (max(max(size) for size in sizes) + group.gap) / _SEEDS_APART
    places = []
    for index in range(len(sizes)):
        angle, away = radians(_GOLDEN * index), step * sqrt(index + 1.1) if index else 0.0
        places.append(_at(away * cos(angle), away * sin(angle), _GOLDEN * index % 360.0))
    return places


def _at(x: float, y: float, turn: float) -> Affine:
    return translation(x, y) @ turning(turn, Point(0.0, 0.0))


@cache
def fold(net: Net, *, lies: bool) -> Folded:
    """The finished piece, on its foot with the first panel to the front, or on its back."""
    turn = np.diag([1.0, 1.0, -1.0]) if lies else _standing(net.lean)
    planes = {name: _turned(plane, turn) for name, plane in fold_net(net).items()}
    shown = [panel for panel in net.panels if not panel.is_glued]
    points = np.vstack([planes[panel.name].at(panel.outline) for panel in shown])
    low, high = points.min(axis=0), points.max(axis=0)
    feet = points[points[:, 2] < low[2] + _ON_TABLE]
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    panels = tuple((panel, _settled(planes, panel, shift)) for panel in shown)
    flat = {(round(x, 6), round(y, 6)) for x, y in (feet - shift)[:, :2].tolist()}
    return Folded(panels, hull(flat))


def _settled(planes: Mapping[str, Plane], panel: Panel, shift: Vectors) -> Plane:
    plane = planes[panel.name]
    inset = planes[panel.behind].normal * _BEHIND if panel.behind else np.zeros(3)
    return replace(plane, origin=plane.origin - shift - inset)


def _turned(plane: PanelPlane, turn: Vectors) -> Plane:
    origin, right, down = (turn @ np.array(vector) for vector in plane)
    return Plane(origin, right, down, turn @ -np.array(plane.inward))


def _standing(lean: float) -> Vectors:
    """Maps x right, y down, z away to x right, y towards the viewer, z up, leaned back."""
    c, s = cos(radians(-lean)), sin(radians(-lean))
    leaned = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    upright = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]])
    turn: Vectors = upright @ leaned
    return turn


class _Block(Struct, frozen=True):
    """A group, the box around its pieces, and what is written below."""

    group: SceneGroup
    box: Rect
    words: str = ""

    def moved(self, to: Point) -> SceneGroup:
        """The group with the middle of its box at a point."""
        middle = self.box.centre
        return replace(self.group, at=Point(to.x - middle.x, to.y - middle.y))


def compose(game: Game, stock: Stock) -> Scene:
    """A scene of all kinds of pieces of a game."""
    parts = _parts(game, stock)
    turns = iter(_TURNS * _MOST_PARTS)
    back = [group for part in parts for group in _in_the_back(part, stock)]
    if stock.has((RULEBOOK, "1")):
        back.append(SceneGroup(((RULEBOOK, "1"),), ORIGIN))
    front = [group for part in parts for group in _in_front(part, stock)]
    placed = [_block(replace(lying, turn=next(turns)), stock) for lying in (*back, *front)]
    arranged = ([*_rows(placed[: len(back)], width), *_rows(placed[len(back) :], width)] for width in _WIDTHS)
    groups = tuple(block.moved(at) for block, at in _in_rows(min(arranged, key=_extent)))
    return Scene(groups, "wood", COLOURS["wood"], _TILT, None, Place(game.name))


def explode(game: Game, stock: Stock) -> Scene:
    """A scene of all kinds of pieces apart, each above its number and its name."""
    groups = [(_apart(part, stock), f"{len(part.copies())} × {part.title}") for part in _parts(game, stock)]
    if stock.has((RULEBOOK, "1")):
        groups.append((SceneGroup(((RULEBOOK, "1"),), ORIGIN), game.phrases.say("rules.title")))
    blocks = [replace(_block(group, stock), words=words) for group, words in groups]
    size = _LETTERS * sqrt(sum(block.box.width * block.box.height for block in blocks))

    def with_room(block: _Block) -> _Block:
        aside = max(0.0, _LETTER_WIDE * size * len(block.words) - block.box.width) / 2
        x0, y0, x1, y1 = block.box
        return replace(block, box=Rect(x0 - aside, y0, x1 + aside, y1 + _LETTER_ROOM * size))

    blocks = [with_room(block) for block in blocks]
    rows = min((list(_rows(blocks, width)) for width in _WIDTHS), key=lambda rows: _extent(rows, _FROM_ABOVE))
    placed = list(_in_rows(rows))
    down = (_LETTER_ROOM - 1) * size  # from the letters to the end of their room
    spots = [(block.words, Point(at.x, at.y + block.box.height / 2 - down)) for block, at in placed]
    return Scene(
        tuple(block.moved(at) for block, at in placed),
        "linen",
        COLOURS["linen"],
        _TILT,
        None,
        Place(game.name),
        tuple(Caption(words, at, size) for words, at in spots),
    )


def _parts(game: Game, stock: Stock) -> list[Component]:
    parts = [part for part in game.components if any(stock.has((part.id, piece.id)) for piece in part.pieces)]
    return parts[:_MOST_PARTS]


def _apart(part: Component, stock: Stock) -> SceneGroup:
    """Some pieces of a component side by side: all if they are few, or else its different faces."""
    pieces = [piece for piece in part.copies() if stock.has((part.id, piece.id))]
    if len(pieces) > _MOST_APART:
        different = _different(part, stock)[:_MOST_APART]
        pieces = different if len(different) > _MOST_APART / 2 else pieces[:: ceil(len(pieces) / _MOST_APART)]
    width, height = part.size
    columns = ceil(sqrt(len(pieces) * _FLAT * height / width))
    return replace(
        _of(part, pieces, "row"), columns=min(columns, len(pieces)), gap=_CLOSE, lies=has_panel(part.shape, "tuck")
    )


def _in_the_back(part: Component, stock: Stock) -> Iterator[SceneGroup]:
    """A box, or the stack of a component's pieces."""
    if standing_net(part.shape):
        if has_panel(part.shape, "tuck"):
            yield SceneGroup(((part.id, part.pieces[0].id),), ORIGIN)
        return
    pieces = [(part.id, piece.id) for piece in part.copies() if stock.has((part.id, piece.id))]
    is_small = max(part.size) < _CARD and part.shape.kind not in ("hexagon", "trihex")
    if is_small or len(pieces) < 3:
        return
    side: Side = "back" if part.has_back else "front"
    yield SceneGroup(tuple(pieces[-_MOST_STACKED:]), ORIGIN, side=side, arrange="stack")


def _in_front(part: Component, stock: Stock) -> Iterator[SceneGroup]:
    """Some different faces of a component."""
    pieces = _different(part, stock)
    if standing_net(part.shape):
        if not has_panel(part.shape, "tuck"):
            yield _of(part, pieces[:_STANDING], "row" if has_panel(part.shape, "top", "bottom") else "scatter")
    elif part.shape.kind in ("hexagon", "trihex"):
        places = _AROUND if part.shape.kind == "hexagon" else _OF_THREE
        cells = tuple(LatticeCell(*place) for place in places[: len(pieces)])
        yield replace(_of(part, pieces[: len(cells)], "cells"), cells=cells)
    elif max(part.size) < _CARD:
        yield _of(part, pieces[:_SCATTERED], "scatter")
    elif max(part.size) > _LARGEST or part.shape.kind != "rectangle":
        yield _of(part, pieces[:2], "row")
    else:
        shown = pieces[:: ceil(len(pieces) / _FANNED)]
        is_turned = any(stock.faces[part.id, piece.id, "front"].turn for piece in shown)
        yield _of(part, shown, "row" if is_turned else "fan")


def _of(part: Component, pieces: Sequence[Piece], arrangement: Arrangement) -> SceneGroup:
    return SceneGroup(tuple((part.id, piece.id) for piece in pieces), ORIGIN, arrange=arrangement)


def _different(part: Component, stock: Stock) -> list[Piece]:
    """The pieces with different fronts, from all over the table of the component."""
    faces = {
        stock.faces[part.id, piece.id, "front"].id: piece
        for piece in reversed(part.pieces)
        if stock.has((part.id, piece.id))
    }
    return list(faces.values())[::-1]


def _block(group: SceneGroup, stock: Stock) -> _Block:
    laid = lay([group], stock)
    return _Block(group, box_of(point for piece in laid for point in piece.foot))


def _extent(rows: Sequence[Sequence[_Block]], flat: float = _FLAT) -> float:
    """How wide a picture of rows must be, at least."""
    width = max(sum(block.box.width + _GAP for block in row) for row in rows)
    return max(width, sum(max(block.box.height for block in row) + _GAP for row in rows) * flat)


def _rows(blocks: Iterable[_Block], width: float) -> Iterator[list[_Block]]:
    """Blocks in rows that are not wider than `width`, if a block is not."""
    row: list[_Block] = []
    for block in blocks:
        if row and sum(member.box.width + _GAP for member in (*row, block)) > width:
            yield row
            row = []
        row.append(block)
    if row:
        yield row


def _in_rows(rows: Sequence[Sequence[_Block]]) -> Iterator[tuple[_Block, Point]]:
    """The blocks of each row side by side, the rows one before the other, and their middles."""
    y = 0.0
    for row in rows:
        height = max(block.box.height for block in row)
        x = -(sum(block.box.width + _GAP for block in row) - _GAP) / 2
        for block in row:
            yield block, Point(x + block.box.width / 2, y + height / 2)
            x += block.box.width + _GAP
        y += height + _GAP
