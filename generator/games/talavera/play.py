"""The rules of Talavera: draft tiles for an order, for two or alone.

The rules are Jon Ericson's, as in rules.md. What is behind an order that lies open counts as
unseen: players do not know the deck by heart.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import ClassVar, NamedTuple

from msgspec import Struct

from generator.basics.errors import Place, Problem, raise_all
from generator.games.talavera.checks import CARDS_A_ROUND, COLOURS, ROUNDS, SOLO_SETS
from generator.model import Side, Value
from generator.play import engine

MARKET = CARDS_A_ROUND
FILLED = 3  # points of an order
LOST, WON, MASTERED = 0, 1, 2  # the scores of a game alone
_STEP = 0.25  # of the width of a card, how far it looks out
_GAP = 6.0  # mm between cards
_ASIDE = 2.5  # cards, from an order to the market
_ORDINALS = ("first", "second", "third", "fourth")  # of MARKET, from the left
# Where a card of each colour looks out, in steps, and its turn.
_OUTWARD = {"yellow": (-1, 0, 0), "azure": (0, 1, 180), "sky": (0, -1, 180), "red": (1, 0, 0)}

Card = int  # its place in the deck
Corner = int  # its colour's place in COLOURS
Stairs = tuple[tuple[Card, Corner], ...]  # in the order of placing


class Flip(Struct, frozen=True):
    """Turn two cards of the market over, tiles up: those in these places."""

    places: tuple[int, int]


class Take(Struct, frozen=True):
    """Take an open card of the market, or alone one of the pair."""

    card: Card


class PlaceCards(Struct, frozen=True):
    """Tuck the two drafted cards under these corners."""

    corners: tuple[Corner, Corner]


class Dealt(Struct, frozen=True):
    """Chance: these cards come from the stack."""

    cards: tuple[Card, ...]


class Refuse(Struct, frozen=True):
    """Alone, once: discard the pair and draw the next card unseen."""


TalaveraMove = Flip | Take | PlaceCards | Dealt | Refuse


class TalaveraState(NamedTuple):
    """How a game of Talavera stands.

    turn:    the seat that moves, CHANCE or OVER.
    due:     how many cards chance deals next.
    orders:  the card that each seat has as its order.
    stack:   the cards in it, in the order of the deck: nobody knows their real one.
    covered: cards of the market with their order up.
    market:  cards of the market with their tiles up.
    hands:   the cards that each seat has drafted and not placed.
    stairs:  the cards that each seat has placed, with their corners.
    has_refused: whether the pair was refused that may be, alone, once.
    """

    turn: int
    due: int
    orders: tuple[Card, ...]
    stack: tuple[Card, ...]
    covered: tuple[Card, ...]
    market: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    stairs: tuple[Stairs, ...]
    has_refused: bool = False


class Talavera(engine.Engine[TalaveraState, TalaveraMove]):
    """Talavera for two, or alone."""

    options: ClassVar[Mapping[str, engine.Option]] = {
        "players": engine.Option((2, 1), "how many play"),
        "placing": engine.Option(
            ("each", "round"), "for two: each card to a colour that it shows, or both of a round to one corner"
        ),
    }

    def __init__(self, decks: engine.Decks, *, players: Value, placing: Value) -> None:
        """Raises PnpError if the deck is too small, or has a card that nobody could place."""
        pieces = engine.pieces_of(decks, "cards")
        self.seats = int(players)
        self.one_corner = self.seats == 1 or placing == "round"
        self.ids = [piece.id for piece in pieces]
        self.names = engine.name_pieces(pieces)
        self._round = MARKET if self.seats > 1 else 2
        self.tiles = engine.read_numbers(pieces, COLOURS, 0, 9)
        self.orders = engine.read_numbers(pieces, [f"order_{colour}" for colour in COLOURS], 0, 9)
        self._shown = [[c for c, tiles in enumerate(row) if tiles] for row in self.tiles]
        needed = self.seats + ROUNDS * MARKET + (self.seats == 1)
        problems = [
            Problem(piece.place, f"{piece.id} shows no tile, so nobody can place it")
            for piece, shown in zip(pieces, self._shown, strict=True)
            if not shown and not self.one_corner
        ]
        if len(pieces) < needed:
            what = f"a game for {self.seats} needs {needed} cards, there are {len(pieces)}"
            problems.append(Problem(Place("cards"), what))
        raise_all(problems)
        self._size = engine.size_of(pieces)

    def start(self) -> TalaveraState:
        none = ((),) * self.seats
        return TalaveraState(engine.CHANCE, 1, (), tuple(range(len(self.names))), (), (), none, none)

    def turn(self, state: TalaveraState) -> int:
        return state.turn

    def legal(self, state: TalaveraState) -> list[TalaveraMove]:
        turn, due, _, stack, covered, market, hands, stairs, has_refused = state
        if turn == engine.OVER:
            return []
        if turn == engine.CHANCE:
            return [Dealt(cards) for cards in combinations(stack, due)]
        if len(covered) == MARKET:
            return [Flip(pair) for pair in combinations(range(MARKET), 2)]
        if market:
            takes: list[TalaveraMove] = [Take(card) for card in market]
            return takes if self.seats > 1 or has_refused else [*takes, Refuse()]
        if self.one_corner:
            used = {corner for _, corner in stairs[turn]}
            return [PlaceCards((c, c)) for c in range(len(COLOURS)) if c not in used]
        first, second = hands[turn]
        return [PlaceCards(both) for both in product(self._shown[first], self._shown[second])]

    def draw(self, state: TalaveraState, rng: Random) -> Dealt:
        return Dealt(tuple(sorted(rng.sample(state.stack, state.due))))

    def apply(self, state: TalaveraState, move: TalaveraMove) -> TalaveraState:
        if isinstance(move, PlaceCards):
            return self._place(state, move.corners)
        if isinstance(move, Take):
            return self._take(state, move.card)
        if isinstance(move, Dealt):
            return self._deal(state, move.cards)
        if isinstance(move, Flip):
            return self._flip(state, move.places)
        return state._replace(turn=engine.CHANCE, due=1, market=(), has_refused=True)

    def _flip(self, state: TalaveraState, places: tuple[int, int]) -> TalaveraState:
        market = tuple(state.covered[place] for place in places)
        covered = tuple(card for card in state.covered if card not in market)
        return state._replace(covered=covered, market=market)

    def _deal(self, state: TalaveraState, cards: tuple[Card, ...]) -> TalaveraState:
        stack = tuple(card for card in state.stack if card not in cards)
        if len(state.orders) < self.seats:
            orders = state.orders + cards
            due = 1 if len(orders) < self.seats else self._round
            return state._replace(due=due, orders=orders, stack=stack)
        if self.seats == 1 and state.due == 1:
            return self._draft_alone(state._replace(stack=stack), cards[0])
        covered, market = ((), cards) if self.seats == 1 else (cards, ())
        first = min(map(len, state.stairs)) // 2 % self.seats  # of the round: each in turn
        return state._replace(turn=first, due=0, stack=stack, covered=covered, market=market)

    def _take(self, state: TalaveraState, card: Card) -> TalaveraState:
        if self.seats == 1:
            return self._draft_alone(state, card)
        turn, _, orders, stack, covered, market, hands, stairs, _ = state
        market = tuple(other for other in market if other != card) + covered
        mine, other = hands[turn] + (card,), hands[1 - turn]
        if len(market) == 1:  # the last card is left to the other seat, and nobody chooses
            other, market = other + market, ()
            turn = 1 - turn
        hands = (mine, other) if state.turn == 0 else (other, mine)
        return TalaveraState(1 - turn, 0, orders, stack, (), market, hands, stairs)

    def _draft_alone(self, state: TalaveraState, card: Card) -> TalaveraState:
        hand = (*state.hands[0], card)
        turn, due = (0, 0) if len(hand) == 2 else (engine.CHANCE, 2)
        return state._replace(turn=turn, due=due, market=(), hands=(hand,))

    def _place(self, state: TalaveraState, corners: tuple[Corner, Corner]) -> TalaveraState:
        turn, _, orders, stack, _, _, hands, stairs, has_refused = state
        mine = stairs[turn] + tuple(zip(hands[turn], corners, strict=True))
        stairs = (*stairs[:turn], mine, *stairs[turn + 1 :])
        hands = (*hands[:turn], (), *hands[turn + 1 :])
        due = 0
        if any(hands):
            turn = 1 - turn
        elif len(mine) == 2 * ROUNDS:
            turn = engine.OVER
        else:
            turn, due = engine.CHANCE, self._round
        return TalaveraState(turn, due, orders, stack, (), (), hands, stairs, has_refused)

    def count(self, stairs: Stairs) -> list[int]:
        """The tiles that look out, of each colour."""
        counts = [0] * len(COLOURS)
        for card, corner in stairs:
            counts[corner] += self.tiles[card][corner]
        return counts

    def scores(self, state: TalaveraState) -> list[int]:
        """For two, the points; alone LOST, WON or MASTERED, and LOST before the end."""
        if self.seats == 1:
            return [self._outcome(state)]
        if len(state.orders) < self.seats:
            return [0] * self.seats
        return [
            sum(map(_points, self.count(stairs), self.orders[order]))
            for stairs, order in zip(state.stairs, state.orders, strict=True)
        ]

    def _outcome(self, state: TalaveraState) -> int:
        counts = self.count(state.stairs[0])
        if state.turn != engine.OVER or sorted(counts) != list(SOLO_SETS):
            return LOST
        return MASTERED if tuple(counts) == self.orders[state.orders[0]] else WON

    def winners(self, state: TalaveraState) -> Sequence[int]:
        if self.seats == 1:
            return [0] if self._outcome(state) else []
        return super().winners(state)

    def worth(self, state: TalaveraState, seat: int) -> float:
        if self.seats == 1:
            return self._worth_alone(state)
        lead = [0.0, 0.0]
        for each in range(2):
            wanted = self.orders[state.orders[each]]
            counts = self.count(state.stairs[each])
            lead[each] = sum(map(_promise, counts, wanted))
            for card in state.hands[each]:
                tiles = self.tiles[card]
                lead[each] += max(
                    _promise(counts[c] + tiles[c], wanted[c]) - _promise(counts[c], wanted[c])
                    for c in self._shown[card]
                )
        return lead[seat] - lead[1 - seat]

    def _worth_alone(self, state: TalaveraState) -> float:
        """How many sets are made, less those that are in vain; a hand that can make a missing set
        counts as one, any other full hand against it."""
        stairs, hand = state.stairs[0], state.hands[0]
        counts = self.count(stairs)
        used = {corner for _, corner in stairs}
        missing = set(SOLO_SETS).difference(counts[corner] for corner in used)
        made = len(SOLO_SETS) - len(missing)
        worth = made - (len(used) - made)
        if len(hand) == 2:
            free = set(range(len(COLOURS))) - used
            fits = any(sum(self.tiles[card][corner] for card in hand) in missing for corner in free)
            worth += 1 if fits else -1
        return worth

    def deal_unseen(self, state: TalaveraState, seat: int, rng: Random) -> TalaveraState:
        """Deals the cards behind the orders of the market again, from those and the stack."""
        if not state.covered:
            return state
        unseen = state.covered + state.stack
        covered = tuple(sorted(rng.sample(unseen, len(state.covered))))
        stack = tuple(sorted(set(unseen).difference(covered)))
        return state._replace(covered=covered, stack=stack)

    def piece_of(self, state: TalaveraState, move: TalaveraMove) -> str:
        return self.ids[move.card] if isinstance(move, Take) else ""

    def held(self, state: TalaveraState, seat: int) -> list[str]:
        return [self.ids[card] for card, _ in state.stairs[seat]]

    def write(self, state: TalaveraState, move: TalaveraMove) -> str:
        if isinstance(move, PlaceCards):
            placed = zip(state.hands[state.turn], move.corners, strict=True)
            return "place " + " ".join(f"{self.names[card]} {COLOURS[c]}" for card, c in placed)
        if isinstance(move, Take):
            return f"take {self.names[move.card]}"
        if isinstance(move, Refuse):
            return "refuse"
        if isinstance(move, Flip):
            return "flip " + " ".join(self.names[state.covered[place]] for place in move.places)
        return "deal " + " ".join(self.names[card] for card in move.cards)

    def ask(self, state: TalaveraState) -> str:
        if len(state.covered) == MARKET:
            what = "flip"
        elif state.market:
            what = "take" if self.seats > 1 else "keep"
        else:
            what = "tuck-both" if self.one_corner else "tuck"
        return self.phrases.say(f"ask.{what}")

    def say(self, state: TalaveraState, move: TalaveraMove) -> str:
        say = self.phrases.say
        if isinstance(move, Take):
            tiles = (self._say_tiles(move.card, c) for c in self._shown[move.card])
            return say("move.take", tiles=say("text.comma").join(tiles))
        if isinstance(move, Refuse):
            return say("move.refuse")
        if isinstance(move, Flip):
            first, second = (self.word(_ORDINALS[place]) for place in move.places)
            return say("move.flip", first=first, second=second)
        if not isinstance(move, PlaceCards):
            return super().say(state, move)
        if self.one_corner:
            return say("move.tuck-both", colour=self.word(COLOURS[move.corners[0]]))
        hand = zip(state.hands[state.turn], move.corners, strict=True)
        first, second = (self._say_tiles(*placed) for placed in hand)
        return say("move.tuck", first=first, second=second)

    def _say_tiles(self, card: Card, corner: Corner) -> str:
        return self.phrases.say("move.tiles", count=self.tiles[card][corner], colour=self.word(COLOURS[corner]))

    def counters(self, state: TalaveraState, seat: int | None = None) -> list[engine.SeatCount]:
        """The tiles of each colour that look out, of those that are wanted."""
        say = self.phrases.say
        counts: list[engine.SeatCount] = [(None, say("tally.stack"), len(state.stack), "cards")]
        for each, order in enumerate(state.orders):
            wanted = zip(COLOURS, self.count(state.stairs[each]), self.orders[order], strict=True)
            for name, has, want in wanted:
                counts.append((each, self.word(name), say("tally.of", count=has, wanted=want), name))
        points = enumerate(self.scores(state) if self.seats > 1 else [])
        return counts + [(each, say("tally.points"), score) for each, score in points]

    def show(self, state: TalaveraState, seat: int | None = None) -> str:
        lines = [f"stack: {len(state.stack)} cards"]
        if state.covered:
            names = " ".join(self.names[card] for card in state.covered)
            lines.append(f"covered: {len(state.covered) if seat is not None else names}")
        if state.market:
            lines.append(f"market: {', '.join(map(self._describe, state.market))}")
        for each, order in enumerate(state.orders):
            wanted = zip(COLOURS, self.orders[order], self.count(state.stairs[each]), strict=True)
            counts = ", ".join(f"{colour} {count} of {want}" for colour, want, count in wanted)
            lines.append(f"seat {each + 1}: {counts}")
            if state.hands[each]:
                lines.append(f"  drafted: {', '.join(map(self._describe, state.hands[each]))}")
        return "\n".join(lines)

    def _describe(self, card: Card) -> str:
        """A card with its tiles: "5 (2 yellow, 2 azure)"."""
        return f"{self.names[card]} ({self._tell_tiles(card)})"

    def _tell_tiles(self, card: Card) -> str:
        tiles = zip(COLOURS, self.tiles[card], strict=True)
        return ", ".join(f"{count} {colour}" for colour, count in tiles if count)

    def lay(self, state: TalaveraState, seat: int | None = None) -> list[engine.LaidPiece]:
        """The market to the right, between the cards that the seats drafted; who looks sits below.
        All of it is open to both."""
        apart = self._size.width + _GAP
        row: list[tuple[Card, Side]] = [(card, "front") for card in state.covered]
        row += [(card, "back") for card in state.market]
        row.sort()  # a card that is turned over stays where it is
        left = _ASIDE * apart
        laid = [self._put(card, side, left + i * apart, 0.0) for i, (card, side) in enumerate(row)]
        for each, order in enumerate(state.orders):
            y = (1.5 if each == (seat or 0) else -1.5) * self._size.height
            laid += self._lay_stairs(state.stairs[each], 0.0, y)
            laid.append(self._put(order, "front", 0.0, y))
            for i, card in enumerate(state.hands[each]):
                laid.append(self._put(card, "back", left + i * apart, y))
        return laid

    def touch(self, state: TalaveraState, move: TalaveraMove) -> tuple[()] | None:
        return () if isinstance(move, Refuse) else None  # it takes the whole market

    def _lay_stairs(self, stairs: Stairs, x: float, y: float) -> list[engine.LaidPiece]:
        """The placed cards around an order; later ones look out further, beneath the others."""
        laid = []
        for corner, colour in enumerate(COLOURS):
            dx, dy, turn = _OUTWARD[colour]
            cards = [card for card, tucked in stairs if tucked == corner]
            for i, card in enumerate(cards, 1):
                out = i * _STEP * self._size.width
                laid.append(self._put(card, "back", x + dx * out, y + dy * out, turn))
        return laid[::-1]

    def _put(self, card: Card, side: Side, x: float, y: float, turn: float = 0.0) -> engine.LaidPiece:
        return engine.LaidPiece("cards", self.ids[card], side, x, y, turn)


def _points(placed: int, wanted: int) -> int:
    return max(0, FILLED - (placed - wanted)) if placed >= wanted else 0


def _promise(placed: int, wanted: int) -> float:
    """A rough guess of what an order will be worth: its points, or part of them while tiles are missing."""
    return _points(placed, wanted) if placed >= wanted else FILLED * placed / (2 * wanted)
