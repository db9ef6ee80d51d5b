"""The picture of a game on a table: true to scale, in perspective, the same each time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import shapely
from PIL import Image

from generator import pipeline
from generator.basics.errors import Place
from generator.basics.geometry import ORIGIN, Point, Size
from generator.basics.shapes import Shape, area, box_of, common, hexagon, rectangle, trihex
from generator.export.scene import SCENE, LatticeCell, SceneGroup, Surface
from generator.export.scene.exporter import PRESETS, _cameras
from generator.export.scene.laying import Laid, Stock, compose, explode, fold, lay
from generator.export.scene.light import facets_of
from generator.export.scene.painting import _Region, tile_of
from generator.export.scene.space import aim
from generator.layout.nets import Net
from generator.layout.solids import house, pyramid, tent, tuckbox
from generator.model import Component, Face, Game
from generator.pipeline.sheets import silent
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.printing import request_of

Pixels = npt.NDArray[np.uint8]
BLACK = '[scene]\ncloth = "#000000"\n'


@pytest.fixture
def picture_of(tmp_path: Path) -> Callable[..., Pixels]:
    """The picture of the tiny game, three white cards of 40 by 60 mm, with a [scene]."""

    def make(scene: str, width: int, height: int, preset: str = "scene") -> Pixels:
        folder = tmp_path / "game"
        shutil.copytree(HERE / "_tiny", folder, dirs_exist_ok=True)
        with (folder / "game.toml").open("a", encoding="utf-8") as file:
            file.write(scene)
        options = {"width": width, "height": height, "preset": preset, "quality": "draft"}
        out = pipeline.export_kit(request_of(str(folder)), "scene", options, tmp_path, silent)
        with Image.open(next(out.glob("scene*.png"))) as image:
            return np.array(image.convert("RGB"))

    return make


def group(pieces: str, at: tuple[float, float], more: str = "") -> str:
    return f'[[scene.group]]\npieces = [{pieces}]\nat = ["{at[0]}mm", "{at[1]}mm"]\n{more}\n'


def places_of(pixels: Pixels) -> npt.NDArray[np.float64]:
    """The middles of the pixels of cards, on a black cloth."""
    rows, columns = np.nonzero(pixels.min(axis=2) > 100)
    return np.column_stack([columns, rows]).astype(np.float64) + 0.5


def test_a_card_from_above_is_true_to_scale(picture_of: Callable[..., Pixels]) -> None:
    """300 mm of the table are 1200 pixels: each corner is where a ruler finds it."""
    frame = 'tilt = 90\nframe = ["100mm", "100mm", "400mm", "300mm"]\n'
    scene = BLACK + frame + group('"cards/1"', (150, 160), "turn = 30")
    found = places_of(picture_of(scene, 1200, 800))
    c, s = cos(radians(30)), sin(radians(30))
    for x, y in ((-20, -30), (20, -30), (20, 30), (-20, 30)):
        corner = (50 + x * c - y * s) * 4, (60 + x * s + y * c) * 4
        assert np.hypot(*(found - corner).T).min() < 1.5
    assert len(found) == pytest.approx(40 * 60 * 16, rel=0.06)  # but for what is printed on it


def test_perspective_keeps_lines_and_makes_far_cards_small(picture_of: Callable[..., Pixels]) -> None:
    """Of five cards, the middle one is where the diagonals of the other four cross."""
    corners = [(100, 100), (340, 100), (340, 300), (100, 300)]
    cards = [group('"cards/1"', at) for at in (*corners, (220, 200))]
    pixels = picture_of(BLACK + "tilt = 40\n" + "".join(cards), 1500, 1000)
    middles, sizes = _blobs(pixels, 5)
    far_left, far_right, centre, near_left, near_right = middles
    crossing = _crossing(far_left, near_right, far_right, near_left)
    assert hypot(*(crossing - centre)) < 3.0
    assert hypot(*(far_right - far_left)) < 0.92 * hypot(*(near_right - near_left))
    assert max(sizes[:2]) < sizes[2] < min(sizes[3:])
    assert abs(far_left[1] - far_right[1]) < 1.5  # a level line is level


def _blobs(pixels: Pixels, count: int) -> tuple[list[npt.NDArray[np.float64]], list[int]]:
    """The middles and the sizes of bright blobs, in rows from the top, each from the left."""
    found = places_of(pixels)
    blobs: list[npt.NDArray[np.float64]] = []
    for rows in _runs(found, 1):
        blobs += _runs(rows, 0)
    assert len(blobs) == count
    return [(blob.min(axis=0) + blob.max(axis=0)) / 2 for blob in blobs], [*map(len, blobs)]


def _runs(places: npt.NDArray[np.float64], axis: int) -> list[npt.NDArray[np.float64]]:
    """Places parted where nothing lies for 12 pixels."""
    ordered = places[np.argsort(places[:, axis], kind="stable")]
    cuts = np.nonzero(np.diff(ordered[:, axis]) > 12)[0] + 1
    return np.split(ordered, cuts)


def _crossing(
    a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], c: npt.NDArray[np.float64], d: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Where the line from a to b meets the line from c to d."""
    along = np.linalg.solve(np.column_stack([b - a, c - d]), c - a)
    crossing: npt.NDArray[np.float64] = a + along[0] * (b - a)
    return crossing


