"""The rules of Toripoka: bid for pyramids with hands of three cards, in seven rounds.

The rules are Fogus's, as in rules.md. The first seat begins the first round. A seat folds at its own turn, before it
lays a card. The three cards aside are never seen: they are what the stock leaves.

Bots guess how good a state is for a seat, from what it sees.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import ClassVar

from generator.games.toripoka import table
from generator.games.toripoka.checks import ASIDE, CLASSES, DEALT, PLAYERS, PUBLIC
from generator.model import Value
from generator.play.engine import CHANCE, OVER, Decks, Engine, LaidPiece, Option, SeatCount

_ROUNDS_A_PYRAMID = 10  # or a deck whose hands are all equal would never come to an end
_DRAWS = {table.HAND: "deal", table.OPEN: "open", table.CARD: "draw"}
_SIGNS = {"hearts": "♥", "spades": "♠"}
_FOLDS = (table.FoldHand(table.LEFT), table.FoldHand(table.RIGHT))
_POOLS = 2000
_MOST_TRIES = 60  # ways to add the unknown cards
_SECRET = 0.02  # points that a card face down is worth


class Toripoka(Engine[table.ToripokaState, table.ToripokaMove]):
    """Toripoka for two."""

    scores_held = True
    options: ClassVar[Mapping[str, Option]] = {
        "public": Option(("own", "both"), "which public cards a hand may use at a pyramid"),
        "sums": Option(("all", "hearts"), "which cards make products and sums"),
        "moves": Option(("king", "ace"), "the highest rank to which a pyramid moves a card"),
        "ties": Option(("bag", "out"), "where the pyramid of equal hands goes"),
        "folding": Option(("both", "own"), "whose pyramids on cards a seat takes when it folds"),
        "forfeit": Option(("other", "bag"), "where the pyramid goes at which a seat folds"),
        "trees": Option(("all", "free"), "whether as many trees as can be must be built"),
    }
    seats = PLAYERS

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        """Raises PnpError if the deck cannot be played, with every fault."""
        self.pieces = table.Pieces(decks)
        self.shares_public = chosen["public"] == "both"
        self.ties_leave = chosen["ties"] == "out"
        self.takes_both = chosen["folding"] == "both"
        self.forfeits = chosen["forfeit"] == "other"
        wild_sums, past_king = chosen["sums"] == "all", chosen["moves"] == "ace"
        self.values = table.HandValues(self.pieces.cards, wild_sums=wild_sums, past_king=past_king)
        self._every = tuple(range(len(self.pieces.cards)))
        self._pyramids = tuple(range(len(self.pieces.pyramids)))
        self._most_rounds = _ROUNDS_A_PYRAMID * len(self._pyramids)
        self._sizes = [size for _, size in self.pieces.pyramids]
        # By card and pyramid; NONE is the last.
        pips = [len(table.SIZES) - size for size in self._sizes] + [0]
        self.keys = [[keys[by] for by in pips] for keys in self.values.keys_of]
        # By the room of the seat, pyramid and card; NONE is the last pyramid.
        self._lays = [
            [
                [table.ways_to_lay(card, room, pyramid) for card in self._every]
                for pyramid in (*self._pyramids, table.NONE)
            ]
            for room in range(table.BOTH + 1)
        ]
        self.builds_all = chosen["trees"] == "all"
        self.points = table.TreePoints(self.pieces.pyramids, builds_all=self.builds_all)

    def start(self) -> table.ToripokaState:
        figures = (0,) * (len(table.FIGURES) + len(CLASSES))
        return self._begin_round(0, self._pyramids, ((), ()), figures)

    def _begin_round(
        self, first: int, bag: tuple[int, ...], won: tuple[tuple[int, ...], ...], figures: table.Figures
    ) -> table.ToripokaState:
        """A new round, or the end if the bag does not hold two pyramids."""
        goes_on = len(bag) >= PUBLIC and figures[table.ROUNDS] < self._most_rounds
        turn, due = (CHANCE, table.HAND) if goes_on else (OVER, "")
        bidding = table.Bidding(first, (), (table.NONE, table.NONE), (), bag, figures)
        rows, hands, room = ((), (), (), ()), ((), ()), (table.BOTH, table.BOTH)
        return table.ToripokaState(turn, due, first, self._every, hands, rows, room, won, bidding)

    def turn(self, state: table.ToripokaState) -> int:
        return state.turn

    def legal(self, state: table.ToripokaState) -> list[table.ToripokaMove]:
        if state.turn < 0:
            return self._outcomes(state) if state.turn == CHANCE else []
        turn, _, _, _, hands, rows, room, won, bidding = state
        if len(bidding.bids) < PUBLIC:
            sizes = {self._sizes[pyramid] for pyramid in bidding.bag}
            return [table.ChooseSize(size) for size in sorted(sizes)]
        hand, lays, folded = hands[turn], self._lays[room[turn]], bidding.folded
        moves: list[table.ToripokaMove] = []
        if rows[2 * turn] or rows[2 * turn + 1]:
            for pyramid in (table.NONE, *won[turn]):
                with_it = lays[pyramid]
                for card in hand:
                    moves += with_it[card]
        else:
            moves += [move for card in hand for move in lays[table.NONE][card] if not move.is_down]
        if turn not in folded and room[1 - turn]:
            moves += [_FOLDS[side] for side in (table.LEFT, table.RIGHT) if folded[side] == table.NONE]
        return moves

    def _outcomes(self, state: table.ToripokaState) -> list[table.ToripokaMove]:
        due, rest = state.due, state.rest
        if due == table.CARD:
            return [table.Drawn((card,)) for card in rest]
        if due == table.HAND:
            return [table.Drawn(cards) for cards in combinations(rest, DEALT)]
        if due == table.OPEN:
            return [table.Drawn(cards) for cards in permutations(rest, PUBLIC)]
        if due == table.SHOW:
            return [table.ShowHands()]
        return [table.Pulled(pyramid) for pyramid in state.bidding.bag if table.SIZES[self._sizes[pyramid]] == due]

    def draw(self, state: table.ToripokaState, rng: Random) -> table.ToripokaMove:
        due, rest = state.due, state.rest
        if due == table.CARD:
            return table.Drawn((rest[int(rng.random() * len(rest))],))
        if due == table.HAND:
            return table.Drawn(tuple(sorted(_pick(rest, DEALT, rng))))
        if due == table.OPEN:
            return table.Drawn(tuple(_pick(rest, PUBLIC, rng)))
        outcomes = self._outcomes(state)
        return outcomes[int(rng.random() * len(outcomes))]

    def apply(self, state: table.ToripokaState, move: table.ToripokaMove) -> table.ToripokaState:
        if type(move) is table.LayCard:
            return self._lay(state, move)
        if type(move) is table.Drawn:
            return self._deal(state, move.cards)
        if type(move) is table.FoldHand:
            return self._fold(state, move.side)
        if type(move) is table.ChooseSize:
            return table.ToripokaState(CHANCE, table.SIZES[move.size], *state[2:])
        if type(move) is table.Pulled:
            return self._pull(state, move.pyramid)
        return self._show(state)

    def _deal(self, state: table.ToripokaState, cards: tuple[int, ...]) -> table.ToripokaState:
        turn, due, mover, rest, hands, rows, room, won, bidding = state
        if due == table.CARD:
            at = rest.index(cards[0])
            rest = rest[:at] + rest[at + 1 :]
        else:
            rest = tuple([card for card in rest if card not in cards])
        if due == table.OPEN:
            turn, due, bidding = mover, "", bidding._replace(public=cards)
        else:
            hand = tuple(sorted(hands[mover] + cards))
            hands = (hand, hands[1]) if mover == 0 else (hands[0], hand)
            if due == table.CARD:
                turn, mover, due = _next(room, mover)
            else:
                turn, due = (CHANCE, table.HAND) if mover == bidding.first else (1 - mover, "")
                mover = 1 - mover
        return table.ToripokaState(turn, due, mover, rest, hands, rows, room, won, bidding)

    def _pull(self, state: table.ToripokaState, pyramid: int) -> table.ToripokaState:
        """The first seat's pyramid lies on the left."""
        bids, other = (*state.bidding.bids, pyramid), 1 - state.mover
        bag = tuple([left for left in state.bidding.bag if left != pyramid])
        bidding = state.bidding._replace(bids=bids, bag=bag)
        turn, due = (CHANCE, table.OPEN) if len(bids) == PUBLIC else (other, "")
        return state._replace(turn=turn, due=due, mover=other, bidding=bidding)

    def _lay(self, state: table.ToripokaState, move: table.LayCard) -> table.ToripokaState:
        turn, _, mover, rest, hands, rows, room, won, bidding = state
        card, side, _, pyramid = move
        hand = hands[turn]
        at = hand.index(card)
        hand = hand[:at] + hand[at + 1 :]
        hands = (hand, hands[1]) if turn == 0 else (hands[0], hand)
        at = 2 * turn + side
        row = (*rows[at], move)
        rows = (*rows[:at], row, *rows[at + 1 :])
        if len(row) == table.LAID:
            left = room[turn] - table.ROOM[side]
            room = (left, room[1]) if turn == 0 else (room[0], left)
        if pyramid != table.NONE:
            own = tuple([kept for kept in won[turn] if kept != pyramid])
            won = (own, won[1]) if turn == 0 else (won[0], own)
        if len(rest) > ASIDE:
            turn, due = CHANCE, table.CARD
        else:
            turn, mover, due = _next(room, turn)
        return table.ToripokaState(turn, due, mover, rest, hands, rows, room, won, bidding)

    def _fold(self, state: table.ToripokaState, side: int) -> table.ToripokaState:
        """The seat takes the pyramids on cards there, the other one the pyramid itself; if that is
        not the end of the round, the seat goes on with its turn."""
        seat, _, _, rest, hands, rows, room, won, bidding = state
        figures = list(bidding.figures)
        figures[table.FOLDED] += 1
        left, taken = list(rows), list(won[seat])
        for each in (seat, 1 - seat) if self.takes_both else (seat,):
            at = 2 * each + side
            self._count_pyramids(rows[at], figures, are_shown=False)
            there = [laid.pyramid for laid in rows[at] if laid.pyramid != table.NONE]
            if there:
                taken += there
                left[at] = tuple([laid._replace(pyramid=table.NONE) for laid in rows[at]])
        first, public, folded, bids, bag, _ = bidding
        own, other = tuple(sorted(taken)), won[1 - seat]
        if self.forfeits:
            other = tuple(sorted((*other, bids[side])))
        else:
            bag = tuple(sorted((*bag, bids[side])))
        won = (own, other) if seat == 0 else (other, own)
        folded, bids = _at_side(folded, side, seat), _at_side(bids, side, table.NONE)
        bidding = table.Bidding(first, public, folded, bids, bag, tuple(figures))
        room = (room[0] & ~table.ROOM[side], room[1] & ~table.ROOM[side])
        turn, mover, due = (seat, seat, "") if room[seat] else _next(room, seat)
        after = table.ToripokaState(turn, due, mover, rest, hands, tuple(left), room, won, bidding)
        return after if table.NONE in folded else self._end(after.rows, won, bidding)

    def _count_pyramids(self, row: table.Row, figures: list[int], *, are_shown: bool) -> None:
        """A pyramid on a wild that lies face down is a bluff; it is called when it is shown."""
        for card, _, is_down, pyramid in row:
            if pyramid != table.NONE:
                is_bluff = is_down and bool(self.pieces.cards[card].reach)
                figures[table.SET] += 1
                figures[table.BLUFFS] += is_bluff
                figures[table.CALLED] += is_bluff and are_shown

    def value_of(self, state: table.ToripokaState, seat: int, side: int) -> int:
        """The value of the best hand that a seat can make at a pyramid."""
        keys = [self.keys[laid.card][laid.pyramid] for laid in state.rows[2 * seat + side]]
        public = state.bidding.public
        used = public if self.shares_public else (public[side],)
        keys += [self.keys[card][table.NONE] for card in used]
        return self.values.best(keys)

    def _show(self, state: table.ToripokaState) -> table.ToripokaState:
        """The better hand takes the pyramid at each side that nobody folded."""
        won, bag, figures = [*state.won], state.bidding.bag, list(state.bidding.figures)
        for side, bid in enumerate(state.bidding.bids):
            if bid == table.NONE:
                continue
            first, second = (self.value_of(state, seat, side) for seat in range(PLAYERS))
            if first == second:
                figures[table.TIED] += 1
                bag = bag if self.ties_leave else tuple(sorted((*bag, bid)))
                continue
            winner = int(second > first)
            won[winner] = tuple(sorted((*won[winner], bid)))
            figures[len(table.FIGURES) + CLASSES.index(table.class_of(max(first, second)))] += 1
        bidding = state.bidding._replace(bag=bag, figures=tuple(figures))
        return self._end(state.rows, tuple(won), bidding)

    def _end(
        self, rows: tuple[table.Row, ...], won: tuple[tuple[int, ...], ...], bidding: table.Bidding
    ) -> table.ToripokaState:
        """The round is over: pyramids on cards leave the game."""
        figures = list(bidding.figures)
        figures[table.ROUNDS] += 1
        for at, row in enumerate(rows):
            self._count_pyramids(row, figures, are_shown=bidding.folded[at % 2] == table.NONE)
        return self._begin_round(1 - bidding.first, bidding.bag, won, tuple(figures))

    def scores(self, state: table.ToripokaState) -> list[int]:
        return [self.points[won] for won in state.won]

    @cached_property
    def appraiser(self) -> Appraiser:
        return Appraiser(self.keys, self.values, self.points, self._sizes, self.shares_public)

    def worth(self, state: table.ToripokaState, seat: int) -> float:
        return self.appraiser.worth(state, seat)

    def winners(self, state: table.ToripokaState) -> Sequence[int]:
        """The seats with the most points; in a tie, those with fewer pyramids, then those with fewer colours."""
        ranks = []
        for won, points in zip(state.won, self.scores(state), strict=True):
            colours = {self.pieces.pyramids[pyramid][0] for pyramid in won}
            ranks.append((points, -len(won), -len(colours)))
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def piece_of(self, state: table.ToripokaState, move: table.ToripokaMove) -> str:
        return self.pieces.ids[move.card] if isinstance(move, table.LayCard) else ""

    def held(self, state: table.ToripokaState, seat: int) -> list[str]:
        return [self.pieces.pyramid_names[pyramid] for pyramid in state.won[seat]]

    def facts(self, state: table.ToripokaState) -> Mapping[str, int]:
        names = [*table.FIGURES, *(f"won by {name}" for name in CLASSES)]
        return dict(zip(names, state.bidding.figures, strict=True))

    def write(self, state: table.ToripokaState, move: table.ToripokaMove) -> str:
        names, pyramids = self.pieces.names, self.pieces.pyramid_names
        if isinstance(move, table.LayCard):
            text = f"lay {names[move.card]} {table.SIDES[move.side]}" + " face down" * move.is_down
            return text if move.pyramid == table.NONE else f"{text} with {pyramids[move.pyramid]}"
        if isinstance(move, table.FoldHand):
            return f"fold {table.SIDES[move.side]}"
        if isinstance(move, table.ChooseSize):
            return f"feel for a {table.SIZES[move.size]} one"
        if isinstance(move, table.Pulled):
            return f"pull {pyramids[move.pyramid]}"
        if isinstance(move, table.Drawn):
            return " ".join([_DRAWS[state.due], *(names[card] for card in move.cards)])
        return "show hands"

    def ask(self, state: table.ToripokaState) -> str:
        return self.phrases.say("ask.feel" if len(state.bidding.bids) < PUBLIC else "ask.lay")

    def say(self, state: table.ToripokaState, move: table.ToripokaMove) -> str:
        say, word = self.phrases.say, self.word
        if isinstance(move, table.LayCard):
            name = "move.lay-down" if move.is_down else "move.lay"
            words = say(name, card=self._say_card(move.card), side=word(table.SIDES[move.side]))
            colour, size = self.pieces.pyramids[move.pyramid]
            more = {"colour": word(colour), "size": word(table.SIZES[size])}
            return words if move.pyramid == table.NONE else say("move.with-pyramid", move=words, **more)
        if isinstance(move, table.FoldHand):
            return say("move.fold", side=word(table.SIDES[move.side]))
        if isinstance(move, table.ChooseSize):
            return say("move.feel", size=word(table.SIZES[move.size]))
        return super().say(state, move)

    def tell_news(self, state: table.ToripokaState, move: table.ToripokaMove) -> list[str]:
        """The hands that are shown, and who takes the pyramid."""
        return [
            self._tell_show(state, side, bid)
            for side, bid in enumerate(state.bidding.bids)
            if state.due == table.SHOW and bid != table.NONE
        ]

    def _tell_show(self, state: table.ToripokaState, side: int, bid: int) -> str:
        say, word, seats = self.phrases.say, self.word, range(PLAYERS)
        values = [self.value_of(state, seat, side) for seat in seats]
        hands = []
        for seat in seats:
            cards = (self.pieces.faces[laid.card] for laid in state.rows[2 * seat + side])
            short = " ".join(f"{rank}{_SIGNS.get(suit, suit)}" for rank, suit in cards)
            hands.append(say("news.hand", cards=short, hand=word(table.class_of(values[seat]))))
        colour, size = self.pieces.pyramids[bid]
        shown = {"side": word(table.SIDES[side]), "first": hands[0], "second": hands[1]}
        shown |= {"colour": word(colour), "size": word(table.SIZES[size])}
        if values[0] == values[1]:
            return say("news.tied", **shown)
        return say("news.won", seat=say("news.seat", number=1 + int(values[1] > values[0])), **shown)

    def _say_card(self, card: int) -> str:
        rank, suit = self.pieces.faces[card]
        return self.phrases.say("move.card", rank=rank, suit=self.word(suit)) if rank and suit else rank or suit

    def counters(self, state: table.ToripokaState, seat: int | None = None) -> list[SeatCount]:
        say = self.phrases.say
        counts: list[SeatCount] = [(None, say("tally.bag"), len(state.bidding.bag), "pyramid")]
        if state.bidding.public:
            counts.append((None, say("tally.stock"), len(state.rest) - ASIDE, "cards"))
        for each, points in enumerate(self.scores(state)):
            counts.append((each, say("tally.points"), points))
            counts.append((each, say("tally.pyramids"), len(state.won[each]), "pyramid"))
        return counts

    def show(self, state: table.ToripokaState, seat: int | None = None) -> str:
        lines = table.tell_table(self.pieces, state, seat)
        if state.due == table.SHOW:
            lines += [
                f"seat {each + 1} {table.SIDES[side]}: {table.describe_hand(self.value_of(state, each, side))}"
                for each in range(PLAYERS)
                for side in (table.LEFT, table.RIGHT)
                if state.bidding.folded[side] == table.NONE
            ]
        return "\n".join(lines)

    def lay(self, state: table.ToripokaState, seat: int | None = None) -> list[LaidPiece]:
        return table.lay_table(self.pieces, state, seat)

    def touch(self, state: table.ToripokaState, move: table.ToripokaMove) -> list[LaidPiece]:
        """The card, and the pyramid on it."""
        if not isinstance(move, table.LayCard):
            return []
        before = self.lay(state, state.turn)
        new = [it for it in self.lay(self.apply(state, move), state.turn) if it not in before]
        row = next(it.y for it in new if it.piece == self.pieces.ids[move.card])
        return [it for it in new if it.y == row]

    def deal_unseen(self, state: table.ToripokaState, seat: int, rng: Random) -> table.ToripokaState:
        """Deals the other seat's hand and its face-down cards again, from all cards that lie nowhere open."""
        other = 1 - seat
        hands, rows = list(state.hands), list(state.rows)
        left = [*state.rest, *hands[other], *table.hidden_cards(state, other)]
        rng.shuffle(left)
        for side in (table.LEFT, table.RIGHT):
            if not table.is_shown(state, side):
                at = 2 * other + side
                rows[at] = tuple([laid._replace(card=left.pop()) if laid.is_down else laid for laid in rows[at]])
        count = len(hands[other])
        hands[other], rest = tuple(sorted(left[:count])), tuple(sorted(left[count:]))
        return state._replace(rest=rest, hands=tuple(hands), rows=tuple(rows))


