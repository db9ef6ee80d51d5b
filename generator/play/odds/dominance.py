"""Take what cards offer, find those that another card beats in everything, and those that are
alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from generator.basics.errors import MisfitError, count_of
from generator.model import Component
from generator.play.odds.answers import OddsAnswer, OddsRow
from generator.play.odds.cards import Number, number_each, say_value, value_each

Direction = Literal["more", "less"]
_MOST_CARDS = 4000  # pairs grow with the square
_MOST_NAMED = 5  # cards in a line


class Dominated(Struct, frozen=True):
    """A card, and the cards that are at least as good in everything and better in something."""

    id: str
    by: tuple[str, ...]


def find_twins(ids: Sequence[str], offers: Sequence[Sequence[Number]]) -> list[tuple[str, ...]]:
    """The groups of cards that offer the same."""
    alike: defaultdict[tuple[Number, ...], list[str]] = defaultdict(list)
    for id_, offer in zip(ids, offers, strict=True):
        alike[tuple(offer)].append(id_)
    return [tuple(group) for group in alike.values() if len(group) > 1]


def find_dominated(ids: Sequence[str], offers: Sequence[Sequence[Number]]) -> list[Dominated]:
    """The cards that another one dominates (Pareto). More is better in each offer.

    Numbers are compared by their order within a column, so nothing is rounded.
    """
    import numpy as np  # rarely needed: most commands only read the questions

    ranks = np.array([_rank(column) for column in zip(*offers, strict=True)]).T
    found = []
    for number, id_ in enumerate(ids):
        better = np.all(ranks >= ranks[number], axis=1) & np.any(ranks > ranks[number], axis=1)
        if better.any():
            found.append(Dominated(id_, tuple(ids[int(at)] for at in np.flatnonzero(better))))
    return found


def _rank(column: Sequence[Number]) -> list[int]:
    order = {value: rank for rank, value in enumerate(sorted(set(column)))}
    return [order[value] for value in column]


def answer_comparison(
    component: Component, title: str | None, better: Mapping[str, Direction], name: str
) -> OddsAnswer:
    """The dominated cards and the twins. Raises MisfitError."""
    names = list(map(say_value, value_each(component, name)))
    if len(names) > _MOST_CARDS:
        raise MisfitError(f"{len(names):,} cards are compared", f"at most {_MOST_CARDS:,}")
    columns = [
        [number if way == "more" else -number for number in number_each(component, text)]
        for text, way in better.items()
    ]
    offers = list(zip(*columns, strict=True))
    twins, dominated = find_twins(names, offers), find_dominated(names, offers)
    rows = [OddsRow(one.id, None, f"beaten by {_name_some(one.by)}") for one in dominated]
    rows += [OddsRow(one[0], None, f"the same as {_name_some(one[1:])}") for one in twins]
    beaten = f"{len(dominated)} of {count_of(len(names), 'card')} are beaten"
    alike = f"{sum(map(len, twins))} have a twin"
    way = ", ".join(f"{way} {text}" for text, way in better.items())
    return OddsAnswer(
        kind="compare",
        title=title or f"Comparison by {', '.join(better)}",
        component=component.title,
        said=(
            f"{beaten}: another is worse in nothing and better in something. {alike}.",
            f"Better is {way}.",
        ),
        heads=("card", "finding"),
        rows=tuple(rows),
    )


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
