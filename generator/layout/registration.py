"""The marks that a cutting machine looks for on a paper, and the corners that it keeps bare.

The text of an option, such as "silhouette,marks=4", makes a Cutter. silhouette-card-maker has
templates for some papers and pieces.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from math import dist
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, did_you_mean, fail, quote
from generator.basics.geometry import Affine, Point, Rect, Size, lattice, parse_length, quarter_turn, translation
from generator.basics.shapes import Shape
from generator.model import Mark, MarkLine, Orientation

Machine = Literal["silhouette", "cricut", "opos", "laser", "contour"]

USUAL_INSET, LONGEST = 10.0, 20.0  # mm; of Silhouette's marks
SQUARE = 5.0  # mm; the side of Silhouette's square, between the middles of its strokes
BORDERLESS = 3.5  # mm; their inset in layouts for printers without borders
_CLEAR = 2.0  # mm of bare paper around Silhouette's marks in a layout of our own

# The largest print-then-cut picture of Cricut's Design Space. Source: piecepackr issue 343.
CRICUT_ROOM = Size(234.95, 171.45)  # 9.25 x 6.75 in

# Marks of Summa's OPOS: black squares. Source: card-creatr-studio issue 141.
OPOS_SIDE = 2.0  # mm
_OPOS_CLEAR = 4.0
_CROSS_ARM, _CROSS_WIDTH, _CROSS_CLEAR = 4.0, 0.2, 1.5  # mm, for the camera of a laser
MACHINES: tuple[Machine, ...] = get_args(Machine)
NO_CUTTER = "none"


class Registration(Struct, frozen=True):
    """The needs of a machine on the front of a sheet: marks that it finds, the `bare` corners that no other ink may
    enter, and a phrase about both for the slug, with its fields."""

    marks: tuple[MarkLine, ...] = ()
    bare: tuple[Rect, ...] = ()
    phrase: str = ""
    measures: tuple[tuple[str, float], ...] = ()


UNMARKED = Registration()


class Cutter(Struct, frozen=True):
    """A cutting machine. `inset` (mm) goes from the paper's edges to the middle of the strokes of
    Silhouette's marks, to the squares of OPOS, to the middle of a laser's crosses.

    `length` and `stroke` (mm) are those of Silhouette's marks, which are four angles if `is_four`,
    else three and a square. `is_usual`: nothing was set, so that a documented layout may be used.
    Pieces lie at least `gap` mm apart. `skipped`: the corners whose marks are misread, where no piece lies beside them.
    """

    machine: Machine
    inset: float = 0.0
    length: float = 0.0
    stroke: float = 0.0
    is_four: bool = False
    is_usual: bool = True
    gap: float = 0.0
    skipped: frozenset[str] = frozenset()

    def register(self, paper: Size, clear: float = _CLEAR) -> Registration:
        """The marks on a paper, with `clear` mm of bare paper beside those of Silhouette."""
        match self.machine:
            case "silhouette":
                return self._register_silhouette(paper, clear)
            case "opos":
                side = self.inset + OPOS_SIDE
                corners = _corners(paper, self.inset + OPOS_SIDE / 2)
                marks = (_square(at, OPOS_SIDE) for at, _ in corners)
                words = "sheet.squares", (("side", OPOS_SIDE), ("inset", self.inset))
                return Registration(tuple(marks), _bare(paper, side + _OPOS_CLEAR), *words)
            case "laser":
                corners = _corners(paper, self.inset)
                size = _CROSS_ARM, _CROSS_WIDTH
                crosses = (line for at, _ in corners for line in cross(at, *size, "cutter"))
                bare = _bare(paper, self.inset + _CROSS_ARM + _CROSS_CLEAR)
                measures = (("inset", self.inset),)
                return Registration(tuple(crosses), bare, "sheet.crosses", measures)
            case _:
                return UNMARKED

    def _register_silhouette(self, paper: Size, clear: float) -> Registration:
        """Source of the shapes: SPECIFICATION.md and page_manager.py of silhouette-card-maker.

        Its square and its angles are strokes along lines `inset` mm from the edges.
        """
        bare = _bare(paper, self.reach(clear))
        middle = self.inset + SQUARE / 2
        square = _square(Point(middle, middle), SQUARE + self.stroke)
        count, marks = (4, []) if self.is_four else (3, [square])
        for number, (at, inward) in enumerate(_corners(paper, self.inset)):
            if self.is_four or number in (1, 2):
                marks += _angle(at, inward, self.length, self.stroke)
        lengths = ("inset", self.inset), ("length", self.length), ("stroke", self.stroke)
        bare = bare if self.is_four else bare[:3]
        return Registration(tuple(marks), bare, "sheet.angles", (("count", count), *lengths))

    def reach(self, clear: float = _CLEAR) -> float:
        """The side (mm) of the corners that Silhouette's marks take."""
        return self.inset + max(self.length, SQUARE + self.stroke / 2) + clear

    def keep_clear(self, paper: Size, middles: Sequence[Point]) -> list[int]:
        """The numbers of the pieces to lay: all but the nearest to each corner that is skipped. A lone piece stays."""
        corners = dict(zip(_CORNERS, _corners(paper, self.inset), strict=True))
        numbers = range(len(middles))
        nearest = {min(numbers, key=lambda number: dist(middles[number], corners[name][0])) for name in self.skipped}
        return [number for number in numbers if number not in nearest] or [*numbers]

    def rooms(self, paper: Size, margin: float, overhang: float) -> list[Rect | None]:
        """Where trims may be, with `overhang` mm around them out of all bare corners: between the corners on the left
        and right, or between those above and below; None is as without a machine.

        A machine with marks cuts only between them.
        """
        if self.machine == "cricut":
            room = CRICUT_ROOM if paper.width > paper.height else CRICUT_ROOM.turned()
            return [_inner(paper, (paper.width - room.width) / 2, (paper.height - room.height) / 2)]
        bare = self.register(paper).bare
        if not bare:
            return [None]
        side, edge = bare[0].x1 + overhang, max(margin, self.inset)
        return [_inner(paper, side, edge), _inner(paper, edge, side)]


