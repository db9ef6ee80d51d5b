"""`pnp playtest`: a game with rules as code, played and reported."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from generator.pipeline import playtesting
from tests.conftest import Pnp
from tests.export.site.test_browser import find_faults, show
from tests.review.history.repository import Repository
from tests.support.printing import TEMPLATES
from tests.support.processes import PATIENCE, running, started

ROOT = Path(__file__).parents[1]
PLAY = '[play]\nengine = "talavera"\nbots = ["random"]\n'
FEW = ("--games", "60", "--bots", "random")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_reports_in_words_and_on_a_page(pnp: Pnp) -> None:
    result = pnp("playtest", "talavera", *FEW)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "talavera: 60 games, random, seed 1"
    assert lines[-1] == "output/talavera-playtest.html"
    assert any(line.startswith("  seat 1 wins ") for line in lines)
    page = Path(lines[-1]).read_text("utf-8")
    standing_out = page.partition('id="findings"')[2].partition("</section>")[0]
    assert "\N{NO-BREAK SPACE}%" in standing_out
    assert " %" not in standing_out
    assert "Talavera, played 60 times" in page
    assert "pnp playtest talavera --games 60 --bots random --seed 1" in page
    assert "pnp playtest talavera --games 60 --bots random --seed 1 --since HEAD" in page
    assert '@font-face{font-family:"title"' in page
    assert (page.count("<symbol "), page.count("<image ")) == (18, 36)  # each card, both its sides


def test_the_same_seed_gives_the_same_bytes(pnp: Pnp) -> None:
    pages = []
    for name in ("one.html", "two.html"):
        pnp("playtest", "talavera", *FEW, "-o", name)
        pages.append(Path(name).read_bytes())
    assert pages[0] == pages[1]
    pnp("playtest", "talavera", *FEW, "--seed", "2", "-o", "other.html")
    assert Path("other.html").read_bytes() != pages[0]


def test_programs_read_the_figures(pnp: Pnp) -> None:
    record = json.loads(pnp("playtest", "talavera", *FEW, "--format", "json").output)
    figures = record["figures"]
    assert figures["choices made"] == {"value": 24, "low": 24, "high": 24}
    wins = [figures[f"seat {seat} wins"]["value"] for seat in (1, 2)]
    assert sum(wins) == pytest.approx(100)


def test_parts_are_merged(pnp: Pnp) -> None:
    for number in (1, 2, 3):
        result = pnp("playtest", "talavera", *FEW, "--shard", f"{number}/3")
        assert result.output.endswith(f"output/talavera-playtest-{number}-of-3.json\n")
    parts = sorted(Path("output").glob("*.json"))
    merged = json.loads(pnp("playtest", "merge", *parts, "--format", "json").output)
    whole = json.loads(pnp("playtest", "talavera", *FEW, "--format", "json").output)
    assert merged["counts"] == whole["counts"]
    assert (merged["played"], merged["missing"]) == (60, "")
    assert pnp("playtest", "merge", parts[0], parts[0]).exit_code == 1
    some = parts[0], parts[2]
    told = pnp("playtest", "merge", *some, "-o", "some.html").output
    assert told.startswith("talavera: 40 games, random, seed 1\n")
    assert "\nnot the whole series: only parts 1, 3 of 3\n" in told
    assert "the whole series: only parts 1, 3 of 3." in Path("some.html").read_text("utf-8")
    merged = json.loads(pnp("playtest", "merge", *some, "--format", "json").output)
    assert (merged["played"], merged["missing"]) == (40, "only parts 1, 3 of 3")
    assert merged["figures"]["choices made"] == {"value": 24, "low": 24, "high": 24}


def test_rules_are_chosen(pnp: Pnp) -> None:
    result = pnp("playtest", "talavera", *FEW, "--rule", "players=1", "-o", "alone.json")
    assert "seat 2" not in result.output
    assert json.loads(Path("alone.json").read_text("utf-8"))["rules"] == {"players": "1"}


def test_skill_is_measured(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worse bot is left out, and the next one plays against the best."""
    monkeypatch.setattr(playtesting, "LADDER", ("random", "greedy", "random", "search:1"))
    result = pnp("playtest", "talavera", "--games", "20", "--skill", "-o", "skill.html")
    steps = [line.strip() for line in result.output.splitlines() if " % " in line][-3:]
    assert re.fullmatch(r"greedy beats random with .* of the wins: the choices matter", steps[0])
    assert re.fullmatch(r"random is left out: .* shows no step up from greedy", steps[1])
    assert re.fullmatch(r"search:1 is left out: .* shows no step up from greedy", steps[2])
    page = Path("skill.html").read_text("utf-8")
    assert "How much skill decides" in page
    assert all(step[1:] in page for step in steps)
    alone = pnp("playtest", "talavera", "--rule", "players=1", "--games", "60", "--skill")
    assert "\n  greedy " in alone.output, alone.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("talavera", "--bots", "gready"), "the bot 'gready': there is no such bot"),
        (("talavera", "--bots", "a,b,c,d"), "the bot 'a': there is no such bot"),
        (("talavera", "--games", "1000000000000"), "there cannot be 1,000,000,000,000 games"),
        (("talavera", "--games", "0"), "there cannot be 0 games"),
        (("talavera", "--rule", "players=9"), "players cannot be '9'"),
        (("talavera", "--rule", "seats=9"), "there is no option 'seats'"),
        (("talavera", "--rule", "players"), "'players' is not NAME=VALUE"),
        (("talavera", "--shard", "4/3"), "'4/3' is not a part such as 3/20"),
        (("talavera", "part.json"), "only merge takes parts"),
        (("merge",), "Name the parts"),
        (("merge", "missing.json"), "missing.json"),
        (("./tiny",), "there is no such folder"),
        (("talavera", "--since", "nothing"), "nothing"),
        (("talavera", "--compare", "talavero"), "did you mean 'talavera'?"),
        (("talavera", "--compare", "taluva", "--since", "HEAD"), "do not go together"),
    ],
)
def test_nonsense_gets_one_message(
    pnp: Pnp, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a game is played."""
    monkeypatch.setattr(playtesting, "play_series", None)
    result = pnp("playtest", *arguments)
    assert result.exit_code != 0
    assert message in result.output
    assert not Path("output").exists()


def game_with(play: str) -> str:
    folder = Path(shutil.copytree(TEMPLATES / "talavera", "mine", dirs_exist_ok=True))
    spec = folder / "game.toml"
    text = spec.read_text("utf-8")
    before, _, after = text.partition("# `pnp playtest`")
    spec.write_text(before + play + after[after.index("# With little ink") :], "utf-8")
    return f"./{folder.name}"


def test_a_game_without_rules_as_code_is_told(pnp: Pnp) -> None:
    result = pnp("playtest", game_with(""))
    assert "the game has no rules as code" in result.output
    result = pnp("playtest", game_with('[play]\nengine = "talavira"\n'))
    assert "there are no rules as code called 'talavira'" in result.output
    assert "talavera" in result.output.partition("hint")[2]


@pytest.mark.parametrize(
    ("bound", "message"), [("most = 20", r"is above 20"), ("least = 80", r"is below 80"), ("least = 20\nmost = 80", "")]
)
def test_a_bound_that_does_not_hold_fails(pnp: Pnp, bound: str, message: str) -> None:
    play = f'{PLAY}[[play.bound]]\nfigure = "seat 1 wins"\n{bound}\n'
    result = pnp("playtest", game_with(play), "--games", "60")
    assert result.exit_code == (1 if message else 0)
    assert message in result.output
    assert Path("output/mine-playtest.html").exists()


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ("engine = 3", "engine"),
        ('engine = "talavera"\nbots = []', "bots"),
        ('engine = "talavera"\n[[play.bound]]\nfigure = "margin"', "the bound has no limit"),
        ('engine = "talavera"\n[[play.bound]]\nfigure = "margin"\nleast = 3\nmost = 2', "least is above most"),
        ('engine = "talavera"\nbot = "greedy"', "bot"),
    ],
)
def test_faults_of_the_spec_are_told(pnp: Pnp, play: str, message: str) -> None:
    result = pnp("playtest", game_with(f"[play]\n{play}\n"), *FEW)
    assert result.exit_code == 1
    assert "game.toml" in result.output
    assert message in result.output


def test_bounds_are_for_the_bots_and_rules_of_the_game(pnp: Pnp) -> None:
    game = game_with(f'{PLAY}[[play.bound]]\nfigure = "seat 1 wins"\nmost = 0\n')
    assert pnp("playtest", game, "--games", "60").exit_code == 1
    assert pnp("playtest", game, "--games", "60", "--bots", "greedy").exit_code == 0
    assert pnp("playtest", game, "--games", "60", "--rule", "players=1").exit_code == 0


def test_a_bound_of_no_figure_is_told(pnp: Pnp) -> None:
    play = f'{PLAY}[[play.bound]]\nfigure = "seat 3 wins"\nmost = 60\n'
    result = pnp("playtest", game_with(play), "--games", "60")
    assert "the playtest has no figure 'seat 3 wins'" in result.output
    assert "did you mean 'seat 2 wins'?" in result.output


def test_an_earlier_version_is_played_with_the_same_seeds(pnp: Pnp) -> None:
    folder = Path(shutil.copytree(TEMPLATES / "talavera", "mine"))
    repository = Repository.at(folder)
    repository.commit("first")
    result = pnp("playtest", "./mine", *FEW, "--since", "HEAD")
    assert "0 of " in result.output
    table = folder / "cards.csv"
    rows = table.read_text("utf-8").splitlines()
    table.write_text("\n".join([*rows[:-1], change_last(rows)]) + "\n", "utf-8")
    result = pnp("playtest", "./mine", "--games", "400", "--since", "HEAD", "-o", "since.html")
    assert result.exit_code == 0, result.output
    assert " figures differ" in result.output
    assert "lift of 18" in result.output
    assert "Compared with HEAD" in Path("since.html").read_text("utf-8")


def test_a_variant_is_compared_with_the_game(pnp: Pnp) -> None:
    """One game is like itself; eighteen cards that are spread evenly are not."""
    result = pnp("playtest", "talavera", *FEW, "--compare", "talavera")
    assert "compared with talavera: 0 of " in result.output
    asked = ("talavera-balanced", "--games", "200", "--compare", "talavera", "-o", "both.html")
    result = pnp("playtest", *asked)
    assert result.exit_code == 0, result.output
    assert "pick rate of 9: 5" in result.output
    page = Path("both.html").read_text("utf-8")
    assert "Compared with talavera" in page
    assert "--compare talavera" in page


def change_last(rows: list[str]) -> str:
    """The last card with three tiles of each colour."""
    names = rows[0].split(",")
    cells = dict(zip(names, rows[-1].split(","), strict=True))
    cells |= dict.fromkeys(("yellow", "red", "azure", "sky"), "3")
    return ",".join(cells.values())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_reports_what_was_played(number: int) -> None:
    others = running().items()
    with started([*PLAYTEST, "--games", "1000000"], stdout=-1) as process:
        by = time.monotonic() + PATIENCE
        while not any("play_worker" in own for _, own in running().items() - others):
            assert time.monotonic() < by
            time.sleep(0.05)
        os.kill(process.pid, number)
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "not the whole series: interrupted after " in output
    page = Path("output/talavera-playtest.html").read_text("utf-8")
    assert "This is not the whole series: interrupted after " in page


PLAYTEST = [sys.executable, "-m", "generator", "playtest", "talavera", "--bots", "random"]


def test_everybody_can_read_the_page(pnp: Pnp, browser: Browser) -> None:
    pnp("playtest", "talavera", *FEW, "-o", "page.html")
    width = {"width": 390, "height": 700}
    page, heard = show(browser, Path("page.html").resolve(), bypass_csp=True, viewport=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert len(heard) == 1
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert find_faults(page) == []
    page.close()


def test_the_engines_that_packages_add_are_known() -> None:
    assert "talavera" in playtesting.ENGINES
