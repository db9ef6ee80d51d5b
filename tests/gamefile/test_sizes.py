"""Sizes by name: what the page about sheets lists is what a spec may say, and of that size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from generator.gamefile.shapes import PieceSize, size_names
from generator.units import MM_PER_INCH

PAGE = (Path(__file__).parents[2] / "docs/sheets.md").read_text("utf-8")
LISTED = re.compile(r"`([a-z-]+)` ([\d.]+) x ([\d.]+)")


def size_of(name: str) -> tuple[float, float]:
    width, height = TypeAdapter(PieceSize).validate_python(name)
    return width, height


def test_the_page_lists_every_size() -> None:
    listed = {name: (float(w), float(h)) for name, w, h in LISTED.findall(PAGE)}
    assert list(listed) == size_names()
    for name, size in listed.items():
        assert size_of(name) == pytest.approx(size, abs=0.006), name


@pytest.mark.parametrize(
    ("name", "dots", "bleed"),
    [  # what the makers' templates measure, at 300 dots an inch, and their bleed in inches
        ("tgc-poker", (825, 1125), 0.125),
        ("tgc-bridge", (750, 1125), 0.125),
        ("tgc-tarot", (900, 1500), 0.125),
        ("tgc-mini", (600, 825), 0.125),
        ("tgc-micro", (450, 600), 0.125),
        ("tgc-jumbo", (1125, 1725), 0.125),
        ("tgc-business", (675, 1125), 0.125),
        ("tgc-domino", (600, 1125), 0.125),
        ("tgc-square", (1125, 1125), 0.125),
        ("tgc-square-small", (825, 825), 0.125),
        ("mpc-poker", (816, 1110), 0.12),
        ("dtc-poker", (825, 1125), 0.125),
    ],
)
def test_a_card_with_its_bleed_fills_its_makers_template(
    name: str, dots: tuple[int, int], bleed: float
) -> None:
    asked = [dot / 300 * MM_PER_INCH for dot in dots]
    made = [side + 2 * bleed * MM_PER_INCH for side in size_of(name)]
    assert made == pytest.approx(asked, abs=0.15)


def test_all_stand_upright_and_can_be_cut() -> None:
    for name in size_names():
        width, height = size_of(name)
        assert 25.0 < width <= height < 150.0, name
