"""Take a piece that is folded, draw how it is folded and glued: flat, half folded, whole."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import (
    ORIGIN,
    Affine,
    Point,
    Rect,
    decimal,
    scaling,
    steady,
    translation,
)
from generator.basics.outlines import area, box_of, carried
from generator.booklet.design import tint
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import INK, ROOM, StepPainter, arrow, dashes, loop_of, rim_of
from generator.faces.canvas import Canvas
from generator.faces.standing import stand
from generator.layout.nets import Fold, Net, standing
from generator.model import Component, Face, PlacedLayer

_FLAT, _HALF = Rect(0.6, 5.0, 10.7, 17.6), Rect(13.4, 4.0, 20.2, 17.6)  # mm, of the two states
_WHOLE = Rect(23.4, 2.4, 29.8, 17.6)
_FOLDED, _CLOSING = 0.5, 0.85  # of each fold's angle, on its way: of a box, of another piece
_LID, _TUCK = 0.15, 1.0  # of their angles, on a box that is nearly closed
_BESIDE, _DOWN = 0.9, 3.4  # mm from the lid to the arrow, and its least length
_SHADOW = 0.3  # the opacity of the shade on the darkest panel
_PAPER, _SHADE = "#ffffff", "#e9e5dc"  # its outside, and its inside
_TAB = 0.6  # the opacity of the accent on tabs


class FoldedExample(Struct, frozen=True):
    """A piece of the kit that is folded: its component, its id, and its flat face."""

    component: Component
    piece: str
    flat: Face

    @property
    def net(self) -> Net:
        """The shape of the component."""
        assert isinstance(self.component.shape, Net)
        return self.component.shape


def draw_forming(example: FoldedExample, painter: StepPainter) -> Plate:
    """The bare net with glue on its tabs, the same half folded, and the finished piece; of a box,
    the lid is about to be tucked in."""
    net, lid = example.net, {"top": _LID, "tuck": _TUCK}
    shape = _open(net, lambda fold: lid.get(fold.to, 1.0))
    face = stand(replace(example.component, shape=shape), example.piece, example.flat)
    place = _fit_in(_WHOLE, box_of(face.cut))
    tinted = tint(painter.accent, _TAB)
    values = _flat(net) | _tucking(shape, place) | {"tint": tinted}
    above = painter.paint("fold-pieces", rim=rim_of(carried(face.cut, place)), **values)
    whole = carry(cut_to_outline(face), place)
    return Plate((_draw_half(net, tinted), *whole, above), ROOM)


def _open(net: Net, part_of: Callable[[Fold], float]) -> Net:
    """The net with each fold at a part of its angle."""
    folds = (replace(fold, angle=part_of(fold) * fold.angle) for fold in net.folds)
    return replace(net, folds=tuple(folds))


def _fit_in(room: Rect, box: Rect) -> Affine:
    """The map of a box into a room, at its foot."""
    scale = min(room.width / box.width, room.height / box.height)
    x = room.centre.x - scale * box.centre.x
    return translation(x, room.y1 - scale * box.y1) @ scaling(scale)


def _flat(net: Net) -> dict[str, str]:
    """The bare net, its folds, its tabs, and the place of the glue on the largest."""
    place = _fit_in(_FLAT, box_of(net.outline))
    tabs = [carried(panel.outline, place) for panel in net.panels if panel.is_glued]
    folds = (dashes(place.apply(start), place.apply(end), 1.2) for start, end in net.creases)
    glue = ""
    if tabs:
        largest = max(tabs, key=lambda tab: steady(area(tab)))
        x, y = box_of(largest).centre
        glue = f"translate({decimal(x)} {decimal(y)})"
    return {
        "net": rim_of(carried(net.outline, place)),
        "tabs": rim_of(*tabs),
        "folds": loop_of(folds),
        "glue": glue,
    }


def _draw_half(net: Net, tinted: str) -> PlacedLayer:
    """The net on its way: its tabs are seen."""
    seen = tuple(replace(panel, behind="", is_glued=False) for panel in net.panels)
    tabs = {panel.name for panel in net.panels if panel.is_glued}
    part = _FOLDED if any(panel.name == "tuck" for panel in net.panels) else _CLOSING
    panels = standing(replace(_open(net, lambda _: part), panels=seen))
    place = _fit_in(_HALF, box_of(point for one in panels for point in one.outline))
    canvas = Canvas(ROOM)
    for one in panels:
        outline = carried(one.outline, place)
        paper = _SHADE if one.is_inside else _PAPER
        canvas.polygons([outline], tinted if one.panel.name in tabs else paper)
        canvas.polygons([outline], INK, opacity=_SHADOW * one.shade)
        canvas.lines([(*outline, outline[0])], INK, 0.2)
    return PlacedLayer(canvas.layer("half folded"), ORIGIN)


def _tucking(net: Net, place: Affine) -> dict[str, str]:
    """An arrow beside the open lid of a box, down to the edge that its flap goes behind."""
    seen = {one.panel.name: box_of(carried(one.outline, place)) for one in standing(net)}
    if "tuck" not in seen:
        return {"tuck": "", "tip": ""}
    flap, front = seen["tuck"], seen["front"]
    x = min(flap.x0, front.x0) - _BESIDE
    start = Point(x, min(flap.y0, seen["top"].y0))
    line, tip = arrow(start, Point(x, max(front.y0, start.y + _DOWN)))
    return {"tuck": line, "tip": tip}