@pytest.mark.parametrize("seed", range(8))
def test_a_facet_takes_the_pixels_whose_middles_it_holds(seed: int) -> None:
    """Seen from its edge it takes none: they would be specks on the card above."""
    random = np.random.default_rng(seed)
    region = _Region(3, 2, 45, 33)
    corners = np.array(shapely.MultiPoint(random.uniform(-5, 50, (9, 2))).convex_hull.exterior.coords)
    x, y = np.meshgrid(np.arange(3, 45) + 0.5, np.arange(2, 33) + 0.5)
    middles = shapely.contains_xy(shapely.Polygon(corners), x, y)
    assert (region.mask(corners[:-1]) == middles).all()
    edge = np.array([(8.2, 5.3), (40.2, 5.3), (40.2, 5.4), (8.2, 5.4)])
    assert not region.mask(edge).any()


def test_a_shadow_falls_beside_what_stands(tmp_path: Path) -> None:
    """On an otherwise empty cloth a box is darker on the side away from the lamp."""
    folder = tmp_path / "game"
    shutil.copytree(HERE / "_tiny", folder)
    box = '[[box]]\nground = "#ffffff"\n[scene]\ncloth = "#808080"\ntilt = 60\n'
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write(box + group('"box"', (100, 100)))
    options = {"width": 600, "height": 400, "quality": "draft"}
    out = pipeline.export_kit(request_of(str(folder)), "scene", options, tmp_path, silent)
    with Image.open(out / "scene.png") as image:
        grey = np.array(image.convert("L"), float)
    columns = np.nonzero((grey > 150).any(axis=0))[0]
    left, right = grey[:, columns.min() - 30], grey[:, columns.max() + 30]
    assert right.min() < left.min() - 15


def test_the_same_kit_gives_the_same_bytes(pnp: Pnp, tmp_path: Path) -> None:
    words = ("export", HERE / "_tiny", "--to", "scene", "--set", "width=300", "--set", "height=200")
    for name in ("one", "two"):
        assert pnp(*words, "-o", tmp_path / name).exit_code == 0
    first, two = ((tmp_path / name / "scene.png").read_bytes() for name in ("one", "two"))
    assert first == two


@pytest.mark.parametrize(("format_", "kind"), [("webp", "WEBP"), ("jpg", "JPEG")])
def test_a_smaller_file(format_: str, kind: str, pnp: Pnp, tmp_path: Path) -> None:
    size = ("--set", "width=300", "--set", "height=200", "--set", "quality=draft", "--set", f"format={format_}")
    assert pnp("export", HERE / "_tiny", "--to", "scene", *size, "-o", tmp_path).exit_code == 0
    with Image.open(tmp_path / f"scene.{format_}") as image:
        assert (image.format, image.size) == (kind, (300, 200))


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("width=100", "width must be at least 200, not '100'"),
        ("height=3001", "height must be at most 3,000, not '3001'"),
        ("preset=poster", "preset must be 'scene', 'hero'"),
        ("format=gif", "format must be 'png', 'webp' or 'jpg', not 'gif'"),
    ],
)
def test_a_wrong_option_is_reported(option: str, told: str, pnp: Pnp, tmp_path: Path) -> None:
    words = ("--set", option, "-o", tmp_path / "out")
    result = pnp("export", HERE / "_tiny", "--to", "scene", *words)
    assert result.exit_code == 1
    assert told in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["cards", "hexes", "tokens"])
def test_a_starter_has_a_scene_of_all_its_pieces(kind: str, tmp_path: Path) -> None:
    folder = pipeline.start(str(tmp_path / kind), kind)
    options = {"width": 400, "height": 250, "quality": "draft"}
    out = pipeline.export_kit(request_of(str(folder)), "scene", options, tmp_path, silent)
    with Image.open(out / "scene.png") as image:
        colours = image.convert("RGB").getcolors(1 << 20) or []
    assert len(colours) > 1000  # of shaded art; an empty cloth has about 200
    game = pipeline.read(str(folder)).game
    laid = {piece[0] for shown_group in compose(game, stock_of(game)).groups for piece in shown_group.pieces}
    assert laid == {component.id for component in game.components}


