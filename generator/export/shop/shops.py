"""Print shops and their products, read from shops.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from generator.basics.errors import did_you_mean, fail, quote
from generator.basics.geometry import Size
from generator.basics.outlines import Kind
from generator.basics.place import Place
from generator.basics.units import MM_PER_INCH, parse_length
from generator.pdf.inks import USUAL_LIMIT, PressColour, PressProfile, Standard

FileKind = Literal["png", "jpg", "pdf"]
PageOrder = Literal["back-front", "front-back"]
_KINDS: tuple[Kind, ...] = ("rectangle", "hexagon", "circle")


class Product(NamedTuple):
    """What a shop sells: its name there, the form of the cut piece, the size of its trim, and of
    the picture or page of a face, its trim in the middle. Sizes are in mm."""

    name: str
    kind: Kind
    trim: Size
    canvas: Size


class Shop(Struct, frozen=True):
    """How a shop wants its files; shops.toml explains each key. Lengths are in mm."""

    name: str
    title: str
    address: str
    source: Sequence[str]
    files: FileKind
    dpi: int
    bleed: float
    safe: float
    deck: Literal["component", "product"]
    file_name: str
    upload: str
    products: Sequence[Product]
    colour: Standard | Literal["RGB"]
    ink: int | None = None  # % of a solid layer
    order: PageOrder | None = None
    takes: str = ""
    autofill: Sequence[str] = ()
    any_size: bool = False

    @property
    def kinds(self) -> set[Kind]:
        """The forms of pieces that it cuts."""
        own: set[Kind] = {"rectangle"} if self.any_size else set()
        return own | {product.kind for product in self.products}

    def press_colour(self, profile: PressProfile) -> PressColour | None:
        """How its files are made for a press; None for RGB."""
        if self.colour == "RGB":
            return None
        limit = self.ink / 100 if self.ink else USUAL_LIMIT
        return PressColour(profile, limit, self.colour)


def shop_names() -> list[str]:
    """The names of all shops, in the order of the alphabet."""
    return sorted(_shops())


def find_shop(name: str) -> Shop:
    """The shop of a name, in any case. Raises PnpError if there is none."""
    shops = _shops()
    if not name:
        what, hint = "no shop is named", f"--for {', or '.join(shop_names())}"
        raise fail(Place("--for"), what, hint)
    if name.lower() not in shops:
        what = f"there is no shop {quote(name)}"
        raise fail(Place("--for"), what, did_you_mean(name, shops))
    return shops[name.lower()]


@cache
def _shops() -> Mapping[str, Shop]:
    text = Path(__file__).with_name("shops.toml").read_text("utf-8")
    return {name: _read(name, table) for name, table in tomllib.loads(text).items()}


def _read(name: str, table: Mapping[str, Any]) -> Shop:
    keys = {key: value for key, value in table.items() if key not in _KINDS}
    bleed, file_name = parse_length(keys.pop("bleed")), keys.pop("name")
    dpi, safe = keys.pop("dpi"), parse_length(keys.pop("safe"))
    products = tuple(_products(table, dpi, bleed))
    return Shop(
        name, dpi=dpi, bleed=bleed, safe=safe, file_name=file_name, products=products, **keys
    )


def _products(table: Mapping[str, Any], dpi: int, bleed: float) -> Iterator[Product]:
    for kind in _KINDS:
        for name, (width, height, *pixels) in table.get(kind, {}).items():
            trim = Size(parse_length(width), parse_length(height))
            canvas = with_bleed(trim, bleed)
            if pixels:
                canvas = Size(*(count / dpi * MM_PER_INCH for count in pixels))
            yield Product(name, kind, trim, canvas)


def with_bleed(trim: Size, bleed: float) -> Size:
    """A size with a bleed on each side."""
    return Size(trim.width + 2 * bleed, trim.height + 2 * bleed)
