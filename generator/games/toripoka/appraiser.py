"""Guess how good the state of a game is for a seat, from what it sees. For bots."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

from generator.games.toripoka.checks import PUBLIC
from generator.games.toripoka.deck import SIZES
from generator.games.toripoka.hands import HandValues
from generator.games.toripoka.state import LAID, NONE, Row, ToripokaState
from generator.games.toripoka.trees import TreePoints

_POOLS = 2000
_MOST_TRIES = 60  # ways to add the unknown cards
_SECRET = 0.02  # points that a card face down is worth


class Outlook:
    """How large a part of all hands the hand of some cards will beat, from 0 to 1: on average over
    the unknown cards. The same at every run."""

    def __init__(self, values: HandValues, size: int) -> None:
        """`size`: how many cards a hand is chosen from."""
        self._values, self._size = values, size
        self._plain = [keys[0] for keys in values.keys_of]
        rng = Random(0)
        pools = (rng.sample(self._plain, size) for _ in range(_POOLS))
        self._pools = sorted(values.best(pool) for pool in pools)

    def guess(self, keys: Sequence[int], cards: Sequence[int]) -> float:
        """Of these keys, which are of these cards."""
        beaten = [self._beaten([*keys, *more]) for more in self._additions(sum(keys), cards)]
        return sum(beaten) / (2 * _POOLS * len(beaten))

    def _additions(self, seed: int, cards: Sequence[int]) -> Iterator[Sequence[int]]:
        others = [key for card, key in enumerate(self._plain) if card not in cards]
        count = self._size - len(cards)
        if comb(len(others), count) <= _MOST_TRIES:
            yield from combinations(others, count)
        else:
            rng = Random(seed)
            for _ in range(_MOST_TRIES):
                yield rng.sample(others, count)

    def _beaten(self, keys: Sequence[int]) -> int:
        """Twice the number of pools that the hand beats; an equal one counts half."""
        value = self._values.best(keys)
        return bisect_left(self._pools, value) + bisect_right(self._pools, value)


class Appraiser:
    """Appraises the states of one deck and way to play."""

    def __init__(
        self,
        keys: Sequence[Sequence[int]],
        values: HandValues,
        points: TreePoints,
        sizes: Sequence[int],
        shares_public: bool,
    ) -> None:
        """`keys`: of cards, by card and the pyramid on it. `sizes`: of the pyramids."""
        self._keys, self._points, self._sizes = keys, points, sizes
        self._shares_public = shares_public
        self.outlook = Outlook(values, LAID + (PUBLIC if shares_public else 1))
        # Other cards with other pyramids may make the same hand, but other cards are left then.
        kinds = [*sizes, len(SIZES)]
        self._names = [[1 << (4 * card + kind) for kind in kinds] for card in range(len(keys))]
        self._guesses: dict[int, float] = {}
        self._gains: dict[tuple[tuple[int, ...], int], int] = {}

    def worth(self, state: ToripokaState, seat: int) -> float:
        """The lead, and what the pyramids that are to be won would change in it, by how likely they
        are won: as the own cards compare with the open ones of the other seat."""
        mine, theirs = state.won[seat], state.won[1 - seat]
        worth: float = self._points[mine] - self._points[theirs]
        for side, bid in enumerate(state.bidding.bids):
            if bid != NONE:
                loss = self._gain(theirs, bid)
                worth += self._likely(state, seat, side) * (self._gain(mine, bid) + loss) - loss
        if state.due in SIZES:
            bag = [each for each in state.bidding.bag if SIZES[self._sizes[each]] == state.due]
            gains = [self._gain(mine, each) - self._gain(theirs, each) for each in bag]
            worth += sum(gains) / len(gains) / 2
        for row in state.rows[2 * seat : 2 * seat + 2]:
            for laid in row:
                worth += _SECRET * laid.is_down
        return worth

    def _likely(self, state: ToripokaState, seat: int, side: int) -> float:
        """How likely the seat wins the pyramid, from 0 to 1."""
        public = state.bidding.public
        if not public:
            return 0.5
        used = public if self._shares_public else (public[side],)
        own = self._guess(state.rows[2 * seat + side], used, True)
        other = self._guess(state.rows[2 * (1 - seat) + side], used, False)
        return min(max(0.5 + own - other, 0.0), 1.0)

    def _guess(self, row: Row, public: tuple[int, ...], is_own: bool) -> float:
        """The outlook of a hand, by the cards that its owner or the other seat knows."""
        names, name = self._names, 0
        for card in public:
            name += names[card][NONE]
        for card, _, is_down, pyramid in row:
            if is_own or not is_down:
                name += names[card][pyramid]
        guess = self._guesses.get(name)
        if guess is None:
            known = [(card, NONE) for card in public]
            known += [(laid.card, laid.pyramid) for laid in row if is_own or not laid.is_down]
            keys = [self._keys[card][pyramid] for card, pyramid in known]
            guess = self.outlook.guess(keys, [card for card, _ in known])
            self._guesses[name] = guess
        return guess

    def _gain(self, own: tuple[int, ...], pyramid: int) -> int:
        """What one more pyramid brings."""
        key = (own, pyramid)
        gain = self._gains.get(key)
        if gain is None:
            more = self._points[tuple(sorted((*own, pyramid)))]
            gain = self._gains[key] = more - self._points[own]
        return gain
