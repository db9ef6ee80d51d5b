"""Take a face that ends at its trim, extend it into the bleed: mirrored, or in one colour."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import hypot

from msgspec.structs import replace

from generator.basics.errors import MisfitError
from generator.basics.geometry import ORIGIN, Affine, Point, Rect, Size, translation
from generator.basics.outlines import Outline, Shape, box_of, carried, edges, grown
from generator.faces.canvas import Canvas
from generator.model import (
    DRAWN,
    MIRROR,
    Component,
    Face,
    FlawedFaceError,
    Layer,
    Piece,
    PlacedLayer,
    Renderer,
)

_LAP = 0.25  # mm of overlap beneath the piece: no paper shows at the cut


class TrimEdge:
    """The edge of one side of a component: what is beside its trim on each face.

    What all faces have in common is made once."""

    def __init__(self, component: Component, edge: str) -> None:
        self._component, self._edge = component, edge

    def draw(self, renderer: Renderer, piece: Piece) -> Sequence[PlacedLayer]:
        """Draw a face with its bleed: the renderer's own, or one added to a face that ends at its
        trim.

        Raises MisfitError if the face cannot be drawn, FlawedFaceError if a part of it can.
        """
        component = self._component
        if self._edge == DRAWN:
            return renderer.draw(piece, component)
        if component.shape.kind == "net":
            raise MisfitError("a net draws its own bleed", "leave out `edge`")
        try:
            layers = renderer.draw(piece, self._trimmed)
        except FlawedFaceError as error:
            if not error.layers:
                raise
            raise FlawedFaceError(error.faults, self.extend(error.layers)) from None
        return self.extend(layers)

    def extend(self, layers: Sequence[PlacedLayer]) -> Sequence[PlacedLayer]:
        """A face that ends at its trim, with its bleed."""
        bleed = self._component.bleed
        face = [
            PlacedLayer(layer, Point(at.x + bleed, at.y + bleed), motion, clip)
            for layer, at, motion, clip in layers
        ]
        if self._edge != MIRROR:
            return [PlacedLayer(self._ground, ORIGIN), *face]
        mirrors = [
            PlacedLayer(layer, at, motion, clip)
            for motion, clip in self._mirrors
            for layer, at, _, _ in face
        ]
        return [*mirrors, *face]

    @cached_property
    def _trimmed(self) -> Component:
        return replace(self._component, bleed=0.0)

    @cached_property
    def _ground(self) -> Layer:
        """The bleed box in the colour of the edge."""
        component = self._component
        ground = Canvas(component.bleed_size)
        ground.rect(Rect(0.0, 0.0, *component.bleed_size), self._edge)
        return ground.layer(f"{component.id} edge")

    @cached_property
    def _mirrors(self) -> list[tuple[Affine, Outline]]:
        """The motion and the clip of each copy of a face: mirrored at each edge, above an enlarged
        copy of it.

        The enlarged copy covers the paper where mirrors meet; a circle, which has no edges, has
        only that."""
        component = self._component
        larger = _enlarge(component.bleed_size, component.trim)
        ring = _ring(component.outline, component.bleed_size)
        is_round = component.shape.kind == "circle"
        strips = () if is_round else _strips(component.outline, component.bleed)
        return [(larger, ring), *strips]


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
    made, bleed = TrimEdge(whole, edge).extend(layers), whole.bleed
    cut = carried(face.outline, translation(start.x + bleed, start.y + bleed))
    return Face.of(made, face.name, whole.bleed_size, cut, face.corner_radius)


def _strips(outline: Outline, bleed: float) -> list[tuple[Affine, Outline]]:
    """For each edge, the reflection in it and the strip of bleed along it."""
    outer = grown(outline, bleed)
    sides = zip(edges(outline), edges(outer), strict=True)
    return [(_mirror(p, q), (p, q, s, r)) for (p, q), (r, s) in sides]


def _enlarge(whole: Size, trim: Rect) -> Affine:
    """Enlarge the box of the trim to the size of the box of the bleed."""
    across, down = whole.width / trim.width, whole.height / trim.height
    return Affine(across, 0.0, 0.0, down) @ translation(-trim.x0, -trim.y0)


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
