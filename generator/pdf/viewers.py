"""Take the engine's pages, say in them what viewers need to show them as drawn."""

from __future__ import annotations

import re
from typing import Any

from generator.basics.geometry import decimal
from generator.pdf.reading import PdfReader, PdfStream

_HAIR = 2e-5  # of a tile
_BEND = 1e-5  # of the width of a rectangle
_NUMBER = rb"-?[\d.]+"
_RECTANGLE = re.compile(  # filled with a pattern, as the engine writes it
    rb"/Pattern cs(?P<name>/p\d+) scn\s+(?P<x0>%b) (?P<y0>%b) m "
    rb"(?P<x1>%b) (?P=y0) l (?P=x1) (?P<y1>%b) l (?P=x0) (?P=y1) l(?=\s+h\b)" % ((_NUMBER,) * 4)
)
_MOST_SMOOTHED = 1_000_000  # pixels: a larger picture is fine enough on a card


def suit_viewers(content: bytes, drawing: PdfReader) -> None:
    """Adjust patterns and pictures of a PDF that was read; `content` is its bytes.

    pdfium, which shows PDFs in Chrome and Edge, rounds the step of a tile to whole pixels if its
    box is as large. It stretches the box to whole pixels, so the box becomes a hair smaller: a
    larger one would grow by a pixel. It widens a rectangle of tiles to whole pixels, but no other
    shape. It shows the pixels of a small picture as squares unless told to smooth them.
    poppler takes 0 for the width of a line in a tile that sets none, not 1 (ISO 32000-1, 8.4.1).
    """
    if b"/PatternType 1" not in content and b"/Subtype/Image" not in content:
        return  # most faces, and looking at every object takes time
    for page in drawing.pages:
        _bend_rectangles(drawing, drawing.get(page, "/Contents"), page)
    for thing in drawing.objects():
        if isinstance(thing, PdfStream):
            _bend_rectangles(drawing, thing, thing)
            _suit_stream(thing)


def _suit_stream(thing: PdfStream) -> None:
    if thing.get("/PatternType") == "1":
        x0, y0, x1, y1 = map(float, thing["/BBox"])
        box = (x0, y0, x1 - (x1 - x0) * _HAIR, y1 - (y1 - y0) * _HAIR)
        thing["/BBox"] = [decimal(side, 6) for side in box]
        thing.write(b"1 w\n" + thing.read())
    elif thing.get("/Subtype") == "/Image" and _count_pixels(thing) <= _MOST_SMOOTHED:
        thing["/Interpolate"] = "true"


def _count_pixels(picture: PdfStream) -> int:
    return int(picture["/Width"]) * int(picture["/Height"])


def _bend_rectangles(drawing: PdfReader, content: PdfStream, holder: dict[str, Any]) -> None:
    """Make each rectangle that is filled with tiles a shape of five corners: the last is a hair
    within its left side. `holder` has the resources of the content."""
    patterns = drawing.get(drawing.get(holder, "/Resources", {}), "/Pattern", {})
    every = ((name.encode("ascii"), drawing.resolve(one)) for name, one in patterns.items())
    tiled = {name for name, one in every if one["/PatternType"] == "1"}
    if not tiled:
        return

    def bend(match: re.Match[bytes]) -> bytes:
        if match["name"] not in tiled:
            return match[0]
        x0, y0, x1, y1 = (float(match[name]) for name in ("x0", "y0", "x1", "y1"))
        x, y = x0 + (x1 - x0) * _BEND, (y0 + y1) / 2
        return match[0] + f" {decimal(x, 9)} {decimal(y, 9)} l".encode()

    old = content.read()
    new = _RECTANGLE.sub(bend, old)
    if new != old:
        content.write(new)