def test_the_scenes_of_the_games_show_every_named_piece() -> None:
    """No piece of a [scene] is missing, and none is cut off."""
    for name in ("talavera", "toripoka", "taluva", "advaya", "atreya"):
        game = pipeline.read(name).game
        scene = SCENE.of(game)
        assert scene is not None
        stock = stock_of(game)
        laid = lay(scene.groups, stock)
        assert len(laid) == sum(len(shown_group.pieces) for shown_group in scene.groups)
        facets = [facet for index, piece in enumerate(laid) for facet in facets_of(index, piece)]
        places = np.vstack([facet.plane.at(facet.outline) for facet in facets])
        (camera,) = _cameras(scene, facets, PRESETS["scene"], Size(1600, 1000))
        seen = camera.project(places)
        assert ((seen >= 0) & (seen <= (1600, 1000))).all(), name


def stock_of(game: Game) -> Stock:
    """Blank faces of all pieces."""
    faces = {
        (component.id, piece.id, "front"): blank(component)
        for component in game.components
        for piece in component.pieces
    }
    return Stock({component.id: component for component in game.components}, faces, 1)  # type: ignore[arg-type]


def blank(component: Component) -> Face:
    return Face.of((), component.id, component.bleed_size, component.outline)


def table_with(shape: Shape, *groups: SceneGroup) -> list[Laid]:
    """Pieces of one shape, named "tiles"."""
    part = Component("tiles", "Tiles", shape, 0.0, 0.0, 0.0, 0.0, "shared", {}, (), Place("a game"))
    faces = {("tiles", "1", "front"): blank(part)}
    return lay(groups, Stock({"tiles": part}, faces, 1))  # type: ignore[arg-type]


def tiles(count: int, **more: object) -> SceneGroup:
    return SceneGroup((("tiles", "1"),) * count, ORIGIN, **more)  # type: ignore[arg-type]


def test_a_stack_is_as_high_as_its_cards() -> None:
    laid = table_with(rectangle(Size(60, 90)), tiles(10, arrange="stack", thickness=0.3))
    assert [piece.height for piece in laid] == pytest.approx([0.3 * i for i in range(10)])
    assert [piece.is_covered for piece in laid] == [True] * 9 + [False]


def test_cards_side_by_side_lie_on_the_table_and_a_later_one_on_both() -> None:
    bridge = SceneGroup((("tiles", "1"),), Point(31.5, 0.0), thickness=0.5)
    laid = table_with(rectangle(Size(60, 90)), tiles(2, thickness=0.5), bridge)
    assert [piece.height for piece in laid] == pytest.approx([0.0, 0.0, 0.5])


