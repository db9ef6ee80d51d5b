"""Take a face that ends at its trim, extend it into the bleed: mirrored, or in one colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot

from msgspec.structs import replace

from generator.errors import MisfitError
from generator.faces.canvas import Canvas
from generator.geometry import ORIGIN, Affine, Point, Rect, Size, translation
from generator.model import (
    DRAWN,
    MIRROR,
    Component,
    Face,
    FlawedFaceError,
    Piece,
    PlacedLayer,
    Renderer,
)
from generator.outlines import Outline, Shape, box_of, carried, edges, grown

_LAP = 0.25  # mm of overlap beneath the piece: no paper shows at the cut


def draw_past_trim(
    renderer: Renderer, piece: Piece, component: Component, edge: str
) -> Sequence[PlacedLayer]:
    """Draw a face with its bleed: the renderer's own, or one added to a face that ends at its trim.

    Raises MisfitError if the face cannot be drawn, FlawedFaceError if a part of it can.
    """
    if edge == DRAWN:
        return renderer.draw(piece, component)
    if component.shape.kind == "net":
        raise MisfitError("a net draws its own bleed", "leave out `edge`")
    try:
        layers = renderer.draw(piece, replace(component, bleed=0.0))
    except FlawedFaceError as error:
        if not error.layers:
            raise
        raise FlawedFaceError(error.faults, _extend(error.layers, component, edge)) from None
    return _extend(layers, component, edge)


def widen(face: Face, component: Component, by: float, edge: str) -> Face:
    """A face with `by` mm more bleed; `component` is as seen from its side.

    A bleed that the renderer drew goes on as its mirror image.
    """
    bleed = component.bleed
    if edge != DRAWN:
        whole, start = replace(component, bleed=bleed + by), Point(-bleed, -bleed)
        return _remake(face, whole, start, edge)
    outer = component.shape.placed(translation(bleed, bleed), by=bleed)
    box = box_of(outer)
    start = Point(-box.x0, -box.y0)
    shape = Shape(component.shape.kind, carried(outer, translation(*start)))
    return _remake(face, replace(component, shape=shape, bleed=by), start, MIRROR)


def _remake(face: Face, whole: Component, start: Point, edge: str) -> Face:
    """A face with the bleed of `whole`; its own origin is at `start` of the trim of that."""
    layers = [
        placed._replace(at=Point(placed.at.x + start.x, placed.at.y + start.y))
        for placed in face.cut_out
    ]
    made, bleed = _extend(layers, whole, edge), whole.bleed
    cut = carried(face.outline, translation(start.x + bleed, start.y + bleed))
    return Face.of(made, face.name, whole.bleed_size, cut, face.corner_radius)


def _extend(
    layers: Sequence[PlacedLayer], component: Component, edge: str
) -> Sequence[PlacedLayer]:
    """A face that ends at its trim, with its bleed."""
    bleed = component.bleed
    face = [
        placed._replace(at=Point(placed.at.x + bleed, placed.at.y + bleed)) for placed in layers
    ]
    if edge == MIRROR:
        return [*_mirror_edges(face, component), *face]
    ground = Canvas(component.bleed_size)
    ground.rect(Rect(0.0, 0.0, *component.bleed_size), edge)
    return [PlacedLayer(ground.layer(f"{component.id} edge"), ORIGIN), *face]


def _mirror_edges(face: Sequence[PlacedLayer], component: Component) -> Iterator[PlacedLayer]:
    """The face mirrored at each edge, above an enlarged copy of it.

    The copy covers the paper where mirrors meet; a circle, which has no edges, has only the copy.
    """
    larger = _enlarge(component.bleed_size, component.trim)
    ring = _ring(component.outline, component.bleed_size)
    yield from (placed._replace(motion=larger, clip=ring) for placed in face)
    if component.shape.kind == "circle":
        return
    for motion, strip in _strips(component.outline, component.bleed):
        yield from (placed._replace(motion=motion, clip=strip) for placed in face)


@lru_cache(maxsize=8)
def _strips(outline: Outline, bleed: float) -> list[tuple[Affine, Outline]]:
    """For each edge, the reflection in it and the strip of bleed along it."""
    outer = grown(outline, bleed)
    sides = zip(edges(outline), edges(outer), strict=True)
    return [(_mirror(p, q), (p, q, s, r)) for (p, q), (r, s) in sides]


@lru_cache(maxsize=8)
def _enlarge(whole: Size, trim: Rect) -> Affine:
    """Enlarge the box of the trim to the size of the box of the bleed."""
    across, down = whole.width / trim.width, whole.height / trim.height
    return Affine(across, 0.0, 0.0, down) @ translation(-trim.x0, -trim.y0)


@lru_cache(maxsize=8)
def _ring(outline: Outline, whole: Size) -> Outline:
    """The area around the piece, with a small overlap, as one outline: out and back again."""
    outer = Rect(0.0, 0.0, *whole).corners()
    inner = grown(outline, -_LAP)
    return (*outer, outer[0], inner[0], *reversed(inner))


def _mirror(p: Point, q: Point) -> Affine:
    """The reflection in the line through two points."""
    length = hypot(q.x - p.x, q.y - p.y)
    ux, uy = (q.x - p.x) / length, (q.y - p.y) / length
    a, b = 2 * ux * ux - 1, 2 * ux * uy
    flip = Affine(a, b, b, -a, 0.0, 0.0)
    return translation(p.x, p.y) @ flip @ translation(-p.x, -p.y)
