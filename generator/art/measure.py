"""Measures of a template's elements: its frame, its boxes and the style of its texts.

Boxes that hold elements are in user units; a `transform` becomes an affine map. Also paths, as a
pen draws them, and places of letters along one.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, pairwise
from math import atan2, degrees, hypot, isfinite, radians, tan
from typing import Any

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.drawing import LENGTH, NUMBER, Drawing, local, user_units
from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import IDENTITY, MM_PER_INCH, ORIGIN, Affine, Point, Rect, Size, translation, turning
from generator.basics.recent import remembered
from generator.basics.shapes import bezier
from generator.basics.shapes import box_of as box_around
from generator.text import FontBook
from generator.text.shape import Align, Style

_WEIGHTS = {"normal": 400, "bold": 700}
_ALIGNS: dict[str, Align] = {
    "start": "start", "left": "left", "middle": "centre", "center": "centre", "end": "right",
    "right": "right", "justify": "justified",
}  # fmt: skip
_USUAL_LEADING = Style(family="", size=1.0).leading
_LEAST_LETTER, _MOST_LETTER = 0.5, 200.0  # mm, of a letter on a card
_BLACK = "#000000"
_COLOUR = re.compile(r"(?!none$|inherit$)(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,30}|rgb\([\d.,% ]{5,40}\))")
_SKEWED = 0.005  # how far the sides of viewBox and page may differ in proportion
_NUMBERS = re.compile(NUMBER)
_UNSEEN = ("defs", "desc", "metadata", "title")
_NOTHING = Rect(0.0, 0.0, 0.0, 0.0)
_STEP = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*+)\)")
_STEPS = 64  # for each curve, so that a letter's angle is off by less than a degree


def frame_of(root: etree._Element) -> tuple[Size, float]:
    """The size of a drawing in mm, and the mm of its user unit.

    If its width and height are not in mm, cm, in, pt or pc, its viewBox is in mm. Raises
    MisfitError if there is no viewBox, or if it differs in proportion from width and height.
    """
    numbers = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    if len(numbers) != 4:
        raise MisfitError("the template has no viewBox", "set the size of the page in the document settings, in mm")
    inner = Size(float(numbers[2]), float(numbers[3]))
    sides = [LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    lengths = [
        user_units(side[0]) * MM_PER_INCH / 96
        for side in sides
        if side is not None and side[2] in ("mm", "cm", "in", "pt", "pc")
    ]
    if len(lengths) < 2:
        return inner, 1.0
    size = Size(*lengths)
    across, down = size.width / inner.width, size.height / inner.height
    if abs(across / down - 1) > _SKEWED:
        what = f"the viewBox is {inner.width:g} × {inner.height:g}, of another proportion than the"
        what += f" page, {size.width:.6g} × {size.height:.6g} mm"
        raise MisfitError(what, "let the page be as large as the drawing")
    return size, across


def box_of(shape: etree._Element) -> Rect:
    """The box of a <rect>, or around a <circle> or <ellipse>, in user units. Raises MisfitError."""
    names = ("cx", "cy", "rx", "ry") if is_round(shape) else ("x", "y", "width", "height")
    x, y, width, height = (user_units(shape.get(name, shape.get("r", "0"))) for name in names)
    if is_round(shape):
        x, y, width, height = x - width, y - height, 2 * width, 2 * height
    if width <= 0 or height <= 0:
        raise MisfitError("the box has no width or no height", "give it both")
    return Rect(x, y, x + width, y + height)


def is_round(shape: etree._Element) -> bool:
    return local(shape) in ("circle", "ellipse")


def motion(text: etree._Element, rect: etree._Element) -> str:
    """The transform from a box to the group of its text. Raises MisfitError."""
    around, within = transforms_of(text.getparent()), transforms_of(rect)
    if within[: len(around)] != around:
        hint = "put both into one layer or group"
        raise MisfitError("the text and its box are in groups with different transforms", hint)
    return " ".join(within[len(around) :])


def enlarge(element: etree._Element) -> float:
    """The factor by which transforms enlarge an element: the square root of that of its area."""
    factor = transform_of(" ".join(transforms_of(element))).enlargement
    if not 1e-3 < factor < 1e3:
        raise MisfitError("the text or its box is scaled to nothing, or far too large")
    return factor


def transforms_of(element: etree._Element | None) -> list[str]:
    if element is None:
        return []
    transforms = [e.get("transform", "").strip() for e in (element, *element.iterancestors())]
    return [transform for transform in reversed(transforms) if transform]


def style_of(drawing: Drawing, text: etree._Element, fonts: FontBook, fallback: Sequence[str], unit: float) -> Style:
    """The style of a text, in mm. Raises MisfitError if it has no font or no size."""
    size_text = drawing.find_inherited(text, "font-size")
    size = user_units(size_text) if size_text else 0.0
    if not size_text:
        raise MisfitError("the text has no font size", "give it one: font-size")
    if not _LEAST_LETTER <= size * unit <= _MOST_LETTER:
        what = f"the font size {quote(size_text)} is {size * unit:.3g} mm on paper"
        raise MisfitError(what, f"{_LEAST_LETTER:g} mm to {_MOST_LETTER:g} mm")
    families = css.families({"font-family": drawing.find_inherited(text, "font-family")})
    choice = fonts.choose(families)
    if choice is None:
        missing = f"there is no font family {quote(families[0])}" if families else ""
        raise MisfitError(missing or "the text has no font family", f"one of: {', '.join(fonts.families())}")
    names = (*choice.families, *fallback)
    weight = drawing.find_inherited(text, "font-weight", "400")
    anchor = drawing.find_inherited(text, "text-anchor", "start")
    align = drawing.find_inherited(text, "text-align", anchor)  # Inkscape writes both: this counts
    return Style(
        family=names[0],
        fallback=names[1:],
        size=size * unit,
        weight=_WEIGHTS.get(weight, int(weight) if re.fullmatch("[1-9]00", weight) else 400),
        italic=drawing.find_inherited(text, "font-style").startswith(("italic", "oblique")),
        colour=drawing.find_inherited(text, "fill", "#000000"),
        leading=_leading(drawing.find_inherited(text, "line-height"), size),
        align=_ALIGNS.get(align, "start"),
    )


def is_filled(drawing: Drawing, element: etree._Element) -> bool:
    """Whether anything is drawn within the outline of an element."""
    return drawing.find_inherited(element, "fill", _BLACK) not in ("none", "transparent")


def is_painted(drawing: Drawing, element: etree._Element) -> bool:
    """Whether an element has a fill or a stroke."""
    stroke = drawing.find_inherited(element, "stroke", "none")
    return is_filled(drawing, element) or stroke not in ("none", "transparent")


def colour_of(drawing: Drawing, picture: etree._Element) -> str:
    """The colour of an icon: the fill of the image, or of the nearest element around it."""
    colour = drawing.find_inherited(picture, "fill", _BLACK)
    return colour if _COLOUR.fullmatch(colour) else _BLACK


def _leading(text: str, size: float) -> float:
    """Ems from baseline to baseline; the default if the text is not a sensible line height."""
    try:
        if text.endswith("%"):
            ems = float(text[:-1]) / 100
        elif re.fullmatch(NUMBER, text):
            ems = float(text)
        else:
            ems = user_units(text) / size
    except ValueError:
        return _USUAL_LEADING
    return ems if 0.5 <= ems <= 5 else _USUAL_LEADING


class Extents:
    """The boxes of elements; None if only the engine knows it, as for words and clones."""

    @remembered
    def of(self, element: etree._Element) -> Rect | None:
        if local(element) == "g":
            return self._of_group(element)
        try:
            path = write_path(element)
        except MisfitError:  # in per cent
            return None
        if local(element) == "path":
            points = hull_of(path or "")
        else:
            points = [point for _, ends in strokes_of(path or "") for point in ends]
        return box_around(points) if points else _NOTHING if path == "" else None

    def _of_group(self, group: etree._Element) -> Rect | None:
        corners: list[Point] = []
        for part in group.iterchildren(etree.Element):
            if local(part) in _UNSEEN:
                continue
            box = None if part.get("transform") else self.of(part)
            if box is None:
                return None
            corners += box.corners()
        return box_around(corners) if corners else _NOTHING


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in _NUMBERS.findall(text)]


def write_path(shape: etree._Element) -> str | None:
    """A shape or a picture as a path; None for any other element. Raises MisfitError for a length that is not one."""
    match local(shape):
        case "path":
            return str(shape.get("d", ""))
        case "polygon" | "polyline" as name:
            points = shape.get("points", "")
            return points and f"M{points}{'Z' if name == 'polygon' else ''}"
        case "line":
            x1, y1, x2, y2 = (user_units(shape.get(name, "0")) for name in ("x1", "y1", "x2", "y2"))
            return f"M{x1} {y1}L{x2} {y2}"
        case "rect" | "image":
            return _rectangle(shape)
        case "circle" | "ellipse":
            x, y, r = (user_units(shape.get(name, "0")) for name in ("cx", "cy", "r"))
            across, down = (user_units(shape.get(name, f"{r}")) for name in ("rx", "ry"))
            arc = f"a{across} {down} 0 0 1"
            return f"M{x - across} {y}{arc} {2 * across} 0{arc} {-2 * across} 0Z"
    return None


def _rectangle(shape: etree._Element) -> str:
    x, y, width, height = (user_units(shape.get(name, "0")) for name in ("x", "y", "width", "height"))
    rx = user_units(shape.get("rx", shape.get("ry", "0")))
    ry = user_units(shape.get("ry", shape.get("rx", "0")))
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if not rx or not ry:
        return f"M{x} {y}h{width}v{height}h{-width}Z"
    arc = f"a{rx} {ry} 0 0 1"
    across, down = width - 2 * rx, height - 2 * ry
    return (
        f"M{x + rx} {y}h{across}{arc} {rx} {ry}v{down}{arc} {-rx} {ry}"
        f"h{-across}{arc} {-rx} {-ry}v{-down}{arc} {rx} {-ry}Z"
    )


def transform_of(text: str) -> Affine:
    """The map of a list of transforms; anything else in the text is ignored."""
    whole = IDENTITY
    for kind, arguments in _STEP.findall(text):
        numbers = numbers_in(arguments)
        if numbers and all(map(isfinite, numbers)):
            whole = whole @ _step(kind, numbers)
    return whole


def place_of(element: etree._Element, around: Affine) -> Affine:
    """The map of what is in an element, whose own place is mapped by `around`."""
    transform = element.get("transform")
    return around @ transform_of(transform) if transform else around


def _step(kind: str, numbers: list[float]) -> Affine:
    first, second = numbers[0], numbers[1] if len(numbers) > 1 else None
    if kind == "matrix":
        return Affine(*numbers) if len(numbers) == 6 else IDENTITY
    if kind == "translate":
        return translation(first, second or 0.0)
    if kind == "scale":
        return Affine(a=first, d=first if second is None else second)
    if kind == "rotate":
        return turning(first, Point(*numbers[1:3]) if len(numbers) == 3 else Point(0.0, 0.0))
    slope = tan(radians(first))
    return Affine(c=slope) if kind == "skewX" else Affine(b=slope)


class Bend(Struct, frozen=True, dict=True):
    """A path as lines from point to point, and the distance along it at which the text begins."""

    chains: tuple[tuple[Point, ...], ...]
    offset: float = 0.0

    @cached_property
    def _sides(self) -> list[tuple[Point, Point]]:
        return [side for chain in self.chains for side in pairwise(chain) if side[0] != side[1]]

    @cached_property
    def _ends(self) -> list[float]:
        """The distance along the path at which each of its lines ends."""
        return list(accumulate(hypot(b.x - a.x, b.y - a.y) for a, b in self._sides))

    @property
    def length(self) -> float:
        return self._ends[-1] if self._ends else 0.0

    def at(self, along: float) -> Affine | None:
        """The map from a letter's origin to a place on the path; None beyond its ends."""
        if not 0.0 <= along <= self.length or not self._ends:
            return None
        index = min(bisect_left(self._ends, along), len(self._ends) - 1)
        a, b = self._sides[index]
        back = (self._ends[index] - along) / hypot(b.x - a.x, b.y - a.y)
        turn = degrees(atan2(b.y - a.y, b.x - a.x))
        return translation(b.x + (a.x - b.x) * back, b.y + (a.y - b.y) * back) @ turning(turn, ORIGIN)


