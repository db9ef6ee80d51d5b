"""`pnp check` looks at the faces of a game as they will print."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click
import pytest

from generator import pipeline
from generator.checks.preflight import KINDS
from generator.pipeline import looking
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.editing import edit
from tests.support.once import findings

FACES = set(KINDS) - {"colour.palette"}
SLOT = 'slots.dot = [["5mm", "5mm"]]'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound game, and no profile of the person who runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(HERE / "_tiny", tmp_path / "tiny"))


def found_on_faces(pnp: Pnp, game: Path, *options: str) -> dict[str, str]:
    """What is found about the faces, by rule."""
    result = pnp("check", game, "--format", "json", *options)
    assert result.exit_code == 0, result.output
    findings = json.loads(result.output)["findings"]
    return {finding["rule"]: finding["what"] for finding in findings if finding["rule"] in FACES}


def with_backs(game: Path, margin: str) -> None:
    """Backs with the number that far from the trim."""
    text = (game / "game.toml").read_text("utf-8")
    front = text[text.index("[component.front]") : text.index("[[component.rule]]")]
    back = front.replace("component.front", "component.back").replace("5mm", margin)
    edit(game / "game.toml", "[[component.rule]]", f"{back}[[component.rule]]")


def test_sound_game(game: Path, pnp: Pnp) -> None:
    assert found_on_faces(pnp, game) == {}


@pytest.mark.parametrize("name", [name for name in pipeline.names() if "-" not in name])
def test_games_of_the_house_stand_the_drift(name: str) -> None:
    assert not {finding.rule for finding in findings(name)} & FACES


def test_art_near_the_trim_and_the_key_that_allows_it(game: Path, pnp: Pnp) -> None:
    edit(game / "game.toml", SLOT, 'slots.dot = [["1mm", "5mm"]]')
    (found,) = found_on_faces(pnp, game).items()
    assert found[0] == "drift.art"
    assert found[1].startswith("the fronts of ")
    edit(game / "game.toml", 'size = ["40mm", "60mm"]', 'size = ["40mm", "60mm"]\nsafe = "1.9mm"')
    assert found_on_faces(pnp, game) == {}


def test_the_word_on_a_tab_for_glue_is_near_no_trim(game: Path, pnp: Pnp) -> None:
    """The narrow tab of a small box has little room for it; words on a panel still count."""
    box = 'kind = "tuckbox"\nwidth = "20mm"\nheight = "20mm"\ndepth = "20mm"'
    front = '[component.front]\nrenderer = "net.panels"\nground = "#c0392b"'
    spec = (game / "game.toml").read_text("utf-8").split("[[component]]")[0]
    part = '[[component]]\nid = "box"\ntitle = "Box"\nrow = [{ id = "a" }]\n'
    (game / "game.toml").write_text(f"{spec}{part}[component.shape]\n{box}\n{front}\n", "utf-8")
    assert found_on_faces(pnp, game) == {}
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write('title = "Dice"\ntitle_font = "Alegreya Sans"\ntitles = { front = 0.1 }\n')
    assert list(found_on_faces(pnp, game)) == ["drift.text"]


def test_drift_is_that_of_the_printer(game: Path, pnp: Pnp) -> None:
    """A spot 3.2 mm off the trim of the back stands the usual, not a printer as bad as this."""
    with_backs(game, "2.2mm")
    edit(game / "game.toml", 'size = ["40mm", "60mm"]', 'size = ["40mm", "60mm"]\nsafe = "1mm"')
    profile = "flip = 'long'\ndx = 0\ndy = 0\nangle = 0\nscale_x = 1\nscale_y = 1\n"
    folder = Path(click.get_app_dir("pnp"))
    folder.mkdir(parents=True)
    (folder / "printers.toml").write_text(f"[printer.good]\n{profile}[printer.bad]\n{profile}residual = 4.0\n")
    assert found_on_faces(pnp, game) == found_on_faces(pnp, game, "--printer", "good") == {}
    assert list(found_on_faces(pnp, game, "--printer", "bad")) == ["drift.art"]
    pnp("printer", "default", "bad")
    assert list(found_on_faces(pnp, game)) == ["drift.art"]
    assert found_on_faces(pnp, game, "--printer", "none") == {}
    assert "it may still be 4.0 mm off" in pnp("printer", "show", "bad").output
    assert "it may still be 0.5 mm off" in pnp("printer", "show", "good").output


def test_printer_that_is_not_there(game: Path, pnp: Pnp) -> None:
    result = pnp("check", game, "--printer", "lasr")
    assert result.exit_code == 1
    assert "there is no such printer" in result.stderr


def test_only_so_many_faces_are_looked_at(game: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    with_backs(game, "1mm")
    monkeypatch.setattr(looking, "MOST_LOOKED_AT", 2)
    found = found_on_faces(pnp, game)
    assert found["unseen"].startswith("4 of 6 faces were not inspected")
    assert found["drift.art"].startswith("the back of 1:"), "each side has its turn"
    monkeypatch.setattr(looking, "MOST_AREA", 1.0)
    assert found_on_faces(pnp, game)["unseen"].startswith("6 of 6 faces")


def test_rules_broken_do_not_hide_the_faces(game: Path, pnp: Pnp) -> None:
    edit(game / "game.toml", SLOT, 'slots.dot = [["1mm", "5mm"]]')
    edit(game / "game.toml", "equals = 3", "equals = 4")
    result = pnp("check", game)
    assert result.exit_code == 1
    assert "art is about" in result.output
    assert "1 error, 1 warning" in result.output
