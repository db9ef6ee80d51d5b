"""The painter of a scene: facets as a camera sees them in their light, the nearest at every pixel.

A picture is the mean of many views through the camera's lens, in linear light: edges and shadows
are smooth, and what is out of focus is soft. Colours of facets are made once for all views.

Also what the table is made of: tiles of wood, linen, felt and slate, each made of noise from one
seed. A tile is of factors of the colour of the table in linear light, about 1 in the mean. It
continues at its edges, since its noise comes from waves that do.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image

from generator.basics.geometry import Size
from generator.basics.shapes import box_of
from generator.export.scene import Surface
from generator.export.scene.light import BARE, GAMMA, Colour, Facet, Light, Numbers, sheen_on
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

Factors = npt.NDArray[np.float32]  # (high, wide, 3)
_Noise = npt.NDArray[np.float64]  # (high, wide), of mean 0 and deviation 1
_FELT, _LINEN, _SLATE, _WOOD = 7.0, 8.0, 4.0, 4.0  # pixels to a mm
_THREADS = 160  # each way in a tile of linen
_PLANKS, _SEAM = 5, 0.5  # in a tile of wood; mm between them
_RINGS = 9.0  # of growth across a plank


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
        """Whether a piece covers each pixel."""
        return (self._near > 0)[..., None]

    def colours(self) -> Numbers:
        """The colours of the pixels in linear light."""
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


class SurfaceTile(Struct, frozen=True):
    """A piece of a surface, with `density` pixels to a mm; `gloss`: how much it mirrors."""

    factors: Factors
    density: float
    gloss: float = 0.0

    def laid_out(self, colour: Colour, size: Size, density: float) -> tuple[Image.Image, float]:
        """A picture of a surface of a colour, of a size in mm, and its pixels to a mm: about
        `density`, or as many as the tile has."""
        high, wide, _ = self.factors.shape
        image = Image.fromarray(on_screen(self.factors * LINEAR[np.array(colour)]))
        by = min(1.0, density / self.density)
        image = image.resize((round(wide * by), round(high * by)), Image.Resampling.BOX)
        exact = image.width / wide * self.density
        rows, columns = (np.arange(ceil(side * exact) + 1) for side in (size.height, size.width))
        pixels = np.asarray(image)
        return Image.fromarray(pixels[rows % image.height][:, columns % image.width]), exact


@cache
def tile_of(surface: Surface) -> SurfaceTile:
    """The tile of a surface: the same each time."""
    return _MAKERS[surface](np.random.Generator(np.random.PCG64(7)))


def _noise(
    random: np.random.Generator, size: tuple[int, int], across: float, along: float, turn: float = 0.0
) -> _Noise:
    """Noise of `size` (wide, high) whose spots are about so many pixels, and `turn` radians turned."""
    wide, high = size
    x, y = np.fft.rfftfreq(wide), np.fft.fftfreq(high)[:, None]
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    kept = np.exp(-2 * np.pi**2 * ((u * across) ** 2 + (v * along) ** 2))
    kept[0, 0] = 0.0
    waves = np.fft.rfft2(random.standard_normal((high, wide))) * kept
    noise: _Noise = np.fft.irfft2(waves, (high, wide))
    noise /= noise.std()
    return noise


def _tile(grey: _Noise, density: float, gloss: float = 0.0) -> SurfaceTile:
    return SurfaceTile(np.repeat(grey[..., None], 3, axis=2).astype(np.float32), density, gloss)


def _felt(random: np.random.Generator) -> SurfaceTile:
    """Short fibres in all directions, and faint clouds."""
    size = (1024, 1024)
    fibres = np.sum([np.abs(_noise(random, size, 6.0, 0.7, turn)) for turn in np.arange(6) * np.pi / 6], axis=0)
    clouds = _noise(random, size, 40.0, 40.0)
    return _tile(1 + 0.075 * (fibres - fibres.mean()) + 0.018 * clouds, _FELT)


def _linen(random: np.random.Generator) -> SurfaceTile:
    """Threads over and under each other, each of its own thickness, which changes along it."""
    side = 7 * _THREADS
    at = np.arange(side) / 7
    number, round_ = at.astype(int), np.sin(np.pi * (at % 1.0))
    is_over = (number[:, None] + number) % 2 == 0

    def threads() -> _Noise:
        each = np.repeat(random.normal(0, 0.05, _THREADS), 7)[:, None]
        height = round_[:, None] ** 0.6 * (0.75 + 0.25 * round_)
        lit: _Noise = (0.64 + 0.44 * height) * (1 + _noise(random, (side, side), 34.0, 2.2) * 0.06 + each)
        return lit

    woven = np.where(is_over, threads(), threads().T)
    return _tile(woven / woven.mean(), _LINEN)


def _slate(random: np.random.Generator) -> SurfaceTile:
    """Stone that was split: soft steps, fine grain, a few light veins."""
    size = (1600, 1600)
    sizes = [(2.0**step, 0.125 * 1.5**step) for step in range(6)]
    layers = np.sum([_noise(random, size, 3 * at, 2 * at, 0.5) * share for at, share in sizes], axis=0)
    slope = np.roll(layers, 3, axis=0) - np.roll(layers, -3, axis=1)
    veins = np.exp(-(((_noise(random, size, 90.0, 30.0, 0.5) + 0.15 * layers) / 0.012) ** 2))
    grain = _noise(random, size, 0.6, 0.6)
    grey = 1 + 0.06 * layers + 0.8 * slope.clip(-0.25, 0.25) + 0.045 * grain + 0.12 * veins
    return _tile(grey, _SLATE, 0.4)


def _wood(random: np.random.Generator) -> SurfaceTile:
    """Planks side by side: rings of growth drawn long, fibres, pores, and each of its own shade."""
    wide, high = 3200, 420
    planks = [_plank(random, wide, high, index) for index in range(_PLANKS)]
    return SurfaceTile(np.concatenate(planks).astype(np.float32), _WOOD, 0.6)


def _plank(random: np.random.Generator, wide: int, high: int, index: int) -> _Noise:
    size = (wide, high)
    bent = _noise(random, size, 420.0, 60.0) * 0.55 + _noise(random, size, 150.0, 14.0) * 0.07
    rings = (np.linspace(0, 1, high)[:, None] + bent) * _RINGS + random.uniform(0, 9)
    late = (rings % 1.0) ** 2.2 * (1 - np.exp(-14 * (1 - rings % 1.0)))  # dark towards its end
    fibres = _noise(random, size, 90.0, 0.8)
    pores = np.maximum(_noise(random, size, 14.0, 0.6) - 1.7, 0.0)
    value = 1.08 - 0.30 * late + 0.045 * fibres - 0.16 * pores + random.normal(0, 0.055)
    seam = round(_SEAM * _WOOD)
    value[:seam] *= 0.35
    end = (index * 1237 + 400) % wide  # of a plank that another continues
    value[:, end : end + seam] *= 0.35
    redder = np.array([0.82, 1.0, 1.16])  # darker wood is redder
    plank: _Noise = np.clip(value, 0.12, 1.6)[..., None] ** redder
    return plank


_MAKERS: dict[Surface, Callable[[np.random.Generator], SurfaceTile]] = {
    "felt": _felt,
    "linen": _linen,
    "slate": _slate,
    "wood": _wood,
}
