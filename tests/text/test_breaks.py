"""Lines may break where another implementation of UAX 14 (uniseg) says so."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uniseg.linebreak import line_break_boundaries

from generator.basics.errors import MisfitError
from generator.text.galley import SOFT_HYPHEN, breaks, hyphenate
from generator.text.markup import ICON

# uniseg knows Unicode 16, ICU 17: of dashes that begin a word and hyphens in Hebrew they differ
TEXTS = st.text(
    st.sampled_from("aZé09 .,;:!?()[]{}-—/%$€“”«»'\u00a0\u200b\u2060\u00ad日本、。「」（）ーっ😀\u0301"),
    min_size=1,
    max_size=20,
)


@settings(max_examples=1500)
@given(TEXTS)
def test_breaks_are_those_of_another(text: str) -> None:
    assert breaks(text) == list(line_break_boundaries(text))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"2{ICON} or {ICON}{ICON}", [f"2{ICON} ", "or ", f"{ICON}{ICON}"]),
        (f"({ICON}), 金{ICON}貨", [f"({ICON}), ", "金", ICON, "貨"]),
        ("ภาษาไทยเป็นภาษา", ["ภาษา", "ไทย", "เป็น", "ภาษา"]),
        ("well-known and/or", ["well-", "known ", "and/", "or"]),
    ],
)
def test_parts(text: str, parts: list[str]) -> None:
    places = [0, *breaks(text)]
    assert [text[a:b] for a, b in pairwise(places)] == parts


@pytest.mark.parametrize(
    ("language", "word", "parted"),
    [
        ("de", "Donaudampfschiff", "Do-nau-dampf-schiff"),
        ("en", "worker market", "worker mar-ket"),
        ("en", "that", "that"),
        ("hu", "asszonnyal", "asszonnyal"),  # "asz-szony" would be spelt otherwise
    ],
)
def test_hyphens(language: str, word: str, parted: str) -> None:
    assert hyphenate(word, language).replace(SOFT_HYPHEN, "-") == parted


@given(TEXTS)
def test_hyphens_change_nothing_else(text: str) -> None:
    plain = text.replace(SOFT_HYPHEN, "")
    assert hyphenate(plain, "de").replace(SOFT_HYPHEN, "") == plain


def test_unknown_language_is_named() -> None:
    with pytest.raises(MisfitError, match="'xx'"):
        hyphenate("words", "xx")
