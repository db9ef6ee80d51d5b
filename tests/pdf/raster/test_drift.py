"""What a misprint leaves of a back, measured on the pixels; neighbours found by turning over."""

from __future__ import annotations

from functools import cache
from itertools import groupby, pairwise, product
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image
from shapely.geometry import Polygon

from generator import layout
from generator.basics.geometry import Rect, Size, translation
from generator.basics.shapes import Shape, carried, hexagon, rectangle
from generator.model import Cuts, Face, Page, Placement, Sheet, Way
from generator.pdf import press_worker, raster
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.printing import FONTS, Deck, board, face_of, impose, job, run_of

DPI = 150
BLEED = 3.0
CARD = Size(50.8, 63.5)
WHITE = (255, 255, 255)
OFF = {  # where the back lies, in drifts to the right and down
    "up left": (-1, -1),
    "up right": (1, -1),
    "down left": (-1, 1),
    "down right": (1, 1),
}
VIEWS = ["true", *OFF]
Colour = tuple[int, int, int]
Pixels = NDArray[np.uint8]


def colour(number: int) -> Colour:
    """One that no other back of a dozen has, all far apart and none white."""
    return (40 + 50 * (number % 4), 40 + 70 * (number // 4), 120 * (number % 2))


def deck(shape: Shape, count: int, *, cuts: Cuts = "shared") -> Deck:
    """White fronts, and backs of a colour each to the end of the bleed."""

    def face(name: str, ink: Colour) -> Face:
        content = f'<rect width="999" height="999" fill="rgb{ink}"/><!--{name}-->'
        return face_of(name, shape, BLEED, content)

    fronts = [face(f"front {i}", WHITE) for i in range(count)]
    backs = [face(f"back {i}", colour(i)) for i in range(count)]
    items = tuple(
        layout.Item(str(i), front.id, back.id) for i, (front, back) in enumerate(zip(fronts, backs, strict=True))
    )
    run = run_of(shape, BLEED, items, cuts=cuts)
    return Deck(run, (*fronts, *backs))


@cache
def printed(way: Way) -> tuple[Deck, list[tuple[Sheet, Page]], list[Image.Image]]:
    return pages_of(deck(rectangle(CARD), 12), way)


def pages_of(printed_deck: Deck, way: Way) -> tuple[Deck, list[tuple[Sheet, Page]], list[Image.Image]]:
    sheets = impose([printed_deck], "letter", way)
    pages = [(sheet, page) for sheet in sheets for page in sheet.pages]
    return (printed_deck, pages, raster.rasterise(press_worker.print_job(job([printed_deck], sheets)), DPI))


def rows(
    made: tuple[Deck, list[tuple[Sheet, Page]], list[Image.Image]], drift: float
) -> dict[str, dict[str, Image.Image]]:
    """The views of each piece by their names."""
    one, pages, images = made
    drawn = raster.drift_backs(pages, images, {face.id: face for face in one.faces}, drift, DPI)
    return {row.piece: dict(zip(VIEWS, row.views, strict=True)) for row in drawn}


def stretches(line: list[Colour]) -> list[tuple[Colour, float]]:
    """The colours of a row of pixels one after the other, and how long each lasts (mm).

    Where two meet, pixels are neither: the edge is in the middle of those.
    """
    known = {WHITE, *(colour(i) for i in range(12))}
    pure = [(pixel, at) for at, pixel in enumerate(line) if pixel in known]
    runs = [(one, [at for _, at in same]) for one, same in groupby(pure, lambda pair: pair[0])]
    edges = [(before[-1] + after[0] + 1) / 2 for (_, before), (_, after) in pairwise(runs)]
    ends = pairwise([0, *edges, len(line)])
    return [(one, (y - x) * 25.4 / DPI) for (one, _), (x, y) in zip(runs, ends, strict=True)]


def column_and_row(page: Page) -> dict[str, tuple[int, int]]:
    """Where each piece's front lies in the grid of its sheet."""
    boxes = {p.piece: (p.affine.e, p.affine.f) for p in page.placements}
    xs, ys = (sorted({round(at[i], 2) for at in boxes.values()}) for i in (0, 1))
    return {k: (xs.index(round(x, 2)), ys.index(round(y, 2))) for k, (x, y) in boxes.items()}


@pytest.mark.parametrize("way", ["long", "short"])
@pytest.mark.parametrize("drift", [1.5, 4.0])
def test_cut_shows_the_neighbour_or_bleed_or_bare_paper(way: Way, drift: float) -> None:
    """To the right of a back lies the back of the piece whose front is to the left."""
    made = printed(way)
    spots = column_and_row(made[1][0][1])
    pieces = {spot: piece for piece, spot in spots.items()}
    found = rows(made, drift)
    assert len(found) == len(pieces) == 12
    for (piece, (column, row)), (name, (x, y)) in product(spots.items(), OFF.items()):
        view = np.asarray(found[piece][name].convert("RGB"))
        across, down = view[view.shape[0] // 2], view[:, view.shape[1] // 2]
        beside = pieces.get((column + x, row))  # what comes in from the side it leaves
        assert_strip(across[::-x], CARD.width, drift, piece, beside)
        beside = pieces.get((column, row - y))
        assert_strip(down[::-y], CARD.height, drift, piece, beside)


def test_drift_is_of_the_paper_not_of_the_scaled_piece() -> None:
    """At 50 %, 4 mm on the paper are 8 mm of the face, and its bleed is 1.5 mm wide."""
    printed_deck = deck(rectangle(CARD), 1)
    printing = layout.Printing(Size(215.9, 279.4), "long", scale=0.5)
    sheets = layout.impose("Toy", [printed_deck.run], printing, FONTS)
    pages = [(sheet, page) for sheet in sheets for page in sheet.pages]
    images = raster.rasterise(press_worker.print_job(job([printed_deck], sheets)), DPI)
    view = np.asarray(rows((printed_deck, pages, images), 4.0)["0"]["up right"].convert("RGB"))
    assert_strip(view[view.shape[0] // 2][::-1], CARD.width, 8.0, "0", None)


def assert_strip(line: Pixels, length: float, drift: float, piece: str, neighbour: str | None) -> None:
    """A line of pixels from the side that the back was moved to, to that which it leaves bare."""
    if neighbour is not None:
        expected = [(colour(int(piece)), length - drift), (colour(int(neighbour)), drift)]
    elif drift > BLEED:
        expected = [(colour(int(piece)), length - drift + BLEED), (WHITE, drift - BLEED)]
    else:
        expected = [(colour(int(piece)), length)]
    told = stretches([(int(r), int(g), int(b)) for r, g, b in line])
    assert [message for message, _ in told] == [one for one, _ in expected]
    lengths = [one for _, one in expected]
    assert [message for _, message in told] == pytest.approx(lengths, abs=1.5 * 25.4 / DPI)


def test_true_view_is_the_face_as_it_is_cut() -> None:
    for piece, views in rows(printed("short"), 1.5).items():
        # a neighbour's pixel at the cut is mixed with those on either side
        inside = np.asarray(views["true"].convert("RGB"))[3:-3, 3:-3]
        assert (inside == colour(int(piece))).all()


def test_face_is_upright_on_a_page_that_is_turned() -> None:
    """A red roof on a blue house: red is on top, in every view."""
    content = '<rect width="99" height="99" fill="#00f"/><rect width="99" height="30" fill="#f00"/>'
    back = face_of("house", rectangle(CARD), BLEED, content)
    white = face_of("front", rectangle(CARD), BLEED, "")
    made = Deck(run_of(rectangle(CARD), BLEED, (layout.Item("a", white.id, back.id),)), (white, back))
    for way in ("long", "short"):
        (views,) = rows(pages_of(made, way), 2.0).values()
        for name, view in views.items():
            drop = OFF.get(name, (0, 0))[1] * 2.0
            line = np.asarray(view.convert("RGB"))[:, view.width // 2]
            red = (line[:, 0] > 127).sum() * 25.4 / DPI
            assert red == pytest.approx(30 - BLEED + drop, abs=0.3), (way, name)


@pytest.mark.parametrize("cuts", ["shared", "double"])
def test_hexagons_show_what_was_printed_under_their_cut(cuts: Cuts) -> None:
    """The areas of all colours, against polygons: each back's clip, moved, within the cut."""
    drift, shape = 2.5, hexagon(40, "corner")
    around = Polygon(shape.outline).length
    made = pages_of(deck(shape, 7, cuts=cuts), "long")
    (_, page) = made[1][1]
    found, reached = rows(made, drift), set[Colour]()
    for placement in page.placements:
        for name, (x, y) in OFF.items():
            place = placement.affine @ translation(BLEED - x * drift, BLEED - y * drift)
            cut = Polygon(carried(shape.outline, place))
            expected, bare = {}, cut
            for other in reversed(page.placements):  # the last is printed over the others
                inked = bare.intersection(Polygon(other.clip)).intersection(box_of(other))
                expected[colour(int(other.piece))] = inked.area
                bare = bare.difference(inked)
            expected[WHITE] = bare.area
            expected = {ink: area for ink, area in expected.items() if area > 0.1}
            told = areas(found[placement.piece][name], list(expected))
            half_a_pixel = around * 25.4 / DPI / 2
            assert told == pytest.approx(list(expected.values()), abs=half_a_pixel), name
            reached |= expected.keys()
    assert WHITE in reached, "somewhere the bleed ends within the cut"


def box_of(placement: Placement) -> Polygon:
    """What the face is drawn on, on the page: a clip's sharp corners may reach beyond it."""
    width, height = hexagon(40, "corner").size
    box = Rect(0.0, 0.0, width + 2 * BLEED, height + 2 * BLEED)
    return Polygon([placement.affine.apply(corner) for corner in box.corners()])


def areas(view: Image.Image, inks: list[Colour]) -> list[float]:
    """How much of each colour (mm²) lies within the cut; what is in between is the nearest's."""
    pixels, alpha = view.convert("RGB"), np.asarray(view.getchannel("A")) / 255
    nearest = np.abs(np.asarray(pixels, int)[:, :, None] - np.array(inks)).sum(3).argmin(2)
    sizes = np.bincount(nearest.ravel(), alpha.ravel(), len(inks)) * (25.4 / DPI) ** 2
    return [float(size) for size in sizes]


def test_backs_alike_are_shown_once() -> None:
    printed_deck = deck(rectangle(CARD), 12)
    backs = tuple(replace(item, back=printed_deck.run.items[0].back) for item in printed_deck.run.items)
    made = pages_of(Deck(replace(printed_deck.run, items=backs), printed_deck.faces), "long")
    assert list(rows(made, 1.0)) == ["0"]


def test_command_writes_a_row_for_each_back_and_an_overview(pnp: Pnp, tmp_path: Path) -> None:
    parts = ("--only", "cards,rule-cards")
    export_to = ("export", "talavera-balanced", *parts, "--to", "png", "--dpi", "30", "-o", tmp_path)
    assert pnp(*export_to, "--drift", "1.5mm").exit_code == 0
    pieces = [("cards", 18), ("rule-cards", 4)]
    drifted = tmp_path / "drift"
    assert {str(path.relative_to(drifted)) for path in drifted.rglob("*.png")} == {
        f"{name}/{number}.png" for name, count in pieces for number in range(1, count + 1)
    }
    with Image.open(tmp_path / "drift.png") as overview:
        assert overview.width > 5 * 63.5 * 30 / 25.4


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("talavera", ["--drift", "1mm", "--sides", "fold"], "--sides fold"),
        ("talavera", ["--drift", "1mm", "--sides", "single"], "--sides single"),
        (HERE / "_tiny", ["--drift", "1mm"], "Tiny has no backs"),
        ("talavera", ["--drift", "1"], "has no unit"),
        ("talavera", ["--drift", "far"], "'far' is not a length"),
    ],
)
def test_what_cannot_drift_is_reported_in_one_message(
    game: str | Path, options: list[str], told: str, pnp: Pnp, tmp_path: Path
) -> None:
    result = pnp("export", game, "--to", "png", *options, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert told in result.stderr
    assert result.stderr.count("error:") == result.stderr.count("hint:") == 1
    assert not (tmp_path / "out").exists()


def test_panels_are_seen_joined_and_their_joints_apart() -> None:
    large = board(Size(420.0, 297.0))
    made = pages_of(large, "long")
    views = rows(made, 5.0)["board 0"]
    true, off = (np.asarray(views[name].convert("RGB")).min(axis=2) for name in ("true", "up left"))
    assert not (true[5:-5, 5:-5] == WHITE[0]).any(), "all panels, without a gap"
    assert ((off == WHITE[0]).sum(axis=0) > 200).any(), "a joint shows bare paper at one of them"
