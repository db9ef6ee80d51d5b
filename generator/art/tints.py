"""Take a colour, make the same with a share of its ink; contrast and lightness of colours."""

from __future__ import annotations

_GROUND, _LIGHT_GROUND = 0.12, 0.16  # of its ink, which a black area keeps; a light one keeps more
_LETTERS = 0.5  # of the ink of large letters
_CONTRAST = 3.1  # of these to their ground: WCAG asks for 3


def tint(colour: str, share: float) -> str:
    """A colour with a share of its ink."""
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in _parts(colour))


def lighter_letters(colour: str, ground: str) -> str:
    """The colour of large letters: as light as their ground allows."""
    shares = (_LETTERS + step / 20 for step in range(11))
    lighter = (tint(colour, share) for share in shares)
    return next((one for one in lighter if contrast(one, ground) >= _CONTRAST), colour)


def share_of(colour: str) -> float:
    """The share of its ink that an area keeps: a light one keeps more, or it would vanish."""
    return _GROUND + _LIGHT_GROUND * lightness(colour) ** 2


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2: 1 for equal colours, 21 for black on white."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in _parts(colour))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def lightness(colour: str) -> float:
    """The lightness of a colour, 0 to 1, as an eye sees it."""
    red, green, blue = (part / 255 for part in _parts(colour))
    return 0.3 * red + 0.59 * green + 0.11 * blue
