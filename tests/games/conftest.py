"""A table of a game with faults planted in it, and what a rule says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.basics.errors import Place, Problem
from generator.checks import TableCheck
from generator.checks.table import Declared
from generator.model import Piece
from generator.tables.schema import TableSchema
from generator.tables.table import read_table
from tests.checks.test_table import component

TEMPLATES = Path(__file__).parents[2] / "templates"
Edit = tuple[str, str]  # what stands there once, and what it becomes
Planted = Callable[..., list[Problem]]
Fault = tuple[list[Edit], list[tuple[str, str]]]  # edits, and where and what is told of them


def pieces(rule: TableCheck, table: Path) -> tuple[Piece, ...]:
    schema = TableSchema(rule.columns(), False)
    return read_table(table.parent, table.name, schema, Place("game.toml", 9))


def copied(rule: TableCheck, table: str, copies: int) -> list[Problem]:
    """What is found when the first row of a sound table has so many copies."""
    first, *rest = pieces(rule, TEMPLATES / table)
    return list(rule.check(replace(component([]), pieces=(replace(first, copies=copies), *rest))))


def assert_named(planted: Planted, rule: Declared, table: str, fault: Fault) -> None:
    """The faults are found, each in its line of the table or of the game, and nothing else."""
    edits, told = fault
    found = planted(rule, table, *edits)
    assert [(str(problem.place), problem.what) for problem in found] == [
        (where if where.startswith("game") else table + where, what) for where, what in told
    ]
    assert {(problem.level, problem.rule) for problem in found} == {("error", rule.kind)}


@pytest.fixture
def planted(tmp_path: Path) -> Planted:
    """`planted(rule, "advaya/tiles.csv", (old, new), …)`: the findings, each in "advaya/…:line"."""

    def check(rule: TableCheck, table: str, *edits: Edit) -> list[Problem]:
        text = (TEMPLATES / table).read_text("utf-8")
        for old, new in edits:
            assert text.count(old) == 1, f"{old!r} is not there once"
            text = text.replace(old, new)
        path = tmp_path / table
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return list(rule.check(replace(component([]), pieces=pieces(rule, path))))

    return check
