"""Light on each facet of a scene: of a lamp at the upper left, and of a bright room.

For each direction that light comes from, a map of the table holds the height of the highest thing
that a ray meets. A point is in shade where the map is higher than the point.

The facets of pieces are flat outlines in space, each with its picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, cos, sin, sqrt
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from generator.basics.geometry import Point, Rect, mirror_x, translation
from generator.basics.shapes import Outline, box_of, carried, circle_of, edges, rims
from generator.export.scene.laying import Laid
from generator.export.scene.space import GOLDEN, Camera, Plane, Vectors, level_plane
from generator.model import Face

Light = npt.NDArray[np.float32]  # (high, wide, 3): factors of colours in linear light
Numbers = npt.NDArray[np.float32]

_LAMP = (-0.50, 0.36, 0.79)  # the direction to it
_LAMP_SIZE = 0.11  # its radius, at a distance of 1: shadows are soft
_RAYS = {"full": (40, 96), "draft": (16, 30)}  # to each
_LOWEST = 0.06  # of the rays to the room: the sine of their angle above the table
_SHARE = 0.54  # of the lamp in the light on a level table
_WARM, _COOL = np.array([1.03, 1.0, 0.955]), np.array([0.955, 1.0, 1.065])
_BOUNCE, _WALLS = 0.6, 0.5  # of the light, which comes back from below; from walls, not the cloth
_CELL = 0.5  # mm, of a map; larger for a large table
_MOST_CELLS = 1400  # along a side of a map
_ON_LEVEL, _ON_STEEP = 0.12, 1.0  # mm by which a map must be higher to shade a facet
_OFF = 0.5  # mm from a steep facet to the points where its light is measured
_STEP = 1.0  # mm between these points
_PIXELS = 3.0  # between them, at least
_MOST_POINTS = 1_000_000
_SOFTER = 3  # times
_BRIGHT = 0.94  # so that white paper is not the whitest white
GAMMA = 2.2
BARE = _BRIGHT  # the light on a bare table
_WINDOW = np.array([-0.34, -0.74, 0.58])  # the direction to a window, which is mirrored
_MIRRORED = 0.045  # of the light that falls straight on a piece
_PANE, _PANE_SIZE, _WALL = 0.75, 22.0, 0.04  # the light of the window; the larger, the smaller; of a wall
_SHEENS = 12  # points each way where it is measured
_LEVEL = 1 - 1e-6  # upward, of the normal of a level facet
Colour = tuple[int, int, int]
Quality = Literal["full", "draft"]
PAPER: Colour = (250, 249, 246)
_EDGE: Colour = (233, 229, 220)  # of cut card, seen from the side
_OTHER_EDGE: Colour = (222, 217, 206)  # of every second card: so a stack shows its cards
_MOST_SIDES = 48  # of a card: a circle has fewer than its outline has corners


class Patch(Struct, frozen=True):
    """Points on a plane where light is measured: rows and columns over a box of it, in mm."""

    plane: Plane
    box: Rect
    rows: int
    columns: int

    @property
    def total(self) -> int:
        return self.rows * self.columns

    def points(self) -> Vectors:
        """The points in space, those of a steep plane a bit off it."""
        x = self.box.x0 + (np.arange(self.columns) + 0.5) * self.box.width / self.columns
        y = self.box.y0 + (np.arange(self.rows) + 0.5) * self.box.height / self.rows
        across, down = (grid.reshape(-1, 1) for grid in np.meshgrid(x, y))
        off = 0.0 if self.plane.normal[2] > _LEVEL else _OFF
        places: Vectors = across * self.plane.right + down * self.plane.down + self.plane.origin
        return places + self.plane.normal * off


def patch_of(facet: Facet, step: float) -> Patch:
    """The points where the light on a facet is measured, `step` mm apart."""
    box = box_of(facet.outline)
    if not facet.is_lit:
        return Patch(facet.plane, box, 1, 1)
    rows, columns = (max(2, ceil(side / step)) for side in (box.height, box.width))
    return Patch(facet.plane, box, rows, columns)


def step_on(facets: Sequence[Facet], density: float) -> float:
    """The mm between the points where light is measured: more if the facets are very large, or if
    a picture has few pixels to a mm."""
    boxes = (box_of(facet.outline) for facet in facets if facet.is_lit)
    return max(_STEP, _PIXELS / density, sqrt(sum(box.width * box.height for box in boxes) / _MOST_POINTS))


def light_on(patches: Sequence[Patch], casters: Sequence[Facet], cloth: Vectors, quality: Quality) -> list[Light]:
    """The light on each patch, among facets that cast shadows, on a cloth of a linear colour."""
    points = np.vstack([patch.points() for patch in patches]).astype(np.float32)
    counts = [patch.total for patch in patches]
    normals = np.array([patch.plane.normal for patch in patches])
    bias = np.where(normals[:, 2] > _LEVEL, _ON_LEVEL, _ON_STEEP)
    reached = points[:, 2] + np.repeat(bias, counts).astype(np.float32)
    sums = np.zeros((2, len(points)), np.float32)  # of the lamp and of the room
    for source, ray, weight in _rays(*_RAYS[quality]):
        faced = np.maximum(normals @ ray, 0.0) * weight
        is_lit = _Map(casters, ray).at(points) <= reached
        sums[source] += np.repeat(faced, counts).astype(np.float32) * is_lit
    below = np.repeat(np.maximum(1.0 - normals[:, 2], 0.0) / 2, counts)
    parts = np.split(_mix(sums, below, cloth), np.cumsum(counts)[:-1])
    return [_soften(part.reshape(field.rows, field.columns, 3)) for part, field in zip(parts, patches, strict=True)]


def _mix(sums: Numbers, below: Vectors, cloth: Vectors) -> Light:
    """Factors of colours in linear light, BARE on a bare table."""
    lamp, room = _WARM * _SHARE, _COOL * (1 - _SHARE)
    bounced = below[:, None] * (_WALLS + (1 - _WALLS) * cloth) * _BOUNCE
    linear = sums[0][:, None] * lamp + sums[1][:, None] * room + bounced
    factors: Light = (linear * _BRIGHT / (lamp + room)).astype(np.float32)
    return factors


def sheen_on(facet: Facet, eye: Vectors) -> Numbers:
    """What a facet mirrors of a window and of walls, seen from a place, in linear light."""
    plane = facet.plane
    points = Patch(plane, box_of(facet.outline), _SHEENS, _SHEENS).points()
    towards = eye - points
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    facing = np.clip(towards @ plane.normal, 0.0, 1.0)
    mirrored = 2 * facing[:, None] * plane.normal - towards
    window = np.exp(_PANE_SIZE * (mirrored @ (_WINDOW / np.linalg.norm(_WINDOW)) - 1))
    share = _MIRRORED + (1 - _MIRRORED) * (1 - facing) ** 5
    sheen: Numbers = (share * (_WALL + _PANE * window)).astype(np.float32)
    return sheen.reshape(_SHEENS, _SHEENS)


def _rays(lamps: int, room: int) -> Iterator[tuple[int, Vectors, float]]:
    """Directions to the lamp (0) and to the room (1); the weights of each add up to 1 on a level table."""
    for source, rays in enumerate((list(_rays_to_lamp(lamps)), list(_rays_to_room(room)))):
        total = float(sum(ray[2] for ray in rays))
        for ray in rays:
            yield source, ray, 1 / total


def _rays_to_lamp(count: int) -> Iterator[Vectors]:
    lamp = np.array(_LAMP) / np.linalg.norm(_LAMP)
    aside = np.cross(lamp, (0.0, 0.0, 1.0))
    aside /= np.linalg.norm(aside)
    other = np.cross(lamp, aside)
    for index in range(count):
        away, angle = _LAMP_SIZE * sqrt((index + 0.5) / count), index * GOLDEN
        ray = lamp + away * (cos(angle) * aside + sin(angle) * other)
        yield ray / np.linalg.norm(ray)


def _rays_to_room(count: int) -> Iterator[Vectors]:
    for index in range(count):
        up, angle = _LOWEST + (1 - _LOWEST) * (index + 0.5) / count, index * GOLDEN
        flat = sqrt(1 - up * up)
        yield np.array([flat * cos(angle), flat * sin(angle), up])


class _Map:
    """The height of the highest thing that rays of one direction meet, by their place on the table."""

    def __init__(self, casters: Sequence[Facet], ray: Vectors) -> None:
        self._slope = ray[:2] / ray[2]
        placed = [self._shear(facet.plane.at(facet.outline)) for facet in casters]
        flats = np.vstack(placed)
        self._corner = flats[:, :2].min(axis=0) - 2.0
        extent = flats[:, :2].max(axis=0) + 2.0 - self._corner
        self._cell = max(_CELL, *(extent / _MOST_CELLS))
        columns, rows = (ceil(side / self._cell) + 1 for side in extent)
        self._heights = np.zeros((rows, columns), np.float32)
        for flat in placed:
            self._raise(flat)

    def at(self, points: Numbers) -> Numbers:
        """The height of the map for each point; 0 outside it."""
        x = (points[:, 0] - points[:, 2] * self._slope[0] - self._corner[0]) / self._cell
        y = (points[:, 1] - points[:, 2] * self._slope[1] - self._corner[1]) / self._cell
        rows, columns = self._heights.shape
        is_in = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
        index = np.where(is_in, y.astype(np.int32) * columns + x.astype(np.int32), 0)
        heights: Numbers = np.where(is_in, self._heights.reshape(-1)[index], np.float32(0.0))
        return heights

    def _shear(self, points: Vectors) -> Vectors:
        """The places on the table of the rays through points, and the heights of the points."""
        flat = points.copy()
        flat[:, :2] -= points[:, 2:] * self._slope
        return flat

    def _cells(self, flat: Vectors) -> Vectors:
        cells: Vectors = (flat[:, :2] - self._corner) / self._cell - 0.5
        return cells

    def _raise(self, flat: Vectors) -> None:
        """Add a facet."""
        cells = self._cells(flat)
        low, high = np.floor(cells.min(axis=0)).astype(int), np.ceil(cells.max(axis=0)).astype(int)
        slopes = np.column_stack([cells, np.ones(len(cells))])
        (a, b, c), _, rank, _ = np.linalg.lstsq(slopes, flat[:, 2], rcond=1e-6)
        if rank < 3:
            return  # the rays are parallel to it
        mask = Image.new("1", tuple((high - low + 1).tolist()))
        ImageDraw.Draw(mask).polygon([tuple(cell) for cell in (cells - low).tolist()], fill=1)
        x, y = np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1)
        heights = np.clip(a * x[None] + b * y[:, None] + c, flat[:, 2].min(), flat[:, 2].max())
        part = self._heights[low[1] : high[1] + 1, low[0] : high[0] + 1]
        np.copyto(part, np.maximum(part, heights), where=np.array(mask), casting="same_kind")


def _soften(light: Light) -> Light:
    """The light, blurred a bit: few rays make steps."""
    for _ in range(_SOFTER if light.size > 3 else 0):
        wide = np.pad(light, ((0, 0), (1, 1), (0, 0)), mode="edge")
        high = np.pad(wide[:, :-2] + 2 * light + wide[:, 2:], ((1, 1), (0, 0), (0, 0)), mode="edge")
        light = (high[:-2] + 2 * high[1:-1] + high[2:]) / np.float32(16)
    return light


class Facet(Struct, frozen=True):
    """A flat part of a piece, on one side.

    face: the picture, from the top left of its trim box, in mm on the plane; None if it is of a
    plain colour. is_lit: it is large enough to be shaded within. casts: it casts a shadow.
    """

    plane: Plane
    outline: Outline
    face: Face | None
    colour: Colour = PAPER
    is_lit: bool = True
    casts: bool = True

    def is_seen_by(self, camera: Camera) -> bool:
        return camera.sees(self.plane, self.outline)


def facets_of(index: int, laid: Laid) -> Iterator[Facet]:
    """The facets of a piece; the sides of every second one are of another colour."""
    if laid.folded is None:
        yield from _card(index, laid)
        return
    place = level_plane(laid.motion, laid.height)
    turn = np.column_stack([place.right, place.down, place.normal])
    for panel, plane in laid.folded.panels:
        right, down, normal = turn @ plane.right, turn @ plane.down, turn @ plane.normal
        moved = Plane(turn @ plane.origin + place.origin, right, down, normal)
        yield Facet(moved, panel.outline, laid.face)
        yield _inside(laid.inside, moved, panel.outline)


def _inside(face: Face | None, plane: Plane, outline: Outline) -> Facet:
    """The other side of a panel, which begins at the right of the net's box."""
    if face is None:
        return Facet(replace(plane, normal=-plane.normal), outline, None, casts=False)
    width = face.trim.width
    origin = plane.origin + width * plane.right
    behind = Plane(origin, -plane.right, plane.down, -plane.normal)
    return Facet(behind, carried(outline, mirror_x(width)), face, casts=False)


