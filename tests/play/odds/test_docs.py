"""docs/odds.md promises only what happens."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from generator.basics import keys
from generator.basics.errors import Place
from generator.play.odds.questions import QUESTIONS, parse_question
from generator.play.odds.rule import Odds
from tests.conftest import Pnp

PAGE = (Path(__file__).parents[3] / "docs/odds.md").read_text("utf-8")
TABLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_a_command_says_what_the_page_shows(pnp: Pnp) -> None:
    shown = re.findall(r"```sh\npnp (.*?)\n```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert shown
    for command, output in shown:
        assert pnp(*shlex.split(command)).output == output


@pytest.mark.parametrize("table", TABLES)
def test_a_table_can_be_read(table: str) -> None:
    raw = tomllib.loads(table)
    for question in raw.get("odds", ()):
        assert parse_question(question, Place("odds.md"))
    for rule in raw.get("component", {}).get("rule", ()):
        assert rule.pop("kind") == Odds.kind
        assert keys.read(Odds, rule)[1] == []
    assert raw.keys() & {"odds", "component"}


def test_every_kind_is_on_the_page() -> None:
    told = re.findall(r'^\| `"(\w+)"`', PAGE, re.M)
    assert sorted(told) == sorted(QUESTIONS)
    assert f'kind = "{Odds.kind}"' in PAGE
