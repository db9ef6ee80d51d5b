"""The picture of a cover shows the game's own pieces as [cover] composes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace

from generator import booklet, pipeline
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import Point, Rect, Size
from generator.basics.shapes import box_of
from generator.booklet.figure import LAYER
from generator.booklet.paging import PageDesign
from generator.booklet.piece_pictures import draw_parts
from generator.booklet.plates import Plate
from generator.booklet.poster import make_poster, set_title
from generator.layout.nets import Net
from generator.model import Composition, Face, PlacedLayer, Poster
from generator.text import HOUSE_FONTS, FontBook
from generator.text.flow import Compositor
from tests.booklet.talavera import folder_with, rules, talavera, words_of
from tests.booklet.test_cover import GAMES, cover_of, game_drawn
from tests.conftest import Pnp

ROOM = Size(120.0, 100.0)
PLACE = Place("talavera/game.toml", 7)
PAPER = Size(215.9, 279.4)
FONTS = Path(__file__).parents[1] / "fonts"
COMPOSITIONS: tuple[Composition, ...] = ("large", "fan", "row", "wall")


def poster_of(poster: Poster, room: Size = ROOM) -> Plate:
    game, drawn = talavera()
    plate = make_poster(game, poster, booklet.FaceIndex(game.components, drawn, {}), room)
    assert plate
    return plate


def box(placed: PlacedLayer) -> Rect:
    """The box that a layer may ink."""
    if placed.clip:
        return box_of(placed.clip)
    return placed.place.apply_rect(Rect(0.0, 0.0, *placed.layer.size))


def pieces(plate: Plate) -> int:
    return sum(placed.layer.name == "edge of a piece" for placed in plate.layers)


@pytest.mark.parametrize("room", [ROOM, Size(190.0, 40.0), Size(60.0, 150.0)])
@pytest.mark.parametrize("fills", [False, True])
@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_it_stays_in_its_room(composition: Composition, fills: bool, room: Size) -> None:
    named = ("cards 3 turn 20", "cards 5 back", "box box")
    for words in ((), named):
        plate = poster_of(Poster(PLACE, composition, words, fills=fills), room)
        assert plate.layers
        assert all(Rect(0.0, 0.0, *room).encloses(box(placed)) for placed in plate.layers)


@pytest.mark.parametrize(("composition", "count"), [("large", 1), ("fan", 3), ("row", 3), ("table", 3)])
def test_every_piece_is_shown_once(composition: Composition, count: int) -> None:
    words = [f"cards {number}" for number in (3, 5, 7)]
    if composition == "table":
        words = [f"{word} at {70 * at} 0" for at, word in enumerate(words)]
    assert pieces(poster_of(Poster(PLACE, composition, tuple(words)))) == count


def test_the_side_of_a_piece_on_a_level_shows_whole() -> None:
    plate = poster_of(Poster(PLACE, "table", ("cards 3 at 0 0 level 1",)))
    sides, *card, _ = plate.layers
    assert sides.layer.name == "sides of pieces"
    seen = reduce(Rect.around, map(box, card))
    assert (plate.size.height - seen.y1) / seen.height == pytest.approx(LAYER / 88.9, rel=0.05)


def test_a_wall_leaves_no_gap() -> None:
    """Its pieces, square cards here, cover every place of the picture but their round corners."""
    plate = poster_of(Poster(PLACE, "wall", ("cards 3", "cards 5")))
    boxes = [box(placed) for placed in plate.layers if placed.layer.name != "edge of a piece"]
    spots = [Point(x + 0.5, y + 0.5) for x in range(0, 119, 7) for y in range(0, 99, 7)]
    assert all(any(box_shown.holds(spot) for box_shown in boxes) for spot in spots)


def test_rows_are_squares_of_art_on_the_foot_of_the_picture() -> None:
    game, _ = talavera()
    assert game.booklet
    art = {"r": game.booklet.icons["red"]}
    plate = poster_of(Poster(PLACE, "wall", rows=("r ", "rr"), art=art))
    squares = [box(layer) for layer in plate.layers if layer.layer.name == "red"]
    assert len(squares) == 3
    assert {round(square.width) for square in squares} == {50}
    assert max(square.y1 for square in squares) == pytest.approx(ROOM.height)


def test_the_piece_in_front_is_where_the_game_says() -> None:
    """It stays within the picture: 0.7 of its height, and as near to the corner as that allows."""
    poster = Poster(PLACE, "row", ("cards 5",), front="cards 3", front_at=(1.0, 0.0))
    layers = poster_of(poster).layers
    behind = [index for index, layer in enumerate(layers) if layer.layer.name == "edge of a piece"][-2]
    front = reduce(Rect.around, (box(layer) for layer in layers[behind + 1 : -1]))
    assert front == pytest.approx((ROOM.width - 50.0, 0.0, ROOM.width, 70.0), abs=0.5)


@pytest.mark.parametrize("words", ["cards 99", "carts 3", "cards"])
def test_an_unknown_piece_is_reported_where_the_cover_is_described(words: str) -> None:
    with pytest.raises(PnpError) as raised:
        poster_of(Poster(PLACE, "row", (words,)))
    assert {problem.place for problem in raised.value.problems} == {PLACE}


def test_a_piece_without_a_face_is_left_out() -> None:
    """As in a draft."""
    game, drawn = talavera()
    lacking = {key: face for key, face in drawn.items() if key[:2] != ("cards", "3")}
    index = booklet.FaceIndex(game.components, lacking, {})
    plate = make_poster(game, Poster(PLACE, "row", ("cards 3", "cards 5")), index, ROOM)
    assert plate
    assert pieces(plate) == 1
    assert make_poster(game, Poster(PLACE), booklet.FaceIndex(game.components, {}, {}), ROOM) is None


def test_a_draft_has_the_usual_picture_if_its_own_is_at_fault(tmp_path: Path, pnp: Pnp) -> None:
    folder = folder_with("# Talavera\n\nWords.\n", tmp_path / "talavera")
    spec = folder / "game.toml"
    text = spec.read_text("utf-8").replace('front = "cards 5 turn 8"', 'front = "cards 99"')
    spec.write_text(text, "utf-8")
    draft = tmp_path / "draft.pdf"
    told = pnp("build", folder, "--draft", "--only", "rules", "-o", draft)
    assert "a draft with 1 fault" in told.output
    assert "thereisnopiece'99'amongthecards" in words_of(draft.read_bytes())
    with pikepdf.open(draft) as document:
        assert len(document.pages) == 4, "the list of faults, and the rules, each on both sides"


def face(size: Size) -> Face:
    _, drawn = talavera()
    whole = drawn["cards", "3", "front"]
    outline = Rect(0.0, 0.0, *size).corners()
    return replace(whole, id=f"{size}", outline=outline, corner_radius=0.0)


def heights(sizes: list[Size], room: Size, folded: Sequence[Size] = ()) -> list[float]:
    """The heights of the pictures of a kit's parts, the last of which may be folded."""
    design = PageDesign(rules("# T"), FontBook([HOUSE_FONTS]))
    parts = [booklet.KitPart("P", 1, "", (face(size),), is_folded=size in folded) for size in (*sizes, *folded)]
    return [part.plate.size.height for part in draw_parts(parts, room, design)]


