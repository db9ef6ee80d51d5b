"""Pieces of a scene in their places: where each lies, turned, how high.

What is laid later rests on what lies below it. A folded net stands on the table, or lies on its back,
as the plane of each of its panels.
"""

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import cos, radians, sin, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import Affine, Point, Rect, Size, translation, turning
from generator.basics.shapes import Outline, box_of, carried, common, grown, hull
from generator.export.scene.space import Plane, Vectors
from generator.export.scene.table import Arrangement, SceneGroup
from generator.layout.folds import standing_net
from generator.layout.nets import Net, Panel, PanelPlane, fold_net
from generator.model import Component, Face, Side

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
