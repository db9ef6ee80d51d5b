"""Colours as people write them ("steelblue", "rgb(1, 2, 3)", "#fff"), as "#rrggbb".

The names are Pillow's: coloraide 8.13 is wrong about mediumpurple. It reads the rest, and is loaded
for the first such colour: that takes a tenth of a second.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from generator.basics.errors import MisfitError, did_you_mean, nearest, quote

# For editors: what may be a colour, whether or not it is one.
COLOUR_PATTERN = r"^#([0-9a-fA-F]{3}){1,2}$|^[a-zA-Z]+$|^[a-zA-Z]+\(.+\)$"
LEAST_CONTRAST = 4.5  # WCAG 2, level AA, for text of any size
_HINT = "write '#1f3f8c', 'steelblue' or 'rgb(31, 63, 140)'"
_HEX = re.compile("#[0-9a-fA-F]{6}")
_MAX_COLOUR = 60  # characters: "color(display-p3 …)" has at most 50


def find_colour(value: object, palette: Mapping[str, str]) -> str:
    """A name in the palette, or a colour as CSS writes it, as "#rrggbb". The palette comes first.

    Raises MisfitError if it is neither.
    """
    if not isinstance(value, str) or value.startswith("#"):
        return read_colour(value)
    own = palette.get(value) or palette.get(value.lower())  # case matters in no name of CSS either
    try:
        return own or read_colour(value)
    except _UnknownColourError:
        raise MisfitError(f"unknown colour {quote(value)}", _meant(value, palette)) from None


def read_colour(value: object) -> str:
    """A colour as CSS writes it (Color 4: a name, hex digits, a function), as "#rrggbb"; one that
    sRGB does not have is clipped.

    Raises MisfitError if it is none, or is translucent.
    """
    if not isinstance(value, str):
        raise MisfitError(f"{quote(value)} is not a colour", _HINT)
    if _HEX.fullmatch(value):
        return value.lower()
    return _named().get(value.lower()) or _convert(value)


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb", 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def tint(colour: str, part: float) -> str:
    """A colour ("#rrggbb") at an opacity of `part` on white paper: so much of its ink."""
    return "#" + "".join(f"{round(255 - (255 - value) * part):02x}" for value in channels(colour))


def light(channel: int) -> float:
    """The light of a channel of sRGB, 0 to 1 (CSS Color 4, 10.2)."""
    part = channel / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    dark, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def legible_on(ground: str, colour: str = "#ffffff") -> str:
    """The colour, or white or black if it is not legible on a ground."""
    legible = (own for own in (colour, "#ffffff") if contrast(own, ground) >= LEAST_CONTRAST)
    return next(legible, "#000000")


def _luminance(colour: str) -> float:
    red, green, blue = map(light, channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class _UnknownColourError(MisfitError):
    pass


@lru_cache(1024)
def _convert(text: str) -> str:
    from coloraide import Color

    try:
        colour = Color(text if len(text) <= _MAX_COLOUR else "").convert("srgb").clip()
    except ValueError:
        raise _UnknownColourError(f"{quote(text)} is not a colour", _suggest(text) or _HINT) from None
    if colour.alpha(nans=False) < 1:
        hint = "write it opaque; a drawing has fill-opacity and stroke-opacity"
        raise MisfitError(f"the colour {quote(text)} is translucent", hint)
    return "#" + "".join(f"{int(255 * part + 0.5):02x}" for part in colour.coords(nans=False))


@cache
def _named() -> dict[str, str]:
    """The names of CSS, each with its "#rrggbb"."""
    from PIL.ImageColor import colormap, getrgb

    return {name: "#" + "".join(f"{part:02x}" for part in getrgb(name)) for name in colormap}


def _meant(value: str, palette: Mapping[str, str]) -> str:
    near = nearest(value, palette)
    if near or not _suggest(value):
        return did_you_mean(value, palette) or f"name it in [palette], or {_HINT}"
    return f"{_suggest(value)} Or name it in [palette]."


def _suggest(text: str) -> str:
    """A hint with the name of CSS that is nearest, "" if none is similar."""
    near = nearest(text, _named())
    return f"did you mean {quote(near)}?" if near else ""
