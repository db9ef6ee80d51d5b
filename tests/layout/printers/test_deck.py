"""A deck for a printer that was measured: read back out of the finished file, turned in space."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pikepdf
import pytest

from generator.basics.geometry import Size
from generator.basics.shapes import Shape, rectangle, trihex
from generator.layout import OVERLAP
from generator.layout.printers import Profile, correct_sheet
from generator.model import FLIPS, Sheet, Way
from generator.pdf import Press
from tests.layout.printers.test_profile import misprinted
from tests.support.paper import (
    MM_PER_PT,
    Corners,
    Placed,
    Spot,
    hand_turn,
    paper_sizes,
    placements,
    sheet_meetings,
    worst,
)
from tests.support.printing import CARD, Deck, board, deck, impose, job

BLEED = 3.0
TAROT = rectangle(Size(70.0, 120.0))  # lies across Letter


def printed(printed_deck: Deck, sheets: list[Sheet]) -> bytes:
    with Press() as press:
        return press.print(job([printed_deck], sheets))


@pytest.mark.parametrize("way", FLIPS)
@pytest.mark.parametrize("shape", [CARD, TAROT, rectangle(Size(120.0, 70.0)), trihex(40.0)])
def test_backs_meet_fronts_on_the_printer_that_was_measured(shape: Shape, way: Way) -> None:
    profile = Profile("test", FLIPS[way], 3.5, -2.0, 0.8, 1.008, 0.993)
    printed_deck = deck(7, shape, BLEED)
    sheets = list(impose([printed_deck], "letter", way))
    plain = printed(printed_deck, sheets)
    laid = printed(printed_deck, [correct_sheet(sheet, profile) for sheet in sheets])
    assert all(height > width for width, height in paper_sizes(laid))
    assert _worst_on(laid, profile) < 1e-3
    if all(sheet.paper.height > sheet.paper.width for sheet in sheets):
        assert _worst_on(plain, profile) > 1.0


@pytest.mark.parametrize("overlap", [0.0, OVERLAP])
def test_panels_meet_on_the_printer_that_was_measured(overlap: float) -> None:
    profile = Profile("test", "long", 3.5, -2.0, 0.8, 1.008, 0.993)
    large = board(Size(420.0, 297.0), overlap)
    sheets = list(impose([large], "a4", "long"))
    laid = printed(large, [correct_sheet(sheet, profile) for sheet in sheets])
    assert len(sheets) == 4
    assert _worst_on(laid, profile) < 1e-3
    assert _worst_on(printed(large, sheets), profile) > 1.0


def _worst_on(pdf: bytes, profile: Profile) -> float:
    """How far backs are off as that printer prints the file (mm)."""
    pages, papers = placements(pdf, BLEED), paper_sizes(pdf)
    found = []
    for number in range(0, len(pages), 2):
        paper = papers[number]
        backs = [
            Placed(back.face, Corners(*(_spoilt(spot, paper, profile) for spot in back.trim)))
            for back in pages[number + 1]
        ]
        found += list(sheet_meetings(pages[number], backs, paper, profile.flip))
    return worst(found)


def _spoilt(spot: Spot, paper: tuple[float, float], profile: Profile) -> Spot:
    """Where the printer lays a point of the back page, on that page."""
    turn = hand_turn(paper, profile.flip)
    lying = (spot.x - paper[0] / 2, spot.y - paper[1] / 2, 0.0)
    x, y, _ = (sum(a * b for a, b in zip(row, lying, strict=True)) for row in turn)
    seen = (*misprinted((x, y), profile), 0.0)
    u, v, _ = (sum(a * b for a, b in zip(row, seen, strict=True)) for row in turn)
    return Spot(u + paper[0] / 2, v + paper[1] / 2)


def test_the_clip_turns_with_the_card() -> None:
    """A clip that stayed upright would ink the neighbours of a slanted card."""
    profile = Profile("test", "long", angle=1.0)
    printed_deck = deck(7, CARD, BLEED)
    sheets = list(impose([printed_deck], "letter", "long"))
    plain = list(_clips(printed(printed_deck, sheets)))
    laid = list(_clips(printed(printed_deck, [correct_sheet(sheet, profile) for sheet in sheets])))
    undo = profile.correction(sheets[0].paper)
    count = len(sheets[0].pages[0].placements)
    assert len(plain) == 2 * count
    assert laid[:count] == plain[:count]
    for before, after in zip(plain[count:], laid[count:], strict=True):
        for (x, y), corner in zip(before, after, strict=True):
            a, b, c, d, e, f = undo
            assert (a * x + c * y + e, b * x + d * y + f) == pytest.approx(corner, abs=1e-3)


def _clips(pdf: bytes) -> Iterator[list[tuple[float, float]]]:
    """The corners of each clip (mm from the top left of the page)."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            top, corners = float(page.mediabox[3]), []
            for step in pikepdf.parse_content_stream(page):
                match str(step.operator):
                    case "m":
                        corners = [step.operands]
                    case "l":
                        corners.append(step.operands)
                    case "W" | "W*":
                        yield [(float(x) * MM_PER_PT, (top - float(y)) * MM_PER_PT) for x, y in corners]
