"""Flaws of faces that spoil their print in a print shop, by the limits of the shop.

Ink is estimated from colours: what a press lays down for them, all its inks together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from generator.basics.errors import Level
from generator.checks.preflight.faults import Edge, nearest_letter, ring_along, sample_along
from generator.checks.preflight.prints import Bytes, FaceLook, Flaw, Print, ShopLimits, mm

# the kinds of findings that those about a shop replace, on the same face
REPLACED = {
    "drift.bare": "shop.bleed",
    "drift.bleed": "shop.bleed",
    "drift.text": "shop.text",
    "image.coarse": "shop.pixels",
}
_REACH = 1.4  # mm within the cut: a round motif that crosses it curves away
_AS_GOOD = 0.2  # mm: shops say 3 mm and 1/8 inch of the same
_REACHES = 0.05  # of the outline: art on more of it reaches the cut
_NEARLY = 0.99  # of the resolution: a picture is a whole number of pixels
_NOTICED = 0.01  # of the area
_ABOUT = 10.0  # %: the estimate is no better
_BLACK_FROM = 0.4  # of the grey that the three colours share
_MOST_BLACK = 0.9
_REMOVED = 0.3  # of a layer of each colour


class ShopInspector:
    """Finds the flaws of faces of one side that matter to a shop."""

    def __init__(self, prints: Print, limits: ShopLimits) -> None:
        component = prints.component
        self._prints, self._limits = prints, limits
        self._ring = ring_along(prints.cut, component.bleed, _REACH)

    def find(self, look: FaceLook, piece: Bytes) -> Iterator[Flaw]:
        """The flaws of a face; `piece` has its pixels (n, 3)."""
        yield from self._short(look)
        yield from self._near(look)
        yield from self._coarse(look)
        yield from self._soaked(piece)

    def _edge(self, look: FaceLook) -> Edge:
        high, wide, _ = look.pixels.shape
        sample = sample_along(self._ring, wide, high, self._prints.component.bleed_size)
        return Edge(self._ring, sample.read(look.pixels))

    def _short(self, look: FaceLook) -> Iterator[Flaw]:
        """Art that ends before the end of the shop's bleed."""
        bleed, own, title = self._limits.bleed, self._prints.component.bleed, self._limits.title
        edge = self._edge(look)
        end = edge.bare_bleed()
        if end is not None and end < bleed - _AS_GOOD:
            what = f"art ends about {mm(end)} mm beyond the trim, but {title} wants {mm(bleed)} mm"
            hint = "extend it to the end of the bleed, or bare paper shows at the edge"
            yield Flaw("shop.bleed", end, what, hint, _at_least(end))
        elif own < bleed - _AS_GOOD and edge.inked_share > _REACHES:
            what = f"its bleed is {mm(own)} mm, but {title} wants {mm(bleed)} mm"
            hint = f"set bleed = '{bleed:g}mm'; the export adds what is missing"
            yield Flaw("shop.bleed", own, what, hint, _at_least(own), "note")

    def _near(self, look: FaceLook) -> Iterator[Flaw]:
        """Text outside the shop's safe zone."""
        safe, distance = self._limits.safe, nearest_letter(look.contents.letters, self._prints.cut)
        if distance < safe - _AS_GOOD:
            where = f"{mm(abs(distance))} mm {'from' if distance >= 0 else 'beyond'} the trim"
            what = f"text is {where}, but {self._limits.title} wants {mm(safe)} mm"
            hint = f"keep {mm(safe)} mm from the trim"
            yield Flaw("shop.text", distance, what, hint, _at_least(distance))

    def _coarse(self, look: FaceLook) -> Iterator[Flaw]:
        """Pictures with fewer pixels than the shop prints."""
        least = self._limits.dpi
        dpi = min(look.contents.pictures, default=float(least))
        if dpi < least * _NEARLY:
            what = f"a picture has {dpi:.0f} dpi, but {self._limits.title} prints {least}"
            hint = f"at least {least} dpi: use a picture with more pixels, or SVG"
            yield Flaw("shop.pixels", dpi, what, hint, f"at least {dpi:.0f} dpi")

    def _soaked(self, piece: Bytes) -> Iterator[Flaw]:
        """More ink at a point than the shop takes."""
        most = self._limits.ink
        if most is None or not len(piece):
            return
        coverage = coverage_of(piece)
        share = float((coverage > most + _ABOUT).mean())
        if share > _NOTICED:
            ink = float(np.percentile(coverage, 100 * (1 - _NOTICED / 2)))
            title = self._limits.title
            what = f"about {ink:.0f}% of ink on {share:.0%} of it, but {title} takes {most}%"
            hint = f"lighten the darkest colours, or convert them to CMYK with at most {most}%"
            level: Level = "warning"
            if self._limits.is_in_inks:
                hint, level = f"the export lessens it to {most}%, in the darkest colours", "note"
            yield Flaw("shop.ink", -ink, what, hint, f"at most {ink:.0f} %", level)


def _at_least(length: float) -> str:
    return f"at least {mm(length)} mm"


def coverage_of(pixels: Bytes) -> NDArray[np.float64]:
    """The ink (n) of (n, 3) pixels, in percent of one solid layer.

    Black begins at a middle grey and grows to 90 %, the colours recede slowly, by up to 30 % each:
    RGB black is 300 %. The default profile of Ghostscript (coated paper, SWOP) has up to 26 % more
    and up to 15 % less for dark colours.
    """
    inks = 1 - pixels / 255
    depth = ((inks.min(axis=1) - _BLACK_FROM) / (1 - _BLACK_FROM)).clip(0, 1)
    total: NDArray[np.float64] = inks.sum(axis=1) + _MOST_BLACK * depth - 3 * _REMOVED * depth**2
    return 100 * total
