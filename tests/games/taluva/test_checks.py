"""The tables are as published; each pair and each building that is short or in excess is named."""

from __future__ import annotations

import pytest

from generator import pipeline
from generator.games.taluva.checks import TERRAINS, Buildings, Pairs, Setup, distribution, mirrored
from generator.model import Check
from generator.pipeline.game import CHECKS
from tests.games.conftest import Edit, Planted

TILES, TILES_60 = "taluva/tiles.csv", "taluva/tiles-60.csv"
TABLES: dict[str, tuple[Check, str]] = {
    "48": (Pairs(), TILES),
    "60": (Pairs(), TILES_60),
    "setup": (Setup(), TILES),
    "setup of 60": (Setup(), TILES_60),
    "huts": (Buildings(of="hut"), "taluva/huts.csv"),
    "temples": (Buildings(of="temple"), "taluva/temples.csv"),
    "towers": (Buildings(of="tower"), "taluva/towers.csv"),
}
NOTES = {
    "48": (
        "the 48 tiles are read clockwise from the volcano: right, then left; the printed game may "
        "be mirrored, which would swap jungle/clearing 6 and clearing/jungle 5, jungle/lake 2 and "
        "lake/jungle 1, sand/rock 2 and rock/sand 1 (left/right)"
    ),
    "60": (
        "the 60 tiles are read clockwise from the volcano: right, then left; the printed game may "
        "be mirrored, which would swap jungle/lake 4 and lake/jungle 1, clearing/rock 4 and "
        "rock/clearing 3, sand/rock 2 and rock/sand 1 (left/right)"
    ),
}


@pytest.mark.parametrize("tiles", [48, 60])
def test_distribution(tiles: int) -> None:
    pairs = distribution(tiles)
    assert set(pairs) == {(left, right) for left in TERRAINS for right in TERRAINS}
    assert sum(pairs.values()) == tiles
    assert min(pairs.values()) == 1
    assert mirrored(mirrored(pairs)) == pairs != mirrored(pairs)


def test_variant_adds_to_each_pair() -> None:
    large = distribution(60)
    assert all(large[pair] >= count for pair, count in distribution(48).items())


@pytest.mark.parametrize("name", TABLES)
def test_published_tables(name: str, planted: Planted) -> None:
    rule, table = TABLES[name]
    notes = [NOTES[name]] if name in NOTES else []
    found = planted(rule, table)
    assert [(problem.level, problem.what) for problem in found] == [("note", n) for n in notes]
    assert CHECKS[type(rule).kind] is type(rule)  # type: ignore[attr-defined]