def test_the_flat_parts_of_a_kit_are_drawn_to_one_scale() -> None:
    large, medium, small = heights([Size(30, 60), Size(20, 40), Size(15, 30)], Size(40, 20))
    assert large == pytest.approx(20.0, abs=0.3)
    assert medium == pytest.approx(large * 2 / 3, abs=0.3)
    assert small == pytest.approx(large / 2, abs=0.3)


def test_the_folded_parts_have_a_scale_of_their_own() -> None:
    tile, tower, hut = heights([Size(80, 80)], Size(24, 12), [Size(12, 24), Size(10, 20)])
    assert [tile, tower] == pytest.approx([12.0, 12.0], abs=0.3)
    assert hut == pytest.approx(tower * 20 / 24, abs=0.3)


def test_a_small_piece_is_large_enough_to_see() -> None:
    tile, token = heights([Size(60, 60), Size(12.7, 12.7)], Size(24, 20))
    assert token == pytest.approx(9.0, abs=0.3)
    assert tile == pytest.approx(20.0, abs=0.3)


def test_a_long_strip_makes_nothing_else_small() -> None:
    track, tile = heights([Size(160, 24), Size(30, 30)], Size(24, 20))
    assert track == pytest.approx(24 / 160 * 24, abs=0.3)
    assert tile == pytest.approx(20.0, abs=0.3)


