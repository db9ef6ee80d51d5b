"""The set of Advaya's tiles, which five properties define.

The properties are those of the designer, Anton Pirogov:

1. A tile is divided by straight lines from corner to corner, or from a corner to the centre, where
   no line ends alone.
2. There is at least one line.
3. Every area has a whole side of the hexagon.
4. Two colours suffice to give areas that share a line different colours.
5. There is only one tile, and its reflection, of each connectivity (which sides belong to one area,
   which areas share a line).
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from generator.basics.errors import MisfitError, quote
from generator.games.hexagon import CORNERS, turned

CENTRE = 6
_IN_SECTOR = 4  # faces between all possible strokes, of each of the six sectors
Segment = tuple[int, int]  # two corners, or a corner and the centre; the lesser first
Drawing = frozenset[Segment]
Coloured = tuple[tuple[Segment, ...], str]  # a drawing and its sides in the turn that sorts first


class Areas(Struct, frozen=True):
    """The areas into which lines divide a tile.

    of_sides: the number of each side's area, counted from side 0.
    touching: the pairs of areas that share a line, not only a point.
    """

    of_sides: tuple[int, ...]
    touching: frozenset[tuple[int, int]]


class TileType(Struct, frozen=True):
    """A tile of the set, in one of its six turns, and its colours.

    colourings: "B" or "W" for each side; one or two, distinct up to rotation.
    """

    drawing: Drawing
    colourings: tuple[str, ...]


def parse(text: str) -> Drawing:
    """Parses lines like "0-3 1-6": corners 0 to 5, centre 6. Raises MisfitError for other text.

    Two opposite lines to the centre are always one segment.
    """
    for word in text.split():
        if word not in _WRITTEN:
            hint = "two corners that are not neighbours, or a corner and the centre 6: '0-3 1-6'"
            raise MisfitError(f"{quote(word)} is not a line of a tile", hint)
    strokes = _split_strokes(_WRITTEN[word] for word in text.split())
    through = {(a, a + 3) for a in range(3) if {(a, CENTRE), (a + 3, CENTRE)} <= strokes}
    return frozenset(strokes - _split_strokes(through) | through)


def write_tile(drawing: Iterable[Segment]) -> str:
    return " ".join(f"{a}-{b}" for a, b in sorted(drawing))


@cache
def types() -> tuple[TileType, ...]:
    """The 27 types of the set; reflections count as two types, turns as one.

    Property 5 does not say which of several drawings of one connectivity is the tile. The published one is always the
    most symmetric; of these, the one with the fewest crossings beside the centre; of these, the one with the fewest
    lines (inferred from the published tiles).
    """
    content = Path(__file__).with_name("types.toml").read_text("utf-8")
    return tuple(TileType(parse(lines), tuple(colourings)) for lines, colourings in tomllib.loads(content).items())


def type_of(drawing: Drawing) -> TileType | None:
    """The type of a drawing's connectivity, perhaps drawn differently; None if two colours do not suffice."""
    return _by_connectivity().get(connectivity(drawing))


def flaw(drawing: Drawing) -> str:
    """Why a drawing lacks property 1 or 3; "" if it has both."""
    strokes = _split_strokes(drawing)
    if len(strokes.intersection(_RADII)) == 1:
        return "a line ends alone in the centre"
    if None in _find_first_sides(strokes):
        return "an area has no whole side"
    return ""


@cache
def areas(drawing: Drawing) -> Areas:
    strokes = _split_strokes(drawing)
    first_sides = _find_first_sides(strokes)
    sides = [first_sides[_outer(side)] for side in CORNERS]
    number = {first: n for n, first in enumerate(dict.fromkeys(sides))}
    divided = ((first_sides[a], first_sides[b]) for a, b, stroke in _EDGES if stroke in strokes)
    touching = frozenset(_ordered(number[a], number[b]) for a, b in divided)
    return Areas(tuple(number[first] for first in sides), touching)


@cache
def connectivity(drawing: Drawing) -> Areas:
    """`areas` in the turn that sorts first: equal for drawings of one connectivity."""
    parts = areas(drawing)
    every = (_turn_areas(parts, by) for by in CORNERS)
    return min(every, key=lambda region: (region.of_sides, sorted(region.touching)))


