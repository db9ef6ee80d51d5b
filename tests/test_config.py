"""The usual paper and margin: where they are from, what comes first, and how they are kept."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

import generator
from generator.basics import papers
from generator.cli.options import FILE, Settings
from generator.layout.printers import Profile, Store
from tests.conftest import Pnp

HOUSE = Path(__file__).parents[1]
A4, LETTER, A3 = "297", "279.4", "420"  # the long side, as the plan tells it


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of a person who has none yet, with no locale."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("LC_ALL")
    monkeypatch.chdir(tmp_path)
    return Path(click.get_app_dir("pnp"))


def damage(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(text, "utf-8")
    return folder / FILE


def long_side(pnp: Pnp, *options: str) -> str:
    """Of the sheet that Talavera's cards are printed on."""
    told = pnp("build", "talavera", "--only", "cards", "--plan", *options).stdout
    found = re.search(r"of ([\d.]+) x ([\d.]+) mm", told)
    assert found, told
    return max(found.groups(), key=float)


@pytest.mark.parametrize(
    ("locale", "paper"),
    [
        ({}, "letter"),
        ({"LANG": "C"}, "letter"),
        ({"LANG": "POSIX"}, "letter"),
        ({"LANG": "C.UTF-8"}, "letter"),
        ({"LANG": "de"}, "letter"),
        ({"LANG": "en_US.UTF-8"}, "letter"),
        ({"LANG": "fr_CA"}, "letter"),
        ({"LANG": "es_MX.UTF-8@euro"}, "letter"),
        ({"LANG": "de_DE.UTF-8"}, "a4"),
        ({"LANG": "en_GB"}, "a4"),
        ({"LANG": "en_US.UTF-8", "LC_PAPER": "de_DE.UTF-8"}, "a4"),
        ({"LANG": "de_DE", "LC_ALL": "en_US"}, "letter"),
        ({"LANG": "de_DE", "LC_PAPER": "de_DE", "LC_ALL": "C"}, "letter"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "a4"),
    ],
)
def test_the_locale_says_the_paper(locale: dict[str, str], paper: str, tmp_path: Path) -> None:
    assert Settings(tmp_path, locale).paper().value == paper


def test_letter_is_used_where_the_cldr_says(tmp_path: Path) -> None:
    """Countries of either paper, as known to everyone; and no code that is not one."""
    for country in ("US", "CA", "MX", "PH", "CL", "CO", "VE"):
        assert Settings(tmp_path, {"LANG": f"xx_{country}"}).paper().value == "letter"
    for country in ("DE", "GB", "AU", "NZ", "JP", "BR", "AR", "IN", "ZA", "CN"):
        assert Settings(tmp_path, {"LANG": f"xx_{country}"}).paper().value == "a4"
    assert all(re.fullmatch("[A-Z]{2}", code) for code in papers.letter_countries())


