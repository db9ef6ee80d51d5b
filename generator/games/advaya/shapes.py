"""The faces of a deck in all turns, and the shapes that close when one is laid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import MisfitError, Problem, quote
from generator.games.advaya import tiles as advaya
from generator.games.advaya.arena import BEYOND, Cell
from generator.games.hexagon import turned
from generator.model import Piece, Side

COLOURS = "BW"
_COLUMNS: Mapping[Side, str] = {"front": "", "back": "back_"}
Area = tuple[Cell, int]  # of the tile there, by its number


class TurnedFace(Struct, frozen=True):
    """A face of a tile in one turn.

    tile: its place in the deck. turn: sixths counterclockwise. white: six bits, the white sides.
    areas: the area of each side. sides: of each area. colours: of each area, a place in COLOURS.
    beside: the areas that share a line with each. is_blue: its lines count for the value.
    """

    tile: int
    side: Side
    turn: int
    white: int
    areas: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    colours: tuple[int, ...]
    beside: tuple[tuple[int, ...], ...]
    is_blue: bool


Laid = Mapping[Cell, TurnedFace]


class ClosedShape(Struct, frozen=True):
    """A closed shape. colour: a place in COLOURS. value: its pieces with a blue boundary."""

    colour: int
    value: int
    areas: frozenset[Area]


def read_faces(pieces: Sequence[Piece]) -> list[TurnedFace]:
    """Every face of every tile in every turn; turns that look alike are one.

    Fronts have the columns `segments` and `sides`, backs `back_segments` and `back_sides`, without
    faults.
    """
    numbered = enumerate(pieces)
    return [face for n, piece in numbered for side in _COLUMNS for face in _turns(n, piece, side)]


def find_faults(pieces: Sequence[Piece]) -> list[Problem]:
    """What cannot be played, each once though a row may be several tiles."""
    faults = (fault for piece in pieces for side in _COLUMNS for fault in _faults(piece, side))
    return list(dict.fromkeys(faults))


def _faults(piece: Piece, side: Side) -> Iterator[Problem]:
    columns = [_COLUMNS[side] + name for name in ("segments", "sides")]
    lines, sides = (str(piece.row.get(column, "")) for column in columns)
    places = [piece.place.at_column(column) for column in columns]
    is_coloured = len(sides) == 6 and not set(sides) - set(COLOURS)
    if not is_coloured:
        what = f"{columns[1]} is {quote(sides)}, its engine needs six letters, each B or W"
        yield Problem(places[1], what)
    try:
        drawing = advaya.parse(lines)
    except MisfitError as error:
        yield Problem(places[0], f"{piece.id}: {error}", error.hint)
        return
    if flaw := advaya.flaw(drawing):
        yield Problem(places[0], f"{piece.id} cannot be played: {flaw}")
    elif is_coloured and _is_mixed(advaya.areas(drawing).of_sides, sides):
        what = f"{piece.id} cannot be played: sides of one area differ in colour, {sides}"
        yield Problem(places[1], what)


def _is_mixed(areas: Sequence[int], sides: str) -> bool:
    """Whether an area has sides of two colours."""
    return len(set(zip(areas, sides, strict=True))) > len(set(areas))


def _turns(tile: int, piece: Piece, side: Side) -> Iterator[TurnedFace]:
    drawing = advaya.parse(str(piece.row[_COLUMNS[side] + "segments"]))
    letters = str(piece.row[_COLUMNS[side] + "sides"])
    found = advaya.areas(drawing)
    numbers = range(max(found.of_sides) + 1)
    looks = set()
    for turn in range(6):
        areas = tuple(found.of_sides[(k - turn) % 6] for k in range(6))
        colours = turned(letters, turn)
        order = list(dict.fromkeys(areas))
        touching = {frozenset(map(order.index, pair)) for pair in found.touching}
        look = (colours, tuple(map(order.index, areas)), frozenset(touching))
        if look in looks:
            continue
        looks.add(look)
        yield TurnedFace(
            tile,
            side,
            turn,
            sum(1 << k for k, letter in enumerate(colours) if letter == "W"),
            areas,
            tuple(tuple(k for k in range(6) if areas[k] == n) for n in numbers),
            tuple(COLOURS.index(colours[areas.index(n)]) for n in numbers),
            tuple(tuple(sorted(_others(found.touching, n))) for n in numbers),
            side == "front" and bool(drawing),
        )


def _others(pairs: frozenset[tuple[int, int]], area: int) -> set[int]:
    return {other for pair in pairs if area in pair for other in pair} - {area}


def find_closed(laid: Laid, cell: Cell) -> list[ClosedShape]:
    """The closed shapes that have a piece of the tile in a cell."""
    found: list[ClosedShape] = []
    for area in range(len(laid[cell].sides)):
        if not any((cell, area) in shape.areas for shape in found):
            areas, gaps = _spread(laid, (cell, area), most_gaps=0)
            if not gaps:
                value = sum(laid[at].is_blue for at, _ in areas)
                found.append(ClosedShape(laid[cell].colours[area], value, frozenset(areas)))
    return found


def areas_beside(laid: Laid, shape: ClosedShape) -> set[Area]:
    """The areas that share a boundary with a shape, not only a point."""
    return {(cell, other) for cell, area in shape.areas for other in laid[cell].beside[area]}


class OpenShape(Struct, frozen=True):
    """A shape that is not closed. value: as it would count now. gaps: the empty cells beside it."""

    colour: int
    value: int
    gaps: frozenset[Cell]
    cells: frozenset[Cell]
    areas: frozenset[Area]


def find_open(laid: Laid) -> Iterator[OpenShape]:
    """Every shape that is not closed."""
    seen: set[Area] = set()
    for cell, face in laid.items():
        for area in range(len(face.sides)):
            if (cell, area) in seen:
                continue
            areas, gaps = _spread(laid, (cell, area), most_gaps=len(laid) * 6)
            seen |= areas
            if gaps:
                value = sum(laid[at].is_blue for at, _ in areas)
                cells = frozenset(at for at, _ in areas)
                colour = face.colours[area]
                yield OpenShape(colour, value, frozenset(gaps), cells, frozenset(areas))


def _spread(laid: Laid, first: Area, most_gaps: int) -> tuple[set[Area], set[Cell]]:
    """The areas of a shape, and the empty cells beside it. Ends where these are too many."""
    areas, ahead = {first}, [first]
    gaps: set[Cell] = set()
    while ahead and len(gaps) <= most_gaps:
        cell, area = ahead.pop()
        for side in laid[cell].sides[area]:
            beyond = cell + BEYOND[side]
            other = laid.get(beyond)
            if other is None:
                gaps.add(beyond)
                continue
            next_ = beyond, other.areas[side - 3]
            if next_ not in areas:
                areas.add(next_)
                ahead.append(next_)
    return areas, gaps
