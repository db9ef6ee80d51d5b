"""Take a Scene and the room it has, make a Plate: faces as they are, and marks upon them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import atan2, degrees
from typing import NamedTuple

from generator.booklet.scenes import Disc, Laid, Note, Scene, Stroke
from generator.errors import MisfitError
from generator.faces.canvas import Canvas
from generator.geometry import Affine, Point, Rect, Size, scaling, translation, turning
from generator.model import Layer, Stamp
from generator.outlines import Outline, box_of, carried, circle, common
from generator.text import Font

_LINE, _HALO = 0.7, 1.5  # mm: an accent line, and the white beneath that parts it from the art
_EDGE = 0.2  # mm: a white piece must end somewhere on white paper
_EDGE_COLOUR = "#a39d92"
_VEIL = "rgba(255,255,255,0.7)"
_PAPER = "#ffffff"
_NOTE = 8.5 / 72 * 25.4
_PAD = Size(1.3, 0.7)  # mm around the words of a note
_DISC = 4.6
_ARROW = 2.6  # mm that the head of an arrow is long
_HALVINGS = 30
_ORIGIN = Point(0.0, 0.0)


class Plate(NamedTuple):
    """A figure as it is printed: stamps from its top left, in mm of the paper."""

    stamps: tuple[Stamp, ...]
    size: Size

    def moved(self, x: float, y: float) -> Iterator[Stamp]:
        yield from (carried_stamp(stamp, translation(x, y)) for stamp in self.stamps)


def carried_stamp(stamp: Stamp, by: Affine) -> Stamp:
    clip = carried(stamp.clip, by) if stamp.clip else None
    return replace(stamp, motion=by @ stamp.motion, clip=clip)


def plate(scene: Scene, room: Size, accent: str, font: Font) -> Plate:
    """The figure as large as it is, or as fits the room. Raises MisfitError: a note is too long."""
    engraver = _Engraver(scene, accent, font)
    scale = engraver.scale(room)
    return engraver.plate(scale)


class _Engraver:
    """Draws a scene. Pieces are scaled; lines and letters of marks are not."""

    def __init__(self, scene: Scene, accent: str, font: Font) -> None:
        self._scene = scene
        self._accent = accent
        self._font = font

    def scale(self, room: Size) -> float:
        """The largest, up to 1, that leaves the figure within the room."""

        def fits(scale: float) -> bool:
            box = self._box(scale)
            return box.width <= room.width and box.height <= room.height

        if fits(1.0):
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        if low == 0.0:
            raise MisfitError("a note is wider than the page", "use fewer words")
        return low

    def _box(self, scale: float) -> Rect:
        held = box_of(corner for box in self._boxes(scale) for corner in box.corners())
        if self._scene.size is None:
            return held
        return held.around(_about(held.centre, 1.0, _scaled_size(self._scene.size, scale)))

    def _boxes(self, scale: float) -> Iterator[Rect]:
        """What must have room, each in mm of the paper from the scene's origin."""
        for laid in self._scene.laid:
            yield _scaled(box_of(laid.outline()), scale).grown(_EDGE / 2)
        for mark in self._scene.marks:
            match mark:
                case Stroke():
                    yield _scaled(box_of(mark.points), scale).grown(_HALO / 2 + _LINE)
                case Disc():
                    yield _about(mark.at, scale, Size(_DISC, _DISC)).grown(_LINE)
                case Note():
                    yield _about(mark.at, scale, self._note_size(mark.text)).grown(_LINE)

    def _note_size(self, text: str) -> Size:
        width = self._font.width(text, _NOTE)
        return Size(width + 2 * _PAD.width, _NOTE + 2 * _PAD.height)

    def plate(self, scale: float) -> Plate:
        box = self._box(scale)
        base = translation(-box.x0, -box.y0) @ scaling(scale)
        size = Size(box.width, box.height)
        stamps = [stamp for laid in self._scene.laid for stamp in _stamps(laid, base, scale)]
        if self._scene.marks:
            stamps.append(Stamp(self._marks(base, size), _ORIGIN))
        return Plate(tuple(stamps), size)

    def _marks(self, base: Affine, size: Size) -> Layer:
        canvas = Canvas(size)
        for mark in self._scene.marks:
            match mark:
                case Stroke():
                    self._stroke(canvas, [base.apply(point) for point in mark.points], mark)
                case Disc():
                    self._disc(canvas, base.apply(mark.at), mark.text)
                case Note():
                    self._note(canvas, base.apply(mark.at), mark.text)
        return canvas.layer("marks of a figure")

    def _stroke(self, canvas: Canvas, points: list[Point], stroke: Stroke) -> None:
        head = _arrow_head(points[-2], points[-1]) if stroke.is_arrow else None
        for colour, width in ((_PAPER, _HALO), (self._accent, _LINE)):
            canvas.line(points, colour, width)
            if head:
                canvas.line([head[0], head[1], head[2]], colour, width)

    def _disc(self, canvas: Canvas, at: Point, text: str) -> None:
        for diameter, colour in ((_DISC + _LINE, _PAPER), (_DISC, self._accent)):
            canvas.polygons([_round(at, diameter)], colour)
        canvas.text(text, self._font, _NOTE, at, _PAPER)

    def _note(self, canvas: Canvas, at: Point, text: str) -> None:
        box = _about(at, 1.0, self._note_size(text))
        canvas.rect(box, _PAPER, _PAD.width)
        canvas.outline(box, self._accent, _LINE / 2, _PAD.width)
        start = Point(box.x0 + _PAD.width, at.y + 0.33 * _NOTE)
        canvas.write(text, self._font, _NOTE, start, self._accent)


def _scaled(box: Rect, by: float) -> Rect:
    return Rect(*(value * by for value in box))


def _scaled_size(size: Size, by: float) -> Size:
    return Size(size.width * by, size.height * by)


def _about(at: Point, scale: float, size: Size) -> Rect:
    x, y = at.x * scale, at.y * scale
    return Rect(x - size.width / 2, y - size.height / 2, x + size.width / 2, y + size.height / 2)


def _round(at: Point, diameter: float) -> Outline:
    return carried(circle(diameter).outline, translation(at.x - diameter / 2, at.y - diameter / 2))


def _arrow_head(start: Point, end: Point) -> tuple[Point, Point, Point]:
    """Its barbs, the point between them."""
    angle = degrees(atan2(end.y - start.y, end.x - start.x))
    left, right = (
        turning(angle + side, end).apply(Point(end.x - _ARROW, end.y)) for side in (-32.0, 32.0)
    )
    return left, end, right


def _stamps(laid: Laid, base: Affine, scale: float) -> Iterator[Stamp]:
    """The face cut along its outline, and its edge; a veil upon it where it is faded."""
    place = base @ laid.place
    yield from cut_stamps(laid.face.stamps, laid.face.cut, place)
    canvas = Canvas(laid.face.size)
    if laid.is_faded:
        canvas.polygons([laid.face.cut], _VEIL)
    canvas.lines([(*laid.face.cut, laid.face.cut[0])], _EDGE_COLOUR, _EDGE / scale)
    yield Stamp(canvas.layer("edge of a piece"), _ORIGIN, place)


def cut_stamps(stamps: Iterable[Stamp], cut: Outline, place: Affine) -> Iterator[Stamp]:
    """Stamps of which only what lies within the cut is seen, carried to a place."""
    for stamp in stamps:
        for clip in common(cut, stamp.clip) if stamp.clip else [cut]:
            yield carried_stamp(replace(stamp, clip=clip), place)
