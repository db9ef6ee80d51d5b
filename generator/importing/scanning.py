"""The rectangles and lines of a page, from its drawing by typst, in mm from the top left. A card is nearly always a
rectangle: a clip, a path, a picture or a form, as far as the clips in force show it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

from lxml import etree
from msgspec import Struct

from generator.art.measure import chains_of, transform_of
from generator.basics import shapes
from generator.basics.geometry import Affine, Point, Rect, Size, scaling, steady
from generator.basics.shapes import box_of

_LONGEST_PATH = 4000  # characters of a rectangle, with round corners, of a circle, or of a line
_MOST_KEPT = 20_000  # rectangles, and lines, of a page
_SMALLEST = 8.0  # mm: the sides of a rectangle that may be a piece
_THIN = 0.8  # mm: a filled rectangle no thicker is a line
_SHORTEST = 1.0  # mm, of a line
_STRAIGHT = 0.05  # mm by which the ends of an upright line may differ
_EDGED = 0.6  # of each side of a rectangle with round corners is straight
_FINE = 8  # steps along a curve that may be a part of a circle
_UNLIKE = 0.04  # of a side, or of an area: pieces of a shape differ less from it, as with round corners
_Edge = tuple[Point, Point]


class RuledLine(Struct, frozen=True):
    """An upright line at an x, or a level one at a y, and its ends along the other (mm)."""

    is_upright: bool
    at: float
    start: float
    end: float


class PageShapes(Struct, frozen=True):
    """The shapes that may show where the cards of a page are. `trim` is the page without its bleed."""

    size: Size
    trim: Rect
    boxes: list[Rect]
    lines: list[RuledLine]


def shape_of(kind: shapes.Kind, size: Size) -> shapes.Shape:
    """The hexagon, circle or rectangle for a box of a size."""
    if kind == "hexagon":
        return shapes.hexagon(min(size), "corner" if size.width < size.height else "edge")
    return shapes.circle(min(size)) if kind == "circle" else shapes.rectangle(size)


def fit_box(box: Rect, kind: shapes.Kind) -> Rect | None:
    """The box of a piece of a kind in the middle of one of about its proportions."""
    width, height = shape_of(kind, Size(box.width, box.height)).size
    if abs(box.width - width) > width * _UNLIKE or abs(box.height - height) > height * _UNLIKE:
        return None
    x, y = box.centre
    return Rect(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def scan_drawing(root: etree._Element, size: Size, trim: Rect, unit: float, kind: shapes.Kind) -> PageShapes:
    """The rectangles, those around pieces of a kind too, and lines of the drawing of a page, whose
    units are so many mm."""
    clips = {clip.get("id"): clip for clip in root.iter("{*}clipPath")}
    scan = _Scan(clips, kind)
    for child in root:
        scan.add(child, scaling(unit), Rect(0.0, 0.0, *size))
    return PageShapes(size, trim, list(scan.boxes), list(scan.lines))


class _Scan:
    """Collects rectangles and lines."""

    def __init__(self, clips: Mapping[str | None, etree._Element], kind: shapes.Kind) -> None:
        self.boxes: dict[Rect, None] = {}
        self.lines: dict[RuledLine, None] = {}
        self._clips, self._kind = clips, kind
        self._steps = 1 if kind == "rectangle" else _FINE

    def add(self, element: etree._Element, place: Affine, clip: Rect) -> None:
        """Add an element, which a clip shows, and those in it."""
        place = place @ transform_of(element.get("transform", ""))
        tag = etree.QName(element).localname
        if tag == "g":
            named = self._clips.get(element.get("clip-path", "")[5:-1])
            if named is not None:
                clip = self._clip_to(named, place, clip)
            for child in element:
                self.add(child, place, clip)
        elif tag == "image":
            sides = float(element.get("width", "0")), float(element.get("height", "0"))
            self._keep(place.apply_rect(Rect(0.0, 0.0, *sides)), clip)
        elif tag == "path":
            self._add_path(element, place, clip)

    def _clip_to(self, named: etree._Element, place: Affine, clip: Rect) -> Rect:
        """The part of a clip that lies within another, whose rectangles are kept."""
        boxes = []
        for path in named.iter("{*}path"):
            for edges in _outlines_of(path, place @ transform_of(path.get("transform", "")), self._steps):
                boxes.append(box_of([*chain(*edges)]))
                if self._is_piece(edges, boxes[-1]):
                    self._keep(boxes[-1], clip)
        return boxes[0].around(*boxes[1:]).within(clip) if boxes else clip

    def _add_path(self, path: etree._Element, place: Affine, clip: Rect) -> None:
        is_filled = path.get("fill") != "none"
        for edges in _outlines_of(path, place, self._steps):
            box = box_of([*chain(*edges)])
            is_thin = min(box.width, box.height) <= _THIN
            if not is_thin and self._is_piece(edges, box):
                self._keep(box, clip)
            if (is_thin or not is_filled) and len(self.lines) < _MOST_KEPT:
                ruled = _rule([_middle_of(box)] if is_filled else edges, clip)
                self.lines.update(dict.fromkeys(ruled))

    def _is_piece(self, edges: Sequence[_Edge], box: Rect) -> bool:
        """Whether an outline is a rectangle, or has the proportions and the area of the kind."""
        if self._kind == "rectangle" or _is_rectangle(edges, box):
            return _is_rectangle(edges, box)
        true, area = shape_of(self._kind, Size(box.width, box.height)), abs(shapes.area(tuple(a for a, _ in edges)))
        return fit_box(box, self._kind) is not None and abs(area - true.area) <= true.area * _UNLIKE

    def _keep(self, box: Rect, clip: Rect) -> None:
        seen = Rect(*(steady(side, 2) for side in box.within(clip)))
        if min(seen.width, seen.height) >= _SMALLEST and len(self.boxes) < _MOST_KEPT:
            self.boxes[seen] = None


def _outlines_of(path: etree._Element, place: Affine, steps: int) -> Iterator[list[_Edge]]:
    """The edges of each part of a path; a curve is so many, from its start to its end."""
    written = path.get("d", "")
    is_closed = written.rstrip().upper().endswith("Z")
    for ends in chains_of(written, steps) if len(written) <= _LONGEST_PATH else ():
        points = [*map(place.apply, ends)]
        yield list(pairwise([*points, *points[: int(is_closed)]]))


def _is_rectangle(edges: Sequence[_Edge], box: Rect) -> bool:
    """Whether edges cover most of each side of their box."""
    upright, level = {box.x0: 0.0, box.x1: 0.0}, {box.y0: 0.0, box.y1: 0.0}
    for (ax, ay), (bx, by) in (*edges, (edges[-1][1], edges[0][0])):
        for at in upright:
            upright[at] += abs(by - ay) * (max(abs(ax - at), abs(bx - at)) < _STRAIGHT)
        for at in level:
            level[at] += abs(bx - ax) * (max(abs(ay - at), abs(by - at)) < _STRAIGHT)
    is_high = min(upright.values()) >= box.height * _EDGED
    return is_high and min(level.values()) >= box.width * _EDGED


def _middle_of(box: Rect) -> _Edge:
    """The middle line of a thin rectangle."""
    x, y = box.centre
    if box.height >= box.width:
        return Point(x, box.y0), Point(x, box.y1)
    return Point(box.x0, y), Point(box.x1, y)


def _rule(edges: Sequence[_Edge], clip: Rect) -> Iterator[RuledLine]:
    """The upright and level edges as far as a clip shows them."""
    for (ax, ay), (bx, by) in edges:
        is_upright = abs(ax - bx) < _STRAIGHT
        if not is_upright and abs(ay - by) >= _STRAIGHT:
            continue
        seen = Rect(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)).within(clip.grown(_THIN))
        start, end = (seen.y0, seen.y1) if is_upright else (seen.x0, seen.x1)
        at = steady(seen.centre.x if is_upright else seen.centre.y, 2)
        if min(seen.width, seen.height) >= 0 and end - start >= _SHORTEST:
            yield RuledLine(is_upright, at, steady(start, 2), steady(end, 2))