def _at_side(pair: tuple[int, ...], side: int, value: int) -> tuple[int, int]:
    return (value, pair[table.RIGHT]) if side == table.LEFT else (pair[table.LEFT], value)


def _next(room: tuple[int, int], seat: int) -> tuple[int, int, str]:
    """Turn, mover and what is due after a seat's turn. A seat that cannot lay a card passes."""
    if room[1 - seat]:
        return 1 - seat, 1 - seat, ""
    return (seat, seat, "") if room[seat] else (CHANCE, seat, table.SHOW)


def _pick(cards: tuple[int, ...], count: int, rng: Random) -> list[int]:
    left = list(cards)
    return [left.pop(int(rng.random() * len(left))) for _ in range(count)]


class Outlook:
    """How large a part of all hands the hand of some cards will beat, from 0 to 1: on average over
    the unknown cards. The same at every run."""

    def __init__(self, values: table.HandValues, size: int) -> None:
        """`size`: how many cards a hand is chosen from."""
        self._values, self._size = values, size
        self._plain = [keys[0] for keys in values.keys_of]
        rng = Random(0)
        pools = (rng.sample(self._plain, size) for _ in range(_POOLS))
        self._pools = sorted(values.best(pool) for pool in pools)

    def guess(self, keys: Sequence[int], cards: Sequence[int]) -> float:
        """Of these keys, which are of these cards."""
        values = [self._values.best([*keys, *more]) for more in self._additions(sum(keys), cards)]
        pools = self._pools  # an equal one is beaten by half
        beaten = sum(bisect_left(pools, it) + bisect_right(pools, it) for it in values)
        return beaten / (2 * _POOLS * len(values))

    def _additions(self, seed: int, cards: Sequence[int]) -> Iterator[Sequence[int]]:
        others = [key for card, key in enumerate(self._plain) if card not in cards]
        count = self._size - len(cards)
        if comb(len(others), count) <= _MOST_TRIES:
            yield from combinations(others, count)
        else:
            rng = Random(seed)
            for _ in range(_MOST_TRIES):
                yield rng.sample(others, count)


