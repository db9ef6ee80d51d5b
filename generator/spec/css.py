"""Take the styles of an SVG, make the properties of each element: as much CSS as drawings use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from lxml import etree

Properties = dict[str, str]

_COMMENT = re.compile(r"/\*.*?(\*/|\Z)", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_DECLARATION = re.compile(r"""([-\w]+)\s*:\s*((?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'(])*)""")
_LAST_NAME = re.compile(r"([.#]?[-\w]+|\*)(?:::?[-\w]+|\[[^\]]*\])*\s*\Z")
_LINK = re.compile(r"""(?:url|src|image|image-set)\(\s*["']?\s*([^"')]*)""", re.IGNORECASE)
_FONT = re.compile(r"(?:.*\s)?[\d.]+[a-z%]*(?:\s*/\s*\S+)?\s+(.+)", re.DOTALL)
# The attributes that are properties and may name another part of the drawing or a font.
PRESENTATION = (
    "clip-path",
    "cursor",
    "fill",
    "filter",
    "font-family",
    "marker",
    "marker-start",
    "marker-mid",
    "marker-end",
    "mask",
    "stroke",
)
_PRESENTATION = frozenset(PRESENTATION)


def without_comments(css: str) -> str:
    return _COMMENT.sub(" ", css)


def links(css: str) -> list[str]:
    """What `url(…)` and its kin point at."""
    if "(" not in css:
        return []
    return [target.strip() for target in _LINK.findall(without_comments(css))]


def declarations(css: str) -> Properties:
    if not css:
        return {}
    return {
        name.lower(): value.replace("!important", "").strip()
        for name, value in _DECLARATION.findall(without_comments(css))
    }


def families(properties: Properties) -> list[str]:
    """The font families asked for, the preferred first; [] when none is or it is inherited."""
    value = properties.get("font-family", "")
    if not value and "font" in properties:
        match = _FONT.match(properties["font"])
        value = match[1] if match else properties["font"]
    names = [name.strip().strip("'\"").strip() for name in value.split(",")]
    return [name for name in names if name and name != "inherit"]


class Styles:
    """The style elements of a drawing, and how they fall on its elements.

    A selector counts by its last name alone: `g .a` is `.a`. Drawing programs write no others.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._by_name: dict[str, Properties] = {}
        for sheet in sheets:
            for selectors, body in _RULE.findall(without_comments(sheet)):
                properties = declarations(body)
                for selector in selectors.split(","):
                    match = _LAST_NAME.search(selector)
                    if match:
                        self._by_name.setdefault(match[1], {}).update(properties)

    def of(self, element: etree._Element) -> Properties:
        """The properties of an element, without those it inherits."""
        told = element.attrib
        found = {str(name): str(told[name]) for name in told if name in _PRESENTATION}
        for name in self._names(element) if self._by_name else ():
            found |= self._by_name.get(name, {})
        return found | declarations(told.get("style", ""))

    @staticmethod
    def _names(element: etree._Element) -> Iterator[str]:
        """What selectors call the element, from the weakest to the strongest."""
        yield "*"
        yield etree.QName(element).localname
        yield from (f".{name}" for name in element.get("class", "").split())
        yield f"#{element.get('id')}"


def picture_of(uri: str) -> tuple[str, str] | None:
    """The format and base64 text of a `data:` URI with a picture that is printed."""
    match = re.match(r"\s*data:image/(png|jpeg|jpg);base64,", uri, re.IGNORECASE)
    if match is None:
        return None
    return match[1].lower().replace("jpg", "jpeg"), re.sub(r"\s", "", unquote(uri[match.end() :]))
