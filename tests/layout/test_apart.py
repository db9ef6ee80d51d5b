"""A gap between pieces, and pieces at another scale: what is asked for is on the sheet."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import pytest

from generator import layout
from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Size
from generator.basics.shapes import Shape, box_of, circle, drawn, hexagon, polygon, rectangle, trihex
from generator.layout import Item, Printing, PrintRun, impose
from generator.layout.solids import tuckbox
from generator.model import Cuts, Flip, Sheet, Way
from generator.pdf import press_worker
from tests.layout.measuring import clip_of, inked, is_inside, lettered, meet, trims
from tests.support import paper
from tests.support.printing import FONTS, deck, job, run_of

LETTER, A4 = Size(215.9, 279.4), Size(210.0, 297.0)
POKER = rectangle(Size(63.5, 88.9))
HAIR = 1e-4  # mm
L = ((0, 0), (20, 0), (20, 40), (40, 40), (40, 60), (0, 60))
SHAPES: dict[str, Shape] = {
    "cards": POKER,
    "hexagons on a corner": hexagon(40.0, "corner"),
    "hexagons on an edge": hexagon(26.73, "edge"),
    "trihexes": trihex(30.0),
    "circles": circle(25.0),
    "polygons": polygon(Point(*corner) for corner in L),
    "curves": drawn("outline", circle(31.0).outline[:90], Size(40.0, 40.0)),
    "boxes": tuckbox(30.0, 40.0, 12.0),
}
CUTS: dict[str, tuple[Cuts, ...]] = {
    name: get_args(Cuts) if shape.kind in ("rectangle", "hexagon", "trihex") else ("double",)
    for name, shape in SHAPES.items()
} | {"circles": ("double", "squares"), "curves": ("double", "squares")}


def run(shape: Shape, cuts: Cuts, *, bleed: float = 3.0, is_merging: bool = False) -> PrintRun:
    items = tuple(Item(f"p{i}", f"f{i}", f"b{i}") for i in range(25))
    return run_of(shape, bleed, items, cuts=cuts, is_merging=is_merging)


def least_distance(sheets: list[Sheet], print_run: PrintRun) -> float:
    """The mm between the nearest two pieces of any page."""
    pages = [trims(page, print_run) for sheet in sheets for page in sheet.pages]
    return min(float(a.distance(b)) for pieces in pages for a, b in combinations(pieces, 2))


GAPS = (0.5, 2.0, 9.0)
WAYS: tuple[Way, ...] = get_args(Way)[:3]
CUT_SHAPES = [(name, cuts) for name in SHAPES for cuts in CUTS[name]]


@pytest.mark.parametrize(
    ("name", "cuts", "gap", "way"),
    [  # each pair of a shape, a gap and a way once
        (name, cuts, gap, WAYS[(number + turn) % 3])
        for number, (name, cuts) in enumerate(CUT_SHAPES)
        for turn, gap in enumerate(GAPS)
    ],
)
def test_no_piece_lies_nearer_than_the_gap(name: str, cuts: Cuts, gap: float, way: Way) -> None:
    print_run = run(SHAPES[name], cuts)
    sheets = impose("G", [print_run], Printing(LETTER, way, gap=gap), FONTS)
    assert least_distance(sheets, print_run) > gap - HAIR
    for page in (page for sheet in sheets for page in sheet.pages):
        pieces, clips = trims(page, print_run), [clip_of(placed) for placed in page.placements]
        assert all(map(is_inside, pieces, clips))
        assert not meet(clips), "bleeds end before their neighbour's begin"
        if print_run.blank.shape.kind != "net":  # whose outline is drawn
            assert not meet(pieces, [inked(mark) for mark in page.marks])
        assert not meet(clips, [lettered(label) for label in page.labels])


@pytest.mark.parametrize("name", ["cards", "hexagons on an edge", "trihexes"])
def test_without_a_gap_they_touch(name: str) -> None:
    """What the test above would find: these pieces touch unless a gap keeps them apart."""
    print_run = run(SHAPES[name], "shared" if name != "hexagons on an edge" else "double")
    assert least_distance(impose("G", [print_run], Printing(LETTER, "long"), FONTS), print_run) < HAIR


def test_a_gap_takes_its_half_of_the_bleed_and_leaves_the_rest() -> None:
    print_run = run(POKER, "shared")
    (sheet, *_) = impose("G", [print_run], Printing(A4, "long", gap=2.0), FONTS)
    assert (sheet.cuts, sheet.seats) == ("gap", 9)
    pieces, clips = (trims(sheet.pages[0], print_run), [clip_of(p) for p in sheet.pages[0].placements])
    around = [
        [b - a for a, b in zip(piece.bounds, clip.bounds, strict=True)]
        for piece, clip in zip(pieces, clips, strict=True)
    ]
    assert around[4] == pytest.approx([-1, -1, 1, 1]), "the middle one"
    assert around[0] == pytest.approx([-3, -3, 1, 1]), "the one at the top left"


@pytest.mark.parametrize(
    ("cuts", "gap", "is_merging", "apart"),
    [
        ("double", 2.0, False, 6.0),  # all of the bleed, as the game says
        ("double", 2.0, True, 3.0),
        ("double", 7.0, False, 7.0),
        ("shared", 6.0, False, 6.0),
        ("shared", 2.0, True, 2.0),
    ],
)
def test_gutters_stay_as_wide_as_the_bleeds(cuts: Cuts, gap: float, is_merging: bool, apart: float) -> None:
    print_run = run(rectangle(Size(40.0, 40.0)), cuts, is_merging=is_merging)
    sheets = impose("G", [print_run], Printing(LETTER, "long", gap=gap), FONTS)
    assert least_distance(sheets, print_run) == pytest.approx(apart)


def test_a_gap_may_be_down_alone() -> None:
    """Ten credit cards in rows that touch sideways, 2 mm from one another."""
    shape = rectangle(Size(85.6, 54.0))
    printing = Printing(Size(190.0, 297.0), "single", margin=4.0, gap=2.0, gaps=Size(0.0, 2.0))
    sheet, *_ = impose("G", [run(shape, "shared")], printing, FONTS)
    assert (sheet.cuts, sheet.seats) == ("gap", 10)
    clips = [box_of(placement.clip) for placement in sheet.pages[0].placements]
    first, beside, below = clips[0], clips[1], clips[2]
    assert (first.x1, first.y1) == pytest.approx((beside.x0, below.y0))
    assert (first.width, first.height) == pytest.approx((85.6 + 3.0, 54.0 + 3.0 + 1.0))


def test_pieces_of_several_components_keep_the_gap_too() -> None:
    runs = [
        run_of(shape, 0.5, (Item(name, f"f{name}", None),), name=name, cuts="double")
        for name, shape in (("a", POKER), ("b", rectangle(Size(50.0, 50.0))))
    ]
    (sheet,) = impose("G", runs, Printing(LETTER, "long", gap=4.0, is_mixed=True), FONTS)
    pieces = [
        trims(sheet.pages[0], print_run)[index]
        for index, placed in enumerate(sheet.pages[0].placements)
        for print_run in runs
        if print_run.component == placed.piece
    ]
    assert len(pieces) == 2
    assert pieces[0].distance(pieces[1]) == pytest.approx(4.0)


@pytest.mark.parametrize("flip", get_args(Flip))
@pytest.mark.parametrize("scale", [0.5, 0.75, 1.3])
@pytest.mark.parametrize("name", SHAPES)
def test_scaled_pieces_have_their_size_and_meet_their_backs(name: str, scale: float, flip: Flip) -> None:
    """Measured in the finished file, on the sheet that a hand turns."""
    printed_deck = deck(7, SHAPES[name], cuts="double")
    printing = Printing(A4, flip, scale=scale, gap=2.0)
    sheets = layout.impose("Toy", [printed_deck.run], printing, FONTS)
    pdf = press_worker.print_job(job([printed_deck], sheets))
    found = paper.meetings(pdf, 3.0, flip)
    assert len(found) == 7
    assert paper.worst(found) < 0.01
    whole = sorted(side * scale for side in SHAPES[name].size)
    for page in paper.placements(pdf, 3.0):
        for placed in page:
            left, top, right, bottom = placed.trim.box()
            assert sorted((right - left, bottom - top)) == pytest.approx(whole, abs=0.01)


def test_slug_names_the_scale() -> None:
    print_run = run(POKER, "shared")
    for scale, told in ((0.75, True), (1.0, False)):
        (sheet, *_) = impose("G", [print_run], Printing(LETTER, "long", scale=scale), FONTS)
        words = " ".join(label.text for label in sheet.pages[0].labels)
        assert ("pieces at 75 % of their size" in words) == told


def test_a_piece_too_large_at_its_scale_is_reported() -> None:
    with pytest.raises(PnpError) as caught:
        impose("G", [run(POKER, "shared")], Printing(LETTER, "long", scale=4.0), FONTS)
    (problem,) = caught.value.problems
    assert "254 x 355.6 mm does not fit" in problem.what
    assert "400 %" in problem.hint