@pytest.mark.parametrize("name", GAMES)
def test_pieces_in_the_list_are_whole_unless_they_are_cards(name: str) -> None:
    """No folded piece and no tile hides a part of another one."""
    game, drawn = game_drawn(name)
    index, design = (booklet.FaceIndex(game.components, drawn, {}), PageDesign(rules("# T"), FontBook([HOUSE_FONTS])))
    for component in game.components:
        faces = tuple(booklet.different_faces(component, index))
        is_folded = isinstance(component.shape, Net)
        part = booklet.KitPart("P", 1, "", faces, is_folded=is_folded)
        [picture] = draw_parts([part], Size(30.0, 13.0), design)
        edges = [layer for layer in picture.plate.layers if layer.layer.name == "edge of a piece"]
        boxes = [edge.place.apply_rect(Rect(0.0, 0.0, *edge.layer.size)) for edge in edges]
        apart = all(a.x1 <= b.x0 + 0.1 for a, b in pairwise(boxes))
        assert apart or component.shape.kind == "rectangle", component.id


def test_a_tall_box_lies_on_its_side() -> None:
    design, room = PageDesign(rules("# T"), FontBook([HOUSE_FONTS])), Size(30.0, 12.0)
    tall, low = (
        booklet.KitPart("Box", 1, "", (face(size),), is_folded=True, is_container=True)
        for size in (Size(30, 100), Size(60, 100))
    )
    lying, standing = (part.plate.size for part in draw_parts([tall, low], room, design))
    assert lying.width > 3 * lying.height
    assert standing.height > 1.5 * standing.width


def rows_of(count: int) -> list[int]:
    """The parts in each row of a cover that lists so many."""
    game, drawn = talavera()
    assert game.booklet
    parts = tuple(booklet.KitPart(f"Part{n}", 1, "", (face(Size(20, 30)),)) for n in range(count))
    contents = booklet.KitContents(parts, ("print-long",), "Words.")
    index = booklet.FaceIndex(game.components, drawn, {})
    pages = booklet.cover(game, game.booklet, contents, index, PAPER, 6.35)
    found = [
        (number, y)
        for number, page in enumerate(pages)
        for y in re.findall(r' y="([\d.]+)"[^>]*>Part\d+<', page.layers[0].layer.svg)
    ]
    return [found.count(row) for row in dict.fromkeys(found)]


@pytest.mark.parametrize("count", range(1, 26))
def test_no_part_of_a_kit_stands_alone_in_a_row(count: int) -> None:
    rows = rows_of(count)
    assert sum(rows) == count
    assert max(rows) <= 4
    assert max(rows) == 1 or min(rows) > 1