def _card(index: int, laid: Laid) -> Iterator[Facet]:
    top = laid.height + laid.thickness
    colour = _OTHER_EDGE if index % 2 else _EDGE
    step = ceil(len(laid.foot) / _MOST_SIDES) if circle_of(laid.foot) else 1
    for p, q in (edge for rim in rims(laid.foot[::step]) for edge in edges(rim)):
        yield _side(p, q, laid.thickness, top, colour)
    if laid.face is None or laid.is_covered:
        plane = level_plane(laid.motion, top)
        is_open = not laid.is_covered
        yield Facet(plane, laid.outline, None, is_lit=is_open, casts=is_open)
        return
    trim = laid.face.trim
    middle = translation(trim.width / 2, trim.height / 2)
    outline = tuple(map(middle.apply, laid.outline))
    plane = level_plane(laid.motion @ translation(-trim.width / 2, -trim.height / 2), top)
    yield Facet(plane, outline, laid.face)


def _side(p: Point, q: Point, height: float, top: float, colour: Colour) -> Facet:
    """The cut side of a card below an edge of its outline, which is clockwise."""
    along = np.array([q.x - p.x, q.y - p.y, 0.0])
    length = float(np.linalg.norm(along)) or 1.0
    right = along / length
    normal = np.array([right[1], -right[0], 0.0])
    plane = Plane(np.array([p.x, p.y, top]), right, np.array([0.0, 0.0, -1.0]), normal)
    corners = (Point(0.0, 0.0), Point(length, 0.0), Point(length, height), Point(0.0, height))
    return Facet(plane, corners, None, colour, is_lit=False, casts=False)
