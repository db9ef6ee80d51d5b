"""Take the name of a picture of a step and the values that vary in it, fill its template, an SVG in
pictures/."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import atan2, cos, hypot, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.basics.errors import fail
from generator.basics.geometry import (
    ORIGIN,
    Affine,
    Point,
    Rect,
    Size,
    decimal,
    scaling,
    steady,
    translation,
)
from generator.basics.outlines import Outline, carried, circle
from generator.basics.place import Place
from generator.booklet.design import tint
from generator.booklet.plates import Plate
from generator.faces.canvas import Canvas
from generator.model import Art, PlacedLayer
from generator.text import HOUSE_FONTS, Font, FontBook

if TYPE_CHECKING:  # a kit without a cover does not load it
    from generator.faces.templating.template import SvgTemplate
    from generator.tables.fields import Resources

ROOM = Size(30.0, 18.0)  # mm, of a picture
INK, THIN = "#22303a", 0.25  # the edges of pieces, and their width (mm)
_PICTURES = Path(__file__).with_name("pictures")
_SVG = "{http://www.w3.org/2000/svg}"
_PALE = 0.3  # the opacity of the accent on hexagons
_HEAD = 1.9  # mm, of an arrow
_LETTERS, _WIDEST = 2.5, 6.8  # mm: 7 pt, and the widest word on a sheet


class StepPainter:
    """Fills the pictures of steps in the accent and the letters of a design."""

    def __init__(self, accent: str, font: Font) -> None:
        self.accent = accent
        self._font = font

    def printing(self, way: str) -> Plate:
        """A sheet that leaves a printer, and what its other side shows. The edge to turn it on is
        in the accent colour on both."""
        words = {one.lower(): decimal(self._size(one)) for one in ("FRONT", "BACK")}
        name = f"print-{way}" if way in ("single", "fold") else "print"
        return self.picture(name, way=way, **words)

    def picture(self, name: str, **values: str) -> Plate:
        """A picture that shows no pieces of the kit."""
        return Plate((self.paint(name, **values),), ROOM)

    def paint(self, name: str, **values: str) -> PlacedLayer:
        """The template of that name, filled; each word is centred on the point of its <text>."""
        pale = tint(self.accent, _PALE)
        row = {"accent": self.accent, "pale": pale, **values}
        root = read_picture(name).draw(row).root
        canvas = Canvas(ROOM, root)
        for text in list(root.iter(f"{_SVG}text")):
            self._centre(canvas, text)
        for element in root.iter(f"{_SVG}circle"):
            _make_polygon(element)
        return PlacedLayer(canvas.layer(f"picture {name}"), ORIGIN)

    def _size(self, word: str) -> float:
        """The size of a word on a sheet (mm)."""
        return _LETTERS * min(1.0, _WIDEST / self._font.width(word, _LETTERS))

    def _centre(self, canvas: Canvas, text: Any) -> None:
        """Centres the ink of words, where an SVG centres the width and the height of a line."""
        x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
        parent = text.getparent()
        parent.remove(text)
        canvas.text(text.text, self._font, size, Point(x, y), text.get("fill"), parent)


def _make_polygon(element: Any) -> None:
    """Makes a circle the polygon that round pieces are."""
    x, y, radius = (float(element.attrib.pop(name, "0")) for name in ("cx", "cy", "r"))
    rim = carried(circle(2 * radius).outline, translation(x - radius, y - radius))
    element.tag = f"{_SVG}path"
    element.set("d", rim_of(rim))


@cache
def read_picture(name: str) -> SvgTemplate:
    """The template of a picture."""
    from generator.faces.templating.template import parse_template

    file = f"{name}.svg"
    return parse_template(_PICTURES, file, _resources(), Place.in_folder(_PICTURES, file), {})


@cache
def _resources() -> Resources:
    from generator.tables.fields import Resources

    return Resources({}, {}, {}, FontBook([HOUSE_FONTS]), (), "", _refuse_art)


def _refuse_art(file: str, place: Place) -> Art:
    raise fail(place, f"{file} is not part of the picture")


def path_of(*chains: Iterable[Point]) -> str:
    """Lines from point to point as one path."""
    return " ".join("M" + " L".join(f"{decimal(x)} {decimal(y)}" for x, y in one) for one in chains)


def rim_of(*outlines: Outline) -> str:
    """Outlines as one path."""
    return " ".join(f"{path_of(outline)} Z" for outline in outlines)


def loop_of(paths: Iterable[str]) -> str:
    """Paths as a text over which a template loops."""
    return "".join(f"{path};" for path in paths)


def dashes(start: Point, end: Point, pitch: float = 1.6) -> str:
    """A dashed line as a path, `pitch` mm from one dash to the next."""
    count = max(1, round(steady(length_of(start, end) / pitch)))
    ends = ((number / count, (number + 0.58) / count) for number in range(count))
    return path_of(*([between(start, end, low), between(start, end, high)] for low, high in ends))


def arrow(*points: Point) -> tuple[str, str]:
    """The paths of an arrow: a line from point to point, and its head, which ends at the last."""
    before, tip = points[-2:]
    angle = atan2(tip.y - before.y, tip.x - before.x)
    barbs = (angle + pi + side for side in (-0.45, 0.45))
    left, right = (Point(tip.x + _HEAD * cos(a), tip.y + _HEAD * sin(a)) for a in barbs)
    return path_of([*points[:-1], between(left, right, 0.5)]), rim_of((left, tip, right))


def fit(box: Rect, room: Rect) -> Affine:
    """The map of a box into the middle of a room, as large as the room allows."""
    scale = min(room.width / box.width, room.height / box.height)
    x = room.x0 + (room.width - scale * box.width) / 2 - scale * box.x0
    y = room.y0 + (room.height - scale * box.height) / 2 - scale * box.y0
    return translation(x, y) @ scaling(scale)


def length_of(start: Point, end: Point) -> float:
    """The mm from a point to another."""
    return hypot(end.x - start.x, end.y - start.y)


def between(start: Point, end: Point, part: float) -> Point:
    """The point at a part of the way from a point to another."""
    return Point(start.x + part * (end.x - start.x), start.y + part * (end.y - start.y))
