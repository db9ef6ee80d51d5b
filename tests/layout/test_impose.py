"""What holds of every imposition: sizes, counts, bleeds, papers and flips at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from generator.errors import PnpError
from generator.geometry import Affine, Point, Rect, Size
from generator.layout import USUAL_MARGIN as MARGIN
from generator.layout import Item, Printing, Run, impose
from generator.model import Label, Line, Page, Placement, Sheet, Way
from generator.text import HOUSE_FAMILY
from tests import paper
from tests.printing import FONTS, deck
from tests.printing import impose as impose_decks

HAIR = 1e-6  # mm
PAPERS = [Size(215.9, 279.4), Size(210.0, 297.0), Size(420.0, 297.0), Size(148.0, 210.0)]
Lettering = {bold: FONTS.find(HOUSE_FAMILY, 700 if bold else 400) for bold in (False, True)}


def lengths(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda value: round(value, 3))


sizes = st.builds(Size, lengths(12, 160), lengths(12, 160))
papers = st.sampled_from(PAPERS) | st.builds(Size, lengths(90, 350), lengths(90, 350))
bleeds = st.sampled_from([0.0, 0.5, 3.0]) | lengths(0, 12)
ways: st.SearchStrategy[Way] = st.sampled_from(["long", "short", "fold", "single"])
margin_widths = st.sampled_from([4.0, MARGIN, 10.0])


@st.composite
def runs(draw: st.DrawFn) -> Run:
    count = draw(st.integers(1, 40))
    has_backs = draw(st.booleans())
    items = tuple(Item(f"p{i}", f"f{i}", f"b{i}" if has_backs else None) for i in range(count))
    return Run("cards", "Cards", draw(sizes), draw(bleeds), items, "game.toml:1")


printings = st.builds(Printing, papers, ways, margin_widths)


def imposed(run: Run, printing: Printing) -> list[Sheet]:
    """The sheets of a run; a run that does not fit is another test's."""
    try:
        return impose("A Game", [run], printing, FONTS)
    except PnpError:
        assume(False)
        raise


def everywhere(run: Run, printing: Printing) -> Iterator[tuple[Sheet, Page]]:
    for sheet in imposed(run, printing):
        for page in sheet.pages:
            yield sheet, page


def trim_of(placement: Placement, run: Run) -> Rect:
    width, height = run.size
    b = run.bleed
    return placement.affine.apply_rect(Rect(b, b, b + width, b + height))


def trims(page: Page, run: Run) -> list[Rect]:
    return [trim_of(placement, run) for placement in page.placements]


def overlap(a: Rect, b: Rect) -> bool:
    common = a.within(b)
    return common.width > HAIR and common.height > HAIR


def is_inside(inner: Rect, outer: Rect) -> bool:
    return inner.within(outer.grown(HAIR)) == inner


def inked(line: Line) -> Rect:
    """The paper a line covers, its white halo included."""
    (x0, y0), (x1, y1) = line.start, line.end
    half = max(line.width, line.halo) / 2
    return Rect(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)).grown(half)


def lettered(label: Label) -> Rect:
    return label.affine.apply_rect(Lettering[label.bold].ink(label.text, label.size))


def printable(sheet: Sheet, margin: float = MARGIN) -> Rect:
    return Rect(0.0, 0.0, *sheet.paper).grown(-margin)


def page_box(sheet: Sheet) -> Rect:
    return Rect(0.0, 0.0, *sheet.paper)


common = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@common
@given(runs(), printings)
def test_every_piece_is_placed_as_often_as_asked(run: Run, printing: Printing) -> None:
    placed = Counter(
        (placement.piece, placement.face)
        for _, page in everywhere(run, printing)
        for placement in page.placements
    )
    asked = Counter((item.piece, item.front) for item in run.items)
    if printing.way != "single":
        asked += Counter((item.piece, item.back) for item in run.items if item.back)
    assert placed == asked


