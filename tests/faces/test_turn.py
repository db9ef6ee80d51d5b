"""Faces that lie turned on their pieces: on paper, and upright on every screen."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace
from PIL import Image

from generator import check_game, export_game, print_game
from generator.basics.geometry import Point
from generator.booklet import FaceIndex
from generator.model import SIDES
from generator.pdf import raster
from generator.pipeline.game import draw, read
from generator.pipeline.printing import impose_game
from generator.pipeline.request import parse_request
from generator.pipeline.sheets import silent
from generator.play.table.state import describe_state, make_supply, set_up
from generator.studio.view import View, describe_view
from tests.support.exported import export_to

GAME = """
[game]
title = "Lying"
designer = "A designer"
about = "Cards that lie."
"""
LYING = """
[[component]]
id = "{id}"
title = "{id}"
table = "cards.csv"
size = {size}
{bleed}
[component.front]
template = "face.svg"
{front}
[component.back]
template = "under.svg"
{back}
"""
FACE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" width="{w}mm" height="{h}mm"
viewBox="0 0 {w} {h}"><rect width="{w}" height="{h}" fill="{ground}"/>
<path d="M0 0 H{w} V9 H0 z" fill="#d2b48c"/><circle cx="{w}" cy="{h}" r="20" fill="#336"/>
<text x="9" y="20" font-family="Abril Fatface" font-size="8">{{{{ title }}}}</text>
<rect id="b" x="9" y="30" width="70" height="20" fill="none"/>
<text pnp:box="b" font-family="Alegreya Sans" font-size="4">{{{{ title }}}} is **read** so.</text>
</svg>"""
TABLE = "id,title,way\nmill,Mill,90\nlight,Light,90\n"
CARD, HELD = '["63.5mm", "88.9mm"]', '["88.9mm", "63.5mm"]'
EDGES = [(3.0, ""), (0.0, 'edge = "mirror"'), (0.0, 'edge = "#336"')]
WAYS = [(90, "", ""), (270, "turn = 270", "turn = 90"), (90, 'turn_by = "way"', "")]


def game_of(folder: Path, *components: str, bleed: float = 3.0, table: str = TABLE) -> Path:
    """A game of these components, whose drawings are those of a card that is 88.9 mm wide."""
    folder.mkdir(exist_ok=True)
    size = {"w": 88.9 + 2 * bleed, "h": 63.5 + 2 * bleed}
    (folder / "game.toml").write_text(GAME + "".join(components), "utf-8")
    (folder / "cards.csv").write_text(table, "utf-8")
    (folder / "face.svg").write_text(FACE.format(ground="#c8e0f0", **size), "utf-8")
    (folder / "under.svg").write_text(FACE.format(ground="#f0d8c0", **size), "utf-8")
    return folder


def component(id_: str, size: str, front: str = "", back: str = "", more: str = "") -> str:
    return LYING.format(id=id_, size=size, front=front, back=back, bleed=more)


def pixels_of(image: Image.Image) -> npt.NDArray[np.int16]:
    return np.asarray(image.convert("RGB")).astype(np.int16)


def pixels(content: bytes) -> npt.NDArray[np.int16]:
    return pixels_of(Image.open(BytesIO(content)))


@pytest.mark.parametrize(("edge", "way"), [*zip(EDGES, WAYS, strict=True)])
def test_a_turned_card_looks_like_one_of_that_size(
    edge: tuple[float, str], way: tuple[int, str, str], tmp_path: Path
) -> None:
    (bleed, filled), (turn, front, back) = edge, way
    lying = component("lying", CARD, f"{front}\n{filled}", f"{back}\n{filled}")
    held = component("held", HELD, filled, filled)
    folder = game_of(tmp_path / "game", lying, held, bleed=bleed)
    face = draw(read(str(folder)), silent)["lying", "mill", "front"]
    assert face.turn == turn
    assert face.size == pytest.approx((69.5, 94.9))
    pictures = export_to("png", folder)
    export_game(str(folder), "svg", tmp_path)
    drawings = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes().replace(b"lying", b"held")
        for path in (tmp_path / "faces").rglob("*.svg")
    }
    for piece, side in product(("mill", "light"), ("front", "back")):
        name = f"{piece}-{side}"
        assert pictures[f"faces/lying/{name}.png"] == pictures[f"faces/held/{name}.png"], name
        if not filled:  # else the strips of a mirrored bleed are in another order
            assert drawings[f"faces/lying/{name}.svg"] == drawings[f"faces/held/{name}.svg"], name


