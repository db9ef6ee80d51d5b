"""Sizes by name: what the page about sheets lists is what a spec may say, and of that size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from generator import pipeline
from generator.basics import keys
from generator.basics.errors import MisfitError
from generator.basics.geometry import MM_PER_INCH
from generator.basics.keys import Keys
from generator.basics.papers import parse_paper
from generator.game.shapes import PieceSize, named_sizes

PAGE = (Path(__file__).parents[2] / "docs/sheets.md").read_text("utf-8")
LISTED = re.compile(r"`([a-z-]+)` ([\d.]+) x ([\d.]+)")


class Sized(Keys, frozen=True, kw_only=True):
    size: PieceSize


def size_of(name: str) -> tuple[float, float]:
    sized, faults = keys.read(Sized, {"size": name})
    if sized is None:
        raise MisfitError(faults[0].what)
    return sized.size


def test_the_page_lists_every_size() -> None:
    listed = {name: (float(w), float(h)) for name, w, h in LISTED.findall(PAGE)}
    assert list(listed) == list(named_sizes())
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
def test_a_card_with_its_bleed_fills_its_makers_template(name: str, dots: tuple[int, int], bleed: float) -> None:
    asked = [dot / 300 * MM_PER_INCH for dot in dots]
    made = [side + 2 * bleed * MM_PER_INCH for side in size_of(name)]
    assert made == pytest.approx(asked, abs=0.15)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("63x88mm", (63, 88)),
        ("63mmx88mm", (63, 88)),
        ("63 x 88 mm", (63, 88)),
        ("2.5in × 3.5in", (63.5, 88.9)),
        ("2.5X3.5IN", (63.5, 88.9)),
        ("6.3cm x 88mm", (63, 88)),
    ],
)
def test_a_size_as_people_write_it(text: str, size: tuple[float, float]) -> None:
    assert size_of(text) == pytest.approx(size)
    assert parse_paper(text).size == pytest.approx(size)  # as that of a paper
    schema = pipeline.schema()["$defs"]["ComponentTable"]["properties"]["size"]
    assert Draft202012Validator(schema).is_valid(text.lower())


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("63x88", "the size '63x88' has no unit"),
        ("63x88mm\n", "no size"),
        ("63xmm", "no size"),
        ("1.2.3x88mm", "'1.2.3mm' is not a length"),
        ("3x88mm", "the length '3mm' is too small"),
        ("63x99999mm", "longer than 2 m"),
        ("63x88mmx2mm", "no size"),
    ],
)
def test_no_size(text: str, what: str) -> None:
    with pytest.raises(MisfitError, match=what):
        size_of(text)


def test_all_stand_upright_and_can_be_cut() -> None:
    for name in named_sizes():
        width, height = size_of(name)
        assert 25.0 < width <= height < 150.0, name
