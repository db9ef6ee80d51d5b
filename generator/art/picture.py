"""Take a designer's picture, make a data URI, or say what in it cannot be printed or is unsafe."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from lxml import etree

from generator.art.drawing import Drawing, Fault
from generator.art.editors import say_plainly
from generator.art.effort import effort_faults
from generator.art.pixels import FORMATS, make_printable
from generator.art.svg import PLAIN, document_faults, element_faults, frame_faults
from generator.errors import MisfitError, PnpError, Problem, at_most, fail, quote
from generator.files import MEGABYTE, read_within
from generator.place import Place
from generator.safe_xml import xml_parser
from generator.text import FontBook

MAX_BYTES = 4 * MEGABYTE
_MAX_PROBLEMS = 20
_MAX_LOOKED_AT = 200
_SVG = ".svg"
PREFIX = "pnp"  # of what a template says in attributes


def read_art(folder: Path, file: str, fonts: FontBook, asked: Place) -> str:
    """The picture in `file` as a data URI. Raises PnpError with every fault of it.

    `asked` is the line of the spec that asks for the file.
    """
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in FORMATS and suffix != _SVG:
        what = f"{quote(file)} is not a picture that pnp can print"
        raise fail(asked, what, f"known: {', '.join((_SVG, *FORMATS))}")
    content = read_within(folder, file, MAX_BYTES, asked)
    place = Place(f"{folder.name}/{file}")
    if suffix == _SVG:
        plain = base64.b64encode(_plain_svg(content, place, fonts)).decode()
        return f"data:image/svg+xml;base64,{plain}"
    try:
        return make_printable(content, FORMATS[suffix]).uri
    except MisfitError as error:
        raise fail(place, str(error), error.hint) from None


def _plain_svg(content: bytes, place: Place, fonts: FontBook) -> bytes:
    """What is drawn of an SVG, and nothing else. Raises PnpError."""
    drawing = Drawing(parse_svg(content, place), content)
    faults = document_faults(drawing)
    if not faults:
        faults = list(islice(frame_faults(drawing), _MAX_LOOKED_AT))
        drawing.strip()
        say_plainly(drawing, fonts)
        faults += islice(element_faults(drawing, fonts), _MAX_LOOKED_AT)
        faults = faults or list(islice(_texts(drawing), _MAX_LOOKED_AT))
    refuse(faults or effort_faults(drawing), place)
    return drawing.svg()


def _texts(drawing: Drawing) -> Iterator[Fault]:
    """Words that the engine (typst 0.15) would leave out of a picture without a word."""
    for text in drawing.elements("text"):
        if words := "".join(text.itertext()).strip():
            what = f"the text {quote(words)} is not printed in a picture"
            yield drawing.fault(text, what, "turn it into paths, or let it be a template")


def refuse(faults: Iterable[Fault], place: Place) -> None:
    """Raises PnpError when there are any."""
    problems = (
        Problem(place.at_line(line), what, hint) for line, what, hint in dict.fromkeys(faults)
    )
    first = next(problems, None)
    if first is not None:
        raise PnpError(at_most(_MAX_PROBLEMS, chain([first], problems)))


def parse_svg(content: bytes, place: Place) -> etree._Element:
    """The root of an SVG, nothing in it resolved. Raises PnpError: it is no XML."""
    if content.startswith(b"\x1f\x8b"):
        raise fail(place, "this is a compressed SVG", "save it as plain SVG, not SVGZ")
    parser = xml_parser()
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise _no_xml(place, error.lineno or 1, error.msg or "the file is empty") from None
    for fault in parser.error_log.filter_from_errors():  # lxml passes over one before a warning
        raise _no_xml(place, fault.line, fault.message)
    return root


def _no_xml(file: Place, line: int, message: str) -> PnpError:
    """What is told of libxml2's message: not the lines of the file that it may quote."""
    place, hint = file.at_line(line), "open it in its editor and save it again as plain SVG"
    what = re.split(r", line |: <", message)[0].strip()
    if "entity amplification" in what:
        return fail(place, "the file declares entities within entities", PLAIN)
    if "XML_PARSE_HUGE" in what:
        what = "elements are nested too deeply, or a text is too long"
    if what.startswith(f"Namespace prefix {PREFIX} "):
        hint = f'write <svg xmlns:{PREFIX}="urn:pnp" …>'
    return fail(place, f"not valid XML: {what}", hint)
