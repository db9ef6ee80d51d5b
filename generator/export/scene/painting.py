"""The painter of a scene: facets as a camera sees them in their light, the nearest at every pixel.

A picture is the mean of many views through the camera's lens, in linear light: edges and shadows
are smooth, and what is out of focus is soft. Colours of facets are made once for all views.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image

from generator.basics.shapes import box_of
from generator.export.scene.light import BARE, GAMMA, Facet, Light, Numbers, sheen_on
from generator.export.scene.space import Camera, Matrix, inverse

Pixels = npt.NDArray[np.uint8]  # (high, wide, 3), or (3,) for one colour
_FINENESS = 1.4  # pixels of the colours of a facet to a pixel of the picture, each way
_MOST = 3600  # pixels of such colours each way
_RIM = 2  # pixels around them, so that their edge is never mixed with nothing
_WITHIN = 0.8  # the light on the rim of a card within a stack, as a screen has it
_NEARER = 1.000002  # by which a facet must be nearer to cover another
_HARDLY = np.float32(1e-6)
_MOST_LIGHT = 65535
LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)  # of a colour of a screen
_SCREEN = np.round((np.arange(_MOST_LIGHT + 1) / _MOST_LIGHT) ** (1 / GAMMA) * 255).astype(np.uint8)


class Texture(Struct, frozen=True):
    """A picture of a face, with `density` pixels to a mm from the top left of its trim box."""

    image: Image.Image
    density: float


class CoatedFacet(Struct, frozen=True):
    """A facet and the colours of its box as it is lit, or one colour."""

    facet: Facet
    pixels: Pixels


def on_screen(linear: Numbers) -> Pixels:
    """The colours of a screen, from 0 to 255, for linear light from 0 to 1."""
    return _SCREEN[(linear.clip(0, 1) * np.float32(_MOST_LIGHT)).astype(np.uint16)]


def coat(facet: Facet, light: Light, texture: Texture | None, camera: Camera, gloss: float = 1.0) -> CoatedFacet:
    """A facet in its light, in colours as fine as a camera sees them; `gloss`: how much it mirrors."""
    if not facet.is_lit:
        plain = LINEAR[np.array(facet.colour)] * light[0, 0]
        is_within = facet.plane.normal[2] > 0.5
        return CoatedFacet(
            facet, (np.array(facet.colour) * _WITHIN).astype(np.uint8) if is_within else on_screen(plain)
        )
    high, wide, _ = light.shape
    sheen = sheen_on(facet, camera.place) * np.float32(gloss)
    shine = _resized(sheen, (wide, high)) * (light.mean(axis=2) / np.float32(BARE)).clip(0, 1)
    size = _extent(facet, camera, _FINENESS)
    if texture is None:
        colours: Numbers = LINEAR[np.array(facet.colour)]
    else:
        image = texture.image
        x0, y0, x1, y1 = (side * texture.density for side in box_of(facet.outline))
        within = max(x0, 0.0), max(y0, 0.0), min(x1, image.width), min(y1, image.height)
        colours = LINEAR[np.asarray(image.resize(size, Image.Resampling.BOX, within))]
    lit = np.stack([_resized(light[..., channel], size) for channel in range(3)], -1)
    lit *= colours
    lit += _resized(shine, size)[..., None]
    return CoatedFacet(facet, on_screen(lit))


def density_of(facet: Facet, camera: Camera) -> float:
    """The pixels to a mm where the facet is nearest."""
    return _extent(facet, camera, 1.0)[0] / box_of(facet.outline).width


def paint(
    ground: CoatedFacet,
    strokes: Sequence[CoatedFacet],
    size: tuple[int, int],
    views: Sequence[Camera],
    *,
    is_clear: bool,
) -> Image.Image:
    """The mean of views of strokes on the ground. With a clear ground, whose colours tell how light
    it is, the picture has only its shadows, in an alpha channel."""
    colours = np.zeros((size[1], size[0], 3), np.float32)
    alpha = np.zeros((size[1], size[0], 1), np.float32)
    for camera in views:
        view = _PaintedView(size, camera, ground)
        for stroke in strokes:
            view.add(stroke)
        colours += view.colours() * view.is_covered if is_clear else view.colours()
        alpha += view.alpha() if is_clear else 1
    pixels = on_screen(colours / alpha.clip(_HARDLY))
    if not is_clear:
        return Image.fromarray(pixels)
    share = np.round(alpha / len(views) * 255).astype(np.uint8)
    return Image.fromarray(np.concatenate([pixels, share], axis=2))


class _Region(Struct, frozen=True):
    """A part of the picture, in pixels."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def size(self) -> tuple[int, int]:
        return self.x1 - self.x0, self.y1 - self.y0

    @property
    def slices(self) -> tuple[slice, slice]:
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def mask(self, corners: Matrix) -> npt.NDArray[np.bool_]:
        """Whether the middle of each pixel is within a polygon.

        Pillow rounds corners to whole pixels, and gives the thinnest polygon some: long edges would
        have stairs, and edges of cards below would be specks on those above.
        """
        wide, high = self.size
        crossed = np.zeros((high, wide + 1), bool)  # by an edge, at the left of each pixel's middle
        points = corners - (self.x0 + 0.5, self.y0 + 0.5)
        for (x, y), (u, v) in zip(points, np.roll(points, -1, axis=0), strict=True):
            first, last = np.clip(np.ceil(sorted((y, v))), 0, high).astype(int)
            rows = np.arange(first, last)
            if rows.size:
                columns = np.ceil(x + (rows - y) * ((u - x) / (v - y)))
                crossed[rows, columns.clip(0, wide).astype(int)] ^= True
        return np.logical_xor.accumulate(crossed[:, :wide], axis=1)


