"""The exact census of hands: how many of all C(N, n) hands have each sum, pattern or class.

A hand is drawn from one deck or from several, and dice are decks of faces of which each goes back before the next. Also
the hands that hold wanted cards, also of several seats, and random hands: the same in every run and on every machine.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate, product
from math import comb, gcd, lcm, prod
from random import Random
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from generator.play.odds.questions import CountRange

Number = int | Fraction
MOST_HANDS = 60_000  # to list one by one
K = TypeVar("K")
S = TypeVar("S")
T = TypeVar("T")
Membership = tuple[bool, ...]  # for each wanted number, whether a card counts
Pattern = tuple[int, ...]  # how many cards are alike, the most first: a full house is 3, 2
MOST_STEPS = 1_000_000  # of an exact count; beyond it, hands are sampled
SAMPLES = 20_000  # hands: an interval of 95 % is then at most 1.4 % wide
MOST_CARDS = 1_000_000  # drawn for all samples together
_LEAST_SAMPLES = 1000
_SEED = 20_170


class Pool(Struct, Generic[K], frozen=True):
    """A deck, as the number of cards of each kind, and how many are drawn of it. Put back, each may
    be drawn again, as a face of dice."""

    deck: Mapping[K, int]
    draw: int
    is_put_back: bool = False

    @property
    def cards(self) -> int:
        return sum(self.deck.values())

    @property
    def hands(self) -> int:
        """How many hands there are, all equally likely."""
        if self.is_put_back:
            return self.ways(self.cards, self.draw, 0)
        return comb(self.cards, self.draw)

    def most_of(self, copies: int) -> int:
        """The most cards that a hand has of a kind with so many copies."""
        return self.draw if self.is_put_back else min(copies, self.draw)

    def ways(self, copies: int, number: int, drawn: int) -> int:
        """The number of ways in which so many of the copies join the cards drawn of other kinds."""
        if self.is_put_back:
            return comb(drawn + number, number) * int(copies**number)
        return comb(copies, number)


def count_sums(pools: Sequence[Pool[Number]]) -> dict[Number, int]:
    """The number of hands by the sum of their cards. Raises TooManyStepsError."""
    scale = lcm(*(Fraction(value).denominator for pool in pools for value in pool.deck))
    whole = [  # ten times as fast
        Pool({int(value * scale): n for value, n in pool.deck.items()}, pool.draw, pool.is_put_back) for pool in pools
    ]
    _check_sums(whole)
    found = _count_all(whole, 0, lambda total, value, number: total + number * value)
    return {Fraction(total, scale) if total % scale else total // scale: found[total] for total in sorted(found)}


def _count_all(
    pools: Sequence[Pool[T]], none: S, add: Callable[[S, T, int], S], steps: StepCount | None = None
) -> dict[S, int]:
    """How many hands of all pools together there are, by what their cards come to. Raises TooManyStepsError."""
    found = {none: 1}
    for pool in pools:
        states = _count(pool, found, add, steps)
        found = {held: hands for (drawn, held), hands in states.items() if drawn == pool.draw}
    return found


def _count(
    pool: Pool[T], before: Mapping[S, int], add: Callable[[S, T, int], S], steps: StepCount | None = None
) -> dict[tuple[int, S], int]:
    """How many hands of at most so many cards there are, by their number of cards and what these come to, beside
    those of the pools `before`: `add` gives that with a number of cards of a kind more. Raises TooManyStepsError."""
    states = {(0, held): hands for held, hands in before.items()}
    for kind, copies in pool.deck.items():
        most, ways = pool.most_of(copies), cache(partial(pool.ways, copies))
        if steps:
            steps.take(len(states) * (most + 1))
        after: defaultdict[tuple[int, S], int] = defaultdict(int)
        for (drawn, held), hands in states.items():
            for number in range(min(most, pool.draw - drawn) + 1):
                after[drawn + number, add(held, kind, number)] += hands * ways(number, drawn)
        states = after
    return states


def _check_sums(pools: Sequence[Pool[int]]) -> None:
    """Raises TooManyStepsError if the hands may have too many sums. So many cards have no more of
    them than different hands, nor than there are numbers between the least and the greatest."""
    steps = StepCount()
    values = [value for pool in pools for value in pool.deck]
    least = min(values, default=0)
    apart = gcd(*(value - least for value in values)) or 1
    spread = (max(values, default=0) - least) // apart
    before, held = 1, 0  # hands of the pools so far, and their cards
    for pool in pools:
        ways = [before] + [0] * pool.draw  # with the kinds so far, by the number of cards
        for copies in pool.deck.values():
            most = pool.most_of(copies)
            states = sum(min(n, (held + cards) * spread + 1) for cards, n in enumerate(ways))
            steps.take(states * (most + 1))
            ways = _count_more(ways, most)
        before, held = ways[pool.draw], held + pool.draw


def _count_more(ways: Sequence[int], copies: int) -> list[int]:
    """How many different hands there are by the number of cards, with one kind more."""
    return [sum(ways[max(0, cards - copies) : cards + 1]) for cards in range(len(ways))]


def count_patterns(pools: Sequence[Pool[T]]) -> dict[Pattern, int]:
    """The number of hands by how many of their cards are alike. Raises TooManyStepsError."""
    none: Pattern = ()
    if len(pools) > 1:  # what is alike may be of several pools
        return count_classes(pools, pattern_of)
    return _count_all(pools, none, _insert, StepCount())


def pattern_of(values: Sequence[object]) -> Pattern:
    """How many of these values are alike, the most first."""
    return tuple(sorted(Counter(values).values(), reverse=True))


def count_classes(pools: Sequence[Pool[K]], classify: Callable[[list[K]], T]) -> dict[T, int]:
    """The number of hands by the class of their cards. Raises TooManyStepsError."""
    if not _is_short(pools):
        raise TooManyStepsError
    found: defaultdict[T, int] = defaultdict(int)
    for parts in product(*map(_list_hands, pools)):
        hand = [kind for kinds, _ in parts for kind in kinds]
        found[classify(hand)] += prod(ways for _, ways in parts)
    return dict(found)


def _is_short(pools: Sequence[Pool[K]]) -> bool:
    """Whether the different hands are few enough to list them."""
    different = 1
    for pool in pools:
        ways = [different] + [0] * pool.draw  # by the number of cards
        for copies in pool.deck.values():
            ways = _count_more(ways, pool.most_of(copies))
            if max(ways) > MOST_HANDS * max(1, pool.draw):
                return False
        different = ways[pool.draw]
    return different <= MOST_HANDS


def _list_hands(pool: Pool[K]) -> Iterator[tuple[list[K], int]]:
    """The different hands, each with the number of ways to draw it."""
    kinds = [(kind, copies, pool.most_of(copies)) for kind, copies in pool.deck.items()]
    left = list(accumulate((most for _, _, most in reversed(kinds)), initial=0))[::-1]

    def list_from(at: int, drawn: int) -> Iterator[tuple[list[K], int]]:
        need = pool.draw - drawn
        if not need:
            yield [], 1
        for place in range(at, len(kinds) if need else at):
            if left[place] < need:
                return
            kind, copies, most = kinds[place]
            for number in range(1, min(most, need) + 1):
                ways = pool.ways(copies, number, drawn)
                for rest, times in list_from(place + 1, drawn + number):
                    yield [kind] * number + rest, ways * times

    return list_from(0, 0)


def _insert(pattern: Pattern, _kind: object, number: int) -> Pattern:
    if not number:
        return pattern
    grown = list(pattern)
    insort(grown, number, key=lambda count: -count)
    return tuple(grown)


class TooManyStepsError(Exception):
    """An exact count would take too long."""


class StepCount:
    """The steps that exact counts may still take."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    def take(self, steps: int) -> None:
        """Raises TooManyStepsError if no more are left."""
        self._left -= steps
        if self._left < 0:
            raise TooManyStepsError


