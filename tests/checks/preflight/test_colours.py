"""Pieces told apart by a colour that some eye does not see are found; with another mark they are
not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from coloraide import Color

from generator.basics.errors import Place, Problem
from generator.basics.shapes import circle, hexagon
from generator.checks.preflight import eyes, palette_alike, palette_dull
from generator.checks.preflight import eyes as ciede
from tests.checks.preflight.planted import check, full

RED, GREEN = "#c8402a", "#6f7a1e"  # alike to a deuteranope and in grey
TEAL, AZURE = "#2aa0a0", "#3a9ad0"  # alike with tritanopia and in grey
PAIRS = {
    (RED, GREEN): {"colour.deuteranopia", "colour.grey"},
    (TEAL, AZURE): {"colour.tritanopia", "colour.grey"},
    ("#4060c0", "#7a40b0"): {"colour.deuteranopia", "colour.protanopia", "colour.grey"},
    ("#2a7fe0", "#e4472b"): {"colour.grey"},
    ("#1f4587", "#e0704c"): set(),
    ("#000000", "#ffffff"): set(),
    (RED, "#c53f2c"): set(),  # alike to every eye: no colour tells them
}
SIGNS = {
    "a disc": '<circle cx="20" cy="30" r="{}" fill="#fff"/>',
    "stripes": '<path d="M0 {0} h40 M0 {0} m0 9 h40" stroke="#000" stroke-width="0.5"/>',
    "a digit of 12 pt": '<text x="9" y="30" font-family="Alegreya Sans" font-size="4.24">{}</text>',
}


def told_by_colour(problems: list[Problem]) -> dict[str, str]:
    return {problem.rule: problem.what for problem in problems if problem.rule.startswith("colour.")}


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_two_tokens(pair: tuple[str, str]) -> None:
    found = told_by_colour(check([full(colour) for colour in pair], circle(20)))
    assert set(found) == PAIRS[pair]


def test_pair_is_named_with_the_measure() -> None:
    problems = check([full("#ffffff"), full(RED), full("#1f4587"), full(GREEN)])
    found = told_by_colour(problems)
    assert found["colour.deuteranopia"] == (
        "the backs of 2 and 4: 2 and 4 differ only in #c8402a and #6f7a1e (a difference of "
        "45, with deuteranopia 3) of 2400 mm²"
    )
    assert "in grey 2" in found["colour.grey"]
    assert {problem.on for problem in problems} == {("cards/2", "cards/4")}


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_or_pattern_that_differs_too_is_the_remedy(name: str) -> None:
    """As long as it differs: the same on both is none."""
    sign, (one, other) = SIGNS[name], (2, 7)
    assert told_by_colour(check([full(RED) + sign.format(one), full(GREEN) + sign.format(one)]))
    apart = check([full(RED) + sign.format(one), full(GREEN) + sign.format(other)])
    assert told_by_colour(apart) == {}


def test_tone_that_differs_too_is_the_remedy() -> None:
    assert told_by_colour(check([full(RED), full("#2c3008")])) == {}


def test_signs_of_two_colours_on_one_ground() -> None:
    sign = '<rect x="15" y="25" width="5" height="5" fill="{}"/>'
    pair = [full("#ffffff") + sign.format(colour) for colour in (RED, GREEN)]
    told = told_by_colour(check(pair))["colour.deuteranopia"]
    assert float(told.split(" of ")[-1].removesuffix(" mm²")) == pytest.approx(25, rel=0.15)
    speck = [art.replace('"5"', '"1.5"') for art in pair]
    assert told_by_colour(check(speck)) == {}


def test_hand_of_ranks_in_two_colours() -> None:
    """Ranks tell themselves apart; the two cards of a rank are told by colour alone."""
    rank = SIGNS["a digit of 12 pt"].replace("4.24", "12")
    hand = [full(colour) + rank.format(n) for colour in (RED, GREEN) for n in (3, 5, 8)]
    found = told_by_colour(check(hand))["colour.deuteranopia"]
    assert found.startswith("the backs of all 6: ")
    assert told_by_colour(check([hand[0], hand[1], hand[5]])) == {}


def test_what_the_cut_takes_away_tells_nothing() -> None:
    """The corners of the box about a hexagon differ, the hexagons do not."""
    corner = '<rect x="-9" y="-9" width="11" height="14" fill="{}"/>'
    shape = hexagon(40, "edge")
    pair = [full("#f4efe2") + corner.format(colour) for colour in (RED, GREEN)]
    assert told_by_colour(check(pair, shape)) == {}


def test_shading_like_a_photograph() -> None:
    """No flat colour at all: what differs in hue alone is found all the same."""
    shading = (
        '<defs><linearGradient id="g"><stop stop-color="{}"/><stop offset="1" stop-color="{}"/>'
        '</linearGradient></defs><rect x="-9" y="-9" width="60" height="80" fill="url(#g)"/>'
    )
    pair = [shading.format(RED, "#d8604a"), shading.format(GREEN, "#8c9842")]
    assert "colour.deuteranopia" in told_by_colour(check(pair))


def test_palette() -> None:
    (found,) = palette_alike({"red": RED, "moss": GREEN, "paper": "#ffffff"}, Place("a/game.toml"))
    assert (found.level, found.rule, str(found.place)) == ("note", "colour.palette", "a/game.toml")
    assert found.what == (
        "the palette: red and moss (a difference of 45, with deuteranopia 3), "
        "red and moss (a difference of 45, in grey 2)"
    )
    assert list(palette_alike({"ink": "#000000", "paper": "#ffffff"}, Place(""))) == []
    assert list(palette_alike({}, Place(""))) == []


def test_bright_colours_turn_dull_on_a_press() -> None:
    palette = {"sea": "#0000ff", "leaf": "#00ff00", "brick": "#c8402a", "ink": "#000000"}
    (found,) = palette_dull(palette, Place("a/game.toml"))
    assert (found.level, found.rule, found.found) == ("note", "colour.dull", "sea, leaf")
    assert found.what.startswith("a press prints these colours of the palette duller: sea #0000ff (about #")
    assert list(palette_dull({"brick": "#c8402a", "ink": "#000000"}, Place(""))) == []
    assert list(palette_dull({"ink": "#000000", "paper": "#ffffff"}, Place(""))) == []
    assert list(palette_dull({}, Place(""))) == []


# Sharma, Wu and Dalal (2005), "The CIEDE2000 color-difference formula", table 1: pairs 1, 7, 17, 25
@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_difference_is_ciede2000(one: tuple[float, ...], other: tuple[float, ...], difference: float) -> None:
    found = ciede.difference(np.array(one, float), np.array(other, float))
    assert found == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("sight", ["", *eyes.FILTERS])
def test_differences_are_those_of_another(sight: str) -> None:
    """Colours of all hues, and greys."""
    steps = (0, 51, 128, 255)
    places = eyes.coordinates(list(product(steps, steps, steps)), sight)
    seen = [Color("lab-d65", list(place)) for place in places]
    others = [[colour.delta_e(other, method="2000") for other in seen] for colour in seen]
    assert eyes.differences(places) == pytest.approx(np.array(others), abs=1e-9)


def test_eyes() -> None:
    """What no eye changes: black, white and the order of greys; what each confuses."""
    greys: list[eyes.Rgb] = [(0, 0, 0), (128, 128, 128), (255, 255, 255)]
    usual = eyes.differences(eyes.coordinates(greys))
    assert usual[0, 2] == pytest.approx(100, abs=0.1)
    for sight in eyes.FILTERS:
        seen = eyes.differences(eyes.coordinates(greys, sight))
        assert seen == pytest.approx(usual, abs=1.0)
