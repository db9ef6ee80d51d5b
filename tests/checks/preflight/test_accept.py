"""A finding may stay for a reason if it is the one that the reason speaks of."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator import pipeline
from generator.basics.errors import Place, Problem
from generator.checks import Reasons, entry
from generator.model import Accept
from tests.bad_specs.games import HERE
from tests.checks.preflight.planted import check
from tests.checks.preflight.test_reading import text
from tests.conftest import Pnp
from tests.support.printing import alone

SMALL, SMALLER, TINY = text("Hello", 6.5), text("Hello", 6.2), text("Hello", 5)
COUNT = '\n[[accept]]\nfinding = "count"\non = "cards"\nfound = "{}"\nreason = "it is meant"\n'
ALL = COUNT.format("3 cards") + 'level = "error"\n'


def accept(finding: str, found: str, *on: str, level: Any = "warning") -> Reasons:
    return Reasons([Accept(finding, on, found, "it is meant", level, Place("game.toml", 30))])


def told(problems: list[Problem]) -> list[tuple[str, str, str]]:
    return [(problem.level, problem.what.partition(":")[0], problem.accepted) for problem in problems]


def stale(reasons: Reasons) -> list[tuple[str, str]]:
    found = list(reasons.stale(["text.small", "text.tiny", "count", "unique"]))
    assert {(problem.level, problem.rule, str(problem.place)) for problem in found} <= {
        ("warning", "accept.stale", "game.toml:30")
    }
    return [(problem.what, problem.hint) for problem in found]


def test_accepted_on_a_component() -> None:
    reasons = accept("text.small", "at least 6.5 pt", "cards")
    (found,) = check([SMALL, SMALL, ""], reasons=reasons)
    assert told([found]) == [("note", "the backs of 1 and 2", "it is meant")]
    assert str(found).endswith("at 6.5 pt\n    accepted: it is meant")
    assert stale(reasons) == []


def test_accepted_on_one_piece() -> None:
    """The others are told as ever; on pieces whose names begin alike too."""
    reasons = accept("text.small", "at least 6.5 pt", "cards/1")
    problems = check([SMALL] * 11, reasons=reasons)
    assert sorted(told(problems)) == [
        ("note", "the back of 1", "it is meant"),
        ("warning", "the backs of 2, 3, 4 and 7 more", ""),
    ]
    assert stale(reasons) == []


def test_pieces_that_share_a_fault_are_all_named() -> None:
    """Of two that differ in colour alone, one by itself is not what is found."""
    alike = Problem(Place("t", 1), "alike", "", "warning", "unique", ("cards/1", "cards/2"), "a 1")
    assert accept("unique", "a 1", "cards/1").settle(alike).level == "warning"
    assert accept("unique", "a 1", "cards/2", "cards/1").settle(alike).level == "note"
    assert accept("unique", "a 1", "cards/1", "cards/2", "cards/3").settle(alike).level == "warning"
    assert accept("unique", "a 1").settle(alike).level == "warning"


@pytest.mark.parametrize("on", ["card", "cards/12", "tiles", "cards/1/2"])
def test_accepted_elsewhere(on: str) -> None:
    reasons = accept("text.small", "at least 6.5 pt", on)
    assert told(check([SMALL], reasons=reasons)) == [("warning", "the back of 1", "")]
    ((what, hint),) = stale(reasons)
    if on == "cards/12":
        assert what == "'text.small' is accepted with other pieces than those found now"
        assert hint == 'to accept these, write on = "cards"'
    elif on == "cards/1/2":
        assert hint == 'to accept these, write on = "cards"'
    else:
        assert what == f"'text.small' is accepted on '{on}', but not found"
        assert hint == "remove this [[accept]]"


def test_measure_that_is_no_worse() -> None:
    """A redrawn face needs no new reason, unless it is worse than what was accepted."""
    reasons = accept("text.small", "at least 6.3 pt", "cards")
    problems = check([SMALL, SMALLER], reasons=reasons)
    assert sorted(told(problems)) == [("note", "the back of 1", "it is meant"), ("warning", "the back of 2", "")]
    worse = accept("text.small", "at least 6.3 pt", "cards")
    assert told(check([SMALLER], reasons=worse)) == [("warning", "the back of 1", "")]
    assert stale(worse) == [
        (
            "'text.small' is accepted with other figures than those found now",
            'to accept these, write found = "at least 6.2 pt"',
        )
    ]


@pytest.mark.parametrize(
    ("accepted", "found", "is_accepted"),
    [
        ("at most 160 %", "at most 155 %", True),
        ("at most 160 %", "at most 161 %", False),
        ("at least 6.5 pt", "at least 6.5 mm", False),
        ("at least 6.5 pt", "at most 6.5 pt", False),
        ("6.5 pt", "at least 6.5 pt", False),
        ("at least -0.5 mm", "at least 0 mm", True),
        ("yellow 18, azure 17", "yellow 17, azure 18", False),
        ("yellow 18, azure 17", "yellow 18, azure 17", True),
    ],
)
def test_figures(accepted: str, found: str, is_accepted: bool) -> None:
    problem = Problem(Place("t", 1), "found", "", "warning", "count", ("cards",), found)
    assert bool(accept("count", accepted, "cards").settle(problem).accepted) == is_accepted


def test_measure_on_several_components() -> None:
    reasons = accept("text.small", "at least 6.5 pt", "tokens", "cards")
    assert told(check([SMALL], reasons=reasons)) == [("note", "the back of 1", "it is meant")]


def test_many_accepts_are_not_compared_with_every_finding() -> None:
    """Twice the findings and twice the accepts are twice the work, not four times."""

    class Counted(str):
        def __eq__(self, other: object) -> bool:
            compared.append(1)
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    def work(number: int) -> int:
        compared.clear()
        accepts = [
            Accept("count", (), Counted(f"{n} cards"), "so", "warning", Place("game.toml", n)) for n in range(number)
        ]
        reasons = Reasons(accepts)
        for n in range(number):
            assert reasons.settle(Problem(Place("t", 1), f"{n} cards", "", "warning", "count")).accepted
        return len(compared)

    compared: list[int] = []
    assert work(400) <= 2.5 * work(200)


def test_error_is_accepted_only_by_name() -> None:
    reasons = accept("text.tiny", "at least 5 pt", "cards")
    assert told(check([TINY, SMALL], reasons=reasons)) == [
        ("error", "the back of 1", ""),
        ("warning", "the back of 2", ""),
    ]
    assert stale(reasons) == [
        ("'text.tiny' is accepted as a warning, but found as an error", 'to accept the error, add level = "error"')
    ]
    reasons = accept("text.tiny", "at least 5 pt", "cards", level="error")
    assert told(check([TINY], reasons=reasons)) == [("note", "the back of 1", "it is meant")]


def test_finding_that_does_not_exist() -> None:
    (found,) = accept("text.smal", "at least 6 pt").stale(["text.small"])
    assert (found.level, found.hint) == ("error", "did you mean 'text.small'?")


def test_long_figures_are_bound_as_a_whole() -> None:
    long = Problem(Place("t", 1), "x " * 999, "", "warning", "count", ("cards",))
    told = entry(long)
    assert len(told) < 600
    found = tomllib.loads(told)["accept"][0]["found"]
    assert accept("count", found, "cards").settle(long).level == "note"
    other = Problem(Place("t", 1), "x " * 998, "", "warning", "count", ("cards",))
    assert accept("count", found, "cards").settle(other).level == "warning"


def test_entry_is_toml_whatever_a_game_is_called() -> None:
    odd = 'a"b\\c\x1b\x7f\u202e😀é'
    problem = Problem(Place("t", 1), "found", "", "error", "count", (f"cards/{odd}", "cards/2"), odd)
    told = entry(problem, "more")
    assert told.isprintable() or all(sign.isprintable() for sign in told if sign != "\n")
    (read,) = tomllib.loads(told)["accept"]
    assert read == {
        "finding": "count",
        "on": [f"cards/{odd}", "cards/2"],
        "found": odd,
        "level": "error",
        "reason": "",
        "variant": "more",
    }


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(HERE / "_tiny", tmp_path / "tiny"))


def add(game: Path, text: str) -> None:
    path = game / "game.toml"
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def findings(pnp: Pnp, game: Path | str) -> list[dict[str, Any]]:
    return list(json.loads(pnp("check", game, "--format", "json").output)["findings"])


def test_rule_of_a_table(game: Path, pnp: Pnp) -> None:
    add(game, '\n[[component.rule]]\nkind = "count"\nequals = 4\n')
    assert pnp("check", game).exit_code == 1
    add(game, COUNT.format("3 cards"))
    assert [finding["rule"] for finding in findings(pnp, game)] == ["count", "accept.stale"]
    assert pnp("check", game).exit_code == pnp("build", game).exit_code == 1
    add(game, 'level = "error"\n')
    (found,) = findings(pnp, game)
    assert (found["level"], found["accepted"], found["on"]) == ("note", "it is meant", ["cards"])
    assert pnp("check", game).exit_code == pnp("build", game).exit_code == 0


def test_what_is_printed_can_be_written(game: Path, pnp: Pnp) -> None:
    """All that `--accept` prints, with reasons, leaves notes; it prints nothing but that."""
    add(game, '\n[[component.rule]]\nkind = "count"\nequals = 4\n')
    result = pnp("check", game, "--accept")
    assert result.exit_code == 1
    assert "there are 3 cards, not 4" in result.stderr
    add(game, result.stdout.replace('reason = ""', 'reason = "it is meant"'))
    assert [finding["accepted"] for finding in findings(pnp, game)] == ["it is meant"]
    assert pnp("check", game, "--accept").stdout == ""


def test_deck_that_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was published is not said of other totals."""
    monkeypatch.chdir(tmp_path)
    game = alone(tmp_path)
    table = game / "cards.csv"
    table.write_text(table.read_text("utf-8").replace("3,1,0,3,0,", "3,2,0,2,0,"), "utf-8")
    spec = (game / "game.toml").read_text("utf-8")
    problems = pipeline.check("./talavera")
    balanced, of_it = (next(p for p in problems if p.rule == r) for r in ("balanced", "accept.stale"))
    assert (balanced.level, balanced.accepted) == ("warning", "")
    assert "the totals differ: yellow 19, azure 17, sky 18" in str(balanced)
    line = spec[: spec.index('finding = "balanced"')].count("\n")
    assert str(of_it.place) == f"talavera/game.toml:{line}"
    assert of_it.what == "'balanced' is accepted with other figures than those found now"
    assert of_it.hint == ('to accept these, write found = "yellow 19, azure 17, sky 18, red 18"')


