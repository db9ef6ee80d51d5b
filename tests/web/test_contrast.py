"""Any colour of a palette becomes one that can be read on the pages' grounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics.colours import contrast
from generator.web.shell import DARK, DARK_PANEL, LIGHT, LIGHT_PANEL, choose_accent

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@pytest.mark.parametrize(
    ("one", "other", "ratio"),  # from examples of WCAG's techniques, to two digits
    [("#000000", "#ffffff", 21.0), ("#767676", "#ffffff", 4.54), ("#ff0000", "#ffffff", 4.0)],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


@given(st.lists(COLOURS, max_size=4))
def test_an_accent_can_be_read(colours: list[str]) -> None:
    accent = choose_accent(colours)
    assert min(contrast(accent.light, ground) for ground in (LIGHT, LIGHT_PANEL, "#ffffff")) >= 4.5
    assert min(contrast(accent.dark, ground) for ground in (DARK, DARK_PANEL)) >= 4.5


def test_a_colour_that_can_be_read_stays_and_greys_come_last() -> None:
    assert choose_accent(["#808080", "#19337c"]).light == "#19337c"
    assert choose_accent(["#333333"]).light == "#333333"
