"""What holds of every imposition: sizes, counts, bleeds, papers and flips at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import cos, pi, sin
from typing import get_args

import pytest
import shapely
from hypothesis import HealthCheck, Phase, assume, example, given, seed, settings
from hypothesis import strategies as st
from shapely.affinity import affine_transform

from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Rect, Size
from generator.basics.papers import USUAL_MARGIN as MARGIN
from generator.basics.shapes import Shape, circle, hexagon, polygon, rectangle, trihex
from generator.layout import Item, Printing, PrintRun, impose
from generator.layout.forme import find_tiling
from generator.model import FLIPS, Cuts, MarkLine, Page, Placement, Sheet, Way
from tests.layout.measuring import (
    GRID,
    HAIR,
    SLIVER,
    bleed_of,
    clip_of,
    inked,
    is_front,
    is_hairline,
    is_inside,
    length,
    lettered,
    meet,
    overlap,
    page_box,
    printable,
    rect,
    strips,
    trims,
)
from tests.support import paper
from tests.support.printing import FONTS, deck, run_of
from tests.support.printing import impose as impose_decks

LETTER = Size(215.9, 279.4)
PAPERS = [LETTER, Size(210.0, 297.0), Size(420.0, 297.0), Size(148.0, 210.0)]


def lengths(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda value: round(value, 3))


@st.composite
def stars(draw: st.DrawFn, most: int = 9) -> Shape:
    """Polygons with any corners, pointed and notched, around a middle."""
    count = draw(st.integers(3, most))
    radii = draw(st.lists(lengths(10, 40), min_size=count, max_size=count))
    angles = [2 * pi * i / count for i in range(count)]
    return polygon(Point(r * cos(a), r * sin(a)) for r, a in zip(radii, angles, strict=True))


sizes = st.builds(Size, lengths(12, 160), lengths(12, 160))
rectangles = sizes.map(rectangle)
hexagons = st.builds(hexagon, lengths(18, 90), st.sampled_from(["corner", "edge"]))
shapes = st.one_of(rectangles, hexagons, lengths(14, 60).map(trihex), lengths(20, 90).map(circle), stars(), stars(4))
papers = st.sampled_from(PAPERS) | st.builds(Size, lengths(90, 350), lengths(90, 350))
bleeds = st.sampled_from([0.0, 0.5, 3.0]) | lengths(0, 12)
ways: st.SearchStrategy[Way] = st.sampled_from([*FLIPS, "fold", "single"])
margin_widths = st.sampled_from([4.0, MARGIN, 10.0])


@st.composite
def runs(draw: st.DrawFn, kinds: st.SearchStrategy[Shape] = shapes) -> PrintRun:
    count = draw(st.integers(1, 40))
    has_backs = draw(st.booleans())
    items = tuple(Item(f"p{i}", f"f{i}", f"b{i}" if has_backs else None) for i in range(count))
    bleed = draw(bleeds)
    shape = draw(kinds)
    can_share = shape.kind in ("rectangle", "hexagon", "trihex") or find_tiling(shape)
    cuts: Cuts = draw(st.sampled_from(get_args(Cuts) if can_share else ["double", "squares"]))
    back_bleed = bleed + draw(st.sampled_from([0.0, 0.0, 1.5]))
    return run_of(shape, bleed, items, back_bleed=back_bleed, cuts=cuts)


printings = st.builds(Printing, papers, ways, margin_widths, narrow=st.sampled_from([None, 3.0]))


def imposed(run: PrintRun, printing: Printing) -> tuple[Sheet, ...]:
    """The sheets of a run; a run that does not fit is another test's."""
    sheets = imposed_once(run, printing)
    assume(sheets)
    return sheets


@cache
def imposed_once(run: PrintRun, printing: Printing) -> tuple[Sheet, ...]:
    try:
        return tuple(impose("A Game", [run], printing, FONTS))
    except PnpError:
        return ()


def everywhere(run: PrintRun, printing: Printing) -> Iterator[tuple[Sheet, Page]]:
    for sheet in imposed(run, printing):
        for page in sheet.pages:
            yield sheet, page


common = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


