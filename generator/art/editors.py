"""Take a drawing as its editor saved it, replace the editor's own notations by plain SVG."""

from __future__ import annotations

import re
from contextlib import suppress

from lxml import etree

from generator.art import css
from generator.art.drawing import HREFS, SVG, Drawing
from generator.art.families import StandIn, name_families
from generator.art.pixels import read_embedded, sharpen
from generator.basics.errors import MisfitError
from generator.text import Font, FontBook

_SHARP = ("pixelated", "crisp-edges", "optimizeSpeed")  # of image-rendering
_PICTURES = (f"{SVG}image", f"{SVG}feImage")
_FAMILY = re.compile(r"font-family\s*:\s*([^;{}]+)")


def say_plainly(drawing: Drawing, fonts: FontBook) -> list[StandIn]:
    """Drop Illustrator's own copy of the drawing, turn its names of fonts into families, embed
    pictures in formats that the engine prints, and replace families that are missing.

    Returns the texts whose families were replaced.
    """
    drawing.drop(own for own in list(drawing.elements("foreignObject")) if _is_own_copy(own))
    for element in drawing.elements():
        if element.tag == f"{SVG}style" and element.text:
            element.text = _in_families(element.text, fonts)
        if "font-family" in element.get("style", ""):
            element.set("style", _in_families(element.get("style", ""), fonts))
        _split_font_name(element, fonts)
        if element.tag in _PICTURES:
            _embed_printable(drawing, element)
    return name_families(drawing, fonts)


def _embed_printable(drawing: Drawing, element: etree._Element) -> None:
    """Leaves a picture that cannot be printed: `effort_faults` reports it later."""
    for name in HREFS:
        uri = element.get(name, "")
        with suppress(MisfitError):
            if picture := read_embedded(uri):
                uri = sharpen(picture.uri) if is_sharp(drawing, element) else picture.uri
                element.set(name, uri)


def is_sharp(drawing: Drawing, image: etree._Element) -> bool:
    """Whether an <image> shows its pixels as squares."""
    rendering = drawing.styles.of(image).get("image-rendering") or image.get("image-rendering")
    return rendering in _SHARP


def _is_own_copy(element: etree._Element) -> bool:
    """Whether only a program with certain extensions would show it."""
    parent = element.getparent()
    is_choice = parent is not None and parent.tag == f"{SVG}switch"
    return is_choice and bool(element.get("requiredExtensions"))


def _split_font_name(element: etree._Element, fonts: FontBook) -> None:
    font = _find_by_full_name(element.get("font-family", ""), fonts)
    if font:
        element.set("font-family", font.family)
        element.set("font-weight", str(font.weight))
        element.set("font-style", "italic" if font.italic else "normal")


def _in_families(style: str, fonts: FontBook) -> str:
    def write(match: re.Match[str]) -> str:
        font = _find_by_full_name(match[1], fonts)
        if font is None:
            return match[0]
        slope = "italic" if font.italic else "normal"
        return f"font-family:'{font.family}';font-weight:{font.weight};font-style:{slope}"

    return _FAMILY.sub(write, style)


def _find_by_full_name(names: str, fonts: FontBook) -> Font | None:
    """The font of the first known name; None if that is the name of a family."""
    for name in css.families({"font-family": names}):
        if fonts.known(name):
            return None
        if font := fonts.find_called(name):
            return font
    return None
