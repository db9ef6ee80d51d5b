"""Take Atreya's three colours, make its set of tiles; find how a table differs from it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from generator.basics.errors import Problem, quote
from generator.checks.doubles import doubles
from generator.checks.table import Declared, label
from generator.games.hexagon import mirrored, turns
from generator.model import Column, Component, Piece

COLOURS = "RGB"
Tile = tuple[str, str]  # the centre's colour and those of the sides
_CLOCKWISE = "RBG"  # the order in which the colours meet where the three start tiles do
_MARKS = ("", "yes")


@cache
def tiles() -> frozenset[Tile]:
    """The 168 tiles: a colour in the centre and one on each side, with all three on the sides.

    A turn of a tile is the same tile; so is its reflection, which is its other face. Sides are
    counterclockwise from side 0, in the one of those twelve that sorts first.
    """
    rims = ["".join(sides) for sides in product(COLOURS, repeat=6) if len(set(sides)) == 3]
    return frozenset(tile(centre, sides) for sides in rims for centre in COLOURS)


def tile(centre: str, sides: str) -> Tile:
    """Equal for all turns and both faces of a tile."""
    return centre, min((*turns(sides), *turns(mirrored(sides))))


def start_back(centre: str) -> str:
    """The sides of a start tile's back, clockwise: four in its centre's colour, one in each other.

    Red RRRRBG, green GGGGRB, blue BBBBGR: the three can meet in one corner, two of them in red,
    two in green, two in blue.
    """
    first = _CLOCKWISE.index(centre)
    return centre * 4 + (_CLOCKWISE * 2)[first + 1 : first + 3]


class AtreyaSet(Declared, frozen=True, kw_only=True):
    """The tiles are the set of all tiles in three colours (see `tiles`), each once.

    The columns `centre` and `sides` ("BGRRRR": counterclockwise from the side above the right
    corner) describe the front; `back_centre` and `back_sides` the back, the front mirrored at its
    vertical axis; `start` is "yes" for the three start tiles (see `start_back`), else empty.
    """

    kind = "atreya.set"

    def columns(self) -> list[Column]:
        return [Column(n) for n in ("centre", "sides", "back_centre", "back_sides", "start")]

    def check(self, component: Component) -> list[Problem]:
        pieces = [piece for piece in component.pieces if piece.copies]
        problems, keyed = [], []
        for piece in pieces:
            foreign = _foreign(*_front(piece))
            if foreign:
                problems.append(self.problem(piece.place, f"{_label(piece)} {foreign}"))
            else:
                keyed.append((tile(*_front(piece)), piece))
                problems += [*self._back(piece), *self._start(piece)]
        problems += [self.problem(*double) for double in doubles(keyed, _label, "tile")]
        for centre, sides in sorted(tiles() - {key for key, _ in keyed}):
            what = f"the tile {centre} {sides}, in some turn or flipped, is missing"
            problems.append(self.problem(component.place, what))
        return problems

    def _back(self, piece: Piece) -> Iterator[Problem]:
        centre, sides = _front(piece)
        for column, due in (("back_centre", centre), ("back_sides", mirrored(sides))):
            cell = str(piece.row[column])
            if cell != due:
                what = f"{_label(piece)}: the back has {quote(cell)}; the front mirrored has {due}"
                yield self.problem(piece.place.at_column(column), what)

    def _start(self, piece: Piece) -> Iterator[Problem]:
        mark = str(piece.row["start"])
        what = _find_wrong_mark(*_front(piece), mark)
        if what:
            yield self.problem(piece.place.at_column("start"), f"{_label(piece)} {what}")


def _front(piece: Piece) -> Tile:
    return str(piece.row["centre"]), str(piece.row["sides"])


def _label(piece: Piece) -> str:
    return label(piece, " ".join(_front(piece)))


def _foreign(centre: str, sides: str) -> str:
    """Why a tile is not in the set; "" if it is."""
    if centre not in tuple(COLOURS):
        return f"has the centre {quote(centre)}, not R, G or B"
    if len(sides) != 6 or set(sides) - set(COLOURS):
        return f"has the sides {quote(sides)}, not six of R, G and B"
    absent = [colour for colour in COLOURS if colour not in sides]
    return f"is not in the set: no side is {' or '.join(absent)}" if absent else ""


def _find_wrong_mark(centre: str, sides: str, mark: str) -> str:
    """The fault of a tile's start mark; "" if there is none."""
    back = start_back(centre)
    is_start = tile(centre, sides) == tile(centre, back)
    if mark not in _MARKS:
        return f"is marked {quote(mark)}: mark start tiles with yes, and no others"
    if is_start != (mark == "yes"):
        return "is a start tile, but not marked" if is_start else "is marked, but not a start tile"
    if is_start and back not in turns(mirrored(sides)[::-1]):
        return f"has its faces swapped: the back of a start tile reads {back} clockwise"
    return ""
