"""The panels of a piece that is larger than a sheet: how many, where their joints lie, and what is printed of each."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import ceil, floor
from typing import NamedTuple

from msgspec import Struct

from generator.basics.geometry import HAIR, IDENTITY, Affine, Point, Rect, Size, scaling, steady, translation
from generator.basics.phrases import Phrases
from generator.basics.shapes import Outline, carried
from generator.layout.forme import Seat
from generator.layout.marks import NET_HALO, NET_WIDTH
from generator.layout.slug import SIZE
from generator.model import BoardPanel, Label, MarkLine, Side, Tiling

OVERLAP = 8.0  # mm of a panel beneath the next: a strip to glue
LEAST_BLEED = 2.0  # mm past a joint, so that an inexact cut shows no white
COST_STEP = 0.5  # mm from one cost of a joint to the next
_STEP = 1.0  # mm by which a joint may be moved, from where all panels are equal
_NARROWEST = 0.6  # of the width that all panels have if they are equal
_MOST_ROWS, _MOST_COLUMNS = 26, 99  # a letter, and two digits

_CONTINUED = 2.0  # mm of the art on a strip; the rest of it stays bare, to hold the glue
_LINE_OFF = 0.3  # mm from a joint to its line on the strip, which the next panel covers
_INSET = 6.0  # mm from the corner of a panel to its name, or of a strip to its words
_NAME = 8.0  # mm, the size of a name behind a panel
_TO_BASELINE = 0.35  # of the size of letters, from the middle of a line

Spread = tuple[tuple[int, int], tuple[int, ...]]  # a score, the least the best; the moves


class JointCosts(NamedTuple):
    """What joints cut, for each COST_STEP from the left of a piece and from its top: 0 where there
    is nothing but plain ground. None is as good as its neighbour: costs are whole numbers."""

    across: Sequence[int]
    down: Sequence[int]


class Joints(Struct, frozen=True):
    """How panels are joined: edge to edge, or each on `overlap` mm of the one before. `find_costs` takes long."""

    overlap: float
    find_costs: Callable[[], JointCosts]


class PanelGrid(Struct, frozen=True):
    """Columns and rows of panels, none larger than one of the `rooms`."""

    columns: int
    rows: int
    rooms: tuple[Size, ...]


def find_grids(size: Size, rooms: Sequence[Size], overlap: float) -> list[PanelGrid]:
    """The grids with the fewest panels for each room on a sheet, the fewest first; none for rooms
    narrower than the overlap, or if a name would be too long."""
    found: dict[tuple[int, int], list[Size]] = {}
    for room in rooms:
        if min(room) > overlap:
            columns, rows = (
                max(1, ceil(steady((length - overlap) / (most - overlap)) - HAIR))
                for length, most in zip(size, room, strict=True)
            )
            if columns * rows > 1 and columns <= _MOST_COLUMNS and rows <= _MOST_ROWS:
                found.setdefault((columns, rows), []).append(room)
    grids = [PanelGrid(*counts, tuple(rooms)) for counts, rooms in found.items()]
    return sorted(grids, key=lambda grid: grid.columns * grid.rows)


def tile_evenly(size: Size, grid: PanelGrid, overlap: float) -> Tiling:
    """Panels of one size."""
    lefts, tops = (
        tuple(number * (_even(length, count, overlap) - overlap) for number in range(count))
        for length, count in zip(size, (grid.columns, grid.rows), strict=True)
    )
    return Tiling(size, lefts, tops, overlap)


def tile_around(size: Size, grid: PanelGrid, overlap: float, costs: JointCosts) -> Iterator[Tiling]:
    """Panels with the joints where they cut the least, for each room; the best first."""
    found: list[tuple[tuple[int, int], Tiling]] = []
    for room in grid.rooms:
        counts = grid.columns, grid.rows
        (across, lefts), (down, tops) = (
            _place(length, count, most, overlap, cost)
            for length, count, most, cost in zip(size, counts, room, costs, strict=True)
        )
        score = across[0] + down[0], across[1] + down[1]
        found.append((score, Tiling(size, lefts, tops, overlap)))
    for _, tiling in sorted(found, key=lambda scored: scored[0]):
        yield tiling


def _even(length: float, count: int, overlap: float) -> float:
    return (length + (count - 1) * overlap) / count


def _place(
    length: float, count: int, most: float, overlap: float, costs: Sequence[int]
) -> tuple[tuple[int, int], tuple[float, ...]]:
    """Where panels begin along a side, and the score: what their joints cut, then how unequal the
    panels are. No panel is wider than `most` mm.

    Each joint is moved by whole steps from where all panels are equal; the best way to each of its
    places is found from those to the joint before.
    """
    even = _even(length, count, overlap)
    wider = floor(steady((most - even) / _STEP) + HAIR)
    narrower = floor((1 - _NARROWEST) * even / _STEP)
    reach = range(-narrower, narrower + 1)
    ways: dict[int, Spread] = {0: ((0, 0), ())}
    for number in range(1, count + 1):
        start = number * (even - overlap)
        further: dict[int, Spread] = {}
        for move, (before, ((cost, uneven), moves)) in product(reach if number < count else (0,), ways.items()):
            if -narrower <= move - before <= wider:
                at = round(steady((start + move * _STEP) / COST_STEP))
                cut = costs[min(at, len(costs) - 1)] if number < count else 0
                way = (cost + cut, uneven + (move - before) ** 2), (*moves, move)
                further[move] = min(further.get(move, way), way)
        ways = further
    score, moves = ways[0]
    starts = (number * (even - overlap) + move * _STEP for number, move in enumerate(moves[:-1], start=1))
    return score, (0.0, *starts)


class PiecePart(Struct, frozen=True):
    """A panel of a piece of a size, and the bleeds (mm) of its faces."""

    panel: BoardPanel
    of: Size
    bleed: float
    back_bleed: float

    def place_face(self, seat: Seat, place: Affine, side: Side) -> Affine:
        """The place of the whole face, from that of the panel."""
        box, scale = self.panel.box, seat.blank.scale
        x, bleed = -box.x0, self.bleed
        if side == "back":
            x, bleed = box.x1 - self.of.width, self.back_bleed
        return place @ scaling(scale) @ translation(x - bleed, -box.y0 - bleed)


def clip_panel(panel: BoardPanel, seat: Seat, side: Side) -> Outline:
    """The area that a panel may ink, on the page: what is seen of it, and past each cut a bleed.
    That of a back is as seen from the front too."""
    box, bleed = panel.box, seat.blank.bleed_of(side) / seat.blank.scale
    seen = panel.seen if side == "front" else panel.seen_behind
    x0, y0, x1, y1 = (bleed if edge == cut else _CONTINUED for edge, cut in zip(seen, box, strict=True))
    area = Rect(seen.x0 - x0, seen.y0 - y0, seen.x1 + x1, seen.y1 + y1)
    return carried(area.corners(), _from_piece(panel, seat))


def _from_piece(panel: BoardPanel, seat: Seat) -> Affine:
    """Map a point of the piece, seen from the front, to the page."""
    return seat.place @ scaling(seat.blank.scale) @ translation(-panel.box.x0, -panel.box.y0)


def label_behind(panel: BoardPanel, seat: Seat, turn: Affine) -> Label:
    """The name of a panel, pale, at the foot of its back."""
    x0, _, _, y1 = turn.apply_rect(seat.box())
    return Label(panel.name, _NAME, translation(x0 + _INSET, y1 - _INSET), is_pale=True)


def strip_marks(
    panel: BoardPanel, seat: Seat, side: Side, phrases: Phrases, turn: Affine | None
) -> tuple[list[Label], list[MarkLine]]:
    """The words on the strips that the panels around this one cover, and a line beside each joint;
    all of it is hidden in the end. `turn` maps the page to the page behind it."""
    place = (turn or IDENTITY) @ _from_piece(panel, seat)
    labels: list[Label] = []
    lines: list[MarkLine] = []
    how = "under" if side == "front" else "onto"
    for strip, joint, other in _strips(panel, side):
        box = place.apply_rect(strip)
        words = phrases.say(f"sheet.glue-{how}", panel=panel.name, other=other)
        labels.append(Label(words, SIZE, _place_words(box)))
        start, end = (place.apply(point) for point in joint)
        lines.append(MarkLine(start, end, NET_WIDTH, NET_HALO))
    return labels, lines


def _strips(panel: BoardPanel, side: Side) -> Iterator[tuple[Rect, tuple[Point, Point], str]]:
    """The strips of a side, on the piece: each with the ends of its line, and what is glued there."""
    box, row, column = panel.box, panel.name[0], int(panel.name[1:])
    if side == "front":
        seen, step = panel.seen, 1
    else:
        seen, step = panel.seen_behind, -1
    beside, below = f"{row}{column + step}", f"{chr(ord(row) + step)}{column}"
    x, far_x = (seen.x1, box.x1) if step > 0 else (seen.x0, box.x0)
    y, far_y = (seen.y1, box.y1) if step > 0 else (seen.y0, box.y0)
    if x != far_x:
        at = x + step * _LINE_OFF
        strip = Rect(min(x, far_x), seen.y0, max(x, far_x), seen.y1)
        yield strip, (Point(at, seen.y0), Point(at, seen.y1)), beside
    if y != far_y:
        at = y + step * _LINE_OFF
        strip = Rect(seen.x0, min(y, far_y), seen.x1, max(y, far_y))
        yield strip, (Point(seen.x0, at), Point(seen.x1, at)), below


def _place_words(strip: Rect) -> Affine:
    """The start of a line of words along the middle of a strip."""
    x, y = strip.centre
    off = _TO_BASELINE * SIZE
    if strip.height > strip.width:
        return Affine(0.0, -1.0, 1.0, 0.0, x + off, strip.y1 - _INSET)
    return translation(strip.x0 + _INSET, y + off)
