"""Take a drawing, find whether drawing it is too much work: clones of clones, huge pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from lxml import etree

from generator.art.drawing import Drawing, Fault, link_of, local
from generator.art.filters import Filters
from generator.art.pixels import MAX_PIXELS, count_embedded
from generator.art.svg import MAX_DRAWN
from generator.basics.errors import MisfitError

MAX_FILTERED = 250  # blurs of the whole drawing: 20 s for one as large as a card
MAX_DRAWN_PIXELS = 4 * MAX_PIXELS  # clones counted: the engine takes about 2 s for them
MAX_SPANS = 2_000  # of a text: the engine's time grows with their square, 2.5 s for so many
_MAX_DEPTH = 100
_COORDINATE = re.compile(r"[\d.]+")


class _TooDeepError(Exception):
    pass


def depth_faults(drawing: Drawing) -> Iterator[Fault]:
    """Parts nested too deeply. Call it before any recursion through the elements."""
    depth = 0
    for event, element in etree.iterwalk(drawing.root, ("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _MAX_DEPTH:
            what = f"parts are nested more than {_MAX_DEPTH} deep"
            yield drawing.fault(element, what, "ungroup some of them")
            return


def effort_faults(drawing: Drawing) -> Iterator[Fault]:
    """Too many elements, pixels or filters. Call it on a drawing without other faults."""
    pixels: dict[etree._Element, int] = {}
    for image in chain(drawing.elements("image"), drawing.elements("feImage")):
        try:
            pixels[image] = count_embedded(link_of(image))
        except MisfitError as error:
            yield drawing.fault(image, str(error), error.hint, "href")
        if sum(pixels.values()) > MAX_PIXELS:
            what = "the pictures in the drawing have too many pixels"
            yield drawing.fault(image, what, f"at most {MAX_PIXELS:,}", "href")
            return
    try:
        drawn = _EffortCount(drawing, lambda _: 1).of(drawing.root)
        filtered = _count_filtered(drawing)
        spans = _count_spans(drawing)
        drawn_pixels = 0.0
        if any(pixels.values()):
            counted = _EffortCount(drawing, lambda element: pixels.get(element, 0))
            drawn_pixels = counted.of(drawing.root)
    except _TooDeepError:
        what = f"parts are nested more than {_MAX_DEPTH} deep, or a clone contains itself"
        yield drawing.fault(drawing.root, what, "unlink the clones")
        return
    if filtered > MAX_FILTERED:
        what = f"its filters take as long as {_format_count(filtered)} blurs of the whole drawing"
        yield drawing.fault(drawing.root, what, f"at most {MAX_FILTERED}: simplify them")
    if spans > MAX_SPANS:
        what = f"its texts have as many parts (<tspan>) as one text of {_format_count(spans)}"
        yield drawing.fault(drawing.root, what, f"at most {MAX_SPANS:,}: join them")
    for number, most, things in (
        (drawn, MAX_DRAWN, "elements"),
        (drawn_pixels, MAX_DRAWN_PIXELS, "pixels"),
    ):
        if number > most:
            what = f"the drawing has {_format_count(number)} {things}, clones counted each time"
            yield drawing.fault(drawing.root, what, f"at most {most:,}: simplify it")


def count_windows(drawing: Drawing) -> float:
    """The work of every feMorphology as resvg draws it, see `Filters.windows`. Call it on a drawing
    without faults of effort."""
    if next(drawing.elements("feMorphology"), None) is None:
        return 0.0
    return _EffortCount(drawing, Filters(drawing).windows).of(drawing.root)


def _count_filtered(drawing: Drawing) -> float:
    """The work of all filters."""
    styles = (drawing.styles.of(element) for element in drawing.root.iter(etree.Element))
    if not any("filter" in style for style in styles):
        return 0.0
    return _EffortCount(drawing, Filters(drawing).work).of(drawing.root)


def _count_spans(drawing: Drawing) -> float:
    """The parts of one text that takes as long as all its texts."""
    if next(drawing.elements("tspan"), None) is None:
        return 0.0
    return float(_EffortCount(drawing, _spans_squared).of(drawing.root) ** 0.5)


def _spans_squared(element: etree._Element) -> float:
    if local(element) != "text":
        return 0.0
    return float(sum(1 for _ in element.iterdescendants(etree.Element)) ** 2)


def _format_count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e12 else "far too many"


class _EffortCount:
    """The sum of the costs of elements, as often as clones, patterns and markers draw them.

    `own` is the cost of one element without its parts.
    """

    def __init__(self, drawing: Drawing, own: Callable[[etree._Element], float]) -> None:
        self._drawing = drawing
        self._own = own
        self._counts: dict[etree._Element, tuple[float, int]] = {}
        self._vertex_counts: dict[etree._Element, int] = {}

    def of(self, element: etree._Element) -> float:
        return self._count(element, 0)[0]

    def _count(self, element: etree._Element, depth: int) -> tuple[float, int]:
        """The sum for an element with its parts, and the levels of parts within it."""
        if depth > _MAX_DEPTH:
            raise _TooDeepError
        if element not in self._counts:
            count, height = self._own(element), 0
            for part, times in self._parts(element):
                part_count, part_height = self._count(part, depth + 1)
                count += times * part_count
                height = max(height, part_height + 1)
            if height > _MAX_DEPTH:
                raise _TooDeepError
            self._counts[element] = count, height
        return self._counts[element]

    def _parts(self, element: etree._Element) -> Iterator[tuple[etree._Element, int]]:
        """The elements that are drawn for an element, and how often."""
        yield from ((child, 1) for child in element)
        for name, id_ in self._drawing.references(element):
            times = 1 + self._vertices(element) if name.startswith("marker") else 1
            yield from ((target, times) for target in self._drawing.by_id.get(id_, ())[:1])

    def _vertices(self, element: etree._Element) -> int:
        """An upper bound of the vertices of a line; the markers of a group are on its parts."""
        if element not in self._vertex_counts:
            line = element.get("d", "") + element.get("points", "")
            parts = element if local(element) == "g" else ()
            own = sum(1 for _ in _COORDINATE.finditer(line))
            self._vertex_counts[element] = own + sum(map(self._vertices, parts))
        return self._vertex_counts[element]
