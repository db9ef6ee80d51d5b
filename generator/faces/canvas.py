"""Drawings in millimetres, as Layers; all renderers use them.

A face that ends at its trim is extended into the bleed: mirrored, or in one colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from math import hypot
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from lxml import etree
from msgspec.structs import replace

from generator import model
from generator.art.cascade import read_part, seat_part
from generator.art.drawing import SVG, new_drawing
from generator.basics.errors import MisfitError
from generator.basics.geometry import ORIGIN, Affine, Point, Rect, Size, decimal, steady, translation
from generator.basics.shapes import Outline, Shape, box_of, carried, edges, grown
from generator.text import Font

if TYPE_CHECKING:
    from generator.text.placing import TextLine, WordRun


SWATCH_LAP = 0.05  # mm by which a swatch is larger on each side: no seam shows between repeats
_LAP = 0.25  # mm of overlap beneath the piece: no paper shows at the cut


class Canvas:
    """An SVG whose user unit is the millimetre."""

    def __init__(self, size: Size, drawing: etree._Element | None = None) -> None:
        """`drawing`: another one, to which to add."""
        self._size = size
        self._lacking: dict[model.LackingWords, None] = {}
        self._lines: list[model.SetLine] = []
        self._root = new_drawing(size) if drawing is None else drawing

    def layer(self, name: str, role: str = "") -> model.Layer:
        """The drawing as a layer; people see its name."""
        art = str(etree.tostring(self._root, encoding="unicode"))
        layer = model.Layer.of(name, art, self._size, tuple(self._lacking), self._lines)
        return replace(layer, role=role) if role else layer

    def lack(self, words: Iterable[model.LackingWords]) -> None:
        """Note words whose family lacks the style that they ask for."""
        self._lacking |= dict.fromkeys(words)

    def rect(self, box: Rect, fill: str, corner: float = 0.0) -> None:
        """A filled rectangle; `corner` is the radius of its corners (mm)."""
        self._add(self._root, "rect", _place(box) | _round(corner) | {"fill": fill})

    def outline(self, box: Rect, stroke: str, width: float, corner: float = 0.0) -> None:
        """The outline of a rectangle, `width` mm wide, half of it outside the box."""
        paint = {"fill": "none", "stroke": stroke, "stroke-width": decimal(width)}
        self._add(self._root, "rect", _place(box) | _round(corner) | paint)

    def image(self, art: model.Art, box: Rect, corner: float = 0.0) -> None:
        """A picture that fills the box; `corner` is the radius of its corners (mm)."""
        clipped = {}
        if corner:
            clip = self._add(self._root, "clipPath", {"id": "corners"})
            self._add(clip, "rect", _place(box) | _round(corner))
            clipped["clip-path"] = "url(#corners)"
        self._show(self._root, art, box, clipped)

    def silhouette(self, art: model.Art, box: Rect, fill: str) -> None:
        """The shape of a picture that fills the box, in one colour."""
        mask = self._add(self._root, "mask", {"id": "shape", "mask-type": "alpha"})
        self._show(mask, art, box, {})
        self._add(self._root, "rect", _place(box) | {"fill": fill, "mask": "url(#shape)"})

    def _show(self, holder: etree._Element, art: model.Art, box: Rect, clipped: dict[str, str]) -> None:
        image = self._add(holder, "image", _place(box) | {"href": art.uri} | clipped)
        if art.part:
            seat_part(image, read_part(art))
            self.lack(art.lacking)

    def text(
        self, text: str, font: Font, size: float, centre: Point, fill: str, holder: etree._Element | None = None
    ) -> None:
        """A line of text, its ink centred on a point. `holder`: the group of the drawing in which
        to put it. Raises MisfitError if a glyph is missing."""
        ink = font.ink(text, size)
        start = Point(centre.x - (ink.x0 + ink.x1) / 2, centre.y - (ink.y0 + ink.y1) / 2)
        self.write(text, font, size, start, fill, holder)

    def _add(self, parent: etree._Element, tag: str, attributes: dict[str, str]) -> etree._Element:
        return etree.SubElement(parent, f"{SVG}{tag}", attributes)

    def write(
        self, text: str, font: Font, size: float, start: Point, fill: str, holder: etree._Element | None = None
    ) -> None:
        """A line of text from a point on its baseline. `holder`: as of `text`. Raises MisfitError
        if a glyph is missing."""
        if missing := font.missing(text):
            raise MisfitError(f"{font.family} has no glyph for {missing!r}", "choose another font or another text")
        if words := " ".join(part for part in text.split(" ") if part):  # as SVG reads blanks
            self._put(holder, [_set(words, font, size, start, fill)])

    def flow(self, lines: Iterable[TextLine], holder: etree._Element | None = None) -> None:
        """Lines of a text set in a box: the words and icons at their places. `holder`: the group of
        the drawing in which to put them."""
        root = self._root if holder is None else holder
        for line in lines:
            self.lack(line.lacking)
            for bar in line.bars:
                veil = {"fill-opacity": decimal(bar.opacity)} if bar.opacity < 1.0 else {}
                corner = bar.box.height / 4 if bar.is_round else 0.0
                rect = _place(bar.box) | _round(corner) | {"fill": bar.colour} | veil
                self._add(root, "rect", rect)
            for icon in line.icons:
                self._show(root, icon.art, icon.box, {})
            for _, stretches in groupby(line.stretches, key=lambda run: run.y):
                runs = (_set(_logical(run), run.font, run.size, Point(run.x, run.y), run.colour) for run in stretches)
                self._put(holder, runs)

    def _put(self, holder: etree._Element | None, words: Iterable[model.SetWords]) -> None:
        """Words on one baseline: data, and a mark in the drawing where they are."""
        holder = self._root if holder is None else holder
        holder.append(etree.ProcessingInstruction(model.WORDS_MARK, f"{len(self._lines)}"))
        self._lines.append(tuple(words))

    def stand(self, text: str, font: Font, size: float, foot: Point, fill: str) -> None:
        """A line of text with its baseline through a point and its ink centred on the point."""
        ink = font.ink(text, size)
        self.write(text, font, size, Point(foot.x - (ink.x0 + ink.x1) / 2, foot.y), fill)

    def half_turn(self) -> None:
        """Turn the drawing upside down about the middle of the canvas."""
        self._gather().set("transform", self._upside_down)

    def double(self) -> None:
        """Repeat the drawing upside down, so that it reads the same either way up."""
        half = self._gather()
        half.set("id", "half")
        self._add(self._root, "use", {"href": "#half", "transform": self._upside_down})

    @property
    def _upside_down(self) -> str:
        return f"rotate(180 {decimal(self._size.width / 2)} {decimal(self._size.height / 2)})"

    def _gather(self) -> etree._Element:
        elements = list(self._root)
        group = self._add(self._root, "g", {})
        group.extend(elements)
        return group

    def polygons(self, outlines: Iterable[Iterable[Point]], fill: str, opacity: float = 1.0) -> None:
        """Areas of one colour, as one path, so that no seam shows where two of them touch."""
        path = " ".join(f"{write_line(outline)} Z" for outline in outlines)
        veil = {"fill-opacity": decimal(opacity)} if opacity < 1.0 else {}
        self._add(self._root, "path", {"d": path, "fill": fill} | veil)

    def lines(self, chains: Iterable[Sequence[Point]], stroke: str, width: float) -> None:
        """Lines with mitred joins and square ends; a line that ends at its start is closed."""
        parts = [f"{write_line(chain[:-1])} Z" if chain[0] == chain[-1] else write_line(chain) for chain in chains]
        paint = {"fill": "none", "stroke": stroke, "stroke-width": decimal(width)}
        self._add(self._root, "path", {"d": " ".join(parts)} | paint)

    def tile(self, art: model.Art, boxes: Iterable[Rect], within: Iterable[Point]) -> None:
        """A picture in each of the boxes, clipped to an outline."""
        clip = self._add(self._root, "clipPath", {"id": "within"})
        self._add(clip, "path", {"d": f"{write_line(within)} Z"})
        tiles = self._add(self._root, "g", {"clip-path": "url(#within)"})
        for box in boxes:
            self._show(tiles, art, box, {})

    def line(self, points: Iterable[Point], stroke: str, width: float) -> None:
        """A line from point to point, with round ends and corners."""
        paint = {"fill": "none", "stroke": stroke, "stroke-width": decimal(width)}
        ends = {"stroke-linecap": "round", "stroke-linejoin": "round"}
        self._add(self._root, "path", {"d": write_line(points)} | paint | ends)


def write_line(points: Iterable[Point]) -> str:
    """Lines from point to point, as the path of an SVG."""
    return "M" + " L".join(f"{decimal(x)} {decimal(y)}" for x, y in points)


def _set(text: str, font: Font, size: float, start: Point, colour: str) -> model.SetWords:
    x, y = steady(start.x), steady(start.y)
    return model.SetWords(text, font.family, font.weight, font.italic, steady(size), colour, x, y)


def _logical(run: WordRun) -> str:
    """The text of a run for the engine, whose default direction is left to right.

    Right-to-left marks keep a full stop, a bracket or a joiner at its end of the words.
    """
    ends = {bidirectional(run.text[0]), bidirectional(run.text[-1])} if run.is_rtl else set()
    return run.text if ends <= {"R", "AL", "NSM"} else f"\u200f{run.text}\u200f"


def _place(box: Rect) -> dict[str, str]:
    sides = (box.x0, box.y0, box.width, box.height)
    return dict(zip(("x", "y", "width", "height"), map(decimal, sides), strict=True))


def _round(corner: float) -> dict[str, str]:
    return {"rx": decimal(corner)} if corner else {}


class TrimEdge:
    """The edge of one side of a component: what is beside its trim on each face.

    What all faces have in common is made once."""

    def __init__(self, component: model.Component, edge: str) -> None:
        self._component, self._edge = component, edge

    def draw(self, renderer: model.Renderer, piece: model.Piece) -> Sequence[model.PlacedLayer]:
        """Draw a face with its bleed: the renderer's own, or one added to a face that ends at its trim.

        Raises MisfitError if the face cannot be drawn, FlawedFaceError if a part of it can.
        """
        component = self._component
        if self._edge == model.DRAWN:
            return renderer.draw(piece, component)
        if component.shape.kind == "net":
            raise MisfitError("a net draws its own bleed", "leave out `edge`")
        try:
            layers = renderer.draw(piece, self._trimmed)
        except model.FlawedFaceError as error:
            if not error.layers:
                raise
            raise model.FlawedFaceError(error.faults, self.extend(error.layers)) from None
        return self.extend(layers) if layers else ()  # a blank back stays white to its edges

    def extend(self, layers: Sequence[model.PlacedLayer]) -> Sequence[model.PlacedLayer]:
        """A face that ends at its trim, with its bleed."""
        bleed = self._component.bleed
        face = [
            model.PlacedLayer(layer, Point(at.x + bleed, at.y + bleed), motion, clip)
            for layer, at, motion, clip in layers
        ]
        if self._edge != model.MIRROR:
            return [model.PlacedLayer(self._ground, ORIGIN), *face]
        mirrors = [
            model.PlacedLayer(layer, at, motion, clip) for motion, clip in self._mirrors for layer, at, _, _ in face
        ]
        return [*mirrors, *face]

    @cached_property
    def _trimmed(self) -> model.Component:
        return replace(self._component, bleed=0.0)

    @cached_property
    def _ground(self) -> model.Layer:
        """The bleed box in the colour of the edge."""
        component = self._component
        ground = Canvas(component.bleed_size)
        ground.rect(Rect(0.0, 0.0, *component.bleed_size), self._edge)
        return ground.layer(f"{component.id} edge")

    @cached_property
    def _mirrors(self) -> list[tuple[Affine, Outline]]:
        """The motion and the clip of each copy of a face: mirrored at each edge, above an enlarged copy of it.

        The enlarged copy covers the paper where mirrors meet; a curve, which has no edges, has only that."""
        component = self._component
        larger = _enlarge(component.bleed_size, component.trim)
        is_round = component.shape.kind in ("circle", "outline")
        ring = _ring(self._lapped, component.bleed_size)
        strips = () if is_round else _strips(component.outline, component.bleed)
        return [(larger, ring), *strips]

    @property
    def _lapped(self) -> Outline:
        """The outline of a piece without the part of it that the bleed laps."""
        component = self._component
        if component.shape.kind != "outline":
            return grown(component.outline, -_LAP)
        return component.shape.placed(translation(component.bleed, component.bleed), by=-_LAP)


def widen(face: model.Face, component: model.Component, by: float, edge: str) -> model.Face:
    """A face with `by` mm more bleed; `component` is as seen from its side.

    A bleed that the renderer drew goes on as its mirror image.
    """
    bleed = component.bleed
    if edge != model.DRAWN:
        whole, start = replace(component, bleed=bleed + by), Point(-bleed, -bleed)
        return _remake(face, whole, start, edge)
    outer = component.shape.placed(translation(bleed, bleed), by=bleed)
    box = box_of(outer)
    start = Point(-box.x0, -box.y0)
    shape = Shape(component.shape.kind, carried(outer, translation(*start)))
    return _remake(face, replace(component, shape=shape, bleed=by), start, model.MIRROR)


def _remake(face: model.Face, whole: model.Component, start: Point, edge: str) -> model.Face:
    """A face with the bleed of `whole`; its own origin is at `start` of the trim of that."""
    layers = [placed._replace(at=Point(placed.at.x + start.x, placed.at.y + start.y)) for placed in face.cut_out]
    made, bleed = TrimEdge(whole, edge).extend(layers), whole.bleed
    inset = translation(start.x + bleed, start.y + bleed)
    cut, holes = carried(face.outline, inset), tuple(carried(hole, inset) for hole in face.holes)
    return model.Face.of(made, face.name, whole.bleed_size, cut, face.corner_radius, face.turn, holes)


def _strips(outline: Outline, bleed: float) -> list[tuple[Affine, Outline]]:
    """For each edge, the reflection in it and the strip of bleed along it."""
    outer = grown(outline, bleed)
    sides = zip(edges(outline), edges(outer), strict=True)
    return [(_mirror(p, q), (p, q, s, r)) for (p, q), (r, s) in sides]


def _enlarge(whole: Size, trim: Rect) -> Affine:
    """Enlarge the box of the trim to the size of the box of the bleed."""
    across, down = whole.width / trim.width, whole.height / trim.height
    return Affine(across, 0.0, 0.0, down) @ translation(-trim.x0, -trim.y0)


def _ring(inner: Outline, whole: Size) -> Outline:
    """The area around an inner one, as one outline: out and back again."""
    outer = Rect(0.0, 0.0, *whole).corners()
    return (*outer, outer[0], inner[0], *reversed(inner))


def _mirror(p: Point, q: Point) -> Affine:
    """The reflection in the line through two points."""
    length = hypot(q.x - p.x, q.y - p.y)
    ux, uy = (q.x - p.x) / length, (q.y - p.y) / length
    a, b = 2 * ux * ux - 1, 2 * ux * uy
    flip = Affine(a, b, b, -a, 0.0, 0.0)
    return translation(p.x, p.y) @ flip @ translation(-p.x, -p.y)
