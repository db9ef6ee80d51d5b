"""A chance as a rule of the deck: `pnp check` fails if a change breaks it."""

from __future__ import annotations

import pytest

from generator.basics import keys
from generator.basics.errors import MisfitError, Problem
from generator.play.odds.rule import Odds
from tests.play.odds.decks import deck_of, lands


def check(chance: str, **options: object) -> list[Problem]:
    raw = {"draw": 7, "want": ["2-4 of kind == 'land'"], "chance": chance, **options}
    return rule_of(raw).check(lands())


def rule_of(raw: dict[str, object]) -> Odds:
    rule, faults = keys.read(Odds, raw)
    for fault in faults:
        raise MisfitError(fault.what)
    assert rule
    return rule


@pytest.mark.parametrize("chance", ["70-80%", "77.4 – 77.5 %", "0-100%"])
def test_a_chance_within_its_range_is_no_finding(chance: str) -> None:
    assert check(chance) == []


@pytest.mark.parametrize("chance", ["80-100%", "0-77.4%"])
def test_a_chance_outside_its_range_is_a_finding_with_its_figures(chance: str) -> None:
    (problem,) = check(chance, title="lands")
    assert (problem.rule, problem.level) == ("odds", "error")
    assert problem.found == "lands: 77.5 %"
    assert problem.what.startswith("lands: 77.5 % of the hands of 7, not ")


def test_mulligans_count() -> None:
    assert check("94-96%", mulligans=1) == []
    assert check("77-78%", mulligans=1) != []


def test_a_rule_that_cannot_be_checked_is_a_finding() -> None:
    rule = rule_of({"draw": 7, "want": ["1+ of kind == 'land'"], "chance": "0-100%"})
    (problem,) = rule.check(deck_of([{"kind": "land"}]))
    assert problem.what == "7 cards are drawn from 1 card"


@pytest.mark.parametrize("chance", ["60%", "60-50%", "50-160%", ".5-.6", "0.5", "", "50-60"])
def test_a_range_that_nobody_can_read_is_refused(chance: str) -> None:
    with pytest.raises(MisfitError, match="is not a range of percent"):
        check(chance)
