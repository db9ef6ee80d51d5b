"""What the gradients of a drawing inherit from each other."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from generator.art.drawing import SVG, Drawing

GRADIENTS = (f"{SVG}radialGradient", f"{SVG}linearGradient")
_MOST_CHAINED = 20  # gradients, each of which refers to the next
_TRANSFORM = "gradientTransform"


def find_chain(drawing: Drawing, gradient: etree._Element) -> Iterator[etree._Element]:
    """A gradient, and those whose attributes and stops it inherits, the nearest first."""
    element: etree._Element | None = gradient
    for _ in range(_MOST_CHAINED):
        if element is None or element.tag not in GRADIENTS:
            break
        yield element
        element = next(iter(drawing.targets(element, "href")), None)


def find_inherited(drawing: Drawing, gradient: etree._Element, name: str) -> str:
    """An attribute of a gradient, or else of the next in its chain that has it."""
    chain = find_chain(drawing, gradient)
    return next(
        (str(gradient.get(name)).strip() for gradient in chain if name in gradient.attrib), ""
    )


def inherit_transforms(drawing: Drawing) -> None:
    """Give each gradient the transform that it inherits: the engine takes only its own."""
    for gradient in drawing.elements():
        if gradient.tag in GRADIENTS and (map_ := find_inherited(drawing, gradient, _TRANSFORM)):
            gradient.set(_TRANSFORM, map_)
