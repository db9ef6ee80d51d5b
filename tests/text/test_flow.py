"""Text fits its box, whole and in order; or it is said by how much it does not."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from bidi import get_display
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect
from generator.model import Art
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.flow import Compositor, Flow, OverfullError
from generator.text.markup import TextBlock, parse
from generator.text.placing import TextLine
from tests.text.specimen import BOOK, RULES, SIZE, WORDS, art, compositor, flow, runs, style

CLOSE = 1e-6
COMPOSITOR = compositor()
WORD = st.text(st.sampled_from("abcdefgimnorstuwz"), min_size=1, max_size=9)
PROSE = st.lists(WORD, min_size=1, max_size=30).map(" ".join)
ALIGNS = ("start", "left", "right", "centre", "justified")


def ends(line: TextLine) -> tuple[float, float]:
    """The left and the right end of what stands in a line."""
    beside = 0.05 * line.runs[0].size
    lefts = [run.x for run in line.runs] + [icon.box.x0 - beside for icon in line.icons]
    rights = [run.x + run.width for run in line.runs]
    return min(lefts), max(rights + [icon.box.x1 + beside for icon in line.icons])


@given(PROSE, st.floats(18, 80), st.sampled_from(ALIGNS))
def test_every_word_is_there_once_and_in_order(text: str, width: float, align: str) -> None:
    assert [run.text for run in runs(flow(text, width, align=align))] == text.split()


@given(PROSE, st.floats(18, 80), st.sampled_from(ALIGNS), st.sampled_from(["", "en"]))
def test_no_line_is_wider_than_its_box(text: str, width: float, align: str, hyphens: str) -> None:
    for line in flow(text, width, align=align, hyphens=hyphens).lines:
        left, right = ends(line)
        assert left > -CLOSE
        assert right < width + CLOSE


@given(PROSE, st.floats(18, 60))
def test_hyphens_only_add_hyphens(text: str, width: float) -> None:
    set_ = flow(text, width, hyphens="en").lines
    whole = " ".join(" ".join(run.text for run in line.runs) for line in set_)
    assert whole.replace("- ", "").split() == text.split()


def unevenness(full: list[float]) -> float:
    """Of lines that are so far full; the last one counts when it is less than a third."""
    last = max(0.0, 1 / 3 - full[-1]) * 3
    return sum((1 - line) ** 2 for line in full[:-1]) + last**2


@settings(max_examples=60)
@given(st.lists(WORD, min_size=1, max_size=9), st.floats(20, 60))
def test_lines_are_the_fewest_and_the_most_even(words: list[str], width: float) -> None:
    """Beside all the ways there are to break a few words."""
    font, blank = BOOK.find(style().family), BOOK.find(style().family).width(" ", SIZE)
    ways = []
    for bits in range(2 ** (len(words) - 1)):
        cuts = [i for i in range(1, len(words)) if bits >> (i - 1) & 1]
        lines = [words[a:b] for a, b in pairwise([0, *cuts, len(words)])]
        widths = [sum(font.width(w, SIZE) + blank for w in line) - blank for line in lines]
        if max(widths) <= width + CLOSE:
            ways.append((len(lines), unevenness([line / width for line in widths])))
    set_ = flow(" ".join(words), width).lines
    fewest, least = min(ways)
    assert len(set_) == fewest
    assert unevenness([line.width / width for line in set_]) == pytest.approx(least, abs=1e-9)


@given(PROSE, st.floats(20, 60), st.floats(3, 30), st.floats(0.5, 8), st.sampled_from(["", "en"]))
def test_it_shrinks_no_more_than_it_must(text: str, width: float, height: float, more: float, hyphens: str) -> None:
    rest = {"least": 0.4, "hyphens": hyphens}
    try:
        set_ = flow(text, width, height, **rest)
    except OverfullError:
        return
    assert set_.height <= height + CLOSE
    assert flow(text, width, height + more, **rest).size >= set_.size
    assert flow(text, width, height, size=set_.size, hyphens=hyphens).size == set_.size
    if set_.size < SIZE:
        with pytest.raises(OverfullError):
            flow(text, width, height, size=set_.size + 0.1 * 25.4 / 72, hyphens=hyphens)


@given(PROSE, st.floats(4, 30), st.floats(2, 12))
def test_misfit_says_how_much_is_lacking(text: str, width: float, height: float) -> None:
    """A box that much larger holds the text, one a hair smaller does not."""
    try:
        flow(text, width, height, least=2.0)
    except OverfullError as error:
        over = error.over
        assert (over.width > 0) != (over.height > 0)
        if over.width:
            with pytest.raises(OverfullError, match="wider"):
                flow(text, width + over.width - 0.01, 500, least=2.0)
            flow(text, width + over.width + CLOSE, 500, least=2.0)
        else:
            with pytest.raises(OverfullError, match="higher"):
                flow(text, width, height + over.height - 0.01, least=2.0)
            flow(text, width, height + over.height + CLOSE, least=2.0)


@settings(max_examples=40)
@given(PROSE, st.floats(25, 60), st.floats(25, 60), st.sampled_from(["", "en"]))
def test_lines_are_within_their_ellipse(text: str, width: float, height: float, hyphens: str) -> None:
    """The corners of each, from the top of its letters to their foot, and in its middle."""
    rest: dict[str, Any] = {"align": "centre", "valign": "middle", "is_round": True}
    try:
        set_ = flow(text, width, height, least=1.0, hyphens=hyphens, **rest)
    except OverfullError:
        reject()
    font = BOOK.find(style().family)
    for line in set_.lines:
        left, right = ends(line)
        assert left + right == pytest.approx(width)
        for y in (line.y - font.ascent * set_.size, line.y + font.descent * set_.size):
            off = (right - left) / width, (2 * y - height) / height
            assert hypot(*off) < 1 + CLOSE
    whole = "".join(" ".join(run.text for run in line.runs) + " " for line in set_.lines)
    assert whole.replace("- ", "").split() == text.split()
    assert 2 * set_.top + set_.height == pytest.approx(height)


def test_a_text_too_long_for_its_circle_is_refused() -> None:
    with pytest.raises(OverfullError, match=r"the text does not fit its circle at 5\.7 pt"):
        flow("word " * 90, 25, 25, least=2.0, valign="middle", is_round=True)


@settings(max_examples=40)
@given(PROSE, st.floats(18, 60), st.floats(0.5, 30), st.sampled_from(["", "en"]))
def test_what_does_not_fit_is_left(text: str, width: float, height: float, hyphens: str) -> None:
    rest: dict[str, Any] = {"goes_on": True, "hyphens": hyphens}
    parts: list[Flow] = []
    words = ""
    left: str | tuple[TextBlock, ...] = f"- {text}\n\n{text}"
    while left:
        box = Rect(0.0, 0.0, width, height if len(parts) < 3 else 900.0)
        parts.append(COMPOSITOR.set(left, box, style(**rest)))
        left = parts[-1].left
        words += "".join(" ".join(run.text for run in line.runs) + " " for line in parts[-1].lines)
        assert parts[-1].height <= box.height + CLOSE
        assert all(0 < line.y <= box.height for line in parts[-1].lines)
    assert words.replace("- ", "").split() == ["•", *text.split(), *text.split()]


def test_misfit_names_icons() -> None:
    with pytest.raises(OverfullError, match=r"^'3:ship:,' is"):
        flow("take 3:ship:, now", 8)


def test_misfit_names_the_word_and_the_size() -> None:
    with pytest.raises(OverfullError, match=r"'Donaudampfschiff' is \d+\.\d mm wider .* at 5\.7 pt"):
        flow("der Donaudampfschiff", 6, least=2.0)
    assert [run.text for run in runs(flow("der Donaudampfschiff", 18, hyphens="de"))] == [
        "der", "Donau-", "dampfschiff"
    ]  # fmt: skip


@pytest.mark.parametrize("align", ALIGNS)
def test_lines_stand_where_they_are_aligned(align: str) -> None:
    lines = flow(RULES.split("\n\n")[0], 40, align=align).lines
    assert len(lines) > 2
    for number, line in enumerate(lines):
        left, right = ends(line)
        is_full = align == "justified" and number < len(lines) - 1
        empty = 40 - line.width
        before = {"right": empty, "centre": empty / 2}.get(align, 0.0)
        assert left == pytest.approx(before)
        assert right == pytest.approx(40.0 if is_full else before + line.width)


def test_justified_lines_stretch_their_blanks_alike() -> None:
    line = flow("stone wood clay gold iron wool fish salt", 26, align="justified").lines[0]
    gaps = [b.x - a.x - a.width for a, b in pairwise(line.runs)]
    assert len(gaps) > 1
    assert gaps == pytest.approx([gaps[0]] * len(gaps))
    assert gaps[0] > line.runs[0].font.width(" ", SIZE)
    for run in line.runs:
        assert run.width == pytest.approx(run.font.width(run.text, SIZE))


@pytest.mark.parametrize(("valign", "share"), [("top", 0.0), ("middle", 0.5), ("bottom", 1.0)])
def test_lines_stand_where_they_are_aligned_in_height(valign: str, share: float) -> None:
    font = BOOK.find(style().family)
    set_ = flow("one\ntwo", 40, 30, valign=valign)
    first, last = set_.lines[0].y, set_.lines[-1].y
    assert last - first == pytest.approx(1.25 * SIZE)
    assert set_.height == pytest.approx(last - first + (font.ascent + font.descent) * SIZE)
    assert first - font.ascent * SIZE == pytest.approx((30 - set_.height) * share)


def test_paragraphs_are_apart_and_items_are_not() -> None:
    ys = [line.y for line in flow("a\n\nb\n- c\n- d", 40).lines]
    steps = [(b - a) / SIZE for a, b in pairwise(ys)]
    assert steps == pytest.approx([1.75, 1.25, 1.25])


@pytest.mark.parametrize("base", ["words", "מילים"])
def test_items_hang_from_their_bullets(base: str) -> None:
    text = "- " + " ".join([base] * 8)
    first, *rest = flow(text, 30, family="Noto Sans Hebrew", fallback=("Alegreya Sans",)).lines
    bullets = [run for run in first.runs if run.text == "•"]
    assert len(bullets) == 1
    assert not [run for line in rest for run in line.runs if run.text == "•"]
    words = [run for run in first.runs if run.text == base]
    if base == "words":
        assert bullets[0].x == 0.0
        assert words[0].x == pytest.approx(bullets[0].width + 0.4 * SIZE)
        assert {round(ends(line)[0], 6) for line in rest} == {round(words[0].x, 6)}
    else:
        assert bullets[0].x + bullets[0].width == pytest.approx(30.0)
        edge = 30 - bullets[0].width - 0.4 * SIZE
        assert max(run.x + run.width for run in words) == pytest.approx(edge)
        assert {round(ends(line)[1], 6) for line in rest} == {round(edge, 6)}


def test_icons_stand_in_the_line() -> None:
    (line,) = flow("a :ship:b", 40).lines
    (ship,), (a, b) = line.icons, line.runs
    assert ship.art.name == "ship"
    assert (ship.box.width, ship.box.height) == pytest.approx((2.2 * SIZE, 1.1 * SIZE))
    assert ship.box.y1 == pytest.approx(line.y + 0.2 * SIZE)
    assert ship.box.x0 == pytest.approx(a.x + a.width + a.font.width(" ", SIZE) + 0.05 * SIZE)
    assert b.x == pytest.approx(ship.box.x1 + 0.05 * SIZE)


def test_a_row_of_icons_breaks_only_where_it_must() -> None:
    """A ship is 2.3 em wide: at most five in 12 em. Letters keep to their ships."""
    rows = flow("2" + ":ship:" * 12 + "!", 12 * SIZE).lines
    assert [len(line.icons) for line in rows] == [5, 5, 2]
    even = flow(":ship:" * 12, 12 * SIZE, align="centre").lines
    assert [len(line.icons) for line in even] == [4, 4, 4]
    assert [run.text for line in rows for run in line.runs] == ["2", "!"]
    short = flow("take the " + ":ship:" * 5, 12 * SIZE).lines
    assert [len(line.icons) for line in short] == [0, 5]


def test_icons_keep_to_what_they_touch() -> None:
    for width in range(12, 40):
        for line in flow("take 2:coin: or 3:ship:, now", width).lines:
            texts = [run.text for run in line.runs]
            assert len(line.icons) == ("2" in texts) + ("3" in texts)
            assert ("," in texts) == ("3" in texts)


def test_looks_reach_the_runs() -> None:
    found = {run.text: run for run in runs(flow("a **b** [c]{red} [d]{#010203} [e]{rgb(1, 2, 3)}", 60))}
    assert found["b"].font.weight == 700
    assert found["a"].font.weight == 400
    assert [found[w].colour for w in "acde"] == ["#000000", "#b02a1c", *2 * ["#010203"]]
    slanted = {run.text: run for run in runs(flow("a *b*", 40, family="Noto Sans"))}
    assert (slanted["a"].font.italic, slanted["b"].font.italic) == (False, True)


def test_bold_words_of_a_bold_text_are_no_fault() -> None:
    found = runs(flow("a **b**", 40, weight=700))
    assert [run.font.weight for run in found] == [700, 700]


def test_a_word_may_change_its_look() -> None:
    first, second, last = runs(flow("for**bid**den", 40))
    assert [first.text, second.text, last.text] == ["for", "bid", "den"]
    assert second.x == pytest.approx(first.x + first.width)
    assert last.x == pytest.approx(second.x + second.width)


def test_signs_that_a_font_lacks_come_from_the_next() -> None:
    found = runs(flow("two 金貨 שני", 60, fallback=("Noto Sans JP", "Noto Sans Hebrew")))
    assert {run.font.family for run in found} == {"Alegreya Sans", "Noto Sans JP", "Noto Sans Hebrew"}
    assert all(not run.font.missing(run.text) for run in found)


@pytest.mark.parametrize("width", range(8, 40, 3))
def test_no_line_begins_with_what_closes(width: int) -> None:
    """Nor ends with what opens: the rules of Japanese typesetting."""
    lines = flow(WORDS["Japanese"][1], width, family="Noto Sans JP").lines
    texts = ["".join(run.text for run in line.runs) for line in lines]
    assert "".join(texts) == WORDS["Japanese"][1]
    assert len(texts) > 1
    assert not [text for text in texts if text[0] in "、。」！" or text[-1] == "「"]


MIXED = [
    "קבל 2 coins (זהב) עכשיו, 3.5% לכל worker!",
    "Say שלום עולם (peace) now",
    "السعر ١٢.٥ (USD 15) فقط.",
    "worker, שני [two] קלפים: 1-2",
]


@pytest.mark.parametrize("text", MIXED)
def test_words_stand_in_the_order_of_another(text: str) -> None:
    """unicode-bidi puts the characters of a line into the order they are seen in."""
    text = text.replace("[", "\\[").replace("]", "\\]")
    others = ("Noto Naskh Arabic", "Alegreya Sans")
    (line,) = flow(text, 200, family="Noto Sans Hebrew", fallback=others).lines
    seen = "".join(run.text[::-1] if run.is_rtl else run.text for run in line.runs)
    assert [run.x for run in line.runs] == sorted(run.x for run in line.runs)
    assert seen == get_display(text.replace("\\", "")).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "rest", "message"),
    [
        ("a 龍 b 金 龍", {}, r"Alegreya Sans has no glyph for '龍' \(U\+9F8D\), '金' \(U\+91D1\)$"),
        ("龍", {"fallback": ("Noto Sans JP",)}, "none of Alegreya Sans, Noto Sans JP has a glyph"),
        ("a\x07", {}, r"U\+0007"),
        ("a\x00b\u2009c", {}, r"'\\x00' \(U\+0000\)$"),
        (":cion:", {}, "no icon 'cion'"),
        ("[a]{rde}", {}, "unknown colour 'rde'"),
        ("a", {"family": "Noto Snas"}, "Noto Sans"),
        ("a", {"hyphens": "xx"}, "'xx'"),
        ("**a", {}, "is not closed"),
    ],
)
def test_what_cannot_be_set_is_named(text: str, rest: dict[str, Any], message: str) -> None:
    for _ in range(2):  # and named again when asked again
        with pytest.raises(MisfitError, match=message):
            COMPOSITOR.set(text, Rect(0, 0, 50, 50), style(**rest))


@pytest.mark.parametrize(
    ("text", "family", "lacking"),
    [
        ("a *b c* d", "Abril Fatface", [("b c", "Abril Fatface", "italic")]),
        ("a **b** *c*", "Noto Sans", [("b", "Noto Sans", "bold")]),
        ("***b***", "Abril Fatface", [("b", "Abril Fatface", "bold italic")]),
        ("**a** *b* ***c***", HOUSE_FAMILY, []),
    ],
)
def test_words_that_are_not_set_as_they_ask_are_reported(
    text: str, family: str, lacking: list[tuple[str, str, str]]
) -> None:
    for _ in range(2):  # and told again when asked again
        set_ = COMPOSITOR.set(text, Rect(0, 0, 50, 50), style(family=family))
        assert list(map(astuple, set_.lacking)) == lacking


@pytest.mark.parametrize("text", ["", " \n\n ", "\u200b", "a\n\u200b\nb"])
def test_text_without_ink(text: str) -> None:
    set_ = flow(text, 10, 20)
    assert [run.text for run in runs(set_)] == [c for c in "ab" if c in text]


def test_nothing_fits_into_nothing() -> None:
    assert runs(flow("\u200b", 0.0)) == []
    with pytest.raises(OverfullError):
        flow("a", 0.0)


def test_nothing_invisible_is_drawn() -> None:
    text = "a\u200bb co\u00adop x\u2060y \u2067שלום\u2069 q\u200ez"
    drawn = "".join(r.text for r in runs(flow(text, 100, fallback=("Noto Sans Hebrew",))))
    assert sorted(drawn) == sorted("abcoopxyqzשלום")


def test_a_text_is_set_anew_once_a_font_or_an_icon_is_another(tmp_path: Path) -> None:
    file = tmp_path / "font.ttf"
    small, wide = ({"coin": art("coin", width, 10)} for width in (10, 30))

    def width(weight: int, icons: dict[str, Art]) -> float:
        file.write_bytes(BOOK.find(HOUSE_FAMILY, weight).path.read_bytes())
        setter = Compositor(FontBook([tmp_path]), icons, {})
        return setter.set("word :coin:", Rect(0, 0, 90, 50), style()).lines[0].width

    first = width(400, small)
    assert width(700, small) > first + CLOSE
    assert width(400, wide) > first + CLOSE
    assert width(400, small) == pytest.approx(first)


def test_what_a_text_lacks_is_not_said_of_the_next_one() -> None:
    setter, box = compositor(), Rect(0, 0, 90, 50)
    with pytest.raises(MisfitError, match="there is no icon 'nosuch'"):
        setter.set("漢 :nosuch:", box, style())
    assert setter.set("sound", box, style()).lines
    with pytest.raises(MisfitError, match="no glyph for '漢'"):
        setter.set("漢", box, style())
    assert setter.set("sound, too", box, style()).lines


def test_a_compositor_remembers_nothing_of_another_text() -> None:
    """As blocks they are set anew, whatever was set lately."""
    fresh: Flow = flow(RULES, 45)
    COMPOSITOR.set(parse("other **words**"), Rect(0, 0, 20, 40), style())
    assert COMPOSITOR.set(parse(RULES), Rect(0, 0, 45, 200), style()) == fresh


LONG = st.sampled_from(
    ["Überraschung", "Geschwindigkeit", "Donaudampfschiff", "Arbeiter", "Marktplatz", "Ware", "im", "an", "zu", "der"]
)


@given(st.lists(LONG, min_size=3, max_size=20), st.floats(20, 50), st.sampled_from(ALIGNS))
def test_hyphens_are_used_before_another_line_is(words: list[str], width: float, align: str) -> None:
    """As many lines as when each is filled before the next begins, counted from the outside."""
    text = " ".join(words)
    set_ = flow(text, width, hyphens="de", align=align)
    assert flow(text, width, set_.height, hyphens="de").height == set_.height
    with pytest.raises(OverfullError):
        flow(text, width, set_.height - 0.01, hyphens="de")
