"""Messages and hints."""

from __future__ import annotations

import datetime

import pytest

from generator.basics.errors import (
    Place,
    PnpError,
    Problem,
    at_most,
    did_you_mean,
    escape,
    fail,
    messages,
    nearest,
    quote,
)


def test_problem_is_reported_in_one_line_and_a_hint() -> None:
    assert str(Problem(Place("a/b.csv", 7), "the cell is empty")) == "error: a/b.csv:7: the cell is empty"
    told = str(Problem(Place("a/b.csv", 7), "odd", "repair it", "warning"))
    assert told == "warning: a/b.csv:7: odd\n    hint: repair it"


def test_error_carries_every_problem() -> None:
    problems = [Problem(Place("a"), "one"), Problem(Place("b"), "two")]
    assert PnpError(iter(problems)).problems == tuple(problems)
    assert str(PnpError(problems)) == "error: a: one\nerror: b: two"
    assert fail(Place("a"), "one").problems == (problems[0],)


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


@pytest.mark.parametrize(("word", "near"), [("10", ""), ("1", "1"), ("1o", "1"), ("a12", "a1")])
def test_another_number_is_no_misspelling(word: str, near: str) -> None:
    assert nearest(word, ["1", "a1"]) == near


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
    assert quote(value) == told


def test_no_more_than_so_many_problems() -> None:
    problems = [Problem(Place("a", i), "odd") for i in range(1, 6)]
    assert list(at_most(5, problems)) == problems
    cut = list(at_most(2, iter(problems)))
    assert cut[:2] == problems[:2]
    assert [(str(p.place), p.what) for p in cut[2:]] == [("a:2", "there are more faults below")]
    assert list(at_most(2, [])) == []


def test_alike_faults_are_one_message_that_names_the_first_places() -> None:
    """Of each file one, and of nothing that differs in more than its place."""
    faults = [Problem(Place(f"art/{name}.svg", line), "no font", "f") for name in "ab" for line in (1, 2)]
    faults.insert(1, Problem(Place("art/a.svg", 1), "no font", "another"))
    faults.append(Problem(Place("art/a.svg", 1), "no font", "f", "note"))
    assert list(messages(faults)) == [
        "error: art/a.svg:1: no font\n    also: art/b.svg:1, art/a.svg:2, art/b.svg:2\n    hint: f",
        "error: art/a.svg:1: no font\n    hint: another",
        "note: art/a.svg:1: no font\n    hint: f",
    ]


@pytest.mark.parametrize(("others", "told"), [(0, []), (1, ["a:2"]), (5, ["a:6"]), (6, ["a:6 and 1 more"])])
def test_so_many_places_are_named(others: int, told: list[str]) -> None:
    [message] = messages(Problem(Place("a", n + 1), "so") for n in range(others + 1))
    lines = message.splitlines()
    assert lines[0] == "error: a:1: so"
    assert [line.rpartition(", ")[2].removeprefix("    also: ") for line in lines[1:]] == told


def bad_cells(count: int, rule: str = "") -> list[Problem]:
    """The cells of a column, each with a value of its own."""
    return [Problem(Place("a.csv", n + 1).at_column("x"), f"'v{n}' is odd", "no", rule=rule) for n in range(count)]


def test_a_few_that_differ_in_what_they_repeat_are_reported_one_by_one() -> None:
    assert list(messages(bad_cells(10))) == [str(problem) for problem in bad_cells(10)]


def test_many_that_differ_in_what_they_repeat_are_one_message() -> None:
    problems = [*bad_cells(5000), Problem(Place("a.csv", 7).at_column("y"), "'v' is odd", "no")]
    assert list(messages(problems)) == [
        "error: a.csv:1 column x: 'v0' is odd\n    also: "
        + ", ".join(f"a.csv:{n + 1} column x ('v{n}')" for n in range(1, 6))
        + " and 4,994 more\n    hint: no",
        str(problems[-1]),
    ]


def test_many_at_one_place_are_reported_by_their_values() -> None:
    problems = [Problem(Place("--only"), f"there is no part 'a{n}'", "'x'?") for n in range(11)]
    (message,) = messages(problems)
    also = "also: 'a1', 'a2', 'a3', 'a4', 'a5' and 5 more"
    assert message == f"error: --only: there is no part 'a0'\n    {also}\n    hint: 'x'?"


def test_findings_of_rules_are_reported_one_by_one() -> None:
    """Which pieces each is about stands in its words."""
    findings = bad_cells(50, rule="unique")
    assert len(list(messages(findings))) == len(findings)


def test_findings_of_one_rule_beyond_a_number_are_counted() -> None:
    told = list(messages([*bad_cells(70, rule="unique"), *bad_cells(3, rule="sum")]))
    assert len(told) == 50 + 3 + 1
    assert "there are 20 more findings of 'unique'" in told[-1]


def test_faults_of_one_file_beyond_a_number_are_counted() -> None:
    def odd(file: str, count: int) -> list[Problem]:
        return [Problem(Place(file, 1), f"{file}{chr(0x100 + n)} is odd") for n in range(count)]

    told = list(messages([*odd("a.csv", 70), *odd("b.csv", 2)]))
    assert told[:50] == [str(problem) for problem in odd("a.csv", 50)]
    assert told[50:52] == [str(problem) for problem in odd("b.csv", 2)]
    rest = "error: a.csv: there are 20 more faults\n    hint: repair these first"
    assert told[52:] == [rest]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schön, 'so' · 龍 👩\u200d🚀", "schön, 'so' · 龍 👩\u200d🚀"),
        ("a\nb\tc\0", "a\\nb\\tc\\x00"),
        ("\x1b[2J\x7f\x9b", "\\x1b[2J\\x7f\\x9b"),
        ("\u2028\u202e\u2066\udcff", "\\u2028\\u202e\\u2066\\udcff"),
        ("x" * 600, "x" * 600),
        ("a" * 99_999 + "b" * 300, "a" * 300 + "…" + "b" * 300),
    ],
)
def test_what_steers_a_terminal_is_escaped(text: str, said: str) -> None:
    assert escape(text) == said
    problem = Problem(Place(text), text, text, accepted=text)
    lines = problem.format([text]).split("\n")
    assert lines == [f"error: {said}: {said}", f"    also: {said}", f"    accepted: {said}"]
    assert Problem(Place("a"), "b", text).format().endswith(f"    hint: {said}")
