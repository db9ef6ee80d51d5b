"""Text that is small or faint is found as it prints, and sound text beside it is not."""

from __future__ import annotations

import pytest

from generator.basics.errors import Problem
from generator.checks.preflight import eyes
from tests.checks.preflight.planted import CARD, check, full, looks, rules

PT = 72 / 25.4


def text(words: str, size: float, *, y: float = 30, fill: str = "#000", more: str = "") -> str:
    """Words of a size in pt."""
    return (
        f'<text x="8" y="{y}" font-family="Alegreya Sans" font-size="{size / PT}" fill="{fill}" {more}>{words}</text>'
    )


@pytest.mark.parametrize(
    ("size", "kinds"),
    [(5.0, ["text.tiny"]), (5.9, ["text.tiny"]), (6.0, ["text.small"]), (6.9, ["text.small"]),
     (7.0, []), (9.0, [])],
)  # fmt: skip
def test_size(size: float, kinds: list[str]) -> None:
    problems = check([text("Twelve points", 12), text("Hello there", size)])
    assert rules(problems) == kinds
    for found in problems:
        assert found.level == ("error" if found.rule == "text.tiny" else "warning")
        assert found.what == f"the back of 2: ‘Hello’ and ‘there’ at {size:.3g} pt"
        assert found.on == ("cards/2",)


@pytest.mark.parametrize(
    ("transform", "printed"),
    [
        ("scale(0.5)", 5.0),
        ("scale(0.3 0.9) scale(1.2)", 10 * (0.27 * 1.44) ** 0.5),
        ("rotate(30) scale(0.5)", 5.0),
        ("translate(4 4) scale(0.25) translate(9 9) scale(2)", 5.0),
    ],
)
def test_size_is_that_after_all_scaling(transform: str, printed: float) -> None:
    (look,) = looks([f'<g transform="{transform}">{text("Hello", 10)}</g>'], CARD, 3.0)
    (word,) = look.contents.words
    assert word.text == "Hello"
    assert word.size == pytest.approx(printed, abs=0.02)


def test_smallest_is_reported_and_all_are_named() -> None:
    art = text("a b c d e", 6.5) + text("f", 6.2, y=40)
    (found,) = check([art])
    assert found.what.endswith("‘a’, ‘b’, ‘c’ and 3 more words at 6.2 pt")


def test_what_is_cut_away_is_not_read() -> None:
    assert check([text("Hello", 4, y=-1)]) == []


# The ratios are those that WCAG's own examples and its tools give for these greys on white.
@pytest.mark.parametrize(
    ("grey", "ratio"), [("#000000", 21.0), ("#767676", 4.54), ("#777777", 4.48), ("#949494", 3.03)]
)
def test_contrast_is_that_of_wcag(grey: str, ratio: float) -> None:
    assert eyes.contrast(eyes.parse_colour(grey), (255, 255, 255)) == pytest.approx(ratio, abs=0.005)


def contrast_of(problem: Problem) -> float:
    return float(problem.what.split("contrast of ")[1].split()[0])


@pytest.mark.parametrize(("grey", "size", "is_found"), [
    ("#777777", 9, True), ("#757575", 9, False), ("#777777", 18, False), ("#969696", 18, True),
    ("#929292", 18, False),
])  # fmt: skip
def test_threshold_of_contrast(grey: str, size: float, is_found: bool) -> None:
    problems = check([text("Hello", size, fill=grey)])
    assert rules(problems) == (["text.contrast"] if is_found else [])


@pytest.mark.parametrize("ground", ["#1f3f8c", "#f4efe2", "#c8402a"])
def test_contrast_is_measured_from_what_is_printed_beneath(ground: str) -> None:
    ink = "#24468f" if ground == "#1f3f8c" else "#c0a080"
    (found,) = check([full(ground) + text("Faint words", 9, fill=ink)])
    assert found.rule == "text.contrast"
    assert found.what.startswith("the back of 1: ‘Faint’ and ‘words’ with a contrast of ")
    assert found.what.endswith(f"to the ground ({ink} on {ground})")
    assert contrast_of(found) == pytest.approx(
        eyes.contrast(eyes.parse_colour(ink), eyes.parse_colour(ground)), abs=0.1
    )


@pytest.mark.parametrize("more", ['fill-opacity="0.3"', 'opacity="0.3"'])
def test_ink_that_is_thinned(more: str) -> None:
    (found,) = check([text("Hello", 12, more=more)])
    assert found.rule == "text.contrast"
    assert contrast_of(found) == pytest.approx(2.0, abs=0.3), "#b3b3b3 on white"


def test_text_on_a_plaque_is_read_against_it() -> None:
    plaque = '<rect x="6" y="24" width="24" height="9" fill="#ffffff"/>'
    assert check([full("#000000") + plaque + text("Hello", 10)]) == []
    assert rules(check([full("#000000") + text("Hello", 10)])) == ["text.contrast"]


@pytest.mark.parametrize("x", [-3.2, -3.05, -2.9, 2.0])
def test_word_that_is_cut_nearly_away(x: float) -> None:
    edge = text("H", 9).replace('x="8"', f'x="{x}"')
    assert set(rules(check([full("#ffffff") + edge], bleed=0.0))) <= {"drift.text"}
    assert set(rules(check([full("#ffffff") + text("Hello", 9, y=62.3)], bleed=2.0))) <= {"drift.text"}


def test_halo_is_a_ground() -> None:
    halo = 'stroke="#000" stroke-width="0.5" stroke-linejoin="round" paint-order="stroke"'
    assert check([full("#f4efe2") + text("Hello", 14, fill="#fff", more=halo)]) == []
    bare = check([full("#f4efe2") + text("Hello", 14, fill="#fff")])
    assert rules(bare) == ["text.contrast"]


@pytest.mark.parametrize("size", [7, 8, 9, 12, 30])
@pytest.mark.parametrize("weight", ["400", "700"])
def test_thin_letters_are_not_taken_for_faint(size: float, weight: str) -> None:
    more = f'font-weight="{weight}"'
    assert check([text("lilt.", size, fill="#6a6a6a", more=more)]) == []
