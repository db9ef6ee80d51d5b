"""Take layers, make each a part of a self-contained file, with inline styles and unique ids."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import NamedTuple, Protocol
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from generator.art.extent import numbers_in
from generator.art.measure import user_units
from generator.errors import MisfitError
from generator.export.svg.cascade import SVG, inline_styles
from generator.export.svg.looks import SPACE, read_properties
from generator.export.svg.paints import HREFS, LINK
from generator.export.svg.uses import copy_used_texts
from generator.geometry import Size, decimal
from generator.model import Layer

_DRAWING = re.compile(r"\s*data:image/svg\+xml;base64,", re.IGNORECASE)
_FRAME = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile")
View = tuple[float, float, float, float]
_CLOSE = 1e-6
_NAMES = {HREFS[1]: "xlink:href", HREFS[0]: "xlink:href", SPACE: "xml:space"}
# The properties that a picture must not inherit from the drawing around it, with their defaults.
_INITIAL = {
    "clip-rule": "nonzero", "color": "black", "color-interpolation": "sRGB", "cursor": "auto",
    "color-interpolation-filters": "linearRGB", "fill": "black", "fill-opacity": "1",
    "fill-rule": "nonzero", "image-rendering": "auto", "marker": "none", "marker-end": "none",
    "marker-mid": "none", "marker-start": "none", "paint-order": "normal",
    "shape-rendering": "auto", "stroke": "none", "stroke-dasharray": "none",
    "stroke-dashoffset": "0", "stroke-linecap": "butt", "stroke-linejoin": "miter",
    "stroke-miterlimit": "4", "stroke-opacity": "1", "stroke-width": "1", "visibility": "visible",
}  # fmt: skip


class Letterer(Protocol):
    """Sets the texts of drawings."""

    def letter(self, drawing: Element, view: Size) -> None:
        """Turn the texts of a drawing into those of the file."""
        ...


class _StoredPicture(NamedTuple):
    """A picture in the file, with its id."""

    id: str
    size: Size  # in user units, as its root says
    view: View


class Inliner:
    """Makes parts of one file; `pictures` are their pictures, without duplicates."""

    def __init__(self, letterer: Letterer) -> None:
        self.pictures: list[Element] = []
        self._letterer = letterer
        self._pictures: dict[tuple[str, frozenset[str]], _StoredPicture] = {}
        self._count = 0

    def layer(self, layer: Layer, number: int) -> Element:
        """A layer as an <svg> with its size in mm, and with ids that begin with its number."""
        root = self._read(layer.svg, f"l{number}-")
        size, view = _extent(root)
        grow = max(layer.size.width / size.width, layer.size.height / size.height)
        box = Size(size.width * grow, size.height * grow)  # typst covers the page with it
        aside = Size((layer.size.width - box.width) / 2, (layer.size.height - box.height) / 2)
        fit = root.get("preserveAspectRatio")
        _frame(root, box, view)
        if fit:
            root.set("preserveAspectRatio", fit)
        if abs(aside.width) > _CLOSE or abs(aside.height) > _CLOSE:
            root.set("x", decimal(aside.width))
            root.set("y", decimal(aside.height))
        return _plain(root)

    def _read(self, svg: str | bytes, prefix: str) -> Element:
        root = ElementTree.fromstring(svg)
        inline_styles(root)
        _own_ids(root, prefix)
        copy_used_texts(root)
        _, (_, _, width, height) = _extent(root)
        self._letterer.letter(root, Size(width, height))
        self._inline_pictures(root, frozenset())
        return root

    def _inline_pictures(self, element: Element, inherited: frozenset[str]) -> None:
        inherited |= read_properties(element).keys() & _INITIAL.keys()
        for child in element:
            if child.tag == f"{SVG}image":
                self._inline(child, inherited)
            else:
                self._inline_pictures(child, inherited)

    def _inline(self, image: Element, inherited: frozenset[str]) -> None:
        """Replaces an image of a drawing by a use of that; images of pixels stay."""
        uri = next((image.get(name, "") for name in HREFS if image.get(name)), "")
        match = _DRAWING.match(uri)
        if match is None:
            return
        inherited |= read_properties(image).keys() & _INITIAL.keys()
        picture = self._pictures.get((uri, inherited))
        if picture is None:
            content = base64.b64decode(unquote(uri[match.end() :]))
            picture = self._pictures[uri, inherited] = self._picture(content, inherited)
        _measure(image, picture.size)
        frame = {name: image.attrib[name] for name in _FRAME if name in image.attrib}
        rest = {n: v for n, v in image.attrib.items() if n not in (*_FRAME, *HREFS)}
        shown = Element(f"{SVG}svg", {**frame, "viewBox": _numbers(picture.view)})
        SubElement(shown, f"{SVG}use", {HREFS[1]: f"#{picture.id}"})
        image.attrib.clear()
        image.tag, image.attrib = (f"{SVG}g", rest) if rest else (shown.tag, shown.attrib)
        image.extend([shown] if rest else list(shown))

    def _picture(self, content: bytes, inherited: frozenset[str]) -> _StoredPicture:
        """A picture, clipped to its frame, that inherits nothing from the drawing around it."""
        number = self._count = self._count + 1
        root = self._read(content, f"p{number}-")
        size, view = _extent(root)
        clip = Element(f"{SVG}clipPath", {"id": f"p{number}-"})
        content_group = Element(f"{SVG}g", {n: v for n, v in root.items() if n not in _FRAME})
        if abs(size.width * view[3] / (size.height * view[2]) - 1) > _CLOSE:
            content_group.tag = f"{SVG}svg"
            _frame(content_group, size, view)
            content_group.set("preserveAspectRatio", root.get("preserveAspectRatio", "xMidYMid"))
            view = (0.0, 0.0, *size)
        x, y, width, height = map(decimal, view, (6,) * 4)
        SubElement(clip, f"{SVG}rect", {"x": x, "y": y, "width": width, "height": height})
        content_group.extend(list(root))
        whole = Element(f"{SVG}g", {name: _INITIAL[name] for name in sorted(inherited)})
        whole.attrib |= {"id": f"p{number}", "clip-path": f"url(#p{number}-)"}
        whole.extend([content_group] if content_group.attrib else list(content_group))
        self.pictures += [_plain(clip), _plain(whole)]
        return _StoredPicture(f"p{number}", size, view)


def _extent(root: Element) -> tuple[Size, View]:
    """The size of a drawing, in user units of the element around it, and its viewBox."""
    box = numbers_in(root.get("viewBox", ""))
    view = (box[0], box[1], box[2], box[3]) if len(box) == 4 else None
    width, height = (_length(root.get(side, "")) for side in ("width", "height"))
    if view is not None:
        if width is None:
            width = view[2] if height is None else height * view[2] / view[3]
        height = width * view[3] / view[2] if height is None else height
    size = Size(width or 100.0, height or 100.0)
    return size, view or (0.0, 0.0, *size)


def _length(text: str) -> float | None:
    try:
        return user_units(text)
    except MisfitError:  # missing, or a percentage
        return None


def _frame(root: Element, size: Size, view: View) -> None:
    for name in _FRAME:
        root.attrib.pop(name, None)
    root.set("width", decimal(size.width))
    root.set("height", decimal(size.height))
    root.set("viewBox", _numbers(view))


def _measure(image: Element, size: Size) -> None:
    """Sets the size of an image, where it has only that of its picture."""
    width, height = (image.get(side) for side in ("width", "height"))
    if width is None:
        across = user_units(height) * size.width / size.height if height else size.width
        image.set("width", decimal(across))
    if height is None:
        image.set("height", decimal(user_units(image.get("width", "")) * size.height / size.width))


def _numbers(values: Iterable[float]) -> str:
    return " ".join(decimal(value, 6) for value in values)


def _own_ids(root: Element, prefix: str) -> None:
    """Adds the prefix to every id and to every reference."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                element.set(name, f"{prefix}{value}")
            elif name in HREFS and value.strip().startswith("#"):
                element.set(name, f"#{prefix}{value.strip()[1:]}")
            elif "url(" in value:
                element.set(name, LINK.sub(rf"url(#{prefix}\1)", value))


def _plain(root: Element) -> Element:
    """Renames elements and attributes for a file with SVG as its default namespace."""
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)
        named = sorted(
            element.attrib.items(), reverse=True
        )  # if there are two links, `href` counts
        element.attrib = {
            _NAMES.get(name, name): value
            for name, value in named
            if name in _NAMES or "}" not in name
        }
    return root
