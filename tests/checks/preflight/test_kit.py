"""What a booklet says of its kit is held against the kit."""

from __future__ import annotations

import pytest

from generator.basics.errors import Place
from generator.checks.preflight import CountedPart, contents_agree, symbols_agree

PARTS = [
    CountedPart("tiles", "Tiles", 48),
    CountedPart("reference", "Reference cards", 2),
    CountedPart("box", "Box", 1),
]
RULES = """\
# Taluva

## In the box

::: kit  What you have before you
48 tiles: three fields each
- 2 reference cards
1 BOX

:::

2 cards are dealt.
"""


def found(text: str) -> list[tuple[str, str, str]]:
    return [
        (problem.rule, str(problem.place), problem.what)
        for problem in contents_agree(text, Place("taluva/rules.md"), PARTS)
    ]


def test_sound() -> None:
    assert found(RULES) == []
    assert found(RULES.replace("reference cards", "reference")) == [], "its id will do"
    assert found(RULES.replace("48 tiles: three fields each\n", "::: kit\n48 Tiles\n")) != []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("48 tiles", "47 tiles", ("kit.number", ":6", "Tiles: the kit has 48, not 47")),
        ("1 BOX", "1 box\n1 box", ("kit.number", ":9", "line 8 already lists Box")),
        ("1 BOX", "1 box\n3 dice", ("kit.unknown", ":9", "the kit has no 'dice'")),
        ("1 BOX", "1 box\nsome dice", ("kit.unknown", ":9", "the kit has no 'some dice'")),
        ("1 BOX", "", ("kit.missing", "", "the rules do not list Box, of which the kit has 1")),
    ],
)
def test_fault(old: str, new: str, expected: tuple[str, str, str]) -> None:
    rule, line, what = expected
    assert found(RULES.replace(old, new)) == [(rule, f"taluva/rules.md{line}", what)]


def test_hint_names_what_was_meant() -> None:
    (problem,) = list(contents_agree(RULES.replace("1 BOX", "1 box\n4 tilse"), Place("r.md"), PARTS))
    assert problem.hint == "did you mean 'Tiles'?"


def test_without_a_list_all_is_missing() -> None:
    assert [rule for rule, _, _ in found("48 tiles\n2 reference cards\n1 box\n")] == 3 * ["kit.missing"]


def test_list_that_is_never_closed_and_nonsense() -> None:
    assert found("::: kit\n48 tiles\n2 reference\n1 box") == []
    for nonsense in ("9" * 50_000, "1 a" + " " * 50_000 + "b", "x:" * 50_000):
        assert found(f"::: kit\n{nonsense}\n:::\n")[0][0] == "kit.unknown"


def test_symbols() -> None:
    shown_in = {"volcano": Place("rules.md", 4), "lave": Place("rules.md", 9)}
    (problem,) = symbols_agree(shown_in, {"volcano", "lava", "hut"})
    assert (problem.level, problem.rule, str(problem.place)) == ("warning", "kit.symbol", "rules.md:9")
    assert problem.what == "the symbol 'lave' is not on any piece"
    assert problem.hint == "did you mean 'lava'?"
    assert list(symbols_agree({"hut": Place("rules.md", 1)}, ["hut"])) == []
