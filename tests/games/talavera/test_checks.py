"""The deck as published, and the balanced one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from generator import checks, pipeline
from generator.basics.errors import Place, Problem
from generator.games.talavera.checks import Deal
from generator.model import Piece
from tests.conftest import bounded
from tests.support.once import findings


def by_rule(problems: list[Problem], level: str) -> list[str]:
    return sorted(problem.rule for problem in problems if problem.level == level)


def test_published_deck_has_no_error_and_known_warnings() -> None:
    problems = checks.check(pipeline.read("talavera"))
    assert by_rule(problems, "error") == []
    assert by_rule(problems, "warning") == ["balanced", "complete", "spread", "spread", "unique", "unique"]
    assert all(problem.accepted for problem in findings("talavera")), "argued in its spec"


def test_warnings_name_the_cards() -> None:
    alike = [p.what for p in findings("talavera") if p.rule == "unique"]
    assert [what.partition(" are")[0] for what in alike] == ["9 and 18", "12 and 15"]


@pytest.mark.parametrize("level", ["error", "warning"])
def test_balanced_deck_passes(level: str) -> None:
    assert by_rule(checks.check(pipeline.read("talavera-balanced")), level) == []


TILES = ("yellow", "azure", "sky", "red")
PUBLISHED = pipeline.read("talavera").game.components[0].pieces


def deal(pieces: Sequence[Piece]) -> list[str]:
    """What the rule of the deal says of a deck of other cards."""
    component = pipeline.read("talavera").game.components[0]
    return [p.what for p in Deal(tiles=TILES).check(replace(component, pieces=tuple(pieces)))]


def cards(*rows: tuple[int, int, int, int]) -> list[Piece]:
    return [
        Piece(str(n), dict(zip(TILES, row, strict=True)), 1, Place("cards.csv", n + 1)) for n, row in enumerate(rows, 1)
    ]


def test_published_deck_can_be_dealt_and_won() -> None:
    assert deal(PUBLISHED) == []


def test_too_few_cards_cannot_be_dealt() -> None:
    assert deal(PUBLISHED[:17]) == [
        "a two-player game needs 18 cards, there are 17",
        "a solo game needs 18 cards, there are 17",
    ]


def test_copies_can_be_dealt() -> None:
    assert deal([*PUBLISHED[:16], replace(PUBLISHED[16], copies=2)]) == []


def test_card_without_a_tile_is_named() -> None:
    blank = replace(PUBLISHED[4], row={**PUBLISHED[4].row, **dict.fromkeys(TILES, 0)})
    assert deal([*PUBLISHED[:4], blank, *PUBLISHED[5:]]) == ["5 shows no tile to place"]


CANNOT = "no deal of the solo game can be won: no four pairs make sets of 1, 2, 3 and 4"
CANNOT_BE_WON = {
    "one tile of each on every card: no set of 1, 3 or 4": [(1, 1, 1, 1)] * 18,
    "a colour is missing": [(3, 1, 0, 0), (1, 3, 0, 0), (2, 1, 1, 0)] * 6,
    "one card makes both the set of 3 and the set of 4": [(3, 3, 3, 3), *[(1, 1, 1, 1)] * 17],
}


@pytest.mark.parametrize("name", CANNOT_BE_WON)
def test_deck_that_cannot_be_won_is_found(name: str) -> None:
    assert deal(cards(*CANNOT_BE_WON[name])) == [CANNOT]


def test_one_card_makes_the_difference() -> None:
    """A yellow tile, two azure, three or four red, and sky for whatever is left."""
    sky = (0, 0, 1, 0)
    needed = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0), (0, 0, 3, 0), (0, 0, 0, 3), (0, 0, 0, 1)]
    rest = [sky] * 12
    assert deal(cards(*needed, *rest)) == []
    for index in (0, 1, 2, 4):
        assert deal(cards(*needed[:index], sky, *needed[index + 1 :], *rest)) == [CANNOT]


def test_hard_deck_takes_no_time() -> None:
    """Many sets of 1 and 2, and one card in all of 3 and 4: found without trying them all."""
    rows = [(3, 3, 3, 3)]
    for n in range(39):
        yellow, azure, sky, red = (((n % 15 + 1) >> bit) & 1 for bit in range(4))
        rows.append((yellow, azure, sky, red))
    with bounded():
        assert deal(cards(*rows)) == [CANNOT]
