"""Draw the tools of the steps: a printer, a ruler, a knife, a pen, a bottle of glue, an arrow."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, degrees, hypot, pi, sin

from generator.faces.canvas import Canvas
from generator.geometry import Affine, Point, Rect, steady, translation, turning
from generator.outlines import Outline, carried, circle
from generator.text import Font

INK, PAPER, SHADE = "#22303a", "#ffffff", "#e9e5dc"
LINE, THIN = 0.3, 0.25  # mm
RULER = "#d3cdc0"
_WIDE, _PAST = 3.0, 1.2  # mm of a ruler: its width, and past each end of its line
_BESIDE, _TRAY, _BELOW = 2.8, 2.0, 2.6  # mm of a printer beside, above and below its slot
_LEAN = 38.0  # degrees that a pen and a knife lean to the right
_DISC = 3.2  # mm, of a number
_TALLEST = 3.6  # mm from the slot to the top of a printer


def draw_printer(canvas: Canvas, sheet: Rect, accent: str) -> None:
    """A printer much wider than the sheet that leaves it; the sheet itself covers it later."""
    body = Rect(sheet.x0 - _BESIDE, sheet.y0 - _TALLEST, sheet.x1 + _BESIDE, sheet.y0 + _BELOW)
    tray = Rect(sheet.x0 + 0.6, body.y0 - _TRAY, sheet.x1 - 0.6, body.y0 + 1.0)
    for box, colour, corner in ((tray, PAPER, 0.0), (body, SHADE, 1.0)):
        canvas.rect(box, colour, corner)
        canvas.outline(box, INK, LINE, corner)
    for number, colour in enumerate((accent, INK)):
        _dot(canvas, Point(body.x1 - 1.3 - 1.4 * number, body.y0 + 1.4), 0.8, colour)
    slot = Rect(sheet.x0 - 0.8, sheet.y0 - 0.5, sheet.x1 + 0.8, sheet.y0 + 0.4)
    canvas.rect(slot, INK, 0.45)


def draw_ruler(canvas: Canvas, start: Point, end: Point) -> None:
    """A ruler along a line and a bit longer, with marks on that side."""
    length = hypot(end.x - start.x, end.y - start.y)
    place = _along(start, end)
    low, high = -_PAST, length + _PAST
    rim = _moved(place, [(low, 0.0), (high, 0.0), (high, -_WIDE), (low, -_WIDE)])
    canvas.polygons([rim], RULER, opacity=0.8)
    canvas.lines([(*rim, rim[0])], INK, THIN)
    count = max(4, int(steady((high - low) / 1.2)))
    marks = ((low + (high - low) * n / count, 1.3 if n % 5 == 0 else 0.8) for n in range(1, count))
    canvas.lines([_moved(place, [(x, 0.0), (x, -long)]) for x, long in marks], INK, 0.15)


def draw_knife(canvas: Canvas, tip: Point, accent: str, lean: float = _LEAN) -> None:
    """A knife with a blade to snap off, its tip on the cut; it leans to the right (degrees)."""
    place = turning(lean, tip) @ translation(*tip)
    blade = _moved(place, [(0.0, 0.0), (0.0, -6.0), (2.0, -6.0), (2.0, -2.4)])
    handle = _moved(place, [(-0.5, -5.6), (2.5, -5.6), (2.5, -13.0), (-0.5, -13.0)])
    slider = _moved(place, [(0.4, -7.6), (1.6, -7.6), (1.6, -10.2), (0.4, -10.2)])
    _part(canvas, blade, PAPER)
    snaps = ([(0.0, y), (2.0, y - 2.4)] for y in (-1.8, -3.6))
    canvas.lines([_moved(place, snap) for snap in snaps], INK, 0.2)
    _part(canvas, handle, INK)
    _part(canvas, slider, accent)


def draw_pen(canvas: Canvas, tip: Point, accent: str) -> None:
    """A ballpoint pen with a point, a grip, a clip and a button, which no knife has."""
    place = turning(_LEAN, tip) @ translation(*tip)
    point = _moved(place, [(0.0, 0.0), (-0.3, -0.9), (0.3, -0.9)])
    cone = _moved(place, [(-0.3, -0.9), (-1.15, -3.4), (1.15, -3.4), (0.3, -0.9)])
    shaft = _moved(place, [(-1.15, -3.4), (1.15, -3.4), (1.15, -11.8), (-1.15, -11.8)])
    grip = _moved(place, [(-1.15, -3.4), (1.15, -3.4), (1.15, -6.6), (-1.15, -6.6)])
    button = _moved(place, [(-0.55, -11.8), (0.55, -11.8), (0.55, -13.2), (-0.55, -13.2)])
    for part, colour in ((point, INK), (cone, RULER), (shaft, PAPER), (grip, accent)):
        _part(canvas, part, colour)
    _part(canvas, button, accent)
    clip = _moved(place, [(1.15, -11.2), (2.0, -11.2), (2.0, -7.8)])
    canvas.line(clip, PAPER, 1.1)
    canvas.line(clip, INK, 0.5)


def draw_glue(canvas: Canvas, tip: Point, accent: str) -> None:
    """A bottle upside down, a drop at its nozzle."""
    place = turning(25.0, tip) @ translation(tip.x, tip.y - 1.0)
    nozzle = _moved(place, [(-0.3, 0.0), (0.3, 0.0), (0.9, -2.2), (-0.9, -2.2)])
    cap = _moved(place, [(-1.2, -2.2), (1.2, -2.2), (1.2, -3.0), (-1.2, -3.0)])
    body = _moved(
        place,
        [(-1.2, -3.0), (1.2, -3.0), (2.1, -4.2), (2.1, -7.5), (-2.1, -7.5), (-2.1, -4.2)],
    )
    label = _moved(place, [(-2.1, -5.0), (2.1, -5.0), (2.1, -6.8), (-2.1, -6.8)])
    for part, colour in ((nozzle, SHADE), (cap, INK), (body, PAPER), (label, accent)):
        _part(canvas, part, colour)
    _dot(canvas, tip, 1.7, PAPER)
    neck = (Point(tip.x, tip.y - 1.4), Point(tip.x + 0.5, tip.y), Point(tip.x - 0.5, tip.y))
    canvas.polygons([_round(tip, 1.2), neck], accent)


def draw_number(canvas: Canvas, at: Point, text: str, accent: str, font: Font) -> None:
    """A number in a disc."""
    for diameter, colour in ((_DISC + 0.6, PAPER), (_DISC, accent)):
        _dot(canvas, at, diameter, colour)
    canvas.text(text, font, 0.72 * _DISC, at, PAPER)


def draw_arrow(canvas: Canvas, points: list[Point], accent: str) -> None:
    """A line that ends in a head, and not beyond its tip."""
    left, tip, right = _head(points[-2], points[-1], 1.9)
    base = Point((left.x + right.x) / 2, (left.y + right.y) / 2)
    canvas.line([*points[:-1], base], accent, 0.5)
    canvas.polygons([(left, tip, right)], accent)


def bow(start: Point, over: Point, end: Point) -> list[Point]:
    """Points of a curve from start to end that bends toward `over`."""
    parts = (step / 12 for step in range(13))
    return [
        Point(
            (1 - t) ** 2 * start.x + 2 * t * (1 - t) * over.x + t * t * end.x,
            (1 - t) ** 2 * start.y + 2 * t * (1 - t) * over.y + t * t * end.y,
        )
        for t in parts
    ]


def _head(before: Point, tip: Point, length: float) -> tuple[Point, Point, Point]:
    angle = atan2(tip.y - before.y, tip.x - before.x)
    barbs = (angle + pi + side for side in (-0.45, 0.45))
    left, right = (Point(tip.x + length * cos(a), tip.y + length * sin(a)) for a in barbs)
    return left, tip, right


def _part(canvas: Canvas, rim: Outline, colour: str) -> None:
    """A part of a tool with its edge, and white around it, so that it is seen on any art."""
    canvas.line([*rim, rim[0]], PAPER, 0.9)
    canvas.polygons([rim], colour)
    canvas.lines([(*rim, rim[0])], INK, THIN)


def _dot(canvas: Canvas, at: Point, diameter: float, colour: str) -> None:
    canvas.polygons([_round(at, diameter)], colour)


def _round(at: Point, diameter: float) -> Outline:
    half = diameter / 2
    return carried(circle(diameter).outline, translation(at.x - half, at.y - half))


def _along(start: Point, end: Point) -> Affine:
    """The map that lays the x axis along a line."""
    angle = degrees(atan2(end.y - start.y, end.x - start.x))
    return turning(angle, start) @ translation(*start)


def _moved(place: Affine, points: Iterable[tuple[float, float]]) -> Outline:
    return tuple(place.apply(Point(*point)) for point in points)
