"""Filters of a drawing: their work, in blurs of the whole drawing, and changes to them.

Huge regions are cut, feMorphology is split into rows and columns, and reliefs stay as steep at any size of print.

The weights are measured (typst 0.15). A blur of a drawing that is printed as large as a card takes 0.08 s, of a smaller
drawing less by its area: the engine draws filters at 288 dpi, whatever its units.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

from lxml import etree

from generator.art.cascade import extent_of
from generator.art.drawing import LENGTH, NUMBER, SVG, Drawing, local
from generator.art.measure import Extents, enlarge, numbers_in, transforms_of
from generator.basics.errors import MisfitError, try_read
from generator.basics.geometry import Rect, decimal
from generator.basics.recent import remembered

ENGINE_DPI = 288.0  # of the engine's filters, whatever the size on paper
HUGE = 50.0  # times the drawing's longer side
_MORPHOLOGY = "feMorphology"
LIGHTS = ("feDiffuseLighting", "feSpecularLighting")
_NO_RADIUS = "0.000001"  # a window of one pixel; 0 is one unit for resvg
# Elements whose content is drawn in other units or at other places.
ELSEWHERE = ("svg", "symbol", "pattern", "marker", "mask", "defs")

_STEP = 0.5  # of any kind without a weight below
_WINDOW = 40_000.0  # times the square of the radius, as a part of the drawing's width
_CONVOLUTION = 1 / 25  # for each number of the matrix
_LARGEST = 100.0  # times the drawing: no larger area is drawn
_SIDES = ("x", "y", "width", "height")
_REGION = 1.2  # of the filtered element's width and height, by default


class Filters:
    """The work of the filters of a drawing."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._extents = Extents()
        sides = numbers_in(drawing.root.get("viewBox", ""))[2:4]
        sides = sides or [_number(drawing.root, name, 1.0) for name in ("width", "height")]
        self._width = sides[0]
        self._area = sides[0] * sides[-1]

    def work(self, element: etree._Element, without: str = "") -> float:
        """The work of the filter of an element, without those of its parts, and without the steps of one kind."""
        value = self._drawing.styles.of(element).get("filter", "none")
        if value == "none":
            return 0.0
        named = self._drawing.targets(element, "filter")
        functions = max(value.count("(") - len(named), 0)  # such as blur(2px)
        work = sum(self._weight(named_filter, without) * self._share(element, named_filter) for named_filter in named)
        return work + functions * self._share(element, None)

    def windows(self, element: etree._Element) -> float:
        """The work of feMorphology for an element, once `part_windows` has parted its steps: the
        area, times the radii across and down. The unit is that of the drawing, to the third."""
        work = 0.0
        for filter_ in self._drawing.targets(element, "filter"):
            unit, most = self._unit(element, filter_), 2 * self._width
            steps = filter_.iterchildren(f"{SVG}{_MORPHOLOGY}")
            radii = sum(min(sum(_radii(step)) * unit, most) for step in steps)
            work += radii * min(self._share(element, filter_), 1.0) * self._area
        return work

    def _unit(self, element: etree._Element, filter_: etree._Element) -> float:
        """A unit of the steps of a filter, in units of the drawing."""
        unit = try_read(enlarge, element)
        if unit is None:  # scaled until nothing is drawn
            return 0.0
        if filter_.get("primitiveUnits") == "objectBoundingBox":
            box = self._extents.of(element)
            return max(box.width, box.height) * unit if box else self._width
        return unit

    @remembered
    def _weight(self, filter_: etree._Element, without: str) -> float:
        steps = filter_.iterdescendants(etree.Element)
        return sum(self._step(step) for step in steps if local(step) != without)

    def _step(self, step: etree._Element) -> float:
        match local(step):
            case "feGaussianBlur" | "feDropShadow":
                return 1.0
            case "feTurbulence":
                return max(_number(step, "numOctaves", 1.0), 1.0)
            case "feMorphology":
                across, down = _radii(step)
                return _STEP + _WINDOW * across * down / self._width**2
            case "feConvolveMatrix":
                order = numbers_in(step.get("order", "")) or [3.0]
                return _STEP + _CONVOLUTION * abs(order[0] * order[-1])
        return _STEP

    def _share(self, element: etree._Element, filter_: etree._Element | None) -> float:
        """The area that a filter covers, as a part of the drawing's."""
        sides = [_number(filter_, name, _REGION) for name in ("width", "height")]
        area = abs(sides[0] * sides[1])
        scale = try_read(enlarge, element)
        if scale is None:  # until nothing is drawn
            return 0.0
        enlargement = scale**2
        if filter_ is None or filter_.get("filterUnits") != "userSpaceOnUse":
            box = self._extents.of(element)
            area *= box.width * box.height if box else self._area / enlargement
        return min(area * enlargement / self._area, _LARGEST)


