"""Take colours, compute their contrast and their difference for an eye, with coloraide.

It is loaded for the first colour: that takes a tenth of a second.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from generator.preflight import ciede
from generator.preflight.ciede import Table

if TYPE_CHECKING:
    from coloraide import Color

Rgb = tuple[int, int, int]

# The filters simulate complete blindness: Viénot, Brettel and Mollon (1999) for the first two,
# Brettel, Viénot and Mollon (1997) for tritanopia. Grey is the luminance, as printers print it.
FILTERS = {
    "deuteranopia": "deutan",
    "protanopia": "protan",
    "tritanopia": "tritan",
    "grey": "grayscale",
}


@lru_cache(4096)
def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    return float(_color(one).contrast(_color(other), method="wcag21"))


def coordinates(colours: list[Rgb], sight: str = "") -> Table:
    """CIELAB of n colours (n, 3), seen through one of FILTERS."""
    return np.array([_see(colour, sight).coords() for colour in colours]).reshape(-1, 3)


def differences(places: Table) -> Table:
    """CIEDE2000 between every two of n colours in CIELAB (n, 3), as (n, n)."""
    return ciede.difference(places[:, None], places)


def parse_colour(text: str) -> Rgb:
    """The channels, 0 to 255, of a colour like "#1f3f8c" or "#fff"."""
    from coloraide import Color

    red, green, blue = (round(255 * part) for part in Color(text).convert("srgb").coords())
    return red, green, blue


def format_colour(colour: Rgb) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _see(colour: Rgb, sight: str) -> Color:
    filtered = _color(colour).filter(FILTERS[sight]) if sight else _color(colour)
    return filtered.convert("lab-d65")


def _color(colour: Rgb) -> Color:
    from coloraide import Color

    return Color("srgb", [part / 255 for part in colour])
