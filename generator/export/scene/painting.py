"""The painter of a scene: facets as a camera sees them in their light, the nearest at every pixel."""

from __future__ import annotations

from math import ceil

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image, ImageFilter

from generator.basics.geometry import Point
from generator.basics.shapes import box_of
from generator.export.scene.light import BARE, Colour, Facet, Light, Patch
from generator.export.scene.space import Camera, Matrix, inverse

Pixels = npt.NDArray[np.uint8]  # (high, wide, 3), or (3,) for one colour
_FINENESS = 2  # painted pixels to a pixel of the picture, each way
_MOST = 3600  # pixels of a texture each way
_RIM = 2  # pixels around a texture, so that its edge is never mixed with nothing
_WITHIN = 0.8  # the light on the rim of a card within a stack
_NEARER = 1.000002  # by which a facet must be nearer to cover another
_BRIGHTEST, _FALL = Point(0.42, 0.40), 0.42  # of the table, in parts of the picture
_HEADROOM = 1.05  # so that the table may be lighter than its cloth
_GRAIN = 0.045  # of the cloth
_CONTACT, _SPREAD = 0.32, 0.55  # how much darker the table is at the edge of a card; mm
_SHIFT = (0.28, -0.06)  # mm, of that shade, away from the lamp


class Texture(Struct, frozen=True):
    """A picture of a face, with `density` pixels to a mm from the top left of its trim box."""

    image: Image.Image
    density: float


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


class Painter:
    """A picture while it is painted."""

    def __init__(self, size: tuple[int, int], camera: Camera) -> None:
        self._camera = camera.enlarged(_FINENESS)
        self._size = size[0] * _FINENESS, size[1] * _FINENESS
        self._picture = np.zeros((self._size[1], self._size[0], 3), np.uint8)
        self._near = np.zeros(self._picture.shape[:2], np.float32)  # 1 / distance in mm

    def picture(self) -> Image.Image:
        return Image.fromarray(self._picture).reduce(_FINENESS)

    def density(self, facet: Facet) -> float:
        """The painted pixels to a mm where the facet is nearest."""
        return self._extent(facet)[0] / box_of(facet.outline).width

    def paint_ground(self, patch: Patch, light: Light, cloth: Colour) -> None:
        """Paint the table: cloth with a fine grain, brightest under the lamp."""
        size = self._size[0] // _FINENESS, self._size[1] // _FINENESS
        back = inverse(self._camera.enlarged(1 / _FINENESS).of_plane(patch.plane))
        coloured = light * (np.array(cloth, np.float32) * _HEADROOM)
        red, green, blue = (round(channel * _HEADROOM * BARE) for channel in cloth)
        seen = Image.fromarray(coloured.clip(0, 255).astype(np.uint8)).transform(
            size,
            Image.Transform.PERSPECTIVE,
            _coefficients(_to_rows(patch.box, patch.columns, patch.rows) @ back),
            Image.Resampling.BILINEAR,
            fillcolor=(red, green, blue),
        )
        pixels = np.asarray(seen) * (_fall(*size) / np.float32(_HEADROOM))[..., None]
        ground = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
        self._picture[:] = np.asarray(ground.resize(self._size, Image.Resampling.NEAREST))

    def shade_below(self, facet: Facet) -> None:
        """Darken what is painted so far around a level facet that lies on it."""
        density = self.density(facet)
        corners = self._camera.project(facet.plane.at(facet.outline)) + np.array(_SHIFT) * density
        region = self._region(corners, 4 * _SPREAD * density)
        if region is None:
            return
        blur = ImageFilter.BoxBlur(_SPREAD * density)
        mask = Image.fromarray(region.mask(corners) * np.uint8(round(_CONTACT * 255)))
        shade = np.asarray(mask.filter(blur).filter(blur))
        part = self._picture[region.slices]
        part[:] = part * (256 - shade.astype(np.uint16))[..., None] >> 8

    def paint(self, facet: Facet, light: Light, texture: Texture | None) -> None:
        """Paint a facet where it is the nearest."""
        corners = self._camera.project(facet.plane.at(facet.outline))
        region = self._region(corners, 1.0)
        if region is None:
            return
        back = inverse(self._camera.of_plane(facet.plane))
        near, part = self._nearness(facet, back, region), self._near[region.slices]
        is_nearest = region.mask(corners) & (near > part * np.float32(_NEARER))
        if not is_nearest.any():
            return
        part[is_nearest] = near[is_nearest]
        if facet.is_lit:
            pixels = self._seen(facet, self._lit(facet, light, texture), back, region)
            self._picture[region.slices][is_nearest] = pixels[is_nearest]
        else:
            factor = _WITHIN if facet.plane.normal[2] > 0.5 else light[0, 0]
            colour = (np.array(facet.colour) * factor).clip(0, 255).astype(np.uint8)
            self._picture[region.slices][is_nearest] = colour

    def _lit(self, facet: Facet, light: Light, texture: Texture | None) -> Pixels:
        """The colours of the box of a facet, about as large as it is painted."""
        size = self._extent(facet)
        if texture is None:
            colours = np.array(facet.colour, np.float32)
        else:
            image = texture.image
            edges = tuple(side * texture.density for side in box_of(facet.outline))
            x0, y0, x1, y1 = edges
            within = max(x0, 0.0), max(y0, 0.0), min(x1, image.width), min(y1, image.height)
            resized = image.resize(size, Image.Resampling.BOX, within)
            colours = np.asarray(resized, np.float32)
        return (colours * _resized(light, size)).clip(0, 255).astype(np.uint8)

    def _seen(self, facet: Facet, lit: Pixels, back: Matrix, region: _Region) -> Pixels:
        """These colours as the camera sees them."""
        high, wide, _ = lit.shape
        padded = np.pad(lit, ((_RIM, _RIM), (_RIM, _RIM), (0, 0)), mode="edge")
        to_texture = _to_rows(box_of(facet.outline), wide, high)
        matrix = _shift(_RIM, _RIM) @ to_texture @ back @ _shift(region.x0, region.y0)
        seen = Image.fromarray(padded).transform(
            region.size, Image.Transform.PERSPECTIVE, _coefficients(matrix), Image.Resampling.BICUBIC
        )
        return np.asarray(seen)

    def _extent(self, facet: Facet) -> tuple[int, int]:
        """The pixels that the box of a facet takes each way, where it is nearest."""
        corners = facet.plane.at(box_of(facet.outline).corners())
        a, b, c, d = self._camera.project(corners)
        wide = max(np.linalg.norm(b - a), np.linalg.norm(c - d))
        high = max(np.linalg.norm(d - a), np.linalg.norm(c - b))
        return min(max(2, ceil(wide)), _MOST), min(max(2, ceil(high)), _MOST)

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


