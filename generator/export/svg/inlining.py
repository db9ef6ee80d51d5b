"""Take layers, make each a part of a self-contained file, with inline styles and unique ids."""

from __future__ import annotations

import base64
import re
from typing import Protocol
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from msgspec import Struct

from generator.art.cascade import inline_styles
from generator.art.drawing import HREFS, SPACE, SVG, XLINK_HREF, link_of
from generator.art.looks import read_properties
from generator.art.parts import (
    FRAME,
    INITIAL,
    View,
    extent_of,
    measure,
    own_ids,
    set_frame,
    write_view,
)
from generator.basics.geometry import Size, decimal
from generator.export.svg.uses import copy_used_texts
from generator.model import Layer

_DRAWING = re.compile(r"\s*data:image/svg\+xml;base64,", re.IGNORECASE)
_CLOSE = 1e-6
_NAMES = {**dict.fromkeys(HREFS, "xlink:href"), SPACE: "xml:space"}


class Letterer(Protocol):
    """Sets the texts of drawings."""

    def letter(self, drawing: Element, view: Size) -> None:
        """Turn the texts of a drawing into those of the file."""
        ...


class _StoredPicture(Struct, frozen=True):
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
        size, view = extent_of(root)
        grow = max(layer.size.width / size.width, layer.size.height / size.height)
        box = Size(size.width * grow, size.height * grow)  # typst covers the page with it
        aside = Size((layer.size.width - box.width) / 2, (layer.size.height - box.height) / 2)
        fit = root.get("preserveAspectRatio")
        set_frame(root, box, view)
        if fit:
            root.set("preserveAspectRatio", fit)
        if abs(aside.width) > _CLOSE or abs(aside.height) > _CLOSE:
            root.set("x", decimal(aside.width))
            root.set("y", decimal(aside.height))
        return _plain(root)

    def _read(self, svg: str | bytes, prefix: str) -> Element:
        root = ElementTree.fromstring(svg)
        inline_styles(root)
        own_ids(root, prefix)
        copy_used_texts(root)
        _, (_, _, width, height) = extent_of(root)
        self._letterer.letter(root, Size(width, height))
        self._inline_pictures(root, frozenset())
        return root

    def _inline_pictures(self, element: Element, inherited: frozenset[str]) -> None:
        inherited |= read_properties(element.attrib).keys() & INITIAL.keys()
        for child in element:
            if child.tag == f"{SVG}image":
                self._inline(child, inherited)
            else:
                self._inline_pictures(child, inherited)

    def _inline(self, image: Element, inherited: frozenset[str]) -> None:
        """Replaces an image of a drawing by a use of that; images of pixels stay."""
        uri = link_of(image)
        match = _DRAWING.match(uri)
        if match is None:
            return
        inherited |= read_properties(image.attrib).keys() & INITIAL.keys()
        picture = self._pictures.get((uri, inherited))
        if picture is None:
            content = base64.b64decode(unquote(uri[match.end() :]))
            picture = self._pictures[uri, inherited] = self._picture(content, inherited)
        measure(image, picture.size)
        frame = {name: image.attrib[name] for name in FRAME if name in image.attrib}
        rest = {n: v for n, v in image.attrib.items() if n not in (*FRAME, *HREFS)}
        shown = Element(f"{SVG}svg", {**frame, "viewBox": write_view(picture.view)})
        SubElement(shown, f"{SVG}use", {XLINK_HREF: f"#{picture.id}"})
        image.attrib.clear()
        image.tag, image.attrib = (f"{SVG}g", rest) if rest else (shown.tag, shown.attrib)
        image.extend([shown] if rest else list(shown))

    def _picture(self, content: bytes, inherited: frozenset[str]) -> _StoredPicture:
        """A picture, clipped to its frame, that inherits nothing from the drawing around it."""
        number = self._count = self._count + 1
        root = self._read(content, f"p{number}-")
        size, view = extent_of(root)
        clip = Element(f"{SVG}clipPath", {"id": f"p{number}-"})
        content_group = Element(f"{SVG}g", {n: v for n, v in root.items() if n not in FRAME})
        if abs(size.width * view[3] / (size.height * view[2]) - 1) > _CLOSE:
            content_group.tag = f"{SVG}svg"
            set_frame(content_group, size, view)
            content_group.set("preserveAspectRatio", root.get("preserveAspectRatio", "xMidYMid"))
            view = (0.0, 0.0, *size)
        x, y, width, height = map(decimal, view, (6,) * 4)
        SubElement(clip, f"{SVG}rect", {"x": x, "y": y, "width": width, "height": height})
        content_group.extend(list(root))
        whole = Element(f"{SVG}g", {name: INITIAL[name] for name in sorted(inherited)})
        whole.attrib |= {"id": f"p{number}", "clip-path": f"url(#p{number}-)"}
        whole.extend([content_group] if content_group.attrib else list(content_group))
        self.pictures += [_plain(clip), _plain(whole)]
        return _StoredPicture(f"p{number}", size, view)


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
