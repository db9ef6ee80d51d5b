"""Take cards and the pips of the pyramids on them, find the value of their best hand.

The readings are those of rules.md: see "The hands", "Fit" and "Pyramids on cards".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from generator.games.toripoka.checks import CLASSES, HIGH_ACE, RANKS

_MOST_PIPS = 3
_ACE, _KING = 1, len(RANKS)
_FITS = 64  # more than the loosest fit of three wilds, 3 x 12
_BASE = 16  # more than the highest rank
TO_CLASS = _FITS * _BASE**3
_KEY_BITS = 2  # a hand has a card three times at most


class PokerCard(Struct, frozen=True):
    """A card as hands count it: its rank from 1 to 13, and the ranks that it stands for if it is a
    wild."""

    rank: int
    reach: tuple[int, ...] = ()


class _Form(Struct, frozen=True):
    """What a card with a pyramid may count as: values, each with its part of the fit."""

    is_wild: bool
    values: tuple[tuple[int, int], ...]


class HandValues(dict[int, int]):
    """The value of the best reading of three cards, by the sum of their keys; worked out when it is
    first asked for. Of two hands, that of the greater value wins.

    keys_of: of a card, by the pips on it.
    """

    def __init__(
        self, cards: Sequence[PokerCard], *, wild_sums: bool = True, past_king: bool = False
    ) -> None:
        """`wild_sums`: a wild takes part in a sum or a product. `past_king`: a pyramid may move a
        card beyond the King, to the high Ace."""
        super().__init__()
        forms: dict[_Form, int] = {}
        pips = range(_MOST_PIPS + 1)
        self.keys_of = [
            [
                1 << _KEY_BITS * forms.setdefault(_form(card, by, past_king), len(forms))
                for by in pips
            ]
            for card in cards
        ]
        self._forms = list(forms)
        self._ranked = _Ranked(False, True), _Ranked(True, wild_sums)

    def best(self, keys: Sequence[int]) -> int:
        """The value of the best three of these cards, by their keys: of `keys_of[card][pips]`."""
        total = sum(keys)
        if len(keys) == 4:
            return max([self[total - key] for key in keys])
        if len(keys) == 5:
            return max([self[total - one - other] for one, other in combinations(keys, 2)])
        return max(self[sum(three)] for three in combinations(keys, 3))

    def __missing__(self, total: int) -> int:
        forms = [self._forms[at] for at in self._forms_of(total)]
        ranked = self._ranked[any(form.is_wild for form in forms)]
        one, two, three = (form.values for form in forms)
        value = 0
        for a, fit_a in one:
            for b, fit_b in two:
                for c, fit_c in three:
                    value = max(value, ranked[a, b, c] - fit_a - fit_b - fit_c)
        self[total] = value
        return value

    def _forms_of(self, total: int) -> Iterator[int]:
        """The places among `forms` of what has these keys in sum."""
        while total:
            at = ((total & -total).bit_length() - 1) // _KEY_BITS
            yield at
            total -= 1 << _KEY_BITS * at


class _Ranked(dict[tuple[int, int, int], int]):
    """The value of three ranks with an exact fit."""

    def __init__(self, is_wild: bool, may_count: bool) -> None:
        super().__init__()
        self._is_wild, self._may_count = is_wild, may_count

    def __missing__(self, ranks: tuple[int, int, int]) -> int:
        low, middle, high = sorted(ranks)
        value = _class_of((low, middle, high), self._is_wild, self._may_count)
        # the rank of a pair decides before single ranks
        for rank in sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True):
            value = value * _BASE + rank
        self[ranks] = value * _FITS + _FITS - 1
        return self[ranks]


def _form(card: PokerCard, pips: int, past_king: bool) -> _Form:
    if card.reach:
        return _Form(True, tuple((value, abs(card.rank - value)) for value in card.reach))
    top = HIGH_ACE if past_king else _KING
    values = set(range(max(card.rank - pips, _ACE), min(card.rank + pips, top) + 1))
    if card.rank == _ACE:
        values.update(range(HIGH_ACE - pips, HIGH_ACE + 1))
    return _Form(False, tuple((value, 0) for value in sorted(values)))


def _class_of(values: tuple[int, int, int], is_wild: bool, may_count: bool) -> int:
    """The place in CLASSES of ranks in ascending order."""
    low, middle, high = values
    if values == (HIGH_ACE - 2, HIGH_ACE - 1, HIGH_ACE):
        return 6 if is_wild else 8
    if low == high:
        return 5
    if middle == low + 1 and high == low + 2:
        return 4 if is_wild else 7
    if middle in (low, high):
        return 3
    if may_count and high != HIGH_ACE:
        return 2 if low * middle == high else 1 if low + middle == high else 0
    return 0


def class_of(value: int) -> str:
    """The class of a hand with this value."""
    return CLASSES[value // TO_CLASS]


def ranks_of(value: int) -> list[int]:
    """What the cards of a hand with this value count as, in the order in which they are compared:
    1 for the low Ace, 14 for the high one."""
    ranks = value // _FITS
    return [ranks // _BASE**2 % _BASE, ranks // _BASE % _BASE, ranks % _BASE]


def fit_of(value: int) -> int:
    """By how much the wilds of a hand exceed what they stand for; 0 is an exact fit."""
    return _FITS - 1 - value % _FITS


def describe_hand(value: int) -> str:
    """As players say it: "Straight (with wilds) 10 9 8, fit 2"."""
    names = [*RANKS, RANKS[0]]
    ranks = " ".join(names[rank - 1] for rank in ranks_of(value))
    fit = f", fit {fit_of(value)}" if fit_of(value) else ""
    return f"{class_of(value)} {ranks}{fit}"