@pytest.mark.parametrize("shape", [hexagon(30, "edge"), hexagon(30, "corner"), trihex(30)])
def test_cells_touch_and_never_overlap(shape: Shape) -> None:
    """Hexagons all around one, or three trihexes in each other: sides meet, no area is shared."""
    around = [(0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    turned = [(0, 0, 0), (1, 0, 5), (0, 2, 1)]
    cells = tuple(LatticeCell(*place) for place in (turned if shape.kind == "trihex" else around))
    feet = [piece.foot for piece in table_with(shape, tiles(len(cells), arrange="cells", cells=cells))]
    first = [_shared_corners(feet[0], other) for other in feet[1:]]
    assert all(corners >= 2 for corners in first)
    for index, foot in enumerate(feet):
        for other in feet[index + 1 :]:
            assert sum(map(abs, map(area, common(foot, other)))) < 0.01


def _shared_corners(one: Sequence[Point], other: Sequence[Point]) -> int:
    return sum(any(hypot(p.x - q.x, p.y - q.y) < 0.01 for q in other) for p in one)


def test_a_fan_turns_about_a_point_and_a_scatter_never_overlaps() -> None:
    fan = table_with(rectangle(Size(60, 90)), tiles(3, arrange="fan", step=20.0))
    left, middle, right = (box_of(piece.foot).centre for piece in fan)
    assert middle == pytest.approx((0.0, 0.0), abs=1e-6)
    assert left.x == pytest.approx(-right.x)
    assert left.y == pytest.approx(right.y)
    scatter = table_with(rectangle(Size(20, 20)), tiles(30, arrange="scatter", gap=12.0))
    assert {piece.height for piece in scatter} == {0.0}


@pytest.mark.parametrize("net", [pyramid(36, 52), tent(15, 13, 12), house(13, 13, 26, 8)])
def test_a_folded_piece_stands_on_its_foot(net: Net) -> None:
    folded = fold(net, lies=False)
    heights = np.concatenate([plane.at(panel.outline)[:, 2] for panel, plane in folded.panels])
    assert heights.min() == pytest.approx(0.0, abs=1e-6)
    for panel, plane in folded.panels:
        assert abs(np.linalg.norm(plane.normal) - 1) < 1e-9
        outward = plane.at(panel.outline).mean(axis=0) @ plane.normal
        assert outward > 0  # the printed side is outside


def test_the_heights_of_folded_pieces() -> None:
    heights = {
        52.0: fold(pyramid(36, 52), lies=False),
        34.0: fold(house(13, 13, 26, 8), lies=False),
        90.0: fold(tuckbox(65, 90, 20), lies=False),
        20.0: fold(tuckbox(65, 90, 20), lies=True),
    }
    for height, folded in heights.items():
        tops = [plane.at(panel.outline)[:, 2].max() for panel, plane in folded.panels]
        assert max(tops) == pytest.approx(height, abs=1e-6)
    foot = box_of(fold(tuckbox(65, 90, 20), lies=False).foot)
    assert (foot.width, foot.height) == pytest.approx((65, 20), abs=0.02)


def test_groups_are_laid_in_their_order() -> None:
    """The highest of three cards at one place is the last."""
    piece = table_with(rectangle(Size(60, 90)), *[tiles(1, turn=float(turn)) for turn in (0, 30, 60)])
    assert all(below.height < above.height for below, above in pairwise(piece))


@pytest.mark.parametrize("preset", ["hero", "flatlay", "banner", "square", "turntable"])
def test_a_preset_cuts_no_piece(preset: str) -> None:
    """Neither where it stands nor in a turn, whatever the scene's frame."""
    game = pipeline.read("taluva").game
    scene = SCENE.of(game)
    assert scene is not None
    laid = lay(scene.groups, stock_of(game))
    facets = [facet for index, piece in enumerate(laid) for facet in facets_of(index, piece)]
    places = np.vstack([facet.plane.at(facet.outline) for facet in facets])
    size = PRESETS[preset].size
    for camera in _cameras(scene, facets, PRESETS[preset], size):
        seen = camera.project(places)
        assert ((seen >= 0) & (seen <= size)).all()


def test_a_kit_apart_is_counted(picture_of: Callable[..., Pixels]) -> None:
    """Each kind of pieces is above its number and name, from the tables."""
    game = pipeline.read("toripoka").game
    scene = explode(game, stock_of(game))
    counted = [caption.words for caption in scene.captions]
    assert counted == [f"{len(part.copies())} × {part.title}" for part in game.components]
    pixels = picture_of('[scene]\n[[scene.group]]\npieces = ["cards"]\nat = ["0mm", "0mm"]\n', 500, 300, "components")
    assert (pixels.max(axis=2) < 90).sum() > 20  # letters on linen


def test_a_clear_background_has_only_shadows(tmp_path: Path) -> None:
    options = {"width": 300, "height": 200, "background": "none", "quality": "draft"}
    out = pipeline.export_kit(request_of(str(HERE / "_tiny")), "scene", options, tmp_path, silent)
    with Image.open(out / "scene.png") as image:
        pixels = np.array(image)
    assert pixels.shape == (200, 300, 4)
    alpha = pixels[..., 3]
    assert alpha[0, 0] == 0
    assert (alpha == 255).mean() > 0.1  # the cards
    is_shadow = (alpha > 15) & (alpha < 120)
    assert is_shadow.any()
    assert pixels[is_shadow][:, :3].mean() < 40


def test_what_is_in_focus_stays_in_its_place() -> None:
    """Seen through any part of the lens; what is nearer moves."""
    points = np.array([(0.0, 0.0, 0.0), (200.0, 150.0, 0.0)])
    camera = aim(points, 50.0, Size(800, 600))
    place = np.array([(120.0, 80.0, 0.0)])
    (focus,) = camera.distances(place)
    for view in camera.views(5, 3.0, focus):
        assert np.abs(view.project(place) - camera.project(place)).max() <= 0.5  # within its pixel
    moved = camera.through(Point(3.0, 0.0), Point(0.0, 0.0), focus).project(points[1:]) - camera.project(points[1:])
    assert abs(moved[0, 0]) > 0.5


@pytest.mark.parametrize("surface", ["felt", "linen", "slate", "wood"])
def test_a_surface_goes_on_at_its_edges(surface: Surface) -> None:
    """Steps across its edge are no larger than those within, and its mean is its colour."""
    factors = tile_of(surface).factors
    assert factors.mean() == pytest.approx(1.0, abs=0.02)
    across = np.abs(factors[:, 0] - factors[:, -1]).mean()
    within = np.abs(np.diff(factors, axis=1)).mean(axis=(0, 2)).max()
    assert across <= within * 1.05