def test_stale_in_a_game(game: Path, pnp: Pnp) -> None:
    add(game, COUNT.format("3 cards").replace("count", "ink.much"))
    (found,) = findings(pnp, game)
    line = (game / "game.toml").read_text("utf-8").splitlines().index("[[accept]]") + 1
    assert (found["rule"], found["where"]) == ("accept.stale", f"tiny/game.toml:{line}")
    assert pnp("check", game).exit_code == 0


def test_variant_needs_not_what_its_game_needs(game: Path, pnp: Pnp) -> None:
    path = game / "game.toml"
    path.write_text(path.read_text("utf-8").replace("equals = 3", "equals = 4"), "utf-8")
    add(game, ALL)
    shutil.copy(game / "cards.csv", game / "more.csv")
    rows = (game / "more.csv").read_text("utf-8").rstrip().splitlines()
    (game / "more.csv").write_text("\n".join([*rows, f"9{rows[-1][1:]}"]) + "\n", "utf-8")
    add(game, '[variant.more]\nabout = "Four."\ntable.cards = "more.csv"\n')
    assert findings(pnp, "./tiny-more") == []
    add(game, ALL + 'variant = "more"\n')
    (found,) = findings(pnp, "./tiny-more")
    assert found["rule"] == "accept.stale"
    assert [finding["rule"] for finding in findings(pnp, game)] == ["count"]


