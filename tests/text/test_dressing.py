"""Lines, pills, numbers, sizes, tables and rules stand where the measures of their fonts say."""

from __future__ import annotations

from itertools import pairwise

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect
from generator.text.fonts import Font
from generator.text.markup import TINT
from generator.text.placing import TextLine
from tests.text.specimen import SIZE, flow, runs

CLOSE = 1e-3  # mm


def opened(font: Font) -> TTFont:
    """A font as fontTools reads it, at its weight."""
    file = TTFont(font.path)
    return instantiateVariableFont(file, {"wght": font.weight}) if "fvar" in file else file


def ink(font: Font, text: str, size: float) -> Rect:
    """The inked box of letters without kerning, by fontTools; y down."""
    file = opened(font)
    glyphs, x, boxes = file.getGlyphSet(), 0.0, []
    for letter in text:
        name = file.getBestCmap()[ord(letter)]
        pen = BoundsPen(glyphs)
        glyphs[name].draw(pen)
        x0, y0, x1, y1 = pen.bounds
        boxes.append((x + x0, -y1, x + x1, -y0))
        x += glyphs[name].width
    scale = size / file["head"].unitsPerEm
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Rect(*(side * scale for side in (min(x0s), min(y0s), max(x1s), max(y1s))))


def one_line(text: str, width: float = 100.0) -> TextLine:
    (line,) = flow(text, width).lines
    return line


@pytest.mark.parametrize(
    ("text", "table", "field"),
    [("<u>in one go</u>", "post", "underlinePosition"), ("~~out~~", "OS/2", "yStrikeoutPosition")],
)
def test_lines_are_at_the_measures_of_the_font(text: str, table: str, field: str) -> None:
    line = one_line(f"a {text} b")
    (bar,) = line.bars
    words = [run for run in line.runs if run.text not in "ab"]
    file = opened(words[0].font)
    em, thick = file["head"].unitsPerEm, file["post"].underlineThickness
    assert bar.box.height == pytest.approx(thick * SIZE / em, abs=CLOSE)
    assert (bar.box.x0, bar.box.x1) == (words[0].x, words[-1].x + words[-1].width)
    assert bar.colour == words[0].colour
    above = line.y - (bar.box.y0 + bar.box.y1) / 2
    place = getattr(file[table], field) * SIZE / em  # of the line's upper edge, or its middle
    assert above == pytest.approx(place, abs=bar.box.height)


def test_a_pill_is_behind_its_words_and_they_stand_out() -> None:
    line = one_line("a ==b c== ==d=={#101010} f [==e=={#101010}]{red}")
    tint, dark, red = line.bars
    by_text = {run.text: run for run in line.runs}
    assert (tint.colour, tint.opacity) == (by_text["b"].colour, 0.15)
    assert tint.box.x0 < by_text["b"].x
    assert by_text["c"].x + by_text["c"].width < tint.box.x1 < dark.box.x0
    for bar, text in ((tint, "b"), (dark, "d"), (red, "e")):
        run = by_text[text]
        letters = ink(run.font, text, SIZE).moved(run.x, run.y)
        assert bar.box.x0 < letters.x0 < letters.x1 < bar.box.x1
        assert bar.box.y0 < letters.y0 < letters.y1 < bar.box.y1
    assert (by_text["d"].colour, by_text["e"].colour) == ("#ffffff", "#b02a1c")
    assert TINT not in (dark.colour, red.colour)


@pytest.mark.parametrize("text", ["3", "12", "+1", "X"])
@pytest.mark.parametrize("icon", ["coin", "ship"])
def test_a_number_is_in_the_middle_of_its_icon(text: str, icon: str) -> None:
    line = one_line(f"Pay :{icon}({text}): now")
    picture, disc = line.icons
    (number,) = [run for run in line.runs if run.y != line.y]
    box = ink(number.font, text, number.size).moved(number.x, number.y)
    assert box.centre == pytest.approx(picture.box.centre, abs=0.02)
    assert disc.box.centre == pytest.approx(picture.box.centre)
    assert picture.box.x0 < box.x0 < box.x1 < picture.box.x1
    assert box.height > 0.4 * picture.box.height or len(text) > 1
    assert (number.text, number.colour) == (text, "#ffffff")


@pytest.mark.parametrize(("percent", "part"), [(50, 0.5), (100, 1.0), (200, 2.0), (400, 4.0)])
def test_an_icon_is_as_large_as_it_says(percent: int, part: float) -> None:
    (plain,) = one_line("a :ship: b").icons
    (icon,) = one_line(f"a :ship@{percent}%: b").icons
    assert icon.box.height == pytest.approx(part * plain.box.height)
    assert icon.box.width / icon.box.height == pytest.approx(2.0)
    assert icon.art == plain.art


