"""Games of Card Game Simulator: what its specification asks for, and files that are all there."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.basics.geometry import MM_PER_INCH
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.exported import GAMES, LOW, components, export_to, exported, pieces_of

BASE = "http://localhost:8000/"
LINE = re.compile(r"(\d+) \[(.+?)\] (.+)")
# the keys that we write, of those in the public schema, with the types it gives them
KEYS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "autoUpdateUrl": str,
    "copyright": str,
    "allCardsUrl": str,
    "cardImageUrl": str,
    "cardImageFileType": str,
    "cardBackImageFileType": str,
    "cardBackImageUrl": str,
    "cardBackFaceImageUrls": list,
    "cardSize": dict,
    "cardNameBackIdentifier": str,
    "cardNameIsUnique": bool,
    "deckFileType": str,
    "deckFileTxtId": str,
    "deckUrls": list,
    "gameStartDecks": list,
    "gameBoardUrls": list,
    "gameBoardCards": list,
    "gameCardRotationDegrees": int,
    "gameDefaultCardAction": str,
    "rulesUrl": str,
}


def folder(game: str) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, bytes]]:
    files = {path.removeprefix("cgs/"): content for path, content in exported("cgs", game).items()}
    return json.loads(files["cgs.json"]), json.loads(files["AllCards.json"]), files


@pytest.mark.parametrize("game", GAMES)
def test_cgs_json_is_as_specified(game: str) -> None:
    spec, cards, _ = folder(game)
    assert spec["name"]
    for key, value in spec.items():
        assert isinstance(value, KEYS[key]), key
    assert spec["deckFileType"] == "txt"
    assert spec["gameDefaultCardAction"] in ("move", "rotate", "tap", "flip", "discard")
    for url in [*spec["deckUrls"], *spec["gameStartDecks"]]:
        assert url.keys() == {"name", "url"}
    for url in [*spec.get("cardBackFaceImageUrls", []), *spec.get("gameBoardUrls", [])]:
        assert url.keys() == {"id", "url"}
    for card in cards:
        assert {"id", "name", "set", "setname"} <= card.keys()


@pytest.mark.parametrize("game", GAMES)
def test_every_flat_piece_is_in_a_deck_or_a_board(game: str) -> None:
    spec, cards, files = folder(game)
    names = {card["id"]: card["name"] for card in cards}
    told: Counter[str] = Counter()
    for path in (path for path in files if path.startswith("decks/")):
        for line in files[path].decode().splitlines():
            count, id_, name = LINE.fullmatch(line).groups()  # type: ignore[union-attr]
            assert names[id_] == name
            told[name] += int(count)
    boards = [url["id"] for url in spec.get("gameBoardUrls", [])]
    flat = [component for component in components(game) if component.shape.kind != "net"]
    in_decks = {card.title for card in flat if card.id not in boards}
    assert told == Counter(
        {
            name: count
            for name, count in pieces_of(game).items()
            if any(name == title or name.startswith(f"{title} ") for title in in_decks)
        }
    )
    assert len(boards) + len(in_decks) == len(flat)


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_unique_and_addresses_lead_to_files(game: str) -> None:
    spec, cards, files = folder(game)
    assert len({card["id"] for card in cards}) == len(cards)
    named = {"cgs.json", "AllCards.json", "CardBack.png"} & set(files)
    for key in ("deckUrls", "cardBackFaceImageUrls", "gameBoardUrls"):
        named |= {entry["url"].removeprefix(BASE) for entry in spec.get(key, [])}
    urls = (spec[key] for key in ("autoUpdateUrl", "allCardsUrl", "rulesUrl"))
    named |= {url.removeprefix(BASE) for url in urls}
    if "cardBackImageUrl" in spec:
        named.add(spec["cardBackImageUrl"].removeprefix(BASE))
    for card in cards:
        ids = [card["id"], *([f"{card['id']}_b"] if "backName" in card else [])]
        for id_ in ids:
            address = spec["cardImageUrl"].replace("{cardSet}", card["set"])
            address = address.replace("{cardImageFileType}", spec["cardImageFileType"])
            named.add(address.replace("{cardId}", id_).removeprefix(BASE))
    assert named == set(files)
    backs = {url["id"] for url in spec.get("cardBackFaceImageUrls", [])}
    assert {back for card in cards for back in card.get("backs", [])} == backs


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_as_large_as_a_card(game: str) -> None:
    spec, _, files = folder(game)
    size = spec["cardSize"]
    flat = [component for component in components(game) if component.shape.kind != "net"]
    decks = [card for card in flat if card.has_back or len(card.copies()) > 1]
    assert size["x"] * MM_PER_INCH == pytest.approx(max(printed_deck.size.width for printed_deck in decks), abs=0.01)
    for path, content in files.items():
        if path.startswith(("sets/", "backs/")):
            with Image.open(io.BytesIO(content)) as image:
                dots = int(LOW["dpi"])
                assert image.width == pytest.approx(size["x"] * dots, abs=1)
                assert image.height == pytest.approx(size["y"] * dots, abs=1)


def test_a_board_is_on_the_table_in_its_size() -> None:
    spec, cards, _ = folder("advaya")
    ((board,),) = [card["boards"] for card in spec["gameBoardCards"]]
    assert spec["gameBoardCards"][0]["card"] in {card["id"] for card in cards}
    inches = [board["size"][axis] * MM_PER_INCH for axis in ("x", "y")]
    assert inches == pytest.approx([160, 24], abs=0.01)
    assert spec["gameCardRotationDegrees"] == 60


def test_addresses_begin_with_the_base() -> None:
    files = export_to("cgs", HERE / "_tiny", base_url="https://you.example/kit")
    spec = json.loads(files["cgs/cgs.json"])
    assert spec["autoUpdateUrl"] == "https://you.example/kit/cgs.json"
    assert b"localhost" not in files["cgs/cgs.json"]
    assert spec["gameCardRotationDegrees"] == 90


def test_the_same_folder_twice() -> None:
    assert export_to("cgs", HERE / "_tiny") == export_to("cgs", HERE / "_tiny")


@pytest.mark.parametrize("address", ["you.example", "ftp://you.example/", "https:///kit", ""])
def test_an_address_is_one_of_the_web(address: str, tmp_path: Path, pnp: Pnp) -> None:
    words = ("--to", "cgs", "--set", f"base_url={address}", "-o", tmp_path / "x")
    result = pnp("export", HERE / "_tiny", *words)
    assert result.exit_code == 1
    assert f"--to cgs: base_url '{address}' is not an address" in result.output
    assert not (tmp_path / "x").exists()


def test_a_kit_without_cards_is_reported(tmp_path: Path, pnp: Pnp) -> None:
    tents = tmp_path / "tents"
    tents.mkdir()
    spec = (HERE / "_tiny/game.toml").read_text("utf-8")
    head = spec.partition("[[component]]")[0].replace("Tiny", "Tents")
    (tents / "game.toml").write_text(f"{head}{TENTS}", "utf-8")
    for name in ("cards.csv", "dot.svg"):
        (tents / name).write_bytes((HERE / "_tiny" / name).read_bytes())
    result = pnp("export", tents, "--to", "cgs", "-o", tmp_path / "x")
    assert result.exit_code == 1
    told = "--to cgs: Tents has no cards: all its pieces are folded, or boards"
    assert told in result.output
    assert not (tmp_path / "x").exists()


TENTS = """\
[[component]]
id = "tents"
title = "Tents"
table = "cards.csv"
bleed = "1.5mm"

[component.shape]
kind = "tent"
width = "15mm"
depth = "13mm"
height = "12mm"

[component.front]
renderer = "net.panels"
ground_by = "dot"
grounds = { 0 = "ink", 1 = "ink" }
"""
