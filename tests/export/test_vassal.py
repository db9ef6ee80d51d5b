"""Modules of VASSAL, held to the rules of its format; its engine opened all five of the house."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest
from lxml import etree
from msgspec import Struct
from PIL import Image

from generator.export import vassal
from generator.export.vassal import define
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.exported import GAMES, LOW, export_to, exported, pieces_of, unzipped

Exported = Callable[[str, str], dict[str, bytes]]
MAP = "VASSAL.build.module.map"
PILES = (f"{MAP}.DrawPile", f"{MAP}.SetupStack")
SLOTS = ("VASSAL.build.widget.CardSlot", "VASSAL.build.widget.PieceSlot")
IMAGES = {"piece": 3, "obs": 2}  # the place of the picture in these traits
LAYERS = 16  # the place of the pictures in a layer


class Piece(Struct, frozen=True):
    """A definition as the engine reads it: traits from the outermost, and a state for each."""

    traits: list[list[str]]
    states: list[str]

    @property
    def images(self) -> Iterator[str]:
        for trait in self.traits:
            if trait[0] in IMAGES and trait[IMAGES[trait[0]]]:
                yield trait[IMAGES[trait[0]]]
            if trait[0] == "emb2":
                yield from split(trait[LAYERS], ",")

    @property
    def kinds(self) -> list[str]:
        return [trait[0] for trait in self.traits]


def split(text: str, between: str) -> list[str]:
    """The parts of a sequence: no backslash is before the character between them."""
    parts, part = [], ""
    for before, character in pairwise(f" {text}{between}"):
        if character == between and before != "\\":
            parts.append(part[1:-1] if part[:1] == part[-1:] == "'" and len(part) > 1 else part)
            part = ""
        else:
            part = part[:-1] + character if character == between else part + character
    return parts


def unnest(text: str) -> list[str]:
    first, *rest = split(text, "\t")
    return [first, *(unnest(rest[0]) if rest else [])]


def read(definition: str) -> Piece:
    command, ids, traits, states = split(definition, "/")
    assert (command, ids) == ("+", "null")
    return Piece([split(trait, ";") for trait in unnest(traits)], unnest(states))


def module(game: str, made: Exported = exported) -> tuple[etree._Element, dict[str, bytes]]:
    files = unzipped(made("vassal", game)[f"{game}.vmod"])
    return etree.fromstring(files["buildFile.xml"]), files


def slots(root: etree._Element) -> list[etree._Element]:
    return [slot for kind in SLOTS for slot in root.iter(kind)]


@pytest.mark.parametrize("game", GAMES)
def test_every_printed_piece_is_in_a_slot(game: str) -> None:
    root, _ = module(game)
    assert root.tag == "VASSAL.build.GameModule"
    found = slots(root)
    assert Counter(slot.get("entryName") for slot in found) == pieces_of(game)
    ids = [slot.get("gpid") for slot in found]
    assert sorted(map(int, ids)) == list(range(1, len(ids) + 1))
    assert int(root.get("nextPieceSlotId")) == len(ids) + 1
    for slot in found:
        piece = read(slot.text)
        assert len(piece.traits) == len(piece.states)
        assert piece.kinds[-1] == "piece"
        assert piece.traits[-1][4] == slot.get("entryName")
        assert split(piece.states[-1], ";")[3] == slot.get("gpid")
        assert slot.getparent().tag in PILES


@pytest.mark.parametrize("game", GAMES)
def test_named_pictures_are_there_in_the_size_of_the_slot(game: str) -> None:
    root, files = module(game)
    named = set()
    for slot in slots(root):
        for name in read(slot.text).images:
            named.add(f"images/{name}")
            with Image.open(io.BytesIO(files[f"images/{name}"])) as image:
                assert [str(side) for side in image.size] == [slot.get("width"), slot.get("height")]
    assert named == {path for path in files if path.startswith("images/")}
    rest = {path for path in files if not path.startswith("images/")}
    assert rest == {"buildFile.xml", "moduledata", "rules.pdf"}
    (rules,) = root.iter("VASSAL.build.module.documentation.BrowserPDFFile")
    assert rules.get("pdfFile") == "rules.pdf"
    assert files["rules.pdf"].startswith(b"%PDF")


@pytest.mark.parametrize(
    ("game", "wide", "made"), [*((game, None, exported) for game in GAMES), ("taluva", 200.0, export_to)]
)
def test_piles_lie_on_the_table(game: str, wide: float | None, made: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in rows, where low piles lie beside higher ones."""
    if wide:
        monkeypatch.setattr(vassal, "_WIDE", wide)
    root, _ = module(game, made)
    table, *hands = root.iter(f"{MAP}.boardPicker.Board")
    assert len(hands) == 4
    piles = [pile for kind in PILES for pile in root.iter(kind)]
    names = [pile.get("name") for pile in piles]
    assert len(set(names)) == len(names)
    boxes = []
    for pile in piles:
        assert pile.get("owningBoard") == table.get("name")
        (x, y), (w, h) = (
            (float(one.get(a)), float(one.get(b))) for one, a, b in ((pile, "x", "y"), (pile[0], "width", "height"))
        )
        assert 0 <= x - w / 2 < x + w / 2 <= float(table.get("width"))
        assert 0 <= y - h / 2 < y + h / 2 <= float(table.get("height"))
        boxes.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    for index, (x0, y0, x1, y1) in enumerate(boxes):
        for a0, b0, a1, b1 in boxes[:index]:
            assert x1 <= a0 or a1 <= x0 or y1 <= b0 or b1 <= y0