def _inner(paper: Size, x: float, y: float) -> Rect:
    """The paper without strips at its edges. Strips that meet leave nothing."""
    width, height = paper
    return Rect(x, y, max(x, width - x), max(y, height - y))


def _corners(paper: Size, inset: float) -> Iterator[tuple[Point, Point]]:
    """A point near each corner, from the top left on in reading order, and the direction inward."""
    for y, down in ((inset, 1.0), (paper.height - inset, -1.0)):
        for x, right in ((inset, 1.0), (paper.width - inset, -1.0)):
            yield Point(x, y), Point(right, down)


def _bare(paper: Size, side: float) -> tuple[Rect, ...]:
    """A square in each corner of the paper, from the top left on in reading order."""
    width, height = paper
    return tuple(Rect(x, y, x + side, y + side) for y in (0.0, height - side) for x in (0.0, width - side))


def _square(middle: Point, side: float) -> MarkLine:
    """A black square: a line as wide as it is long."""
    half = side / 2
    start, end = Point(middle.x - half, middle.y), Point(middle.x + half, middle.y)
    return MarkLine(start, end, side, kind="cutter")


def _angle(at: Point, inward: Point, length: float, stroke: float) -> list[MarkLine]:
    """Two arms from a corner, `length` mm long from the middle of the other arm's stroke."""
    (x, y), (dx, dy), half = at, inward, stroke / 2
    across = Point(x - dx * half, y), Point(x + dx * length, y)
    down = Point(x, y - dy * half), Point(x, y + dy * length)
    return [MarkLine(*ends, stroke, kind="cutter") for ends in (across, down)]


def cross(at: Point, arm: float, width: float, kind: Mark) -> list[MarkLine]:
    """A line across and one down, each `arm` mm long on both sides of a point."""
    x, y = at
    across, down = (Point(x - arm, y), Point(x + arm, y)), (Point(x, y - arm), Point(x, y + arm))
    return [MarkLine(*ends, width, kind=kind) for ends in (across, down)]


