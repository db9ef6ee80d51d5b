"""Saved objects of Tabletop Simulator, held to what its makers write of them."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from generator import pipeline
from generator.basics.geometry import Point, Size, translation
from generator.basics.shapes import Shape, area, carried, circle, polygon, rectangle, trihex
from generator.export.tts import TableSpot, die, folded, model, slab, triangulate
from generator.layout import solids
from generator.layout.solids import pyramid, tent, tuckbox
from tests.conftest import Pnp
from tests.game.tiny import HEAD, write
from tests.layout.nets.space import normal
from tests.layout.nets.test_folding import upright
from tests.support.exported import GAMES, exported

INCH = 25.4
RECIPES = Path(__file__).parents[1] / "recipes"
Object = dict[str, Any]


def saved(pnp: Pnp, out: Path, game: str | Path, *words: object) -> tuple[Object, dict[str, bytes]]:
    result = pnp("export", game, "--to", "tts", "--set", "dpi=60", "-o", out, *words)
    assert result.exit_code == 0, result.output
    files = {path.name: path.read_bytes() for path in (out / "tts/files").iterdir()}
    return json.loads((out / f"tts/{Path(game).name}.json").read_text("utf-8")), files


def saved_once(game: str) -> tuple[Object, dict[str, bytes]]:
    """As `saved`, with fewer dots and shared by all tests."""
    files = {Path(path).name: content for path, content in exported("tts", game).items()}
    return json.loads(files.pop(f"{game}.json")), files


def every(objects: list[Object]) -> Iterator[Object]:
    for item in objects:
        yield item
        yield from every(item.get("ContainedObjects", []))


def addresses(item: Object) -> Iterator[str]:
    for key, value in item.items():
        if isinstance(value, dict):
            yield from addresses(value)
        elif key.endswith(("URL", "Url")) and value:
            yield value


@pytest.mark.parametrize("game", GAMES)
def test_every_printed_piece_is_on_the_table(game: str) -> None:
    save, files = saved_once(game)
    kinds = ("Card", "CardCustom", "Custom_Token", "Custom_Model")
    told = Counter(item["Nickname"] for item in every(save["ObjectStates"]) if item["Name"] in kinds)
    components = pipeline.read(game).game.components
    assert told == Counter(component.name_piece(piece.id) for component in components for piece in component.copies())
    ids = [item["GUID"] for item in every(save["ObjectStates"])]
    assert len(set(ids)) == len(ids)
    named = {name for item in save["ObjectStates"] for name in urls(item)}
    assert named == set(files)


def urls(item: Object) -> Iterator[str]:
    for thing in every([item]):
        yield from addresses({k: v for k, v in thing.items() if k != "ContainedObjects"})


@pytest.mark.parametrize("game", GAMES)
def test_decks_keep_the_limits_of_a_sheet(game: str) -> None:
    save, files = saved_once(game)
    decks = [item for item in save["ObjectStates"] if "CustomDeck" in item]
    for deck in decks:
        for key, sheet in deck["CustomDeck"].items():
            columns, rows = sheet["NumWidth"], sheet["NumHeight"]
            assert 2 <= columns <= 10
            assert 2 <= rows <= 7
            with Image.open(io.BytesIO(files[sheet["FaceURL"]])) as face:
                assert max(face.size) <= 4096
                assert face.mode == "RGB"
                with Image.open(io.BytesIO(files[sheet["BackURL"]])) as back:
                    cell = face.width // columns, face.height // rows
                    assert back.size == (face.size if sheet["UniqueBack"] else cell)
            cells = [id_ % 100 for id_ in deck.get("DeckIDs", []) if id_ // 100 == int(key)]
            assert all(cell < columns * rows for cell in cells)
        inner = [item["CardID"] for item in deck.get("ContainedObjects", [])]
        assert inner == deck.get("DeckIDs", [])


def test_a_card_shows_its_own_back(tmp_path: Path, pnp: Pnp) -> None:
    """Both sheets of Talavera show the pictures of a card at the same place."""
    words = ("--set", "base_url=https://example.org/t")
    save, files = saved(pnp, tmp_path, "talavera", "--only", "cards", *words)
    (deck,) = [item for item in save["ObjectStates"] if item["Nickname"] == "Cards"]
    assert deck["Transform"]["rotZ"] == 180
    (sheet,) = deck["CustomDeck"].values()
    assert sheet["UniqueBack"]
    assert sheet["FaceURL"].startswith("https://example.org/t/")
    out = tmp_path / "png"
    pnp("export", "talavera", "--to", "png", "--dpi", "60", "--only", "cards", "-o", out)
    for side, key in (("front", "FaceURL"), ("back", "BackURL")):
        with Image.open(io.BytesIO(files[sheet[key].rpartition("/")[2]])) as grid:
            for index, id_ in enumerate(deck["DeckIDs"]):
                name = deck["ContainedObjects"][index]["Nickname"].partition(" ")[2]
                row, column = divmod(id_ % 100, sheet["NumWidth"])
                with Image.open(out / f"faces/cards/{name}-{side}.png") as face:
                    at = column * face.width, row * face.height
                    seen = grid.crop((*at, at[0] + face.width, at[1] + face.height))
                    ground = Image.new("RGB", face.size, "white")
                    ground.paste(face, (0, 0), face)
                    assert seen.tobytes() == ground.tobytes()


def test_a_board_is_locked_and_a_marker_is_not(folder: Path, tmp_path: Path, pnp: Pnp) -> None:
    """Advaya's track, true to size in inches; a single card without a back is taken into a hand."""
    save, files = saved(pnp, tmp_path / "a", "advaya")
    (track,) = [item for item in save["ObjectStates"] if item["Locked"]]
    assert (track["Name"], track["Nickname"]) == ("Custom_Token", "Progress track")
    assert track["Transform"]["scaleX"] * 2 * INCH == pytest.approx(160.0)
    with Image.open(io.BytesIO(files[track["CustomImage"]["ImageURL"]])) as picture:
        left, top, right, bottom = picture.getchannel("A").getbbox() or (0, 0, 0, 0)
        assert (right - left) / (bottom - top) == pytest.approx(160 / 24, rel=0.01)
    write(folder, '<circle cx="20" cy="30" r="9"/>')
    result = pnp("export", folder, "--to", "tts", "-o", tmp_path / "b")
    assert result.exit_code == 0, result.output
    (card,) = json.loads((tmp_path / "b/tts/tiny.json").read_text("utf-8"))["ObjectStates"]
    assert (card["Name"], card["Locked"]) == ("CardCustom", False)
    spec = folder / "game.toml"  # boards of several players are no cards
    spec.write_text(spec.read_text("utf-8").replace('["40mm", "60mm"]', '["120mm", "180mm"]'), "utf-8")
    write(folder, '<circle cx="20" cy="30" r="9"/>', head=HEAD.replace("0 0 40 60", "0 0 120 180"))
    (folder / "cards.csv").write_text("id,count,x,t\na,3,7,some words\n", "utf-8")
    result = pnp("export", folder, "--to", "tts", "-o", tmp_path / "c")
    assert result.exit_code == 0, result.output
    (bag,) = json.loads((tmp_path / "c/tts/tiny.json").read_text("utf-8"))["ObjectStates"]
    assert [board["Name"] for board in bag["ContainedObjects"]] == ["Custom_Token"] * 3


