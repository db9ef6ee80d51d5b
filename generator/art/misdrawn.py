"""Take a drawing, find the elements that the engine (typst 0.15) would draw wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from generator.art.drawing import SVG, Drawing, local
from generator.art.extent import Extents
from generator.art.families import TEXT
from generator.art.measure import transforms_of
from generator.art.parts import extent_of
from generator.art.transforms import transform_of
from generator.geometry import Rect

_REPEATED = ("reflect", "repeat")
_NO_RADIUS = re.compile(r"\+?0*+\.?0*+%?|-.*+|[^\d.+-].*+|")  # 0, or a text that counts as 0
_MOST_CHAINED = 20  # gradients, each of which refers to the next
_GRADIENTS = (f"{SVG}radialGradient", f"{SVG}linearGradient")
_CONTEXT = ("context-fill", "context-stroke")
_PAINTS = ("fill", "stroke")
# Elements whose content is drawn in other units or at other places.
_ELSEWHERE = ("svg", "symbol", "pattern", "marker", "mask", "defs")
_GROWN = 0.5  # of its sides, for the lines around a shape


class Misdrawn(NamedTuple):
    """An element, the kind of its fault, and a box that holds it, in units of its parent; None if
    that is not known."""

    element: etree._Element
    what: str
    box: Rect | None


def find_misdrawn(drawing: Drawing) -> Iterator[Misdrawn]:
    """The elements that another engine must draw; none of them is within another."""
    wrong = dict(_find_definitions(drawing))
    with_context = set(_find_context(drawing))
    elements: set[etree._Element] = set()
    for element in drawing.elements():
        if element.tag in _GRADIENTS or not elements.isdisjoint(element.iterancestors()):
            continue
        what = _reason(drawing, element, wrong, with_context)
        whole = _whole(element)
        if what and whole is not None and whole not in elements:
            elements.add(whole)
            yield Misdrawn(whole, what, _box(drawing, whole))


def _find_definitions(drawing: Drawing) -> Iterator[tuple[str, str]]:
    """The ids of gradients and filters that are drawn wrong, with the reason."""
    for gradient in drawing.elements("radialGradient"):
        if _find_inherited(drawing, gradient, "spreadMethod") in _REPEATED:
            yield gradient.get("id", ""), "a radial gradient that repeats"
        elif not _NO_RADIUS.fullmatch(_find_inherited(drawing, gradient, "fr").strip()):
            yield gradient.get("id", ""), "a radial gradient with an inner radius"
    for filter_ in drawing.elements("filter"):
        steps = {local(step): step for step in filter_.iterdescendants(etree.Element)}
        if "feTile" in steps:
            yield filter_.get("id", ""), "a filter with tiles"
        elif any(step.get("stitchTiles") == "stitch" for step in steps.values()):
            yield filter_.get("id", ""), "a filter with a stitched turbulence"


def _find_inherited(drawing: Drawing, gradient: etree._Element, name: str) -> str:
    """An attribute of a gradient, or else of the next in its chain of references that has it."""
    one: etree._Element | None = gradient
    for _ in range(_MOST_CHAINED):
        if one is None or one.tag not in _GRADIENTS:
            break
        if name in one.attrib:
            return str(one.get(name, ""))
        targets = [id_ for attribute, id_ in drawing.references(one) if attribute == "href"]
        one = next(iter(drawing.by_id.get(targets[0], ())), None) if targets else None
    return ""


def _find_context(drawing: Drawing) -> Iterator[etree._Element]:
    """The elements painted like the <use> or marker that shows them, and those around them."""
    for element in drawing.elements():
        properties = drawing.styles.of(element)
        if any(properties.get(name) in _CONTEXT for name in _PAINTS):
            yield element
            yield from element.iterancestors()


def _reason(
    drawing: Drawing,
    element: etree._Element,
    wrong: dict[str, str],
    with_context: set[etree._Element],
) -> str:
    links = dict(drawing.references(element))
    if local(element) in TEXT and any(name in links for name in _PAINTS):
        strokes = (
            drawing.styles.of(one).get("stroke") for one in (element, *element.iterancestors())
        )
        if next(filter(None, strokes), "none") != "none":  # pdfium draws the line too wide
            return "an outlined text with a gradient or pattern"
    for name in (*_PAINTS, "filter"):
        if links.get(name) in wrong:
            return wrong[links[name]]
    is_painted = any(name in links for name in _PAINTS)
    shown = drawing.by_id.get(links.get("href", ""), ()) if element.tag == f"{SVG}use" else ()
    if is_painted and any(one in with_context for one in shown):
        return "a clone in the gradient or pattern of its original"
    return ""


def _whole(element: etree._Element) -> etree._Element | None:
    """The element to draw: of a part of a text, the text; of a part of a clip, nothing."""
    holders = [element, *element.iterancestors()]
    if any(local(one) == "clipPath" for one in holders):
        return None
    return next((one for one in holders if local(one) == "text"), element)


def _box(drawing: Drawing, element: etree._Element) -> Rect | None:
    parent = element.getparent()
    if parent is None:
        return None
    holders = [one for one in element.iterancestors() if one is not drawing.root]
    if not any(local(one) in _ELSEWHERE for one in holders):
        _, (x, y, width, height) = extent_of(drawing.root)
        motion = transform_of(" ".join(transforms_of(parent)))
        if abs(motion.a * motion.d - motion.b * motion.c) < 1e-9:
            return None
        return motion.inverse().apply_rect(Rect(x, y, x + width, y + height))
    if element.get("transform"):
        return None
    box = Extents().of(element)
    if box is None or not box.width or not box.height:
        return None
    across, down = box.width * _GROWN, box.height * _GROWN
    return Rect(box.x0 - across, box.y0 - down, box.x1 + across, box.y1 + down)
