"""Messages and hints."""

from __future__ import annotations

import datetime

import pytest

from generator.errors import PnpError, Problem, at_most, did_you_mean, fail, nearest, shown


def test_problem_is_told_in_one_line_and_a_hint() -> None:
    assert str(Problem("a/b.csv:7", "the cell is empty")) == "error: a/b.csv:7: the cell is empty"
    told = str(Problem("a/b.csv:7", "odd", "repair it", "warning"))
    assert told == "warning: a/b.csv:7: odd\n    hint: repair it"


def test_error_carries_every_problem() -> None:
    problems = [Problem("a", "one"), Problem("b", "two")]
    assert PnpError(iter(problems)).problems == tuple(problems)
    assert str(PnpError(problems)) == "error: a: one\nerror: b: two"
    assert fail("a", "one").problems == (problems[0],)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("talavra", "did you mean 'talavera'?"),
        ("TALAVERA", "did you mean 'talavera'?"),
        ("id", "did you mean 'ID'?"),
        ("zzz", "known: ID, talavera"),
        ("", "known: ID, talavera"),
        ("x" * 1_000_000, "known: ID, talavera"),
    ],
)
def test_nearest_word_is_meant(word: str, hint: str) -> None:
    assert did_you_mean(word, ["talavera", "ID"]) == hint


def test_nothing_known_is_no_hint() -> None:
    assert did_you_mean("word", []) == ""
    assert nearest("word", []) == ""


def test_long_list_is_cut() -> None:
    hint = did_you_mean("zzz", [f"name{i:03}" for i in range(100)])
    assert hint.endswith("name019, …")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("it's", '"it\'s"'),
        ("a\nb\x1b", "'a\\nb\\x1b'"),
        ("x" * 100, "'" + "x" * 59 + "…'"),
        (True, "true"),
        (-7, "-7"),
        (10**5000, "a very large number"),
        (2.5, "2.5"),
        ([1, 2], "a list"),
        ({"a": 1}, "a table"),
        (datetime.date(1979, 5, 27), "1979-05-27"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_value_is_shown_as_a_person_writes_it(value: object, told: str) -> None:
    assert shown(value) == told


def test_no_more_than_so_many_problems() -> None:
    problems = [Problem(f"a:{i}", "odd") for i in range(5)]
    assert list(at_most(5, problems)) == problems
    cut = list(at_most(2, iter(problems)))
    assert cut[:2] == problems[:2]
    assert [(p.where, p.what) for p in cut[2:]] == [("a:1", "there are more faults below")]
    assert list(at_most(2, [])) == []
