"""Take a drawing with style sheets, move their declarations to the `style` of each element.

Selectors are those of the press's engine (simplecss of usvg); it ignores all others and every
at-rule. So does this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generator.art import css
from generator.art.drawing import SVG

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_AT_RULE = re.compile(r"@[^{};]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|\Z)")
_COMPOUND = re.compile(
    r"(?P<type>\*|[A-Za-z][-\w]*)?(?P<rest>(?:[.#][-\w]+|:first-child|\[[^\]]*\])*)"
)
_PART = re.compile(
    r"(?P<sign>[.#])(?P<name>[-\w]+)|(?P<first>:first-child)"
    r"|\[\s*+(?P<attribute>[-\w]++)\s*+"
    r"(?:(?P<how>[~|^$*]?=)\s*+(?P<value>\"[^\"]*+\"|'[^']*+'|[^\[\]\s]++)\s*+)?\]"
)
_COMBINATOR = re.compile(r"\s*([>+])\s*|\s+")
_IMPORTANT = re.compile(r"!\s*important\s*$", re.IGNORECASE)
_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "": lambda _own, _value: True,
    "=": lambda own, value: own == value,
    "~=": lambda own, value: value in own.split(),
    "|=": lambda own, value: own == value or own.startswith(f"{value}-"),
    "^=": lambda own, value: bool(value) and own.startswith(value),
    "$=": lambda own, value: bool(value) and own.endswith(value),
    "*=": lambda own, value: bool(value) and value in own,
}


class _ElementPlace(Struct, frozen=True):
    """An element, its parent, and its previous sibling."""

    element: Element
    parent: _ElementPlace | None
    before: _ElementPlace | None


Test = Callable[[_ElementPlace], bool]


class _Selector(Struct, frozen=True):
    """Compounds from the last to the first, each with the combinator behind it."""

    steps: tuple[tuple[tuple[Test, ...], str], ...]
    weight: tuple[int, int, int]

    def fits(self, place: _ElementPlace) -> bool:
        return _fits(place, self.steps)


class _StyleRule(Struct, frozen=True):
    selector: _Selector
    declarations: tuple[tuple[str, str, bool], ...]  # property, value, whether it is important


def inline_styles(root: Any) -> None:
    """Move the declarations of style sheets to `style`, and remove the sheets and the classes."""
    sheets = list(root.iter(f"{SVG}style"))
    rules = sorted(
        (rule for sheet in sheets for rule in _rules("".join(sheet.itertext()))),
        key=lambda rule: rule.selector.weight,
    )
    for place in list(_places(root, None, None)) if rules else ():
        _apply_rules(place, rules)
    for element in root.iter():
        element.attrib.pop("class", None)
        for child in [child for child in element if child.tag == f"{SVG}style"]:
            element.remove(child)


def read_declarations(style: str) -> Iterator[tuple[str, str, bool]]:
    """Each property of a style: its name, its value, and whether it is important."""
    for part in css.split_style(css.without_comments(style)):
        name, colon, value = part.partition(":")
        if colon and name.strip():
            plain = _IMPORTANT.sub("", value.strip())
            yield name.strip().lower(), plain.strip(), plain != value.strip()


def _apply_rules(place: _ElementPlace, rules: Sequence[_StyleRule]) -> None:
    fitting = [rule for rule in rules if rule.selector.fits(place)]
    own = list(read_declarations(place.element.get("style", "")))
    declarations = [one for rule in fitting for one in rule.declarations] + own
    if fitting:
        declarations.sort(key=lambda one: one[2])  # important ones last: the last counts
        style = {name: value for name, value, _ in declarations}
        place.element.set("style", css.write_declarations(style))


def quote_name(name: str) -> str:
    """A name in CSS quotes."""
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _places(
    element: Element, parent: _ElementPlace | None, before: _ElementPlace | None
) -> Iterator[_ElementPlace]:
    place = _ElementPlace(element, parent, before)
    yield place
    last: _ElementPlace | None = None
    for child in element:
        for inner in _places(child, place, last):
            if inner.element is child:
                last = inner
            yield inner


def _rules(sheet: str) -> Iterator[_StyleRule]:
    plain = _AT_RULE.sub(" ", css.without_comments(sheet))
    for selectors, body in css.rules(plain):
        declarations = tuple(read_declarations(body))
        for text in selectors.split(","):
            selector = _selector(text.strip())
            if selector is not None:
                yield _StyleRule(selector, declarations)


def _selector(text: str) -> _Selector | None:
    """Parses a selector; None if the engine ignores it."""
    steps: list[tuple[tuple[Test, ...], str]] = []
    weight = (0, 0, 0)
    at, combinator = 0, ""
    while text:
        match = _COMPOUND.match(text, at)
        if match is None or not match[0]:
            return None
        tests, own = _tests(match)
        steps.insert(0, (tests, combinator))
        weight = (weight[0] + own[0], weight[1] + own[1], weight[2] + own[2])
        at = match.end()
        if at == len(text):
            return _Selector(tuple(steps), weight)
        joint = _COMBINATOR.match(text, at)
        if joint is None:
            return None
        at, combinator = joint.end(), joint[1] or " "
    return None


def _tests(compound: re.Match[str]) -> tuple[tuple[Test, ...], tuple[int, int, int]]:
    type_ = compound["type"] or "*"
    tests: list[Test] = [] if type_ == "*" else [_is_called(type_)]
    ids = classes = 0
    for part in _PART.finditer(compound["rest"]):
        ids, classes = ids + (part["sign"] == "#"), classes + (part["sign"] != "#")
        tests.append(_test(part))
    return tuple(tests), (ids, classes, int(type_ != "*"))


def _is_called(name: str) -> Test:
    return lambda place: place.element.tag == f"{SVG}{name}"


def _test(part: re.Match[str]) -> Test:
    name = part["name"]
    if part["sign"] == "#":
        return lambda place: place.element.get("id") == name
    if part["sign"] == ".":
        return lambda place: name in place.element.get("class", "").split()
    if part["first"]:
        return lambda place: place.parent is not None and place.before is None
    attribute, value = part["attribute"], (part["value"] or "").strip("\"'")
    compare = _COMPARED[part["how"] or ""]
    return lambda place: (
        attribute in place.element.attrib and compare(place.element.attrib[attribute], value)
    )


def _fits(place: _ElementPlace, steps: Sequence[tuple[tuple[Test, ...], str]]) -> bool:
    (tests, combinator), *rest = steps
    if not all(test(place) for test in tests):
        return False
    if not rest:
        return True
    return any(_fits(other, rest) for other in _related(place, combinator))


def _related(place: _ElementPlace, combinator: str) -> Iterator[_ElementPlace]:
    other = place.before if combinator == "+" else place.parent
    while other is not None:
        yield other
        other = other.parent if combinator == " " else None
