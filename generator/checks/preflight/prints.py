"""Values of a print check: faces as they will print, and their flaws.

The flaws here are thin lines, coarse pictures and too much ink.
"""

from collections.abc import Hashable, Iterator
from functools import cached_property
from math import ceil, log2, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from generator.basics.errors import Level
from generator.basics.geometry import Rect
from generator.basics.shapes import Outline, pierced, rounded
from generator.model import Component, Side
from generator.model.face import PageContents

_PITCH = 0.5  # mm: finer than a symbol, coarser than the grain of a print
_MOST_PIXELS = 3e6
_REDUCED = 2.0  # pixels of a picture made smaller in whole steps, for an eighth of the precision

Bytes = NDArray[np.uint8]
THINNEST = 0.1  # mm, 0.28 pt: print shops ask for 0.25 pt; thinner lines break up
COARSEST = 300.0  # dpi, which print shops ask for
_HAIR = 0.001  # mm
_NEARLY = 0.99  # of the resolution: a picture is a whole number of pixels
MOST_INK = 1.5  # solid layers: half as much again as a solid black piece


class FaceLook(Struct, frozen=True):
    """A face as it will print: the pixels (high, wide, 4) of its whole bleed box, as red, green,
    blue and a byte without meaning, and the contents of its piece."""

    pixels: Bytes
    contents: PageContents


class ShopLimits(Struct, frozen=True):
    """What a print shop asks of faces: its bleed and safe zone in mm, the resolution of pictures in
    dpi, and the most ink at a point in percent of a solid layer, if it states that. Its files are
    made with at most so much if they are in inks."""

    title: str
    bleed: float
    safe: float
    dpi: int
    ink: int | None
    is_in_inks: bool = False


class Print(Struct, frozen=True, dict=True):
    """One side of a component as it will print.

    `component` is seen from that side. `drift` (mm): how far the cut may be off. `count`: the
    number of its faces. `limits` are those of the shop that prints it, if one does.
    """

    component: Component
    side: Side
    drift: float
    count: int
    limits: ShopLimits | None = None

    @property
    def key(self) -> Hashable:
        """All that the inspection of one face depends on."""
        component = self.component
        shape = component.shape, component.corner_radius, component.bleed, component.safe
        return self.side, self.drift, self.pitch, self.limits, *shape

    @cached_property
    def cut(self) -> Outline:
        return rounded(self.component.outline, self.component.corner_radius)

    def scale(self, look: FaceLook) -> float:
        """Pixels per millimetre."""
        wide: int = look.pixels.shape[1]
        return wide / self._width

    @cached_property
    def _width(self) -> float:
        width, _ = self.component.bleed_size
        return width

    def part(self, look: FaceLook, box: Rect) -> tuple[slice, slice]:
        """The rows and the columns of a face within a box (mm), clipped to the picture."""
        x0, y0, x1, y1 = self._pixels(look, box)
        return slice(y0, y1), slice(x0, x1)

    def _pixels(self, look: FaceLook, box: Rect) -> tuple[int, int, int, int]:
        high, wide, _ = look.pixels.shape
        scale = wide / self._width
        left, top = max(round(box.x0 * scale), 0), max(round(box.y0 * scale), 0)
        right, bottom = min(round(box.x1 * scale), wide), min(round(box.y1 * scale), high)
        return left, top, max(right, left), max(bottom, top)

    @cached_property
    def pitch(self) -> float:
        """The distance of pixels for comparing areas (mm); larger if there are very many faces.

        Their number counts in powers of two, so that one more face rarely changes it.
        """
        width, height = self.component.size
        count = 2 ** ceil(log2(max(self.count, 1)))
        return max(_PITCH, sqrt(width * height * count / _MOST_PIXELS))

    def piece(self, look: FaceLook) -> Bytes:
        """The pixels within the cut of a face (pixels, 3), each the mean of its area."""
        high, wide, _ = look.pixels.shape
        image = Image.frombuffer("RGBX", (wide, high), look.pixels, "raw", "RGBX", 0, 1)
        box = self._pixels(look, self.component.trim)
        size, cells = self._cells
        small = image.resize(size, Image.Resampling.BOX, box, _REDUCED)
        return np.asarray(small).reshape(-1, 4).take(cells, axis=0)[:, :3]

    @cached_property
    def _cells(self) -> tuple[tuple[int, int], NDArray[np.intp]]:
        """The size of a picture with one pixel for each pitch, and the numbers of its pixels within the cut."""
        width, height = self.component.size
        wide, high = max(round(width / self.pitch), 1), max(round(height / self.pitch), 1)
        return (wide, high), np.flatnonzero(np.asarray(self._mask(wide, high)))

    def _mask(self, wide: int, high: int) -> Image.Image:
        trim, mask = self.component.trim, Image.new("1", (wide, high))
        across, down = wide / trim.width, high / trim.height
        cut = pierced(self.cut, self.component.holes)
        corners = [((x - trim.x0) * across, (y - trim.y0) * down) for x, y in cut]
        ImageDraw.Draw(mask).polygon(corners, fill=1)
        return mask


