"""Take Talavera's deck, find whether its two games can be dealt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Annotated

from generator.basics.errors import Problem
from generator.basics.keys import describe
from generator.checks.table import Declared
from generator.model import Column, Component, Piece
from generator.tables.fields import Name

Colours = Annotated[
    tuple[Name, Name, Name, Name], describe("the columns that count a card's tiles")
]
ROUNDS = 4
CARDS_A_ROUND = 4  # in both games ("Draft phase")
SOLO_SETS = (1, 2, 3, 4)  # the sets that win the solo game ("Winning (solo)")
_MAX_SEARCHED = 40  # cards; in a larger deck, the search for a win takes too long


class Deal(Declared, frozen=True, kw_only=True):
    """A two-player and a solo game can be dealt, and the solo game can be won.

    Two players: an order each, then four rounds of four cards; a drafted card must show a tile,
    or nobody can place it. Solo: one order, four rounds of four cards, and one card for the
    draw that is allowed once a game; some deal has four pairs of cards that make sets of
    exactly 1, 2, 3 and 4 tiles of four colours (only searched in decks of up to 40 cards).
    """

    kind = "talavera.deal"
    tiles: Colours

    def columns(self) -> list[Column]:
        return [Column(name, 0, 3) for name in self.tiles]

    def check(self, component: Component) -> list[Problem]:
        pieces = component.copies()
        problems = [self.problem(component.place, what) for what in self._shortages(len(pieces))]
        for piece in pieces:
            if not any(piece.number(name) for name in self.tiles):
                problems.append(self.problem(piece.place, f"{piece.id} shows no tile to place"))
        is_small = len(pieces) <= _MAX_SEARCHED
        if not problems and is_small and not _solo_can_be_won(pieces, self.tiles):
            what = "no deal of the solo game can be won: no four pairs make sets of 1, 2, 3 and 4"
            problems.append(self.problem(component.place, what))
        return problems

    def _shortages(self, count: int) -> Iterator[str]:
        drafted = ROUNDS * CARDS_A_ROUND
        games = (("two-player", 2, 0), ("solo", 1, 1))
        for name, orders, extra in games:
            needed = orders + drafted + extra
            if count < needed:
                yield f"a {name} game needs {needed} cards, there are {count}"


def _solo_can_be_won(pieces: Sequence[Piece], colours: Sequence[str]) -> bool:
    pairs = {
        (colour, size): [
            {a, b}
            for a, b in combinations(range(len(pieces)), 2)
            if pieces[a].number(colour) + pieces[b].number(colour) == size
        ]
        for colour in colours
        for size in SOLO_SETS
    }

    def place(sets: Sequence[tuple[str, int]], used: set[int]) -> bool:
        if not sets:
            return len(used) < len(pieces)  # a card is left to be the order
        return any(place(sets[1:], used | pair) for pair in pairs[sets[0]] if not pair & used)

    def rarest_first(sizes: Sequence[int]) -> list[tuple[str, int]]:
        return sorted(zip(colours, sizes, strict=True), key=lambda set_: len(pairs[set_]))

    return any(place(rarest_first(sizes), set()) for sizes in permutations(SOLO_SETS))