def _number(element: etree._Element | None, name: str, default: float) -> float:
    """The number in an attribute; a percentage as a part of one."""
    text = "" if element is None else element.get(name, "")
    numbers = numbers_in(text)
    return (numbers[0] / 100 if "%" in text else numbers[0]) if numbers else default


def _radii(step: etree._Element) -> tuple[float, float]:
    """The radii of a feMorphology across and down; 0 is 1 for the engine, as is any other text."""
    radii = numbers_in(step.get("radius", ""))
    across, down = (radii[0], radii[-1]) if 1 <= len(radii) <= 2 else (0.0, 0.0)
    return abs(across) or 1.0, abs(down) or 1.0


def part_windows(filter_: etree._Element) -> None:
    """Part each feMorphology into one across and one down, which give the same: the least of a
    square is the least of its rows. resvg looks at every pixel of the square for each pixel."""
    for step in list(filter_.iterchildren(f"{SVG}{_MORPHOLOGY}")):
        if "-" in step.get("radius", ""):
            continue  # it changes nothing
        across, down = _radii(step)
        kept = {name: text for name, text in step.items() if name not in (*_SIDES, "result")}
        first = etree.Element(step.tag, kept | {"radius": f"{across:.9g} {_NO_RADIUS}"})
        step.attrib.pop("in", None)
        step.set("radius", f"{_NO_RADIUS} {down:.9g}")
        step.addprevious(first)


def raise_reliefs(drawing: Drawing, pixels: float) -> None:
    """Let every relief be as steep as at one pixel for a user unit, as in Inkscape; `pixels` is the
    number that a unit has. Engines measure its slope from pixel to pixel."""
    raised: set[etree._Element] = set()
    for user in drawing.elements():
        for filter_ in drawing.targets(user, "filter"):
            with suppress(MisfitError):  # scaled until nothing is drawn
                if filter_ not in raised:
                    raise_relief(filter_, pixels * enlarge(user))
            raised.add(filter_)


def raise_relief(filter_: etree._Element, pixels: float) -> None:
    """Lets the reliefs of one filter be as steep as at one pixel for a user unit."""
    for step in filter_.iterchildren(*(f"{SVG}{name}" for name in LIGHTS)):
        height = step.get("surfaceScale", "1")
        if re.fullmatch(rf"\s*{NUMBER}\s*", height):  # no placeholder
            step.set("surfaceScale", f"{float(height) * pixels:.9g}")


def cut_regions(drawing: Drawing) -> None:
    """Cut the huge regions of filters to the drawing and as much on each side of it: the engine
    draws them coarsely. Leaves those whose units are not certain to be the drawing's."""
    _, (x, y, width, height) = extent_of(drawing.root)
    longer = max(width, height)
    near = Rect(x, y, x + width, y + height).grown(longer)
    for filter_ in _find_plainly_used(drawing):
        sides = [LENGTH.fullmatch(filter_.get(name, "")) for name in _SIDES]
        numbers = [float(side[1]) for side in sides if side and not side[2]]
        if len(numbers) < len(_SIDES) or max(numbers[2:]) <= HUGE * longer:
            continue
        left, top, across, down = numbers
        x0, y0 = max(left, near.x0), max(top, near.y0)
        x1, y1 = min(left + across, near.x1), min(top + down, near.y1)
        for name, value in zip(_SIDES, (x0, y0, max(x1 - x0, 0), max(y1 - y0, 0)), strict=True):
            filter_.set(name, decimal(value))


def _find_plainly_used(drawing: Drawing) -> Iterator[etree._Element]:
    """The filters with a region in the drawing's own units, wherever they are used."""
    regions = [element for element in drawing.elements("filter") if element.get("filterUnits") == "userSpaceOnUse"]
    if not regions or next(drawing.elements("use"), None) is not None:
        return
    elsewhere: set[str] = set()
    for user in drawing.elements():
        ids = {id_ for name, id_ in drawing.references(user) if name == "filter"}
        holders = (element for element in user.iterancestors() if element is not drawing.root)
        if not ids:
            continue
        is_moved = bool(transforms_of(user) or drawing.styles.of(user).get("transform"))
        if is_moved or any(local(holder) in ELSEWHERE for holder in holders):
            elsewhere |= ids
    yield from (region for region in regions if region.get("id") not in elsewhere)
