"""Take a game's colours, choose one to stand out on light and on dark pages (WCAG 2.2)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

LIGHT, DARK = "#fbf8f2", "#161412"  # the grounds of a page
LIGHT_PANEL, DARK_PANEL = "#f1ebdf", "#23201c"  # the grounds of its panels
LEAST = 4.5  # level AA, for text of any size
_STEPS = 40
_GREY = 24  # of 255: the least spread of the channels of a colour that is not a grey

Channels = tuple[int, int, int]


class Accent(Struct, frozen=True):
    """The same hue on both grounds, each "#rrggbb" with a contrast of at least LEAST."""

    light: str
    dark: str


def choose_accent(colours: Iterable[str]) -> Accent:
    """The first colour that is not a grey, made darker or lighter as far as a ground needs."""
    several = list(colours) or ["#333333"]
    chosen = next((one for one in several if _spread(one) >= _GREY), several[0])
    on_dark = _move(chosen, "#ffffff", (DARK, DARK_PANEL))
    return Accent(_move(chosen, "#000000", (LIGHT, LIGHT_PANEL)), on_dark)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _move(colour: str, towards: str, grounds: Iterable[str]) -> str:
    """The colour itself, or the nearest on the way to `towards` that is readable on each ground."""
    steps = (_mix(colour, towards, step / _STEPS) for step in range(_STEPS + 1))
    return next(one for one in steps if all(contrast(one, ground) >= LEAST for ground in grounds))


def _mix(one: str, other: str, share: float) -> str:
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _spread(colour: str) -> int:
    channels = _channels(colour)
    return max(channels) - min(channels)


def _luminance(colour: str) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in _channels(colour))
    )
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> Channels:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
