"""Gutters or shared cuts, marks to choose, sheets that several components share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import get_args

import pytest
import shapely
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely.geometry import LineString, Polygon

from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Size
from generator.basics.papers import parse_paper
from generator.basics.shapes import Shape, box_of, circle, hexagon, rectangle, trihex
from generator.layout import Blank, Item, Printing, PrintRun, impose, parse_marks
from generator.model import Cuts, Orientation, Placement, Sheet
from tests.layout.measuring import inked, is_hairline, is_inside, meet, printable, rect
from tests.support.printing import FONTS, run_of

LETTER, A4 = Size(215.9, 279.4), Size(210.0, 297.0)
POKER = rectangle(Size(63.5, 88.9))


def items(count: int, name: str = "p", *, has_backs: bool = True) -> tuple[Item, ...]:
    return tuple(Item(f"{name}{i}", f"f{name}{i}", f"b{name}{i}" if has_backs else None) for i in range(count))


def run(
    count: int,
    shape: Shape = POKER,
    *,
    cuts: Cuts = "shared",
    name: str = "cards",
    is_merging: bool = False,
    bleed: float = 3.0,
    has_backs: bool = True,
) -> PrintRun:
    laid = items(count, name, has_backs=has_backs)
    return run_of(shape, bleed, laid, name=name, cuts=cuts, is_merging=is_merging)


def sheets_of(*runs: PrintRun, paper: Size = LETTER, mix: bool = False, marks: str = "") -> list[Sheet]:
    marking = parse_marks(marks or "cut,corner")
    return impose("G", runs, Printing(paper, "long", marking=marking, is_mixed=mix), FONTS)


@pytest.mark.parametrize(("count", "cuts", "sheets"), [(8, "double", 1), (9, "shared", 1), (16, "double", 2)])
def test_auto_takes_gutters_where_they_cost_no_sheet(count: int, cuts: str, sheets: int) -> None:
    """Letter holds nine poker cards edge to edge, eight with a bleed of 3 mm each: two are turned."""
    found = sheets_of(run(count, cuts="auto"))
    assert ([sheet.cuts for sheet in found], len(found)) == ([cuts] * sheets, sheets)


@pytest.mark.parametrize("shape", [circle(12.7), hexagon(20.0, "edge"), trihex(12.0)])
def test_small_paper_holds_small_pieces_and_the_slug_in_lines(shape: Shape) -> None:
    (sheet,) = sheets_of(run(9, shape, cuts="double"), paper=Size(101.6, 152.4))
    assert len(sheet.pages[0].labels) == 4


def test_edges_of_one_colour_share_their_cuts() -> None:
    assert sheets_of(run(6, cuts="auto", is_merging=True))[0].cuts == "shared"


def test_edges_of_one_colour_share_a_bleed() -> None:
    """In gutters half as wide: A4 then holds nine poker cards of 2 mm, and eight otherwise."""
    assert sheets_of(run(9, cuts="double", bleed=2.0), paper=A4)[0].seats == 8
    assert sheets_of(run(9, cuts="double", bleed=2.0, is_merging=True), paper=A4)[0].seats == 9


def test_small_hexagons_are_cut_straight_through() -> None:
    (sheet,) = sheets_of(run(40, hexagon(26.73, "edge"), cuts="double"))
    assert (sheet.cuts, sheet.seats) == ("straight", 56)
    large = sheets_of(run(6, hexagon(26.73, "edge"), cuts="double", bleed=5.0))
    assert {sheet.cuts for sheet in large} == {"double"}


def test_paper_lies_as_described() -> None:
    found = {
        how: impose("G", [run(9)], Printing(LETTER, "long", orientation=how), FONTS) for how in get_args(Orientation)
    }
    assert {how: (len(made), made[0].paper) for how, made in found.items()} == {
        "auto": (1, LETTER),
        "portrait": (1, LETTER),
        "landscape": (2, LETTER.turned()),
    }


def lines(sheets: Sequence[Sheet], page: int) -> Counter[str]:
    return Counter(line.kind for sheet in sheets for line in sheet.pages[page].marks)


def test_marks_are_those_that_were_chosen() -> None:
    print_run = run(6, cuts="double")
    assert set(lines(sheets_of(print_run), 0)) == {"cut", "corner", "slug"}
    assert set(lines(sheets_of(print_run), 1)) == {"slug"}
    assert set(lines(sheets_of(print_run, marks="none"), 0)) == {"slug"}
    assert set(lines(sheets_of(print_run, marks="register"), 0)) == {"register", "slug"}
    both = sheets_of(run(2, cuts="double"), paper=A4, marks="cut,frame,backs")
    assert lines(both, 0) == lines(both, 1)
    assert lines(both, 0)["frame"] == 4, "a frame all around"


def test_marks_on_backs_lie_behind_those_of_the_front() -> None:
    (sheet,) = sheets_of(run(5, trihex(40.0), cuts="double"), marks="cut,register,backs")
    width, height = sheet.paper
    is_sideways = height > width
    front, back = (
        {
            (round(p.x if is_sideways else p.y, 6), round(p.y if is_sideways else p.x, 6))
            for line in page.marks
            if line.kind != "slug"
            for p in (line.start, line.end)
        }
        for page in sheet.pages
    )
    side = width if is_sideways else height
    assert back == {(round(side - x, 6), y) for x, y in front}


@pytest.mark.parametrize("shape", [POKER, hexagon(40.0, "corner"), trihex(40.0), circle(25.0)])
def test_crosses_and_frame_keep_clear(shape: Shape) -> None:
    for sheet in sheets_of(run(9, shape, cuts="double"), paper=A4, marks="register,frame,cut"):
        page = sheet.pages[0]
        clips = [Polygon(placement.clip) for placement in page.placements]
        found = [line for line in page.marks if line.kind in ("register", "frame")]
        assert found
        assert not meet(clips, [inked(line) for line in found])
        assert all(is_inside(inked(line), printable(sheet).buffer(0.11, join_style="mitre")) for line in found)


@pytest.mark.parametrize("shape", [POKER, hexagon(40.0, "corner"), trihex(40.0), circle(25.0)])
def test_outlines_lie_just_outside_the_trims(shape: Shape) -> None:
    """All of the outline of a piece in a gutter, also its notches; without others, no ticks."""
    sheet = sheets_of(run(3, shape, cuts="double"), paper=A4, marks="outline")[0]
    drawn = [line for line in sheet.pages[0].marks if line.kind == "outline" and line.width]
    ink = shapely.union_all([inked(line).buffer(0.1) for line in drawn])
    pieces = [Polygon(outline) for outline in _trims_of(sheet, shape)]
    assert {line.kind for line in sheet.pages[0].marks} == {"outline", "slug"}
    assert not meet(pieces, [inked(line) for line in drawn])
    bare = [piece.exterior.difference(ink).length for piece in pieces]
    assert max(bare) < 3.0, "where corners touch"


def test_neighbours_that_touch_have_no_line_between_them() -> None:
    (sheet,) = sheets_of(run(9), marks="outline")
    ink = shapely.union_all([inked(line).buffer(0.1) for line in sheet.pages[0].marks])
    pieces = [Polygon(outline) for outline in _trims_of(sheet, POKER)]
    block = shapely.union_all(pieces).buffer(0.001)
    assert ink.buffer(0.1).covers(block.exterior)
    inner = block.buffer(-1.0)
    assert ink.intersection(inner).is_empty


def test_straight_cuts_have_a_line_at_every_edge() -> None:
    """Once the sheet is in strips, the waste triangles show the cuts of the other directions."""
    shape = hexagon(26.73, "edge")
    (sheet,) = sheets_of(run(49, shape, cuts="double"))
    assert sheet.cuts == "straight"
    pieces = [Polygon(outline) for outline in _trims_of(sheet, shape)]
    drawn = [inked(line) for line in sheet.pages[0].marks if line.kind == "cut" and line.width]
    tree = shapely.STRtree(drawn)
    assert not meet(pieces, drawn)
    for piece in pieces:
        for start, end in pairwise(piece.exterior.coords):
            edge = LineString([start, end])
            strip = edge.buffer(0.2, cap_style="flat")
            beside = (drawn[index].intersection(strip) for index in tree.query(strip))
            along = sum(part.length / 2 for part in beside if part.length > 5.0)
            assert along > 0.9 * edge.length


def test_discs_have_a_ring_and_ticks_at_their_axes() -> None:
    shape = circle(20.0)
    (sheet,) = sheets_of(run(1, shape, cuts="double"))
    (disc,) = (Polygon(outline) for outline in _trims_of(sheet, shape))
    marks = [line for line in sheet.pages[0].marks if line.kind in ("cut", "corner")]
    ticks = [line for line in marks if line.width and not is_hairline(line)]
    ring = shapely.union_all([inked(mark) for mark in marks if mark.width and is_hairline(mark)])
    assert ring.hausdorff_distance(disc.exterior) < 0.2
    x, y = disc.centroid.coords[0]
    aside = [(abs(line.start.x - x), abs(line.start.y - y)) for line in ticks]
    assert len(aside) == 4
    assert all(min(piece) < 0.01 for piece in aside)


def test_there_is_no_such_mark() -> None:
    with pytest.raises(PnpError, match="there is no mark 'regster'"):
        parse_marks("cut,regster")


def three_runs() -> list[PrintRun]:
    return [
        run(3, name="cards"),
        run(5, hexagon(40.0, "corner"), cuts="double", name="hexes"),
        run(6, circle(25.0), cuts="double", name="coins", has_backs=False),
    ]


def test_what_is_left_shares_a_sheet() -> None:
    assert [sheet.component for sheet in sheets_of(*three_runs())] == ["cards", "hexes", "coins"]
    (sheet,) = sheets_of(*three_runs(), mix=True)
    assert (sheet.component, sheet.title, sheet.flip) == ("mixed", "Cards, Hexes, Coins", "long")
    assert [len(page.placements) for page in sheet.pages] == [14, 8]


def test_full_sheets_stay_as_they_are() -> None:
    found = sheets_of(run(20), *three_runs()[1:], mix=True)
    assert [(s.component, s.number, s.total) for s in found] == [("cards", 1, 2), ("cards", 2, 2), ("mixed", 1, 1)]


TILE = trihex(40.0)  # eight fit on Letter with a bleed of 1 mm each, six with 3 mm


def tiles(count: int, least: float | None) -> PrintRun:
    return replace(run(count, TILE, cuts="double"), least_bleed=least)


def test_bleeds_shrink_only_where_that_saves_sheets() -> None:
    """And no more than they must."""
    whole, narrow = sheets_of(tiles(48, None)), sheets_of(tiles(48, 1.0))
    assert [(len(sheets), sheets[0].seats, sheets[0].bleed) for sheets in (whole, narrow)] == [
        (8, 6, None),
        (6, 8, 1.0),
    ]
    assert [len(sheets_of(tiles(48, least))) for least in (1.25, 0.5)] == [8, 6]
    assert sheets_of(tiles(6, 1.0))[0].bleed is None
    assert sheets_of(tiles(48, 1.0), paper=A4)[0].bleed is None


def test_narrow_bleeds_are_printed_and_stay_apart() -> None:
    (first, *_) = sheets_of(tiles(48, 1.0))
    for page, bleed in ((first.pages[0], 1.0), (first.pages[1], 1.0)):
        clips = [Polygon(placement.clip) for placement in page.placements]
        assert not meet(clips)
        assert all(is_inside(clip, rect(page.bleed)) for clip in clips)
        areas = {round(clip.area - TILE.area, 3) for clip in clips}
        grown = Polygon(TILE.outline).buffer(bleed, join_style="mitre").area - TILE.area
        assert areas == {round(grown, 3)}
    (slug,) = [label.text for label in first.pages[0].labels if "flip" in label.text]
    assert ", bleed 1 mm" in slug


def seated(sheets: list[Sheet]) -> list[tuple[str, str, int]]:
    """The titles of sheets, how they are cut, and the number of their pieces."""
    return [(sheet.title, sheet.cuts, len(sheet.pages[0].placements)) for sheet in sheets]


def test_pieces_of_equal_blanks_fill_a_sheet_together() -> None:
    """Nine cards fit edge to edge only, so eight and one share the cuts of one sheet."""
    found = sheets_of(run(17), run(1, name="extra"), mix=True)
    assert seated(found) == [("Cards", "shared", 9), ("Cards, Extra", "shared", 9)]


def test_what_equal_blanks_leave_shares_the_sheet_of_others() -> None:
    """The two extra cards lie on one sheet; the larger run is divided."""
    coins = run(17, circle(40.0), cuts="double", name="coins")
    found = sheets_of(run(8), run(2, name="extra"), coins, mix=True)
    assert seated(found) == [("Cards, Extra", "shared", 9), ("Cards, Coins", "double", 18)]
    first = [placement.piece for placement in found[0].pages[0].placements]
    assert first == [*(f"cards{i}" for i in range(7)), "extra0", "extra1"]


def test_of_equal_blanks_on_two_sheets_the_small_runs_stay_whole() -> None:
    found = sheets_of(run(8), run(6, name="more"), run(4, name="extra"), mix=True)
    assert seated(found) == [("Cards, More, Extra", "shared", 9)] * 2
    names = [{placement.piece.rstrip("0123456789") for placement in sheet.pages[0].placements} for sheet in found]
    assert names == [{"cards", "more"}, {"cards", "extra"}]


def test_equal_blanks_share_cuts_if_their_edges_are_of_one_colour() -> None:
    cards = [run(3, cuts="auto", name=name, is_merging=True) for name in ("cards", "extra")]
    assert seated(sheets_of(*cards, mix=True)) == [("Cards, Extra", "shared", 6)]
    cards[1] = replace(cards[1], edges=("#000",))
    assert seated(sheets_of(*cards, mix=True)) == [("Cards, Extra", "double", 6)]


def test_nothing_is_mixed_that_saves_no_sheet() -> None:
    large = [run(5, name=name) for name in ("cards", "maps")]
    assert [sheet.component for sheet in sheets_of(*large, mix=True)] == ["cards", "maps"]


shapes = st.one_of(
    st.builds(lambda w, h: rectangle(Size(w, h)), st.floats(15, 90), st.floats(15, 90)),
    st.floats(20, 60).map(lambda across: hexagon(across, "edge")),
    st.floats(15, 35).map(trihex),
    st.floats(15, 50).map(circle),
)


@st.composite
def games(draw: st.DrawFn) -> list[PrintRun]:
    return [
        run(
            draw(st.integers(1, 8)),
            draw(shapes),
            cuts="double",
            name=f"kind{number}",
            has_backs=draw(st.booleans()),
            bleed=draw(st.sampled_from([0.0, 2.0, 3.0])),
        )
        for number in range(draw(st.integers(2, 3)))
    ]


@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(games(), st.sampled_from([LETTER, A4]))
def test_mixed_sheets_hold_every_piece_apart(game: list[PrintRun], paper: Size) -> None:
    plain, found = sheets_of(*game, paper=paper), sheets_of(*game, paper=paper, mix=True)
    assert len(found) <= len(plain)
    shapes_by_face = {item.front: print_run.blank for print_run in game for item in print_run.items}
    placed: Counter[str] = Counter()
    for sheet in found:
        page = sheet.pages[0]
        placed.update(placement.piece for placement in page.placements)
        trims = [_trim(placement, shapes_by_face) for placement in page.placements]
        # Fitted pieces lie at whole thousandths of a mm, as near as half of one.
        assert not meet([trim.buffer(-0.0005) for trim in trims])
        assert all(is_inside(trim, printable(sheet)) for trim in trims)
        assert all(is_inside(trim, rect(page.trim)) for trim in trims)
        assert not meet(trims, [inked(line) for line in page.marks])
    assert placed == Counter(item.piece for print_run in game for item in print_run.items)


def _trim(placement: Placement, blanks: Mapping[str, Blank]) -> Polygon:
    blank = blanks[placement.face]
    corners = (Point(x + blank.bleed, y + blank.bleed) for x, y in blank.shape.outline)
    return Polygon([placement.affine.apply(corner) for corner in corners])


def test_precut_sheets_keep_components_apart() -> None:
    paper, shape = parse_paper("avery-5371"), rectangle(Size(88.9, 50.8))
    printing = Printing(paper.size, "long", precut=paper.precut, is_mixed=True)
    found = impose("G", [run(2, shape), run(2, shape, name="extra")], printing, FONTS)
    assert [sheet.component for sheet in found] == ["cards", "extra"]


def test_precut_sheets_are_filled_where_they_are_cut() -> None:
    """Ten cards of 3.5 x 2 in on Letter, 0.75 in from the left and 0.5 in from the top."""
    sheet = parse_paper("avery-5371").precut
    printing = Printing(parse_paper("avery-5371").size, "long", precut=sheet)
    for shape in (rectangle(Size(88.9, 50.8)), rectangle(Size(50.8, 88.9))):
        first, last = impose("G", [run(11, shape)], printing, FONTS)
        boxes = [box_of(clip) for clip in _trims_of(first, shape)]
        lefts, tops = ({round(box[i] / 25.4, 6) for box in boxes} for i in (0, 1))
        assert (lefts, tops) == ({0.75, 4.25}, {0.5, 2.5, 4.5, 6.5, 8.5})
        assert len(last.pages[0].placements) == 1
        assert {line.kind for page in first.pages for line in page.marks} == {"slug"}


def _trims_of(sheet: Sheet, shape: Shape) -> list[list[Point]]:
    return [
        [placement.affine.apply(Point(x + 3.0, y + 3.0)) for x, y in shape.outline]
        for placement in sheet.pages[0].placements
    ]


@pytest.mark.parametrize("shape", [POKER, circle(50.8)])
def test_precut_sheets_are_for_their_pieces(shape: Shape) -> None:
    printing = Printing(parse_paper("avery-7414").size, "long", precut=parse_paper("avery-7414").precut)
    with pytest.raises(PnpError, match="avery-7414 is cut to 90 x 52 mm"):
        impose("G", [run(1, shape, cuts="double")], printing, FONTS)


def test_bleeds_on_labels_end_between_them() -> None:
    """Labels of 63.5 x 38.1 mm that touch above and below and lie 2.54 mm apart."""
    paper, shape = parse_paper("avery-l7160"), rectangle(Size(63.5, 38.1))
    printing = Printing(paper.size, "long", precut=paper.precut)
    (sheet,) = impose("G", [run(21, shape)], printing, FONTS)
    clips = [box_of(placement.clip) for placement in sheet.pages[0].placements]
    middle, right, below = clips[10], clips[11], clips[13]
    assert (middle.x1, middle.y1) == pytest.approx((right.x0, below.y0))
    assert (middle.width, middle.height) == pytest.approx((63.5 + 2.54, 38.1))
    assert clips[0].x0 == pytest.approx(7.2 - 3.0)


def test_discs_go_onto_round_labels() -> None:
    """The middles of discs of 63.5 mm are those of the places; a smaller one is in the middle."""
    paper = parse_paper("avery-l7670")
    printing = Printing(paper.size, "long", precut=paper.precut)
    for diameter, bleed in ((63.5, 2.25), (63.2, 2.4)):
        shape = circle(diameter)
        (sheet,) = impose("G", [run(12, shape, cuts="double")], printing, FONTS)
        boxes = [box_of(clip) for clip in _trims_of(sheet, shape)]
        middles = [box.centre.steadied() for box in boxes]
        assert middles[0] == pytest.approx((5.25 + 31.75, 14.75 + 31.75), abs=0.001)
        assert middles[4] == pytest.approx((5.25 + 31.75 + 68, 14.75 + 31.75 + 68), abs=0.001)
        clip = box_of(sheet.pages[0].placements[0].clip)
        assert clip.width == pytest.approx(diameter + 2 * bleed, abs=0.01)


@pytest.mark.parametrize(
    ("name", "shape", "what"),
    [
        ("avery-l7670", rectangle(Size(63.5, 63.5)), "cut to discs of 63.5 x 63.5 mm"),
        ("avery-l7670", circle(40.0), "these pieces are discs of 40 x 40 mm, 23.5 mm too narrow$"),
        ("avery-5160", circle(25.4), "cut to 66.68 x 25.4 mm, and these pieces are discs"),
        ("avery-7414", POKER, "pieces are 63.5 x 88.9 mm, 11.5 mm too wide and 1.1 mm too low$"),
        ("avery-7414", rectangle(Size(90.0, 54.5)), "90 x 54.5 mm, 2.5 mm too high$"),
    ],
)
def test_a_label_is_for_pieces_of_its_form(name: str, shape: Shape, what: str) -> None:
    paper = parse_paper(name)
    printing = Printing(paper.size, "long", precut=paper.precut)
    with pytest.raises(PnpError) as caught:
        impose("G", [run(1, shape, cuts="double")], printing, FONTS)
    assert re.search(what, caught.value.problems[0].what)


def test_precut_sheets_cannot_be_folded() -> None:
    printing = Printing(parse_paper("avery-7414").size, "fold", precut=parse_paper("avery-7414").precut)
    with pytest.raises(PnpError, match="is already cut"):
        impose("G", [run(1, rectangle(Size(90.0, 52.0)))], printing, FONTS)
