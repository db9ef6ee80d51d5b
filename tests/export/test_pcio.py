"""Rooms of playingcards.io, held to what the importer of VirtualTabletop reads of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generator.basics.geometry import Size
from generator.export import online
from generator.export.online import MOST_BYTES, _in_rows, _Stack
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.exported import GAMES, components, export_to, exported, pieces_of, unzipped

Widget = dict[str, Any]
ASSET = "package://"
RECIPES = Path(__file__).parents[1] / "recipes"


def room(game: str) -> tuple[list[Widget], dict[str, bytes]]:
    files = unzipped(exported("pcio", game)[f"{game}.pcio"])
    return json.loads(files.pop("widgets.json")), files


def of(widgets: list[Widget], kind: str) -> dict[str, Widget]:
    return {widget["id"]: widget for widget in widgets if widget["type"] == kind}


@pytest.mark.parametrize("game", GAMES)
def test_every_printed_piece_is_in_the_room(game: str) -> None:
    widgets, _ = room(game)
    decks = of(widgets, "cardDeck")
    types = [decks[card["deck"]]["cardTypes"][card["cardType"]] for card in of(widgets, "card").values()]
    told = Counter(kind["label"] for kind in types if not kind["label"].startswith("Rules "))
    boards = {
        component.name_piece(component.pieces[0].id): 1
        for component in components(game)
        if len(component.copies()) == 1 and not component.has_back and component.shape.kind != "net"
    }
    assert len(of(widgets, "board")) == len(boards)
    assert told + Counter(boards) == pieces_of(game)


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_unique_and_parents_are_there(game: str) -> None:
    widgets, _ = room(game)
    ids = [widget["id"] for widget in widgets]
    assert len(set(ids)) == len(ids)
    piles = of(widgets, "cardPile")
    for widget in [*of(widgets, "card").values(), *of(widgets, "cardDeck").values()]:
        pile = piles[widget["parent"]]
        assert pile["x"] <= widget["x"] <= pile["x"] + pile["width"]
        assert pile["y"] <= widget["y"] <= pile["y"] + pile["height"]
    assert list(of(widgets, "hand")) == ["hand"]


@pytest.mark.parametrize("game", GAMES)
def test_named_pictures_are_there_and_small_enough(game: str) -> None:
    widgets, files = room(game)
    named = set()
    for deck in of(widgets, "cardDeck").values():
        sides = [deck[f"{side}Template"]["objects"][0]["value"] for side in ("face", "back")]
        for row in deck["cardTypes"].values():
            assert all(isinstance(value, str) for value in row.values())
            named |= {row[side] for side in sides}
    named |= {board["boardImage"] for board in of(widgets, "board").values()}
    assert {name.removeprefix(ASSET) for name in named} == set(files)
    assert all(path.startswith("userassets/") for path in files)
    assert max(map(len, files.values())) < 2 * 1024 * 1024


@pytest.mark.parametrize("game", GAMES)
def test_piles_and_boards_lie_apart_on_the_table(game: str) -> None:
    widgets, _ = room(game)
    kinds = ("cardPile", "board", "hand")
    boxes = [
        (widget["x"], widget["y"], widget["x"] + widget["width"], widget["y"] + widget["height"])
        for widget in widgets
        if widget["type"] in kinds
    ]
    for index, (x0, y0, x1, y1) in enumerate(boxes):
        assert (x0 >= 0, y0 >= 0, x1 <= 1600, y1 <= 1000) == (True,) * 4
        for a0, b0, a1, b1 in boxes[:index]:
            assert x1 <= a0 or a1 <= x0 or y1 <= b0 or b1 <= y0


def test_stacks_lie_in_rows() -> None:
    """On a table of 1600 x 1000, below their labels; a low stack follows a high one."""
    sizes = ((992, 192), (92, 72), (692, 72), (492, 72))
    stacks = [_Stack("", [], Size(*size)) for size in sizes]
    spots = _in_rows(stacks, 1.0)
    assert [(spot.x, spot.y) for spot in spots] == [(20, 30), (1040, 30), (20, 300), (740, 300)]
    assert _in_rows([*stacks, *stacks], 1.0) == []


def test_cards_with_backs_alike_are_face_down_and_shuffled() -> None:
    widgets, _ = room("taluva")
    decks, piles = of(widgets, "cardDeck"), of(widgets, "cardPile")
    told = {}
    for card in of(widgets, "card").values():
        pile = piles[decks[card["deck"]]["parent"]]
        told[pile["label"]] = not card["faceup"], pile["hasShuffleButton"]
    assert told["Tiles"] == (True, True)
    assert told["Huts"] == told["Rules"] == (False, False)


def test_pieces_that_stand_show_one_picture_and_hide_nothing() -> None:
    files = unzipped(export_to("pcio", RECIPES / "bifold")["bifold.pcio"])
    widgets = json.loads(files["widgets.json"])
    (deck,) = of(widgets, "cardDeck").values()
    kinds = deck["cardTypes"].values()
    assert len(kinds) == 3
    for kind in kinds:
        assert len({value for value in kind.values() if str(value).startswith(ASSET)}) == 1
    assert all(card.get("faceup", True) for card in of(widgets, "card").values())


@pytest.mark.parametrize("game", ["talavera", "taluva"])
def test_a_piece_shows_its_own_faces(game: str) -> None:
    """The pictures are those of --to grid, which are held against --to png."""
    widgets, files = room(game)
    faces = exported("grid", game)
    listed = json.loads(faces["grid/sheets.json"])["components"]
    paths = {piece["name"]: piece for row in listed for piece in row["pieces"]}
    rows = [row for deck in of(widgets, "cardDeck").values() for row in deck["cardTypes"].values()]
    shown = [row for row in rows if row["label"] in paths]
    assert len(shown) == len(paths)
    for row in shown:
        for side in ("front", "back"):
            path = paths[row["label"]].get(side, paths[row["label"]]["front"])
            assert files[row[side].removeprefix(ASSET)] == faces[f"grid/{path}"]


def test_large_pictures_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "MOST_BYTES", 900)
    files = unzipped(export_to("pcio", HERE / "_tiny", dpi="300")["_tiny.pcio"])
    pictures = [content for path, content in files.items() if path.endswith(".png")]
    assert pictures
    assert max(map(len, pictures)) <= 900 < MOST_BYTES


def test_the_same_room_twice() -> None:
    assert export_to("pcio", HERE / "_tiny") == export_to("pcio", HERE / "_tiny")


def test_many_stacks_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table on which Talavera does not fit at full size."""
    full = {pile["label"]: pile["width"] for pile in of(room("talavera")[0], "cardPile").values()}
    monkeypatch.setattr(online, "_TABLE", Size(500, 220))
    files = unzipped(export_to("pcio", "talavera")["talavera.pcio"])
    widgets = json.loads(files["widgets.json"])
    piles = of(widgets, "cardPile").values()
    for pile in piles:
        assert pile["x"] + pile["width"] <= 500
        assert pile["y"] + pile["height"] <= 220
    assert all(pile["width"] < full[pile["label"]] for pile in piles)


def test_stacks_that_fit_nowhere_are_reported(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "_SMALLEST", online._LARGEST)
    asked = ("--to", "pcio", "--only", "cards,box", "-o", tmp_path / "x")
    result = pnp("export", "talavera", *asked)
    assert result.exit_code == 1
    assert "--to pcio: the 3 stacks of Talavera do not fit on the table" in result.output
    assert not (tmp_path / "x").exists()
