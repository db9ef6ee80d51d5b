"""Take a parsed SVG, answer what its checks ask: lines, styles, names; and keep what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from lxml import etree

from generator.spec import css

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
KEPT_ATTRIBUTES = (XLINK_HREF, "{http://www.w3.org/XML/1998/namespace}space")


_MAX_LINE = 10_000  # characters of a line that a tag is looked for in


class Fault(NamedTuple):
    line: int
    what: str
    hint: str


class Drawing:
    """An SVG that was parsed with nothing resolved."""

    def __init__(self, root: etree._Element, content: bytes) -> None:
        self.root = root
        self._content = content

    @cached_property
    def _lines(self) -> list[str]:
        encoding = self.root.getroottree().docinfo.encoding or "utf-8"
        return re.split(r"\r\n|\r|\n", self._content.decode(encoding, errors="replace"))

    def svg(self) -> bytes:
        return bytes(etree.tostring(self.root, encoding="utf-8"))

    def elements(self, name: str = "*") -> Iterator[etree._Element]:
        yield from self.root.iter(f"{SVG}{name}")

    @cached_property
    def styles(self) -> css.Styles:
        return css.Styles("".join(element.itertext()) for element in self.elements("style"))

    @cached_property
    def by_id(self) -> dict[str, list[etree._Element]]:
        """The elements of each id: one, unless an editor was careless."""
        found: dict[str, list[etree._Element]] = {}
        for element in self.elements():
            if element.get("id"):
                found.setdefault(element.get("id", ""), []).append(element)
        return found

    def references(self, element: etree._Element) -> Iterator[tuple[str, str]]:
        """What in the drawing an element refers to: the attribute or property, and the id."""
        for attribute in ("href", XLINK_HREF):
            target = element.get(attribute, "").strip()
            if target.startswith("#"):
                yield "href", target[1:]
        for name, value in self.styles.of(element).items():
            yield from ((name, link[1:]) for link in css.links(value) if link.startswith("#"))

    def fault(self, element: etree._Element, what: str, hint: str, attribute: str = "") -> Fault:
        return Fault(self.line(element, attribute), what, hint)

    def line(self, element: etree._Element, attribute: str = "") -> int:
        """The line where an attribute of the element stands, or its tag opens.

        lxml knows the line where the tag closes; an editor's user looks where it opens.
        """
        last = first = int(element.sourceline or 1)
        opening = re.compile(rf"<([\w.-]+:)?{re.escape(local(element))}\b")
        while first > 1 and not opening.search(self._line_text(first)[:_MAX_LINE]):
            first -= 1
        here = re.compile(rf"(^|[\s\"'])([\w.-]+:)?{re.escape(attribute)}\s*=")
        lines = range(first, last + 1) if attribute else ()
        return next((n for n in lines if here.search(self._line_text(n))), first)

    def _line_text(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""

    def strip(self) -> None:
        """Drop what is not drawn: metadata, and what other programs keep in the file."""
        kept = SVG[1:-1]
        foreign = {namespace(e) for e in self.root.iter(etree.Element)} - {kept}
        tags = [f"{{{other}}}*" for other in foreign]
        unwanted = (*tags, f"{SVG}metadata", etree.ProcessingInstruction)
        etree.strip_elements(self.root, *unwanted, with_tail=False)
        for element in self.root.iter():
            for name in list(element.attrib):
                if name.startswith("{") and name not in KEPT_ATTRIBUTES:
                    del element.attrib[name]


def remove(element: etree._Element) -> None:
    """Take an element out, and leave the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def namespace(element: etree._Element) -> str:
    return etree.QName(element).namespace or ""


def local(element: etree._Element) -> str:
    return str(etree.QName(element).localname)
