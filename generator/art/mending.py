"""Take a drawing, rewrite what the engine (typst 0.15, usvg) would draw wrong."""

from __future__ import annotations

import re

from lxml import etree

from generator.art import css
from generator.art.dots import HAIR, lengthen_dots
from generator.art.drawing import HREFS, NUMBER, SVG, XLINK_HREF, Drawing, local
from generator.art.families import find_own, number_weights
from generator.art.filters import cut_regions
from generator.art.gradients import inherit_transforms
from generator.art.parts import extent_of, write_view

_DOTS = re.compile(rf"\s*+0(?:\.0*)?[\s,]++(?P<gap>{NUMBER})\s*+")
EFFECTS = {"filter": "filter", "clip-path": "clipPath", "mask": "mask"}  # what each refers to
_MOVED = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "overflow")


def mend(drawing: Drawing) -> None:
    """Rewrite these: a missing viewBox, links, the older of two references, transforms of nested
    drawings and of gradients, dots, dashes without a length, huge regions of filters,
    relative weights."""
    if "viewBox" not in drawing.root.attrib:
        drawing.root.set("viewBox", write_view(extent_of(drawing.root)[1]))
    for element in list(drawing.elements()):
        if element.tag == f"{SVG}a":
            for name in HREFS:  # a link has no use on paper
                element.attrib.pop(name, None)
        elif all(name in element.attrib for name in HREFS):
            del element.attrib[XLINK_HREF]
        lengthen_dots(element)
        _lengthen_dashes(drawing, element)
        if element.tag == f"{SVG}svg" and find_transform(drawing, element):
            _wrap(element)
    inherit_transforms(drawing)
    cut_regions(drawing)
    number_weights(drawing)
    drawing.forget_styles()


def drop_lost_effects(drawing: Drawing) -> None:
    """Drop the filters, clips and masks that refer to nothing or to another kind of element, as
    browsers do: the engine would not draw the elements."""
    for element in drawing.elements():
        for name, id_ in list(drawing.references(element)):
            is_whole = drawing.styles.of(element).get(name, "").count("(") == 1  # not with blur(1)
            if is_whole and is_lost_effect(drawing, name, id_):
                element.attrib.pop(name, None)
                set_own(element, name, "none")
    drawing.forget_styles()


def is_lost_effect(drawing: Drawing, name: str, id_: str) -> bool:
    """Whether a property is an effect, and no element of its kind has that id first."""
    kind = EFFECTS.get(name)
    return kind is not None and all(local(one) != kind for one in drawing.by_id.get(id_, ())[:1])


def _lengthen_dashes(drawing: Drawing, element: etree._Element) -> None:
    """Give dashes of length 0 a hair of length: pdfium makes them 0.1 long, and they drift."""
    dots = _DOTS.fullmatch(find_own(drawing, element, "stroke-dasharray")[:100])
    if dots and (gap := float(dots["gap"]) - HAIR) > 0:
        set_own(element, "stroke-dasharray", f"{HAIR} {gap:.6g}")


def set_own(element: etree._Element, name: str, value: str) -> None:
    style = css.declarations(element.get("style", ""))
    element.set("style", css.write_declarations(style | {name: value}))


def find_transform(drawing: Drawing, element: etree._Element) -> str:
    """The transform of an element; "" for none."""
    return drawing.styles.of(element).get("transform") or element.get("transform", "")


def _wrap(nested: etree._Element) -> None:
    """Put a nested <svg> with a transform into a group that has it, and the effects after it."""
    parent = nested.getparent()
    if parent is None:
        return
    group = etree.Element(f"{SVG}g", {n: v for n, v in nested.items() if n not in _MOVED})
    for name in group.attrib:
        del nested.attrib[name]
    group.tail, nested.tail = nested.tail, None
    parent.replace(nested, group)
    group.append(nested)
