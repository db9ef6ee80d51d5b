"""A Drawing, read from the bytes of an SVG file: its lines, styles and names.

What is not drawn is dropped. Nothing is fetched, and invalid XML is reported.
"""

import re
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from lxml import etree

from generator.art import css
from generator.basics.errors import MisfitError, Place, PnpError, fail, quote
from generator.basics.files import MEGABYTE, kind_of, xml_parser
from generator.basics.geometry import Size, decimal

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d{1,2})?"  # no backtracking
LENGTH = re.compile(rf"\s*+({NUMBER})\s*+(px|mm|cm|in|pt|pc)?\s*+")
HREFS = ("href", XLINK_HREF)  # SVG 2, 16.1.5: the first counts
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
KEPT_ATTRIBUTES = (XLINK_HREF, SPACE)

# CSS: an inch is 96 user units, before the viewBox scales them
_UNITS = {"": 1.0, "px": 1.0, "in": 96.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "pt": 4 / 3, "pc": 16.0}
_MAX_LENGTH = 40  # characters of a length
_LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"

_BREAK = re.compile(r"\r\n|\r|\n")
_OPENING = re.compile(r"<(?:[\w.-]++:)?([\w.-]++)")
_SETTING = re.compile(r"(?<![\w.-])([\w.-]++)\s*+=")
_DROPPED = "dropped"
MAX_BYTES = 4 * MEGABYTE
PREFIX = "pnp"  # of a template's own attributes
PLAIN = "save it as plain SVG; in Illustrator, without 'Preserve Illustrator Editing Capabilities'"
_GZIP = b"\x1f\x8b"
_REFERENCE = re.compile(r"&([\w:.-]++);")
_PREDEFINED = {"amp", "lt", "gt", "quot", "apos"}


class Fault(NamedTuple):
    """A line of a drawing, its fault, and a hint.

    `rule` is the kind of a finding; "" for a fault that refuses the drawing.
    """

    line: int
    what: str
    hint: str
    rule: str = ""