def count_hands(pool: Pool[Membership], wanted: Sequence[CountRange]) -> list[int]:
    """How many hands have the wanted cards, for each number of cards from 0 to those drawn. The
    deck has cards by what they count for. Raises TooManyStepsError."""
    states = _count(pool, {(0,) * len(wanted): 1}, partial(_add, wanted), StepCount())
    found = [0] * (pool.draw + 1)
    for (drawn, counts), hands in states.items():
        found[drawn] += hands * is_wanted(counts, wanted)
    return found


def count_wanted(pools: Sequence[Pool[Membership]], wanted: Sequence[CountRange]) -> int:
    """How many hands of all pools together have the wanted cards. Raises TooManyStepsError."""
    found = _count_all(pools, (0,) * len(wanted), partial(_add, wanted), StepCount())
    return sum(hands for counts, hands in found.items() if is_wanted(counts, wanted))


def count_members(pools: Sequence[Pool[Membership]]) -> dict[int, int]:
    """How many hands of all pools together there are by the number of cards that count."""
    return _count_all(pools, 0, lambda held, kinds, number: held + number * kinds[0])


def count_holders(pool: Pool[Membership], seats: int, wanted: Sequence[CountRange]) -> dict[int, int]:
    """How many deals there are by the number of seats whose hand of the pool has the wanted cards.
    Raises TooManyStepsError."""
    steps = StepCount()

    @cache
    def is_held(numbers: tuple[int, ...]) -> bool:
        kinds = zip(pool.deck, numbers, strict=True)
        return holds([kind for kind, number in kinds for _ in range(number)], wanted)

    states = {(tuple(pool.deck.values()), 0): 1}  # what is left, the seats that hold it
    for _ in range(seats):
        after: defaultdict[tuple[tuple[int, ...], int], int] = defaultdict(int)
        for (left, holders), deals in states.items():
            for more, ways in list_draws(left, pool.draw, steps):
                rest = tuple(map(int.__sub__, left, more))
                after[rest, holders + is_held(more)] += deals * ways
        states = after
    found: Counter[int] = Counter()
    for (_, holders), deals in states.items():
        found[holders] += deals
    return found


