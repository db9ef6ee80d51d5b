"""Checks of Talavera: whether its two games can be dealt from the deck.

Also where its cards differ from the published cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Annotated

from msgspec.structs import replace

from generator.basics.errors import Place, Problem
from generator.basics.geometry import MM_PER_INCH, Point
from generator.basics.keys import describe
from generator.checks import Faults, Looks, ShownRows, SideLook
from generator.checks.table import Declared
from generator.model import Column, Component, Feature, Piece, Side
from generator.tables.fields import Name

Colours = Annotated[tuple[Name, Name, Name, Name], describe("the columns that count a card's tiles")]
ROUNDS = 4
CARDS_A_ROUND = 4  # in both games ("Draft phase")
SOLO_SETS = (1, 2, 3, 4)  # the sets that win the solo game ("Winning (solo)")
_MAX_SEARCHED = 40  # cards; in a larger deck, the search for a win takes too long
COLOURS = ("yellow", "azure", "sky", "red")
_ORDERS = tuple(f"order_{colour}" for colour in COLOURS)
_COLUMNS = (*COLOURS, *_ORDERS)
_CARD = tuple[tuple[int, ...], tuple[int, ...]]  # tiles and orders, in the sequence of COLOURS

# The tiles and the order of a card are its two faces, as the published sheets pair them.
_PUBLISHED = """
3001 1234  0310 1324  1030 1423  0202 2134  2200 2413  0103 1432
2020 2341  0022 2143  1111 2431  2101 3142  1210 3421  1021 3124
1201 4312  0112 4213  1021 3241  1120 4231  1012 4132  1111 4321
"""
_REDRAWN = {"9": "0211 2314", "15": "2011 3241"}  # ours, of the balanced deck

# The centres of tiles, mm from the top left corner of a card of 63.5 x 88.9 mm, in filling order.
SLOTS: Mapping[str, Sequence[Point]] = {
    "yellow": [Point(0.375 * MM_PER_INCH, y * MM_PER_INCH) for y in (1.0, 1.5, 2.0)],
    "azure": [Point(x * MM_PER_INCH, 0.375 * MM_PER_INCH) for x in (1.5, 1.0, 0.5)],
    "sky": [Point(x * MM_PER_INCH, 3.125 * MM_PER_INCH) for x in (1.0, 1.5, 2.0)],
    "red": [Point(2.125 * MM_PER_INCH, y * MM_PER_INCH) for y in (2.5, 2.0, 1.5)],
}
QUARTERS: Mapping[str, str] = {"top left": "yellow", "top right": "sky", "bottom left": "azure", "bottom right": "red"}
_NEAR = 0.05  # mm


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
        for name, orders, extra in (("two-player", 2, 0), ("solo", 1, 1)):
            needed = orders + ROUNDS * CARDS_A_ROUND + extra
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


def decks() -> Mapping[str, Mapping[str, _CARD]]:
    words = _PUBLISHED.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    published = {str(n): _card(tiles, order) for n, (tiles, order) in enumerate(pairs, 1)}
    redrawn = {id_: _card(*card.split()) for id_, card in _REDRAWN.items()}
    return {"published": published, "balanced": published | redrawn}


def _card(tiles: str, order: str) -> _CARD:
    return tuple(map(int, tiles)), tuple(map(int, order))


class TalaveraDeck(Declared, frozen=True, kw_only=True):
    """The cards are those of the published deck or of our balanced one: the same tiles behind the
    same orders. The check uses the deck that differs in fewer faces."""

    kind = "talavera.deck"

    def columns(self) -> list[Column]:
        return [Column(name, 0, 4) for name in _COLUMNS]

    def check(self, component: Component) -> Iterator[Problem]:
        rows = {piece.id: piece for piece in component.pieces if piece.copies}
        every = decks()
        wrong = {name: list(_find_wrong_faces(rows, name, deck)) for name, deck in every.items()}
        name = min(every, key=lambda name: len(wrong[name]))
        deck = every[name]
        for id_ in [id_ for id_ in rows if id_ not in deck]:
            yield self.problem(rows[id_].place, f"{id_} is not a card of the {name} deck")
        yield from (self.problem(*fault) for fault in wrong[name])
        for id_ in [id_ for id_ in deck if id_ not in rows]:
            yield self.problem(component.place, f"card {id_} of the {name} deck is missing")


def _find_wrong_faces(rows: Mapping[str, Piece], name: str, deck: Mapping[str, _CARD]) -> Iterator[tuple[Place, str]]:
    """The place and the fault of each face that differs from a deck's."""
    sides: tuple[tuple[Side, Sequence[str]], ...] = (("back", COLOURS), ("front", _ORDERS))
    for id_ in (id_ for id_ in rows if id_ in deck):
        for (side, columns), due in zip(sides, deck[id_], strict=True):
            numbers = tuple(map(rows[id_].number, columns))
            if numbers != due:
                wrong = [columns[n] for n, number in enumerate(numbers) if number != due[n]]
                what = f"{id_}: the {side} has {_say_numbers(columns, numbers)}"
                what += f", in the {name} deck {_say_numbers(columns, due)}"
                yield rows[id_].place.at_column(wrong[0]), what


