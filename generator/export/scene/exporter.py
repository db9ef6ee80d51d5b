"""The exporter of pictures of a game on a table, true to scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, cos, pi, sin, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace
from PIL import Image, ImageOps

from generator.art.pixels import save_picture
from generator.basics.colours import channels
from generator.basics.errors import Place, fail
from generator.basics.geometry import MM_PER_INCH, Point, Rect, Size, translation
from generator.basics.keys import Keys
from generator.basics.shapes import box_of
from generator.export.exporter import ExportedFile, Kit
from generator.export.scene import COLOURS, SCENE, Scene, Surface, light
from generator.export.scene.laying import Laid, Stock, compose, explode, lay
from generator.export.scene.painting import LINEAR, Texture, coat, density_of, paint, tile_of
from generator.export.scene.space import Camera, Matrix, Vectors, aim, inverse, level_plane
from generator.model import Face, FaceKey, Sheet
from generator.pdf import raster
from generator.text.fontbook import FontBook
from generator.text.lettering import Lettering, PageDrawing

_MOST_DPI, _MOST_PIXELS = 600.0, 80_000_000  # of the pictures of faces, in all
_MOST_GROUND = 24_000_000  # pixels of the table
_AROUND = 3.0  # of the extent of the pieces: so far from them the table goes on
_QUALITY = 88  # of a WebP or JPEG
_COMPRESSION = 3  # of a PNG: as small as 9, in a fifth of the time
_FINER = 1.4  # pixels of a face to a pixel of the picture, each way
_VIEWS = {"full": 32, "draft": 4}
_FOCUS = 0.35  # of the way from the nearest to the farthest piece
_BRIGHTEST, _FALL = Point(0.42, 0.40), 0.42  # of the table, in parts of the picture
_TABLE = level_plane(translation(0.0, 0.0), 0.0)
_SHADE = 0.96  # of the light on a bare table: less is a shadow on a clear background
_WHITE = (255, 255, 255)
_RIM = 20.0  # pixels of the table around the picture


class Preset(Struct, frozen=True):
    """A way to look at a game.

    size: of the picture, in pixels. tilt: degrees by which one looks down; None: as the scene says.
    aperture: the radius of the lens, in parts of its distance. distance: in widths of the scene.
    frames: of a turn of the table.
    """

    size: Size
    tilt: float | None = None
    aperture: float = 0.003
    distance: float = 2.7
    frames: int = 1


PRESETS = {
    "scene": Preset(Size(2400, 1500)),
    "hero": Preset(Size(2400, 1350), tilt=31.0, aperture=0.009, distance=1.7),
    "flatlay": Preset(Size(2400, 1800), tilt=90.0, aperture=0.0),
    "components": Preset(Size(2400, 1500), tilt=68.0, aperture=0.0),
    "banner": Preset(Size(2048, 1152), tilt=38.0, aperture=0.005),
    "square": Preset(Size(1600, 1600), tilt=62.0),
    "turntable": Preset(Size(640, 480), tilt=38.0, aperture=0.0, frames=48),
}
_LETTERING = 4.0  # pixels of a picture to a mm of its lettering
_DARK = 110  # the middle grey of a picture that has light letters
_CHALK, _INK = "#f4f1ea", "#2b2f33"
_PERIOD = 8000  # ms of a turn


class Scenes(Keys, frozen=True, kw_only=True):
    """scene.png: the pieces of the game on a table, as [scene] of game.toml lays them out; or as a
    preset shows them, scene-hero.png."""

    preset: Literal["scene", "hero", "flatlay", "components", "banner", "square", "turntable"] = "scene"
    quality: light.Quality = "full"
    background: Literal["scene", "felt", "linen", "slate", "wood", "none"] = "scene"
    width: Annotated[int, Meta(ge=200, le=4000)] | None = None  # pixels; None: as the preset has it
    height: Annotated[int, Meta(ge=200, le=3000)] | None = None
    format: Literal["png", "webp", "jpg"] = "png"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        frames, format_ = PRESETS[self.preset].frames, self.format
        if self.background == "none" and format_ == "jpg":
            raise fail(Place("--to scene"), "a JPEG has no transparent background", "write format=png or webp")
        first, *others = _Stage.of(kit, self).pictures(kit)
        how: dict[str, Any] = {"compress_level": _COMPRESSION} if format_ == "png" else {"quality": _QUALITY}
        if others:
            format_ = "webp"
            how = {"save_all": True, "append_images": others, "duration": _PERIOD // frames, "loop": 0, "method": 6}
        stem = "scene" if self.preset == "scene" else f"scene-{self.preset}"
        picture = save_picture(first, "JPEG" if format_ == "jpg" else format_, **how)
        yield ExportedFile(f"{stem}.{format_}", picture)


class _Stage(Struct, frozen=True):
    """What there is to see, and from where."""

    options: Scenes
    size: Size
    scene: Scene
    laid: Sequence[Laid]
    facets: Sequence[light.Facet]
    cameras: Sequence[Camera]

    @classmethod
    def of(cls, kit: Kit, options: Scenes) -> _Stage:
        preset, stock = PRESETS[options.preset], _stock(kit)
        is_apart = options.preset == "components"
        scene = explode(kit.game, stock) if is_apart else SCENE.of(kit.game) or compose(kit.game, stock)
        surfaces: Mapping[str, Surface] = {surface: surface for surface in COLOURS if surface != scene.surface}
        if surface := surfaces.get(options.background):
            scene = replace(scene, surface=surface, cloth=COLOURS[surface])
        laid = lay(scene.groups, stock)
        if not laid:
            hint = "name pieces that are printed: their count is not 0"
            raise fail(scene.place, "the scene has nothing to show", hint)
        facets = [facet for index, piece in enumerate(laid) for facet in light.facets_of(index, piece)]
        size = Size(options.width or preset.size.width, options.height or preset.size.height)
        return cls(options, size, scene, laid, facets, _cameras(scene, facets, preset, size))

    def pictures(self, kit: Kit) -> Iterator[Image.Image]:
        """A picture of each camera."""
        first, size, is_clear = self.cameras[0], (int(self.size.width), int(self.size.height)), self.is_clear
        seen = [facet for facet in self.facets if any(facet.is_seen_by(camera) for camera in self.cameras)]
        ground = self._ground()
        table, *lights = self._lights(ground, seen)
        textures = _textures(kit, seen, first)
        spread = None if is_clear else self._spread(ground)
        gloss = 0.0 if is_clear else tile_of(self.scene.surface).gloss
        for camera in self.cameras:
            below = coat(ground, table, spread, camera, gloss)
            strokes = [
                coat(facet, light, textures.get(facet.face.id) if facet.face else None, camera)
                for facet, light in zip(seen, lights, strict=True)
                if facet.is_seen_by(camera)
            ]
            picture = paint(below, strokes, size, list(self._views(camera)), is_clear=is_clear)
            yield self._captioned(picture, kit, camera) if self.scene.captions else picture

    @property
    def is_clear(self) -> bool:
        """Without a table, but for the shadows on it."""
        return self.options.background == "none"

    def _captioned(self, picture: Image.Image, kit: Kit, camera: Camera) -> Image.Image:
        """The picture with what is written on the table."""
        lettering = Lettering.of(FontBook(kit.game.font_folders))
        drawing = PageDrawing()
        for caption in self.scene.captions:
            edges = Point(caption.at.x, caption.at.y + 1), caption.at
            (x, y), (_, far) = camera.project(_TABLE.at(edges))[::-1] / _LETTERING
            size = caption.size * abs(far - y)
            drawing.labels.append(lettering.at(caption.words, size, Point(float(x), float(y)), bold=True))
        paper = Size(*(side / _LETTERING for side in self.size))
        sheet = Sheet("scene", "scene", 1, 1, paper, None, (drawing.page("front", paper),))
        (letters,) = raster.rasterise(kit.print([sheet], {}, is_temporary=True), _LETTERING * MM_PER_INCH)
        mask = ImageOps.invert(letters.convert("L").crop((0, 0, *picture.size)))
        is_dark = np.asarray(picture.convert("L")).mean() < _DARK
        picture.paste(_CHALK if is_dark else _INK, mask=mask)
        return picture

    def _views(self, camera: Camera) -> Iterator[Camera]:
        """Many, through the lens; the pieces in front are in focus."""
        away = camera.distances(np.vstack([facet.plane.at(facet.outline) for facet in self.facets]))
        focus = float(np.quantile(away, _FOCUS))
        quality, aperture = self.options.quality, PRESETS[self.options.preset].aperture
        return camera.views(_VIEWS[quality], aperture * focus if quality == "full" else 0.0, focus)

    def _ground(self) -> light.Facet:
        """The table as far as it is seen, though not to the horizon."""
        feet = box_of(point for piece in self.laid for point in piece.foot)
        x0, y0, x1, y1 = feet.grown(_AROUND * max(feet.width, feet.height))
        corners = Rect(-_RIM, -_RIM, self.size.width + _RIM, self.size.height + _RIM).corners()
        pixels = np.column_stack([np.array(corners), np.ones(4)])
        spots = np.vstack([pixels @ inverse(camera.of_plane(_TABLE)).T for camera in self.cameras])
        if (spots[:, 2] > 0).all():
            (x0, y0), (x1, y1) = ((pick(spots[:, :2] / spots[:, 2:], axis=0).tolist()) for pick in (np.min, np.max))
        outline = Rect(0.0, 0.0, x1 - x0, y1 - y0).corners()
        return light.Facet(level_plane(translation(x0, y0), 0.0), outline, None, _WHITE, casts=False)

    def _lights(self, ground: light.Facet, seen: Sequence[light.Facet]) -> list[light.Light]:
        """The light on the ground, and on each facet that is seen."""
        scale, cloth = density_of(ground, self.cameras[0]), LINEAR[np.array(channels(self.scene.cloth))]
        step = light.step_on(seen, scale)
        patches = [
            light.patch_of(ground, light.step_on([ground], scale)),
            *(light.patch_of(facet, step) for facet in seen),
        ]
        casters = [facet for facet in self.facets if facet.casts]
        table, *lights = light.light_on(patches, casters, cloth, self.options.quality)
        if self.is_clear:
            return [np.repeat(table.mean(axis=2, keepdims=True) / np.float32(_SHADE * light.BARE), 3, axis=2), *lights]
        return [table * _fall(patches[0], self.cameras[0], self.size), *lights]

    def _spread(self, ground: light.Facet) -> Texture:
        """The surface of the table, as fine as it is seen."""
        size = Size(*box_of(ground.outline)[2:])  # from (0, 0)
        finest = sqrt(_MOST_GROUND / (size.width * size.height))
        density = min(density_of(ground, self.cameras[0]), finest)
        return Texture(*tile_of(self.scene.surface).laid_out(channels(self.scene.cloth), size, density))


def _cameras(scene: Scene, facets: Sequence[light.Facet], preset: Preset, size: Size) -> list[Camera]:
    """One, or those around the table. Only the scene as it is may be cut by its frame."""
    points, tilt = np.vstack([facet.plane.at(facet.outline) for facet in facets]), preset.tilt or scene.tilt
    if preset.tilt is None and scene.frame is not None:
        return [aim(_TABLE.at(scene.frame.corners()), tilt, size, margin=0.0)]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    turns = [_about(middle, 2 * pi * frame / preset.frames) for frame in range(preset.frames)]
    around = np.vstack([points @ turn[:3, :3].T + turn[:3, 3] for turn in turns])
    camera = aim(around, tilt, size, distance=preset.distance)
    return [camera.turned(turn) for turn in turns]


def _about(middle: Vectors, angle: float) -> Matrix:
    """Turns the table about a place."""
    c, s = cos(angle), sin(angle)
    turn = np.eye(4)
    turn[:2, :2] = (c, -s), (s, c)
    turn[:2, 3] = middle[:2] - turn[:2, :2] @ middle[:2]
    return turn


def _stock(kit: Kit) -> Stock:
    pages = kit.rule_pages
    components = {component.id: component for component in kit.game.components}
    return Stock(components, {**kit.faces, **pages}, max(1, ceil(len(pages) / 2)))


def _textures(kit: Kit, facets: Sequence[light.Facet], camera: Camera) -> Mapping[str, Texture]:
    """The pictures of the faces of facets, as fine as they are seen."""
    faces = {facet.face.id: facet.face for facet in facets if facet.face}
    once: dict[FaceKey, Face] = {("scene", id_, "front"): face for id_, face in faces.items()}
    densities = (density_of(facet, camera) * _FINER for facet in facets if facet.face)
    area = sum(face.trim.width * face.trim.height for face in once.values())
    most = min(_MOST_DPI / MM_PER_INCH, sqrt(_MOST_PIXELS / max(area, 1.0)))
    density = min(max(densities, default=1.0), most)
    printed = kit.print(raster.face_sheets(list(once.values())), once, is_temporary=True)
    images = raster.rasterise(printed, density * MM_PER_INCH)
    return {face.id: Texture(image, density) for face, image in zip(once.values(), images, strict=True)}


def _fall(patch: light.Patch, camera: Camera, size: Size) -> light.Numbers:
    """How bright an empty table is at each of its points of light."""
    away = camera.project(patch.points()) / size - _BRIGHTEST
    fall: light.Numbers = ((1 - _FALL * np.square(away).sum(axis=1).clip(0, 1)) ** light.GAMMA).astype(np.float32)
    return fall.reshape(patch.rows, patch.columns, 1)
