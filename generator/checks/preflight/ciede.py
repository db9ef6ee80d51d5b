"""Take colours in CIELAB, compute their differences: CIEDE2000, for many pairs at a time.

Source: Sharma, Wu and Dalal (2005), "The CIEDE2000 color-difference formula".
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Table = NDArray[np.floating]


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