def chains_of(path: str, steps: int = _STEPS) -> tuple[tuple[Point, ...], ...]:
    """The chains of points of an SVG path, `steps` for each curve."""
    chains: list[list[Point]] = []
    for command, points in strokes_of(path):
        if command == "moveTo":
            chains.append(points)
        elif points:
            chains[-1] += bezier([chains[-1][-1], *points], steps) if points[1:] else points
    return tuple(tuple(chain) for chain in chains if len(chain) > 1)


def strokes_of(path: str) -> list[tuple[str, list[Point]]]:
    """The strokes of an SVG path, as fontTools names them, each with its points; arcs are curves.
    They end at its first error, as the engine draws it."""
    return [(name, [Point(*end) for end in ends]) for name, ends in _record(path)]


def hull_of(path: str) -> list[Point]:
    """Points whose box holds an SVG path: ends, controls, and the far corners of arcs, of which the
    engine draws some that have no length."""
    points: list[Point] = []
    for name, values in _record(path, keeps_arcs=True):
        if name == "arcTo":
            (across, down, *_, end), start = values, points[-1]
            short, long = sorted((abs(across), abs(down)))
            far = hypot(end[0] - start.x, end[1] - start.y)
            reach = 2 * long * max(1.0, far / 2 / short) if short else 0.0  # small radii grow
            points += (*Rect(*end, *end).grown(reach).corners(), Point(*end))
        else:
            points += (Point(*end) for end in values)
    return points


def _record(path: str, *, keeps_arcs: bool = False) -> list[tuple[str, Any]]:
    """The steps that fontTools draws for an SVG path, with arcs as they are written or as curves."""
    from fontTools.pens.recordingPen import RecordingPen  # a game without drawings needs none
    from fontTools.svgLib.path.parser import parse_path

    pen = RecordingPen()
    if keeps_arcs:
        pen.arcTo = lambda *arc: pen.value.append(("arcTo", arc))
    with suppress(ValueError, IndexError):
        parse_path(" ".join(path.split()), pen)  # which reads no other blanks in arcs
    return list(pen.value)
