"""Our order of characters is that of another implementation of UAX 9 (unicode-bidi)."""

from __future__ import annotations

import sys
from unicodedata import bidirectional

import pytest
from bidi import get_display
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.text import bidi

# some characters of every kind
KINDS = (
    "abcd", "אבגד", "ابتث", "0123", "٠١٢٣", "+-", ",.:", "$%", "\u0300\u05b0", "!?&*",
    "()[]〈〉\u2329", "  \u2003", "\u200e\u200f\u061c", "\u200d\u00ad",
)  # fmt: skip
# ending in a letter: blanks at the end of a line are not ours to place, lines are broken first
TEXTS = st.builds(
    lambda words, last: words + last,
    st.text(st.one_of(*map(st.sampled_from, KINDS)), max_size=16),
    st.sampled_from("aא"),
)


def visual(text: str, base: int) -> str:
    return "".join(text[i] for i in bidi.order(bidi.levels(text, base)))


@settings(max_examples=3000)
@given(TEXTS, st.sampled_from([0, 1]))
def test_order_is_that_of_another(text: str, base: int) -> None:
    assert visual(text, base) == get_display(text, base_dir="LR"[base])


@settings(max_examples=500)
@given(TEXTS)
def test_direction_is_that_of_another(text: str) -> None:
    assert visual(text, bidi.direction(text)) == get_display(text)


def test_plain_text_has_nothing_that_turns() -> None:
    turning = {"R", "AL", "AN", "RLE", "RLO", "RLI", "FSI", "LRE", "LRO", "LRI", "PDF", "PDI"}
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    assert not [c for c in characters if bidirectional(c) in turning and bidi.is_plain(c)]


@pytest.mark.parametrize("text", ["Gain 2 — “coins”", "日本語、", "Возьмите", "\ufffc é 😀", ""])
def test_what_most_cards_say_is_plain(text: str) -> None:
    assert bidi.is_plain(text)
