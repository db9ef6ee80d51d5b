"""The rules of Toripoka: bid for pyramids with hands of three cards, in seven rounds.

The rules are Fogus's, as rules.md tells them. A seat folds when it is its turn, before it lays a
card. The three cards aside are never seen: they are what is left at the end of the stock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from random import Random
from typing import ClassVar

from generator.games.toripoka.checks import ASIDE, CLASSES, DEALT, PLAYERS, PUBLIC
from generator.games.toripoka.deck import SIZES, Pieces
from generator.games.toripoka.hands import HandValues, class_of, describe_hand
from generator.games.toripoka.state import (
    CARD,
    FIGURES,
    HAND,
    LAID,
    LEFT,
    NONE,
    OPEN,
    RIGHT,
    SHOW,
    SIDES,
    ChooseSize,
    Drawn,
    Figures,
    FoldHand,
    LayCard,
    Pulled,
    Row,
    ShowHands,
    ToripokaMove,
    ToripokaState,
)
from generator.games.toripoka.table import lay_table, tell_table
from generator.games.toripoka.trees import points_of
from generator.model import Value
from generator.play.engine import CHANCE, OVER, Decks, Engine, LaidPiece, Option


class Toripoka(Engine[ToripokaState, ToripokaMove]):
    """Toripoka for two."""

    options: ClassVar[Mapping[str, Option]] = {
        "public": Option(("own", "both"), "which public cards a hand may use at a pyramid"),
        "wild-sums": Option(("yes", "no"), "whether wilds take part in products and sums"),
        "moves": Option(
            ("to king", "to ace"), "how far up a pyramid moves a card: to the King or the high Ace"
        ),
        "ties": Option(("bag", "out"), "where the pyramid of equal hands goes"),
        "folding": Option(("both", "own"), "whose pyramids on cards a seat takes when it folds"),
        "trees": Option(("all", "free"), "whether as many trees as can be must be built"),
    }
    seats = PLAYERS

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        """Raises PnpError if the deck cannot be played, with every fault."""
        self.pieces = Pieces(decks)
        self._shares_public = chosen["public"] == "both"
        self._ties_leave = chosen["ties"] == "out"
        self._takes_both = chosen["folding"] == "both"
        self._builds_all = chosen["trees"] == "all"
        self.values = HandValues(
            self.pieces.cards,
            wild_sums=chosen["wild-sums"] == "yes",
            past_king=chosen["moves"] == "to ace",
        )
        self._every = tuple(range(len(self.pieces.cards)))
        self._pyramids = tuple(range(len(self.pieces.pyramids)))
        self._sizes = [size for _, size in self.pieces.pyramids]
        # By card and pyramid; NONE is the last.
        pips = [len(SIZES) - size for size in self._sizes] + [0]
        self.keys = [[keys[by] for by in pips] for keys in self.values.keys_of]
        self._lays: dict[tuple[tuple[int, ...], int, int], list[ToripokaMove]] = {}
        self._drawn = [Drawn((card,)) for card in self._every]
        self._points: dict[tuple[int, ...], int] = {}

    def start(self) -> ToripokaState:
        return self._begin(0, self._pyramids, ((), ()), (0,) * (len(FIGURES) + len(CLASSES)))

    def _begin(
        self, first: int, bag: tuple[int, ...], won: tuple[tuple[int, ...], ...], figures: Figures
    ) -> ToripokaState:
        """A new round, or the end if the bag does not hold two pyramids."""
        turn, due = (CHANCE, HAND) if len(bag) >= PUBLIC else (OVER, "")
        none: tuple[Row, ...] = ((), (), (), ())
        return ToripokaState(
            turn, due, first, first, self._every, ((), ()), (), none, (NONE, NONE), (), bag, won,
            figures,
        )  # fmt: skip

    def turn(self, state: ToripokaState) -> int:
        return state.turn

    def legal(self, state: ToripokaState) -> list[ToripokaMove]:
        if state.turn < 0:
            return self._outcomes(state) if state.turn == CHANCE else []
        turn, _, _, _, _, hands, _, rows, folded, bids, bag, won, _ = state
        if len(bids) < PUBLIC:
            return [ChooseSize(size) for size in sorted({self._sizes[each] for each in bag})]
        hand, sides = hands[turn], _free(rows, folded, turn)
        if rows[2 * turn] or rows[2 * turn + 1]:
            moves = self._lay_with(hand, sides, NONE).copy()
            for pyramid in won[turn]:
                moves += self._lay_with(hand, sides, pyramid)
        else:
            moves = self._lay_with(hand, sides, NONE)[::2]  # face up only
        if turn not in folded and _free(rows, folded, 1 - turn):
            moves += [FoldHand(side) for side in (LEFT, RIGHT) if folded[side] == NONE]
        return moves

    def _outcomes(self, state: ToripokaState) -> list[ToripokaMove]:
        due, rest = state.due, state.rest
        if due == CARD:
            return [self._drawn[card] for card in rest]
        if due == HAND:
            return [Drawn(cards) for cards in combinations(rest, DEALT)]
        if due == OPEN:
            return [Drawn(cards) for cards in permutations(rest, PUBLIC)]
        if due == SHOW:
            return [ShowHands()]
        return [Pulled(each) for each in state.bag if SIZES[self._sizes[each]] == due]

    def _lay_with(self, hand: tuple[int, ...], sides: int, pyramid: int) -> list[ToripokaMove]:
        """The ways to lay a card of this hand with this pyramid; `sides` as of _free."""
        key = (hand, sides, pyramid)
        moves = self._lays.get(key)
        if moves is None:
            moves = self._lays[key] = [
                LayCard(card, side, is_down, pyramid)
                for card in hand
                for side in (LEFT, RIGHT)
                if sides >> side & 1
                for is_down in (False, True)
            ]
        return moves

    def draw(self, state: ToripokaState, rng: Random) -> ToripokaMove:
        due, rest = state.due, state.rest
        if due == CARD:
            return self._drawn[rest[int(rng.random() * len(rest))]]
        if due == HAND:
            return Drawn(tuple(sorted(_pick(rest, DEALT, rng))))
        if due == OPEN:
            return Drawn(tuple(_pick(rest, PUBLIC, rng)))
        outcomes = self._outcomes(state)
        return outcomes[int(rng.random() * len(outcomes))]

    def apply(self, state: ToripokaState, move: ToripokaMove) -> ToripokaState:
        if type(move) is LayCard:
            return self._lay(state, move)
        if type(move) is Drawn:
            return self._deal(state, move.cards)
        if type(move) is FoldHand:
            return self._fold(state, move.side)
        if type(move) is ChooseSize:
            return state._replace(turn=CHANCE, due=SIZES[move.size])
        if type(move) is Pulled:
            return self._pull(state, move.pyramid)
        return self._show(state)

    def _deal(self, state: ToripokaState, cards: tuple[int, ...]) -> ToripokaState:
        _, due, mover, first, rest, hands, public, rows, folded, bids, bag, won, figures = state
        if due == CARD:
            at = rest.index(cards[0])
            rest = rest[:at] + rest[at + 1 :]
        else:
            rest = tuple([card for card in rest if card not in cards])
        if due == OPEN:
            return state._replace(turn=first, due="", rest=rest, public=cards)
        hand = tuple(sorted(hands[mover] + cards))
        hands = (hand, hands[1]) if mover == 0 else (hands[0], hand)
        if due == CARD:
            turn, mover, due = _next(rows, folded, mover)
        else:
            turn, mover, due = (CHANCE if mover == first else first), 1 - mover, HAND
            due = HAND if turn == CHANCE else ""
        return ToripokaState(
            turn, due, mover, first, rest, hands, public, rows, folded, bids, bag, won, figures
        )

    def _pull(self, state: ToripokaState, pyramid: int) -> ToripokaState:
        """The first seat's pyramid lies on the left."""
        bids = (*state.bids, pyramid)
        bag = tuple([each for each in state.bag if each != pyramid])
        if len(bids) == PUBLIC:
            return state._replace(due=OPEN, mover=state.first, bids=bids, bag=bag)
        other = 1 - state.first
        return state._replace(turn=other, due="", mover=other, bids=bids, bag=bag)

    def _lay(self, state: ToripokaState, move: LayCard) -> ToripokaState:
        turn, _, mover, first, rest, hands, public, rows, folded, bids, bag, won, figures = state
        card, side, _, pyramid = move
        hand = hands[turn]
        at = hand.index(card)
        hand = hand[:at] + hand[at + 1 :]
        hands = (hand, hands[1]) if turn == 0 else (hands[0], hand)
        at = 2 * turn + side
        rows = (*rows[:at], (*rows[at], move), *rows[at + 1 :])
        if pyramid != NONE:
            own = tuple([each for each in won[turn] if each != pyramid])
            won = (own, won[1]) if turn == 0 else (won[0], own)
        if len(rest) > ASIDE:
            turn, due = CHANCE, CARD
        else:
            turn, mover, due = _next(rows, folded, turn)
        return ToripokaState(
            turn, due, mover, first, rest, hands, public, rows, folded, bids, bag, won, figures
        )

    def _fold(self, state: ToripokaState, side: int) -> ToripokaState:
        """The seat takes the pyramids on cards there, the other one the pyramid itself; if that is
        not the end of the round, the seat goes on with its turn."""
        seat = state.turn
        folded = (seat, state.folded[1]) if side == LEFT else (state.folded[0], seat)
        rows, taken = list(state.rows), list[int]()
        figures = list(state.figures)
        figures[FIGURES.index("hands folded")] += 1
        for each in (seat, 1 - seat):
            row = rows[2 * each + side]
            if each == seat or self._takes_both:
                taken += [laid.pyramid for laid in row if laid.pyramid != NONE]
                rows[2 * each + side] = tuple([laid._replace(pyramid=NONE) for laid in row])
                self._count_pyramids(row, figures, are_shown=False)
        won = [*state.won]
        won[seat] = tuple(sorted([*won[seat], *taken]))
        won[1 - seat] = tuple(sorted([*won[1 - seat], state.bids[side]]))
        bids = (NONE, state.bids[1]) if side == LEFT else (state.bids[0], NONE)
        after = state._replace(
            rows=tuple(rows), folded=folded, bids=bids, won=tuple(won), figures=tuple(figures)
        )
        if NONE not in folded:
            return self._end(after)
        turn, mover, due = (
            (seat, seat, "") if _free(rows, folded, seat) else _next(rows, folded, seat)
        )
        return after._replace(turn=turn, mover=mover, due=due)

    def _count_pyramids(self, row: Row, figures: list[int], *, are_shown: bool) -> None:
        """A pyramid on a wild that lies face down is a bluff; it is called when it is shown."""
        for card, _, is_down, pyramid in row:
            if pyramid != NONE:
                is_bluff = is_down and bool(self.pieces.cards[card].reach)
                figures[FIGURES.index("pyramids on cards")] += 1
                figures[FIGURES.index("bluffs")] += is_bluff
                figures[FIGURES.index("bluffs called")] += is_bluff and are_shown

    def value_of(self, state: ToripokaState, seat: int, side: int) -> int:
        """The value of the best hand that a seat can make at a pyramid."""
        keys = [self.keys[laid.card][laid.pyramid] for laid in state.rows[2 * seat + side]]
        used = state.public if self._shares_public else (state.public[side],)
        keys += [self.keys[card][NONE] for card in used]
        return self.values.best(keys)

    def _show(self, state: ToripokaState) -> ToripokaState:
        """The better hand takes the pyramid at each side that nobody folded."""
        won, bag, figures = [*state.won], state.bag, list(state.figures)
        for side, bid in enumerate(state.bids):
            if bid == NONE:
                continue
            first, second = (self.value_of(state, seat, side) for seat in range(PLAYERS))
            if first == second:
                figures[FIGURES.index("pyramids tied")] += 1
                bag = bag if self._ties_leave else tuple(sorted((*bag, bid)))
                continue
            winner = int(second > first)
            won[winner] = tuple(sorted((*won[winner], bid)))
            figures[len(FIGURES) + CLASSES.index(class_of(max(first, second)))] += 1
        return self._end(state._replace(won=tuple(won), bag=bag, figures=tuple(figures)))

    def _end(self, state: ToripokaState) -> ToripokaState:
        """The round is over: pyramids on cards leave the game."""
        figures = list(state.figures)
        figures[FIGURES.index("rounds")] += 1
        for at, row in enumerate(state.rows):
            self._count_pyramids(row, figures, are_shown=state.folded[at % 2] == NONE)
        return self._begin(1 - state.first, state.bag, state.won, tuple(figures))

    def scores(self, state: ToripokaState) -> list[int]:
        return [self.points(won) for won in state.won]

    def points(self, pyramids: tuple[int, ...]) -> int:
        """The points of the best trees."""
        points = self._points.get(pyramids)
        if points is None:
            own = [self.pieces.pyramids[each] for each in pyramids]
            points = self._points[pyramids] = points_of(own, builds_all=self._builds_all)
        return points

    def winners(self, state: ToripokaState) -> Sequence[int]:
        """In a tie, those with fewer pyramids; then those with fewer colours."""
        ranks = []
        for won, points in zip(state.won, self.scores(state), strict=True):
            colours = {self.pieces.pyramids[each][0] for each in won}
            ranks.append((points, -len(won), -len(colours)))
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def piece_of(self, state: ToripokaState, move: ToripokaMove) -> str:
        return self.pieces.ids[move.card] if isinstance(move, LayCard) else ""

    def held(self, state: ToripokaState, seat: int) -> list[str]:
        return [self.pieces.pyramid_names[each] for each in state.won[seat]]

    def facts(self, state: ToripokaState) -> Mapping[str, int]:
        names = [*FIGURES, *(f"won by {name}" for name in CLASSES)]
        return dict(zip(names, state.figures, strict=True))

    def write(self, state: ToripokaState, move: ToripokaMove) -> str:
        names, pyramids = self.pieces.names, self.pieces.pyramid_names
        if isinstance(move, LayCard):
            text = f"lay {names[move.card]} {SIDES[move.side]}" + " face down" * move.is_down
            return text if move.pyramid == NONE else f"{text} with {pyramids[move.pyramid]}"
        if isinstance(move, FoldHand):
            return f"fold {SIDES[move.side]}"
        if isinstance(move, ChooseSize):
            return f"feel for a {SIZES[move.size]} one"
        if isinstance(move, Pulled):
            return f"pull {pyramids[move.pyramid]}"
        if isinstance(move, Drawn):
            return f"deal {' '.join(names[card] for card in move.cards)}"
        return "show hands"

    def show(self, state: ToripokaState, seat: int | None = None) -> str:
        lines = tell_table(self.pieces, state, seat)
        points = ", ".join(map(str, self.scores(state)))
        lines.append(f"points: {points}")
        if state.due == SHOW:
            lines += [
                f"seat {each + 1} {SIDES[side]}: {describe_hand(self.value_of(state, each, side))}"
                for each in range(PLAYERS)
                for side in (LEFT, RIGHT)
                if state.folded[side] == NONE
            ]
        return "\n".join(lines)

    def lay(self, state: ToripokaState, seat: int | None = None) -> list[LaidPiece]:
        return lay_table(self.pieces, state, seat)

    def deal_unseen(self, state: ToripokaState, seat: int, rng: Random) -> ToripokaState:
        """What the other seat has in hand and face down may be any card that lies nowhere open."""
        other = 1 - seat
        hand, rows = state.hands[other], list(state.rows)
        hidden = [laid for at in (2 * other, 2 * other + 1) for laid in rows[at] if laid.is_down]
        left = [*state.rest, *hand, *(laid.card for laid in hidden)]
        rng.shuffle(left)
        for at in (2 * other, 2 * other + 1):
            rows[at] = tuple(
                [laid._replace(card=left.pop()) if laid.is_down else laid for laid in rows[at]]
            )
        dealt, rest = left[: len(hand)], left[len(hand) :]
        hands = (
            (state.hands[0], tuple(sorted(dealt)))
            if other
            else (tuple(sorted(dealt)), state.hands[1])
        )
        return state._replace(rest=tuple(sorted(rest)), hands=tuple(hands), rows=tuple(rows))


def _free(rows: Sequence[Row], folded: tuple[int, int], seat: int) -> int:
    """Where a seat may lay a card: 1 for the left, 2 for the right, 3 for both."""
    left = folded[0] == NONE and len(rows[2 * seat]) < LAID
    right = folded[1] == NONE and len(rows[2 * seat + 1]) < LAID
    return left + 2 * right


def _next(rows: Sequence[Row], folded: tuple[int, int], seat: int) -> tuple[int, int, str]:
    """Turn, mover and what is due after a seat's turn. A seat that cannot lay a card passes."""
    for after in (1 - seat, seat):
        if _free(rows, folded, after):
            return after, after, ""
    return CHANCE, seat, SHOW


def _pick(cards: tuple[int, ...], count: int, rng: Random) -> list[int]:
    left = list(cards)
    return [left.pop(int(rng.random() * len(left))) for _ in range(count)]
