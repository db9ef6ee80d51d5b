"""Take the engine's pages, say in them what viewers need to show them as drawn (pikepdf)."""

from __future__ import annotations

import pikepdf

from generator.pdf.blending import suit_blending

_HAIR = 2e-5  # of a tile
_MOST_SMOOTHED = 1_000_000  # pixels: a larger picture is fine enough on a card


def suit_viewers(content: bytes, drawing: pikepdf.Pdf) -> None:
    """Adjust patterns, pictures and blended colours of an opened PDF; `content` is its bytes.

    pdfium, which shows PDFs in Chrome and Edge, rounds the step of a tile to whole pixels if its
    box is as large. It stretches the box to whole pixels, so the box becomes a hair smaller: a
    larger one would grow by a pixel. It shows the pixels of a small picture as squares unless told
    to smooth them.
    """
    suit_blending(content, drawing)
    if b"/PatternType 1" not in content and b"/Subtype/Image" not in content:
        return  # most faces, and looking at every object takes time
    for thing in drawing.objects:
        if not isinstance(thing, pikepdf.Stream):
            continue
        if thing.get("/PatternType") == 1:
            x0, y0, x1, y1 = map(float, thing.BBox)
            thing.BBox = [x0, y0, x1 - (x1 - x0) * _HAIR, y1 - (y1 - y0) * _HAIR]
        elif thing.get("/Subtype") == "/Image" and thing.Width * thing.Height <= _MOST_SMOOTHED:
            thing.Interpolate = True