# One seed, so that all are asked about the same sheets, which are imposed once.
def of_all(test: Callable[[PrintRun, Printing], None]) -> Callable[[], None]:
    """The test, of many runs and printings."""
    return settings(common, max_examples=25)(seed(0)(given(runs(), printings)(test)))


@of_all
def test_every_piece_is_placed_as_often_as_asked(run: PrintRun, printing: Printing) -> None:
    placed = Counter(
        (placement.piece, placement.face) for _, page in everywhere(run, printing) for placement in page.placements
    )
    asked = Counter((item.piece, item.front) for item in run.items)
    if printing.way != "single":
        asked += Counter((item.piece, item.back) for item in run.items if item.back)
    assert placed == asked


@of_all
def test_trims_lie_apart_and_within_reach_of_the_printer(run: PrintRun, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        pieces = trims(page, run)
        assert not meet(pieces)
        assert all(is_inside(piece, printable(sheet, printing.margin, printing.narrow)) for piece in pieces)
        assert all(is_inside(piece, rect(page.trim)) for piece in pieces)


@pytest.mark.parametrize("way", ["long", "short"])
def test_a_wide_bottom_moves_the_block_and_turns_a_row(way: Way) -> None:
    """Of 279.4 mm, 262.4 are left: two rows of 88.9, and one of 63.5; 251.4 with the back's bottom."""
    printing = Printing(LETTER, way, 14.0, orientation="portrait", narrow=3.0)
    items = tuple(Item(f"p{i}", f"f{i}", f"b{i}") for i in range(8))
    (sheet,) = impose("A Game", [run_of(rectangle(Size(63.5, 88.9)), 3.0, items, cuts="shared")], printing, FONTS)
    front, back = sheet.pages
    assert len(front.placements) == len(back.placements) == 8
    assert front.trim.y1 <= LETTER.height - 14.0
    assert back.trim.y1 <= LETTER.height - 14.0
    turned = [placed for placed in front.placements if placed.affine.a == pytest.approx(0.0)]
    assert len(turned) == 2


# Twice the same edge, its middle at 141.99875 and at 141.99874999999997 mm.
TIE = run_of(trihex(29.599), 3.0, (Item("p", "f", None),) * 36, back_bleed=4.5, cuts="auto")


@example(TIE, Printing(Size(148.0, 210.0), "short"))
@of_all
def test_clips_hold_their_trim_and_leave_all_others_alone(run: PrintRun, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        pieces = trims(page, run)
        tree = shapely.STRtree(pieces)
        for index, placement in enumerate(page.placements):
            clip, own = clip_of(placement), pieces[index]
            assert is_inside(own, clip)
            bleed = bleed_of(placement, run) + HAIR
            reach = own.buffer(bleed, join_style="mitre", mitre_limit=20)
            if sheet.cuts == "squares":
                reach = rect(Rect(*own.bounds).grown(bleed))
            assert is_inside(clip, reach)
            assert not any(overlap(clip, pieces[i]) for i in tree.query(clip) if i != index)


@of_all
def test_art_bleeds_wherever_no_neighbour_lies(run: PrintRun, printing: Printing) -> None:
    """Along every edge that no other piece touches, the art runs on as far as it should."""
    for _, page in everywhere(run, printing):
        pieces = trims(page, run)
        tree = shapely.STRtree(pieces)
        for index, placement in enumerate(page.placements):
            clip, bleed = clip_of(placement), bleed_of(placement, run)
            for strip in strips(pieces[index], bleed):
                if not any(overlap(strip, pieces[i]) for i in tree.query(strip)):
                    assert is_inside(strip, clip)


@of_all
def test_marks_touch_no_piece_and_the_slug_touches_nothing(run: PrintRun, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        pieces = trims(page, run)
        clips = [clip_of(placement) for placement in page.placements]
        lines = [inked(line) for line in page.marks]
        labels = [lettered(label) for label in page.labels]
        assert all(is_inside(line, page_box(sheet)) for line in lines)
        assert not meet(pieces, [*lines, *labels])
        near = [piece.buffer(0.5) for piece in pieces]
        ticks = [inked(line) for line in page.marks if not is_hairline(line)]
        assert not meet(near, ticks), "no tick in the bleed that a careless cut leaves"
        for label in labels:
            assert is_inside(label, printable(sheet, printing.margin, printing.narrow))
            assert not meet(lines, [label])
            assert not meet(clips, [label])
        assert not meet(labels)


@of_all
def test_ruler_is_true_and_whole(run: PrintRun, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        rules = [line for line in page.marks if line.kind == "slug" and length(line) > 45]
        assert [length(rule) for rule in rules] == [pytest.approx(50.0, abs=0.01)]
        assert is_inside(inked(rules[0]), printable(sheet, printing.margin, printing.narrow))
        ticks = [line for line in page.marks if touches(line, rules[0])]
        ends = {coordinate for tick in ticks for coordinate in along(tick, rules[0])}
        assert max(ends) - min(ends) == pytest.approx(50.0, abs=0.01)
        assert all(is_inside(inked(tick), printable(sheet, printing.margin, printing.narrow)) for tick in ticks)
        assert not meet([clip_of(placement) for placement in page.placements], [inked(rules[0])])


def touches(tick: MarkLine, rule: MarkLine) -> bool:
    return tick != rule and overlap(inked(tick), inked(rule))


def along(tick: MarkLine, rule: MarkLine) -> tuple[float, float]:
    """What a tick covers in the direction of the rule."""
    x0, y0, x1, y1 = inked(tick).bounds
    is_flat = rule.start.y == pytest.approx(rule.end.y)
    return (x0, x1) if is_flat else (y0, y1)


@of_all
def test_short_last_sheet_keeps_its_grid(run: PrintRun, printing: Printing) -> None:
    sheets = imposed(run, printing)
    first, last = ([placement for placement in sheets[i].pages[0].placements if is_front(placement)] for i in (0, -1))
    assert [p.affine for p in last] == [p.affine for p in first[: len(last)]]
    fills = {sum(map(is_front, sheet.pages[0].placements)) for sheet in sheets[:-1]}
    assert fills <= {len(first)}
    assert len({sheet.paper for sheet in sheets}) == 1
    assert [sheet.number for sheet in sheets] == list(range(1, sheets[0].total + 1))


@of_all
def test_backs_lie_behind_their_fronts(run: PrintRun, printing: Printing) -> None:
    for sheet in imposed(run, printing):
        sides = [page.side for page in sheet.pages]
        if printing.way in ("single", "fold") or not run.items[0].back:
            assert (sides, sheet.flip) == (["front"], None)
            continue
        assert (sides, sheet.flip) == (["front", "back"], FLIPS[printing.way])
        if sheet.paper.width == sheet.paper.height:
            continue  # neither edge is the long one
        front, back = ([placed(p, run) for p in page.placements] for page in sheet.pages)
        found = list(paper.sheet_meetings(front, back, sheet.paper, FLIPS[printing.way]))
        assert paper.worst(found) < 0.001
        assert all(m.front[1:] == m.back[1:] for m in found)


@common
@given(runs().filter(lambda run: run.items[0].back is not None), papers)
def test_fold_lays_backs_behind_their_fronts(run: PrintRun, paper_: Size) -> None:
    for sheet in imposed(run, Printing(paper_, "fold")):
        (page,) = sheet.pages
        if sheet.paper.width == sheet.paper.height:
            continue
        count = len(page.placements) // 2
        faces = [placed(placement, run) for placement in page.placements]
        found = list(paper.sheet_meetings(faces[:count], faces[count:], sheet.paper, fold_edge(sheet, run)))
        assert paper.worst(found) < 0.001
        assert all(m.front[1:] == m.back[1:] for m in found)


def fold_edge(sheet: Sheet, run: PrintRun) -> str:
    """The edge along which the fold runs: between the fronts, which come first, and the backs."""
    pieces = trims(sheet.pages[0], run)
    count = len(pieces) // 2
    fronts, backs = (shapely.union_all(part).bounds for part in (pieces[:count], pieces[count:]))
    is_upright = sheet.paper.height > sheet.paper.width
    return "long" if (fronts[2] < backs[0]) == is_upright else "short"


def placed(placement: Placement, run: PrintRun) -> paper.Placed:
    bleed = bleed_of(placement, run)
    trim = Rect(0.0, 0.0, *run.blank.shape.size)
    corners = (paper.Spot(*placement.affine.apply(Point(x + bleed, y + bleed))) for x, y in trim.corners())
    return paper.Placed(placement.face, paper.Corners(*corners))


@common
@given(runs(), papers, st.sampled_from(["long", "short"]))
def test_outlines_lie_behind_outlines(run: PrintRun, paper_: Size, flip: Way) -> None:
    """What is cut out of the front is cut out of the back: no corner but has its own behind it."""
    for sheet in imposed(run, Printing(paper_, flip)):
        if len(sheet.pages) == 1 or sheet.paper.width == sheet.paper.height:
            continue
        width, height = sheet.paper
        is_sideways = (height > width) == (flip == "long")
        for front, back in zip(*(trims(page, run) for page in sheet.pages), strict=True):
            turn = [-1, 0, 0, 1, width, 0] if is_sideways else [1, 0, 0, -1, 0, height]
            seen = affine_transform(front, turn)
            assert shapely.symmetric_difference(seen, back, grid_size=GRID).area < SLIVER


@settings(common, max_examples=40)
@given(st.data())
def test_what_fits_with_room_for_the_slug_is_never_refused(data: st.DataObject) -> None:
    sheet, bleed = data.draw(papers.filter(lambda size: max(size) > 160)), data.draw(bleeds)
    room = 2 * (MARGIN + bleed + 4.0)
    long_side = st.floats(110, max(sheet) - room)  # holds half of the slug
    short_side = st.floats(12, min(sheet) - room)
    size = Size(data.draw(short_side), data.draw(long_side))
    size = size if sheet.height >= sheet.width else size.turned()
    run = run_of(rectangle(size), bleed, (Item("p", "f", "b"),))
    assert len(impose("G", [run], Printing(sheet, "long"), FONTS)) == 1


def test_small_block_in_wide_margins_has_its_slug_in_several_lines() -> None:
    run = run_of(rectangle(Size(12.0, 66.0)), 0.0, (Item("p", "f", "b"),))
    (sheet,) = impose("G", [run], Printing(Size(90.0, 90.0), "long"), FONTS)
    places = [lettered(label) for label in sheet.pages[0].labels]
    assert len(places) == 4
    assert not meet(places)
    assert all(is_inside(place, printable(sheet)) for place in places)


def test_all_runs_that_do_not_fit_are_named() -> None:
    too_large = [deck(1, rectangle(Size(300.0, 300.0)), name=name) for name in ("map", "board")]
    with pytest.raises(PnpError) as caught:
        impose_decks([too_large[0], deck(2), too_large[1]], "a4", "long")
    assert [str(problem.place) for problem in caught.value.problems] == [
        str(problem.run.place) for problem in too_large
    ]


def test_many_sheets_keep_the_slug_in_its_place() -> None:
    """Numbers grow, labels do not wander or run into each other."""
    sheets = impose_decks([deck(1200, rectangle(Size(120.0, 180.0)), 0.0)], "a5", "single")
    assert len(sheets) == 1200
    places = {tuple(label.affine for label in sheet.pages[0].labels) for sheet in sheets}
    assert len(places) == 1
    for sheet in (sheets[8], sheets[887], sheets[1110], sheets[-1]):
        assert not meet([lettered(label) for label in sheet.pages[0].labels])


def test_the_measures_themselves_can_fail() -> None:
    box = shapely.box(0.0, 0.0, 10.0, 10.0)
    assert meet([box, shapely.box(9.0, 9.0, 11.0, 11.0)])
    assert not meet([box, shapely.box(10.0, 0.0, 20.0, 10.0)])
    assert meet([box], [shapely.box(-1.0, 4.0, 0.1, 5.0)])
    assert not is_inside(shapely.box(0.0, 0.0, 10.1, 1.0), box)
    assert length(MarkLine(Point(0, 0), Point(3, 4), 0.1)) == 5.0
    assert next(strips(box, 2.0)).bounds == pytest.approx((10.0, 4.8, 12.0, 5.2))
