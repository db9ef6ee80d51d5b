"""The README, and the pages that continue it, promise only what works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pypdfium2
import pytest

from tests.conftest import Pnp
from tests.support.walked import blocks

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = {
    page.name: page.read_text("utf-8")
    for page in (README, *(ROOT / "docs" / f"{name}.md" for name in ("commands", "games", "printing")))
}
TEXT = "\n".join(PAGES.values())
LISTED = re.findall(r"^pnp (.+?)(?:  .*)?$", TEXT, re.MULTILINE)
NAMED = re.findall(r"`pnp ([^`\n]+)`", TEXT)


@pytest.mark.parametrize("command", sorted({*LISTED, *NAMED}))
def test_command_is_known(pnp: Pnp, command: str) -> None:
    """Every command and option of these pages is parsed; --help keeps it from running."""
    words = shlex.split(command.replace("COMMAND", "build"))
    result = pnp(*words, "--help")
    assert result.exit_code == 0, result.output


def test_there_are_commands_to_test() -> None:
    assert len(LISTED) >= 40
    assert len(NAMED) >= 12


def test_the_page_of_commands_names_every_command(pnp: Pnp) -> None:
    commands = pnp("--help").output.partition("Commands:\n")[2].partition("\n\n")[0]
    known = set(re.findall(r"^  (\w+)", commands, re.MULTILINE))
    assert {"build", "table"} <= known
    assert {line.split()[0] for line in LISTED} == known


def test_the_card_of_the_readme_is_built(pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tea").mkdir()
    for block in blocks(README):
        if block.file:
            (tmp_path / "tea" / block.file).write_text(block.text, "utf-8")
    assert pnp("check", "./tea").output == "./tea: 0 errors, 0 warnings, 0 notes\n"
    assert pnp("build", "./tea").exit_code == 0
    with pypdfium2.PdfDocument("output/tea.pdf") as document:
        (sheet,) = (page.get_textpage().get_text_bounded() for page in document)
    assert sheet.count("March Hare") + sheet.count("The Hatter") == 9
    assert "a sheet of nine cards" in PAGES["README.md"]


@pytest.mark.parametrize(
    "picture",
    [picture for text in PAGES.values() for picture in re.findall(r"!\[[^]]*\]\((?:docs/)?(images/[^)]+)\)", text)],
)
def test_its_pictures_load_fast(picture: str) -> None:
    assert (ROOT / "docs" / picture).stat().st_size < 250_000


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#:]+)[)#]", PAGES["README.md"]))
def test_what_it_links_to_is_there(target: str) -> None:
    assert (ROOT / target).exists()


@pytest.mark.parametrize("variable", sorted(set(re.findall(r"\b([A-Z]+)=\w+", TEXT))))
def test_make_knows_the_variable(variable: str) -> None:
    assert f"$({variable})" in (ROOT / "Makefile").read_text("utf-8")


def test_make_knows_the_games(pnp: Pnp) -> None:
    """`make GAME.pdf` builds what `pnp list` names."""
    games = set(re.findall(r"`make ([a-z0-9-]+)\.pdf`", PAGES["games.md"]))
    assert games == set(pnp("list", "--names").output.split())
