"""Take a piece that is folded, draw how it is folded and glued: flat, half folded, whole."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from generator.booklet.design import tint
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.booklet.step_pictures import ROOM, dashes, plate_of
from generator.booklet.step_tools import INK, PAPER, SHADE, THIN, draw_arrow, draw_glue
from generator.faces.canvas import Canvas
from generator.faces.standing import stand
from generator.geometry import Affine, Point, Rect, scaling, steady, translation
from generator.model import Component, Face
from generator.nets import Fold, Net, standing
from generator.outlines import area, box_of, carried

_FLAT, _HALF = Rect(0.6, 5.0, 10.7, 17.6), Rect(13.4, 4.0, 20.2, 17.6)  # mm, of the two states
_WHOLE = Rect(23.4, 2.4, 29.8, 17.6)
_ARROWS, _ARROW = ((10.7, 13.1), (20.2, 22.6)), 12.5  # mm from left to right, and their height
_FOLDED, _CLOSING = 0.5, 0.85  # of each fold's angle, on its way: of a box, of another piece
_LID, _TUCK = 0.15, 1.0  # of their angles, on a box that is nearly closed
_BESIDE, _DOWN = 0.9, 3.4  # mm from the lid to the arrow, and its least length
_SHADOW = 0.3  # the opacity of the shade on the darkest panel
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


def draw_forming(example: FoldedExample, accent: str) -> Plate:
    """The bare net with glue on its tabs, the same half folded, and the finished piece; of a box,
    the lid is about to be tucked in."""
    net, canvas, above = example.net, Canvas(ROOM), Canvas(ROOM)
    _draw_half(canvas, net, accent)
    for start, end in _ARROWS:
        draw_arrow(above, [Point(start, _ARROW), Point(end, _ARROW)], accent)
    _draw_flat(above, net, accent)
    lid = {"top": _LID, "tuck": _TUCK}
    shape = _open(net, lambda fold: lid.get(fold.to, 1.0))
    face = stand(replace(example.component, shape=shape), example.piece, example.flat)
    place = _fit_in(_WHOLE, box_of(face.cut))
    rim = carried(face.cut, place)
    above.lines([(*rim, rim[0])], INK, THIN)
    _draw_tucking(above, shape, place, accent)
    whole = carry(cut_to_outline(face), place)
    return Plate((*plate_of(canvas).layers, *whole, *plate_of(above).layers), ROOM)


def _open(net: Net, part_of: Callable[[Fold], float]) -> Net:
    """The net with each fold at a part of its angle."""
    folds = (replace(fold, angle=part_of(fold) * fold.angle) for fold in net.folds)
    return replace(net, folds=tuple(folds))


def _fit_in(room: Rect, box: Rect) -> Affine:
    """The map of a box into a room, at its foot."""
    scale = min(room.width / box.width, room.height / box.height)
    x = room.centre.x - scale * box.centre.x
    return translation(x, room.y1 - scale * box.y1) @ scaling(scale)


def _draw_flat(canvas: Canvas, net: Net, accent: str) -> None:
    """The bare net, its folds, and glue on its tabs."""
    place = _fit_in(_FLAT, box_of(net.outline))
    rim = carried(net.outline, place)
    tabs = [carried(panel.outline, place) for panel in net.panels if panel.is_glued]
    canvas.polygons([rim], PAPER)
    canvas.polygons(tabs, tint(accent, _TAB))
    for start, end in net.creases:
        canvas.lines(dashes(place.apply(start), place.apply(end), 1.2), INK, 0.2)
    canvas.lines([(*rim, rim[0])], INK, THIN)
    if tabs:
        largest = max(tabs, key=lambda tab: steady(area(tab)))
        draw_glue(canvas, box_of(largest).centre, accent)


def _draw_half(canvas: Canvas, net: Net, accent: str) -> None:
    """The net on its way: its tabs are seen."""
    seen = tuple(replace(panel, behind="", is_glued=False) for panel in net.panels)
    tabs = {panel.name for panel in net.panels if panel.is_glued}
    part = _FOLDED if any(panel.name == "tuck" for panel in net.panels) else _CLOSING
    panels = standing(replace(_open(net, lambda _: part), panels=seen))
    place = _fit_in(_HALF, box_of(point for one in panels for point in one.outline))
    for one in panels:
        outline = carried(one.outline, place)
        paper = SHADE if one.is_inside else PAPER
        canvas.polygons([outline], tint(accent, _TAB) if one.panel.name in tabs else paper)
        canvas.polygons([outline], INK, opacity=_SHADOW * one.shade)
        canvas.lines([(*outline, outline[0])], INK, 0.2)


def _draw_tucking(canvas: Canvas, net: Net, place: Affine, accent: str) -> None:
    """An arrow beside the open lid of a box, down to the edge that its flap goes behind."""
    seen = {one.panel.name: box_of(carried(one.outline, place)) for one in standing(net)}
    if "tuck" in seen:
        flap, front = seen["tuck"], seen["front"]
        x = min(flap.x0, front.x0) - _BESIDE
        start = Point(x, min(flap.y0, seen["top"].y0))
        draw_arrow(canvas, [start, Point(x, max(front.y0, start.y + _DOWN))], accent)
