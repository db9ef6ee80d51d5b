"""Take Advaya's five properties, make its set of tiles.

The properties are those of the designer, Anton Pirogov:

1. A tile is parted by straight lines from corner to corner, or from a corner to the centre, where
   no line ends alone.
2. There is at least one line.
3. Every area has a whole side of the hexagon.
4. Two colours suffice: areas that share a line differ.
5. Of the tiles with one connectivity (which sides belong to one area, which areas share a line)
   there is one, and its reflection.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, product

from generator.errors import MisfitError, quote
from generator.games.hexagon import CORNERS, turned

CENTRE = 6
Segment = tuple[int, int]  # two corners, or a corner and the centre; the lesser first
Drawing = frozenset[Segment]
Coloured = tuple[tuple[Segment, ...], str]  # a drawing and its sides in the turn that comes first
_Face = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Areas:
    """What lines make of a tile.

    of_sides: the number of the area that each side belongs to, counted as they come from side 0.
    touching: the pairs of areas that share a line; to touch in a point is not to share.
    """

    of_sides: tuple[int, ...]
    touching: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class TileType:
    """A tile of the set, in one of its six turns, and how it is coloured.

    colourings: "B" or "W" for each side, once each up to rotation: one or two.
    """

    drawing: Drawing
    areas: Areas
    colourings: tuple[str, ...]


def parse(text: str) -> Drawing:
    """The lines of "0-3 1-6": corners 0 to 5, centre 6. Raises MisfitError.

    Two opposite lines to the centre are one segment, however they were written.
    """
    for word in text.split():
        if word not in _WRITTEN:
            hint = "two corners that are no neighbours, or a corner and the centre 6: '0-3 1-6'"
            raise MisfitError(f"{quote(word)} is no line of a tile", hint)
    return _join_strokes(_split_strokes(_WRITTEN[word] for word in text.split()))


def write_tile(drawing: Iterable[Segment]) -> str:
    return " ".join(f"{a}-{b}" for a, b in sorted(drawing))


@cache
def types() -> tuple[TileType, ...]:
    """The 27 types of the set: reflections are two, turns are one.

    Property 5 leaves open which of several drawings of one connectivity is the tile. The
    published one is always the most symmetric; of these, the one with the fewest crossings
    beside the centre; of these, the one of the fewest lines (inferred from the published tiles).
    """
    alike: defaultdict[Areas, list[Drawing]] = defaultdict(list)
    for drawing in drawings():
        if drawing:
            alike[connectivity(drawing)].append(drawing)
    best = [min(found, key=_plainness) for found in alike.values()]
    return tuple(
        TileType(drawing, areas(drawing), colourings)
        for drawing in best
        if (colourings := _colourings(drawing))
    )


def type_of(drawing: Drawing) -> TileType | None:
    """The type of its connectivity, drawn perhaps otherwise; None if two colours do not do."""
    return _by_connectivity().get(connectivity(drawing))


@cache
def drawings() -> tuple[Drawing, ...]:
    """The 62 drawings with properties 1 and 3 up to rotation, the blank one among them."""
    strokes = _SHORT + _RADII
    subsets = chain.from_iterable(combinations(strokes, n) for n in range(len(strokes) + 1))
    found: dict[Drawing, bool] = {}  # in every turn; True once for those that will do
    for drawing in map(_join_strokes, subsets):
        if drawing not in found:
            found |= dict.fromkeys((_turn(drawing, by) for by in CORNERS), False)
            found[drawing] = not flaw(drawing)
    return tuple(drawing for drawing, will_do in found.items() if will_do)


def flaw(drawing: Drawing) -> str:
    """What it has not of properties 1 and 3, "" when it has both."""
    strokes = _split_strokes(drawing)
    if sum(CENTRE in stroke for stroke in strokes) == 1:
        return "a line ends alone in the centre"
    joined = _join_faces(strokes)
    if set(joined.values()) - {joined[side, "outer"] for side in CORNERS}:
        return "an area has no whole side"
    return ""


def areas(drawing: Drawing) -> Areas:
    strokes = _split_strokes(drawing)
    joined = _join_faces(strokes)
    sides = [joined[side, "outer"] for side in CORNERS]
    number = {area: n for n, area in enumerate(dict.fromkeys(sides))}
    lines = ((number[joined[a]], number[joined[b]]) for a, b, s in _EDGES if s in strokes)
    touching = frozenset((min(line), max(line)) for line in lines)
    return Areas(tuple(number[area] for area in sides), touching)


def connectivity(drawing: Drawing) -> Areas:
    """`areas`, in the turn that comes first: equal for drawings of one connectivity."""
    every = (areas(_turn(drawing, by)) for by in CORNERS)
    return min(every, key=lambda found: (found.of_sides, sorted(found.touching)))


def least_turn(drawing: Drawing) -> Drawing:
    """The drawing in the turn that comes first: equal for drawings that are one."""
    return min((_turn(drawing, by) for by in CORNERS), key=sorted)


def colour_areas(drawing: Drawing, sides: str) -> Coloured:
    """Equal for tiles that are one, whichever way they are turned."""
    return min((tuple(sorted(_turn(drawing, by))), turned(sides, by)) for by in CORNERS)


def behind(drawing: Drawing) -> Drawing:
    """Mirrored at the vertical axis, as a back that lies behind its front: corner i is 3-i."""
    return _move(drawing, lambda corner: (3 - corner) % 6)


@cache
def _by_connectivity() -> dict[Areas, TileType]:
    return {connectivity(type_.drawing): type_ for type_ in types()}


def _colourings(drawing: Drawing) -> tuple[str, ...]:
    found = areas(drawing)
    kept: dict[Coloured, str] = {}
    for colours in product("BW", repeat=max(found.of_sides) + 1):
        if all(colours[a] != colours[b] for a, b in found.touching):
            sides = "".join(colours[area] for area in found.of_sides)
            kept.setdefault(colour_areas(drawing, sides), sides)
    return tuple(kept.values())


def _plainness(drawing: Drawing) -> tuple[int, int, int]:
    return -_symmetry(drawing), _crossings(drawing), len(drawing)


def _symmetry(drawing: Drawing) -> int:
    """How many of the hexagon's twelve turns and reflections leave it as it is."""
    both = (drawing, behind(drawing))
    return sum(_turn(one, by) == drawing for one in both for by in CORNERS)


