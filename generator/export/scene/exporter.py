"""The exporter of a picture of a game on a table, true to scale.

Facets are painted as a camera sees them in their light: the nearest facet at every pixel.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta
from PIL import Image

from generator.basics.colours import channels
from generator.basics.errors import fail
from generator.basics.geometry import IDENTITY, Size
from generator.basics.keys import Keys
from generator.basics.shapes import box_of
from generator.basics.units import MM_PER_INCH
from generator.export.exporter import ExportedFile, Kit
from generator.export.scene.laying import Laid, Stock, compose, lay
from generator.export.scene.light import (
    GAMMA,
    Colour,
    Facet,
    Light,
    facets_of,
    ground_patch,
    light_on,
    patch_of,
    step_on,
)
from generator.export.scene.painting import Painter, Texture
from generator.export.scene.space import Camera, aim, level_plane
from generator.export.scene.table import SCENE, Scene
from generator.model import RULEBOOK, Face, FaceKey
from generator.pdf import raster

_MOST_DPI, _MOST_PIXELS = 600.0, 80_000_000  # of the pictures of faces, in all
_AROUND = 0.6  # of the extent of the pieces: so far from them the table has shadows
_QUALITY = 88  # of a WebP or JPEG
_COMPRESSION = 3  # of a PNG: as small as 9, in a fifth of the time
_TABLE = level_plane(IDENTITY, 0.0)


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