class Drawing:
    """A parsed SVG whose references are not resolved."""

    def __init__(self, root: etree._Element, content: bytes, *, is_bare: bool = False) -> None:
        self.root = root
        self.content = content
        self.is_bare = is_bare  # its file does not declare the namespace of SVG

    @cached_property
    def _openings(self) -> dict[str, list[int]]:
        """The lines where tags open, by the tags' local names."""
        return self._lines(_OPENING)

    @cached_property
    def _settings(self) -> dict[str, list[int]]:
        """The lines where attributes are set, by the attributes' local names."""
        return self._lines(_SETTING)

    def _lines(self, pattern: re.Pattern[str]) -> dict[str, list[int]]:
        """The lines where a pattern matches, by its first group."""
        encoding = self.root.getroottree().docinfo.encoding or "utf-8"
        text = self.content.decode(encoding, errors="replace")
        ends = [match.end() for match in _BREAK.finditer(text)]
        lines: dict[str, list[int]] = {}
        for match in pattern.finditer(text):
            lines.setdefault(match[1], []).append(bisect_right(ends, match.start()) + 1)
        return lines

    def svg(self) -> bytes:
        return bytes(etree.tostring(self.root, encoding="utf-8"))

    def elements(self, name: str = "*") -> Iterator[etree._Element]:
        yield from self.root.iter(f"{SVG}{name}")

    @cached_property
    def styles(self) -> css.Styles:
        return css.Styles("".join(element.itertext()) for element in self.elements("style"))

    def set(self, element: etree._Element, name: str, value: str) -> None:
        """Change an attribute that the element has, and forget its style."""
        element.set(name, value)
        self.styles.forget(element)

    def forget_styles(self) -> None:
        """Read the styles again when they are next needed; call it after a change of them."""
        self.__dict__.pop("styles", None)

    @cached_property
    def by_id(self) -> dict[str, list[etree._Element]]:
        """The elements of each id: more than one if an editor copied the id too."""
        by_id: dict[str, list[etree._Element]] = {}
        for element in self.elements():
            if element.get("id"):
                by_id.setdefault(element.get("id", ""), []).append(element)
        return by_id

    def references(self, element: etree._Element) -> Iterator[tuple[str, str]]:
        """The references of an element within the drawing: attribute or property, and id."""
        for attribute in HREFS:
            target = element.get(attribute, "").strip()
            if target.startswith("#"):
                yield "href", target[1:]
        for name, value in self.styles.of(element).items():
            yield from ((name, link[1:]) for link in css.links(value) if link.startswith("#"))

    def targets(self, element: etree._Element, name: str) -> list[etree._Element]:
        """The elements to which a property or "href" of an element refers."""
        ids = (id_ for own, id_ in self.references(element) if own == name)
        return [target for id_ in ids for target in self.by_id.get(id_, ())[:1]]

    def find_own(self, element: etree._Element, name: str) -> str:
        """A property that an element sets; "" if it does not."""
        return str(self.styles.of(element).get(name) or element.get(name, "")).strip()

    def find_inherited(self, element: etree._Element, name: str, default: str = "") -> str:
        """A property of an element, or else of the nearest element around it that sets it."""
        own = (self.find_own(holder, name) for holder in (element, *element.iterancestors()))
        return next((value for value in own if value and value != "inherit"), default)

    def referred(self, element: etree._Element) -> Iterator[etree._Element]:
        """Everything that an element refers to, directly or not."""
        ids: dict[str, None] = {}
        waiting = [element]
        while waiting:
            for part in waiting.pop().iter(etree.Element):
                for _, id_ in self.references(part):
                    if id_ not in ids and id_ in self.by_id:
                        ids[id_] = None
                        waiting.append(self.by_id[id_][0])
        yield from (self.by_id[id_][0] for id_ in ids)

    def fault(self, element: etree._Element, what: str, hint: str, attribute: str = "", rule: str = "") -> Fault:
        return Fault(self.line(element, attribute), what, hint, rule)

    def line(self, element: etree._Element, attribute: str = "") -> int:
        """The line of an attribute of the element, or the line where its tag opens.

        lxml knows the line where the tag closes; an editor's user looks where it opens.
        """
        last = int(element.sourceline or 1)
        openings = self._openings.get(local(element), [])
        before = bisect_right(openings, last)
        first = openings[before - 1] if before else last  # of an embedded drawing
        settings = self._settings.get(attribute, []) if attribute else []
        at = bisect_left(settings, first)
        return settings[at] if at < len(settings) and settings[at] <= last else first

    def strip(self) -> None:
        """Drop the parts that are not drawn: metadata, and the data of other programs."""
        etree.strip_elements(self.root, etree.ProcessingInstruction, with_tail=False)
        elements = list(self.root.iter(etree.Element))
        self.drop(e for e in elements if namespace(e) != SVG[1:-1] or local(e) == "metadata")
        for element in self.root.iter():
            for name in list(element.attrib):
                if name.startswith("{") and name not in KEPT_ATTRIBUTES:
                    del element.attrib[name]
        # libxml2 writes a moved element without its prefix, even where that is another namespace
        etree.cleanup_namespaces(self.root)

    def drop(self, elements: Iterable[etree._Element]) -> None:
        """Remove elements, and leave the text after them."""
        for element in elements:
            element.tag = _DROPPED  # one by one, texts would be joined again and again
        etree.strip_elements(self.root, _DROPPED, with_tail=False)


def put_in_place(element: etree._Element, other: etree._Element) -> None:
    """Put an element in the place of another one, with the words behind that."""
    parent = other.getparent()
    assert parent is not None, "the root is never replaced"
    element.tail, other.tail = other.tail, None
    parent.replace(other, element)


def new_drawing(size: Size) -> etree._Element:
    """An empty drawing of a size, whose user unit is the millimetre."""
    width, height = map(decimal, size)
    return etree.Element(
        f"{SVG}svg",
        {"width": f"{width}mm", "height": f"{height}mm", "viewBox": f"0 0 {width} {height}"},
        nsmap={None: SVG[1:-1]},
    )


def user_units(text: str) -> float:
    """A length within a drawing. Raises MisfitError."""
    match = LENGTH.fullmatch(text[:_MAX_LENGTH])
    if match is None or len(text) > _MAX_LENGTH:
        raise MisfitError(f"{quote(text)} is not a length", "a number, or a number and mm, pt, px")
    return float(match[1]) * _UNITS[match[2] or ""]


def namespace(element: etree._Element) -> str:
    return etree.QName(element).namespace or ""