def _say_numbers(columns: Sequence[str], numbers: Sequence[int]) -> str:
    return " ".join(f"{column} {number}" for column, number in zip(columns, numbers, strict=True))


class TalaveraFaces(ShownRows, frozen=True, kw_only=True):
    """Fronts show an order: yellow at the top left, sky at the top right, azure at the bottom left, red at the
    bottom right, each with its number. Backs show tiles, each in the first slots of its colour (see `SLOTS`)."""

    kind = "talavera.faces"
    needs_back = True

    def columns(self) -> list[Column]:
        return [Column(name, 0, 4) for name in _COLUMNS]

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            self._check_order(look, looks.design.component, faults)
        for look in looks.of("back"):
            for colour in COLOURS:
                self._check_tiles(look, colour, faults)

    def _check_order(self, look: SideLook, component: Component, faults: Faults) -> None:
        quarters = {_quarter(word, component): word for word in look.all("quarter")}
        numbers = {_quarter(word, component): word for word in look.all("number")}
        for place, colour in QUARTERS.items():
            if place not in quarters or place not in numbers:
                faults.add(look, f"the quarter at the {place} is missing")
                continue
            pattern = replace(quarters[place], part=f"pattern at the {place}")
            faults.check_art(look, pattern, colour, COLOURS)
            due, number = str(look.piece.row[f"order_{colour}"]), numbers[place]
            if number.value != due:
                what = f"the number at the {place} is {number.value}, not the {due} of {colour}"
                faults.add(look, what, number.option)

    def _check_tiles(self, look: SideLook, colour: str, faults: Faults) -> None:
        tiles = [tile for tile in look.all("tile") if tile.value == colour]
        due = look.piece.number(colour)
        if len(tiles) != due:
            faults.add(look, f"there are {len(tiles)} {colour} tiles, not {due}", "slots")
            return
        for number, (tile, slot) in enumerate(zip(tiles, SLOTS[colour], strict=False), 1):
            faults.check_art(look, tile, colour, COLOURS)
            at = tile.at or Point(0.0, 0.0)
            if max(abs(at.x - slot.x), abs(at.y - slot.y)) > _NEAR:
                what = f"the centre of {colour} tile {number} is at {_mm(at)}, not at {_mm(slot)}"
                faults.add(look, what, tile.option)


def _quarter(feature: Feature, component: Component) -> str:
    """The quarter of a card that a feature is in, as in QUARTERS."""
    at, (width, height) = feature.at or Point(0.0, 0.0), component.size
    upright = "top" if at.y < height / 2 else "bottom"
    return f"{upright} {'left' if at.x < width / 2 else 'right'}"


def _mm(point: Point) -> str:
    return f"{point.x:.1f}, {point.y:.1f} mm"
