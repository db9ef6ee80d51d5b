"""The correction, tried on a sheet of paper in space: none of the generator's own formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.basics.geometry import Affine, Point, Rect, Size
from generator.layout.printers import Profile, correct_sheet
from generator.model import Flip, Page, Sheet
from tests.support.paper import hand_turn

PAPERS = [Size(215.9, 279.4), Size(210.0, 297.0), Size(148.0, 210.0)]
WHOLE = Rect(0.0, 0.0, 1.0, 1.0)

numbers = st.floats(-1.0, 1.0)
papers = st.sampled_from(PAPERS)
flips: st.SearchStrategy[Flip] = st.sampled_from(["long", "short"])


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    dx, dy, angle, x, y = (draw(numbers) for _ in range(5))
    flip = draw(flips)
    return Profile("test", flip, 5 * dx, 5 * dy, 2 * angle, 1 + 0.03 * x, 1 + 0.03 * y)


@given(profiles(), papers, numbers, numbers)
def test_corrected_backs_land_behind_their_fronts(profile: Profile, paper: Size, x: float, y: float) -> None:
    turn = hand_turn(paper, profile.flip)
    spot = (x * paper.width / 2, y * paper.height / 2)
    meant = _times(turn, spot)
    sent = _from_middle(profile.correction(paper), paper, meant)
    landed = misprinted(_times(_transposed(turn), sent), profile)
    assert hypot(landed[0] - spot[0], landed[1] - spot[1]) < 1e-6


@given(profiles(), papers, numbers, numbers)
def test_a_misprint_is_a_stretch_a_turn_and_a_shift(profile: Profile, paper: Size, x: float, y: float) -> None:
    spot = (x * paper.width / 2, y * paper.height / 2)
    landed = _from_middle(profile.misprint(paper), paper, spot)
    expected = misprinted(spot, profile)
    assert hypot(landed[0] - expected[0], landed[1] - expected[1]) < 1e-9


@given(profiles(), papers, numbers, numbers)
def test_a_sheet_on_its_side_is_set_upright_and_its_backs_still_meet(
    profile: Profile, paper: Size, x: float, y: float
) -> None:
    lying = paper.turned()
    sheet = correct_sheet(_sheet(lying, profile.flip), profile)
    assert sheet.paper == paper
    front, back = (page.correction for page in sheet.pages)
    spot = (x * lying.width / 2, y * lying.height / 2)
    behind = _times(hand_turn(lying, profile.flip), spot)
    on_paper = _carried(front, spot, lying, paper)
    sent = _carried(back, behind, lying, paper)
    turn = hand_turn(paper, profile.flip)
    landed = misprinted(_times(_transposed(turn), sent), profile)
    assert hypot(landed[0] - on_paper[0], landed[1] - on_paper[1]) < 1e-6


@pytest.mark.parametrize("flip", ["long", "short", None])
@given(profiles(), papers, numbers, numbers)
def test_a_page_that_comes_out_too_small_is_enlarged_about_its_middle(
    flip: Flip | None, profile: Profile, paper: Size, x: float, y: float
) -> None:
    """The printer shrinks each page about the middle of the sheet, then lays the back as measured."""
    small = replace(profile, size=0.984, flip=flip or "long")
    sheet = correct_sheet(_sheet(paper, flip), small)
    spot = (x * paper.width / 2, y * paper.height / 2)
    front = _from_middle(sheet.pages[0].correction, paper, spot)
    assert hypot(front[0] * 0.984 - spot[0], front[1] * 0.984 - spot[1]) < 1e-9
    if flip:
        turn = hand_turn(paper, flip)
        sent = _from_middle(sheet.pages[1].correction, paper, _times(turn, spot))
        landed = misprinted(_times(_transposed(turn), sent), small)
        assert hypot(landed[0] * 0.984 - spot[0], landed[1] * 0.984 - spot[1]) < 1e-6


def test_an_enlarged_page_must_stay_on_its_paper() -> None:
    with pytest.raises(PnpError, match=r"loses 7\.4 mm at its edges"):
        correct_sheet(_sheet(PAPERS[0], None), Profile("small", "long", size=0.95))


def test_a_sheet_set_upright_keeps_what_the_boxes_enclose() -> None:
    sheet = _sheet(Size(297.0, 210.0), "long", Rect(10.0, 20.0, 110.0, 50.0))
    front, back = correct_sheet(sheet, Profile("test", "long")).pages
    assert front.trim == Rect(160.0, 10.0, 190.0, 110.0)
    assert back.trim == pytest.approx(Rect(160.0, 10.0, 190.0, 110.0))


def test_fronts_and_sheets_of_one_side_are_left_alone() -> None:
    profile = Profile("test", "long", 1.0)
    sheet = _sheet(PAPERS[0], "long")
    assert correct_sheet(sheet, profile).pages[0].correction == Affine()
    assert correct_sheet(sheet, profile).pages[1].correction != Affine()
    single = replace(sheet, flip=None)
    assert correct_sheet(single, profile) is single


def test_another_flip_than_was_measured_is_refused() -> None:
    with pytest.raises(PnpError, match=r"flipped on the long edge\n.*--flip long"):
        correct_sheet(_sheet(PAPERS[0], "short"), Profile("laser", "long"))


def misprinted(spot: Sequence[float], profile: Profile) -> tuple[float, float]:
    """Where ink meant for a spot of the sheet (mm from its middle, front) ends up."""
    x, y = spot[0] * profile.scale_x, spot[1] * profile.scale_y
    c, s = cos(radians(profile.angle)), sin(radians(profile.angle))
    return c * x - s * y + profile.dx, s * x + c * y + profile.dy


def _sheet(paper: Size, flip: Flip | None, trim: Rect = WHOLE) -> Sheet:
    front = Page("front", (), (), (), trim, trim)
    return Sheet("c", "C", 1, 1, paper, flip, (front, replace(front, side="back")))


def _from_middle(affine: Affine, paper: Size, spot: Sequence[float]) -> tuple[float, float]:
    return _carried(affine, spot, paper, paper)


def _carried(affine: Affine, spot: Sequence[float], before: Size, after: Size) -> tuple[float, float]:
    """A point of a page, from the middle of the paper to the middle of the paper."""
    x, y = affine.apply(Point(spot[0] + before.width / 2, spot[1] + before.height / 2))
    return x - after.width / 2, y - after.height / 2


def _times(turn: Iterable[Sequence[float]], spot: Sequence[float]) -> tuple[float, float]:
    x, y, _ = (row[0] * spot[0] + row[1] * spot[1] for row in turn)
    return x, y


def _transposed(turn: Iterable[Sequence[float]]) -> list[tuple[float, ...]]:
    return list(zip(*turn, strict=True))