@pytest.mark.parametrize("way", WAYS)
def test_a_turned_card_lies_on_its_sheet(way: tuple[int, str, str], tmp_path: Path) -> None:
    """Turned over its long edge, as its neighbours are, a card with both sides at 90 reads upright
    again: on both pages the top of the face is at the right of the card."""
    turn, front, back = way
    folder = game_of(tmp_path / "game", component("lying", CARD, front, back))
    made = impose_game(parse_request(str(folder), {"paper": "a4"}), silent)
    print_game(str(folder), tmp_path / "sheets.pdf", paper="a4")
    images = raster.rasterise((tmp_path / "sheets.pdf").read_bytes(), 150)
    upright = export_to("png", folder, dpi="150")
    (sheet,) = made.sheets
    for page, image in zip(sheet.pages, images, strict=True):
        for placed in page.placements:
            assert placed.affine[:4] == (1.0, 0.0, 0.0, 1.0)
            corner = placed.affine.apply(Point(3.0, 3.0))
            box = [round(length * 150 / 25.4) for length in (*corner, corner.x + 63.5, corner.y + 88.9)]
            degrees = turn if page.side == "front" else 90
            seen = image.crop((box[0], box[1], box[2], box[3])).rotate(degrees, expand=True)
            face = pixels(upright[f"faces/lying/{placed.piece}-{page.side}.png"])[..., :3]
            apart = np.abs(pixels_of(seen.resize(face.shape[1::-1])) - face)
            assert np.percentile(apart[10:-10, 10:-10], 98) < 40, (placed.piece, page.side)


@pytest.mark.parametrize(
    ("front", "table", "more", "said"),
    [
        ("turn = 0", TABLE, "", "leave out turn and turn_by"),
        ("turn = 45", TABLE, "", "0, 90, 180"),
        ('turn = 90\nturn_by = "way"', TABLE, "", "both turn and turn_by are given"),
        ('turn_by = "way"', TABLE.replace("90", "left", 1), "", "'left' is not a turn"),
        ('turn_by = "how"', TABLE, "", "the column 'how' is missing"),
    ],
)
def test_a_turn_that_cannot_be(front: str, table: str, more: str, said: str, tmp_path: Path) -> None:
    folder = game_of(tmp_path / "game", component("lying", CARD, front, "", more), table=table)
    (problem,) = [found for found in check_game(str(folder)) if found.level == "error"]
    assert said in f"{problem.what} / {problem.hint}"
    assert problem.place.line


def test_a_cell_without_a_turn_leaves_it_to_the_template(tmp_path: Path) -> None:
    table = TABLE.replace("Light,90", "Light,").replace("Mill,90", "Mill,270")
    folder = game_of(tmp_path / "game", component("lying", CARD, 'turn_by = "way"'), table=table)
    drawn = draw(read(str(folder)), silent)
    turns = {key[1]: face.turn for key, face in drawn.items() if key[2] == "front"}
    assert turns == {"mill": 270, "light": 90}


def test_a_net_is_not_turned(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "game", component("lying", CARD))
    spec = (folder / "game.toml").read_text("utf-8")
    net = "[component.shape]\nkind = 'tent'\nwidth = '30mm'\nheight = '20mm'\ndepth = '10mm'\n"
    spec = spec.replace(f"size = {CARD}\n", "").replace("[component.front]", f"{net}[component.front]")
    (folder / "game.toml").write_text(spec.replace('face.svg"\n', 'face.svg"\nturn = 90\n'), "utf-8")
    said = [found.what for found in check_game(str(folder)) if found.level == "error"]
    assert any("a folded piece cannot be turned" in what for what in said)


def test_tables_and_pages_show_a_turned_card_upright(tmp_path: Path) -> None:
    folder = game_of(tmp_path / "game", component("lying", CARD, "", "turn = 270"))
    game = read(str(folder)).game
    drawn = draw(read(str(folder)), silent)
    front, back = (drawn["lying", "mill", side] for side in SIDES)
    (component_,) = describe_view(View(game, drawn, (), ()))["components"]
    piece = component_["pieces"][0]
    assert piece["faces"] == {"front": front.upright.id, "back": back.upright.id}
    assert piece["turned"]["front"]["size"] == pytest.approx((94.9, 69.5))
    supply = make_supply(game, drawn)
    state = replace(set_up(supply, 1, Random(1)), hands=((0,),))
    (card,) = describe_state(state, supply, 0)["hand"]
    assert card["face"] == front.id
    assert (card["held"]["face"], card["held"]["size"]) == (front.upright.id, [88.9, 63.5])
    index = FaceIndex(game.components, drawn, {})
    assert index.face("lying", "mill", "front").id == front.upright.id


@pytest.mark.parametrize("way", [*WAYS, (0, "", "")])
def test_tabletop_simulator_turns_a_sideways_card(way: tuple[int, str, str], tmp_path: Path) -> None:
    """It shows one upright whose picture lies turned clockwise."""
    turn, front, back = way
    size = CARD if turn else HELD
    folder = game_of(tmp_path / "game", component("lying", size, front, back))
    files = export_to("tts", folder)
    saved = json.loads(files["tts/game.json"])
    (deck,) = saved["ObjectStates"]
    assert {card.get("SidewaysCard", False) for card in deck["ContainedObjects"]} == {turn > 0}
    (sheet,) = deck["CustomDeck"].values()
    painted = Image.open(BytesIO(files[f"tts/files/{sheet['FaceURL']}"]))
    cell = painted.crop((0, 0, painted.width // 2, painted.height // 2))
    whole = Image.open(BytesIO(export_to("png", folder)["faces/lying/mill-front.png"]))
    seen = pixels_of(cell.rotate(90, expand=True) if turn else cell)
    apart = np.abs(seen - pixels_of(whole.convert("RGB")))
    assert np.percentile(apart[4:-4, 4:-4], 98) < 40