class Appraiser:
    """Appraises the states of one deck and way to play."""

    def __init__(
        self,
        keys: Sequence[Sequence[int]],
        values: table.HandValues,
        points: table.TreePoints,
        sizes: Sequence[int],
        shares_public: bool,
    ) -> None:
        """`keys`: of cards, by card and the pyramid on it. `sizes`: of the pyramids."""
        self._keys, self._points, self._sizes = keys, points, sizes
        self._shares_public = shares_public
        self.outlook = Outlook(values, table.LAID + (PUBLIC if shares_public else 1))
        # Other cards with other pyramids may make the same hand, but other cards are left then.
        kinds = [*sizes, len(table.SIZES)]
        self._names = [[1 << (4 * card + kind) for kind in kinds] for card in range(len(keys))]
        self._guesses: dict[int, float] = {}
        self._gains: dict[tuple[tuple[int, ...], int], int] = {}

    def worth(self, state: table.ToripokaState, seat: int) -> float:
        """The lead, and what the pyramids that are to be won would change in it, by how likely they
        are won: as the own cards compare with the open ones of the other seat."""
        mine, theirs = state.won[seat], state.won[1 - seat]
        worth: float = self._points[mine] - self._points[theirs]
        for side, bid in enumerate(state.bidding.bids):
            if bid != table.NONE:
                loss = self._gain(theirs, bid)
                worth += self._likely(state, seat, side) * (self._gain(mine, bid) + loss) - loss
        if state.due in table.SIZES:
            bag = [pyramid for pyramid in state.bidding.bag if table.SIZES[self._sizes[pyramid]] == state.due]
            gains = [self._gain(mine, pyramid) - self._gain(theirs, pyramid) for pyramid in bag]
            worth += sum(gains) / len(gains) / 2
        for row in state.rows[2 * seat : 2 * seat + 2]:
            for laid in row:
                worth += _SECRET * laid.is_down
        return worth

    def _likely(self, state: table.ToripokaState, seat: int, side: int) -> float:
        """How likely the seat wins the pyramid, from 0 to 1."""
        public = state.bidding.public
        if not public:
            return 0.5
        used = public if self._shares_public else (public[side],)
        own = self._guess(state.rows[2 * seat + side], used, True)
        other = self._guess(state.rows[2 * (1 - seat) + side], used, False)
        return min(max(0.5 + own - other, 0.0), 1.0)

    def _guess(self, row: table.Row, public: tuple[int, ...], is_own: bool) -> float:
        """The outlook of a hand, by the cards that its owner or the other seat knows."""
        names, name = self._names, 0
        for card in public:
            name += names[card][table.NONE]
        for card, _, is_down, pyramid in row:
            if is_own or not is_down:
                name += names[card][pyramid]
        if name not in self._guesses:
            known = [(card, table.NONE) for card in public]
            known += [(laid.card, laid.pyramid) for laid in row if is_own or not laid.is_down]
            keys = [self._keys[card][pyramid] for card, pyramid in known]
            self._guesses[name] = self.outlook.guess(keys, [card for card, _ in known])
        return self._guesses[name]

    def _gain(self, own: tuple[int, ...], pyramid: int) -> int:
        if (own, pyramid) not in self._gains:
            more = self._points[tuple(sorted((*own, pyramid)))]
            self._gains[own, pyramid] = more - self._points[own]
        return self._gains[own, pyramid]