def test_what_is_nearer_comes_first(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Option, environment, file, locale, Letter: each in turn, from the last."""
    assert long_side(pnp) == LETTER
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert long_side(pnp) == A4
    assert pnp("config", "paper", "a3").exit_code == 0
    assert long_side(pnp) == A3
    monkeypatch.setenv("PNP_PAPER", "letter")
    assert long_side(pnp) == LETTER
    assert long_side(pnp, "--paper", "210x330mm") == "330"


def test_what_is_nearer_comes_first_for_margins(pnp: Pnp, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, with the printer before what pnp takes."""

    def is_wide(*options: str) -> bool:  # fewer than 9 cards fit beside each other
        told = pnp("build", "talavera", "--only", "cards", "--plan", *options).stdout
        return ", 9 per sheet" not in told

    def said() -> str:
        return pnp("config", "margin").stdout

    assert (is_wide(), said()) == (False, "margin = usual (pnp)\n")
    Store(folder).save(Profile("laser", "long", margin=3.0, bottom=14.0))
    Store(folder).set_default("laser")
    assert (is_wide(), said()) == (True, "margin = 3mm,14mm (the printer laser)\n")
    pnp("config", "margin", "6mm")
    assert (is_wide(), said()) == (False, f"margin = 6mm ({folder / FILE})\n")
    monkeypatch.setenv("PNP_MARGIN", "15mm")
    assert (is_wide(), said()) == (True, "margin = 15mm (PNP_MARGIN)\n")
    assert not is_wide("--margin", "usual")


@pytest.mark.parametrize("command", ["build", "export", "diff", "preview", "printer sheet"])
def test_every_command_that_prints_asks_for_the_paper(command: str, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PNP_PAPER", "a44")
    arguments = {"printer sheet": (), "diff": ("talavera", "HEAD")}.get(command, ("talavera",))
    to = ("--to", "png") if command == "export" else ()
    result = pnp(*command.split(), *arguments, *to)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: PNP_PAPER: paper 'a44': there is no such paper\n")


def test_programs_say_their_paper_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PNP_PAPER", "a4")
    monkeypatch.setenv("PNP_MARGIN", "20mm")
    (row,) = generator.plan_game("talavera", only=["cards"]).rows
    assert (max(row.paper), row.per_sheet) == (279.4, 9)


def test_settings_are_kept_and_forgotten(pnp: Pnp, folder: Path) -> None:
    assert pnp("config").stdout == "paper = letter (pnp)\nmargin = usual (pnp)\n"
    assert pnp("config", "paper", "a4").stdout == f"paper = a4 ({folder / FILE})\n"
    assert pnp("config", "margin", "8mm").stdout == f"margin = 8mm ({folder / FILE})\n"
    kept = (folder / FILE).read_text("utf-8")
    assert 'paper = "a4"\nmargin = "8mm"\n' in kept
    assert pnp("config", "--unset", "paper").stdout == "paper = letter (pnp)\n"
    assert pnp("config").stdout == f"paper = letter (pnp)\nmargin = 8mm ({folder / FILE})\n"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("paper", "a44"), 1, "error: paper 'a44': there is no such paper\n    hint: did you mean"),
        (("margin", "wide"), 1, "error: margin 'wide': there is no such margin"),
        (("margin", "8"), 1, "error: margin '8': there is no such margin"),
        (("margin", "3mm,2mm"), 1, "error: margin '3mm,2mm': the margin at the bottom is narrower"),
        (("colour",), 2, "'colour' is not one of 'paper', 'margin'"),
        (("--unset",), 2, "--unset takes a setting"),
        (("--unset", "paper", "a4"), 2, "--unset takes a setting"),
    ],
)
def test_what_cannot_be_a_setting(arguments: tuple[str, ...], code: int, told: str, pnp: Pnp, folder: Path) -> None:
    result = pnp("config", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in result.stderr
    assert not folder.exists()


DAMAGED = [
    ("paper = [", "the file is damaged: "),
    ("paper = " + "[" * 10_000, "the file is damaged: "),
    ("paper = 4", "paper is 4, which is not a text"),
    ('paper = "a44"', "paper 'a44': there is no such paper"),
    ('margin = "a lot"', "margin 'a lot': there is no such margin"),
    ('pape = "a4"', "there is no setting 'pape'"),
]


@pytest.mark.parametrize(("text", "told"), DAMAGED)
def test_a_damaged_file_is_reported_once_and_mended(text: str, told: str, pnp: Pnp, folder: Path) -> None:
    file = damage(folder, text)
    for command in (("build", "talavera", "--only", "cards", "--plan"), ("config",)):
        result = pnp(*command)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"error: {file}: {told}"), result.stderr
        assert result.stderr.count("error: ") == 1
    assert long_side(pnp, "--paper", "a4", "--margin", "usual") == A4, "it is not asked"
    mended = pnp("config", "paper", "a4")
    assert (mended.exit_code, mended.stdout) == (0, f"paper = a4 ({file})\n")
    assert mended.stderr == f"{file}: what was damaged in it is dropped\n"
    assert pnp("config").stderr == ""
    damage(folder, text)
    assert pnp("config", "--unset", "margin").exit_code == 0
    assert pnp("config").exit_code == 0


def test_mending_keeps_what_is_sound(pnp: Pnp, folder: Path) -> None:
    damage(folder, 'paper = "a44"\nmargin = "8mm"\n')
    pnp("config", "--unset", "paper")
    assert pnp("config").stdout == f"paper = letter (pnp)\nmargin = 8mm ({folder / FILE})\n"


def test_a_folder_in_the_place_of_the_file_is_reported(pnp: Pnp, folder: Path) -> None:
    (folder / FILE).mkdir(parents=True)
    for arguments in ((), ("paper", "a4")):
        result = pnp("config", *arguments)
        assert result.exit_code == 1
        assert f"error: {folder / FILE}: " in result.stderr


def test_a_bad_value_of_the_environment_is_reported_beside_the_other(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PNP_PAPER", "a44")
    result = pnp("config")
    assert (result.exit_code, result.stdout) == (1, "margin = usual (pnp)\n")
    assert result.stderr.startswith("error: PNP_PAPER: ")


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((), "--paper letter --margin usual -o"),
        (("PAPER=a4", "MARGIN=safe"), "--paper a4 --margin safe -o"),
        (("PRINTER=laser",), "--paper letter --printer laser -o"),
    ],
)
def test_make_asks_for_nobodys_settings(given: tuple[str, ...], told: str) -> None:
    command = ["make", "-n", "-C", str(HOUSE), "talavera.pdf", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told in " ".join(done.stdout.split())
