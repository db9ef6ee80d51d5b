"""Measures of a template's elements: its frame, its boxes and the style of its texts.

Boxes that hold elements are in user units; a `transform` becomes an affine map.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import hypot, isfinite, radians, sqrt, tan

from lxml import etree

from generator.art import css
from generator.art.drawing import LENGTH, NUMBER, Drawing, local, user_units
from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import IDENTITY, Affine, Point, Rect, Size, translation, turning
from generator.basics.units import MM_PER_INCH, parse_length
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
_COLOUR = re.compile(
    r"(?!none$|inherit$)(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,30}|rgb\([\d.,% ]{5,40}\))"
)
_SKEWED = 0.005  # how far the sides of viewBox and page may differ in proportion
_NUMBERS = re.compile(NUMBER)
_COMMANDS = re.compile(r"([MLHVCSQTAZmlhvcsqtaz])([^MLHVCSQTAZmlhvcsqtaz]*)")
_GAP = r"[\s,]*+"
_VALUE = f"((?>{NUMBER}))"
_ARC = re.compile(  # begins where a number does, or a long run of digits is read from each of them
    "(?:(?<![0-9.])|(?=[-+.]))" + _GAP.join([_VALUE] * 3 + ["([01])"] * 2 + [_VALUE] * 2)
)
_LONG = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 7}
_UNSEEN = ("defs", "desc", "metadata", "title")
_MEASURES = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2")
Points = list[tuple[float, float]]
_STEP = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*+)\)")


def length_of(text: str) -> float:
    """A length on paper in mm. Raises MisfitError."""
    return parse_length(text)


def frame_of(root: etree._Element) -> tuple[Size, float]:
    """The size of a drawing in mm, and the mm of its user unit.

    If its width and height are not in mm, cm, in, pt or pc, its viewBox is in mm. Raises
    MisfitError if there is no viewBox, or if it differs in proportion from width and height.
    """
    numbers = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    if len(numbers) != 4:
        hint = "set the size of the page in the document settings, in mm"
        raise MisfitError("the template has no viewBox", hint)
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
    whole = transform_of(" ".join(transforms_of(element)))
    area = whole.a * whole.d - whole.b * whole.c
    if not 1e-6 < abs(area) < 1e6:
        raise MisfitError("the text or its box is scaled to nothing, or far too large")
    return sqrt(abs(area))


def transforms_of(element: etree._Element | None) -> list[str]:
    if element is None:
        return []
    transforms = [e.get("transform", "").strip() for e in (element, *element.iterancestors())]
    return [transform for transform in reversed(transforms) if transform]


def style_of(
    drawing: Drawing, text: etree._Element, fonts: FontBook, fallback: Sequence[str], unit: float
) -> Style:
    """The style of a text, in mm. Raises MisfitError if it has no font or no size."""
    size_text = _property(drawing, text, "font-size", "")
    size = user_units(size_text) if size_text else 0.0
    if not size_text:
        raise MisfitError("the text has no font size", "give it one: font-size")
    if not _LEAST_LETTER <= size * unit <= _MOST_LETTER:
        what = f"the font size {quote(size_text)} is {size * unit:.3g} mm on paper"
        raise MisfitError(what, f"{_LEAST_LETTER:g} mm to {_MOST_LETTER:g} mm")
    families = css.families({"font-family": _property(drawing, text, "font-family", "")})
    choice = fonts.choose(families)
    if choice is None:
        missing = f"there is no font family {quote(families[0])}" if families else ""
        what = missing or "the text has no font family"
        raise MisfitError(what, f"one of: {', '.join(fonts.families())}")
    names = (*choice.families, *fallback)
    weight = _property(drawing, text, "font-weight", "400")
    anchor = _property(drawing, text, "text-anchor", "start")
    align = _property(
        drawing, text, "text-align", anchor
    )  # if Inkscape writes both, this one counts
    return Style(
        family=names[0],
        fallback=names[1:],
        size=size * unit,
        weight=_WEIGHTS.get(weight, int(weight) if re.fullmatch("[1-9]00", weight) else 400),
        italic=_property(drawing, text, "font-style", "").startswith(("italic", "oblique")),
        colour=_property(drawing, text, "fill", "#000000"),
        leading=_leading(_property(drawing, text, "line-height", ""), size),
        align=_ALIGNS.get(align, "start"),
    )


def is_filled(drawing: Drawing, element: etree._Element) -> bool:
    """Whether anything is drawn within the outline of an element."""
    return _property(drawing, element, "fill", _BLACK) not in ("none", "transparent")


def is_painted(drawing: Drawing, element: etree._Element) -> bool:
    """Whether an element has a fill or a stroke."""
    stroke = _property(drawing, element, "stroke", "none")
    return is_filled(drawing, element) or stroke not in ("none", "transparent")


def colour_of(drawing: Drawing, picture: etree._Element) -> str:
    """The colour of an icon: the fill of the image, or of the nearest element around it."""
    colour = _property(drawing, picture, "fill", _BLACK)
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


def _property(drawing: Drawing, element: etree._Element, name: str, default: str) -> str:
    """A property of an element, or else of the nearest element around it that sets it."""
    for holder in chain([element], element.iterancestors()):
        value = drawing.styles.of(holder).get(name) or holder.get(name, "")
        if value:
            return value.strip()
    return default


class Extents:
    """The boxes of elements; None if only the engine knows it, as for words and clones."""

    def __init__(self) -> None:
        self._boxes: dict[etree._Element, Rect | None] = {}

    def of(self, element: etree._Element) -> Rect | None:
        if element not in self._boxes:
            self._boxes[element] = self._measure(element)
        return self._boxes[element]

    def _measure(self, element: etree._Element) -> Rect | None:
        if any("%" in element.get(name, "") for name in _MEASURES):
            return None
        match local(element):
            case "rect" | "image":
                x, y, width, height = _lengths(element, ("x", "y", "width", "height"))
                return Rect(x, y, x + width, y + height)
            case "circle" | "ellipse":
                x, y, r, across, down = _lengths(element, ("cx", "cy", "r", "rx", "ry"))
                return Rect(x - (across or r), y - (down or r), x + (across or r), y + (down or r))
            case "line":
                x1, y1, x2, y2 = _lengths(element, ("x1", "y1", "x2", "y2"))
                return _around([(x1, y1), (x2, y2)])
            case "polygon" | "polyline":
                return _around(_pairs(numbers_in(element.get("points", ""))))
            case "path":
                return _around(_points(element.get("d", "")))
            case "g":
                return self._of_group(element)
        return None

    def _of_group(self, group: etree._Element) -> Rect | None:
        corners: Points = []
        for part in group.iterchildren(etree.Element):
            if local(part) in _UNSEEN:
                continue
            box = None if part.get("transform") else self.of(part)
            if box is None:
                return None
            corners += [(box.x0, box.y0), (box.x1, box.y1)]
        return _around(corners)


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in _NUMBERS.findall(text)]


def commands_in(path: str) -> list[tuple[str, list[float]]]:
    """The letters of a path, each with the numbers after it."""
    return [
        (letter, _arcs_in(text) if letter in "aA" else numbers_in(text))
        for letter, text in _COMMANDS.findall(path)
    ]


def _arcs_in(text: str) -> list[float]:
    """Seven numbers for each arc; its two flags may touch what follows: `a5 5 0 0110 0`."""
    return [float(number) for arc in _ARC.findall(text) for number in arc]


def _lengths(element: etree._Element, names: Iterable[str]) -> list[float]:
    lengths = (LENGTH.fullmatch(element.get(name, "")) for name in names)
    return [float(match[1]) if match else 0.0 for match in lengths]


def _around(points: Iterable[tuple[float, float]]) -> Rect:
    xs, ys = zip(*points, strict=True) if (points := list(points)) else ((0.0,), (0.0,))
    return Rect(min(xs), min(ys), max(xs), max(ys))


def _pairs(numbers: list[float]) -> Points:
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _points(path: str) -> Iterator[tuple[float, float]]:
    """Points whose bounding box holds the path."""
    hull = _Hull()
    for letter, numbers in commands_in(path):
        kind = letter.lower()
        size = _LONG.get(kind, 0)
        if not size:
            hull.close()
        for at in range(0, len(numbers) - size + 1, size) if size else ():
            yield from hull.draw(kind, numbers[at : at + size], is_relative=letter.islower())


class _Hull:
    """Follows a path; its points are ends, controls, and the far corners of arcs."""

    def __init__(self) -> None:
        self._x = self._y = 0.0
        self._start = self._control = (0.0, 0.0)

    def close(self) -> None:
        self._x, self._y = self._control = self._start

    def draw(
        self, kind: str, values: list[float], *, is_relative: bool
    ) -> Iterator[tuple[float, float]]:
        """The points of one command with its numbers."""
        before = self._x, self._y
        from_x, from_y = before if is_relative else (0.0, 0.0)
        if kind == "h":
            self._x = from_x + values[0]
        elif kind == "v":
            self._y = from_y + values[0]
        else:
            self._x, self._y = from_x + values[-2], from_y + values[-1]
        inner = values[:-2] if kind in "sqc" else []
        controls = [(from_x + a, from_y + b) for a, b in _pairs(inner)]
        if kind in "st":  # its first control mirrors the last one
            x, y = self._control
            controls.insert(0, (2 * before[0] - x, 2 * before[1] - y))
        self._control = controls[-1] if controls else (self._x, self._y)
        if kind == "m":
            self._start = self._x, self._y
        yield from controls
        reach = _reach(values, hypot(self._x - before[0], self._y - before[1]), kind)
        yield self._x - reach, self._y - reach
        yield self._x + reach, self._y + reach


def _reach(values: list[float], far: float, kind: str) -> float:
    """How far an arc is at most from its end, which is `far` from its start; 0 for other kinds."""
    if kind != "a" or not values[0] or not values[1]:
        return 0.0
    short, long = sorted((abs(values[0]), abs(values[1])))
    return 2 * long * max(1.0, far / 2 / short)  # radii too small for their ends grow


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
