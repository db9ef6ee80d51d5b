"""Readings, exact and wrong."""

from __future__ import annotations

from itertools import pairwise
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import PnpError
from generator.geometry import Point, Size
from generator.printers import Profile, Readings, parse_readings, solve
from generator.printers.gauge import Gauge, gauges, name
from generator.printers.pins import pin
from generator.printers.profile import LEAST_DRIFT
from tests.printers.test_profile import PAPERS, flips, numbers, papers

TRUE = ["K0"] * 8
NAMES = [
    f"scale {number} ({corner}, {direction})"
    for number, (corner, direction) in enumerate(
        (
            (corner, direction)
            for corner in ("top left", "top right", "bottom left", "bottom right")
            for direction in ("across", "down")
        ),
        1,
    )
]


@st.composite
def misprints(draw: st.DrawFn) -> Profile:
    dx, dy, angle, x, y = (draw(numbers) for _ in range(5))
    return Profile("a", draw(flips), 4 * dx, 4 * dy, angle, 1 + 0.01 * x, 1 + 0.01 * y)


@given(misprints(), papers, st.booleans())
@settings(deadline=None)
def test_exact_readings_give_the_misprint_back(profile: Profile, paper: Size, by_pin: bool) -> None:
    exact = _by_pin if by_pin else _by_scale
    values = tuple(exact(scale, profile, paper) for scale in gauges(paper))
    found = solve("a", profile.flip, Readings(values, by_pin), paper)
    assert (found.name, found.flip) == (profile.name, profile.flip)
    assert _numbers(found) == pytest.approx(_numbers(profile), abs=1e-7)
    assert found.residual < 1e-7
    assert found.drift == LEAST_DRIFT


def test_what_no_correction_explains_is_kept() -> None:
    """Of slips at both scales of the upper edge, in opposite directions, half is a stretch."""
    slips = (0.2, 0, -0.2, 0, 0, 0, 0, 0)
    values = tuple(
        _by_scale(scale, Profile("a", "long"), PAPERS[0]) + slip
        for scale, slip in zip(gauges(PAPERS[0]), slips, strict=True)
    )
    found = solve("a", "long", Readings(values), PAPERS[0])
    assert found.residual == pytest.approx(0.1, abs=0.01)


def test_neighbouring_readings_are_looked_at_close_by() -> None:
    """At most two rows apart, 9 and the next 0 too: a slanted line leaves no gap between them."""
    scale = gauges(PAPERS[0])[0]
    levels = [scale.at(tenths / 10 + 1e-9).y for tenths in range(-1, 12)]
    assert max(abs(a - b) for a, b in pairwise(levels)) == pytest.approx(3.0)


def test_paper_named_on_its_side_is_the_same_paper() -> None:
    readings = parse_readings(["K1", "K2", "K3", "K4", "K1", "K1", "K1", "K2"])
    upright, lying = (solve("a", "long", readings, p) for p in (PAPERS[0], PAPERS[0].turned()))
    assert upright == lying


def test_further_right_and_lower_is_positive() -> None:
    right = solve("a", "long", parse_readings(["L5", "K0"] * 4), PAPERS[0])
    assert (right.dx, right.dy) == pytest.approx((1.5, 0.0), abs=0.01)
    higher = solve("a", "long", parse_readings(["K0", "G5"] * 4), PAPERS[0])
    assert (higher.dx, higher.dy) == pytest.approx((0.0, -1.5), abs=0.01)


@pytest.mark.parametrize("index", range(8))
@pytest.mark.parametrize("wrong", ["M2", "E6"])
@pytest.mark.parametrize("paper", PAPERS[:2])
def test_a_wrong_reading_is_named(index: int, wrong: str, paper: Size) -> None:
    readings = [wrong if i == index else right for i, right in enumerate(["K1", "K0"] * 4)]
    with pytest.raises(PnpError) as caught:
        solve("a", "long", parse_readings(readings), paper)
    (problem,) = caught.value.problems
    assert str(problem.place) == NAMES[index]
    assert f"{wrong} cannot be right" in problem.what
    assert f"read scale {index + 1} again" in problem.hint