_USUAL: dict[Machine, Cutter] = {
    "silhouette": Cutter("silhouette", inset=USUAL_INSET, length=10.0, stroke=1.0),
    "cricut": Cutter("cricut", gap=2.0),  # Design Space cuts around islands
    "opos": Cutter("opos", inset=7.0),
    "laser": Cutter("laser", inset=10.0),
    "contour": Cutter("contour"),
}

# the least and the most mm of each setting. Source for Silhouette: page_manager.py of
# silhouette-card-maker; a smaller inset is out of reach of the machine's eye
_LIMITS: dict[Machine, dict[str, tuple[float, float]]] = {
    "silhouette": {"inset": (USUAL_INSET, 86.36), "length": (5.0, LONGEST), "stroke": (0.5, 1.0)},
    "opos": {"inset": (5.0, 50.0)},
    "laser": {"inset": (6.0, 50.0)},
}
_MARKS, _LAYOUT, _SKIP = "marks", "layout", "skip"
_CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
BLEED = 0.6  # mm, near marks and around discs; pieces are 1.25 mm apart, rounded to pixels
_GAP = 1.25  # mm
_PIXEL = parse_length("1in") / 300  # its lengths are whole pixels
_SAME = 0.05  # mm by which a piece or a paper may differ


def parse_cutter(text: str) -> Cutter | None:
    """Read the name of a machine and its settings, as in "silhouette,marks=4,inset=0.625in".

    "none" is None. Raises PnpError if there is no such machine or setting.
    """
    name, *settings = (part.strip() for part in text.lower().split(","))
    if name == NO_CUTTER and not settings:
        return None
    machine = next((machine for machine in MACHINES if machine == name), None)
    if machine is None:
        raise fail(_place(text), f"there is no cutter {quote(name)}", did_you_mean(name, (*MACHINES, NO_CUTTER)))
    cutter = _USUAL[machine]
    for setting in settings:
        cutter = _set(cutter, setting, text)
    if _CORNERS[3] in cutter.skipped and cutter.machine == "silhouette" and not cutter.is_four:
        raise fail(_place(text), f"there is no mark at the {_CORNERS[3]}", "leave out that skip, or add marks=4")
    return cutter


def _place(text: str) -> Place:
    return Place(f"cutter {quote(text)}")


def _set(cutter: Cutter, setting: str, text: str) -> Cutter:
    name, _, value = (part.strip() for part in setting.partition("="))
    limits = _LIMITS.get(cutter.machine, {})
    if name == _MARKS and cutter.machine == "silhouette":
        if value not in ("3", "4"):
            raise fail(_place(text), "Silhouette's marks are three or four", "marks=3 or marks=4")
        return replace(cutter, is_four=value == "4")
    if name == _LAYOUT and cutter.machine == "silhouette":
        if value != "borderless":
            raise fail(_place(text), f"there is no layout {quote(value)}", "layout=borderless")
        return replace(cutter, inset=BORDERLESS)
    if name == _SKIP and limits:
        if value not in _CORNERS:
            raise fail(_place(text), f"{quote(value)} is no corner of the page", f"skip={' or skip='.join(_CORNERS)}")
        return replace(cutter, skipped=cutter.skipped | {value})
    if name not in limits:
        what = f"{quote(name)} cannot be set for {cutter.machine}"
        names = [*limits, _SKIP] if limits else []
        names += [_MARKS, _LAYOUT] if cutter.machine == "silhouette" else []
        raise fail(_place(text), what, did_you_mean(name, names) if names else f"write only {cutter.machine}")
    least, most = limits[name]
    length = _length(name, value, text)
    if not least <= length <= most:
        what = f"the {name} of these marks can be {least:g} to {most:g} mm"
        raise fail(_place(text), what, f"{name}={getattr(cutter, name):g}mm is usual")
    changed: dict[str, Any] = {name: length, "is_usual": False}
    return replace(cutter, **changed)