class Flaw(Struct, frozen=True):
    """A flaw of a face, or of some faces together.

    `pieces` have it; a flaw of one face gets them later. Of all flaws of one kind on one side, the
    finding describes the one with the least `measure`.
    found: the measure as a bound: "at least 6.5 pt", "at most 160 %".
    """

    kind: str
    measure: float
    what: str
    hint: str
    found: str
    level: Level = "warning"
    pieces: tuple[str, ...] = ()


def mm(length: float) -> str:
    return f"{round(length, 1) or 0.0:g}"


def badly_inked(look: FaceLook, piece: Bytes) -> Iterator[Flaw]:
    """Thin lines, coarse pictures and too much ink on a face; `piece` has its pixels (n, 3)."""
    yield from _thin(look)
    yield from coarse(look, "image.coarse", COARSEST, " when printed")
    yield from _find_soaked(piece)


def _thin(look: FaceLook) -> Iterator[Flaw]:
    width = min(look.contents.lines, default=THINNEST)
    if width < THINNEST - _HAIR:
        hint = f"at least {THINNEST:g}mm, and light on dark twice that: thinner lines break up"
        what, figures = f"a line {width:.2g} mm wide", f"at least {width:.3f} mm"
        yield Flaw("line.thin", width, what, hint, figures)


def coarse(look: FaceLook, kind: str, least: float, clause: str) -> Iterator[Flaw]:
    """A picture with fewer pixels than so many dpi; the clause says why that is too few."""
    dpi = min(look.contents.pictures, default=least)
    if dpi < least * _NEARLY:
        hint = f"at least {least:g} dpi: use a picture with more pixels, or SVG"
        yield Flaw(kind, dpi, f"a picture has {dpi:.0f} dpi{clause}", hint, f"at least {dpi:.0f} dpi")


def _find_soaked(pixels: Bytes) -> Iterator[Flaw]:
    ink = ink_of(pixels)
    if ink > MOST_INK:
        hint = "use a lighter ground or a pattern: much ink curls paper and empties cartridges"
        what = f"it takes {ink:.0%} of the ink of a solid black piece"
        yield Flaw("ink.much", -ink, what, hint, f"at most {100 * ink:.0f} %")


def ink_of(pixels: Bytes) -> float:
    """The mean ink of (n, 3) pixels in solid layers of cyan, magenta, yellow and black, 0 to 2.

    Black replaces the part that all three share, as in drivers of home printers. Drivers limit
    the ink at a point (240 % at print shops), but not the sum. The test pages for the yield of
    cartridges (ISO/IEC 24712) have a fifth of a layer.
    """
    if not len(pixels):
        return 0.0
    red, green, blue = pixels.T
    lightest = np.maximum(np.maximum(red, green), blue)  # it needs the least ink
    light = int(pixels.sum()) - 2 * int(lightest.sum())
    return 1 - light / (255 * len(pixels))
