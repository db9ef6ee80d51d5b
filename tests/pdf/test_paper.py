"""The paper test: fronts and backs of the finished file meet on the sheet that a hand turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import cos, pi, sin

import pytest

from generator import layout, model
from generator.basics import papers
from generator.basics.geometry import Affine, Point, Size, mirror_x
from generator.basics.shapes import Shape, circle, drawn, hexagon, polygon, rectangle, trihex
from generator.layout import dressing
from generator.model import Cuts, Flip, Way
from tests.support import paper, printing
from tests.support.paper import Matrix

PEAR = tuple(
    Point(20 + (9 + 5 * sin(t / 20 * pi)) * cos(t / 20 * pi), 25 + 20 * sin(t / 20 * pi + 0.3)) for t in range(40)
)
BLEED = 3.0
CLOSE = 0.01  # mm
FLIPS: tuple[Flip, ...] = ("long", "short")
PAPERS = ("letter", "a4", "a3", "300x200mm")
LANDSCAPE = "a3"  # where these cards fit best on the sheet laid across

# how many of 63.5 x 88.9 mm: a full sheet and a half-empty one, whatever the paper holds
COUNT = 13


@cache
def printed(paper_name: str, flip: Flip, count: int = COUNT) -> printing.Printed:
    return printing.print_decks([printing.deck(count)], paper_name, flip)


def drift(pdf: bytes, flip: Flip) -> float:
    return paper.worst(paper.meetings(pdf, BLEED, flip))


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("paper_name", PAPERS)
def test_backs_meet_their_fronts(paper_name: str, flip: Flip) -> None:
    found = paper.meetings(printed(paper_name, flip).pdf, BLEED, flip)
    assert paper.worst(found) < CLOSE
    assert Counter(m[:2] for m in found) == planned()


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize(
    ("size", "paper_name", "overlap", "sheets"),
    [
        (Size(420.0, 297.0), "a4", 0.0, 4),
        (Size(420.0, 297.0), "a4", layout.OVERLAP, 4),
        (Size(500.0, 60.0), "letter", 0.0, 1),  # panels that share a sheet
        (Size(250.0, 690.0), "a4", 0.0, 4),  # sheets laid across
    ],
)
def test_the_backs_of_panels_meet_their_fronts(
    size: Size, paper_name: str, overlap: float, sheets: int, flip: Flip
) -> None:
    made = printing.print_decks([printing.board(size, overlap)], paper_name, flip)
    found = paper.meetings(made.pdf, BLEED, flip)  # of whole faces, each on its panel's page
    assert len(made.sheets) == sheets
    assert len(found) == sum(len(sheet.pages[0].placements) for sheet in made.sheets) > 1
    assert paper.worst(found) < CLOSE


@pytest.mark.parametrize("way", model.FLIPS)
@pytest.mark.parametrize("paper_name", PAPERS)
def test_a_stack_of_sheets_upright_and_across_is_turned_once(paper_name: str, way: Way) -> None:
    pdf = mixed_stack(paper_name, way)
    assert len({width > height for width, height in paper.paper_sizes(pdf)}) == 2
    assert drift(pdf, model.FLIPS[way]) < CLOSE


def test_a_turn_for_each_page_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dressing, "paper_turn", lambda sheet, _: mirror_x(sheet.width))
    assert drift(mixed_stack("letter", "separate-long"), "long") > 60.0


@pytest.mark.parametrize("way", model.FLIPS)
def test_how_to_turn_has_room_beside_one_card_on_small_paper(way: Way) -> None:
    small = papers.parse_paper("photo-4x6")
    how = layout.Printing(small.size, way, paper_name=small.name)
    assert len(layout.impose("Some Game", [printing.deck(2).run], how, printing.FONTS)) == 2


def mixed_stack(paper_name: str, way: Way) -> bytes:
    upright, across = printing.CARD, rectangle(printing.CARD.size.turned())
    decks = [printing.deck(COUNT, upright), printing.deck(COUNT, across, name="lying")]
    return printing.print_decks(decks, paper_name, way).pdf


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("count", [1, 9])
def test_full_and_lonely_sheets(count: int, flip: Flip) -> None:
    found = paper.meetings(printed("letter", flip, count).pdf, BLEED, flip)
    assert len(found) == count
    assert paper.worst(found) < CLOSE


def test_papers_hold_what_the_test_is_about() -> None:
    sheets = {name: printed(name, "long").sheets for name in PAPERS}
    fill = [len(sheet.pages[0].placements) for sheet in sheets["letter"]]
    assert fill == [9, 4], "a full and a half-empty sheet"
    assert [s.paper.width > s.paper.height for s in sheets[LANDSCAPE]] == [True]


def planned(shape: Shape = printing.CARD, cuts: Cuts = "shared") -> Counter[tuple[str, ...]]:
    """The pairs of faces as the deck was written down, not as it was laid out."""
    items = printing.deck(COUNT, shape, cuts=cuts).run.items
    return Counter((item.front, str(item.back)) for item in items)


def test_pieces_that_share_a_back() -> None:
    printed_deck = printing.deck(COUNT, backs=lambda number: number // 5)
    found = paper.meetings(printing.print_decks([printed_deck], "a4", "short").pdf, BLEED, "short")
    assert paper.worst(found) < CLOSE
    assert Counter(m[:2] for m in found) == Counter((i.front, str(i.back)) for i in printed_deck.run.items)


def on_backs(change: Callable[[Matrix], Matrix]) -> Callable[[int, list[Matrix]], list[Matrix]]:
    def edit(page: int, matrices: list[Matrix]) -> list[Matrix]:
        return [change(matrix) for matrix in matrices] if page % 2 else matrices

    return edit


def shifted(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    return (a, b, c, d, e + 0.5 / paper.MM_PER_PT, f)


def half_turned(matrix: Matrix) -> Matrix:
    """Turned by 180 degrees about its own middle: the same rectangle, the wrong way up."""
    a, b, c, d, e, f = matrix
    w, h = ((side + 2 * BLEED) / paper.MM_PER_PT for side in printing.CARD.size)
    return (-a, -b, -c, -d, e + a * w + c * h, f + b * w + d * h)


def mirrored(matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = matrix
    w = (printing.CARD.size.width + 2 * BLEED) / paper.MM_PER_PT
    return (-a, -b, c, d, e + a * w, f + b * w)


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize(("fault", "at_least"), [(shifted, 0.5), (half_turned, 88.9), (mirrored, 63.5)])
def test_planted_fault_is_measured(fault: Callable[[Matrix], Matrix], at_least: float, flip: Flip) -> None:
    sound = printed("letter", flip).pdf
    assert drift(paper.edit_pages(sound, on_backs(lambda matrix: matrix)), flip) < CLOSE
    assert drift(paper.edit_pages(sound, on_backs(fault)), flip) >= at_least - CLOSE


def test_two_backs_exchanged_are_noticed() -> None:
    def exchange(page: int, matrices: list[Matrix]) -> list[Matrix]:
        return [matrices[1], matrices[0], *matrices[2:]] if page % 2 else matrices

    found = paper.meetings(paper.edit_pages(printed("letter", "long").pdf, exchange), BLEED, "long")
    assert paper.worst(found) < CLOSE
    assert Counter(m[:2] for m in found) != planned()


@pytest.mark.parametrize(("made", "turned"), [("long", "short"), ("short", "long")])
def test_sheet_turned_the_other_way_does_not_meet(made: Flip, turned: Flip) -> None:
    assert drift(printed("letter", made).pdf, turned) > 1.0


FaultyBack = Callable[[Affine, float, Affine], Affine]


@pytest.mark.parametrize(
    ("flip", "faulty"),
    [
        ("long", lambda front, _width, turn: turn @ front),  # mirrored, not turned
        ("short", lambda front, _width, turn: turn @ front),
        ("short", lambda front, _width, turn: Affine(e=front.e, f=turn.f - front.f - 94.9)),
    ],
)
def test_faulty_imposition_is_measured(flip: Flip, faulty: FaultyBack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dressing, "back_of", faulty)
    pdf = printing.print_decks([printing.deck(4)], "letter", flip).pdf
    assert drift(pdf, flip) > 60.0


def test_small_pieces_with_a_wide_bleed() -> None:
    printed_deck = printing.deck(5, rectangle(Size(30.0, 20.0)), 8.0)
    found = paper.meetings(printing.print_decks([printed_deck], "a5", "short").pdf, 8.0, "short")
    assert paper.worst(found) < CLOSE


SHAPES: dict[str, tuple[Shape, Cuts]] = {
    "hexagons cut straight": (hexagon(26.73, "edge"), "double"),
    "hexagons that touch": (hexagon(50.0, "corner"), "shared"),
    "trihexes, some turned": (trihex(40.0), "double"),
    "circles": (circle(25.0), "double"),
    "circles in squares": (circle(25.0), "squares"),
    "triangles that touch": (polygon([Point(0, 0), Point(52, 0), Point(15, 45)]), "shared"),
    "curves, some turned": (drawn("outline", PEAR, Size(40.0, 50.0)), "double"),
    "polygons, some turned": (
        polygon([Point(0, 0), Point(20, 0), Point(20, 40), Point(40, 40), Point(40, 60)]),
        "double",
    ),
    "cards in gutters": (rectangle(Size(44.45, 63.5)), "double"),
}


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("paper_name", ["letter", "a4"])
@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_of_all_kinds_meet(kind: str, paper_name: str, flip: Flip) -> None:
    shape, cuts = SHAPES[kind]
    pdf = printing.print_decks([printing.deck(COUNT, shape, cuts=cuts)], paper_name, flip).pdf
    found = paper.meetings(pdf, BLEED, flip)
    assert paper.worst(found) < CLOSE
    assert Counter(m[:2] for m in found) == planned(shape, cuts)


def test_sheets_without_backs_keep_the_pairs() -> None:
    """In a duplex file a sheet of fronts only has an empty back: the next front is a front."""
    decks = [printing.deck(3, name="tokens", backs=None), printing.deck(4, name="cards")]
    pdf = printing.print_decks(decks, "letter", "long").pdf
    pages = paper.placements(pdf, BLEED)
    assert [len(page) for page in pages] == [3, 0, 4, 4]
    names = {item.back for item in decks[1].run.items}
    assert {placed.face for placed in pages[3]} == names
