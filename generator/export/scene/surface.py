"""What the table is made of: tiles of wood, linen, felt and slate, each made of noise from one seed.

A tile is of factors of the colour of the table in linear light, about 1 in the mean. It continues
at its edges, since its noise comes from waves that do.
"""

from collections.abc import Callable
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image

from generator.basics.geometry import Size
from generator.export.scene.light import Colour
from generator.export.scene.painting import LINEAR, on_screen
from generator.export.scene.table import Surface

Factors = npt.NDArray[np.float32]  # (high, wide, 3)
_Noise = npt.NDArray[np.float64]  # (high, wide), of mean 0 and deviation 1
_FELT, _LINEN, _SLATE, _WOOD = 7.0, 8.0, 4.0, 4.0  # pixels to a mm
_THREADS = 160  # each way in a tile of linen
_PLANKS, _SEAM = 5, 0.5  # in a tile of wood; mm between them
_RINGS = 9.0  # of growth across a plank


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