def holds(hand: Sequence[Membership], wanted: Sequence[CountRange]) -> bool:
    """Whether a hand has all that is wanted."""
    counts = [sum(card[at] for card in hand) for at in range(len(wanted))]
    return is_wanted(counts, wanted)


def list_draws(left: Sequence[int], draw: int, steps: StepCount) -> Iterator[tuple[tuple[int, ...], int]]:
    """The numbers of cards of each kind that may be drawn next, and in how many ways; `left` are
    those of each kind in the deck. Raises TooManyStepsError."""
    *several, rest = left
    found: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for copies in several:
        found = [
            ((*more, number), ways * comb(copies, number))
            for more, ways in found
            for number in range(min(copies, draw - sum(more)) + 1)
        ]
        steps.take(len(found))
    for more, ways in found:
        number = draw - sum(more)
        if times := ways * comb(rest, number):
            yield (*more, number), times


def is_wanted(counts: Sequence[int], wanted: Sequence[CountRange]) -> bool:
    """Whether a hand with these counts has all that is wanted."""
    return all(wish.holds(count) for wish, count in zip(wanted, counts, strict=True))


def _add(
    wanted: Sequence[CountRange], counts: tuple[int, ...], kinds: tuple[bool, ...], number: int
) -> tuple[int, ...]:
    return tuple(
        min(count + number, wish.cap) if is_of else count
        for count, is_of, wish in zip(counts, kinds, wanted, strict=True)
    )


def chance_after(chances: Sequence[Fraction]) -> Fraction:
    """The chance that one of several independent hands succeeds: a first hand and its mulligans."""
    failure = Fraction(1)
    for chance in chances:
        failure *= 1 - chance
    return 1 - failure


def samples_for(draw: int) -> int:
    """How many hands of so many cards to sample."""
    return max(_LEAST_SAMPLES, min(SAMPLES, MOST_CARDS // max(1, draw)))


def draw_from(pools: Sequence[Pool[K]], hands: int, seed: int = 0) -> Iterator[list[K]]:
    """Random hands of all pools together, each the kinds of its cards."""
    drawn = [
        draw_hands(list(pool.deck.values()), pool.draw, hands, seed + at, pool.is_put_back)
        for at, pool in enumerate(pools)
    ]
    kinds = [list(pool.deck) for pool in pools]
    for parts in zip(*drawn, strict=True):
        yield [kinds[at][card] for at, part in enumerate(parts) for card in part]


def draw_hands(
    copies: Sequence[int], draw: int, hands: int, seed: int = 0, is_put_back: bool = False
) -> Iterator[list[int]]:
    """Random hands, each a list of the indices of kinds of cards in the order drawn. `copies` has
    the number of cards of each kind.

    Only `Random.random` gives the same numbers in every version of Python.
    """
    random = Random(_SEED + seed).random
    ends = list(accumulate(copies))
    cards = ends[-1] if ends else 0
    for _ in range(hands):
        moved: dict[int, int] = {}  # a shuffle that holds only what it touches
        hand = []
        for place in range(draw if is_put_back else min(draw, cards)):
            first = 0 if is_put_back else place
            other = first + int(random() * (cards - first))
            hand.append(bisect_right(ends, moved.get(other, other)))
            if not is_put_back:
                moved[other] = moved.get(place, place)
        yield hand