# The table, its edits; where and what is then told, the lines without the file.
FAULTS: dict[str, tuple[str, list[Edit], list[tuple[str, str]]]] = {
    "a pair is short": (
        "48",
        [("clearing,sand,2", "clearing,sand,1")],
        [(":9", "clearing-sand (clearing left, sand right): 1 tile, 2 in the published 48: 1 short")],
    ),
    "a pair is short in the variant": (
        "60",
        [("jungle,lake,4", "jungle,lake,2")],
        [(":6", "jungle-lake (jungle left, lake right): 2 tiles, 4 in the published 60: 2 short")],
    ),
    "a pair is absent": (
        "48",
        [("lake-lake,lake,lake,1,left\n", "")],
        [("game.toml:9", "lake left, lake right: 0 tiles, 1 in the published 48: 1 short")],
    ),
    "a pair in two rows": (
        "48",
        [("lake-lake,lake,lake,1,left\n", "lake-lake,lake,lake,1,left\nmore,lake,lake,2,\n")],
        [(":26", "lake-lake and more (lake left, lake right): 3 tiles, 1 in the published 48: 2 in excess")],
    ),
    "a tile turned over": (
        "48",
        [("jungle,clearing,6", "jungle,clearing,5"), ("clearing,jungle,5", "clearing,jungle,6")],
        [
            (":3", "jungle-clearing (jungle left, clearing right): 5 tiles, 6 in the published 48: 1 short"),
            (":7", "clearing-jungle (clearing left, jungle right): 6 tiles, 5 in the published 48: 1 in excess"),
        ],
    ),
    "fields that are no terrain": (
        "48",
        [("sand-lake,sand,lake,1", "sand-lake,snad,desert,1")],
        [
            (":16 column left", "sand-lake: 'snad' is not a terrain; did you mean 'sand'?"),
            (":16 column right", "sand-lake: 'desert' is not a terrain; known: clearing, jungle, lake, rock, sand"),
            ("game.toml:9", "sand left, lake right: 0 tiles, 1 in the published 48: 1 short"),
        ],
    ),
    "too few tiles for four": (
        "setup",
        [("lake-lake,lake,lake,1,left\n", "")],
        [("game.toml:9", "4 players need 48 tiles, there are 47")],
    ),
    "too few tiles for three": (
        "setup",
        [
            ("jungle,clearing,6", "jungle,clearing,0"),
            ("clearing,jungle,5", "clearing,jungle,0"),
            ("jungle,sand,4", "jungle,sand,2"),
        ],
        [
            ("game.toml:9", "3 players need 36 tiles, there are 35"),
            ("game.toml:9", "4 players need 48 tiles, there are 35"),
        ],
    ),
    "a hut is lost": ("huts", [("hut,red,20", "hut,red,19")], [(":2", "red-hut: 'red' has 19 huts, not 20")]),
    "temples in two rows": (
        "temples",
        [("white-temple,temple,white,3", "white-temple,temple,white,3\nmore,temple,white,1")],
        [(":4", "white-temple and more: 'white' has 4 temples, not 3")],
    ),
    "what is no building": (
        "huts",
        [("red-hut,hut,red,20", "red-hut,hat,red,20")],
        [(":2 column kind", "red-hut: 'hat' is not a hut")],
    ),
    "a building of another kind": (
        "towers",
        [("red-tower,tower,red,2", "red-tower,temple,red,2")],
        [(":2 column kind", "red-tower: 'temple' is not a tower")],
    ),
    "a fifth colour": (
        "towers",
        [("red-tower,tower,red,2", "red-tower,tower,red,2\nx,tower,pink,2")],
        [("game.toml:9", "there are towers of 5 colours, not 4: 'red', 'pink', 'brown', 'white', 'yellow'")],
    ),
    "a colour is missing": (
        "huts",
        [("red-hut,hut,red,20\n", "")],
        [("game.toml:9", "there are huts of 3 colours, not 4: 'brown', 'white', 'yellow'")],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_named(name: str, planted: Planted) -> None:
    key, edits, told = FAULTS[name]
    rule, table = TABLES[key]
    found = [problem for problem in planted(rule, table, *edits) if problem.level == "error"]
    assert [(str(problem.place), problem.what) for problem in found] == [
        (where if where.startswith("game") else table + where, what) for where, what in told
    ]


def test_tiles_the_other_way_round_are_a_note(planted: Planted) -> None:
    swapped = [
        ("jungle,clearing,6", "jungle,clearing,5"),
        ("clearing,jungle,5", "clearing,jungle,6"),
        ("jungle,lake,2", "jungle,lake,1"),
        ("lake,jungle,1", "lake,jungle,2"),
        ("sand,rock,2", "sand,rock,1"),
        ("rock,sand,1", "rock,sand,2"),
    ]
    (found,) = planted(Pairs(), TILES, *swapped)
    assert found.level == "note"
    assert "clockwise from the volcano: left, then right;" in found.what


@pytest.mark.parametrize(("game", "tiles"), [("taluva", 48), ("taluva-60", 60)])
def test_the_box_is_whole(game: str, tiles: int) -> None:
    """Tiles, 80 huts, 12 temples and 8 towers, held against rules that know their numbers."""
    loaded = pipeline.read(game)
    counts = {component.id: len(component.copies()) for component in loaded.game.components}
    assert counts == {"tiles": tiles, "huts": 80, "temples": 12, "towers": 8, "box": 1}
    ruled = {
        design.component.id: {type(placed.check).__name__ for placed in design.checks} for design in loaded.designs[:-1]
    }
    assert ruled.pop("tiles") == {"Pairs", "Setup", "TaluvaFields"}
    assert all(rules == {"Buildings", "Players"} for rules in ruled.values())