@common
@given(runs(), printings)
def test_trims_lie_apart_and_within_reach_of_the_printer(run: Run, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        boxes = trims(page, run)
        assert not any(overlap(a, b) for a, b in combinations(boxes, 2))
        assert all(is_inside(box, printable(sheet, printing.margin)) for box in boxes)
        assert all(is_inside(box, page.trim) for box in boxes)


@common
@given(runs(), printings)
def test_clips_hold_their_trim_and_leave_all_others_alone(run: Run, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        for index, placement in enumerate(page.placements):
            own = trim_of(placement, run)
            assert is_inside(own, placement.clip)
            assert is_inside(placement.clip, page_box(sheet))
            assert is_inside(placement.clip, own.grown(run.bleed))
            others = [box for i, box in enumerate(trims(page, run)) if i != index]
            assert not any(overlap(placement.clip, box) for box in others)


@common
@given(runs(), printings)
def test_art_bleeds_wherever_no_neighbour_lies(run: Run, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        boxes = trims(page, run)
        for placement, own in zip(page.placements, boxes, strict=True):
            for strip in strips(own, run.bleed):
                seen = strip.within(page_box(sheet))
                if not any(overlap(strip, box) for box in boxes):
                    assert is_inside(seen, placement.clip)


def strips(trim: Rect, bleed: float) -> list[Rect]:
    """The bleed along each edge of a piece."""
    x0, y0, x1, y1 = trim
    return [
        Rect(x0 - bleed, y0, x0, y1),
        Rect(x0, y0 - bleed, x1, y0),
        Rect(x1, y0, x1 + bleed, y1),
        Rect(x0, y1, x1, y1 + bleed),
    ]


@common
@given(runs(), printings)
def test_marks_touch_no_piece_and_the_slug_touches_nothing(run: Run, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        boxes = trims(page, run)
        lines = [inked(line) for line in page.marks]
        labels = [lettered(label) for label in page.labels]
        assert all(is_inside(line, page_box(sheet)) for line in lines)
        for box in [*lines, *labels]:
            assert not any(overlap(box, trim) for trim in boxes)
            assert printing.way == "fold" or not overlap(box, page.trim)
        for label in labels:
            assert is_inside(label, printable(sheet, printing.margin))
            assert not any(overlap(label, line) for line in lines)
            assert not any(overlap(label, placement.clip) for placement in page.placements)
        assert not any(overlap(a, b) for a, b in combinations(labels, 2))


@common
@given(runs(), printings)
def test_ruler_is_true_and_whole(run: Run, printing: Printing) -> None:
    for sheet, page in everywhere(run, printing):
        rules = [line for line in page.marks if length(line) > 45]
        assert [length(rule) for rule in rules] == [pytest.approx(50.0, abs=0.01)]
        assert is_inside(inked(rules[0]), printable(sheet, printing.margin))
        ticks = [line for line in page.marks if touches(line, rules[0])]
        ends = {coordinate for tick in ticks for coordinate in along(tick, rules[0])}
        assert max(ends) - min(ends) == pytest.approx(50.0, abs=0.01)
        assert all(is_inside(inked(tick), printable(sheet, printing.margin)) for tick in ticks)
        assert not any(overlap(inked(rules[0]), placed.clip) for placed in page.placements)


def length(line: Line) -> float:
    return abs(complex(line.end.x - line.start.x, line.end.y - line.start.y))


def touches(tick: Line, rule: Line) -> bool:
    return tick != rule and overlap(inked(tick), inked(rule))


def along(tick: Line, rule: Line) -> tuple[float, float]:
    """What a tick covers in the direction of the rule."""
    box = inked(tick)
    is_flat = rule.start.y == pytest.approx(rule.end.y)
    return (box.x0, box.x1) if is_flat else (box.y0, box.y1)


@common
@given(runs(), printings)
def test_short_last_sheet_keeps_its_grid(run: Run, printing: Printing) -> None:
    sheets = imposed(run, printing)
    first, last = sheets[0].pages[0].placements, sheets[-1].pages[0].placements
    assert [p.affine for p in last] == [p.affine for p in first[: len(last)]]
    assert {len(sheet.pages[0].placements) for sheet in sheets[:-1]} <= {len(first)}
    assert len({sheet.paper for sheet in sheets}) == 1
    assert [sheet.number for sheet in sheets] == list(range(1, sheets[0].total + 1))


@common
@given(runs(), printings)
def test_backs_lie_behind_their_fronts(run: Run, printing: Printing) -> None:
    for sheet in imposed(run, printing):
        sides = [page.side for page in sheet.pages]
        if printing.way in ("single", "fold") or not run.items[0].back:
            assert (sides, sheet.flip) == (["front"], None)
            continue
        assert (sides, sheet.flip) == (["front", "back"], printing.way)
        if sheet.paper.width == sheet.paper.height:
            continue  # neither edge is the long one
        front, back = ([placed(p, run) for p in page.placements] for page in sheet.pages)
        found = list(paper.sheet_meetings(front, back, sheet.paper, printing.way))
        assert paper.worst(found) < 0.001
        assert all(m.front[1:] == m.back[1:] for m in found)


@common
@given(runs().filter(lambda run: run.items[0].back is not None), papers)
def test_fold_lays_backs_behind_their_fronts(run: Run, paper_: Size) -> None:
    for sheet in imposed(run, Printing(paper_, "fold")):
        (page,) = sheet.pages
        if sheet.paper.width == sheet.paper.height:
            continue
        count = len(page.placements) // 2
        faces = [placed(placement, run) for placement in page.placements]
        found = list(
            paper.sheet_meetings(faces[:count], faces[count:], sheet.paper, fold_edge(sheet, run))
        )
        assert paper.worst(found) < 0.001
        assert all(m.front[1:] == m.back[1:] for m in found)


def fold_edge(sheet: Sheet, run: Run) -> str:
    """The edge along which the fold runs: between the fronts, which come first, and the backs."""
    boxes = trims(sheet.pages[0], run)
    count = len(boxes) // 2
    runs_down = max(box.x1 for box in boxes[:count]) < min(box.x0 for box in boxes[count:])
    is_upright = sheet.paper.height > sheet.paper.width
    return "long" if runs_down == is_upright else "short"


def placed(placement: Placement, run: Run) -> paper.Placed:
    trim = Rect(run.bleed, run.bleed, run.bleed + run.size.width, run.bleed + run.size.height)
    corners = (paper.Spot(*placement.affine.apply(corner)) for corner in trim.corners())
    return paper.Placed(placement.face, paper.Corners(*corners))


@settings(common, max_examples=100)
@given(st.data())
def test_what_fits_with_room_for_the_slug_is_never_refused(data: st.DataObject) -> None:
    sheet, bleed = data.draw(papers.filter(lambda size: max(size) > 160)), data.draw(bleeds)
    room = 2 * (MARGIN + bleed + 4.0)
    long_side = st.floats(110, max(sheet) - room)  # holds half of the slug
    short_side = st.floats(12, min(sheet) - room)
    size = Size(data.draw(short_side), data.draw(long_side))
    size = size if sheet.height >= sheet.width else size.turned()
    run = Run("c", "C", size, bleed, (Item("p", "f", "b"),), "game.toml:1")
    assert len(impose("G", [run], Printing(sheet, "long"), FONTS)) == 1


def test_small_block_in_wide_margins_has_its_slug_in_several_lines() -> None:
    run = Run("c", "C", Size(12.0, 66.0), 0.0, (Item("p", "f", "b"),), "game.toml:1")
    (sheet,) = impose("G", [run], Printing(Size(90.0, 90.0), "long"), FONTS)
    places = [lettered(label) for label in sheet.pages[0].labels]
    assert len(places) == 4
    assert not any(overlap(a, b) for a, b in combinations(places, 2))
    assert all(is_inside(place, printable(sheet)) for place in places)


def test_all_runs_that_do_not_fit_are_named() -> None:
    too_large = [deck(1, Size(300.0, 300.0), name=name) for name in ("map", "board")]
    with pytest.raises(PnpError) as caught:
        impose_decks([too_large[0], deck(2), too_large[1]], "a4", "long")
    assert [problem.where for problem in caught.value.problems] == [
        one.run.where for one in too_large
    ]


def test_many_sheets_keep_the_slug_in_its_place() -> None:
    """Numbers grow, labels do not wander or run into each other."""
    sheets = impose_decks([deck(1200, Size(120.0, 180.0), 0.0)], "a5", "single")
    assert len(sheets) == 1200
    places = {tuple(label.affine for label in sheet.pages[0].labels) for sheet in sheets}
    assert len(places) == 1
    for sheet in (sheets[8], sheets[887], sheets[1110], sheets[-1]):
        boxes = [lettered(label) for label in sheet.pages[0].labels]
        assert not any(overlap(a, b) for a, b in combinations(boxes, 2))


def test_overlap_sees_an_overlap() -> None:
    """The measure itself can fail."""
    box = Rect(0.0, 0.0, 10.0, 10.0)
    assert overlap(box, Rect(9.0, 9.0, 11.0, 11.0))
    assert not overlap(box, Rect(10.0, 0.0, 20.0, 10.0))
    assert not is_inside(Rect(0.0, 0.0, 10.1, 1.0), box)
    turned = Affine(0, -1, 1, 0, 0, 0).apply_rect(box)
    assert turned == Rect(0.0, -10.0, 10.0, 0.0)
    assert length(Line(Point(0, 0), Point(3, 4), 0.1)) == 5.0