@pytest.mark.parametrize("paper", [PAPER, Size(210.0, 297.0)])
@pytest.mark.parametrize("name", GAMES)
def test_a_cover_is_one_page_within_the_margin(name: str, paper: Size) -> None:
    game, drawn = game_drawn(name)
    assert game.booklet
    index = booklet.FaceIndex(game.components, drawn, {})
    parts = tuple(
        booklet.KitPart(component.title, 1, "pages 1–2\nthick paper", (index.first_of(component),))  # type: ignore[arg-type]
        for component in (*game.components, game.components[0])
    )
    steps = ("print-long", "measure", "booklet", "cut", "booklet", "cut")
    shown = index.first_of(game.components[0])
    assert shown
    contents = booklet.KitContents(parts, steps, "Words.", cut_pieces=(shown,), title_page=shown)
    [page] = booklet.cover(game, game.booklet, contents, index, paper, 6.35)
    bare = Rect(0.0, 0.0, *paper).grown(-6.35)
    assert all(bare.encloses(box(placed)) for placed in page.layers[1:])


@pytest.mark.parametrize("step", ["cut-machine", "cut", "score"])
def test_a_machine_has_a_picture_of_its_own(step: str) -> None:
    """The others are drawn from the pieces; without these, as in a draft, there is none."""
    game, drawn = talavera()
    assert game.booklet
    index = booklet.FaceIndex(game.components, drawn, {})
    for pieces_to_cut in ((), (face(Size(20, 30)),)):
        contents = booklet.KitContents((), (step,), "Words.", cut_pieces=pieces_to_cut)
        [page] = booklet.cover(game, game.booklet, contents, index, PAPER, 6.35)
        is_drawn = any(mark.layer.name == f"picture {step}" for mark in page.layers)
        assert is_drawn == (step == "cut-machine" or (step == "cut" and bool(pieces_to_cut)))


def test_each_game_has_a_composition_of_its_own() -> None:
    posters = [booklet_of(name).poster for name in GAMES if "-" not in name]
    assert all(replace(poster, place=PLACE) != Poster(PLACE) for poster in posters)


def booklet_of(name: str):  # type: ignore[no-untyped-def]
    game = pipeline.read(name).game
    assert game.booklet
    return game.booklet


@pytest.mark.parametrize(
    ("words", "family", "edge"), [("Go", "Alegreya Sans", "left"), ("משחק", "Noto Sans Hebrew", "right")]
)
def test_a_title_begins_at_the_edge_of_the_page(words: str, family: str, edge: str) -> None:
    fonts = FontBook([HOUSE_FONTS, FONTS])
    design = PageDesign(rules("# T", title_font=family), fonts)
    line = set_title(words, Size(180.0, 30.0), design, Compositor(fonts)).lines[0]
    inks = [run.font.ink(run.text, run.size).moved(run.x, run.y) for run in line.runs]
    assert min(ink.y0 for ink in inks) == pytest.approx(0.0, abs=0.01)
    if edge == "left":
        assert inks[0].x0 == pytest.approx(0.0, abs=0.01)
    else:
        assert max(ink.x1 for ink in inks) == pytest.approx(180.0, abs=0.01)


@pytest.mark.parametrize(
    ("name", "only", "told"),
    [
        ("toripoka", ("cover", "large"), ["behind its neighbour"]),
        ("toripoka", ("cover", "large", "box"), ["behind its neighbour", "the foot of the box"]),
        ("taluva", ("cover", "huts"), []),
        ("taluva", ("cover", "huts", "towers"), ["behind its neighbour", "without a tab"]),
        ("taluva", ("cover", "huts", "box"), ["Glue the box", "without a tab"]),
    ],
)
def test_gluing_is_explained_for_the_pieces_of_this_kit(name: str, only: tuple[str, ...], told: list[str]) -> None:
    words = cover_of(name, only=only)
    every = ("behind its neighbour", "Glue the box", "the foot of the box", "without a tab")
    assert [piece for piece in every if piece.replace(" ", "") in words] == told


@pytest.mark.parametrize(
    ("way", "sides"), [("long", ["FRONT", "BACK"]), ("single", ["FRONT"]), ("fold", ["FRONT", "BACK"])]
)
def test_the_picture_of_the_print_names_its_sides(way: str, sides: list[str]) -> None:
    words = cover_of(way=way, only=("cover", "cards"))
    assert re.findall("FRONT|BACK", words) == sides
