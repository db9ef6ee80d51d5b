"""Take a drawing, replace each `use` of text by a copy: its letters then inherit the font, size and
colour of the `use`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from xml.etree.ElementTree import Element

from generator.art.drawing import HREFS, SVG, link_of, user_units
from generator.basics.errors import MisfitError

_USE, _SYMBOL, _TEXT = f"{SVG}use", f"{SVG}symbol", f"{SVG}text"
_SCOPE = ("x", "y", "width", "height", *HREFS)
_DEEPEST = 20  # uses within each other


def copy_used_texts(root: Element) -> None:
    """Copies used texts; other uses stay. Nothing in the drawing may refer to itself."""
    by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    _copy_within(root, by_id, _DEEPEST)


def _copy_within(element: Element, by_id: Mapping[str, Element], depth: int) -> None:
    for at, child in enumerate(element):
        target = _target(child, by_id) if child.tag == _USE and depth else None
        if target is not None and _holds_text(target, by_id, depth):
            element[at] = child = _copy(child, target)
            _copy_within(child, by_id, depth - 1)
        else:
            _copy_within(child, by_id, depth)


def _target(use: Element, by_id: Mapping[str, Element]) -> Element | None:
    link = link_of(use)
    return by_id.get(link.strip().removeprefix("#"))


def _holds_text(element: Element, by_id: Mapping[str, Element], depth: int) -> bool:
    for inner in element.iter():
        if inner.tag == _TEXT:
            return True
        target = _target(inner, by_id) if inner.tag == _USE and depth else None
        if target is not None and _holds_text(target, by_id, depth - 1):
            return True
    return False


def _copy(use: Element, target: Element) -> Element:
    """A group with the attributes of the use and a copy of its target, without ids."""
    own = {name: value for name, value in use.attrib.items() if name not in _SCOPE}
    shift = f"translate({_length(use, 'x')} {_length(use, 'y')})"
    own["transform"] = f"{own.get('transform', '')} {shift}".strip()
    group = Element(f"{SVG}g", own)
    copy = deepcopy(target)
    copy.tail = None
    for element in copy.iter():
        element.attrib.pop("id", None)
    if copy.tag in (_SYMBOL, f"{SVG}svg"):
        copy.tag = f"{SVG}svg"
        for side in ("width", "height"):
            if side in use.attrib:
                copy.set(side, use.attrib[side])
    group.append(copy)
    return group


def _length(use: Element, name: str) -> float:
    try:
        return user_units(use.get(name, "0"))
    except MisfitError:
        return 0.0
