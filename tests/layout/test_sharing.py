"""Which last sheets are put together: the fewest, as a search through every way finds them."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon

from generator.basics.geometry import Size, rectangle
from generator.basics.papers import USUAL_MARGIN
from generator.layout import imposition
from generator.layout.dressing import Dressed, dress
from generator.layout.forme import Forme
from generator.layout.imposition import Choice, choose_shares
from generator.layout.turn import is_upright
from generator.pipeline import read
from generator.pipeline.printing import plan
from generator.pipeline.request import parse_request
from generator.pipeline.sheets import silent
from tests.layout.test_choices import run, sheets_of, three_runs


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

    shares = choose_shares(filled, count)
    moved = [number for share in shares for number in share]
    assert len(set(moved)) == len(moved)
    assert all(len(share) > 1 and cost(share) < len(share) for share in shares)
    found = sum(map(cost, shares)) + len(filled) - len(moved)
    fewest = min(sum(map(cost, division)) for division in partitions(list(range(len(filled)))))
    assert found == fewest


@pytest.mark.parametrize(
    ("game", "paper", "sheets"),
    [
        ("talavera", "letter", 6),
        ("talavera", "a4", 6),
        ("toripoka", "letter", 7),
        ("toripoka", "a4", 7),
        ("advaya", "letter", 5),
        ("taluva", "letter", 12),
        ("taluva", "a4", 12),
        ("taluva-60", "letter", 14),
        ("taluva-60", "a4", 13),
    ],
)
def test_kits_take_few_sheets(game: str, paper: str, sheets: int) -> None:
    assert plan(parse_request(game, {"paper": paper}), silent).sheets == sheets


@pytest.mark.parametrize("paper", ["letter", "a4"])
@pytest.mark.parametrize("game", ["talavera", "toripoka", "advaya"])
def test_no_way_takes_fewer_sheets_than_these_kits(game: str, paper: str) -> None:
    """The pieces alone, without gutters and waste, cover more than one sheet less has room for."""
    request = parse_request(game, {"paper": paper})
    width, height = (side - 2 * USUAL_MARGIN for side in request.printing.paper)
    components = read(game).game.components
    area = sum(Polygon(one.shape.outline).area * len(one.copies()) for one in components)
    found = plan(request, silent)
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


def test_components_that_are_kept_apart_take_more() -> None:
    assert plan(parse_request("talavera", {"mix": False}), silent).sheets == 7
