"""README.md promises only what works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Pnp

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^\.venv/bin/pnp (.+?)(?:  .*)?$", README, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_known(pnp: Pnp, command: str) -> None:
    """Every command and option of the README is parsed; --help keeps it from running."""
    result = pnp(*command.split(), "--help")
    assert result.exit_code == 0, result.output


def test_there_are_commands_to_test() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#:]+)\)", README))
def test_what_it_links_to_is_there(target: str) -> None:
    assert (ROOT / target).exists()


@pytest.mark.parametrize("picture", re.findall(r"\]\((docs/images/[^)]+)\)", README))
def test_its_pictures_load_fast(picture: str) -> None:
    assert (ROOT / picture).stat().st_size < 250_000


@pytest.mark.parametrize("variable", re.findall(r"\b([A-Z]+)=\w+", README))
def test_make_knows_the_variable(variable: str) -> None:
    assert f"$({variable})" in (ROOT / "Makefile").read_text("utf-8")
