"""Pieces whose count is "fill" take the places that stay free, and never a sheet more."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from generator import check_game, plan_game
from generator.basics.errors import PnpError
from generator.model import Sheet
from generator.pipeline.printing import impose_game
from generator.pipeline.request import PrintOptions, parse_request
from generator.pipeline.sheets import silent
from tests.support.exported import export_to

GAME = """
[game]
title = "Blanks"
designer = "A designer"
about = "Blank cards for nothing."
"""
CARDS = """
[[component]]
id = "{id}"
title = "{id}"
table = "{id}.csv"
size = "{size}"
[component.front]
template = "{id}.svg"
edge = "mirror"
"""
FACE = """<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm"
viewBox="0 0 {w} {h}"><rect width="{w}" height="{h}" fill="#fed"/>
<text x="6" y="20" font-family="Fraunces" font-size="6">{{{{ number }}}}|{{{{ title }}}}</text>
</svg>"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Seven of nine cards on a sheet, and small ones."""
    folder = tmp_path / "blanks"
    folder.mkdir()
    parts = (CARDS.format(id="cards", size="poker"), CARDS.format(id="small", size="44x63mm"))
    (folder / "game.toml").write_text(GAME + "".join(parts), "utf-8")
    (folder / "cards.svg").write_text(FACE.format(w=63.5, h=88.9), "utf-8")
    (folder / "small.svg").write_text(FACE.format(w=44, h=63), "utf-8")
    deal(folder, "cards", 7)
    deal(folder, "small", 16, "")
    return folder


def deal(folder: Path, id_: str, count: int, blanks: str = "blank,fill,\nempty,Fill,\n") -> None:
    table = f"id,count,title\nada,{count},Ada\n{blanks}"
    (folder / f"{id_}.csv").write_text(table, "utf-8")


def sheets_of(game: Path, **options: object) -> list[Sheet]:
    chosen = PrintOptions(paper="letter", mix=False)
    chosen.update(options)  # type: ignore[typeddict-item]
    return impose_game(parse_request(str(game), chosen), silent).sheets


def counts_of(sheets: list[Sheet]) -> Counter[str]:
    """The pieces on all sheets, further copies as their first."""
    placed = (p.piece for sheet in sheets for p in sheet.pages[0].placements)
    return Counter(name.partition(" ")[0] for name in placed)


@pytest.mark.parametrize(
    ("count", "sheets", "blanks"), [(7, 1, (1, 1)), (9, 1, (0, 0)), (10, 2, (4, 4)), (1, 1, (4, 4))]
)
def test_blanks_fill_the_last_sheet(count: int, sheets: int, blanks: tuple[int, int], game: Path) -> None:
    deal(game, "cards", count)
    found = sheets_of(game, only=["cards"])
    assert len(found) == sheets
    counts = counts_of(found)
    assert (counts["ada"], counts["blank"], counts["empty"]) == (count, *blanks)


def test_blanks_never_move_other_pieces_to_a_sheet_more(game: Path) -> None:
    """Four cards share a sheet with four small ones, and with as many blanks as it holds."""
    for count, is_shared in ((4, True), (7, False)):
        deal(game, "cards", count, "")
        deal(game, "small", 4, "")
        before = sheets_of(game, mix=True)
        deal(game, "cards", count)
        after = sheets_of(game, mix=True)
        assert len(after) == len(before) == 2 - is_shared
        assert counts_of(after)["ada"] == count + 4
        assert counts_of(after).total() > count + 4


@pytest.mark.parametrize("paper", ["a3", "photo-4x6"])
def test_the_number_of_blanks_follows_the_paper(paper: str, game: Path) -> None:
    found = [sheet for sheet in sheets_of(game, paper=paper) if sheet.component == "cards"]
    assert all(len(sheet.pages[0].placements) == sheet.seats for sheet in found)


def test_a_plan_says_how_many_blanks_there_are(game: Path) -> None:
    plan = plan_game(str(game), paper="letter", mix=False)
    assert plan.rows[0].pieces == 9
    assert "cards: blank fills 1 free place" in plan.notes
    deal(game, "cards", 9)
    assert "cards: empty fills no free places" in plan_game(str(game), mix=False).notes


def test_a_screen_has_no_blanks_but_their_picture(game: Path) -> None:
    assert [found for found in check_game(str(game)) if found.level == "error"] == []
    assert "faces/cards/blank-front.png" in export_to("png", game)
    saved = json.loads(export_to("tts", game)["tts/blanks.json"])
    deck = saved["ObjectStates"][0]
    assert {card["Nickname"].split()[1] for card in deck["ContainedObjects"]} == {"ada"}


@pytest.mark.parametrize(
    ("id_", "table", "what"),
    [
        ("cards/blank", "", "the piece 'blank' only fills free places"),
        ("cards", "id,count,title\nblank,fill,\n", "has nothing to print"),
        ("cards", "id,count,title\nada,7,Ada\nblank,full,\n", "'full' is not a whole number"),
    ],
)
def test_blanks_that_cannot_be(id_: str, table: str, what: str, game: Path) -> None:
    if table:
        (game / "cards.csv").write_text(table, "utf-8")
    with pytest.raises(PnpError) as raised:
        sheets_of(game, only=[id_])
    assert what in raised.value.problems[0].what
