"""Marks of a draft on faces with faults: a red frame, and a band with the first fault."""

from bisect import bisect_left
from functools import lru_cache

from msgspec.structs import replace

from generator.art.picture import FAULT_RED
from generator.basics.errors import MisfitError, escape
from generator.basics.geometry import MM_PER_PT, ORIGIN, Rect
from generator.basics.shapes import Outline, box_of, common, grown, rounded
from generator.faces.canvas import Canvas
from generator.model import Component, Face, Piece, PlacedLayer, Side
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.flow import Compositor, Flow, OverfullError
from generator.text.lettering import find_illegible
from generator.text.markup import copy_of
from generator.text.shape import Style

_PAPER, _INK = "#ffffff", "#1f1c19"
_FRAME = 0.9  # mm, the width of the frame
_INSET = 1.6  # mm from the cut to the middle of the frame, so that an inexact cut spares it
_SMALL = 30.0  # mm: frame and band are smaller on a smaller piece
_BAND = 0.13  # of the height of a piece
_LOWEST, _HIGHEST = 3.0, 9.0  # mm, of a band
_SIZE, _LEAST = 6.5 * MM_PER_PT, 4.5 * MM_PER_PT
_PAD = 0.6  # mm between the band's edge and its words
_ENOUGH = 0.6  # of the width of a piece: wide enough for a band
_STEP = 0.5  # mm: a band moves up in such steps until the piece is wide enough
_NAME = 14 * MM_PER_PT


def blank(component: Component, piece: Piece, side: Side, fonts: FontBook) -> Face:
    """A white face with the name of its piece, for a face that cannot be drawn at all."""
    part = component.of(piece)
    part = part if side == "front" else part.from_behind()
    canvas = Canvas(part.bleed_size)
    canvas.rect(Rect(0.0, 0.0, *part.bleed_size), _PAPER)
    trim = part.trim
    foot = trim.y0 + 0.8 * trim.height
    box = trim._replace(x0=trim.x0 + 2 * _INSET, x1=trim.x1 - 2 * _INSET, y1=foot)
    style = _style(fonts, _NAME, _LEAST, _INK)
    if flow := _set_shortened(fonts, piece.id, box, style):
        canvas.flow(flow.lines)
    name = f"{component.id} {piece.id} {side}"
    layers = [PlacedLayer(canvas.layer(name), ORIGIN)]
    return Face.of(layers, name, part.bleed_size, part.outline, part.corner_radius, 0, part.holes)


def mark(face: Face, numbers: str, words: str, fonts: FontBook) -> Face:
    """The face with a red frame and a band: the numbers of its faults, and these words."""
    canvas = Canvas(face.size)
    scale = min(1.0, min(face.trim.width, face.trim.height) / _SMALL)
    inner = grown(rounded(face.outline, face.corner_radius), -_INSET * scale)
    canvas.lines([(*inner, inner[0])], FAULT_RED, _FRAME * scale)
    band, pad = _find_band(inner), _PAD * scale
    box = Rect(band.x0 + 2 * pad, band.y0 + pad, band.x1 - 2 * pad, band.y1 - pad)
    style = replace(_style(fonts, _SIZE, _LEAST, _PAPER), align="left", valign="bottom")
    if flow := _set_shortened(fonts, f"{numbers}  {words}", box, style):
        low = band._replace(y0=box.y1 - flow.height - pad)  # as low as the words allow
        canvas.polygons(_strips(inner, low), FAULT_RED)
        canvas.flow(flow.lines)
    layers = [*face.layers, PlacedLayer(canvas.layer(f"faults of {face.name}"), ORIGIN)]
    return face.with_layers(layers)


@lru_cache(maxsize=64)
def _find_band(inner: Outline) -> Rect:
    """The lowest place for a band where the piece is wide enough; else the widest."""
    box = box_of(inner)
    height = min(max(_BAND * box.height, _LOWEST), _HIGHEST, box.height / 2)
    rows = int((box.height - height) / _STEP) + 1
    bands = [_band_at(inner, box.y1 - height - row * _STEP, height) for row in range(rows)]
    enough = (band for band in bands if band.width >= _ENOUGH * box.width)
    return next(enough, max(bands, key=lambda band: band.width))


def _band_at(inner: Outline, top: float, height: float) -> Rect:
    """The box within a piece below a top: as wide as the piece at its narrower end."""
    ends = [_chord(inner, y) for y in (top + 0.01, top + height - 0.01)]
    x0, x1 = max(low for low, _ in ends), min(high for _, high in ends)
    return Rect(x0, top, max(x0, x1), top + height)


def _chord(inner: Outline, y: float) -> tuple[float, float]:
    """The left and right end of a piece at a height; of several parts, those of the widest."""
    strips = _strips(inner, box_of(inner)._replace(y0=y - 0.005, y1=y + 0.005))
    boxes = [box_of(strip) for strip in strips]
    widest = max(boxes, key=lambda box: box.width, default=Rect(0.0, y, 0.0, y))
    return widest.x0, widest.x1


def _strips(inner: Outline, band: Rect) -> tuple[Outline, ...]:
    return common(inner, band.corners())


def _style(fonts: FontBook, size: float, least: float, colour: str) -> Style:
    return Style(
        family=HOUSE_FAMILY,
        fallback=fonts.own_families,
        size=size,
        least=least,
        weight=700,
        colour=colour,
        leading=1.1,
        align="centre",
        valign="middle",
    )


def legible(words: str, fonts: FontBook) -> str:
    """Words with a question mark for each character that no font of the game has."""
    line = escape(words)
    lacking = find_illegible(line, fonts)
    return "".join("?" if character in lacking else character for character in line)


def set_words(fonts: FontBook, words: str, box: Rect, style: Style) -> Flow:
    """Legible words in a box. Raises OverfullError."""
    compositor = _compositor(fonts)
    try:
        return compositor.set(copy_of(words), box, style)
    except OverfullError:
        raise
    except MisfitError:  # letters of one font cannot have marks of another
        return compositor.set(copy_of(words.encode("ascii", "replace").decode()), box, style)


@lru_cache(maxsize=2)
def _compositor(fonts: FontBook) -> Compositor:
    return Compositor(fonts)


def _set_shortened(fonts: FontBook, words: str, box: Rect, style: Style) -> Flow | None:
    """Words in a box, as many as fit; None if none do."""
    parts = legible(words, fonts).split(" ")

    def set_first(count: int) -> Flow | None:
        shortened = parts if count == len(parts) else [*parts[:count], "…"]
        try:
            return set_words(fonts, " ".join(shortened), box, style)
        except OverfullError:
            return None

    counts = range(1, len(parts) + 1)
    if whole := set_first(len(parts)):
        return whole
    over = bisect_left(counts, True, key=lambda count: set_first(count) is None)
    return set_first(counts[over - 1]) if over else None