def test_an_address_is_one(tmp_path: Path, pnp: Pnp) -> None:
    words = ("--set", "base_url=example", "-o", tmp_path / "x")
    result = pnp("export", "talavera", "--to", "tts", *words)
    assert result.exit_code == 1
    assert "base_url 'example' is not an address" in result.output
    assert not (tmp_path / "x").exists()


def test_names_of_files_change_with_their_content(tmp_path: Path, pnp: Pnp) -> None:
    _, small = saved(pnp, tmp_path / "a", "talavera", "--only", "cards")
    _, again = saved(pnp, tmp_path / "b", "talavera", "--only", "cards")
    assert small == again
    asked = ("--set", "dpi=61", "--only", "cards", "-o", tmp_path / "c")
    large = pnp("export", "talavera", "--to", "tts", *asked)
    assert large.exit_code == 0
    pictures = {name for name in small if name.endswith(".png")}
    assert not pictures & {path.name for path in (tmp_path / "c/tts/files").iterdir()}


def test_a_slab_has_its_volume_and_no_hole() -> None:
    trimesh = pytest.importorskip("trimesh")
    for shape in (trihex(30.0), circle(25.0), polygon([Point(0, 0), Point(9, 0), Point(0, 7)])):
        mesh = trimesh.load(io.BytesIO(slab(shape, shape.outline, has_back=True).content()), file_type="obj")
        mesh.merge_vertices(merge_tex=True)
        assert mesh.is_watertight
        assert mesh.is_winding_consistent
        assert mesh.volume * INCH**3 == pytest.approx(shape.area * 2.0, rel=1e-3)
        assert mesh.bounds[0][1] == 0


