"""Exporters: found by name, their options read from text, their files below one folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.basics.keys import Keys
from generator.export.exporter import ExportedFile, Kit
from generator.pipeline import EXPORTERS
from tests.bad_specs.games import HERE
from tests.conftest import Pnp

GAME = HERE / "_tiny"


class Names(Keys, frozen=True, kw_only=True):
    """A list of the faces of a kit."""

    ending: str = ""

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        names = (f"{part} {piece} {side}{self.ending}\n" for part, piece, side in kit.faces)
        yield ExportedFile("lists/faces.txt", "".join(names).encode())


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXPORTERS._loaded, "names", Names)
    monkeypatch.setitem(EXPORTERS._own, "names", "tests")


@pytest.mark.usefixtures("names")
def test_an_exporter_is_given_the_kit(tmp_path: Path, pnp: Pnp) -> None:
    out = tmp_path / "out"
    result = pnp("export", GAME, "--to", "names", "--set", "ending=!", "-o", out)
    assert result.output == f"{out}\n"
    told = (out / "lists/faces.txt").read_text("utf-8").splitlines()
    assert told
    assert all(line.endswith((" front!", " back!")) for line in told)


@pytest.mark.usefixtures("names")
def test_what_an_earlier_export_left_goes(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    pnp("export", GAME, "--to", "names", "-o", tmp_path)
    (tmp_path / "lists/mine.txt").touch()
    monkeypatch.setattr(Names, "export", lambda *_: [ExportedFile("lists/other.txt", b"")])
    pnp("export", GAME, "--to", "NAMES", "-o", tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["mine.txt", "names.sha256", "other.txt"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--to", "pgn"], "there is no format 'pgn'\n    hint: did you mean 'png'?"),
        (["--to", "PNG", "--dpi", "6"], "--to png: dpi must be at least 20, not '6'"),
        (["--to", "png", "--dpi", "6"], "--to png: dpi must be at least 20, not '6'"),
        (["--to", "png", "--dpi", "many"], "--to png: dpi must be a whole number, not 'many'"),
        (["--to", "png", "--set", "flavour=3"], "--to png: unknown key 'flavour'"),
        (["--to", "png", "--drift", "1"], "the length '1' has no unit"),
    ],
)
def test_a_wrong_option_is_reported(words: list[str], told: str, tmp_path: Path, pnp: Pnp) -> None:
    result = pnp("export", GAME, *words, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert told in result.output
    assert not (tmp_path / "out").exists()
