"""Which last sheets are put together: the fewest, as a search through every way finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from generator.basics.geometry import Size
from generator.basics.papers import USUAL_MARGIN
from generator.basics.shapes import box_of, rectangle
from generator.layout import Item, Printing, PrintRun, impose, imposition
from generator.layout.dressing import Dressed, dress
from generator.layout.forme import Forme
from generator.layout.imposition import Choice, choose_shares
from generator.layout.turn import is_upright
from generator.pipeline import read
from generator.pipeline.planning import Plan, plan
from generator.pipeline.printing import make_sheets
from generator.pipeline.request import parse_request
from generator.pipeline.sheets import silent
from tests.layout.test_choices import run, sheets_of, three_runs
from tests.support.printing import CARD, FONTS, run_of

LETTER = Size(215.9, 279.4)
TICKET, BOARD = rectangle(Size(40.0, 60.0)), rectangle(Size(120.0, 130.0))


def partitions(parts: list[int]) -> Iterator[list[Choice]]:
    """Every division of parts into groups."""
    if not parts:
        yield []
        return
    first, *rest = parts
    for division in partitions(rest):
        yield [(first,), *division]
        for index, group in enumerate(division):
            yield [*division[:index], (first, *group), *division[index + 1 :]]


@given(
    st.lists(st.floats(0.05, 1.0), min_size=1, max_size=5),
    st.lists(st.sampled_from([None, 1, 2, 3]), min_size=32, max_size=32),
)
def test_no_way_takes_fewer_sheets(filled: list[float], lost: list[int | None]) -> None:
    """`lost` are the sheets more than the least of each choice of parts; None: impossible."""

    def least(choice: Choice) -> int:
        return ceil(sum(filled[number] for number in choice) - 1e-6)

    def count(choice: Choice, _: int = 0) -> int | None:
        own = lost[sum(1 << number for number in choice)]
        return None if own is None else least(choice) + own - 1

    def cost(group: Choice) -> int:
        own = count(group) if len(group) > 1 else 1
        return len(group) if own is None else own

    shares = choose_shares(filled, [1] * len(filled), count)
    moved = [number for share in shares for number in share]
    assert len(set(moved)) == len(moved)
    assert all(len(share) > 1 and cost(share) < len(share) for share in shares)
    found = sum(map(cost, shares)) + len(filled) - len(moved)
    fewest = min(sum(map(cost, division)) for division in partitions(list(range(len(filled)))))
    assert found == fewest


@cache
def planned(game: str, paper: str) -> Plan:
    return plan(parse_request(game, {"paper": paper}), silent)


@pytest.mark.parametrize(
    ("game", "paper", "sheets"),
    [
        ("talavera", "letter", 6),
        ("toripoka", "letter", 7),
        ("toripoka", "a4", 7),
        ("advaya", "letter", 5),
        ("taluva-60", "letter", 14),
        ("taluva", "a4", 12),
    ],
)
def test_kits_take_few_sheets(game: str, paper: str, sheets: int) -> None:
    assert planned(game, paper).sheets == sheets


@pytest.mark.parametrize(
    ("game", "paper"), [("talavera", "letter"), ("toripoka", "letter"), ("toripoka", "a4"), ("advaya", "letter")]
)
def test_no_way_takes_fewer_sheets_than_these_kits(game: str, paper: str) -> None:
    """The pieces alone, without gutters and waste, cover more than one sheet less has room for."""
    request = parse_request(game, {"paper": paper})
    width, height = (side - 2 * USUAL_MARGIN for side in request.printing.paper)
    components = read(game).game.components
    area = sum(Polygon(component.shape.outline).area * len(component.copies()) for component in components)
    found = planned(game, paper)
    assert found.sheets - sum(found.leaflets.values()) == ceil(area / (width * height))


@pytest.fixture
def dressed(monkeypatch: pytest.MonkeyPatch) -> list[Forme]:
    """The formes that get marks while sheets are joined; those for landscape have no room for a
    slug."""
    tried: list[Forme] = []

    def dress_portrait(forme: Forme, *more: Any) -> Dressed | None:
        tried.append(forme)
        return dress(forme, *more) if is_upright(forme.area.paper) else None

    monkeypatch.setattr(imposition, "dress", dress_portrait)
    return tried


def test_only_the_chosen_sheets_get_marks(dressed: list[Forme]) -> None:
    found = sheets_of(*three_runs(), run(1, name="extra"), mix=True)
    assert [sheet.component for sheet in found] == ["mixed"]
    assert len(dressed) == 1


def test_a_sheet_without_room_for_its_slug_is_not_chosen(dressed: list[Forme]) -> None:
    wide = [run(1, rectangle(Size(260.0, height)), name=f"h{height}") for height in (60, 120)]
    assert [sheet.component for sheet in sheets_of(*wide, mix=True)] == ["h60", "h120"]
    assert [is_upright(forme.area.paper) for forme in dressed] == [False]


@st.composite
def decks(draw: st.DrawFn) -> list[PrintRun]:
    """Decks of a few sizes, each with one back for all, a back for each piece, or none."""
    runs = []
    for name in "abcd"[: draw(st.integers(2, 4))]:
        shape = draw(st.sampled_from([CARD, CARD, TICKET, BOARD]))
        backs = draw(st.sampled_from(["{name} back", "{name} back {number}", None]))
        items = tuple(
            Item(f"{number}", f"{name} {number}", backs and backs.format(name=name, number=number))
            for number in range(draw(st.integers(1, 4 if shape is BOARD else 21)))
        )
        runs.append(run_of(shape, 3.0, items, name=name))
    return runs


@settings(max_examples=30)
@given(decks())
def test_from_behind_no_piece_of_a_deck_is_marked(runs: list[PrintRun]) -> None:
    """All with one back lie turned alike, on one sheet or on sheets without unlike pieces."""
    sheets = impose("Toy", runs, Printing(LETTER, "long", is_mixed=True), FONTS)
    sizes = {item.front: deck.blank.shape.size for deck in runs for item in deck.items}
    for deck in runs:
        if len(deck.items) == 1 or len({item.back for item in deck.items} - {None}) != 1:
            continue
        fronts = {item.front for item in deck.items}
        homes = [
            (sheet, sheet.pages[0].placements)
            for sheet in sheets
            if any(placed.face in fronts for placed in sheet.pages[0].placements)
        ]
        lies = {
            (sheet.paper, placed.affine[:4])
            for sheet, placements in homes
            for placed in placements
            if placed.face in fronts
        }
        assert len(lies) == 1
        kinds = {sizes[placed.face] for _, placements in homes for placed in placements}
        assert len(homes) == 1 or len(kinds) == 1


def test_a_shared_sheet_names_what_is_on_it_and_how_it_is_printed() -> None:
    """Of three runs, two are on one sheet, without backs: its back is blank."""
    whole = run(1, rectangle(Size(150.0, 180.0)), name="board", has_backs=False)
    found = sheets_of(run(4, has_backs=False), whole, run(8, TICKET, name="tickets"), mix=True)
    titles = [(sheet.title, sheet.total, sheet.flip) for sheet in found]
    assert titles == [("Cards, Board", 1, None), ("Cards, Tickets", 1, "long")]
    blank = found[0].pages[1]
    assert (blank.placements, blank.marks, blank.labels) == ((), (), ())
    slugs = [" ".join(label.text for label in sheet.pages[0].labels) for sheet in found]
    assert ["one side" in slug for slug in slugs] == [True, False]


def test_cards_beside_a_net_lie_in_columns() -> None:
    """Talavera's rule cards around its box: the tuck of the box moved one of them aside."""
    request = parse_request("talavera", {"only": ["rule-cards", "box"]})
    (sheet,) = make_sheets(request, silent, is_plan=True).sheets
    cards = [box_of(placed.clip) for placed in sheet.pages[0].placements if placed.piece.isdigit()]
    lefts = Counter(round(card.x0, 1) for card in cards)
    assert len(cards) == 4
    assert sorted(lefts.values()) == [1, 1, 2]


def test_components_that_are_kept_apart_take_more() -> None:
    assert plan(parse_request("talavera", {"mix": False}), silent).sheets == 7
