"""Plain sheets: every piece in its cell, and alone."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.export.pieces import MOST_PIXELS
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.exported import GAMES, export_to, exported, pieces_of


def listed(files: dict[str, bytes]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(files["grid/sheets.json"])["components"]
    return found


def image(files: dict[str, bytes], path: str) -> Image.Image:
    return Image.open(io.BytesIO(files[f"grid/{path}"]))


@pytest.mark.parametrize("game", GAMES)
def test_every_printed_piece_is_listed(game: str) -> None:
    parts = listed(exported("grid", game))
    told = Counter({piece["name"]: piece["count"] for part in parts for piece in part["pieces"]})
    assert told == pieces_of(game)
    assert [part["count"] for part in parts] == [sum(piece["count"] for piece in part["pieces"]) for part in parts]


@pytest.mark.parametrize("game", GAMES)
def test_a_cell_holds_the_face_that_the_list_names(game: str) -> None:
    files = exported("grid", game)
    named = {"sheets.json", *json.loads(files["grid/sheets.json"])["rules"]}
    for part in listed(files):
        named |= {*part["fronts"], *part["backs"]}
        for side, paths in (("front", part["fronts"]), ("back", part["backs"])):
            sheets = [image(files, path) for path in paths]
            for sheet in sheets:
                assert max(sheet.size) <= MOST_PIXELS
            cells = set()
            for piece in part["pieces"] if sheets else ():
                named.add(piece[side])
                face, sheet = image(files, piece[side]), sheets[piece["sheet"] - 1]
                assert sheet.size == (face.width * part["columns"], face.height * part["rows"])
                x, y = (piece["column"] - 1) * face.width, (piece["row"] - 1) * face.height
                cell = sheet.crop((x, y, x + face.width, y + face.height))
                assert cell.tobytes() == face.tobytes()
                cells.add((piece["sheet"], piece["column"], piece["row"]))
            assert len(cells) == (len(part["pieces"]) if sheets else 0)
    assert {f"grid/{path}" for path in named} == set(files)


@pytest.mark.parametrize("game", ["talavera", "advaya"])
def test_faces_are_those_of_the_print(game: str) -> None:
    """--to png cuts the same faces out of the same sheets."""
    files, painted = exported("grid", game), exported("png", game)
    for part in listed(files):
        flat = [piece for piece in part["pieces"] if part["id"] != "box"]
        for piece in flat:
            for side in ("front", "back"):
                if side in piece:
                    with Image.open(io.BytesIO(painted[piece[side]])) as printed:
                        assert image(files, piece[side]).tobytes() == printed.tobytes()


def test_sheets_are_divided_at_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three cards of 79 pixels, two beside each other, one row a sheet."""
    monkeypatch.setattr("generator.export.pieces.MOST_PIXELS", 170)
    files = export_to("grid", HERE / "_tiny")
    (part,) = listed(files)
    assert (part["columns"], part["rows"], len(part["fronts"])) == (2, 1, 2)
    assert [piece["sheet"] for piece in part["pieces"]] == [1, 1, 2]


def test_large_pieces_have_fewer_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.export.pieces.MOST_PIXELS", 60)
    files = export_to("grid", HERE / "_tiny")
    assert max(image(files, "faces/cards/1-front.png").size) == 60


def test_columns_and_pictures_are_options() -> None:
    files = export_to("grid", HERE / "_tiny", columns="1", picture="webp")
    (part,) = listed(files)
    assert (part["columns"], part["rows"]) == (1, 3)
    sheet = image(files, part["fronts"][0])
    assert (sheet.format, sheet.mode) == ("WEBP", "RGBA")
    assert all(path.endswith((".webp", ".json")) for path in files)


def test_the_same_sheets_twice() -> None:
    for picture in ("png", "webp"):
        first, second = (export_to("grid", HERE / "_tiny", picture=picture) for _ in range(2))
        assert first == second


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("picture=gif", "picture must be 'png' or 'webp', not 'gif'"),
        ("columns=0", "columns must be at least 1, not '0'"),
        ("dpi=9", "dpi must be at least 50, not '9'"),
    ],
)
def test_a_wrong_option_is_reported(setting: str, told: str, tmp_path: Path, pnp: Pnp) -> None:
    words = ("--to", "grid", "--set", setting, "-o", tmp_path / "x")
    result = pnp("export", HERE / "_tiny", *words)
    assert result.exit_code == 1
    assert f"--to grid: {told}" in result.output
    assert not (tmp_path / "x").exists()


def test_a_lid_and_its_tray_have_sheets_of_their_own(tmp_path: Path, pnp: Pnp) -> None:
    assert pnp("new", tmp_path / "chest", "--kind", "tokens").exit_code == 0
    result = pnp("export", tmp_path / "chest", "--to", "grid", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    parts = json.loads((tmp_path / "grid/sheets.json").read_text("utf-8"))["components"]
    assert len({part["id"] for part in parts}) == len(parts) >= 2
    assert all((tmp_path / "grid" / path).is_file() for part in parts for path in part["fronts"])
