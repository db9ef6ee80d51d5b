"""The exporter of a picture of a game on a table, true to scale.

Facets are painted as a camera sees them in their light: the nearest facet at every pixel.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct
from PIL import Image, ImageFilter

from generator.basics.colours import channels
from generator.basics.errors import fail
from generator.basics.geometry import IDENTITY, Point, Size
from generator.basics.keys import Keys
from generator.basics.shapes import box_of
from generator.basics.units import MM_PER_INCH
from generator.export.exporter import ExportedFile, Kit
from generator.export.scene.laying import Laid, Stock, compose, lay
from generator.export.scene.light import (
    BARE,
    GAMMA,
    Colour,
    Facet,
    Light,
    Patch,
    facets_of,
    ground_patch,
    light_on,
    patch_of,
    step_on,
)
from generator.export.scene.space import Camera, Matrix, aim, inverse, level_plane
from generator.export.scene.table import SCENE, Scene
from generator.model import RULEBOOK, Face, FaceKey
from generator.pdf import raster

_MOST_DPI, _MOST_PIXELS = 600.0, 80_000_000  # of the pictures of faces, in all
_AROUND = 0.6  # of the extent of the pieces: so far from them the table has shadows
_QUALITY = 88  # of a WebP or JPEG
_COMPRESSION = 3  # of a PNG: as small as 9, in a fifth of the time
_TABLE = level_plane(IDENTITY, 0.0)
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


class Scenes(Keys, frozen=True, kw_only=True):
    """scene.png: the pieces of the game on a table, as [scene] of game.toml lays them out."""

    width: Annotated[int, Meta(ge=200, le=4000)] = 2400  # pixels
    height: Annotated[int, Meta(ge=200, le=3000)] = 1500
    format: Literal["png", "webp", "jpg"] = "png"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        picture = _picture(kit, (self.width, self.height))
        buffer = io.BytesIO()
        if self.format == "png":
            picture.save(buffer, "PNG", compress_level=_COMPRESSION)
        else:
            picture.save(buffer, "WEBP" if self.format == "webp" else "JPEG", quality=_QUALITY)
        yield ExportedFile(f"scene.{self.format}", buffer.getvalue())


def _picture(kit: Kit, size: tuple[int, int]) -> Image.Image:
    stock = _stock(kit)
    scene = SCENE.of(kit.game) or compose(kit.game, stock)
    laid = lay(scene.groups, stock)
    if not laid:
        hint = "name pieces that are printed: their count is not 0"
        raise fail(scene.place, "the scene has nothing to show", hint)
    facets = [facet for index, piece in enumerate(laid) for facet in facets_of(index, piece)]
    camera = _aim(scene, facets, Size(*size))
    seen = [facet for facet in facets if camera.sees(facet.plane, facet.outline)]
    painter = Painter(size, camera)
    cloth = channels(scene.cloth)
    light = _light(laid, facets, seen, cloth, painter)
    _paint(painter, laid, list(zip(seen, light, strict=True)), _textures(kit, seen, painter))
    return painter.picture()


def _stock(kit: Kit) -> Stock:
    pages = {key: face for key, face in kit.pages.items() if key[0] == RULEBOOK}
    components = {component.id: component for component in kit.game.components}
    return Stock(components, {**kit.faces, **pages}, max(1, ceil(len(pages) / 2)))


def _aim(scene: Scene, facets: Sequence[Facet], size: Size) -> Camera:
    if scene.frame is not None:
        return aim(_TABLE.at(scene.frame.corners()), scene.tilt, size, margin=0.0)
    return aim(np.vstack([facet.plane.at(facet.outline) for facet in facets]), scene.tilt, size)


def _light(
    laid: Sequence[Laid], facets: Sequence[Facet], seen: Sequence[Facet], cloth: Colour, painter: Painter
) -> list[Light]:
    """Paints the table in its light; the light on each facet that is seen."""
    feet = box_of(point for piece in laid for point in piece.foot)
    ground = ground_patch(feet.grown(_AROUND * max(feet.width, feet.height)), _TABLE)
    casters, step = [facet for facet in facets if facet.casts], step_on(seen)
    linear = (np.array(cloth) / 255) ** GAMMA
    patches = [ground, *(patch_of(facet, step) for facet in seen)]
    on_ground, *light = light_on(patches, casters, linear)
    painter.paint_ground(ground, on_ground, cloth)
    return light


def _textures(kit: Kit, facets: Sequence[Facet], painter: Painter) -> Mapping[str, Texture]:
    """The pictures of the faces of facets, as fine as they are painted."""
    faces = {facet.face.id: facet.face for facet in facets if facet.face}
    once: dict[FaceKey, Face] = {("scene", id_, "front"): face for id_, face in faces.items()}
    densities = (painter.density(facet) for facet in facets if facet.face)
    area = sum(face.trim.width * face.trim.height for face in once.values())
    most = min(_MOST_DPI / MM_PER_INCH, sqrt(_MOST_PIXELS / max(area, 1.0)))
    density = min(max(densities, default=1.0), most)
    printed = kit.print(raster.face_sheets(list(once.values())), once, is_temporary=True)
    images = raster.rasterise(printed, density * MM_PER_INCH)
    pairs = zip(once.values(), images, strict=True)
    return {face.id: Texture(image, density) for face, image in pairs}


def _paint(
    painter: Painter, laid: Sequence[Laid], facets: Sequence[tuple[Facet, Light]], textures: Mapping[str, Texture]
) -> None:
    """Paints cards first, each with a shade at its edge, then what stands."""
    shaded = -1
    for facet, light in sorted(facets, key=lambda facet: laid[facet[0].laid].folded is not None):
        piece, index = laid[facet.laid], facet.laid
        is_on_stack = index > 0 and laid[index - 1].is_covered
        if piece.folded is None and index != shaded and not is_on_stack:
            painter.shade_below(Facet(level_plane(piece.motion, piece.height), piece.outline, None))
            shaded = index
        painter.paint(facet, light, textures[facet.face.id] if facet.face else None)


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
