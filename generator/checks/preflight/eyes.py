"""Contrast of colours (WCAG 2), their coordinates as an eye sees them, and their differences.

The differences are CIEDE2000, for many pairs at a time: coloraide takes seconds for those of a long
palette. The tests compare them with it.

Also the colours of a palette that the inks of a press cannot print.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from coloraide import Color
from msgspec import Struct
from numpy.typing import NDArray

from generator.basics.colours import channels, read_colour
from generator.basics.errors import Place, Problem
from generator.pdf import mixing
from generator.pdf.inks import USUAL_LIMIT, built_in_profile

Rgb = tuple[int, int, int]
Table = NDArray[np.floating]
# CIEDE2000: more than a press may differ from its own standard (ISO 12647-2: 5)
_DULL = 6

# Each simulates complete blindness. Grey is the luminance, as printers print it.
_FILTERS = {"deuteranopia": "deutan", "protanopia": "protan", "tritanopia": "tritan", "grey": "grayscale"}
FILTERS = tuple(_FILTERS)


@lru_cache(4096)
def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    return _open(one).contrast(_open(other), method="wcag21")


def coordinates(colours: list[Rgb], sight: str = "") -> Table:
    """CIELAB of n colours (n, 3), seen through one of FILTERS."""
    seen = [_open(colour).filter(_FILTERS[sight]) if sight else _open(colour) for colour in colours]
    return np.array([colour.convert("lab-d65").coords() for colour in seen]).reshape(-1, 3)


def differences(places: Table) -> Table:
    """CIEDE2000 between every two of n colours in CIELAB (n, 3), as (n, n)."""
    return difference(places[:, None], places)


def parse_colour(text: str) -> Rgb:
    """The channels, 0 to 255, of a colour as CSS writes it: "#1f3f8c"."""
    return channels(read_colour(text))


def format_colour(colour: Rgb) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _open(colour: Rgb) -> Color:
    return Color("srgb", [part / 255 for part in colour])


class _Polar(Struct, frozen=True):
    """Lightness, chroma and hue (rad) of colours."""

    light: Table
    chroma: Table
    hue: Table


def difference(one: Table, other: Table) -> Table:
    """The differences between colours (..., 3) and others; 0 for equal colours."""
    first, second = (np.hypot(colour[..., 1], colour[..., 2]) for colour in (one, other))
    stretch = 1 + 0.5 * (1 - _compare_to_25((first + second) / 2))
    return _between(_polar(one, stretch), _polar(other, stretch))


def _compare_to_25(chroma: Table) -> Table:
    """The formula's term for low chroma, which it also uses for the rotation of blues."""
    power: Table = chroma**7
    return np.asarray(np.sqrt(power / (power + 25.0**7)))


def _polar(colour: Table, stretch: Table) -> _Polar:
    a, b = colour[..., 1] * stretch, colour[..., 2]
    return _Polar(colour[..., 0], np.hypot(a, b), np.arctan2(b, a) % (2 * np.pi))


def _between(one: _Polar, other: _Polar) -> Table:
    light, chroma = (one.light + other.light) / 2, (one.chroma + other.chroma) / 2
    turn, hue = _hues(one, other)
    middle = (light - 50) ** 2
    of_light = (other.light - one.light) / (1 + 0.015 * middle / np.sqrt(20 + middle))
    of_chroma = (other.chroma - one.chroma) / (1 + 0.045 * chroma)
    of_hue = 2 * np.sqrt(one.chroma * other.chroma) * np.sin(turn / 2)
    of_hue = of_hue / (1 + 0.015 * chroma * _weigh(hue))
    blue = np.radians(60) * np.exp(-(((np.degrees(hue) - 275) / 25) ** 2))
    both = -2 * _compare_to_25(chroma) * np.sin(blue) * of_chroma * of_hue
    return np.asarray(np.sqrt(of_light**2 + of_chroma**2 + of_hue**2 + both))


def _hues(one: _Polar, other: _Polar) -> tuple[Table, Table]:
    """The shorter turn from one hue to the other and the hue half way (rad); no turn for grey."""
    straight = other.hue - one.hue
    turn = straight - 2 * np.pi * np.sign(straight) * (np.abs(straight) > np.pi)
    is_grey = one.chroma * other.chroma == 0
    mean = (one.hue + turn / 2) % (2 * np.pi)
    return np.where(is_grey, 0.0, turn), np.where(is_grey, one.hue + other.hue, mean)


def _weigh(hue: Table) -> Table:
    return np.asarray(
        1
        - 0.17 * np.cos(hue - np.radians(30))
        + 0.24 * np.cos(2 * hue)
        + 0.32 * np.cos(3 * hue + np.radians(6))
        - 0.20 * np.cos(4 * hue - np.radians(63))
    )


def palette_dull(palette: Mapping[str, str], place: Place) -> Iterator[Problem]:
    """A note on the colours ("#1f3f8c") of a palette that turn dull on a press; greys do not."""
    colours = {name: parse_colour(colour) for name, colour in palette.items()}
    colourful = {name: colour for name, colour in colours.items() if len(set(colour)) > 1}
    if not colourful:
        return
    mixer = mixing.Mixer(built_in_profile(), USUAL_LIMIT, is_of_few=True)
    descriptions, names = [], []
    for name, colour in colourful.items():
        printed = mixer.show(mixer.mix_flat(colour))
        difference = differences(coordinates([colour, printed]))[0, 1]
        if difference >= _DULL:
            shown = f"{format_colour(printed)}, a difference of {difference:.0f}"
            descriptions.append(f"{name} {palette[name]} (about {shown})")
            names.append(name)
    if names:
        what = f"a press prints these colours of the palette duller: {', '.join(descriptions)}"
        hint = "choose less bright colours if the game goes to a press"
        yield Problem(place, what, hint, "note", "colour.dull", found=", ".join(names))