def _crossings(drawing: Drawing) -> int:
    """Beside the centre: a short line crosses its neighbours and the radius it bars."""
    strokes = _split_strokes(drawing)
    short = [corner for corner in CORNERS if _short(corner) in strokes]
    return sum((_short(c + 1) in strokes) + ((c, CENTRE) in strokes) for c in short)


def _turn(drawing: Drawing, by: int) -> Drawing:
    return _move(drawing, lambda corner: (corner + by) % 6)


def _move(drawing: Drawing, move: Callable[[int], int]) -> Drawing:
    def moved(corner: int) -> int:
        return CENTRE if corner == CENTRE else move(corner)

    return frozenset(_segment(moved(a), moved(b)) for a, b in drawing)


def _segment(a: int, b: int) -> Segment:
    return min(a, b), max(a, b)


def _short(barred: int) -> Segment:
    """The line between a corner's neighbours."""
    return _segment((barred - 1) % 6, (barred + 1) % 6)


def _split_strokes(drawing: Iterable[Segment]) -> frozenset[Segment]:
    """The strokes of the lines: a line through the centre is two."""
    return frozenset(
        stroke
        for a, b in drawing
        for stroke in ([(a, CENTRE), (b, CENTRE)] if b - a == 3 and b != CENTRE else [(a, b)])
    )


def _join_strokes(strokes: Iterable[Segment]) -> Drawing:
    strokes = set(strokes)
    through = {(a, a + 3) for a in range(3) if {(a, CENTRE), (a + 3, CENTRE)} <= strokes}
    return frozenset(strokes - _split_strokes(through) | through)


def _join_faces(strokes: Set[Segment]) -> dict[_Face, _Face]:
    """The 24 faces that all strokes together make, each with the one that speaks for its area."""
    joined = {face: face for edge in _EDGES for face in edge[:2]}
    for a, b, stroke in _EDGES:
        kept, gone = joined[a], joined[b]
        if stroke not in strokes and kept != gone:
            joined = {face: kept if area == gone else area for face, area in joined.items()}
    return joined


def _edges() -> Iterator[tuple[_Face, _Face, Segment]]:
    """Faces that meet, and the stroke between them.

    The sector between two radii has four faces: an outer one at the side of the hexagon, a first
    and a second one at the outer halves of its radii, an inner one at the centre.
    """
    for sector in CORNERS:
        after = (sector + 1) % 6
        yield (sector, "outer"), (sector, "first"), _short(after)
        yield (sector, "outer"), (sector, "second"), _short(sector)
        yield (sector, "inner"), (sector, "first"), _short(sector)
        yield (sector, "inner"), (sector, "second"), _short(after)
        yield (sector, "second"), (after, "first"), (after, CENTRE)
        yield (sector, "inner"), (after, "inner"), (after, CENTRE)


_SHORT = tuple(_short(corner) for corner in CORNERS)
_RADII = tuple((corner, CENTRE) for corner in CORNERS)
_WRITTEN = {f"{a}-{b}": (a, b) for a, b in (*_SHORT, *_RADII, (0, 3), (1, 4), (2, 5))}
_EDGES = tuple(_edges())
