"""Backs are found where their places prove them, and where a person says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect, Size
from generator.importing.choosing import FoundCard, choose_cards, pair_cards
from generator.importing.finding import Wanted
from tests.importing.old_pdfs import A4, OldPdf, grid
from tests.importing.test_finding import APART, NINE, POKER, look_at

OFF_CENTRE = grid(3, 2, POKER, (12.0, 20.0))
FOUR = NINE[:4]


def mirrored(cells: list[Rect]) -> list[Rect]:
    return [Rect(A4.width - x1, y0, A4.width - x0, y1) for x0, y0, x1, y1 in cells]


def flipped(cells: list[Rect]) -> list[Rect]:
    return [Rect(x0, A4.height - y1, x1, A4.height - y0) for x0, y0, x1, y1 in cells]


def pdf_of(*pages: list[Rect], draw: Callable[[OldPdf, int, Rect], None] | None = None) -> bytes:
    pdf = OldPdf()
    for page in pages:
        for number, cell in enumerate(page, 1):
            (draw or (lambda pdf, number, cell: pdf.fill(cell, number)))(pdf, number, cell)
        pdf.next()
    return pdf.finish()


def pair(content: bytes, count: int, folder: Path, backs: str | list[int] = "") -> list[FoundCard]:
    looks = {page + 1: look_at(content, folder, page) for page in range(count)}
    return pair_cards(choose_cards(looks, Wanted()), backs)


def places(cards: list[FoundCard]) -> list[tuple[object, ...]]:
    """Page and number of each front and of its back."""
    return [
        (card.front.page, card.front.number, card.back and card.back.page,
         card.back and card.back.number)
        for card in cards
    ]  # fmt: skip


@pytest.mark.parametrize("fronts", [OFF_CENTRE, FOUR])
def test_mirrored_places_prove_backs(fronts: list[Rect], tmp_path: Path) -> None:
    """Off the centre of the page; and on a page that is not full, behind a full one."""
    pages = [fronts, mirrored(fronts)]
    if fronts is FOUR:
        pages = [NINE, mirrored(NINE), *pages]
    cards = pair(pdf_of(*pages), len(pages), tmp_path)
    assert all(card.back and card.back.page == card.front.page + 1 for card in cards)
    for card in cards:
        assert card.back
        (there,) = mirrored([card.front.cell])
        assert card.back.cell.centre.x == pytest.approx(there.centre.x, abs=0.1)
    assert not any(card.is_turned for card in cards)


def test_a_sheet_that_is_turned_over_its_short_edge(tmp_path: Path) -> None:
    cards = pair(pdf_of(OFF_CENTRE, flipped(OFF_CENTRE)), 2, tmp_path)
    assert places(cards)[0] == (1, 1, 2, 5)
    assert all(card.is_turned for card in cards)


@pytest.mark.parametrize("second", [NINE, mirrored(FOUR), FOUR])
def test_what_may_be_backs_is_none_without_proof(second: list[Rect], tmp_path: Path) -> None:
    """Two pages in the middle, and a page that is not full behind a full one."""
    cards = pair(pdf_of(NINE, second), 2, tmp_path)
    assert len(cards) == 9 + len(second)
    assert not any(card.back for card in cards)


def folded(count: int, *, is_level: bool = False, is_proof: bool = True) -> bytes:
    """Fronts left of a fold, and one back right of it; or above and below."""
    size = Size(40.0, 60.0)
    rows, columns = (1, count) if is_level else (count, 1)
    fronts = grid(rows, columns, size, (20.0, 20.0))
    step = (0.0, 60.0) if is_level else (40.0, 0.0)

    def draw(pdf: OldPdf, number: int, cell: Rect) -> None:
        is_back = number > count and is_proof
        pdf.fill(cell, 99 if is_back else number)

    return pdf_of(fronts + [cell.moved(*step) for cell in fronts], draw=draw)


@pytest.mark.parametrize("is_level", [False, True])
def test_a_half_that_repeats_one_face_is_folded_behind_the_other(is_level: bool, tmp_path: Path) -> None:
    cards = pair(folded(4, is_level=is_level), 1, tmp_path)
    assert len(cards) == 4
    for card in cards:
        assert card.back
        across = card.back.cell.centre.x - card.front.cell.centre.x
        down = card.back.cell.centre.y - card.front.cell.centre.y
        assert (across, down) == pytest.approx((0, 60) if is_level else (40, 0), abs=0.1)
        assert card.is_turned is is_level
    assert len(pair(folded(4, is_proof=False), 1, tmp_path)) == 8


def test_a_person_says_where_the_backs_are(tmp_path: Path) -> None:
    three = pdf_of(NINE, FOUR, APART[:1])
    cards = pair(three, 3, tmp_path, "last")
    assert {(card.back.page, card.back.number) for card in cards if card.back} == {(3, 1)}
    assert len(cards) == 13
    cards = pair(three, 3, tmp_path, [3])
    assert len(cards) == 13
    assert len(pair(three, 3, tmp_path, "none")) == 14
    cards = pair(pdf_of(NINE, NINE), 2, tmp_path, "next")
    assert places(cards)[:3] == [(1, 1, 2, 3), (1, 2, 2, 2), (1, 3, 2, 1)]
    cards = pair(pdf_of(NINE, FOUR, NINE, FOUR), 4, tmp_path, [3, 4])
    assert places(cards)[0] == (1, 1, 3, 3)
    assert places(cards)[9][:3] == (2, 1, 4)
    same = pair(pdf_of(OFF_CENTRE, OFF_CENTRE), 2, tmp_path, "next")
    assert places(same)[0] == (1, 1, 2, 1)  # drawn unmirrored, as its places show


def test_a_second_file_has_as_many_pages_or_one(tmp_path: Path) -> None:
    looks = [look_at(pdf_of(cells), tmp_path) for cells in (NINE, grid(2, 2, POKER, (30.0, 40.0)))]
    (fronts,), (others,) = (choose_cards({1: look}, Wanted(), file) for file, look in enumerate(looks))
    with pytest.raises(MisfitError, match="2 pages of backs for 1 page of fronts"):
        pair_cards([fronts, others, others], Path("backs.pdf"))
    with pytest.raises(MisfitError, match=r"page 1 of the backs has no back of 63\.5 × 88\.9 mm for page 1"):
        pair_cards([fronts, others], Path("backs.pdf"))
    assert len(pair_cards([fronts, others], "none")) == 13


@pytest.mark.parametrize(
    ("backs", "words"),
    [("next", "cannot be fronts and backs in turn"), ([1, 2], "2 pages of backs for 1 page"),
     ("fold", "page 1: its cards are not two halves")],
)  # fmt: skip
def test_what_cannot_be_is_said(backs: str | list[int], words: str, tmp_path: Path) -> None:
    with pytest.raises(MisfitError, match=words):
        pair(pdf_of(NINE, NINE, NINE), 3, tmp_path, backs)
