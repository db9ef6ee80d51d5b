"""Toripoka's hands another way: all that a hand can be, best first, and whether cards can make it.

Shares no code with the engine. Cards are (rank, whether it is a wild, pips on it); ranks from 1 to
13, of hands up to 14 for the high Ace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

PlainCard = tuple[int, bool, int]
Ranks = tuple[int, int, int]  # the highest first, those of a pair before it
Ladder = list[tuple[str, Ranks]]


@cache
def ladder(wilds: bool) -> Ladder:
    """What three cards can be, from the best to the worst."""
    every = [(c, b, a) for a, b, c in combinations_with_replacement(range(1, 15), 3)]
    pairs = [r for r in every if len(set(r)) == 2]
    singles = [r for r in every if len(set(r)) == 3]
    rows = [r for r in singles if r[0] - r[2] == 2]
    numbers = [r for r in singles if r not in rows and 14 not in r]
    kinds: dict[str, list[Ranks]] = {
        "Mini Royal": [(14, 13, 12)],
        "Straight": [r for r in rows if 14 not in r],
        "Three of a kind": [(r, r, r) for r in range(1, 15)],
        "Two of a kind": [(r[1], r[1], r[0] if r[0] != r[1] else r[2]) for r in pairs],
        "Multiplication": [r for r in numbers if r[1] * r[2] == r[0]],
        "Sum": [r for r in numbers if r[1] + r[2] == r[0] != r[1] * r[2]],
    }
    named = {ranks for kind in kinds.values() for ranks in kind}
    kinds["High card"] = [r for r in singles if r not in named]
    suffix = " (with wilds)" if wilds else " (no wilds)"
    order = ["Mini Royal", "Straight", "Three of a kind", "Two of a kind", "Multiplication", "Sum"]
    if wilds:
        order[1:3] = ["Three of a kind", "Straight"]
    return [
        (kind + suffix * (kind in ("Mini Royal", "Straight")), ranks)
        for kind in [*order, "High card"]
        for ranks in sorted(kinds[kind], reverse=True)
    ]


BEST_FIRST = (
    "Mini Royal (no wilds)",
    "Straight (no wilds)",
    "Mini Royal (with wilds)",
    "Three of a kind",
    "Straight (with wilds)",
    "Two of a kind",
    "Multiplication",
    "Sum",
    "High card",
)


def fits_as(card: PlainCard, rank: int) -> int | None:
    """By how much a wild exceeds a rank that it stands for; None if the card cannot be it."""
    own, is_wild, pips = card
    if is_wild:
        return own - rank if rank <= own else None
    if rank == 14:
        return 0 if own == 1 and pips >= 0 else None
    near = abs(own - rank) <= pips or (own == 1 and 14 - rank <= pips)
    return 0 if near else None


def rate(cards: Sequence[PlainCard]) -> tuple[int, Ranks, int]:
    """How good three cards are, the greater the better; the class by its place from the worst."""
    for kind, ranks in ladder(any(is_wild for _, is_wild, _ in cards)):
        fits = list(_fits(cards, ranks))
        if fits:
            return -BEST_FIRST.index(kind), ranks, -min(fits)
    raise AssertionError(cards)


def _fits(cards: Sequence[PlainCard], ranks: Ranks) -> Iterator[int]:
    for one, other, third in permutations(cards):
        each = fits_as(one, ranks[0]), fits_as(other, ranks[1]), fits_as(third, ranks[2])
        known = [fit for fit in each if fit is not None]
        if len(known) == 3:
            yield sum(known)


def rate_pool(cards: Sequence[PlainCard]) -> tuple[int, Ranks, int]:
    """How good the best three of some cards are."""
    return max(map(rate, combinations(cards, 3)))
