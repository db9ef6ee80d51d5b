"""Take elements of a template, measure its frame, its boxes and the style of its texts."""

from __future__ import annotations

import re
from itertools import chain
from math import sqrt

from lxml import etree

from generator.art import css
from generator.art.drawing import LENGTH, NUMBER, Drawing, user_units
from generator.art.transforms import transform_of
from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import Rect, Size
from generator.basics.units import MM_PER_INCH, parse_length
from generator.tables.fields import Resources
from generator.text.style import Align, Style

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


def box_of(rect: etree._Element) -> Rect:
    """The box of a <rect>, in user units. Raises MisfitError."""
    x, y, width, height = (
        user_units(rect.get(name, "0")) for name in ("x", "y", "width", "height")
    )
    if width <= 0 or height <= 0:
        raise MisfitError("the box has no width or no height", "give it both")
    return Rect(x, y, x + width, y + height)


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


def style_of(drawing: Drawing, text: etree._Element, resources: Resources, unit: float) -> Style:
    """The style of a text, in mm. Raises MisfitError if it has no font or no size."""
    size_text = _property(drawing, text, "font-size", "")
    size = user_units(size_text) if size_text else 0.0
    if not size_text:
        raise MisfitError("the text has no font size", "give it one: font-size")
    if not _LEAST_LETTER <= size * unit <= _MOST_LETTER:
        what = f"the font size {quote(size_text)} is {size * unit:.3g} mm on paper"
        raise MisfitError(what, f"{_LEAST_LETTER:g} mm to {_MOST_LETTER:g} mm")
    families = css.families({"font-family": _property(drawing, text, "font-family", "")})
    fonts = resources.fonts
    choice = fonts.choose(families)
    if choice is None:
        missing = f"there is no font family {quote(families[0])}" if families else ""
        what = missing or "the text has no font family"
        raise MisfitError(what, f"one of: {', '.join(fonts.families())}")
    names = (*choice.families, *resources.fallback)
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
