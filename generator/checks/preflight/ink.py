"""Take faces as they will print, find thin lines, coarse pictures and too much ink."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.checks.preflight.prints import Bytes, FaceLook, Flaw

THINNEST = 0.1  # mm, 0.28 pt: print shops ask for 0.25 pt; thinner lines break up
COARSEST = 300.0  # dpi, which print shops ask for
_HAIR = 0.001  # mm
_NEARLY = 0.99  # of the resolution: a picture is a whole number of pixels
MOST_INK = 1.5  # solid layers: half as much again as a solid black piece


def badly_inked(look: FaceLook, piece: Bytes) -> Iterator[Flaw]:
    """Thin lines, coarse pictures and too much ink on a face; `piece` has its pixels (n, 3)."""
    yield from _thin(look)
    yield from _coarse(look)
    yield from _find_soaked(piece)


def _thin(look: FaceLook) -> Iterator[Flaw]:
    width = min(look.contents.lines, default=THINNEST)
    if width < THINNEST - _HAIR:
        hint = f"at least {THINNEST:g}mm, and light on dark twice that: thinner lines break up"
        what, figures = f"a line {width:.2g} mm wide", f"at least {width:.3f} mm"
        yield Flaw("line.thin", width, what, hint, figures)


def _coarse(look: FaceLook) -> Iterator[Flaw]:
    dpi = min(look.contents.pictures, default=COARSEST)
    if dpi < COARSEST * _NEARLY:
        hint = f"at least {COARSEST:g} dpi: use a picture with more pixels, or SVG"
        what = f"a picture has {dpi:.0f} dpi when printed"
        yield Flaw("image.coarse", dpi, what, hint, f"at least {dpi:.0f} dpi")


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