def test_a_table_of_a_variant_needs_its_own_reason(game: Path, pnp: Pnp) -> None:
    """Three cards are accepted of the game's table: of another they are an error, but not of the
    same with rows that the variant adds."""
    path = game / "game.toml"
    path.write_text(path.read_text("utf-8").replace("equals = 3", "equals = 4"), "utf-8")
    shutil.copy(game / "cards.csv", game / "more.csv")
    add(game, ALL + '[variant.more]\nabout = "Other."\ntable.cards = "more.csv"\n')
    (found,) = findings(pnp, "./tiny-more")
    assert (found["rule"], found["level"], found["accepted"]) == ("count", "error", "")
    add(game, "extends = true\n")
    assert {finding["level"] for finding in findings(pnp, "./tiny-more")} == {"note"}


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ('found = "3"', "the key 'reason' is missing"),
        ('reason = "so"', "the key 'found' is missing"),
        ('found = "3"\nreason = ""', "must not be empty"),
        ('found = "3"\nreason = "so"\nlevel = "hint"', "accept.level"),
        ('found = "3"\nreason = "so"\nlevel = "note"', "accept.level"),
        ('found = "3"\nreason = "so"\nvariant = "mor"', "unknown variant 'mor'"),
        ('found = "3"\nreason = "so"\non = [3]', "must be text"),
        ('found = 3\nreason = "so"', "must be text"),
        ('found = "3"\nreason = "so"\nkind = "count"', "unknown key 'kind'"),
    ],
)
def test_malformed(entry: str, what: str, game: Path, pnp: Pnp) -> None:
    add(game, f'\n[[accept]]\nfinding = "count"\n{entry}\n')
    result = pnp("check", game)
    assert result.exit_code == 1
    assert what in result.output


def test_kind_that_does_not_exist(game: Path, pnp: Pnp) -> None:
    add(game, COUNT.format("3 cards").replace("count", "cuont"))
    assert "unknown kind of finding 'cuont'" in pnp("check", game).output
