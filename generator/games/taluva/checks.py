"""Checks of Taluva: how its tiles and buildings differ from the published box.

Also wrong fields and wrong players' colours on its faces.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Literal

from generator.basics.errors import Problem, count_of, did_you_mean, list_names, quote
from generator.basics.keys import describe
from generator.checks import NAMES, Shown, ShownRows, SideLook, named
from generator.checks.table import Declared
from generator.model import Component, Piece

TERRAINS = ("jungle", "clearing", "sand", "rock", "lake")
TILES_A_PLAYER = 12  # 24, 36 and 48 tiles for two, three and four players ("Setup")
PLAYERS = (2, 3, 4)
Building = Literal["hut", "temple", "tower"]
OfBuildings = Annotated[Building, describe("the kind to count")]

# Per player; 80 huts, 12 temples and 8 towers for four players ("Components").
BUILDINGS: Mapping[Building, int] = {"hut": 20, "temple": 3, "tower": 2}
_MOST_NAMED = 8  # colours that a message lists
Pair = tuple[str, str]  # left and right field, the volcano on top

# The publisher's rules give 48 tiles, but no pairs. Four programs that play the game agree on these
# numbers. A row for each left field, with a number for each right one, both in TERRAINS order.
_PUBLISHED = {
    48: ((1, 6, 4, 2, 2), (5, 1, 2, 2, 1), (4, 2, 1, 2, 1), (2, 2, 1, 1, 1), (1, 1, 1, 1, 1)),
    60: ((1, 7, 6, 2, 4), (7, 1, 2, 4, 1), (6, 2, 1, 2, 1), (2, 3, 1, 1, 1), (1, 1, 1, 1, 1)),
}
VOLCANO = "volcano"
VOLCANOES = (VOLCANO, "volcano-left", "volcano-right")  # so that not all look the same

# Our own marks, which distinguish players without colours, the same on all their buildings.
MARKS: Mapping[str, str] = {"red": "disc", "brown": "triangle", "white": "bar", "yellow": "cross"}


def distribution(tiles: int = 48) -> Mapping[Pair, int]:
    """How many tiles have each pair of fields, in the game of 48 tiles or the variant of 60.

    A pair is the lower left and the lower right field of a tile whose volcano is on top, so that
    clockwise from the volcano the right one comes first. The physical game may have them the
    other way round (see `mirrored`). Raises KeyError for other numbers of tiles.
    """
    rows = zip(TERRAINS, _PUBLISHED[tiles], strict=True)
    return {(left, right): n for left, row in rows for right, n in zip(TERRAINS, row, strict=True)}


def mirrored(pairs: Mapping[Pair, int]) -> Mapping[Pair, int]:
    """The tiles with left and right swapped."""
    return {(left, right): pairs[right, left] for left, right in pairs}


class Pairs(Declared, frozen=True, kw_only=True):
    """Each pair of fields is on as many tiles as published (see `distribution`).

    The columns are `left` and `right`. The check compares the table with the 48 or the 60
    tiles, in the direction that is nearest; a note says which.
    """

    kind = "taluva.pairs"
    reads = ("left", "right")

    def check(self, component: Component) -> Iterator[Problem]:
        rows: defaultdict[Pair, list[Piece]] = defaultdict(list)
        for piece in component.pieces:
            foreign = list(self._foreign(piece))
            yield from foreign
            if not foreign:
                rows[str(piece.row["left"]), str(piece.row["right"])].append(piece)
        counts = {pair: sum(p.copies for p in rows.get(pair, ())) for pair in distribution()}
        tiles, due = _nearest(counts)
        for pair, count in counts.items():
            if count != due[pair]:
                place = rows[pair][0].place if pair in rows else component.place
                tally = count_of(count, "tile")
                what = f"{_name_pair(pair, rows.get(pair, ()))}: {tally}, {due[pair]} in the"
                excess = f"{abs(count - due[pair])} {'short' if count < due[pair] else 'in excess'}"
                yield self.problem(place, f"{what} published {tiles}: {excess}")
        yield self.problem(component.place, _direction(tiles, due), "note")

    def _foreign(self, piece: Piece) -> Iterator[Problem]:
        for column in ("left", "right"):
            terrain = str(piece.row[column])
            if terrain not in TERRAINS:
                hint = did_you_mean(terrain, TERRAINS)
                what = f"{piece.id}: {quote(terrain)} is not a terrain; {hint}"
                yield self.problem(piece.place.at_column(column), what)


class Setup(Declared, frozen=True, kw_only=True):
    """There are tiles for two, three and four players ("Setup")."""

    kind = "taluva.setup"

    def check(self, component: Component) -> Iterator[Problem]:
        count = len(component.copies())
        for players in PLAYERS:
            if count < (needed := players * TILES_A_PLAYER):
                yield self.problem(component.place, f"{players} players need {needed} tiles, there are {count}")


class Buildings(Declared, frozen=True, kw_only=True):
    """Each of four players has as many buildings of a kind as published (see `BUILDINGS`).

    The columns are `kind`, the same in all rows, and `player`, the name of the colour.
    """

    kind = "taluva.buildings"
    reads = ("kind", "player")
    of: OfBuildings

    def check(self, component: Component) -> Iterator[Problem]:
        rows: defaultdict[str, list[Piece]] = defaultdict(list)
        for piece in component.pieces:
            rows[str(piece.row["player"])].append(piece)
            if piece.row["kind"] != self.of:
                what = f"{piece.id}: {quote(str(piece.row['kind']))} is not a {self.of}"
                yield self.problem(piece.place.at_column("kind"), what)
        if len(rows) != max(PLAYERS):
            what = f"there are {self.of}s of {len(rows)} colours, not {max(PLAYERS)}: "
            names = ", ".join(map(quote, islice(rows, _MOST_NAMED)))
            yield self.problem(component.place, what + names)
        due = BUILDINGS[self.of]
        for player, pieces in rows.items():
            count = sum(piece.copies for piece in pieces)
            if count != due:
                what = f"{list_names(piece.id for piece in pieces)}: {quote(player)} has {count}"
                yield self.problem(pieces[0].place, f"{what} {self.of}s, not {due}")


def _nearest(counts: Mapping[Pair, int]) -> tuple[int, Mapping[Pair, int]]:
    """The published tiles that differ least from these, in either direction."""
    editions = [(tiles, distribution(tiles)) for tiles in _PUBLISHED]
    editions += [(tiles, mirrored(pairs)) for tiles, pairs in editions]
    return min(editions, key=lambda k: sum(abs(counts[pair] - n) for pair, n in k[1].items()))


def _name_pair(pair: Pair, rows: Sequence[Piece]) -> str:
    fields = f"{pair[0]} left, {pair[1]} right"
    return f"{list_names(row.id for row in rows)} ({fields})" if rows else fields


def _direction(tiles: int, pairs: Mapping[Pair, int]) -> str:
    order = "right, then left" if pairs == distribution(tiles) else ("left, then right")
    more = [(a, b) for a, b in pairs if pairs[a, b] > pairs[b, a]]
    swaps = ", ".join(f"{a}/{b} {pairs[a, b]} and {b}/{a} {pairs[b, a]}" for a, b in more)
    return (
        f"the {tiles} tiles are read clockwise from the volcano: {order}; the printed game may be "
        f"mirrored, which would swap {swaps} (left/right)"
    )


def _volcano(look: SideLook) -> str:
    """The name of the volcano on top, or of the usual one if there is none."""
    shown = (feature.art.name for feature in look.features if feature.part == "top" and feature.art)
    return next((name for name in shown if name in VOLCANOES), VOLCANO)


class TaluvaFields(ShownRows, frozen=True, kw_only=True):
    """Each field of a tile shows the art with its name, and the top field a volcano. The columns
    are `left` and `right`."""

    kind = "taluva.fields"
    reads = ("left", "right")
    fronts = [
        Shown(part, by, "art", (*TERRAINS, *VOLCANOES))
        for part, by in (("left", "left"), ("right", "right"), ("top", _volcano))
    ]


class Players(ShownRows, frozen=True, kw_only=True):
    """Each building has the colour named in `player`, and the mark of that player (see `MARKS`)."""

    kind = "taluva.players"
    reads = ("player",)
    fronts = [
        Shown("ground", named("player", {name: name for name in NAMES}), "colour", MARKS),
        Shown("mark", named("player", MARKS), "art", MARKS.values()),
    ]
