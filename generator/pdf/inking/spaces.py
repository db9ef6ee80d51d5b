"""Take the colour spaces of a file, name what their colours mean: grey, or red, green and blue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Literal, Protocol

import pikepdf
from pikepdf import Array, Name

from generator.basics.errors import PnpError, fail
from generator.basics.place import Place
from generator.pdf.inks.mixing import Mixer, is_grey

Space = Literal["grey", "rgb", "pattern"]
Rgb = tuple[int, int, int]
Use = Literal["area", "fine", "black"]  # "fine": words and lines; "black": a large area
_DEVICE: dict[str, Space] = {
    "/DeviceGray": "grey",
    "/CalGray": "grey",
    "/DeviceRGB": "rgb",
    "/CalRGB": "rgb",
    "/Pattern": "pattern",
}
_BY_COUNT: dict[int, Space] = {1: "grey", 3: "rgb"}


class ColourMap(Protocol):
    """What colours become: inks, or the greys of a mask."""

    group_space: Name

    def convert(self, colour: Rgb, use: Use) -> tuple[float, ...]: ...
    def convert_run(self, colours: Sequence[Rgb]) -> list[tuple[float, ...]]: ...


class InkMap:
    """Colours become inks."""

    group_space = Name.DeviceCMYK

    def __init__(self, mixer: Mixer) -> None:
        self._mixer = mixer

    def convert(self, colour: Rgb, use: Use) -> tuple[float, ...]:
        mix = {"area": self._mixer.mix_flat, "fine": self._mixer.mix_fine, "black": self._mixer.mix}
        return mix[use](colour)

    def convert_run(self, colours: Sequence[Rgb]) -> list[tuple[float, ...]]:
        """The inks of the steps of a gradient; black alone only if all are greys, since a change
        from one kind of black to the other would show as an edge."""
        mix = self._mixer.mix_flat if all(map(is_grey, colours)) else self._mixer.mix
        return [mix(colour) for colour in colours]


class GreyMap:
    """Colours become the light that a mask lets through (ISO 32000-1, 11.5.3)."""

    group_space = Name.DeviceGray

    def convert(self, colour: Rgb, _: Use) -> tuple[float, ...]:
        red, green, blue = colour
        return (round((0.3 * red + 0.59 * green + 0.11 * blue) / 255, 5),)

    def convert_run(self, colours: Sequence[Rgb]) -> list[tuple[float, ...]]:
        return [self.convert(colour, "area") for colour in colours]


def name_space(space: pikepdf.Object) -> Space:
    """What a colour space is. Raises PnpError for one that the drawings never have."""
    name = str(space[0]) if isinstance(space, Array) else str(space)
    if name == "/ICCBased" and int(space[1].N) in _BY_COUNT:
        return _BY_COUNT[int(space[1].N)]
    if name in _DEVICE and not (name == "/Pattern" and isinstance(space, Array) and len(space) > 1):
        return _DEVICE[name]
    raise strange(f"the colour space {name}")


def to_rgb(values: Iterable[Any], space: Space) -> Rgb:
    """A colour of one or three values from 0 to 1."""
    parts = [_to_byte(value) for value in values]
    red, green, blue = parts * 3 if space == "grey" else parts
    return red, green, blue


def _to_byte(value: Decimal | float) -> int:
    return round(min(max(float(value), 0.0), 1.0) * 255)


def strange(what: str) -> PnpError:
    """The fault of a file that has something with no print in CMYK."""
    return fail(Place("colour cmyk"), f"{what} cannot be printed in CMYK", "print it as rgb")
