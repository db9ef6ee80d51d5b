"""Take a drawing with style sheets, move their declarations to the `style` of each element.

Selectors are those of the press's engine (simplecss of usvg); it ignores all others and every
at-rule. So does this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generator.art import css
from generator.art.drawing import SVG

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
    declarations: Sequence[css.Declaration]


def inline_styles(root: Any) -> None:
    """Move the declarations of style sheets to `style`, and remove the sheets and the classes."""
    sheets = list(root.iter(f"{SVG}style"))
    rules = sorted(
        (rule for sheet in sheets for rule in _rules("".join(sheet.itertext()))),
        key=lambda rule: rule.selector.weight,
    )
    for place in list(_places(root, None, None)) if rules else ():
        _apply_rules(place, rules)
    for element in list(root.iter("*")):
        element.attrib.pop("class", None)
        for child in [child for child in element if child.tag == f"{SVG}style"]:
            element.remove(child)


def _apply_rules(place: _ElementPlace, rules: Sequence[_StyleRule]) -> None:
    fitting = [rule for rule in rules if rule.selector.fits(place)]
    own = css.read_declarations(place.element.get("style", ""))
    declarations = [*(one for rule in fitting for one in rule.declarations), *own]
    if fitting:
        place.element.set("style", css.write_declarations(css.last_values(declarations)))


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
    for rule in css.rules(sheet):
        for selector in map(_read_selector, () if rule.is_inner else rule.selectors):
            if selector is not None:
                yield _StyleRule(selector, rule.declarations)


def _read_selector(tokens: Sequence[css.Token]) -> _Selector | None:
    """None if the engine ignores it."""
    steps: list[tuple[tuple[Test, ...], str]] = []
    weight = (0, 0, 0)
    combinator = ""
    for compound, joint in css.compounds(tokens):
        if (read := _read_compound(compound)) is None or joint == "~":
            return None
        tests, own = read
        steps.insert(0, (tests, combinator))
        weight = (weight[0] + own[0], weight[1] + own[1], weight[2] + own[2])
        combinator = joint
    return _Selector(tuple(steps), weight)


def _read_compound(
    tokens: Sequence[css.Token],
) -> tuple[tuple[Test, ...], tuple[int, int, int]] | None:
    """The tests of an element and their weight; None if the engine ignores them."""
    tests: list[Test] = []
    ids = classes = types = 0
    rest = list(tokens)
    if not rest:
        return None
    if rest[0].type == "ident":
        tests.append(_is_called(rest.pop(0).value))
        types = 1
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
    return tuple(tests), (ids, classes, types)


def _read_test(sign: css.Token, name: str) -> Test | None:
    """The test of `#id`, `[attribute]`, `.name` or `:name`; None if the engine ignores it."""
    if sign.type == "hash":
        return _has_id(sign.value)
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
    return lambda place: (
        attribute in place.element.attrib and compare(place.element.attrib[attribute], value)
    )


def _is_called(name: str) -> Test:
    return lambda place: place.element.tag == f"{SVG}{name}"


def _has_id(id_: str) -> Test:
    return lambda place: place.element.get("id") == id_


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
