"""Readings, exact and wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product
from math import floor, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Size
from generator.layout.printers import Profile, Readings, parse_readings, solve
from generator.layout.printers.gauge import STEP, Gauge, gauges, name, pin
from generator.layout.printers.profile import LEAST_DRIFT
from generator.layout.turn import paper_turn
from tests.layout.printers.test_profile import flips, numbers

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


PAPERS = [Size(215.9, 279.4), Size(210.0, 297.0)]
SMALLEST = Size(200.0, 250.0)
papers = st.sampled_from(PAPERS)


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
    """At most two rows apart, 99 and the next 0 too: a slanted line leaves no gap between them."""
    scale = gauges(PAPERS[0])[0]
    levels = [scale.at(step / 50 + 1e-9).y for step in range(-1, 102)]
    assert max(abs(a - b) for a, b in pairwise(levels)) == pytest.approx(0.8)


def test_paper_named_on_its_side_is_the_same_paper() -> None:
    readings = parse_readings(["E1", "E2", "E3", "E4", "E1", "E1", "E1", "E2"])
    upright, lying = (solve("a", "long", readings, p) for p in (PAPERS[0], PAPERS[0].turned()))
    assert upright == lying


def test_further_right_and_lower_is_positive() -> None:
    right = solve("a", "long", parse_readings(["E75", "E0"] * 4), PAPERS[0])
    assert (right.dx, right.dy) == pytest.approx((1.5, 0.0), abs=0.01)
    higher = solve("a", "long", parse_readings(["E0", "D25"] * 4), PAPERS[0])
    assert (higher.dx, higher.dy) == pytest.approx((0.0, -1.5), abs=0.01)


@pytest.mark.parametrize("index", range(8))
@pytest.mark.parametrize("wrong", ["F6", "B18"])
@pytest.mark.parametrize("paper", PAPERS[:2])
def test_a_wrong_reading_is_named(index: int, wrong: str, paper: Size) -> None:
    readings = [wrong if i == index else right for i, right in enumerate(["E3", "E0"] * 4)]
    with pytest.raises(PnpError) as caught:
        solve("a", "long", parse_readings(readings), paper)
    (problem,) = caught.value.problems
    assert str(problem.place) == NAMES[index]
    assert f"{wrong} cannot be right" in problem.what
    assert f"read scale {index + 1} again" in problem.hint


def test_the_message_says_what_was_expected_and_what_else_could_be_wrong() -> None:
    readings = ["E3", "E0", "E3", "E0", "F18", "E0", "E3", "E0"]
    with pytest.raises(PnpError) as caught:
        solve("a", "long", parse_readings(readings), PAPERS[0])
    assert str(caught.value) == (
        "error: scale 5 (bottom left, across): F18 cannot be right: by the others it is about E3\n"
        "    hint: read scale 5 again; if it is right, scale 1 (E3) would be about F18"
    )


@given(st.lists(st.floats(-0.1, 0.1), min_size=8, max_size=8), misprints(), papers)
@settings(deadline=None)
def test_honest_readings_are_never_refused(slips: list[float], profile: Profile, paper: Size) -> None:
    """Each up to 0.1 mm off."""
    values = (_by_scale(scale, profile, paper) for scale in gauges(paper))
    off = tuple(value + slip for value, slip in zip(values, slips, strict=True))
    solve("a", profile.flip, Readings(off), paper)


def test_two_wrong_readings_are_not_blamed_on_one() -> None:
    readings = ["H50", "E0", "E0", "B0", "A4", "E9", "E0", "E6"]
    with pytest.raises(PnpError, match="more than one is wrong"):
        solve("a", "long", parse_readings(readings), PAPERS[0])


def test_a_number_beyond_the_scale_is_refused() -> None:
    with pytest.raises(PnpError, match=r"scale 3 \(top right, across\): \+9\.2 mm is beyond"):
        solve("a", "long", Readings((0.0, 0.0, 9.2, 0.0, 0.0, 0.0, 0.0, 0.0)), PAPERS[0])


def test_readings_are_letters_and_numbers() -> None:
    read = parse_readings(["E0", "e12", " F45 ", "A0", "H99", "D95", "F50.5", "D2.5"])
    expected = (0.0, 0.24, 2.9, -8.0, 7.98, -0.1, 3.01, -1.95)
    assert read.values == pytest.approx(expected)
    assert [name(value) for value in read.values[:2]] == ["E0", "E12"]


def test_readings_of_pins_are_millimetres() -> None:
    read = parse_readings(["8", "8.3", "0", "16", " 7.95", "8.0", "10", "8"], pins=True)
    assert read.values == pytest.approx((0.0, 0.3, -8.0, 8.0, -0.05, 0.0, 2.0, 0.0))
    assert read.pins


def test_a_wrong_pin_is_named_in_its_own_numbers() -> None:
    readings = parse_readings(["8", "8", "8", "8", "12", "8", "8", "8"], pins=True)
    with pytest.raises(PnpError, match=r"scale 5 .*12\.0 cannot be right: .* about 8\.0"):
        solve("a", "long", readings, PAPERS[0])


def test_all_faulty_readings_are_named_at_once() -> None:
    with pytest.raises(PnpError) as caught:
        parse_readings(["E0", "J4", "4E", "E0", "E", "E0", "E100", "E4.2"])
    wheres = [str(problem.place) for problem in caught.value.problems]
    assert wheres == ["scale 2", "scale 3", "scale 5", "scale 7", "scale 8"]
    assert "a letter from A to H and a number from 0 to 99" in caught.value.problems[0].hint
    with pytest.raises(PnpError, match="7 readings where the sheet has 8"):
        parse_readings(["E0"] * 7)
    with pytest.raises(PnpError, match=r"scale 1: 'E14' is not a reading\n.*the pin hole: 8 or 8\.3"):
        parse_readings(["E14", *["8"] * 7], pins=True)


@pytest.mark.parametrize(
    ("paper", "angle"), [*zip([*PAPERS, SMALLEST], (-1.0, 1.0, 0.3), strict=False), (SMALLEST, -1.0), (SMALLEST, 0.0)]
)
def test_any_four_readings_a_step_off_still_suffice(paper: Size, angle: float) -> None:
    true = Profile("a", "long", 1.33, -2.78, angle, 1.003, 0.995)
    read = tuple(round(_by_scale(scale, true, paper) / STEP * 2) / 2 * STEP for scale in gauges(paper))
    worst = max(worst_corner(misread, true, paper) for misread in misreadings(read))
    assert 0.04 < worst <= 0.1


@given(misprints(), papers)
@settings(max_examples=40)
def test_on_no_printer_are_four_readings_a_step_off_too_many(true: Profile, paper: Size) -> None:
    """Within 4 mm, 1 degree and 1 %; each reading is also rounded to half a step, in the worst
    way. What the errors of single readings do to a corner adds up."""
    exact = np.array([_by_scale(scale, true, paper) for scale in gauges(paper)])
    angles = np.linspace(0.0, 2 * pi, 72, endpoint=False)
    directions = np.array([np.cos(angles), np.sin(angles)])
    off = [[_drift(exact + way * STEP * only, true, paper) @ directions for way in (-1, 1)] for only in np.eye(8)]
    harm = np.sort(np.max(off, axis=1), axis=0)  # of a step on each scale: corner, direction
    assert (harm[4:].sum(axis=0) + harm.sum(axis=0) / 4).max() <= 0.1


def misreadings(read: tuple[float, ...]) -> Iterator[tuple[float, ...]]:
    """Readings of which four of the eight are a step too large or too small, in every way."""
    for wrong in combinations(range(8), 4):
        for ways in product((-STEP, STEP), repeat=4):
            slips = dict(zip(wrong, ways, strict=True))
            yield tuple(value + slips.get(index, 0.0) for index, value in enumerate(read))


def worst_corner(read: Iterable[float], true: Profile, paper: Size) -> float:
    """How far the back of a corner is off (mm), corrected by readings."""
    return float(np.hypot(*_drift(read, true, paper).T).max())


def _drift(read: Iterable[float], true: Profile, paper: Size) -> NDArray[np.float64]:
    """By how much the back of each corner is off (mm, seen from the front) after correction."""
    found = solve("a", true.flip, Readings(tuple(map(float, read))), paper)
    undo, turn = found.correction(paper), paper_turn(paper, found.flip)
    back_to_front = true.misprint(paper) @ turn @ undo @ turn
    corners = [Point(x, y) for x in (0.0, paper.width) for y in (0.0, paper.height)]
    moved = [(back_to_front.apply(corner), corner) for corner in corners]
    return np.array([(there.x - corner.x, there.y - corner.y) for there, corner in moved])


def _numbers(profile: Profile) -> tuple[float, ...]:
    return (profile.dx, profile.dy, profile.angle, profile.scale_x, profile.scale_y)


def _by_scale(scale: Gauge, profile: Profile, paper: Size) -> float:
    """The reading at which the line, as printed, is seen exactly where the scale looks."""
    low, high = -7.99, 7.99
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