def test_the_message_says_what_was_expected_and_what_else_could_be_wrong() -> None:
    readings = ["K1", "K0", "K1", "K0", "M6", "K0", "K1", "K0"]
    with pytest.raises(PnpError) as caught:
        solve("a", "long", parse_readings(readings), PAPERS[0])
    assert str(caught.value) == (
        "error: scale 5 (bottom left, across): M6 cannot be right: by the others it is about K1\n"
        "    hint: read scale 5 again; if it is right, scale 1 (K1) would be about M6"
    )


@given(st.lists(st.floats(-0.15, 0.15), min_size=8, max_size=8), misprints(), papers)
@settings(deadline=None)
def test_honest_readings_are_never_refused(
    slips: list[float], profile: Profile, paper: Size
) -> None:
    """Each up to a row and a half off."""
    values = (_by_scale(scale, profile, paper) for scale in gauges(paper))
    off = tuple(value + slip for value, slip in zip(values, slips, strict=True))
    solve("a", profile.flip, Readings(off), paper)


def test_two_wrong_readings_are_not_blamed_on_one() -> None:
    readings = ["U9", "K0", "K0", "B0", "A4", "K3", "K0", "K2"]
    with pytest.raises(PnpError, match="more than one is wrong"):
        solve("a", "long", parse_readings(readings), PAPERS[0])


def test_a_number_beyond_the_scale_is_refused() -> None:
    with pytest.raises(PnpError, match=r"scale 3 \(top right, across\): \+9\.2 mm is beyond"):
        solve("a", "long", Readings((0.0, 0.0, 9.2, 0.0, 0.0, 0.0, 0.0, 0.0)), PAPERS[0])


def test_readings_are_letters_and_figures() -> None:
    read = parse_readings(["K0", "k4", " L45 ", "A0", "U9", "H9", "M0", "G05"])
    assert read.values == pytest.approx((0.0, 0.4, 1.45, -8.0, 8.9, -0.1, 2.0, -1.95))
    assert [name(value) for value in read.values[:2]] == ["K0", "K4"]


def test_all_faulty_readings_are_named_at_once() -> None:
    with pytest.raises(PnpError) as caught:
        parse_readings(["K0", "J4", "4K", "K0", "K", "K0", "K456", "K0"])
    wheres = [str(problem.place) for problem in caught.value.problems]
    assert wheres == ["scale 2", "scale 3", "scale 5", "scale 7"]
    assert "no columns I, J, O and Q" in caught.value.problems[0].hint
    with pytest.raises(PnpError, match="7 readings where the sheet has 8"):
        parse_readings(["K0"] * 7)


def _numbers(profile: Profile) -> tuple[float, ...]:
    return (profile.dx, profile.dy, profile.angle, profile.scale_x, profile.scale_y)


def _by_scale(scale: Gauge, profile: Profile, paper: Size) -> float:
    """The reading at which the line, as printed, is seen exactly where the scale looks."""
    low, high = -8.99, 8.99
    for _ in range(60):
        middle = (low + high) / 2
        if _seen(scale, profile, paper, middle) > middle:
            low = middle
        else:
            high = middle
    return low


def _seen(scale: Gauge, profile: Profile, paper: Size, reading: float) -> float:
    """How far the line is off where the scale is looked at for a reading."""
    axis = 0 if scale.direction == "across" else 1
    misprint = profile.misprint(paper)
    start, end = (misprint.apply(p) for p in (scale.index().start, scale.index().end))
    level = scale.at(reading)[1 - axis]
    share = (level - start[1 - axis]) / (end[1 - axis] - start[1 - axis])
    return start[axis] + share * (end[axis] - start[axis]) - scale.zero[axis]


def _by_pin(scale: Gauge, profile: Profile, paper: Size) -> float:
    """How far the hole lies from the middle of the ruler that was printed around it."""
    axis = 0 if scale.direction == "across" else 1
    hole = pin(paper, scale.corner)
    drawn = hole
    misprint = profile.misprint(paper)
    for _ in range(60):  # the point of the back that came to lie at the hole
        landed = misprint.apply(drawn)
        drawn = Point(drawn.x + hole.x - landed.x, drawn.y + hole.y - landed.y)
    assert floor(hole[axis]) >= 0
    return hole[axis] - drawn[axis]
