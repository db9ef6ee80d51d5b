"""Pictures of steps: SVG templates in pictures/, filled with the values that vary.

Also the picture of how the sheets of the rules become a booklet, with its title page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from math import cos, dist, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generator.basics.colours import tint
from generator.basics.errors import Place, fail
from generator.basics.geometry import ORIGIN, Affine, Point, Rect, Size, decimal, scaling, steady, translation
from generator.basics.phrases import Phrases
from generator.basics.shapes import Outline, Ray, bezier, box_of, carried, circle
from generator.booklet.plates import Plate, carry, cut_to_outline
from generator.faces.canvas import Canvas, write_line
from generator.model import SIDES, Art, Face, PlacedLayer
from generator.text import HOUSE_FONTS, Font, FontBook

if TYPE_CHECKING:
    from generator.faces.templating.template import SvgTemplate
    from generator.tables.fields import Resources


ROOM = Size(30.0, 18.0)  # mm, of a picture
INK, THIN = "#22303a", 0.25  # the edges of pieces, and their width (mm)
_PICTURES = Path(__file__).with_name("pictures")
_SVG = "{http://www.w3.org/2000/svg}"
_PALE = 0.3  # the opacity of the accent on hexagons
_BARBS = tuple(Point(1.9 * cos(a), 1.9 * sin(a)) for a in (-0.45, 0.45))  # mm from an arrow's tip
_LETTERS, _WIDEST = 2.5, 6.8  # mm: 7 pt, and the widest word on a sheet
_LOW, _HIGH = 9.8, 14.8  # mm, the height of a page on its sheet and on the booklet
_LEFT, _TOP = 0.4, 6.2  # mm to the sheet
_FRONT, _RIGHT = 0.9, 1.6  # mm above the booklet and at its right
_STAPLES = (0.2, 0.68)  # of the page's height
_TO_STAPLES = 1.3  # mm from the open edges
_LEAF = Rect(0.0, 0.0, 7.2, 10.2)  # mm, of a nested sheet that is half open
_HANGING = translation(19.8, 3.8) @ Affine(b=3.5 / _LEAF.width)  # the outermost such leaf
_NARROWED = 0.62  # of its width: a half in the air
_RISE_OF_PAGES = 2.4  # mm from its fold to its far edge
_BEYOND = 1.2  # mm of the fold's line above and below the sheet
_STAPLES_INSET = 1.6  # mm above and below the words on a page


class StepPainter(Struct, frozen=True):
    """Fills the pictures of steps in the accent and the letters of a design."""

    accent: str
    find_font: Callable[[str], Font]  # with the letters of a text
    phrases: Phrases

    def printing(self, way: str) -> Plate:
        """A sheet that leaves a printer, and what its other side shows. The edge to turn it on is
        in the accent colour on both."""
        words = {side: self.phrases.say(f"cover.{side}") for side in SIDES}
        sizes = {
            f"{side}_size": decimal(_LETTERS * min(1.0, _WIDEST / self.find_font(word).width(word, _LETTERS)))
            for side, word in words.items()
        }
        name = f"print-{way}" if way in ("single", "fold") else "print"
        return self.picture(name, edge=way.removeprefix("separate-"), **words, **sizes)

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
        for element in root.iter(f"{_SVG}circle"):  # becomes the polygon that round pieces are
            x, y, radius = (float(element.attrib.pop(name, "0")) for name in ("cx", "cy", "r"))
            rim = carried(circle(2 * radius).outline, translation(x - radius, y - radius))
            element.tag = f"{_SVG}path"
            element.set("d", rim_of(rim))
        return PlacedLayer(canvas.layer(f"picture {name}"), ORIGIN)

    def _centre(self, canvas: Canvas, text: Any) -> None:
        """Centres the ink of words, where an SVG centres the width and the height of a line."""
        x, y, size = (float(text.get(name)) for name in ("x", "y", "font-size"))
        parent = text.getparent()
        parent.remove(text)
        font = self.find_font(text.text)
        canvas.text(text.text, font, size, Point(x, y), text.get("fill"), parent)


@cache
def read_picture(name: str) -> SvgTemplate:
    """The template of a picture."""
    from generator.faces.templating.template import read_template

    file = f"{name}.svg"
    return read_template(_PICTURES, file, _resources(), Place.in_folder(_PICTURES, file), {}, is_own=True)


@cache
def _resources() -> Resources:
    from generator.tables.fields import Resources

    return Resources({}, {}, {}, FontBook([HOUSE_FONTS]), (), "", _refuse_art)


def _refuse_art(file: str, place: Place) -> Art:
    raise fail(place, f"{file} is not part of the picture")


def path_of(*chains: Iterable[Point]) -> str:
    """Lines from point to point as one path."""
    return " ".join(map(write_line, chains))


def rim_of(*outlines: Outline) -> str:
    """Outlines as one path."""
    return " ".join(f"{path_of(outline)} Z" for outline in outlines)


def loop_of(paths: Iterable[str]) -> str:
    """Paths as a text over which a template loops."""
    return "".join(f"{path};" for path in paths)


def dashes(start: Point, end: Point, pitch: float = 1.6) -> str:
    """A dashed line as a path, `pitch` mm from one dash to the next."""
    count = max(1, round(steady(dist(start, end) / pitch)))
    ends = ((number / count, (number + 0.58) / count) for number in range(count))
    return path_of(*([between(start, end, low), between(start, end, high)] for low, high in ends))


def arrow(*points: Point) -> tuple[str, str]:
    """The paths of an arrow: a line from point to point, and its head, which ends at the last."""
    before, tip = points[-2:]
    left, right = carried(_BARBS, Ray.through(tip, before).frame)
    return path_of([*points[:-1], between(left, right, 0.5)]), rim_of((left, tip, right))


def fit(box: Rect, room: Rect, *, to_foot: bool = False) -> Affine:
    """The map of a box into the middle of a room or to its foot, as large as the room allows."""
    scale = min(room.width / box.width, room.height / box.height)
    x = room.x0 + (room.width - scale * box.width) / 2 - scale * box.x0
    above = (room.height - scale * box.height) / (1 if to_foot else 2)
    y = room.y0 + above - scale * box.y0
    return translation(x, y) @ scaling(scale)


def between(start: Point, end: Point, part: float) -> Point:
    """The point at a part of the way from a point to another."""
    return Point(start.x + part * (end.x - start.x), start.y + part * (end.y - start.y))


def draw_binding(title_page: Face, painter: StepPainter, *, is_in_leaves: bool) -> Plate:
    """The first sheet of the rules half folded, and what is stapled: sheets one in another, in
    their fold, or sheets folded one by one, beside their open edges."""
    page = box_of(title_page.cut)
    ratio = page.width / page.height
    box = Rect(_LEFT, _TOP, _LEFT + 2 * _LOW * ratio, _TOP + _LOW)
    sheet = HalfFolded(box, is_from_right=is_in_leaves)
    values, name = sheet.values(), "booklet"
    title: Iterator[PlacedLayer]
    if is_in_leaves:
        right = ROOM.width - _RIGHT
        front = Rect(right - _HIGH * ratio, _FRONT, right, _FRONT + _HIGH)
        x, staples = front.x0 + _TO_STAPLES, [_FRONT + part * _HIGH for part in _STAPLES]
        values["front"] = rim_of(front.corners())
        values["staples"] = path_of(*([Point(x, y), Point(x, y + 2.0)] for y in staples))
        name, title = "booklet-leaves", _show(title_page, front)
    else:
        onto_leaf = Affine(a=_LEAF.width / page.width, d=_LEAF.height / page.height)
        place = _HANGING @ (onto_leaf @ translation(-page.x0, -page.y0))
        title = carry(cut_to_outline(title_page), place)
    below, between, above = (painter.paint(name, layer=layer, **values) for layer in ("below", "between", "above"))
    flap = carry(_show(title_page, sheet.resting), sheet.lifting)
    return Plate((below, *flap, between, *title, above), ROOM)


class HalfFolded(Struct, frozen=True):
    """A sheet whose right half is in the air on its way to the left one, or the reverse. The
    half in the air shows what is printed on the outside."""

    sheet: Rect
    is_from_right: bool

    @property
    def resting(self) -> Rect:
        """The half that stays, on which the other will lie."""
        return self._half(is_right=not self.is_from_right)

    @property
    def lifting(self) -> Affine:
        """Maps what will lie on the resting half to the half in the air."""
        fold, slope = self.sheet.centre.x, 2 * _RISE_OF_PAGES / self.sheet.width
        slope = slope if self.is_from_right else -slope
        return Affine(a=_NARROWED, b=slope, e=(1 - _NARROWED) * fold, f=-slope * fold)

    @property
    def flap(self) -> Outline:
        """The rim of the half in the air."""
        return carried(self.resting.corners(), self.lifting)

    def values(self) -> dict[str, str]:
        """The paths of the sheet in the picture: its halves, the fold, and the way that a half goes."""
        was = self._half(is_right=self.is_from_right).corners()
        x, top = self.sheet.centre.x, self.sheet.y0
        fold = Point(x, top - _BEYOND), Point(x, self.sheet.y1 + _BEYOND)
        way = -1 if self.is_from_right else 1
        quarter = self.sheet.width / 4
        start = Point(x - way * 1.3 * quarter, top - 0.9)
        end = Point(x + way * _NARROWED * 1.4 * quarter, top - _RISE_OF_PAGES - 0.4)
        over = Point(x - 0.2 * way * quarter, top - 8.5)
        line, tip = arrow(start, *bezier((start, over, end), 12))
        return {
            "was": loop_of(dashes(*side) for side in pairwise((*was, was[0]))),
            "rest": rim_of(self.resting.corners()),
            "flap": rim_of(self.flap),
            "words": path_of(*_words(self.resting)),
            "fold": path_of(fold),
            "way": line,
            "tip": tip,
        }

    def _half(self, *, is_right: bool) -> Rect:
        x = self.sheet.centre.x
        return self.sheet._replace(x0=x) if is_right else self.sheet._replace(x1=x)


def _words(page: Rect) -> Iterator[tuple[Point, Point]]:
    """Lines of text on a page."""
    count = int((page.height - 2 * _STAPLES_INSET) / 1.1)
    for number in range(count + 1):
        y = page.y0 + _STAPLES_INSET + number * (page.height - 2 * _STAPLES_INSET) / count
        yield Point(page.x0 + 1.1, y), Point(page.x1 - 1.1, y)


def _show(face: Face, box: Rect) -> Iterator[PlacedLayer]:
    return carry(cut_to_outline(face), fit(box_of(face.cut), box))
