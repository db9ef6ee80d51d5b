"""What the gradients of a drawing inherit; shapes that show an edge of a gradient, split at it.

An edge is two stops at one place. Viewers draw a gradient in steps, pdfium in 256, so that an edge
is off by up to 1/256 of the gradient. Here it becomes the edge of a clip, which is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import groupby, pairwise
from math import hypot

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.cascade import inline_styles
from generator.art.drawing import LENGTH, SVG, Drawing, local
from generator.art.measure import Extents, transform_of
from generator.basics.geometry import Affine, Rect

GRADIENTS = (f"{SVG}radialGradient", f"{SVG}linearGradient")
# Attributes that act on a group as a whole, and so are not inherited.
EFFECTS = (
    "id", "transform", "transform-origin", "opacity", "clip-path", "mask", "filter", "isolation",
    "mix-blend-mode",
)  # fmt: skip
_SHAPES = ("rect", "circle", "ellipse", "polygon", "polyline", "path")
_UNSTROKED = {"stroke": "none", "marker": "none"} | {
    f"marker-{at}": "none" for at in ("start", "mid", "end")
}
_TRANSLUCENT = re.compile(r"rgba|hsla|transparent|/|#(?:\w{4}|\w{8})\s*$", re.IGNORECASE)
_USUAL = {
    "linearGradient": {"x1": "0", "y1": "0", "x2": "100%", "y2": "0"},
    "radialGradient": {"cx": "50%", "cy": "50%", "r": "50%", "fr": "0"},
}  # fmt: skip
_MOST_CHAINED = 20  # gradients, each of which refers to the next
_MOST_PARTED = 200  # shapes of a drawing
_MOST_COPIED = 1_000_000  # characters of their outlines
_MOST_EDGES = 20  # of a gradient
_TRANSFORM = "gradientTransform"
_HAIR = 1e-6  # of a gradient
_UNIT = Rect(0.0, 0.0, 1.0, 1.0)


class _StopRun(Struct, frozen=True):
    """Stops from one edge to the next, and the place of the edge before them, from 0 to 1."""

    start: float
    stops: list[etree._Element]


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


def part_at_edges(drawing: Drawing) -> None:
    """Replace each shape that is filled with an opaque gradient with edges by a group of parts."""
    edged = list(_find_edged(drawing))
    if not edged:
        return
    inline_styles(drawing.root)
    drawing.forget_styles()
    left = _MOST_COPIED
    for shape, gradient, runs in edged[:_MOST_PARTED]:
        left -= len(runs) * (len(shape.get("d", "")) + len(shape.get("points", "")))
        if left < 0:
            break
        if _is_opaque(shape) and (clips := _find_clips(drawing, shape, gradient, runs)):
            _part(drawing, shape, gradient, clips)


def _find_edged(
    drawing: Drawing,
) -> Iterator[tuple[etree._Element, etree._Element, list[_StopRun]]]:
    known: dict[etree._Element, list[_StopRun]] = {}
    for shape in drawing.elements():
        gradient = next(iter(drawing.targets(shape, "fill")), None)
        if gradient is None or gradient.tag not in GRADIENTS or local(shape) not in _SHAPES:
            continue
        if gradient not in known:
            known[gradient] = _find_runs(drawing, gradient)
        if 1 < len(known[gradient]) <= _MOST_EDGES + 1:
            yield shape, gradient, known[gradient]


def _find_runs(drawing: Drawing, gradient: etree._Element) -> list[_StopRun]:
    """The runs of an opaque gradient that does not repeat; [] for others."""
    if find_inherited(drawing, gradient, "spreadMethod") in ("reflect", "repeat"):
        return []
    chain = find_chain(drawing, gradient)
    stops: list[etree._Element] = next(
        (found for gradient in chain if (found := gradient.findall(f"{SVG}stop"))), []
    )
    if any(map(_is_translucent, stops)):
        return []
    runs = [_StopRun(0.0, [])]
    for place, group in groupby(_placed(stops), key=lambda one: one[0]):
        same = [stop for _, stop in group]
        runs[-1].stops.append(same[0])
        if len(same) > 1:
            runs.append(_StopRun(place, [same[-1]]))
    return runs


def _placed(stops: Iterable[etree._Element]) -> Iterator[tuple[float, etree._Element]]:
    """Copies of the stops at their places: none is before the one ahead of it (SVG 2, 14.2.4.2)."""
    least = 0.0
    for stop in map(deepcopy, stops):
        least = min(max(least, _part_of_one(stop.get("offset", "")) or 0.0), 1.0)
        stop.set("offset", f"{least:.9g}")
        stop.tail = None
        yield least, stop


def _is_translucent(stop: etree._Element) -> bool:
    style = dict(stop.attrib) | css.declarations(stop.get("style", ""))
    if style.get("stop-opacity", "1").strip() not in ("1", "1.0", "100%"):
        return True
    return "class" in style or bool(_TRANSLUCENT.search(style.get("stop-color", "")))


def _part_of_one(text: str) -> float | None:
    """A number or a percentage; None for another text."""
    match = LENGTH.fullmatch(text.strip().removesuffix("%"))
    if match is None or match[2]:
        return None
    return float(match[1]) / (100 if text.strip().endswith("%") else 1)


def _is_opaque(shape: etree._Element) -> bool:
    """Whether parts of it, one over another, look as it does."""
    for element in (shape, *shape.iterancestors()):
        own = {*element.attrib, *css.declarations(element.get("style", ""))}
        if local(element) == "clipPath" or not own.isdisjoint(("fill-opacity", "paint-order")):
            return False
    return shape.getparent() is not None


def _find_clips(
    drawing: Drawing, shape: etree._Element, gradient: etree._Element, runs: list[_StopRun]
) -> list[tuple[_StopRun, etree._Element | None]]:
    """The runs from the lowest part to the highest, each with the area of the part: None for all
    of the shape. [] if it depends on the box around the drawing."""
    of_box = find_inherited(drawing, gradient, "gradientUnits") != "userSpaceOnUse"
    usual = _USUAL[local(gradient)]
    texts = {name: find_inherited(drawing, gradient, name) or usual[name] for name in usual}
    if "cx" in usual:
        texts |= {
            f"f{x}": find_inherited(drawing, gradient, f"f{x}") or texts[f"c{x}"] for x in "xy"
        }
    numbers = {name: _part_of_one(text) for name, text in texts.items()}
    box = _UNIT if of_box else Extents().of(shape)
    if box is None or (not of_box and any("%" in text for text in texts.values())):
        return []
    values = {name: number for name, number in numbers.items() if number is not None}
    if len(values) < len(numbers):
        return []
    map_ = transform_of(find_inherited(drawing, gradient, _TRANSFORM))
    return _discs(values, map_, runs) if "cx" in usual else _strips(values, map_, runs, box)


def _discs(
    at: dict[str, float], map_: Affine, runs: list[_StopRun]
) -> list[tuple[_StopRun, etree._Element | None]]:
    """Discs upon each other, the largest first."""
    if at["fr"] > 0 or hypot(at["fx"] - at["cx"], at["fy"] - at["cy"]) >= at["r"]:
        return []
    clips: list[tuple[_StopRun, etree._Element | None]] = [(runs[-1], None)]
    for run, after in reversed(list(pairwise(runs))):
        edge = after.start
        centre = {f"c{x}": at[f"f{x}"] + (at[f"c{x}"] - at[f"f{x}"]) * edge for x in "xy"}
        circle = {name: f"{value:.9g}" for name, value in (centre | {"r": at["r"] * edge}).items()}
        clips.append((run, _area("circle", circle, map_)))
    return clips


def _strips(
    at: dict[str, float], map_: Affine, runs: list[_StopRun], box: Rect
) -> list[tuple[_StopRun, etree._Element | None]]:
    """Areas beyond each edge upon each other, the first edge first."""
    across, down = at["x2"] - at["x1"], at["y2"] - at["y1"]
    along = map_ @ Affine(across, down, -down, across, at["x1"], at["y1"])  # x goes from 0 to 1
    if abs(along.a * along.d - along.b * along.c) < 1e-12:
        return []
    seen = along.inverse().apply_rect(box)
    reach = max(map(abs, seen)) + 1
    clips: list[tuple[_StopRun, etree._Element | None]] = []
    for run in runs:
        if run.start <= seen.x0 + _HAIR:
            clips = [(run, None)]  # nothing is seen before it
            continue
        strip = {"x": run.start, "y": -reach, "width": 2 * reach, "height": 2 * reach}
        area = _area("rect", {name: f"{value:.9g}" for name, value in strip.items()}, along)
        clips.append((run, area if clips else None))
    return clips


def _area(name: str, attributes: dict[str, str], map_: Affine) -> etree._Element:
    matrix = " ".join(f"{number:.9g}" for number in map_)
    return etree.Element(f"{SVG}{name}", attributes | {"transform": f"matrix({matrix})"})


def _part(
    drawing: Drawing,
    shape: etree._Element,
    gradient: etree._Element,
    clips: list[tuple[_StopRun, etree._Element | None]],
) -> None:
    parent = shape.getparent()
    assert parent is not None, "the root is not a shape"
    group = etree.Element(f"{SVG}g")
    group.tail, shape.tail = shape.tail, None
    parent.replace(shape, group)
    for name in EFFECTS:
        attribute = str(shape.attrib.pop(name, ""))
        if value := css.pop_property(shape, name) or attribute:
            group.set(name, value)
    if id_ := group.get("id"):
        drawing.by_id[id_] = [group]
    for run, area in clips:
        part = deepcopy(shape)
        paint = _define(drawing, group, _narrow(gradient, run))
        css.set_properties(part, _UNSTROKED | {"fill": f"url(#{paint})"})
        if area is not None:
            part.set(
                "clip-path", f"url(#{_define(drawing, group, _clip(gradient, drawing, area))})"
            )
        group.append(part)
    css.set_properties(shape, {"fill": "none"})
    group.append(shape)


def _narrow(gradient: etree._Element, run: _StopRun) -> etree._Element:
    """The gradient with the stops of a run only."""
    narrow = etree.Element(gradient.tag, dict(gradient.attrib))
    narrow.extend(map(deepcopy, run.stops))
    return narrow


def _clip(gradient: etree._Element, drawing: Drawing, area: etree._Element) -> etree._Element:
    of_box = find_inherited(drawing, gradient, "gradientUnits") != "userSpaceOnUse"
    units = "objectBoundingBox" if of_box else "userSpaceOnUse"
    clip = etree.Element(f"{SVG}clipPath", {"clipPathUnits": units})
    clip.append(area)
    return clip


def _define(drawing: Drawing, group: etree._Element, element: etree._Element) -> str:
    """Put a definition into the group; returns its new id."""
    id_ = f"edge-{len(drawing.by_id)}"
    while id_ in drawing.by_id:
        id_ += "-"
    element.set("id", id_)
    drawing.by_id[id_] = [element]
    group.append(element)
    return id_
