"""Each rule passes a table that keeps it, and names the piece of one that does not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import pytest

from generator.basics.errors import Place, Problem
from generator.basics.geometry import Size
from generator.basics.shapes import rectangle
from generator.checks import check
from generator.checks.table import Balanced, Complete, Count, Numeric, OneOf, Permutation, Spread, Sum, Unique
from generator.model import Check, Component, Design, Game, LoadedGame, Piece, PlacedCheck, Renderer
from generator.pipeline.game import CHECKS

AB = ("a", "b")
ABC = ("a", "b", "c")
Table = Sequence[tuple[int, ...]]


class Blank:
    """A renderer that draws nothing; no rule asks it to."""

    def columns(self) -> list[object]:
        return []

    def draw(self, *_: object) -> list[object]:
        raise NotImplementedError

    def features(self, *_: object) -> list[object]:
        return []


BLANK: Renderer = Blank()  # type: ignore[assignment]


def component(table: Table, copies: Sequence[int] = ()) -> Component:
    """Pieces P1, P2, … in lines 2, 3, … with the columns a, b, c, d."""
    pieces = tuple(
        Piece(f"P{n}", dict(zip("abcd", row, strict=False)), count, Place("t.csv", n + 1))
        for n, (row, count) in enumerate(zip(table, copies or [1] * len(table), strict=True), 1)
    )
    return Component(
        id="cards",
        title="Cards",
        shape=rectangle(Size(10.0, 10.0)),
        corner_radius=0.0,
        bleed=0.0,
        back_bleed=0.0,
        safe=3.0,
        cuts="shared",
        columns={"front": ()},
        pieces=pieces,
        place=Place("game.toml", 9),
    )


def load(part: Component, *rules: Check) -> LoadedGame:
    """A game of one component, with rules that stand where it does."""
    placed = tuple(PlacedCheck(rule, part.place) for rule in rules)
    return LoadedGame(Game("g", "G", "D", "A", (part,), ()), (Design(part, BLANK, None, placed),))


class Ruled(NamedTuple):
    """A rule, a table that keeps it, one that breaks it, where and what the rule then reports, and
    what an [[accept]] of that is bound to: pieces and figures."""

    rule: Count | Numeric
    sound: Table
    broken: Table
    where: str
    what: str
    on: tuple[str, ...]
    found: str


ORDERS: Table = list(permutations((1, 2, 3)))
RULED = (
    Ruled(
        Count(equals=2),
        sound=[(1,)] * 2,
        broken=[(1,)] * 3,
        where="game.toml:9",
        what="there are 3 cards, not 2",
        on=("cards",),
        found="3 cards",
    ),
    Ruled(
        Sum(of=AB, equals=4),
        sound=[(1, 3), (4, 0)],
        broken=[(1, 3), (4, 1)],
        where="t.csv:3",
        what="a 4 b 1: together 5, not 4",
        on=("cards/P2",),
        found="a 4 b 1",
    ),
    Ruled(
        OneOf(of=AB, numbers=(0, 2)),
        sound=[(0, 2), (2, 2)],
        broken=[(0, 2), (2, 1)],
        where="t.csv:3 column b",
        what="1 is not allowed",
        on=("cards/P2",),
        found="b 1",
    ),
    Ruled(
        Permutation(of=ABC, numbers=(1, 2, 3)),
        sound=ORDERS,
        broken=[(1, 2, 3), (1, 2, 2)],
        where="t.csv:3",
        what="a 1 b 2 c 2: not each of 1, 2, 3 once",
        on=("cards/P2",),
        found="a 1 b 2 c 2",
    ),
    Ruled(
        Unique(of=AB),
        sound=[(1, 2), (2, 1)],
        broken=[(1, 2), (2, 1), (1, 2), (1, 2)],
        where="t.csv:4",
        what="P1, P3 and P4 are alike: a 1 b 2",
        on=("cards/P1", "cards/P3", "cards/P4"),
        found="a 1 b 2",
    ),
    Ruled(
        Balanced(of=AB),
        sound=[(1, 2), (2, 2)],
        broken=[(1, 2), (0, 3)],
        where="game.toml:9",
        what="the totals differ: a 1, b 5 (even: 3); most b on P2",
        on=("cards",),
        found="a 1, b 5",
    ),
    Ruled(
        Spread(of=AB, numbers=(1,)),
        sound=[(1, 2), (2, 1)],
        broken=[(1, 2), (1, 2), (1, 1)],
        where="game.toml:9",
        what="the number 1 is uneven: a 3, b 1; in a on P1, P2 and P3",
        on=("cards",),
        found="1: a 3, b 1",
    ),
    Ruled(
        Complete(of=ABC, numbers=(1, 2, 3)),
        sound=ORDERS,
        broken=[*ORDERS[1:], ORDERS[1]],
        where="game.toml:9",
        what="1 of 6 orders are absent (a, b, c): 1-2-3",
        on=("cards",),
        found="a, b, c: 1-2-3",
    ),
)
each_rule = pytest.mark.parametrize("ruled", RULED, ids=lambda ruled: ruled.rule.kind)


@each_rule
def test_table_that_keeps_the_rule(ruled: Ruled) -> None:
    assert check(load(component(ruled.sound), ruled.rule)) == []


@each_rule
def test_fault_is_named(ruled: Ruled) -> None:
    (found,) = check(load(component(ruled.broken), ruled.rule))
    assert str(found.place) == ruled.where
    kind = ruled.rule.kind
    assert found == Problem(found.place, ruled.what, "", "error", kind, ruled.on, ruled.found)


@each_rule
def test_rule_reads_the_columns_it_names(ruled: Ruled) -> None:
    rule = ruled.rule
    assert [column.name for column in rule.columns()] == list(getattr(rule, "of", ()))
    assert CHECKS[rule.kind] is type(rule)


def test_all_faulty_pieces_are_named() -> None:
    found = Sum(of=AB, equals=4).check(component([(9, 9), (2, 2), (0, 0)]))
    assert [str(problem.place) for problem in found] == ["t.csv:2", "t.csv:4"]


def test_copies_count() -> None:
    deck = component([(1, 2), (2, 1)], copies=[2, 1])
    assert Count(equals=3).check(deck) == []
    assert [p.what for p in Unique(of=AB).check(deck)] == ["P1 (2 copies) are alike: a 1 b 2"]
    assert [p.what for p in Balanced(of=AB).check(component([(1, 3)], copies=[2]))] == [
        "the totals differ: a 2, b 6 (even: 4); most b on P1 (2 copies)"
    ]


def test_piece_without_copies_counts_nothing() -> None:
    assert Unique(of=AB).check(component([(1, 2), (1, 2)], copies=[1, 0])) == []


def test_what_whole_numbers_cannot_help_is_no_fault() -> None:
    assert Balanced(of=AB).check(component([(2, 3)])) == []
    assert list(Spread(of=AB, numbers=(2, 3)).check(component([(2, 3)]))) == []
    assert Balanced(of=AB).check(component([(2, 4)])) != []


def test_orders_that_cannot_all_be_there_are_a_note() -> None:
    """Three of six, every number once in every column: as even as can be."""
    (found,) = Complete(of=ABC, numbers=(1, 2, 3)).check(component([(1, 2, 3), (2, 3, 1), (3, 1, 2)]))
    assert found.level == "note"
    assert found.what.startswith("3 of 6 orders are absent (a, b, c): 1-3-2, 2-1-3, 3-2-1; ")


def test_lopsided_orders_are_a_fault() -> None:
    (found,) = Complete(of=ABC, numbers=(1, 2, 3)).check(component([(1, 2, 3), (1, 3, 2), (2, 1, 3)]))
    assert found.level == "error"
    assert "1 is missing 2 times in c" in found.what


def test_game_is_checked_errors_first() -> None:
    loaded = load(
        component([(1, 1), (1, 1)]),
        Count(equals=1, level="note", hint="later"),
        Unique(of=AB, level="warning"),
        Sum(of=AB, equals=4),
    )
    found = check(loaded)
    assert [problem.level for problem in found] == ["error", "error", "warning", "note"]
    assert [problem.rule for problem in found] == ["sum", "sum", "unique", "count"]
    assert found[-1].hint == "later"