def _length(name: str, value: str, text: str) -> float:
    try:
        return parse_length(value)
    except MisfitError as error:
        raise fail(_place(text), str(error), f"a number and its unit: {name}=10mm") from None


class CutTemplate(Struct, frozen=True):
    """A template: the paper as it lies, the `length` (mm) of the marks, the places of pieces, and
    the mm between them across and down."""

    name: str
    paper: Size
    length: float
    places: tuple[Affine, ...]
    gap: Size


def find_template(paper: Size, shape: Shape, orientation: Orientation, inset: float) -> CutTemplate | None:
    """The template for pieces of a shape, if there is one for the paper and its orientation, with
    marks `inset` mm from the edges."""
    if shape.kind not in ("rectangle", "circle"):
        return None
    entries = (entry for entry in _entries() if entry.inset == inset)
    found = (entry for entry in entries if entry.suits(paper, shape, orientation))
    return next((profile.template(shape.size) for profile in found), None)


class _Entry(Struct, frozen=True):
    """A line of templates.toml. The piece is as it lies on the paper."""

    name: str
    paper: Size
    orientation: str
    piece: Size
    is_round: bool
    columns: int
    rows: int
    inset: float

    def suits(self, paper: Size, shape: Shape, orientation: Orientation) -> bool:
        is_near = _is_same(paper, self.paper) or _is_same(paper.turned(), self.paper)
        is_shape = self.is_round == (shape.kind == "circle")
        fits = _is_same(shape.size, self.piece) or _is_same(shape.size.turned(), self.piece)
        return is_near and is_shape and fits and orientation in ("auto", self.orientation)

    def template(self, size: Size) -> CutTemplate:
        """The template for pieces of a size, which may lie turned.

        The block is in the middle of the paper, as near as whole pixels allow; the marks end a gap
        away from it. Source: page_manager.py of silhouette-card-maker.
        """
        paper = self.paper.turned() if self.orientation == "landscape" else self.paper
        inset, gap = _pixels(self.inset), _pixels(_GAP)
        counts = self.columns, self.rows
        steps = [_pixels(side) + gap for side in self.piece]
        corner = [
            round((_pixels(whole) - count * step - gap) / 2 + gap)
            for whole, count, step in zip(paper, counts, steps, strict=True)
        ]
        length = round((max(corner) - inset - gap) * _PIXEL, 2)
        first = Point(corner[0] * _PIXEL, corner[1] * _PIXEL)
        is_turned = not _is_same(size, self.piece)
        turn, lying = (quarter_turn(size), size.turned()) if is_turned else (translation(0.0, 0.0), size)
        pitch = Size(steps[0] * _PIXEL, steps[1] * _PIXEL)
        places = tuple(translation(x, y) @ turn for x, y in lattice(first, pitch, *counts))
        between = Size(pitch.width - lying.width, pitch.height - lying.height)
        return CutTemplate(self.name, paper, min(length, LONGEST), places, between)


def _pixels(length: float) -> int:
    """A length in whole pixels; a half, such as the 637.5 of 2.125 in, must not depend on a float's last bit."""
    return round(round(length / _PIXEL, 6))


def _is_same(one: Size, other: Size) -> bool:
    return max(abs(one.width - other.width), abs(one.height - other.height)) <= _SAME


@cache
def _entries() -> tuple[_Entry, ...]:
    return tuple(_read(tomllib.loads(Path(__file__).with_name("templates.toml").read_text("utf-8"))))


def _read(table: dict[str, Any]) -> Iterator[_Entry]:
    for kind, inset, more in (("paper", USUAL_INSET, ""), ("borderless", BORDERLESS, "borderless-")):
        for paper, templates in table[kind].items():
            size = _size(templates.pop("size"))
            for piece, (orientation, columns, rows, version) in templates.items():
                name, is_round = f"{paper}-{piece}-{more}v{version}", piece.endswith("circle")
                sides = _size(table["piece"][piece])
                yield _Entry(name, size, orientation, sides, is_round, columns, rows, inset)


def _size(sides: tuple[str, str]) -> Size:
    width, height = sides
    return Size(parse_length(width), parse_length(height))
