"""Take a printed colour, choose the name that a person would give it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

# A typical printed colour for each name: black is a dark grey.
_MIDDLES: Mapping[str, str] = {
    "black": "#1c1c1c",
    "blue": "#2a5fae",
    "brown": "#7a4a28",
    "green": "#4a9a4a",
    "red": "#c8281e",
    "white": "#ffffff",
    "yellow": "#f2c21e",
}
NAMES = tuple(_MIDDLES)
_LIGHTNESS = 0.5  # the weight of a difference in lightness: pink is a red, navy a blue
_Lab = tuple[float, float, float]


def nearest(colour: str, names: Iterable[str]) -> str:
    """The name, of some NAMES, nearest to a colour "#rrggbb": by the distance in OKLab (Björn
    Ottosson, 2020, "A perceptual color space for image processing"), where tints and shades of
    a colour are nearer than other hues."""
    place = _lab(colour)

    def apart(name: str) -> float:
        light, *hue = (a - b for a, b in zip(place, _lab(_MIDDLES[name]), strict=True))
        return (light * _LIGHTNESS) ** 2 + sum(part**2 for part in hue)

    return min(names, key=apart)


def _lab(colour: str) -> _Lab:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _linear(part: float) -> float:
    """A channel of an sRGB colour, 0 to 1, as linear light."""
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
