"""Areas of a drawing: the rings around what its elements fill, in user units.

Also the places and the sizes of its pictures, lines and words.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from lxml import etree

from generator.art import css
from generator.art.cascade import View, extent_of
from generator.art.drawing import link_of, local, user_units
from generator.art.measure import chains_of, numbers_in, transform_of, write_path
from generator.basics.errors import MisfitError, try_read
from generator.basics.geometry import Affine, Point, decimal, translation
from generator.basics.shapes import Outline, area, box_of, holds_point

_STEPS = 6  # points of a curve: the area of a circle to a hundredth
UNSEEN = ("clipPath", "defs", "desc", "filter", "linearGradient", "marker", "mask", "metadata",
           "pattern", "radialGradient", "style", "symbol", "title")  # fmt: skip


def rings_of(element: etree._Element) -> tuple[Outline, ...]:
    """The rings around what a shape fills, none for any other element."""
    path = try_read(write_path, element) or ""  # none of one in per cent
    return tuple(chain for chain in chains_of(path, _STEPS) if len(chain) > 2)


def area_of(rings: Sequence[Outline]) -> float:
    """The area within rings, in square user units. A ring that runs against the largest, or is within it, is a hole."""
    areas = [area(ring) for ring in rings]
    largest = max(areas, key=abs, default=0.0)
    around = rings[areas.index(largest)] if rings else ()
    whole = 0.0
    for ring, space in zip(rings, areas, strict=True):
        middle = Point(sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring))
        is_hole = space * largest < 0 or (ring is not around and holds_point(around, middle))
        whole += -abs(space) if is_hole else abs(space)
    return max(whole, 0.0)


def centre_of(image: etree._Element, place: Affine) -> Point:
    x, y, width, height = (number_in(image, name) for name in ("x", "y", "width", "height"))
    return place.apply(Point(x + width / 2, y + height / 2))


def picture_key(image: etree._Element, place: Affine) -> tuple[str, str]:
    """A key that is equal for equal pictures of equal width on a face."""
    return link_of(image), decimal(number_in(image, "width") * place.enlargement, 1)


def find_images(root: etree._Element, place: Affine) -> Iterator[tuple[etree._Element, Affine]]:
    """The images in a drawing, each with the map of its user units to the face."""
    for child in root.iterchildren(etree.Element):
        own = place @ transform_of(child.get("transform", ""))
        if local(child) == "image":
            yield child, own
        elif local(child) not in UNSEEN:
            yield from find_images(child, own @ frame_of(child) if local(child) == "svg" else own)


def frame_of(svg: etree._Element) -> Affine:
    """The map from the units within a nested <svg> to those around it."""
    size, view = extent_of(svg)
    x, y = (number_in(svg, name) for name in "xy")
    scale = min(size.width / view[2], size.height / view[3])
    return translation(x, y) @ Affine(a=scale, d=scale) @ translation(-view[0], -view[1])


def seat_of(image: etree._Element, view: View) -> Affine:
    """The map from the units of a drawing to those around the <image> that shows it."""
    x, y, width, height = (number_in(image, name) for name in ("x", "y", "width", "height"))
    across, down = (width or view[2]) / view[2], (height or view[3]) / view[3]
    scale = min(across, down)
    left = x + ((width or view[2]) - scale * view[2]) / 2
    top = y + ((height or view[3]) - scale * view[3]) / 2
    return translation(left, top) @ Affine(a=scale, d=scale) @ translation(-view[0], -view[1])


def root_map(root: etree._Element, width: float) -> Affine:
    """The map from the user units of a layer to its millimetres."""
    view = numbers_in(root.get("viewBox", ""))
    if len(view) != 4 or not view[2]:
        return Affine()
    scale = width / view[2]
    return Affine(a=scale, d=scale) @ translation(-view[0], -view[1])


def number_in(element: etree._Element, name: str) -> float:
    """A length across or down, in user units; one in per cent is of the <svg> around it."""
    text = element.get(name, "")
    number = next(iter(numbers_in(text)), 0.0)
    if text.endswith("%"):
        _, view = extent_of(next(element.iterancestors("{*}svg"), element))
        return number / 100 * view[2 if name in ("x", "width") else 3]
    with suppress(MisfitError):
        return user_units(text)
    return number


def letter_size(text: etree._Element) -> float:
    return next(iter(numbers_in(own_style(text, "font-size"))), 4.0)


def ends_of(line: etree._Element) -> Outline:
    if local(line) == "line":
        x1, y1, x2, y2 = (number_in(line, name) for name in ("x1", "y1", "x2", "y2"))
        return Point(x1, y1), Point(x2, y2)
    numbers = numbers_in(line.get("d", ""))[:2]
    return (Point(*numbers),) if len(numbers) == 2 else ()


def middle_of(rings: Sequence[Outline]) -> Point:
    return box_of(point for ring in rings for point in ring).centre


def own_style(element: etree._Element, name: str) -> str:
    style = css.declarations(element.get("style", "")) if element.get("style") else {}
    return (style.get(name) or element.get(name, "")).strip()
