"""Take the bytes of an SVG file, make a Drawing and fetch nothing, or report invalid XML."""

from __future__ import annotations

import re
import zlib

from lxml import etree

from generator.art.drawing import Drawing
from generator.basics.errors import PnpError, fail, quote
from generator.basics.files import MEGABYTE
from generator.basics.place import Place
from generator.basics.safe_xml import xml_parser
from generator.basics.signatures import kind_of

MAX_BYTES = 4 * MEGABYTE
PREFIX = "pnp"  # of a template's own attributes
PLAIN = "save it as plain SVG; in Illustrator, without 'Preserve Illustrator Editing Capabilities'"
_GZIP = b"\x1f\x8b"
_LONGEST_DOCTYPE = 16_384  # characters up to its end; Illustrator's has 2,000
_MOST_ENTITIES = 200  # Illustrator declares 20
_DECLARATION = re.compile(r"\A\ufeff?<\?xml\b[^>]*+\?>")
_ENCODING = re.compile(rb"""\A(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding=["']([\w.:-]{1,40})["']""")
_DOCTYPE = re.compile(
    r"""<!DOCTYPE\b(?:"[^"]*+"|'[^']*+'|[^"'>\[])*+"""
    r"""(?:\[((?:"[^"]*+"|'[^']*+'|[^\]"'])*+)\]\s*+)?>"""
)
_ENTITY = re.compile(r"""<!ENTITY\s++([\w:.-]++)\s++(?:"([^"]*+)"|'([^']*+)')\s*+>""")
_REFERENCE = re.compile(r"&([\w:.-]++);")
_PREDEFINED = ("amp", "lt", "gt", "quot", "apos")


def read_drawing(content: bytes, place: Place) -> Drawing:
    """The drawing in an SVG or SVGZ file. Raises PnpError if it is not valid XML.

    Entities that its DOCTYPE declares, as Illustrator writes them, are replaced by their texts.
    """
    if content.startswith(_GZIP):
        content = _decompress(content, place)
    if b"<!ENTITY" in content:
        content = _put_in_entities(content, place)
    return Drawing(_parse(content, place), content)


def _decompress(content: bytes, place: Place) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        plain = stream.decompress(content, MAX_BYTES + 1)
    except zlib.error:
        raise fail(place, "this is not a readable compressed SVG", PLAIN) from None
    if len(plain) > MAX_BYTES or not stream.eof:
        what = f"decompressed, the file has more than {MAX_BYTES // MEGABYTE} MB, or ends too early"
        raise fail(place, what, PLAIN)
    return plain


def _put_in_entities(content: bytes, place: Place) -> bytes:
    """The file with its entities replaced, without its DOCTYPE; lines keep their numbers."""
    match = _ENCODING.match(content)
    try:
        text = content.decode(match[1].decode() if match else "utf-8")
    except (LookupError, UnicodeDecodeError):
        return content  # the parser reports it, or refuses the entities
    doctype = _DOCTYPE.search(text, 0, _LONGEST_DOCTYPE)
    if doctype is None or "<!ENTITY" not in (doctype[1] or ""):
        return content
    place = place.at_line(text.count("\n", 0, doctype.start()) + 1)
    entities = {one[1]: one[2] or one[3] or "" for one in _ENTITY.finditer(doctype[1])}
    _check_entities(entities, _ENTITY.sub("", doctype[1]), place)
    head, body = text[: doctype.start()], text[doctype.end() :]
    head = _DECLARATION.sub(_blank, head)
    uses = (len(entities.get(one[1], "")) for one in _REFERENCE.finditer(body))
    if len(body) + sum(uses) > MAX_BYTES:
        raise fail(
            place, f"with its entities, the file has more than {MAX_BYTES:,} characters", PLAIN
        )
    body = _REFERENCE.sub(lambda one: entities.get(one[1], one[0]), body)
    return f"{head}{_blank(doctype)}{body}".encode()


def _check_entities(entities: dict[str, str], rest: str, place: Place) -> None:
    """Raises PnpError for entities that are not plain texts."""
    if "<!ENTITY" in rest:
        what = "the file declares entities that point outside the file, or are not texts"
        raise fail(place, what, PLAIN)
    if len(entities) > _MOST_ENTITIES:
        raise fail(place, f"the file declares {len(entities):,} entities", PLAIN)
    for name, value in entities.items():
        within = {one[1] for one in _REFERENCE.finditer(value)}.difference(_PREDEFINED)
        if within or "%" in value:
            what = f"the file declares entities within entities: {quote(name)}"
            raise fail(place, what, PLAIN)


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _parse(content: bytes, place: Place) -> etree._Element:
    parser = xml_parser()
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
        return fail(place, "the file declares entities within entities", PLAIN)
    if "XML_PARSE_HUGE" in what:
        what = "elements are nested too deeply, or a text is too long"
    if what.startswith("xmlParseEntityRef"):
        what, hint = "there is a plain '&'", "write &amp; in a text; in a condition, write and"
    if what.startswith(f"Namespace prefix {PREFIX} "):
        hint = f'write <svg xmlns:{PREFIX}="urn:pnp" …>'
    return fail(place, f"not valid XML: {what}", hint)