def test_a_slab_has_the_holes_of_its_piece() -> None:
    trimesh = pytest.importorskip("trimesh")
    holes = tuple(carried(circle(6.0).outline, translation(x, 8.0)) for x in (8.0, 20.0))
    shape = Shape("rectangle", rectangle(Size(40.0, 30.0)).outline, holes)
    mesh = trimesh.load(io.BytesIO(slab(shape, shape.outline, has_back=True).content()), file_type="obj")
    mesh.merge_vertices(merge_tex=True)
    assert mesh.is_watertight
    assert mesh.euler_number == -2, "two holes"
    area = shape.area - 2 * circle(6.0).area
    assert mesh.volume * INCH**3 == pytest.approx(area * 2.0, rel=1e-3)


def test_what_stands_shows_its_back_inside(tmp_path: Path, pnp: Pnp) -> None:
    """The texture has the front at its left, the back at its right."""
    state, files = saved(pnp, tmp_path, RECIPES / "bifold")
    models = [item for item in every(state["ObjectStates"]) if item["Name"] == "Custom_Model"]
    assert len(models) == 3
    texture = Image.open(io.BytesIO(files[models[0]["CustomMesh"]["DiffuseURL"]]))
    left, right = (texture.getpixel((texture.width * n // 40, texture.height // 2)) for n in (3, 37))
    assert left == (0xB5, 0x52, 0x2F)
    assert right == (0xF6, 0xEF, 0xDF)
    mesh = files[models[0]["CustomMesh"]["MeshURL"]].decode()
    across = [float(line.split()[1]) for line in mesh.splitlines() if line.startswith("vt ")]
    assert min(across) < 0.01
    assert max(across) > 0.99


@pytest.mark.parametrize(("net", "height"), [(pyramid(30.0, 40.0), 40.0), (tuckbox(64.0, 90.0, 20.0), 90.0)])
def test_a_net_is_folded_to_its_height(net: Any, height: float) -> None:
    trimesh = pytest.importorskip("trimesh")
    mesh = trimesh.load(io.BytesIO(folded(net, has_back=False).content()), file_type="obj")
    low, high = mesh.bounds * INCH
    assert low[1] == pytest.approx(0, abs=0.01)
    assert high[1] == pytest.approx(height, abs=0.05)
    assert len(mesh.vertices) < 25_000


@pytest.mark.parametrize("sides", solids.SIDES)
def test_a_die_is_rolled_and_shows_its_number(sides: int) -> None:
    """Each rotation turns its face up, that of four faces down, by Unity's matrices (it turns about
    z, then x, then y) of the mesh as Unity loads it, mirrored from left to right."""
    net = solids.die(sides, 16.0)
    thing = die(model("Die", "mesh.obj", "ink.png", TableSpot(0.0, 0.0)), net)
    assert thing["CustomMesh"]["TypeIndex"] == 2, "a die, by the makers' list of types"
    assert thing["CustomMesh"]["ColliderURL"] == "mesh.obj", "else it bounces like a box"
    values = thing["RotationValues"]
    assert [value["Value"] for value in values] == list(range(1, sides + 1))
    solid = upright(net)
    for value in values:
        x, y, z = (np.radians(value["Rotation"][axis]) for axis in "xyz")
        about_z = [[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]]
        about_x = [[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]]
        out = normal(solid[f"face-{value['Value']}"]) * [-1, 1, 1]
        up = np.array(about_x) @ np.array(about_z) @ out
        assert y == 0
        assert up == pytest.approx([0, -1 if sides == 4 else 1, 0], abs=1e-5)
    lines = folded(net, has_back=False).content().decode().splitlines()
    spots = np.array([line.split()[1:] for line in lines if line.startswith("v ")], float)
    ends = spots.max(axis=0) + spots.min(axis=0)
    assert sides == 4 or ends == pytest.approx(np.zeros(3), abs=1e-5), "it turns about its middle"


def test_triangles_fill_an_outline() -> None:
    for shape in (trihex(30.0), tent(20.0, 15.0, 12.0)):
        triangles = triangulate(shape.outline)
        assert sum(area(triangle) for triangle in triangles) == pytest.approx(shape.area)
        assert min(area(triangle) for triangle in triangles) > -1e-9