class _PaintedView:
    """A picture while it is painted."""

    def __init__(self, size: tuple[int, int], camera: Camera, ground: CoatedFacet) -> None:
        self._camera, self._size = camera, size
        self._near = np.zeros((size[1], size[0]), np.float32)  # 1 / distance in mm
        back = inverse(camera.of_plane(ground.facet.plane))
        whole = _Region(0, 0, *size)
        self._picture = _seen(ground, back, whole, Image.Resampling.BILINEAR).copy()

    @property
    def is_covered(self) -> npt.NDArray[np.bool_]:
        """By a piece."""
        return (self._near > 0)[..., None]

    def colours(self) -> Numbers:
        """In linear light."""
        return LINEAR[self._picture]

    def alpha(self) -> Numbers:
        """1 where a piece is, the darkness of the shadows elsewhere."""
        shade = 1 - self._picture[..., 0] / np.float32(255)
        return np.where(self.is_covered, np.float32(1), shade[..., None])

    def add(self, stroke: CoatedFacet) -> None:
        """Paint a facet where it is the nearest."""
        facet = stroke.facet
        corners = self._camera.project(facet.plane.at(facet.outline))
        region = self._region(corners, 1.0)
        if region is None:
            return
        back = inverse(self._camera.of_plane(facet.plane))
        near, part = self._nearness(facet, back, region), self._near[region.slices]
        is_nearest = region.mask(corners) & (near > part * np.float32(_NEARER))
        if not is_nearest.any():
            return
        np.copyto(part, near, where=is_nearest)
        np.copyto(self._picture[region.slices], _seen(stroke, back, region), where=is_nearest[..., None])

    def _region(self, corners: Matrix, by: float) -> _Region | None:
        """The pixels around corners within the picture; None if there is none."""
        low = np.maximum(np.floor(corners.min(axis=0) - by), 0).astype(int)
        high = np.minimum(np.ceil(corners.max(axis=0) + by), self._size).astype(int)
        if (high <= low).any():
            return None
        return _Region(int(low[0]), int(low[1]), int(high[0]), int(high[1]))

    def _nearness(self, facet: Facet, back: Matrix, region: _Region) -> npt.NDArray[np.float32]:
        """1 / distance of a facet at each pixel of a region, never more or less than it reaches:
        beyond the rim of one that is seen from its edge, its plane is anywhere."""
        a, b, c = back[2]
        x, y = np.arange(region.x0, region.x1) + 0.5, np.arange(region.y0, region.y1) + 0.5
        near = (a * x).astype(np.float32) + (b * y + c).astype(np.float32)[:, None]
        reached = 1.0 / self._camera.distances(facet.plane.at(facet.outline))
        clipped: npt.NDArray[np.float32] = near.clip(reached.min(), reached.max())
        return clipped


def _seen(
    stroke: CoatedFacet, back: Matrix, region: _Region, resampling: Image.Resampling = Image.Resampling.BICUBIC
) -> Pixels:
    """The colours of the box of a facet as the camera sees them."""
    if stroke.pixels.ndim == 1:
        return stroke.pixels
    high, wide, _ = stroke.pixels.shape
    padded = np.pad(stroke.pixels, ((_RIM, _RIM), (_RIM, _RIM), (0, 0)), mode="edge")
    to_texture = _to_rows(box_of(stroke.facet.outline), wide, high)
    matrix = _shift(_RIM, _RIM) @ to_texture @ back @ _shift(region.x0, region.y0)
    coefficients: list[float] = (matrix / matrix[2, 2]).reshape(-1)[:8].tolist()
    return np.asarray(
        Image.fromarray(padded).transform(region.size, Image.Transform.PERSPECTIVE, coefficients, resampling)
    )


def _extent(facet: Facet, camera: Camera, fineness: float) -> tuple[int, int]:
    """The pixels that the box of a facet takes each way, where it is nearest."""
    a, b, c, d = camera.project(facet.plane.at(box_of(facet.outline).corners())) * fineness
    wide = max(np.linalg.norm(b - a), np.linalg.norm(c - d))
    high = max(np.linalg.norm(d - a), np.linalg.norm(c - b))
    return min(max(2, ceil(wide)), _MOST), min(max(2, ceil(high)), _MOST)


def _to_rows(box: tuple[float, float, float, float], columns: int, rows: int) -> Matrix:
    """Maps mm of a box to its columns and rows."""
    x0, y0, x1, y1 = box
    x, y = columns / (x1 - x0), rows / (y1 - y0)
    return np.array([[x, 0.0, -x0 * x], [0.0, y, -y0 * y], [0.0, 0.0, 1.0]])


def _shift(x: float, y: float) -> Matrix:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _resized(values: Numbers, size: tuple[int, int]) -> Numbers:
    return np.asarray(Image.fromarray(np.ascontiguousarray(values)).resize(size, Image.Resampling.BILINEAR))