def local(element: etree._Element) -> str:
    return str(etree.QName(element).localname)


def link_of(element: Any) -> str:
    """The target of an element's link; "" without one."""
    return str(next((element.get(name) for name in HREFS if element.get(name)), ""))


def names_of(element: etree._Element) -> list[str]:
    """The names that editors show for an element: Inkscape's label, Illustrator's name, the id."""
    return [name for key in (_LABEL, "data-name", "id") if (name := element.get(key))]


def read_drawing(content: bytes, place: Place) -> Drawing:
    """The drawing in an SVG or SVGZ file. Raises PnpError if it is not valid XML.

    Entities that its DOCTYPE declares, as Illustrator writes them, are replaced by their texts. A
    file that declares no namespace gets that of SVG.
    """
    if content.startswith(_GZIP):
        content = _decompress(content, place)
    root = _parse(content, place)
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and (declared := list(dtd.iterentities())):
        _check_entities(declared, root, content, place)
        root = _parse(content, place, puts_in_entities=True)
    is_bare = root.tag == "svg"
    for element in root.iter(etree.Element) if is_bare else ():
        if not namespace(element):
            element.tag = f"{SVG}{local(element)}"
    return Drawing(root, content, is_bare=is_bare)


def _decompress(content: bytes, place: Place) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        plain = stream.decompress(content, MAX_BYTES + 1)
    except zlib.error:
        raise fail(place, "this is not a readable compressed SVG", PLAIN) from None
    if len(plain) > MAX_BYTES or not stream.eof:
        raise fail(place, f"decompressed, the file has more than {MAX_BYTES // MEGABYTE} MB, or ends too early", PLAIN)
    return plain


def _check_entities(declared: Iterable[Any], root: etree._Element, content: bytes, place: Place) -> None:
    """Raises PnpError for entities that are not plain texts, or that make a file too large; those
    in its attributes are limited by libxml2."""
    place = place.at_line(content.partition(b"<!DOCTYPE")[0].count(b"\n") + 1)
    sizes: dict[str, int] = {}
    for entity in declared:
        if entity.content is None:
            raise fail(place, f"the file declares entities that point outside the file: {quote(entity.name)}", PLAIN)
        if not _PREDEFINED.issuperset(_REFERENCE.findall(entity.content)):
            raise fail(place, f"the file declares entities within entities: {quote(entity.name)}", PLAIN)
        sizes[entity.name] = len(entity.content)
    if len(content) + sum(sizes.get(use.name, 0) for use in root.iter(etree.Entity)) > MAX_BYTES:
        raise fail(place, f"with its entities, the file has more than {MAX_BYTES:,} characters", PLAIN)


def _parse(content: bytes, place: Place, *, puts_in_entities: bool = False) -> etree._Element:
    parser = xml_parser(puts_in_entities=puts_in_entities)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if kind := kind_of(content):
            what, hint = f"this is {kind}, not an SVG", "a new name does not convert it"
            raise fail(place, what, f"{hint}: export it as SVG") from None
        raise _invalid_xml(place, error.lineno or 1, error.msg or "the file is empty") from None
    for fault in parser.error_log.filter_from_errors():  # lxml skips an error before a warning
        raise _invalid_xml(place, fault.line, fault.message)
    return root


def _invalid_xml(file: Place, line: int, message: str) -> PnpError:
    """An error with libxml2's message, without the lines of the file that it may quote."""
    place, hint = file.at_line(line), "open it in its editor and save it again as plain SVG"
    what = re.split(r", line |: <", message)[0].strip()
    if "entity amplification" in what:
        return fail(place, "the file declares entities that grow too large", PLAIN)
    if "XML_PARSE_HUGE" in what:
        what = "elements are nested too deeply, or a text is too long"
    if what.startswith("xmlParseEntityRef"):
        what, hint = "there is a plain '&'", "write &amp; in a text; in a condition, write and"
    if what.startswith(("Unescaped '<'", "StartTag: invalid element name")):
        what, hint = "there is a plain '<'", "write &lt; instead; in a condition, 3 > n means n < 3"
    if what.startswith(f"Namespace prefix {PREFIX} "):
        hint = f'write <svg xmlns:{PREFIX}="urn:pnp" …>'
    return fail(place, f"not valid XML: {what}", hint)
