"""Games are found by name, as a variant, or as a folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from generator import game
from generator.basics.errors import PnpError
from generator.game import library
from tests.bad_specs.games import HERE

TALAVERA = Path(__file__).parents[2] / "templates/talavera"
VARIANT = '\n[variant.big]\nabout = "More cards."\ntable.cards = "cards.csv"\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a game of its own, not under templates/."""
    shutil.copytree(HERE / "_tiny", tmp_path / "tiny")
    with (tmp_path / "tiny/game.toml").open("a", encoding="utf-8") as stream:
        stream.write(VARIANT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def message(name: str) -> str:
    with pytest.raises(PnpError) as error:
        game.find(name)
    return str(error.value)


def test_bundled_games_are_found_from_anywhere(here: Path) -> None:
    assert not (here / "templates").exists()
    assert game.find("talavera") == (TALAVERA, "")
    assert game.find("talavera-balanced") == (TALAVERA, "balanced")
    assert {"talavera", "talavera-balanced"} <= set(game.names())


@pytest.mark.parametrize("name", ["./tiny", "./tiny/", "tiny/../tiny", "../{}/tiny"])
def test_folder(name: str, here: Path) -> None:
    assert game.find(name.format(here.name)) == (here / "tiny", "")


def test_absolute_path_and_variant_of_a_folder(here: Path) -> None:
    assert game.find(str(here / "tiny")) == (here / "tiny", "")
    assert game.find("./tiny-big") == (here / "tiny", "big")


def test_a_folder_here_needs_no_slash(here: Path) -> None:
    assert game.find("tiny") == (here / "tiny", "")
    assert game.find("tiny-big") == (here / "tiny", "big")
    shutil.copytree(here / "tiny", here / "talavera")
    assert game.find("talavera") == (TALAVERA, ""), "the name of a game stays its name"


def test_working_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "tiny")
    assert game.find(".") == (here / "tiny", "")


def test_own_templates_shadow_the_bundled_ones(here: Path) -> None:
    shutil.copytree(here / "tiny", here / "templates/talavera")
    shutil.copytree(here / "tiny", here / "templates/another")
    assert game.find("talavera") == (here / "templates/talavera", "")
    assert game.find("talavera-big") == (here / "templates/talavera", "big")
    assert game.find("another")[0] == here / "templates/another"
    assert "talavera-balanced" not in game.names()
    assert game.names().count("talavera") == 1


def test_only_folders_with_a_spec_and_a_plain_name_are_games(here: Path) -> None:
    for name in ("empty", "Big Game", ".hidden"):
        (here / "templates" / name).mkdir(parents=True)
    (here / "templates/Big Game/game.toml").touch()
    (here / "templates/.hidden/game.toml").touch()
    assert not {"empty", "Big Game", ".hidden"} & set(game.names())


def test_broken_game_is_still_listed(here: Path) -> None:
    """So that `pnp check` can say what is wrong; its variants are not known."""
    shutil.copytree(here / "tiny", here / "templates/broken")
    (here / "templates/broken/game.toml").write_text("a = [", "utf-8")
    assert [name for name in game.names() if "broken" in name] == ["broken"]


def test_variant_with_a_name_that_is_no_name_is_not_listed(here: Path) -> None:
    shutil.copytree(here / "tiny", here / "templates/odd")
    with (here / "templates/odd/game.toml").open("a", encoding="utf-8") as stream:
        stream.write('[variant."../up"]\n')
    assert [name for name in game.names() if "odd" in name] == ["odd", "odd-big"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("talavero", "did you mean 'talavera'?"),
        ("Talavera", "did you mean 'talavera'?"),
        ("tinny", "did you mean 'tiny'?"),
        ("", "there is no such game"),
        ("./nowhere", "there is no such folder"),
        ("./tiny/game.toml", "this is a file"),
        ("./tiny/game.toml", "its game is tiny"),
        ("./tiny/art", "its game is tiny"),
        ("./tinny", "did you mean './tiny'?"),
        ("./tiny-bigg/", "did you mean './tiny-big'?"),
        ("/", "there is no game.toml in this folder"),
        ("..", "there is no game.toml in this folder"),
        ("./tiny-small", "there is no such folder"),
        ("./" + "x" * 5000, "this cannot be read: File name too long"),
        ("./nul\0", "this is not a path"),
    ],
)
def test_what_is_not_there(name: str, said: str, here: Path) -> None:
    (here / "tiny/art").mkdir()
    assert said in message(name)


@pytest.mark.usefixtures("here")
def test_folder_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's answer is planted: nothing is forbidden to root."""
    real = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.parent.name == "tiny":
            raise PermissionError(13, "Permission denied")
        return real(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    assert "'./tiny': this cannot be read: Permission denied" in message("./tiny")


def test_shelf_that_may_not_be_read_has_no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def iterdir(_: Path) -> object:
        raise PermissionError(13, "Permission denied")

    assert library.names()
    monkeypatch.setattr(Path, "iterdir", iterdir)
    assert library.names() == []
