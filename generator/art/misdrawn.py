"""Take a drawing, find the elements that the engine (typst 0.15) would draw wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import floor, inf

from lxml import etree
from msgspec import Struct

from generator.art.drawing import SVG, Drawing, local
from generator.art.effort import count_windows
from generator.art.extent import Extents, numbers_in
from generator.art.families import TEXT, find_form, find_own
from generator.art.filters import ELSEWHERE, HUGE, Filters
from generator.art.gradients import GRADIENTS, find_inherited
from generator.art.measure import transforms_of
from generator.art.parts import extent_of
from generator.art.transforms import transform_of
from generator.basics.geometry import Rect
from generator.text import FontBook

_REPEATED = ("reflect", "repeat")
_NO_RADIUS = re.compile(r"\+?0*+\.?0*+%?|-.*+|[^\d.+-].*+|")  # 0, or a text that counts as 0
_CONTEXT = ("context-fill", "context-stroke")
_PAINTS = ("fill", "stroke")
_GROWN = 0.5  # of its sides, for the lines around a shape
_NO_GAP = re.compile(r"(?:[\s,]*+[\d.]++[a-z%]*+[\s,]++0(?:\.0*+)?+[a-z%]*+)++[\s,]*+")
_COARSE = {
    "feConvolveMatrix": "counts in pixels, so its lines are thinner the finer it is drawn",
    "feMorphology": "has a radius of whole pixels, so it is a little wider or thinner",
}
# Steps of a filter that keep the edges sharp, so that the engine's 288 dpi show.
_COLOURING = {"feColorMatrix", "feComponentTransfer"}
_SHARP = _COLOURING | {"feFlood", "feOffset", "feMerge", "feBlend", "feComposite"}
_MOST_DASHES = 400  # characters
_MOST_WORK = 5.0  # blurs of the drawing, of a filter that is drawn at 600 dpi
_MOST_WINDOWS = 1e8  # pixels times a radius in pixels, of all feMorphology: about 2 s
_FEW_PIXELS = 4.0  # for a unit; of more, whole ones keep tiles and edges at whole units sharp


class Misdrawn(Struct, frozen=True):
    """An element, the kind of its fault, and a box that holds it, in units of its parent; None if
    that is not known; whether it needs a form of a font that the engine's copy lacks; and the most
    pixels for a unit of the drawing that do not take too long."""

    element: etree._Element
    what: str
    box: Rect | None
    has_form: bool = False
    most_pixels: float = inf


def find_misdrawn(drawing: Drawing, fonts: FontBook | None = None) -> Iterator[Misdrawn]:
    """The elements that another engine must draw; none of them is within another.

    With `fonts`, for a picture, also the texts in a form of their font that the engine lacks, and
    filters that the engine draws more coarsely.
    """
    wrong, filters = dict(_find_definitions(drawing)), Filters(drawing)
    most_pixels = _find_most_pixels(drawing) if fonts else inf
    with_context = set(_find_context(drawing))
    elements: set[etree._Element] = set()
    for element in drawing.elements():
        if element.tag in GRADIENTS or not elements.isdisjoint(element.iterancestors()):
            continue
        what = (
            _reason(drawing, element, wrong, with_context)
            or _find_wrong_line(drawing, element)
            or _find_wrong_filter(drawing, element, filters)
        )
        form = find_form(drawing, element, fonts) if fonts and not what else ""
        coarse = _find_coarse_filter(drawing, element, filters) if fonts and not form else ""
        whole = _whole(element)
        if not (what or form or coarse) or whole is None or whole in elements:
            continue
        box = _box(drawing, whole)
        if what or form or box is not None:
            elements.add(whole)
            yield Misdrawn(whole, what or form or coarse, box, bool(form), most_pixels)


def _find_most_pixels(drawing: Drawing) -> float:
    """The most pixels for a unit of the drawing with which resvg thins and widens soon enough."""
    windows = count_windows(drawing)
    most = (_MOST_WINDOWS / windows) ** (1 / 3) if windows else inf
    return floor(most) if _FEW_PIXELS < most < inf else most


def find_coarse(drawing: Drawing) -> Iterator[tuple[etree._Element, str]]:
    """The filters in use that depend on the pixels of the engine (288 dpi), and how."""
    used = {link for one in drawing.elements() for link in drawing.references(one)}
    _, (_, _, across, down) = extent_of(drawing.root)
    for filter_ in drawing.elements("filter"):
        if ("filter", filter_.get("id", "")) not in used:
            continue
        names = [local(step) for step in filter_ if isinstance(step.tag, str)]
        if found := next((name for name in names if name in _COARSE), ""):
            yield filter_, f"{found} {_COARSE[found]}"
        elif filter_.get("filterUnits") == "userSpaceOnUse":
            sides = [numbers_in(filter_.get(side, "")) for side in ("width", "height")]
            if max((side[0] for side in sides if side), default=0.0) > HUGE * max(across, down):
                yield filter_, "a filter with a huge region is drawn coarsely, with dark edges"


def _find_definitions(drawing: Drawing) -> Iterator[tuple[str, str]]:
    """The ids of gradients and filters that are drawn wrong, with the reason."""
    for gradient in drawing.elements("radialGradient"):
        if find_inherited(drawing, gradient, "spreadMethod") in _REPEATED:
            yield gradient.get("id", ""), "a radial gradient that repeats"
        elif not _NO_RADIUS.fullmatch(find_inherited(drawing, gradient, "fr")):
            yield gradient.get("id", ""), "a radial gradient with an inner radius"
    for mask in drawing.elements("mask"):
        if any("mask" in dict(drawing.references(part)) for part in mask.iter(etree.Element)):
            yield mask.get("id", ""), "a mask within a mask"
    for filter_ in drawing.elements("filter"):
        steps = {local(step): step for step in filter_.iterdescendants(etree.Element)}
        if "feTile" in steps:
            yield filter_.get("id", ""), "a filter with tiles"
        elif any(step.get("stitchTiles") == "stitch" for step in steps.values()):
            yield filter_.get("id", ""), "a filter with a stitched turbulence"


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
    for name in (*_PAINTS, "filter", "mask"):
        if links.get(name) in wrong:
            return wrong[links[name]]
    is_painted = any(name in links for name in _PAINTS)
    shown = drawing.by_id.get(links.get("href", ""), ()) if element.tag == f"{SVG}use" else ()
    if is_painted and any(one in with_context for one in shown):
        return "a clone in the gradient or pattern of its original"
    return ""


def _find_wrong_line(drawing: Drawing, element: etree._Element) -> str:
    if _NO_GAP.fullmatch(find_own(drawing, element, "stroke-dasharray")[:_MOST_DASHES]):
        return "a line whose dashes have no gaps"  # viewers show seams
    if find_own(drawing, element, "stroke-linejoin") == "miter-clip":
        return "a line with clipped corners (miter-clip)"  # a PDF has none
    return ""


def _find_wrong_filter(drawing: Drawing, element: etree._Element, filters: Filters) -> str:
    is_wrong = "feImage" in _steps(drawing, element) and filters.work(element) < _MOST_WORK
    return "a filter with a picture" if is_wrong else ""


def _find_coarse_filter(drawing: Drawing, element: etree._Element, filters: Filters) -> str:
    """A filter that the engine draws with fewer pixels than resvg."""
    steps = _steps(drawing, element)
    if "feMorphology" in steps:
        what, work = "a filter that widens or thins", filters.work(element, without="feMorphology")
    elif steps <= _SHARP and not steps.isdisjoint(_COLOURING):
        what, work = "a filter of colours", filters.work(element)
    else:
        return ""
    return what if work < _MOST_WORK else ""


def _steps(drawing: Drawing, element: etree._Element) -> set[str]:
    """The kinds of the steps of its filter."""
    ids = [id_ for name, id_ in drawing.references(element) if name == "filter"]
    parts = [step for id_ in ids for one in drawing.by_id.get(id_, ())[:1] for step in one]
    return {local(step) for step in parts if isinstance(step.tag, str)}


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
    if not any(local(one) in ELSEWHERE for one in holders):
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
