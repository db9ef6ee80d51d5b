"""The values of a print check: faces as they will print, and their flaws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from generator.errors import Level
from generator.geometry import Rect
from generator.model import Component, Side
from generator.outlines import Outline, rounded
from generator.printed import PageContents

_PITCH = 0.5  # mm: finer than a symbol, coarser than the grain of a print
_MOST_PIXELS = 3e6


class FaceLook(NamedTuple):
    """A face as it will print: the pieces that have it, a picture of its whole bleed box, and the
    contents of that box."""

    pieces: tuple[str, ...]
    image: Image.Image
    contents: PageContents


@dataclass(frozen=True)
class Print:
    """One side of a component as it will print.

    `component` is seen from that side. `drift` (mm): how far the cut may be off.
    """

    component: Component
    side: Side
    drift: float
    looks: Sequence[FaceLook]

    @property
    def cut(self) -> Outline:
        return rounded(self.component.outline, self.component.corner_radius)

    def scale(self, look: FaceLook) -> float:
        """Pixels per millimetre."""
        return look.image.width / self.component.bleed_size.width

    def pixels(self, look: FaceLook, box: Rect) -> Image.Image:
        """The part of a face within a box (mm), clipped to the picture."""
        x0, y0, x1, y1 = (value * self.scale(look) for value in box)
        edges = (max(round(x0), 0), max(round(y0), 0))
        last = (min(round(x1), look.image.width), min(round(y1), look.image.height))
        return look.image.crop((*edges, max(last[0], edges[0]), max(last[1], edges[1])))

    @cached_property
    def pitch(self) -> float:
        """The distance of pixels for comparing areas (mm); larger if there are very many faces."""
        width, height = self.component.size
        return max(_PITCH, sqrt(width * height * len(self.looks) / _MOST_PIXELS))

    @cached_property
    def pieces(self) -> NDArray[np.uint8]:
        """The pixels within the cut of all faces (faces, pixels, 3), each the mean of its area."""
        width, height = self.component.size
        size = (max(round(width / self.pitch), 1), max(round(height / self.pitch), 1))
        is_piece = np.asarray(self._mask(*size))
        trim, resample = self.component.trim, Image.Resampling.BOX
        small = [self.pixels(look, trim).resize(size, resample) for look in self.looks]
        return np.stack([np.asarray(image.convert("RGB"))[is_piece] for image in small])

    def _mask(self, wide: int, high: int) -> Image.Image:
        trim, mask = self.component.trim, Image.new("1", (wide, high))
        across, down = wide / trim.width, high / trim.height
        corners = [((x - trim.x0) * across, (y - trim.y0) * down) for x, y in self.cut]
        ImageDraw.Draw(mask).polygon(corners, fill=1)
        return mask


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw of a face, or of some faces together, and the pieces that have it.

    Of all flaws of one kind on one side, the finding describes the one with the least `measure`.
    found: the measure as a bound: "at least 6.5 pt", "at most 160 %".
    """

    kind: str
    pieces: tuple[str, ...]
    measure: float
    what: str
    hint: str
    found: str
    level: Level = "warning"
