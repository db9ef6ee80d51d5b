"""The list names every piece of a kit, on the sheet that it is printed on."""

import csv
from pathlib import Path

from click.testing import CliRunner, Result

from generator.cli import main
from generator.pipeline import read


def export(folder: Path, *options: str) -> Result:
    asked = ["export", "talavera", "--to", "contents", "-o", str(folder), *options]
    return CliRunner().invoke(main, asked)


def test_every_piece_is_on_a_sheet(tmp_path: Path) -> None:
    assert export(tmp_path, "--set", "separator=;").exit_code == 0
    with (tmp_path / "contents.csv").open(encoding="utf-8") as file:
        listed = [row["piece"] for row in csv.DictReader(file, delimiter=";")]
    made = [piece.id for part in read("talavera").game.components for piece in part.copies()]
    assert sorted(listed) == sorted(made)


def test_a_kit_without_pieces_is_reported(tmp_path: Path) -> None:
    result = export(tmp_path, "--only", "cover")
    assert result.exit_code == 1
    assert "there is no sheet of pieces" in result.output
    assert not list(tmp_path.iterdir())
