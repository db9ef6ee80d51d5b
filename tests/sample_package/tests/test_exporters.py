"""The list names every piece of a kit, on the sheet that it is printed on."""

import csv
from pathlib import Path

import pytest

from generator import PnpError, export_game, load_game


def test_every_piece_is_on_a_sheet(tmp_path: Path) -> None:
    export_game("talavera", "contents", tmp_path, settings={"separator": ";"})
    with (tmp_path / "contents.csv").open(encoding="utf-8") as file:
        listed = [row["piece"] for row in csv.DictReader(file, delimiter=";")]
    made = [piece.id for part in load_game("talavera").components for piece in part.copies()]
    assert sorted(listed) == sorted(made)


def test_a_kit_without_pieces_is_reported(tmp_path: Path) -> None:
    with pytest.raises(PnpError, match="there is no sheet of pieces"):
        export_game("talavera", "contents", tmp_path, only=["cover"])
    assert not list(tmp_path.iterdir())