def _turn_areas(parts: Areas, by: int) -> Areas:
    of_sides = parts.of_sides[-by:] + parts.of_sides[:-by]
    number = {area: n for n, area in enumerate(dict.fromkeys(of_sides))}
    touching = frozenset(_ordered(number[a], number[b]) for a, b in parts.touching)
    return Areas(tuple(number[area] for area in of_sides), touching)


@cache
def least_turn(drawing: Drawing) -> Drawing:
    """The drawing in the turn that sorts first: equal for all turns of a drawing."""
    return min((_move(drawing, by) for by in CORNERS), key=sorted)


@cache
def colour_areas(drawing: Drawing, sides: str) -> Coloured:
    """A drawing and its sides in the turn that sorts first: equal for all turns of a tile."""
    return min((tuple(sorted(_move(drawing, by))), turned(sides, by)) for by in CORNERS)


def behind(drawing: Drawing) -> Drawing:
    """The drawing mirrored at the vertical axis, like a back behind its front: corner i is 3-i."""
    return _move(drawing, 3, -1)


@cache
def _by_connectivity() -> dict[Areas, TileType]:
    return {connectivity(type_.drawing): type_ for type_ in types()}


def _move(drawing: Drawing, by: int, way: int = 1) -> Drawing:
    """A drawing with its corners counted from another corner, and the other way if -1."""
    moved = [*((by + way * corner) % 6 for corner in CORNERS), CENTRE]
    return frozenset(_ordered(moved[a], moved[b]) for a, b in drawing)


def _ordered(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)


def _short(barred: int) -> Segment:
    """The line between a corner's neighbours."""
    return _ordered((barred - 1) % 6, (barred + 1) % 6)


def _split_strokes(drawing: Iterable[Segment]) -> frozenset[Segment]:
    """The strokes of the lines; a line through the centre is two strokes."""
    return frozenset(
        stroke
        for a, b in drawing
        for stroke in ([(a, CENTRE), (b, CENTRE)] if b - a == 3 and b != CENTRE else [(a, b)])
    )


def _find_first_sides(strokes: frozenset[Segment]) -> list[int | None]:
    """For each of the 24 faces between all possible strokes, the first side of the hexagon in its
    area; None if its area has no side."""
    found: list[int | None] = [None for _ in _BESIDE]
    for side in CORNERS:
        reached = [_outer(side)]
        for face in reached:
            if found[face] is None:
                found[face] = side
                reached += [other for stroke, other in _BESIDE[face] if stroke not in strokes]
    return found


def _outer(sector: int) -> int:
    return _IN_SECTOR * sector


def _edges() -> Iterator[tuple[int, int, Segment]]:
    """Pairs of adjacent faces, and the stroke between them.

    The sector between two radii has four faces: an outer one at the side of the hexagon, a first
    and a second one at the outer halves of its radii, an inner one at the centre.
    """
    for sector in CORNERS:
        after = (sector + 1) % 6
        outer, first, second, inner = range(_outer(sector), _outer(sector + 1))
        next_first, next_inner = _outer(after) + 1, _outer(after) + 3
        yield outer, first, _short(after)
        yield outer, second, _short(sector)
        yield inner, first, _short(sector)
        yield inner, second, _short(after)
        yield second, next_first, (after, CENTRE)
        yield inner, next_inner, (after, CENTRE)


_SHORT = tuple(_short(corner) for corner in CORNERS)
_RADII = tuple((corner, CENTRE) for corner in CORNERS)
_WRITTEN = {f"{a}-{b}": (a, b) for a, b in (*_SHORT, *_RADII, (0, 3), (1, 4), (2, 5))}
_EDGES = tuple(_edges())
_BOTH_WAYS = (*_EDGES, *((b, a, stroke) for a, b, stroke in _EDGES))
_BESIDE = tuple(  # for each face, the strokes around it and the faces beyond them
    [(stroke, b) for a, b, stroke in _BOTH_WAYS if a == face] for face in range(_outer(len(CORNERS)))
)
