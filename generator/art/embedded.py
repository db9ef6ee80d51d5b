"""Take a drawing, make parts of it from the drawings in its data URIs."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from lxml import etree

from generator.art.cascade import inline_styles
from generator.art.drawing import Drawing, Fault, link_of
from generator.art.parsing import MAX_BYTES, read_drawing
from generator.art.parts import make_part, seat_part
from generator.art.svg import document_faults, frame_faults
from generator.basics.errors import MisfitError, PnpError
from generator.basics.files import MEGABYTE
from generator.basics.place import Place

_DEEPEST = 3  # drawings within each other
_DRAWING = re.compile(
    r"\s*+data:(?:image/svg\+xml|(?=[;,]))((?:;[^,;]{0,60}+)*+),(.*+)", re.IGNORECASE | re.DOTALL
)
_OPENINGS = (b"<", b"\x1f\x8b", b"\xef\xbb\xbf<")  # of an SVG, also a compressed one


def embed_drawings(drawing: Drawing) -> Iterator[Fault]:
    """Replace each <image> of an SVG by a part, which is checked with the whole drawing. Yields the
    faults of those that cannot be parts."""
    if any(_read_content(image) is not None for image in drawing.elements("image")):
        inline_styles(drawing.root)  # the parts must not get its style sheets
        yield from _Embedding().embed(drawing, 1)


class _Embedding:
    """The work on one drawing, within a total size."""

    def __init__(self) -> None:
        self._left = MAX_BYTES

    def embed(self, drawing: Drawing, depth: int) -> Iterator[Fault]:
        for image in list(drawing.elements("image")):
            content = _read_content(image)
            if content is None:
                continue
            line = drawing.line(image)
            for _, what, hint, _ in self._replace(image, content, depth):
                yield Fault(line, f"in an embedded drawing: {what}", hint)

    def _replace(self, image: etree._Element, content: bytes, depth: int) -> Iterator[Fault]:
        try:
            inner = read_drawing(content, Place(""))
        except PnpError as error:
            yield from (Fault(1, one.what, one.hint) for one in error.problems)
            return
        self._left -= len(inner.content)
        if self._left < 0 or depth > _DEEPEST:
            what = f"it is nested more than {_DEEPEST} deep, or there are more than"
            what = f"{what} {MAX_BYTES // MEGABYTE} MB of embedded drawings"
            yield Fault(1, what, "save it as a separate picture")
            return
        faults = document_faults(inner) or list(frame_faults(inner))
        yield from faults
        if faults:
            return
        inner.strip()
        yield from self.embed(inner, depth + 1)
        for element in inner.root.iter():
            element.sourceline = image.sourceline
        try:
            seat_part(image, make_part(inner.root))
        except MisfitError as error:
            yield Fault(1, str(error), error.hint)


def _read_content(image: etree._Element) -> bytes | None:
    """The SVG in the data URI of an <image>; None if it holds none."""
    uri = link_of(image)
    match = _DRAWING.match(uri)
    if match is None:
        return None
    content = unquote_to_bytes(match[2])
    if match[1].lower().replace(" ", "").endswith(";base64"):
        letters = re.sub(rb"\s+", b"", content)
        try:
            content = base64.b64decode(letters + b"=" * (-len(letters) % 4), validate=True)
        except ValueError:
            return None
    content = content.lstrip()
    return content if content.startswith(_OPENINGS) else None
