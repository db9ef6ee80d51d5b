"""Faces of nets: ink where it belongs, art upright, players and colours told apart."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from msgspec.structs import replace
from PIL import Image, ImageChops
from shapely import LineString, Polygon, box

from generator import faces, pipeline
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import Point, Size, translation
from generator.basics.shapes import carried, rectangle
from generator.faces.net import Panels
from generator.faces.standing import stand
from generator.layout.nets import Net, Panel
from generator.layout.solids import tuckbox
from generator.model import Design, Face, Imprint, Piece
from generator.pdf import press_worker, raster
from generator.pdf.press import Job
from generator.text import HOUSE_FONTS
from tests.faces import shaped
from tests.faces.test_token import art
from tests.support.designs import change
from tests.support.printing import read_back

DPI = 254
PYRAMIDS = ("large", "medium", "small")
BUILDINGS = ("huts", "temples", "towers")
LEAST_STEP = 12.0  # of L*, between grounds that have to be told apart
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@cache
def design(game: str, id_: str) -> Design:
    return shaped.design(game, id_)


def panels(of: Design) -> Panels:
    assert isinstance(of.front, Panels)
    return of.front


def net(of: Design) -> Net:
    assert isinstance(of.component.shape, Net)
    return of.component.shape


def boxed(**options: Any) -> Design:
    """A box of 60 x 80 x 20 mm with a face of its own."""
    box = replace(design("talavera", "box"), front=Panels(**options))
    return change(box, shape=tuckbox(60.0, 80.0, 20.0))


def pressed(some: list[Face], *, is_bled: bool) -> bytes:
    job = Job(raster.face_sheets(some, is_bled=is_bled), some, Imprint("Toy", "Nobody", "About"), [str(HOUSE_FONTS)])
    return press_worker.print_job(job)


def printed(some: list[Face], *, is_bled: bool) -> list[Image.Image]:
    return raster.rasterise(pressed(some, is_bled=is_bled), DPI)


def whole(of: Design) -> Image.Image:
    """The face of the first piece with its bleed, 10 pixels a mm."""
    (face, *_) = shaped.drawn(of).values()
    return printed([face], is_bled=True)[0]


def told(of: Design) -> tuple[str, str]:
    with pytest.raises(PnpError) as caught:
        faces.draw(of, "front")
    return caught.value.problems[0].what, caught.value.problems[0].hint


def at(picture: Image.Image, spot: Point, of: Design) -> Any:
    bleed = of.component.bleed
    return picture.getpixel((round((spot.x + bleed) * 10), round((spot.y + bleed) * 10)))


def test_ground_covers_what_is_seen_and_its_bleed_and_leaves_tabs_bare() -> None:
    of = boxed(ground="#ff0000")
    picture = whole(of)
    for panel in net(of).panels:
        middle = panel.place.apply(Point(panel.size.width / 2, panel.size.height / 2))
        assert at(picture, middle, of) == (255, 0, 0) or panel.is_glued, panel.name
        corner = panel.place.apply(Point(panel.size.width / 2, 1.0))
        assert at(picture, corner, of) == WHITE or not panel.is_glued, panel.name
    back, seat = net(of).panel("back"), net(of).panel("seat")
    beside = back.place.apply(Point(back.size.width + of.component.bleed - 0.3, 40.0))
    assert at(picture, beside, of) == (255, 0, 0), "past the cut"
    edge = seat.place.apply(Point(30.0, seat.size.height - 1.0))
    assert at(picture, edge, of) == (255, 0, 0), "a bit onto the tab"


def test_a_pattern_stays_off_the_flaps_of_neighbours_and_off_folds() -> None:
    """The wedges between the lid and a dust flap, and between the bottom and a tab, stay plain."""
    of = boxed(pattern=art("all", "M-99 -99 H99 V99 H-99 Z"), ground="#ffffff")
    inks = np.asarray(whole(of).convert("L"))
    bleed = of.component.bleed
    pixels = 2 * np.argwhere(inks[::2, ::2] < 90)  # a quarter of them
    dark = [((x + 0.5) / 10 - bleed, (y + 0.5) / 10 - bleed) for y, x in pixels]
    spots = shapely.points(dark)
    for panel in net(of).panels:
        if panel.is_glued or panel.behind:
            flap = Polygon(panel.outline).buffer(-0.2)
            shapely.prepare(flap)
            letters = 15 if panel.is_glued else 0  # the word "glue" is lighter, its middles are not
            assert shapely.contains(flap, spots).sum() <= letters, panel.name
    for fold in net(of).folds:
        line = LineString([fold.start, fold.end])
        shapely.prepare(line)
        assert not shapely.dwithin(line, spots, 0.6).any()
    lid = Polygon(net(of).panel("top").outline)
    past = shapely.distance(lid, spots)
    assert ((past > 1.0) & (past < 1.5)).any(), "it bleeds where nothing is beside it"


@pytest.mark.parametrize("step", [7.3, 5.11])
def test_repeats_of_a_pattern_show_no_seam(step: float, tmp_path: Path) -> None:
    """At 600 dpi, by pdfium and by poppler."""
    of = boxed(pattern=art("all", "M0 0 H20 V20 H0 Z"), pattern_size=(step, step))
    (face, *_) = shaped.drawn(of).values()
    pdf = pressed([face], is_bled=True)
    pictures = [raster.rasterise(pdf, 600)[0]]
    if shutil.which("pdftoppm"):
        (tmp_path / "face.pdf").write_bytes(pdf)
        to = tmp_path / "face"
        command = ["pdftoppm", "-r", "600", "-singlefile", "-png", f"{to}.pdf", str(to)]
        subprocess.run(command, check=True)
        pictures.append(Image.open(to.with_suffix(".png")))
    bleed, front = of.component.bleed, net(of).panel("front")
    x, y = front.place.apply(Point(2.0 + bleed, 15.0 + bleed))  # below the notch
    for picture in pictures:
        box = [round(v * 600 / 25.4) for v in (x, y, x + 56.0, y + 60.0)]
        lightest = picture.convert("L").crop((box[0], box[1], box[2], box[3])).getextrema()[1]
        assert lightest == 0


def test_pictures_stand_upright_on_the_finished_piece() -> None:
    """Its upper half is black; folded, that half is up, on the lid the half at the back."""
    half = art("half", "M0 0 H20 V10 H0 Z")
    names = ("front", "back", "left", "right", "top", "bottom")
    of = boxed(ground="#ffffff", arts=dict.fromkeys(names, half))
    picture = whole(of)
    ups = {"front": (0, -1), "back": (0, -1), "left": (0, -1), "right": (0, -1), "top": (0, 1)}
    for name, (x, y) in ups.items():
        panel = net(of).panel(name)
        middle = panel.place.apply(Point(panel.size.width / 2, panel.size.height / 2))
        up, down = (Point(middle.x + 4 * s * x, middle.y + 4 * s * y) for s in (1, -1))
        assert (at(picture, up, of), at(picture, down, of)) == (BLACK, WHITE), name


def test_a_picture_keeps_to_its_panel() -> None:
    of = boxed(arts={"front": art("all", "M-99 -99 H99 V99 H-99 Z")}, ground="#ffffff")
    picture = whole(of)
    front = net(of).panel("front")
    for x in (-0.5, front.size.width + 0.5):
        assert at(picture, front.place.apply(Point(x, 40.0)), of) == WHITE


def test_a_title_shrinks_to_its_panel() -> None:
    font = panels(design("talavera", "box")).title_font
    of = boxed(title="A Game", titles={"front": 0.5, "left": 0.5}, title_font=font)
    picture = whole(of)
    inked = ImageChops.invert(picture.convert("L"))
    for name, most in (("front", 60.0), ("left", 20.0)):
        panel = net(of).panel(name)
        corner = panel.place.apply(Point(0.0, 0.0))
        x, y = ((v + of.component.bleed) * 10 for v in corner)
        box = inked.crop((round(x), round(y), round(x + most * 10), round(y + 800))).getbbox()
        assert box is not None
        assert box[0] / 10 >= 1.0
        assert box[2] / 10 <= most - 1.0


@pytest.mark.parametrize("id_", PYRAMIDS)
def test_pyramids_are_told_apart_in_grey_and_by_their_pattern(id_: str) -> None:
    of = design("toripoka", id_)
    grounds = panels(of).grounds
    assert len(grounds) == 5
    assert_steps(list(grounds.values()))
    alike = replace(of, front=replace(panels(of), grounds=dict.fromkeys(grounds, "#808080")))
    pictures = printed(list(shaped.drawn(alike).values()), is_bled=False)
    for one, other in combinations(pictures, 2):
        assert share_that_differs(one, other) > 0.05, "without any colour"


def assert_steps(inks: list[str]) -> None:
    tones = sorted(shaped.lightness(Image.new("RGB", (1, 1), ink)) for ink in inks)
    assert min(high - low for low, high in pairwise(tones)) >= LEAST_STEP, tones


def share_that_differs(one: Image.Image, other: Image.Image) -> float:
    apart = ImageChops.difference(one, other).convert("L").point(lambda v: 255 * (v > 60))
    return apart.histogram()[255] / (one.width * one.height)


def test_pips_say_the_size_on_every_side() -> None:
    """As many white spots on each side as the size has pips, on the black pyramid."""
    for id_, count in zip(PYRAMIDS, (3, 2, 1), strict=True):
        of = design("toripoka", id_)
        face = shaped.drawn(of)["black"]
        marks = [placed for placed in face.layers if placed.layer.name == f"art pips-{count}"]
        assert len(marks) == 4
        assert marks[0].layer.svg.count("<image") == 1
        assert panels(of).mark is not None
        from base64 import b64decode

        svg = b64decode(panels(of).mark.uri.partition(",")[2]).decode()  # type: ignore[union-attr]
        assert svg.count("<circle") == count


@pytest.mark.parametrize("id_", BUILDINGS)
def test_players_are_told_apart_in_grey_and_by_their_mark(id_: str) -> None:
    of = design("taluva", id_)
    grounds = panels(of).grounds
    assert_steps(list(grounds.values()))
    alike = replace(of, front=replace(panels(of), grounds=dict.fromkeys(grounds, "#808080")))
    pictures = printed(list(shaped.drawn(alike).values()), is_bled=False)
    for one, other in combinations(pictures, 2):
        assert share_that_differs(one, other) * one.width * one.height > 2 * 300


def test_three_huts_stand_on_a_field() -> None:
    from shapely.geometry import Polygon, box

    from generator.basics.shapes import hexagon

    hut, tiles = design("taluva", "huts"), design("taluva", "tiles")
    across = tiles.component.shape.size.width / 2
    field = Polygon(hexagon(across, "corner").outline)
    width, depth = 15.0, 13.0
    assert net(hut).panel("roof-1").size.width == width
    x, y = field.centroid.coords[0]
    row = box(x - 1.5 * depth, y - width / 2, x + 1.5 * depth, y + width / 2)
    assert field.contains(row)


def test_a_standing_piece_shows_its_art() -> None:
    """Front red, side green, lid blue: where one sees them, and nothing else."""
    colours = {"front": "#ff0000", "right": "#00ff00", "top": "#0000ff"}
    plain = {name: art(name, "M-99 -99 H99 V99 H-99 Z") for name in colours}
    coloured = {name: replace(panel, uri=recoloured(panel.uri, colours[name])) for name, panel in plain.items()}
    of = boxed(arts=coloured)
    ((piece, flat), *_) = shaped.drawn(of).items()
    face = stand(of.component, piece, flat)
    picture = printed([face], is_bled=True)[0]
    width, height = picture.size
    for spot, channel in (((0.35, 0.7), 0), ((0.95, 0.6), 1), ((0.45, 0.1), 2)):
        pixel: Any = picture.getpixel((int(spot[0] * width), int(spot[1] * height)))
        assert pixel[channel] > 90, (spot, pixel)
        assert sum(pixel) - pixel[channel] < 80, (spot, pixel)


def recoloured(uri: str, colour: str) -> str:
    from base64 import b64decode, b64encode

    head, _, data = uri.partition(",")
    svg = b64decode(data).decode().replace("<path", f'<path fill="{colour}"')
    return f"{head},{b64encode(svg.encode()).decode()}"


@pytest.mark.parametrize(
    ("of", "what", "hint"),
    [
        (boxed(arts={"frnt": art("x", "M0 0 H9 V9 Z")}), "no panel 'frnt'", "mean 'front'?"),
        (boxed(mark=art("x", "M0 0 H9 V9 Z"), mark_on=("left",)), "mark leaves", "`mark_at`"),
        (boxed(title="x" * 200, titles={"left": 0.5}, title_font=None), "no font", "title_font"),
        (change(boxed(), bleed=4.0), "a bleed of 4 mm is too much", "at most 3mm"),
        (change(boxed(), shape=rectangle(Size(60.0, 90.0))), "no panels", "tuckbox"),
        (boxed(pattern=art("x", "M0 0 H9 V9 Z"), pattern_size=(1.0, 1.0)), "too many swatches", "`pattern_size`"),
        (change(boxed(), edges={"front": "mirror"}), "draws its own bleed", "`edge`"),
    ],
)
def test_what_cannot_be_drawn_is_reported(of: Design, what: str, hint: str) -> None:
    said, advice = told(of)
    assert what in said
    assert hint in advice


def test_an_unknown_value_is_reported() -> None:
    of = design("toripoka", "small")
    wrong = change(of, pieces=(Piece("x", {"colour": "rad"}, 1, Place("here")),))
    assert told(wrong) == ("the front cannot be drawn: there is no ground for the colour 'rad'", "did you mean 'red'?")


def test_a_long_title_does_not_fit() -> None:
    font = panels(design("talavera", "box")).title_font
    what, _ = told(boxed(title="x" * 60, titles={"left": 0.5}, title_font=font))
    assert "the title does not fit the panel 'left'" in what
    what, _ = told(boxed(title="Рыба", titles={"left": 0.5}, title_font=font))
    assert "has no glyph for 'Рыба'" in what, "though it has no ink"


def test_outlines_of_faces_are_those_of_nets() -> None:
    of = boxed()
    (face, *_) = shaped.drawn(of).values()
    bleed = of.component.bleed
    assert face.outline == carried(net(of).outline, translation(bleed, bleed))


@pytest.mark.parametrize(
    ("game", "id_", "tabs"),
    [
        ("talavera", "box", 4),
        ("toripoka", "small", 1),
        ("toripoka", "large", 1),
        ("taluva", "huts", 0),
        ("taluva", "temples", 1),
        ("taluva", "towers", 2),
    ],
)
def test_tabs_say_that_they_are_glued(game: str, id_: str, tabs: int) -> None:
    """Each once, as the finished page holds it: off the cut, in grey upon bare paper."""
    of = design(game, id_)
    (face, *_) = shaped.drawn(of).values()
    [(pixels, contents)] = read_back(pressed([face], is_bled=True), 1, DPI)
    picture = Image.fromarray(pixels[..., :3])
    glued, bleed = [panel for panel in net(of).panels if panel.is_glued], of.component.bleed
    words = [word for word in contents.words if set(word.text) <= set("glue")]  # turned: "eulg"
    letters = [letter for word in words for letter in word.letters]
    assert len(letters) == 4 * len(glued) == 4 * tabs
    assert all(word.size == pytest.approx(7.0, abs=0.01) for word in words)
    for panel in glued:
        corners = carried(panel.outline, translation(bleed, bleed))
        room = Polygon(corners).buffer(-1.0)
        own = [letter for letter in letters if room.contains(box(*letter))]
        assert len(own) == 4, panel.name
        for x, y in (letter.centre for letter in own):  # around it: letters may lie slanted
            inks = np.array(picture)[int(10 * y) - 4 : int(10 * y) + 4, int(10 * x) - 4 :][:, :8]
            assert np.ptp(inks, axis=2).max() < 16 < inks.min(), panel.name


def test_a_tab_without_room_says_nothing() -> None:
    """A box of 9 mm depth has room, one of 5 mm on two of its tabs."""
    box = replace(design("talavera", "box"), front=Panels())
    for depth, told in ((9.0, 4), (5.0, 1)):
        of = change(box, shape=tuckbox(60.0, 80.0, depth))
        (face, *_) = shaped.drawn(of).values()
        [(_, contents)] = read_back(pressed([face], is_bled=True), 1, DPI)
        assert sum(len(word.letters) for word in contents.words) == 4 * told


RECIPES = Path(__file__).parents[1] / "recipes"


def pictures(recipe: str, component: str) -> tuple[Design, dict[str, Image.Image]]:
    """The flat faces of a recipe's component by their pieces, with their bleed."""
    designs = {of.component.id: of for of in pipeline.read(str(RECIPES / recipe)).designs}
    of = designs[component]
    drawn = {piece.id: face for piece, face in faces.draw(of, "front")}
    pages = printed(list(drawn.values()), is_bled=True)
    return of, dict(zip(drawn, pages, strict=True))


