"""What a page is told of findings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.basics.errors import Place, Problem
from generator.model import Game
from generator.studio.view import View, describe_findings
from tests.checks.test_table import component


def test_many_findings_that_are_alike_are_one() -> None:
    faults = [Problem(Place("a.csv", n + 1).at_column("x"), f"'v{n}' is odd") for n in range(5000)]
    (told,) = describe_findings(faults, None)
    assert told["where"] == "a.csv:1 column x"
    assert told["what"] == "'v0' is odd (and 4,999 more like it)"
    assert len(describe_findings(faults[:10], None)) == 10


def test_a_finding_has_the_faces_of_all_that_are_alike() -> None:
    keys = [("cards", str(n), "front") for n in range(20)]
    faults = [Problem(Place("a.csv", n + 1), "odd", faces=(key,)) for n, key in enumerate(keys)]
    (told,) = describe_findings(faults, None)
    assert told["faces"] == ["/".join(key) for key in keys]


CELLS = {  # rows of a table, and cells in the second of them
    "text": (Place("t.csv", 2), Place("t.csv", 3), Place("t.csv", 3).at_column("a")),
    "sheet": (
        Place("t.xlsx", 2, sheet="Cards"),
        Place("t.xlsx", 3, sheet="Cards"),
        Place("t.xlsx", 3, sheet="Cards", letters="C"),
    ),
}


@pytest.mark.parametrize("kind", CELLS)
def test_a_finding_in_a_cell_has_the_faces_of_its_row(kind: str) -> None:
    *rows, cell = CELLS[kind]
    cards = component([(1,), (2,)])
    pieces = [replace(p, place=row) for p, row in zip(cards.pieces, rows, strict=True)]
    game = Game("g", "G", "D", "A", (replace(cards, pieces=tuple(pieces)),), ())
    elsewhere = Place(cell.file, 9, sheet=cell.sheet)
    found = [Problem(cell, "odd"), Problem(elsewhere, "odder")]
    told = describe_findings(found, View(game, {}, (), ()))
    assert [message["faces"] for message in told] == [["cards/P2/front"], []]


def test_what_turns_or_breaks_a_line_is_shown_as_it_is_written() -> None:
    (told,) = describe_findings([Problem(Place("a\x1b"), "b\u202e", "c\n")], None)
    assert (told["where"], told["what"], told["hint"]) == ("a\\x1b", "b\\u202e", "c\\n")
