"""Style sheets of a drawing, moved to the `style` of each element, and drawings within drawings.

Selectors are those of the press's engine (simplecss of usvg); it ignores all others and every
at-rule. So does this module.

A drawing within another is an <svg> with its own styles and ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.drawing import HREFS, SPACE, SVG, put_in_place, user_units
from generator.art.measure import numbers_in
from generator.basics.errors import try_read
from generator.basics.files import xml_parser
from generator.basics.geometry import Size, decimal
from generator.model import Art

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "": lambda _own, _value: True,
    "=": lambda own, value: own == value,
    "~=": lambda own, value: value in own.split(),
    "|=": lambda own, value: own == value or own.startswith(f"{value}-"),
    "^=": lambda own, value: bool(value) and own.startswith(value),
    "$=": lambda own, value: bool(value) and own.endswith(value),
    "*=": lambda own, value: bool(value) and value in own,
}
LINK = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)")
View = tuple[float, float, float, float]

# The attributes of a root that set its frame.
FRAME = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "version", "baseProfile")
_SEAT = ("x", "y", "width", "height", "preserveAspectRatio")

# The properties that a drawing must not inherit from the one around it, with their defaults.
INITIAL = {
    "clip-rule": "nonzero", "color": "black", "color-interpolation": "sRGB", "cursor": "auto",
    "color-interpolation-filters": "linearRGB", "fill": "black", "fill-opacity": "1",
    "fill-rule": "nonzero", "image-rendering": "auto", "marker": "none", "marker-end": "none",
    "marker-mid": "none", "marker-start": "none", "paint-order": "normal",
    "shape-rendering": "auto", "stroke": "none", "stroke-dasharray": "none",
    "stroke-dashoffset": "0", "stroke-linecap": "butt", "stroke-linejoin": "miter",
    "stroke-miterlimit": "4", "stroke-opacity": "1", "stroke-width": "1", "visibility": "visible",
}  # fmt: skip
_INITIAL_OF_TEXT = {
    "direction": "ltr", "dominant-baseline": "auto", "font-size": "12", "font-stretch": "normal",
    "font-style": "normal", "font-variant": "normal", "font-weight": "400",
    "letter-spacing": "normal", "text-anchor": "start", "text-rendering": "auto",
    "word-spacing": "normal", "writing-mode": "lr-tb", SPACE: "default",
}  # fmt: skip


class _ElementPlace(Struct, frozen=True, eq=False):
    element: Element
    parent: _ElementPlace | None
    before: _ElementPlace | None


Test = Callable[[_ElementPlace], bool]
_Step = tuple[Sequence[Test], str]
Weight = tuple[int, int, int]  # of a selector: its ids, its classes, its types


class _StyleRule(Struct, frozen=True):
    """A rule of one selector: its compounds, each with the combinator before it."""

    steps: Sequence[_Step]
    weight: Weight
    declarations: Sequence[css.Declaration]


def inline_styles(root: Any) -> None:
    """Move the declarations of style sheets to `style`, and remove the sheets and the classes."""
    sheets = list(root.iter(f"{SVG}style"))
    rules = sorted(
        (rule for sheet in sheets for rule in _rules("".join(sheet.itertext()))), key=lambda rule: rule.weight
    )
    places = _find_places(root) if rules else ()
    declared: dict[Element, list[css.Declaration]] = {}
    for rule in rules:
        for place in _find_fitting(places, rule.steps):
            declared.setdefault(place.element, []).extend(rule.declarations)
    for element, declarations in declared.items():
        own = css.read_declarations(element.get("style", ""))
        element.set("style", css.write_declarations(css.last_values([*declarations, *own])))
    for element in list(root.iter("*")):
        element.attrib.pop("class", None)
        for child in [child for child in element if child.tag == f"{SVG}style"]:
            element.remove(child)


def quote_name(name: str) -> str:
    """A name in CSS quotes."""
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _find_places(root: Element) -> Collection[_ElementPlace]:
    places: dict[Element | None, _ElementPlace] = {root: _ElementPlace(root, None, None)}
    for parent in root.iter("*"):
        children = parent.findall("*")
        for before, child in zip([None, *children], children, strict=False):
            places[child] = _ElementPlace(child, places[parent], places.get(before))
    return places.values()


def _rules(sheet: str) -> Iterator[_StyleRule]:
    for rule in css.rules(sheet):
        for selector in map(_read_selector, () if rule.is_inner else rule.selectors):
            if selector is not None:
                yield _StyleRule(*selector, rule.declarations)


def _read_selector(tokens: Sequence[css.Token]) -> tuple[Sequence[_Step], Weight] | None:
    """The steps of a selector and its weight; None if the engine ignores it."""
    steps: list[_Step] = []
    weight = (0, 0, 0)
    combinator = ""
    for compound, joint in css.compounds(tokens):
        if (read := _read_compound(compound)) is None or joint == "~":
            return None
        tests, own = read
        steps.append((tests, combinator))
        weight = (weight[0] + own[0], weight[1] + own[1], weight[2] + own[2])
        combinator = joint
    return steps, weight


def _read_compound(tokens: Sequence[css.Token]) -> tuple[Sequence[Test], Weight] | None:
    """The tests of an element and their weight; None if the engine ignores them."""
    tests: list[Test] = []
    ids = classes = types = 0
    rest = list(tokens)
    if not rest:
        return None
    if rest[0].type == "ident":
        tag, types = f"{SVG}{rest.pop(0).value}", 1
        tests.append(lambda place: place.element.tag == tag)
    elif rest[0] == "*":
        rest.pop(0)
    while rest:
        sign = rest.pop(0)
        name = rest.pop(0) if sign in (".", ":") and rest and rest[0].type == "ident" else None
        test = _read_test(sign, name.value if name else "")
        if test is None:
            return None
        tests.append(test)
        ids, classes = ids + (sign.type == "hash"), classes + (sign.type != "hash")
    return tests, (ids, classes, types)


def _read_test(sign: css.Token, name: str) -> Test | None:
    """The test of `#id`, `[attribute]`, `.name` or `:name`; None if the engine ignores it."""
    if sign.type == "hash":
        return lambda place: place.element.get("id") == sign.value
    if sign.type == "[] block":
        return _read_attribute([part for part in sign.content if part.type != "whitespace"])
    if sign == "." and name:
        return lambda place: name in place.element.get("class", "").split()
    if sign == ":" and name == "first-child":
        return lambda place: place.parent is not None and place.before is None
    return None


def _read_attribute(parts: Sequence[css.Token]) -> Test | None:
    """The test of a name, or of a name, a sign of `_COMPARED` and a value."""
    if len(parts) not in (1, 3) or parts[0].type != "ident":
        return None
    attribute, sign = parts[0].value, str(parts[1].value) if len(parts) == 3 else ""
    if sign not in _COMPARED or (len(parts) == 3 and not sign):
        return None
    compare, value = _COMPARED[sign], css.text_of(parts[2]) if sign else ""
    return lambda place: attribute in place.element.attrib and compare(place.element.attrib[attribute], value)


def _find_fitting(places: Collection[_ElementPlace], steps: Sequence[_Step]) -> Collection[_ElementPlace]:
    """The elements that fit a selector. Each is compared once with each compound: its ways through
    the elements around it are too many."""
    before: set[_ElementPlace] = set()
    for tests, combinator in steps:
        fitting = (place for place in places if all(test(place) for test in tests))
        if combinator:
            fitting = (place for place in fitting if not before.isdisjoint(_related(place, combinator)))
        before = set(fitting)
    return before


def _related(place: _ElementPlace, combinator: str) -> Iterator[_ElementPlace]:
    other = place.before if combinator == "+" else place.parent
    while other is not None:
        yield other
        other = other.parent if combinator == " " else None


def make_part(root: etree._Element) -> etree._Element:
    """An <svg> for `seat_part`, of the size of the drawing, with the content of its root."""
    prefix = f"p{blake2b(etree.tostring(root), digest_size=6).hexdigest()}-"
    inline_styles(root)
    own_ids(root, prefix)
    size, view = extent_of(root)
    part = etree.Element(f"{SVG}svg", INITIAL | _INITIAL_OF_TEXT)
    set_frame(part, size, (0.0, 0.0, *size))
    drawing = etree.SubElement(part, f"{SVG}svg", dict(root.attrib))
    set_frame(drawing, size, view)
    if fit := root.get("preserveAspectRatio"):
        drawing.set("preserveAspectRatio", fit)
    drawing.text = root.text
    drawing.extend(list(root))
    return part


def read_part(art: Art) -> etree._Element:
    """The part of a drawing with texts, for `seat_part`."""
    return etree.fromstring(art.part, xml_parser())


def seat_part(image: etree._Element, part: etree._Element) -> None:
    """Put a part in the place of an <image>, with the attributes of the image."""
    view = numbers_in(part.get("viewBox", ""))
    measure(image, Size(view[2], view[3]))
    group = etree.Element(f"{SVG}g", {n: v for n, v in image.items() if n not in (*_SEAT, *HREFS)})
    part.attrib.update({name: image.attrib[name] for name in _SEAT if name in image.attrib})
    group.append(part)
    put_in_place(group, image)


def extent_of(root: Any) -> tuple[Size, View]:
    """The size of a drawing, in user units of the element around it, and its viewBox."""
    box = numbers_in(root.get("viewBox", ""))
    is_frame = len(box) == 4 and min(box[2:]) > 0
    view = (box[0], box[1], box[2], box[3]) if is_frame else None
    width, height = (try_read(user_units, root.get(side, "")) for side in ("width", "height"))
    if view is not None:
        if width is None:
            width = view[2] if height is None else height * view[2] / view[3]
        height = width * view[3] / view[2] if height is None else height
    size = Size(width or 100.0, height or 100.0)
    return size, view or (0.0, 0.0, *size)


def set_frame(root: Any, size: Size, view: View) -> None:
    """Set the size and the viewBox of an <svg>, and nothing else of its frame."""
    for name in FRAME:
        root.attrib.pop(name, None)
    root.set("width", decimal(size.width))
    root.set("height", decimal(size.height))
    root.set("viewBox", write_view(view))


def measure(image: Any, size: Size) -> None:
    """Set the width and height that an image lacks, from the size of its picture."""
    width, height = (image.get(side) for side in ("width", "height"))
    if width is None:
        across = user_units(height) * size.width / size.height if height else size.width
        image.set("width", decimal(across))
    if height is None:
        image.set("height", decimal(user_units(image.get("width", "")) * size.height / size.width))


def write_view(view: View) -> str:
    return " ".join(decimal(value, 6) for value in view)


def own_ids(root: Any, prefix: str) -> None:
    """Add the prefix to every id and to every reference."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                element.set(name, f"{prefix}{value}")
            elif name in HREFS and value.strip().startswith("#"):
                element.set(name, f"#{prefix}{value.strip()[1:]}")
            elif "url(" in value:
                element.set(name, LINK.sub(rf"url(#{prefix}\1)", value))
