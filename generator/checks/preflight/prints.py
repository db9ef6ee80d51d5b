"""The values of a print check: faces as they will print, and their flaws."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from math import ceil, log2, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from generator.basics.errors import Level
from generator.basics.geometry import Rect
from generator.basics.outlines import Outline, rounded
from generator.model import Component, Side
from generator.model.printed import PageContents

_PITCH = 0.5  # mm: finer than a symbol, coarser than the grain of a print
_MOST_PIXELS = 3e6
_REDUCED = 2.0  # pixels of a picture made smaller in whole steps, for an eighth of the precision

Bytes = NDArray[np.uint8]


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
        one = self.component
        shape = one.outline, one.corner_radius, one.bleed, one.safe
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
        """The size of a picture with one pixel for each pitch, and the numbers of its pixels within
        the cut."""
        width, height = self.component.size
        wide, high = max(round(width / self.pitch), 1), max(round(height / self.pitch), 1)
        return (wide, high), np.flatnonzero(np.asarray(self._mask(wide, high)))

    def _mask(self, wide: int, high: int) -> Image.Image:
        trim, mask = self.component.trim, Image.new("1", (wide, high))
        across, down = wide / trim.width, high / trim.height
        corners = [((x - trim.x0) * across, (y - trim.y0) * down) for x, y in self.cut]
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
