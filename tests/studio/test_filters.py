"""How others see it: the page's matrices are those of a library that others look after."""

from __future__ import annotations

import re

import pytest
from coloraide import Color
from coloraide.filters import cvd

from tests.studio.showing import ROOT

PAGE = (ROOT / "generator/studio/page/index.html").read_text("utf-8")
MATRICES = dict(re.findall(r'<filter id="(\w+)"><feColorMatrix values="([^"]+)"', PAGE))
COLOURS = ("#ff0000", "#00ff00", "#0000ff", "#ffffff", "#cf4a37", "#2f7d88")


def matrix(name: str) -> list[list[float]]:
    """The 3 by 3 of a filter; what it does to opacity, and adds, is nothing."""
    numbers = [float(number) for number in MATRICES[name].split()]
    rows = [numbers[i : i + 5] for i in range(0, 20, 5)]
    assert rows[3] == [0, 0, 0, 1, 0]
    assert all(row[3:] == [0, 0] for row in rows[:3])
    return [row[:3] for row in rows[:3]]


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("deuteranopia", cvd.MACHADO_DEUTAN), ("protanopia", cvd.MACHADO_PROTAN), ("tritanopia", cvd.MACHADO_TRITAN)],
)
def test_the_colour_blind_are_those_of_machado_oliveira_and_fernandes(
    name: str, theirs: dict[int, list[list[float]]]
) -> None:
    assert matrix(name) == theirs[10]


@pytest.mark.parametrize("colour", COLOURS)
def test_grey_is_luminance(colour: str) -> None:
    linear = Color(colour).convert("srgb-linear").coords()
    for row in matrix("grey"):
        grey = sum(share * part for share, part in zip(row, linear, strict=True))
        assert grey == pytest.approx(Color(colour).luminance(), abs=1e-4)


def test_there_are_no_others() -> None:
    assert MATRICES.keys() == {"grey", "deuteranopia", "protanopia", "tritanopia"}
