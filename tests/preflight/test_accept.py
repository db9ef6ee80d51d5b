"""A finding may stay for a reason, which is shown with it; a reason that nothing needs is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.errors import Problem
from generator.model import Accept
from generator.preflight import Reasons
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.preflight.planted import check
from tests.preflight.test_reading import text

SMALL, TINY = text("Hello", 6.5), text("Hello", 5)
ACCEPT = '\n[[accept]]\nfinding = "{}"\nreason = "it is meant"\n'


def accept(finding: str, on: str = "", level: Any = "note") -> Reasons:
    return Reasons([Accept(finding, on, "it is meant", level, "game.toml:30")])


def told(problems: list[Problem]) -> list[tuple[str, str, str]]:
    return [(one.level, one.what.partition(":")[0], one.accepted) for one in problems]


def stale(reasons: Reasons) -> list[Problem]:
    return list(reasons.stale(["text.small", "text.tiny"]))


@pytest.mark.parametrize("on", ["", "cards"])
def test_accepted_everywhere(on: str) -> None:
    reasons = accept("text.small", on)
    (found,) = check([SMALL, SMALL, ""], reasons=reasons)
    assert told([found]) == [("note", "the backs of 1 and 2", "it is meant")]
    assert str(found).endswith("in a size of 6.5 pt\n    accepted: it is meant")
    assert stale(reasons) == []


def test_accepted_on_one_piece() -> None:
    """The others are told as ever; on pieces whose names begin alike too."""
    reasons = accept("text.small", "cards/1")
    problems = check([SMALL] * 11, reasons=reasons)
    assert sorted(told(problems)) == [
        ("note", "the back of 1", "it is meant"),
        ("warning", "the backs of 2, 3, 4 and 7 more", ""),
    ]


@pytest.mark.parametrize("on", ["card", "cards/12", "tiles", "cards/1/2"])
def test_accepted_elsewhere(on: str) -> None:
    reasons = accept("text.small", on)
    assert told(check([SMALL], reasons=reasons)) == [("warning", "the back of 1", "")]
    (found,) = stale(reasons)
    assert (found.level, found.rule, found.where) == ("warning", "accept.stale", "game.toml:30")
    assert found.what == f"'text.small' on '{on}' is accepted, and nothing of it is found"


def test_only_that_kind_and_as_grave_as_told() -> None:
    reasons = accept("text.tiny", level="warning")
    assert told(check([TINY, SMALL], reasons=reasons)) == [
        ("warning", "the back of 1", "it is meant"),
        ("warning", "the back of 2", ""),
    ]


def test_finding_that_does_not_exist() -> None:
    (found,) = stale(accept("text.smal"))
    assert (found.level, found.hint) == ("error", "did you mean 'text.small'?")


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
    add(game, ACCEPT.format("count"))
    (found,) = findings(pnp, game)
    assert (found["level"], found["accepted"], found["on"]) == ("note", "it is meant", ["cards"])
    assert pnp("check", game).exit_code == 0


def test_stale_in_a_game(game: Path, pnp: Pnp) -> None:
    add(game, ACCEPT.format("ink.much"))
    (found,) = findings(pnp, game)
    line = (game / "game.toml").read_text("utf-8").splitlines().index("[[accept]]") + 1
    assert (found["rule"], found["where"]) == ("accept.stale", f"tiny/game.toml:{line}")
    assert pnp("check", game).exit_code == 0


def test_variant_needs_not_what_its_game_needs(game: Path, pnp: Pnp) -> None:
    path = game / "game.toml"
    path.write_text(path.read_text("utf-8").replace("equals = 3", "equals = 4"), "utf-8")
    add(game, ACCEPT.format("count"))
    shutil.copy(game / "cards.csv", game / "more.csv")
    rows = (game / "more.csv").read_text("utf-8").rstrip().splitlines()
    (game / "more.csv").write_text("\n".join([*rows, f"9{rows[-1][1:]}"]) + "\n", "utf-8")
    add(game, '[variant.more]\nabout = "Four."\ntable.cards = "more.csv"\n')
    assert findings(pnp, "./tiny-more") == []
    add(game, ACCEPT.format("count") + 'variant = "more"\n')
    (found,) = findings(pnp, "./tiny-more")
    assert found["rule"] == "accept.stale"
    assert [one["rule"] for one in findings(pnp, game)] == ["count"]


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ('finding = "count"', "the key 'reason' is missing"),
        ('finding = "count"\nreason = ""', "must not be empty"),
        ('finding = "count"\nreason = "so"\nlevel = "hint"', "accept.level"),
        ('finding = "count"\nreason = "so"\nvariant = "mor"', "unknown variant 'mor'"),
        ('finding = "cuont"\nreason = "so"', "there is no finding 'cuont'"),
        ('finding = 3\nreason = "so"', "must be text"),
        ('kind = "count"\nreason = "so"', "unknown key 'kind'"),
    ],
)
def test_malformed(entry: str, what: str, game: Path, pnp: Pnp) -> None:
    add(game, f"\n[[accept]]\n{entry}\n")
    result = pnp("check", game)
    assert result.exit_code == 1
    assert what in result.output