@pytest.mark.parametrize("percent", [49, 401, 99999])
def test_icons_too_small_and_too_large_are_refused(percent: int) -> None:
    with pytest.raises(MisfitError, match=f"a size of {percent} %"):
        flow(f":coin@{percent}%:", 50.0)


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
def test_large_icons_and_headings_keep_lines_apart(valign: str) -> None:
    text = "one line here :coin@300%: and more of it\n# Large\nlast :ship@200%:"
    set_ = flow(text, 24.0, valign=valign)
    assert set_.lines[0].y > 0
    boxes = [
        [Rect(run.x, run.y - 0.75 * run.size, run.x, run.y + 0.2 * run.size) for run in line.runs]
        + [icon.box for icon in line.icons]
        for line in set_.lines
    ]
    ends = [(min(box.y0 for box in line), max(box.y1 for box in line)) for line in boxes]
    assert all(above[1] <= below[0] + CLOSE for above, below in pairwise(ends))
    assert ends[0][0] >= -CLOSE
    assert ends[-1][1] <= 200.0 + CLOSE
    assert ends[-1][1] - ends[0][0] <= set_.height + CLOSE


def test_raised_and_lowered_words_are_smaller_and_off_the_baseline() -> None:
    line = one_line("x<sup>2</sup> H<sub>2</sub>O")
    (_, high, _, low, _) = line.runs
    assert high.y < line.y < low.y
    assert high.size == low.size < SIZE
    assert [run.x for run in line.runs] == sorted(run.x for run in line.runs)


TABLE = "|**d6**|what is found there|\n|--:|---|\n|1-2|{}|\n|3|:coin:|"


@pytest.mark.parametrize("words", ["nothing", "nothing at all but a long, long day of waiting"])
def test_columns_of_a_table_begin_on_one_line(words: str) -> None:
    set_ = flow(TABLE.format(words), 40.0)
    starts = {min(r.x for r in line.runs if r.text[0] in "wn") for line in set_.lines[:2]}
    assert len(starts) == 1
    (coin,) = set_.lines[-1].icons
    assert coin.box.x0 - 0.05 * SIZE == pytest.approx(starts.pop())
    numbers = [run for run in runs(set_) if run.text in ("d6", "1-2", "3")]
    assert len({round(run.x + run.width, 6) for run in numbers}) == 1
    (rule,) = [bar for line in set_.lines for bar in line.bars]
    assert set_.lines[0].y < rule.box.y0 < set_.lines[1].y
    assert rule.box.x1 <= 40.0 + CLOSE
    whole = " ".join(run.text for run in runs(set_))
    assert whole.split() == ["d6", "what", "is", "found", "there", "1-2", *words.split(), "3"]


def test_a_table_too_wide_for_its_box_is_told_by_how_much() -> None:
    with pytest.raises(MisfitError, match=r"'d6 \| what is found there' is \d+\.\d mm wider"):
        flow(TABLE.format("nothing"), 10.0)


def test_a_table_of_a_script_from_right_to_left_begins_at_the_right() -> None:
    line, _ = flow("|שם|עולם|\n|א|ב|", 60.0, family="Noto Sans Hebrew").lines
    first, second = sorted(line.runs, key=lambda run: -run.x)
    assert (first.text, second.text) == ("שם", "עולם")
    assert first.x + first.width == pytest.approx(60.0)


def test_a_rule_is_amid_the_lines_around_it() -> None:
    above, below = flow("high\n---\nhigh", 40.0).lines
    (rule,) = below.bars
    assert (rule.box.x0, rule.box.x1) == (0.0, 40.0)
    font = runs(flow("high", 40.0))[0].font
    letters = ink(font, "high", SIZE)
    over, under = rule.box.y0 - (above.y + letters.y1), below.y + letters.y0 - rule.box.y1
    assert over == pytest.approx(under, abs=0.15 * SIZE)
    assert over > 0.2 * SIZE


def test_items_of_numbered_lists_stand_below_each_other() -> None:
    set_ = flow("1. one\n2. two\n  - in it\n3. three", 60.0)
    starts = [line.runs[1].x for line in set_.lines]
    assert starts[0] == starts[1] == starts[3] < starts[2]
    assert [line.runs[0].text for line in set_.lines] == ["1.", "2.", "–", "3."]
