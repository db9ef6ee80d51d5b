"""Break drawings: trees of XML, and the small languages that their attributes hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import TypeAlias

from lxml import etree

from tests.fuzz import havoc, material
from tests.fuzz.words import words

Element: TypeAlias = etree._Element
SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_NAMES = words("elements")
_ATTRIBUTES = words("attributes")
_COMMANDS = "MmLlHhVvCcSsQqTtAaZz"
_TURNS = ("translate", "scale", "rotate", "skewX", "skewY", "matrix", "none", "perspective")
_CSS = words("css")
_REFERENCES = words("references")
_PROLOGUES = words("prologues")
_TAGS = ("<g>", "</g>", "/>", "xmlns=''")


@cache
def trees() -> Sequence[Element]:
    return [etree.fromstring(drawing) for drawing in material.drawings()]


@cache
def _values() -> dict[str, list[str]]:
    """The values that attributes have somewhere, by their names."""
    found: dict[str, list[str]] = {}
    for tree in trees():
        for element in tree.iter(etree.Element):
            for name, value in element.attrib.items():
                found.setdefault(str(name), []).append(str(value))
    return found


def a_tree(rng: Random) -> Element:
    return deepcopy(rng.choice(trees()))


def break_tree(rng: Random, root: Element) -> None:
    for _ in range(rng.choice((1, 1, 2, 2, 3, 5, 8))):
        elements = list(root.iter(etree.Element))
        rng.choice(_EDITS)(rng, rng.choice(elements), root)


def as_bytes(rng: Random, root: Element) -> bytes:
    """A drawing as a file; sometimes its text is broken once more."""
    text: str = etree.tostring(root, encoding="unicode")
    if rng.random() < 0.06:
        text = rng.choice(_PROLOGUES) + text
    if rng.random() < 0.25:
        text = havoc.break_text(rng, text, (*_CSS, *_REFERENCES, *_NAMES, *_TAGS))
    content = havoc.encoded(rng, text)
    return havoc.break_bytes(rng, content) if rng.random() < 0.04 else content


def an_attribute(rng: Random, name: str) -> str:
    """A value of an attribute: one that it has elsewhere, or one of its language, or an odd one."""
    chance = rng.random()
    if chance < 0.3 and name in _values():
        return rng.choice(_values()[name])
    if chance < 0.4:
        return rng.choice(_REFERENCES)
    if chance < 0.5:
        return havoc.odd_text(rng)
    if name in ("d", "points"):
        return path(rng)
    if name.lower().endswith("transform"):
        return transform(rng)
    if name in ("style", "class"):
        return css(rng)
    return havoc.length(rng) if chance < 0.75 else havoc.number_text(rng)


def css(rng: Random) -> str:
    words = (rng.choice(_CSS) for _ in range(rng.choice((1, 3, 8, 20, 60))))
    text = rng.choice(("", " ", ";", ":")).join(words)
    return text * rng.choice((1, 1, 1, 1, 1, 50, 500))


def path(rng: Random) -> str:
    parts = ["M0 0" if rng.random() < 0.8 else ""]
    for _ in range(rng.choice((0, 1, 3, 9, 40))):
        numbers = " ".join(havoc.number_text(rng) for _ in range(rng.choice((0, 1, 2, 4, 6, 7))))
        parts.append(rng.choice(_COMMANDS) + numbers)
    return rng.choice(("", " ", ",")).join(parts)


def transform(rng: Random) -> str:
    turns = []
    for _ in range(rng.choice((1, 1, 2, 5, 200))):
        numbers = (havoc.number_text(rng) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 6))))
        turns.append(f"{rng.choice(_TURNS)}({rng.choice((' ', ',')).join(numbers)})")
    return " ".join(turns)


def set_safely(element: Element, name: str, value: str) -> None:
    """Sets an attribute, without the characters that XML cannot hold."""
    element.set(name, plain(value))


def plain(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(filter(_is_xml, text))


def _is_xml(letter: str) -> bool:
    is_odd = letter in "\ufffe\uffff" or 0xD800 <= ord(letter) < 0xE000
    return letter in "\t\n\r" or (letter >= " " and not is_odd)


def _set(rng: Random, element: Element, _: Element) -> None:
    own = [str(name) for name in element.attrib]
    name = rng.choice(own) if own and rng.random() < 0.6 else rng.choice(_ATTRIBUTES)
    set_safely(element, name, an_attribute(rng, name))


def _unset(rng: Random, element: Element, _: Element) -> None:
    if element.attrib:
        del element.attrib[rng.choice(list(element.attrib))]


def _remove(_rng: Random, element: Element, _: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _copy(rng: Random, element: Element, _: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        for _copied in range(rng.choice((1, 1, 2, 30))):
            parent.append(deepcopy(element))


def _nest(rng: Random, element: Element, _: Element) -> None:
    parent = element.getparent()
    name = f"{{{SVG}}}{rng.choice(_NAMES)}"
    for _ in range(rng.choice((1, 1, 1, 3, 40, 300)) if parent is not None else 0):
        around = etree.Element(name)
        assert parent is not None
        parent.replace(element, around)
        around.append(element)
        parent = around


def _put(rng: Random, element: Element, _: Element) -> None:
    """A new element, with a few attributes."""
    namespace = SVG if rng.random() < 0.97 else rng.choice(("", "a:b", "http://www.w3.org/1999/xhtml"))
    new = etree.SubElement(element, f"{{{namespace}}}{rng.choice(_NAMES)}")
    for _ in range(rng.choice((0, 1, 2, 4))):
        name = rng.choice(_ATTRIBUTES)
        set_safely(new, name, an_attribute(rng, name))
    if rng.random() < 0.3:
        new.text = plain(css(rng) if new.tag == f"{{{SVG}}}style" else havoc.odd_text(rng))


def _splice(rng: Random, element: Element, _: Element) -> None:
    other = list(rng.choice(trees()).iter(etree.Element))
    element.append(deepcopy(rng.choice(other)))


def _move(rng: Random, element: Element, root: Element) -> None:
    target = rng.choice(list(root.iter(etree.Element)))
    if element is not root and all(ancestor is not element for ancestor in (target, *target.iterancestors())):
        target.append(element)


def _retag(rng: Random, element: Element, _: Element) -> None:
    element.tag = f"{{{SVG}}}{rng.choice(_NAMES)}"


def _word(rng: Random, element: Element, _: Element) -> None:
    text = plain(havoc.odd_text(rng))
    if rng.random() < 0.5:
        element.text = text
    else:
        element.tail = text


def _style(rng: Random, _element: Element, root: Element) -> None:
    etree.SubElement(root, f"{{{SVG}}}style").text = plain(css(rng))


def _refer(rng: Random, element: Element, root: Element) -> None:
    """Makes an element refer to one that is there."""
    target = rng.choice(list(root.iter(etree.Element)))
    target.set("id", "a")
    name = rng.choice(("href", _XLINK, "fill", "clip-path", "mask", "filter", "stroke", "marker-end"))
    element.set(name, "#a" if "href" in name else "url(#a)")


_EDITS: tuple[Callable[[Random, Element, Element], None], ...] = (
    _set, _set, _set, _set, _unset, _remove, _copy, _nest, _put, _put, _put, _splice, _move, _retag,
    _word, _style, _refer,
)  # fmt: skip
