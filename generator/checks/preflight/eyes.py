"""Contrast of colours, their coordinates as an eye sees them, and their differences.

The formulas are sRGB (CSS Color 4, 10.2), CIELAB (CIE 15:2004), WCAG 2, and CIEDE2000 for many
pairs at a time. The tests compare all with coloraide, which takes a tenth of a second to load.

Also the colours of a palette that the inks of a press cannot print.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from generator.basics.colours import channels, read_colour
from generator.basics.errors import Place, Problem
from generator.pdf import mixing
from generator.pdf.inks import USUAL_LIMIT, built_in_profile

Rgb = tuple[int, int, int]

_TO_XYZ = np.array(
    [
        [0.41239079926595934, 0.357584339383878, 0.1804807884018343],
        [0.21263900587151027, 0.715168678767756, 0.07219231536073371],
        [0.01933081871559182, 0.11919477979462598, 0.9505321522496607],
    ]
)
_LUMINANCE = _TO_XYZ[1]
_EPSILON, _KAPPA = 216 / 24389, 24389 / 27  # of CIELAB

# The cones of Smith and Pokorny (1975), as Viénot, Brettel and Mollon (1999) use them
_TO_LMS = np.array(
    [
        [0.178824041258, 0.4351609057, 0.04119349692],
        [0.034556423182, 0.27155382458, 0.03867130836],
        [0.000299565576, 0.0018430896, 0.01467086136],
    ]
)
_FROM_LMS = np.linalg.inv(_TO_LMS)
_WHITE, _BLUE = _TO_LMS.sum(axis=1), _TO_LMS[:, 2]
Table = NDArray[np.floating]
# CIEDE2000: more than a press may differ from its own standard (ISO 12647-2: 5)
_DULL = 6


def _lose_cone(cone: int) -> Table:
    """The map of linear colours (3, 3) for an eye without one kind of cones: it replaces their
    value by that in the plane through black, white and blue."""
    normal = np.cross(_WHITE, _BLUE)
    seen = np.eye(3)
    seen[cone] = -normal / normal[cone]
    seen[cone, cone] = 0.0
    lost: Table = _FROM_LMS @ seen @ _TO_LMS
    return lost


# Without short cones, the value is that in one of two half planes, which meet at white; their
# other edges are spectral lights of 485 and 660 nm (Brettel, Viénot and Mollon, 1997).
_WINGS = np.array([[-0.060107569, 0.162986387, 0.0], [-0.0025738511, 0.0536567225, 0.0]])
_WINGS_APART = np.array([0.344781556122, -0.655178443878, 0.0])

# Each simulates complete blindness. Grey is the luminance, as printers print it.
FILTERS = ("deuteranopia", "protanopia", "tritanopia", "grey")
_MAPS = {"deuteranopia": _lose_cone(1), "protanopia": _lose_cone(0), "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1))}


@lru_cache(4096)
def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    dark, light = sorted(_linear([one, other]) @ _LUMINANCE)
    return float((light + 0.05) / (dark + 0.05))


def coordinates(colours: list[Rgb], sight: str = "") -> Table:
    """CIELAB of n colours (n, 3), seen through one of FILTERS."""
    seen = _linear(colours)
    if sight == "tritanopia":
        seen = _lose_short_cones(seen)
    elif sight:
        seen = seen @ _MAPS[sight].T
    return _lab(seen)


def differences(places: Table) -> Table:
    """CIEDE2000 between every two of n colours in CIELAB (n, 3), as (n, n)."""
    return difference(places[:, None], places)


def parse_colour(text: str) -> Rgb:
    """The channels, 0 to 255, of a colour as CSS writes it: "#1f3f8c"."""
    return channels(read_colour(text))


def format_colour(colour: Rgb) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _linear(colours: list[Rgb]) -> Table:
    """The light of colours, (n, 3) from 0 to 1."""
    return mixing.linear(np.array(colours, np.float64).reshape(-1, 3) / 255)


def _lose_short_cones(linear: Table) -> Table:
    cones = linear @ _TO_LMS.T
    is_beyond = cones @ _WINGS_APART > 0
    cones[..., 2] = np.where(is_beyond, cones @ _WINGS[1], cones @ _WINGS[0])
    lost: Table = cones @ _FROM_LMS.T
    return lost


def _root(shares: Table) -> Table:
    """The scale of CIELAB for parts of the light of white."""
    return np.where(shares > _EPSILON, np.cbrt(shares), (_KAPPA * shares + 16) / 116)


def _lab(linear: Table) -> Table:
    x, y, z = _root(linear @ _TO_XYZ.T / _TO_XYZ.sum(axis=1)).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


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