def crop(picture: Image.Image, panel: Panel, bleed: float) -> Image.Image:
    """A panel as it is seen on the finished piece; only for those turned by none or half a turn."""
    box = [(v + bleed) * 10 for p in zip(*panel.outline, strict=True) for v in (min(p), max(p))]
    part = picture.crop((box[0], box[2], box[1], box[3]))
    return part.rotate(180) if panel.place.a < 0 else part


def test_the_back_of_a_standee_is_the_dark_shape_of_its_front() -> None:
    of, shown = pictures("standees", "foes")
    heights = set()
    for piece in of.component.pieces:
        shape = of.component.shape_of(piece.id)
        assert isinstance(shape, Net)
        front, back = (crop(shown[piece.id], shape.panel(n), 1.5) for n in ("front", "back"))
        heights.add(front.height)
        ground = np.array(front.getpixel((front.width // 2, 8)))
        inked = [np.abs(np.asarray(p, int) - ground).max(axis=2) > 30 for p in (front, back)]
        assert np.mean(inked[0] != inked[1][:, ::-1]) < 0.03, "mirrored"
        dark = np.asarray(back)[inked[1]]
        assert inked[1].mean() > 0.15
        assert np.median(dark, axis=0) == pytest.approx((0x26, 0x22, 0x1F), abs=3)
    assert heights == {400, 280}


def test_faces_of_a_die_are_those_of_its_row() -> None:
    of, shown = pictures("dice", "deeds")
    net_ = net(of)
    coin, heart, sword = ((217, 164, 65), (178, 58, 72), (59, 63, 74))
    wanted = {"fighter": {1: sword, 4: sword, 5: heart, 6: coin}, "healer": {1: sword, 4: heart, 5: heart, 6: coin}}
    for id_, by_face in wanted.items():
        for number, colour in by_face.items():
            panel = net_.panel(f"face-{number}")
            spot = panel.place.apply(Point(panel.size.width * 0.45, panel.size.height * 0.42))
            assert at(shown[id_], spot, of) == pytest.approx(colour, abs=4), (id_, number)


def test_numbers_of_dice_are_in_the_middle_of_their_faces() -> None:
    of, _ = pictures("dice", "numbers")
    ((_, face),) = faces.draw(of, "front")
    spots = {
        word.text: placed.place.apply(Point(word.x, word.y))
        for placed in face.layers
        for line in placed.layer.lines
        for word in line
        if word.text != "glue"
    }
    assert set(spots) == {str(n) for n in range(1, 21)} - {"6", "9"} | {"6.", "9."}
    for text, (x, y) in spots.items():
        panel = net(of).panel(f"face-{text.rstrip('.')}")
        assert Polygon(panel.outline).contains(shapely.Point(x - 1.5, y - 1.5)), text


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"numbers": True}, "only dice have `numbers`"),
        ({"texts": {"frnt": "x"}}, "there is no panel 'frnt'"),
        ({"texts": {"left": "x" * 60}}, "the text does not fit the panel 'left'"),
    ],
)
def test_what_a_net_cannot_show_is_told(options: dict[str, Any], what: str) -> None:
    assert what in told(boxed(**options))[0]
