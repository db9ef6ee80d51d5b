"""The deck as published, and the balanced one."""

from __future__ import annotations

import pytest

from generator import build
from generator.errors import Problem


def by_rule(problems: list[Problem], level: str) -> list[str]:
    return sorted(problem.rule for problem in problems if problem.level == level)


def test_published_deck_has_no_error_and_known_warnings() -> None:
    problems = build.check("talavera")
    assert by_rule(problems, "error") == []
    assert by_rule(problems, "warning") == [
        "balanced",
        "complete",
        "spread",
        "spread",
        "unique",
        "unique",
    ]


def test_warnings_name_the_cards() -> None:
    alike = [p.what for p in build.check("talavera") if p.rule == "unique"]
    assert [what.partition(" are")[0] for what in alike] == ["9 and 18", "12 and 15"]


@pytest.mark.parametrize("level", ["error", "warning"])
def test_balanced_deck_passes(level: str) -> None:
    assert by_rule(build.check("talavera-balanced"), level) == []
