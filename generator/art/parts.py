"""Take a drawing, make it a part of another: an <svg> with separate styles and ids.

The engine (typst 0.15) omits the texts of a drawing in an <image>, but prints those of a part.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

from lxml import etree

from generator.art.cascade import inline_styles
from generator.art.drawing import HREFS, SPACE, SVG, user_units
from generator.art.extent import numbers_in
from generator.basics.errors import MisfitError
from generator.basics.geometry import Size, decimal
from generator.basics.safe_xml import xml_parser
from generator.model import Art

LINK = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)")
View = tuple[float, float, float, float]
# The attributes of a root that set its frame.
FRAME = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile")
_SEAT = ("x", "y", "width", "height", "preserveAspectRatio")
# The properties that a drawing must not inherit from the one around it, with their defaults.
INITIAL = {
    "clip-rule": "nonzero", "color": "black", "color-interpolation": "sRGB", "cursor": "auto",
    "color-interpolation-filters": "linearRGB", "fill": "black", "fill-opacity": "1",
    "fill-rule": "nonzero", "image-rendering": "auto", "marker": "none", "marker-end": "none",
    "marker-mid": "none", "marker-start": "none", "paint-order": "normal",
    "shape-rendering": "auto", "stroke": "none", "stroke-dasharray": "none",
    "stroke-dashoffset": "0", "stroke-linecap": "butt", "stroke-linejoin": "miter",
    "stroke-miterlimit": "4", "stroke-opacity": "1", "stroke-width": "1", "visibility": "visible",
}  # fmt: skip
_INITIAL_OF_TEXT = {
    "direction": "ltr", "dominant-baseline": "auto", "font-size": "12", "font-stretch": "normal",
    "font-style": "normal", "font-variant": "normal", "font-weight": "400",
    "letter-spacing": "normal", "text-anchor": "start", "text-rendering": "auto",
    "word-spacing": "normal", "writing-mode": "lr-tb", SPACE: "default",
}  # fmt: skip


def make_part(root: etree._Element) -> etree._Element:
    """An <svg> for `seat_part`, of the size of the drawing, with the content of its root."""
    prefix = f"p{blake2b(etree.tostring(root), digest_size=6).hexdigest()}-"
    inline_styles(root)
    own_ids(root, prefix)
    size, view = extent_of(root)
    part = etree.Element(f"{SVG}svg", INITIAL | _INITIAL_OF_TEXT)
    set_frame(part, size, (0.0, 0.0, *size))
    drawing = etree.SubElement(part, f"{SVG}svg", dict(root.attrib))
    set_frame(drawing, size, view)
    if fit := root.get("preserveAspectRatio"):
        drawing.set("preserveAspectRatio", fit)
    drawing.text = root.text
    drawing.extend(list(root))
    return part


def read_part(art: Art) -> etree._Element:
    """The part of a drawing with texts, for `seat_part`."""
    return etree.fromstring(art.part, xml_parser())


def seat_part(image: etree._Element, part: etree._Element) -> None:
    """Put a part in the place of an <image>, with the attributes of the image."""
    view = numbers_in(part.get("viewBox", ""))
    measure(image, Size(view[2], view[3]))
    group = etree.Element(f"{SVG}g", {n: v for n, v in image.items() if n not in (*_SEAT, *HREFS)})
    part.attrib.update({name: image.attrib[name] for name in _SEAT if name in image.attrib})
    group.append(part)
    group.tail = image.tail
    parent = image.getparent()
    assert parent is not None, "an <image> is never the root"
    parent.replace(image, group)


def extent_of(root: Any) -> tuple[Size, View]:
    """The size of a drawing, in user units of the element around it, and its viewBox."""
    box = numbers_in(root.get("viewBox", ""))
    is_frame = len(box) == 4 and min(box[2:]) > 0
    view = (box[0], box[1], box[2], box[3]) if is_frame else None
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


def set_frame(root: Any, size: Size, view: View) -> None:
    """Set the size and the viewBox of an <svg>, and nothing else of its frame."""
    for name in FRAME:
        root.attrib.pop(name, None)
    root.set("width", decimal(size.width))
    root.set("height", decimal(size.height))
    root.set("viewBox", write_view(view))


def measure(image: Any, size: Size) -> None:
    """Set the width and height that an image lacks, from the size of its picture."""
    width, height = (image.get(side) for side in ("width", "height"))
    if width is None:
        across = user_units(height) * size.width / size.height if height else size.width
        image.set("width", decimal(across))
    if height is None:
        image.set("height", decimal(user_units(image.get("width", "")) * size.height / size.width))


def write_view(view: View) -> str:
    return " ".join(decimal(value, 6) for value in view)


def own_ids(root: Any, prefix: str) -> None:
    """Add the prefix to every id and to every reference."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                element.set(name, f"{prefix}{value}")
            elif name in HREFS and value.strip().startswith("#"):
                element.set(name, f"#{prefix}{value.strip()[1:]}")
            elif "url(" in value:
                element.set(name, LINK.sub(rf"url(#{prefix}\1)", value))
