"""The games of the house as the checker sees them, and the page that tells of its findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import checks, pipeline
from generator.basics.colours import LEAST_CONTRAST
from generator.checks import STALE
from generator.checks.preflight import KINDS, colours, prints
from generator.game.document import AcceptTable
from generator.pipeline.game import CHECKS
from tests.conftest import Golden
from tests.support.once import findings

HERE = Path(__file__).parent
PAGES = HERE.parents[2] / "docs"
DOC = (PAGES / "check.md").read_text("utf-8")


@pytest.mark.parametrize("name", pipeline.names())
def test_findings(name: str, golden: Golden) -> None:
    """No error, and no warning that is not argued: what is left stands in the golden."""
    problems = findings(name)
    assert [problem for problem in problems if problem.level != "note"] == []
    golden(HERE / "golden" / f"{name}.txt", "".join(f"{problem}\n" for problem in problems))


def test_every_kind_is_reported() -> None:
    names = set(re.findall(r"`([a-z_]+(?:\.[a-z]+)?)`", DOC))
    keys = {"safe", "rule", "bleed", "game.toml", *AcceptTable.__struct_fields__}
    assert names - keys - set(CHECKS) == {*KINDS, *checks.UNDECLARED, STALE}
    rules = re.findall(r'(?<=\n### kind = ")[^"]+', (PAGES / "reference.md").read_text("utf-8"))
    assert set(CHECKS) <= set(rules)


@pytest.mark.parametrize(
    "told",
    [
        f"below {prints.FLOOR:g} pt",
        f"below {prints.PREFERRED:g} pt",
        f"{LEAST_CONTRAST:g}, or {prints.LARGE_CONTRAST:g} from {prints.LARGE:g} pt on",
        f"below {prints.THINNEST:g} mm",
        f"below {prints.COARSEST:g} dpi",
        f"above {prints.MOST_INK:.0%}".replace("%", " %"),
        f"(CIEDE2000) of {colours.TOLD_APART:g} on",
        f"at least {colours.AREA:g} mm² differ",
        f"less than {colours.MARK:g} mm² in anything",
    ],
)
def test_thresholds_are_those_of_the_page(told: str) -> None:
    assert told in DOC
