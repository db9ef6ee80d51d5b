"""Points, planes and a camera in space: x to the right, y towards the viewer, z up, in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, radians, sin, sqrt

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import Affine, Point, Size
from generator.basics.shapes import Outline

Vectors = npt.NDArray[np.float64]  # (n, 3), or (3,) for one
Matrix = npt.NDArray[np.float64]
_FAR = 2.7  # the camera's distance, in widths of the scene: a little perspective
_LEAST_FAR = 380.0  # mm
_NEAREST = 20.0  # mm from the camera
GOLDEN = pi * (3 - sqrt(5))
_EVENLY = (0.7548776662466927, 0.5698402909980532)  # steps that fill a square
_MARGIN = 0.05  # of the picture, bare on each side at least
_LIFT = 0.5  # of the bare height that is above the pieces; the rest is below


class Plane(Struct, frozen=True):
    """A flat thing in space: its origin, and steps of 1 mm right and down on it; `normal` points
    away from its printed side."""

    origin: Vectors
    right: Vectors
    down: Vectors
    normal: Vectors

    @property
    def matrix(self) -> Matrix:
        """Maps (x, y, 1) on the plane to space."""
        return np.column_stack([self.right, self.down, self.origin])

    def at(self, outline: Sequence[Point]) -> Vectors:
        """The places in space of points of the plane."""
        flat = np.array(outline, float)
        return flat[:, :1] * self.right + flat[:, 1:] * self.down + self.origin


def level_plane(motion: Affine, height: float) -> Plane:
    """A level plane `height` mm above the table, face up; `motion` maps it to the table."""
    a, b, c, d, e, f = motion
    origin, up = np.array([e, f, height]), np.array([0.0, 0.0, 1.0])
    return Plane(origin, np.array([a, b, 0.0]), np.array([c, d, 0.0]), up)


class Camera(Struct, frozen=True):
    """A pinhole camera: `matrix` maps (x, y, z, 1) to (x w, y w, w) in pixels, where w is the
    distance in mm along its axis."""

    matrix: Matrix
    place: Vectors
    scale: float  # pixels that 1 mm takes at a distance of 1 mm

    def through(self, lens: Point, pixel: Point, focus: float) -> Camera:
        """The camera as far aside as a point of its lens, in mm, and as a part of a pixel; what is
        `focus` mm away stays in its place."""
        matrix = self.matrix.copy()
        for row, (aside, part) in enumerate(zip(lens, pixel, strict=True)):
            matrix[row] += (self.scale * aside / focus + part) * matrix[2]
            matrix[row, 3] -= self.scale * aside
        return replace(self, matrix=matrix)

    def views(self, count: int, aperture: float, focus: float) -> Iterator[Camera]:
        """As many cameras all over its lens, whose radius is `aperture` mm, and all over a pixel."""
        for index in range(count):
            away, angle = aperture * sqrt((index + 0.5) / count), index * GOLDEN
            pixel = Point(*((index * step + 0.5) % 1.0 - 0.5 for step in _EVENLY))
            yield self.through(Point(away * cos(angle), away * sin(angle)), pixel, focus)

    def turned(self, turn: Matrix) -> Camera:
        """The camera that sees the table as if it were turned."""
        return replace(self, matrix=self.matrix @ turn, place=(np.linalg.inv(turn) @ [*self.place, 1.0])[:3])

    def project(self, places: Vectors) -> npt.NDArray[np.float64]:
        """The pixels of places in space."""
        whole = np.column_stack([places, np.ones(len(places))]) @ self.matrix.T
        projected: npt.NDArray[np.float64] = whole[:, :2] / whole[:, 2:]
        return projected

    def distances(self, places: Vectors) -> npt.NDArray[np.float64]:
        """The mm from the camera to places, along its axis."""
        distances: npt.NDArray[np.float64] = places @ self.matrix[2, :3] + self.matrix[2, 3]
        return distances

    def of_plane(self, plane: Plane) -> Matrix:
        """Maps (x, y, 1) on a plane to (x w, y w, w) in pixels."""
        placed = np.vstack([plane.matrix, [0.0, 0.0, 1.0]])
        matrix: Matrix = self.matrix @ placed
        return matrix

    def sees(self, plane: Plane, outline: Outline) -> bool:
        """Whether an outline on a plane is in front of it, printed side towards it."""
        is_towards = (self.place - plane.origin) @ plane.normal > 0.0
        return bool(is_towards and self.distances(plane.at(outline)).min() > _NEAREST)


def aim(points: Vectors, tilt: float, size: Size, margin: float = _MARGIN, distance: float = _FAR) -> Camera:
    """A camera that looks down by `tilt` degrees and has all points in a picture of `size` pixels,
    with a bare margin around them, a part of its size; `distance` in widths of the scene."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0.0])
    away = max(distance * max(high - low), _LEAST_FAR)
    c, s = cos(radians(tilt)), sin(radians(tilt))
    place = middle + away * np.array([0.0, c, s])
    turned = np.array([[1.0, 0.0, 0.0], [0.0, s, -c], [0.0, -c, -s]])
    matrix = np.column_stack([turned, -turned @ place])
    seen = Camera(matrix, place, 1.0).project(points)
    left, top = seen.min(axis=0)
    right, bottom = seen.max(axis=0)
    room = 1.0 - 2 * margin
    scale = min(size.width * room / (right - left), size.height * room / (bottom - top))
    bare = size.height - scale * (bottom - top)
    x = size.width / 2 - scale * (left + right) / 2
    y = bare * _LIFT - scale * top
    lens = np.array([[scale, 0.0, x], [0.0, scale, y], [0.0, 0.0, 1.0]])
    return Camera(lens @ matrix, place, float(scale))


def inverse(matrix: Matrix) -> Matrix:
    """The map back. Raises LinAlgError for a matrix that maps a plane to a line."""
    back: Matrix = np.linalg.inv(matrix).astype(np.float64)
    return back
