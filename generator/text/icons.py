"""Pictures to put among words, in their colour, from pictures or the names of icons."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.basics.errors import MisfitError, nearest, quote
from generator.basics.geometry import MM_PER_INCH, Size, parse_length
from generator.model import Art

if TYPE_CHECKING:
    from lxml import etree

_HOUSE = Path(__file__).with_name("house_icons")
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")
_SVG = "data:image/svg+xml;base64,"
_PICTURE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")
_TAKES_COLOUR = b"currentcolor"
_COLOUR = "color"
_LEAST_DPI = 150.0  # fewer look coarse


@cache
def house_icons() -> Mapping[str, Path]:
    """The files of the icons that every game has, by their names."""
    return {path.stem: path for path in sorted(_HOUSE.glob("*.svg"), key=lambda path: path.stem)}


@cache
def house_icon(name: str) -> Art | None:
    """The icon of that name that every game has, or None."""
    path = house_icons().get(name)
    return Art(name, _uri(path.read_bytes())) if path else None


def find_icon(name: str, own: Mapping[str, Art], otherwise: str) -> Art:
    """The icon of that name: one of `own`, or one that every game has. Raises MisfitError; its hint
    names one with nearly the same name, or says `otherwise`."""
    art = own.get(name) or house_icon(name)
    if art is None:
        near = nearest(name, {*own, *house_icons()})
        raise MisfitError(f"there is no icon {quote(name)}", f"did you mean {quote(near)}?" if near else otherwise)
    return art


@cache
def colour_picture(art: Art, colour: str) -> Art:
    """A picture with `colour` as its currentColor; unchanged if it does not use currentColor, or sets it itself."""
    root = _read_colourable(art.uri)
    if root is None or root.get(_COLOUR) is not None:
        return art
    root.set(_COLOUR, colour)
    return Art(art.name, _to_uri(root))


def pictures_in(drawings: Iterable[str]) -> set[str]:
    """The pictures in drawings, as data URIs without the colour of words."""
    uris = {match[0] for drawing in drawings for match in _PICTURE.finditer(drawing)}
    return set(map(colourless, uris))


def colourless(uri: str) -> str:
    """The data URI of a picture without the colour that `colour_picture` gave it."""
    root = _read_colourable(uri)
    if root is None:
        return uri
    root.attrib.pop(_COLOUR, None)
    return _to_uri(root)


def _read_colourable(uri: str) -> etree._Element | None:
    """The root of an SVG that uses currentColor, None for any other picture."""
    picture = base64.b64decode(uri.removeprefix(_SVG)) if uri.startswith(_SVG) else b""
    return _root(picture) if _TAKES_COLOUR in picture.lower() else None


def _root(picture: bytes) -> etree._Element:
    from lxml import etree

    from generator.basics.files import xml_parser

    return etree.fromstring(picture, xml_parser())


def _to_uri(root: etree._Element) -> str:
    from lxml import etree

    return _uri(etree.tostring(root))


def _uri(picture: bytes) -> str:
    return _SVG + base64.b64encode(picture).decode()


@cache
def proportion(art: Art) -> float:
    """Its width over its height; 1.0 for an SVG without a size. `art` has passed its checks."""
    kind, _, content = art.uri.partition(";base64,")
    picture = base64.b64decode(content)
    width, height = _svg_size(picture) if kind.endswith("svg+xml") else _pixels(picture)[:2]
    return width / height if width > 0 and height > 0 else 1.0


def natural_size(art: Art) -> Size:
    """In mm: of a drawing its page, or its viewBox in mm if its width has no unit; of another
    picture its pixels at its dpi, or at _LEAST_DPI."""
    kind, _, content = art.uri.partition(";base64,")
    picture = base64.b64decode(content)
    if kind.endswith("svg+xml"):
        try:
            width = parse_length(_root(picture).get("width", ""))
        except MisfitError:
            width, _ = _svg_size(picture)
    else:
        width, _, dpi = _pixels(picture)
        width *= MM_PER_INCH / max(dpi, _LEAST_DPI)
    return Size(width, width / proportion(art))


def _svg_size(picture: bytes) -> tuple[float, float]:
    root = _root(picture)
    box = _NUMBER.findall(root.get("viewBox", ""))
    sides = box[2:4] or _NUMBER.findall(f"{root.get('width', '')} {root.get('height', '')}")
    return (float(sides[0]), float(sides[1])) if len(sides) == 2 else (1.0, 1.0)


def _pixels(picture: bytes) -> tuple[float, float, float]:
    """Across, down, and in an inch, 0.0 if the picture does not say it."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        return *image.size, float(image.info.get("dpi", (0.0,))[0])