def _fall(width: int, height: int) -> npt.NDArray[np.float32]:
    """The brightness of each pixel of an empty table."""
    x = np.linspace(0, 1, width, dtype=np.float32) - np.float32(_BRIGHTEST.x)
    y = np.linspace(0, 1, height, dtype=np.float32) - np.float32(_BRIGHTEST.y)
    fall: npt.NDArray[np.float32] = 1 - np.float32(_FALL) * (np.square(x) + np.square(y)[:, None])
    grain = np.random.Generator(np.random.PCG64(7)).random((height, width), np.float32)
    fall *= 1 + (grain - np.float32(0.5)) * np.float32(_GRAIN)
    return fall


def _to_rows(box: tuple[float, float, float, float], columns: int, rows: int) -> Matrix:
    """Maps mm of a box to its columns and rows."""
    x0, y0, x1, y1 = box
    x, y = columns / (x1 - x0), rows / (y1 - y0)
    return np.array([[x, 0.0, -x0 * x], [0.0, y, -y0 * y], [0.0, 0.0, 1.0]])


def _shift(x: float, y: float) -> Matrix:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _coefficients(matrix: Matrix) -> list[float]:
    """A map in the form that Pillow reads."""
    coefficients: list[float] = (matrix / matrix[2, 2]).reshape(-1)[:8].tolist()
    return coefficients


def _resized(light: Light, size: tuple[int, int]) -> Light:
    channels = (Image.fromarray(np.ascontiguousarray(light[..., i])) for i in range(3))
    return np.stack([np.array(channel.resize(size, Image.Resampling.BILINEAR)) for channel in channels], -1)