@pytest.mark.parametrize(
    ("game", "pile", "kinds", "face_down"),
    [
        ("taluva", "Tiles", ["rotate", "obs", "piece"], "Always"),
        ("taluva", "Huts", ["rotate", "piece"], "Never"),
        ("talavera", "Cards", ["rotate", "emb2", "piece"], "Never"),
    ],
)
def test_backs_alike_hide_and_others_are_sides(game: str, pile: str, kinds: list[str], face_down: str) -> None:
    root, _ = module(game)
    (deck,) = [deck for deck in root.iter(f"{MAP}.DrawPile") if deck.get("name") == pile]
    assert deck.get("faceDown") == face_down
    pieces = [read(slot.text) for slot in deck]
    assert {tuple(piece.kinds) for piece in pieces} == {tuple(kinds)}
    for piece in pieces:
        if kinds[1] != "piece":
            assert len(set(piece.images)) == 2
            assert "70,130" in piece.traits[1]


@pytest.mark.parametrize(("game", "sideways", "across"), [("advaya", "false", 26.73), ("taluva", "true", 40)])
def test_the_grid_fits_the_tiles(game: str, sideways: str, across: float) -> None:
    root, _ = module(game)
    (grid,) = root.iter(f"{MAP}.boardPicker.board.HexGrid")
    pixels = across / 25.4 * int(LOW["dpi"])
    assert float(grid.get("dy")) == pytest.approx(pixels, abs=0.01)
    assert float(grid.get("dx")) == pytest.approx(pixels * sqrt(3) / 2, abs=0.01)
    assert grid.get("sideways") == sideways
    assert grid.get("cornersLegal") == sideways


def test_three_hexagons_turn_about_their_common_corner() -> None:
    """The picture has its middle there: between the upper hexagon and the two others."""
    root, files = module("taluva")
    slot = next(slot for slot in slots(root) if slot.get("entryName").startswith("Tiles"))
    across = 40 / 25.4 * int(LOW["dpi"])
    for name in read(slot.text).images:
        with Image.open(io.BytesIO(files[f"images/{name}"])) as image:
            box = image.getchannel("A").point(lambda alpha: 255 * (alpha > 128)).getbbox()
            assert box
            left, top, right, bottom = box
            assert (left + right) / 2 == pytest.approx(image.width / 2, abs=1)
            assert image.height / 2 - top == pytest.approx(2 * across / sqrt(3), abs=1.5)
            assert bottom - image.height / 2 == pytest.approx(1.5 * across / sqrt(3), abs=1.5)


def test_cards_have_no_grid_and_players_a_hand() -> None:
    files = unzipped(export_to("vassal", HERE / "_tiny", players="2")["_tiny.vmod"])
    root = etree.fromstring(files["buildFile.xml"])
    assert not list(root.iter(f"{MAP}.boardPicker.board.HexGrid"))
    sides = [entry.text for entry in root.iter("entry")]
    assert sides == ["Player 1", "Player 2"]
    assert [hand.get("side") for hand in root.iter("VASSAL.build.module.PlayerHand")] == sides
    assert etree.fromstring(files["moduledata"]).findtext("name") == "Tiny"
    assert "rules.pdf" not in files


@pytest.mark.parametrize("name", ["a;b", "a/b", "'quoted'", "ends in \\", "a, b \\; c"])
def test_names_arrive_whole(name: str) -> None:
    for is_secret in (True, False):
        piece = read(define(7, name, "front.png", "back.png", 90, is_secret=is_secret))
        assert piece.traits[-1][4] == name
        assert set(piece.images) == {"front.png", "back.png"}


def test_the_same_module_twice() -> None:
    assert export_to("vassal", HERE / "_tiny") == export_to("vassal", HERE / "_tiny")


@pytest.mark.parametrize("setting", ["players=0", "players=13", "dpi=20"])
def test_a_wrong_option_is_reported(setting: str, tmp_path: Path, pnp: Pnp) -> None:
    words = ("--to", "vassal", "--set", setting, "-o", tmp_path / "x")
    result = pnp("export", HERE / "_tiny", *words)
    assert result.exit_code == 1
    assert f"--to vassal: {setting.partition('=')[0]} must be at" in result.output
    assert not (tmp_path / "x").exists()
