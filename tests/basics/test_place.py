"""Places: what a person is told, and what is made of them."""

from __future__ import annotations

import pickle

import pytest

from generator.basics.errors import Place

CARDS = Place("a/cards.csv")
HEROES = Place("a/cards.xlsx", 7, sheet="Heroes", letters="C")


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (CARDS, "a/cards.csv"),
        (CARDS.at_line(7), "a/cards.csv:7"),
        (CARDS.at_line(7).at_column("red"), "a/cards.csv:7 column red"),
        (CARDS.at_line(7).at_line(0), "a/cards.csv"),
        (Place("printers.toml", part="printer laser"), "printers.toml printer laser"),
        (Place("--to svg"), "--to svg"),
        (HEROES, "a/cards.xlsx:Heroes!C7"),
        (HEROES.row, "a/cards.xlsx:Heroes!A7"),
        (HEROES.row.at_column("red"), "a/cards.xlsx:Heroes!A7 column red"),
    ],
    ids=str,
)
def test_a_place_is_written_in_one_way(place: Place, told: str) -> None:
    assert str(place) == told


def test_all_cells_of_a_row_are_in_it() -> None:
    line = CARDS.at_line(7)
    assert line.at_column("red").row == line == line.row
    assert HEROES.at_column("red").row == HEROES.row != HEROES
    assert CARDS.at_line(8).row != line
    assert Place("a/cards.xlsx", 7, sheet="Villains").row != HEROES.row


def test_places_are_sorted_by_their_lines_as_numbers() -> None:
    lines = [CARDS.at_line(number) for number in (10, 9, 100)]
    assert [place.line for place in sorted(lines)] == [9, 10, 100]


def test_a_worker_process_can_learn_of_one() -> None:
    assert pickle.loads(pickle.dumps(HEROES)) == HEROES
    assert {HEROES: 1}[pickle.loads(pickle.dumps(HEROES))] == 1
