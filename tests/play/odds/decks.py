"""Small decks as components, without a game around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.basics.errors import Place
from generator.basics.geometry import Size
from generator.basics.shapes import rectangle
from generator.model import Component, Piece, Value

HERE = Place("cards.csv")


def deck_of(rows: Sequence[Mapping[str, Value]]) -> Component:
    """A component with a piece for each row; `count` is its number of copies."""
    pieces = tuple(
        Piece(str(row.get("id", number)), row, int(row.get("count", 1)), HERE) for number, row in enumerate(rows, 1)
    )
    return Component(
        id="cards",
        title="Cards",
        shape=rectangle(Size(60, 90)),
        corner_radius=0,
        bleed=3,
        back_bleed=3,
        safe=3,
        cuts="shared",
        columns={},
        pieces=pieces,
        place=HERE,
    )


def poker() -> Component:
    """The 52 cards; the ace counts 14."""
    suits = ("clubs", "diamonds", "hearts", "spades")
    return deck_of([{"rank": str(rank), "suit": suit} for suit in suits for rank in range(2, 15)])


def lands() -> Component:
    """A deck of Magic: 24 lands of 60 cards."""
    return deck_of([{"kind": "land", "count": 24}, {"kind": "spell", "count": 36}])
