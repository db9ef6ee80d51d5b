"""Charts: what they show is where the numbers say, and their texts are texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from generator.web.charts import Bar, ChartAxis, Curve, draw_bars, draw_curves, draw_histogram, draw_intervals

SHARE = ChartAxis("chance", is_share=True)
NUMBERS = st.floats(-1e6, 1e6)


def parse(chart: str) -> etree._Element:
    return etree.fromstring(chart)


def words(chart: str) -> list[str]:
    return ["".join(element.itertext()) for element in parse(chart).iter("{*}text")]


def having(chart: str, class_: str) -> list[etree._Element]:
    return [element for element in parse(chart).iter("*") if element.get("class") == class_]


def numbers(shapes: list[etree._Element], name: str) -> list[float]:
    return [float(shape.get(name) or "nan") for shape in shapes]


def test_bars_are_as_long_as_their_values() -> None:
    chart = draw_bars([Bar("a", 0.1), Bar("b", 0.2), Bar("c", 0.4)], SHARE, "three")
    widths, two, four = numbers(having(chart, "bar"), "width")
    assert two == pytest.approx(2 * widths, abs=0.001)
    assert four == pytest.approx(4 * widths, abs=0.001)
    assert {"a", "10 %", "40 %", "0 %", "chance"} <= set(words(chart))


def test_a_face_stands_before_its_label() -> None:
    chart = draw_intervals([Bar("a", 1, face="face-1"), Bar("b", 2)], ChartAxis("x"), None, "two")
    (face,) = having(chart, "face")
    assert face.get("{http://www.w3.org/1999/xlink}href") == "#face-1"
    right = float(face.get("x") or 0) + float(face.get("width") or 0)
    first, second = (label for label in having(chart, "label") if label.text in ("a", "b"))
    assert first.get("x") == second.get("x")
    assert right < float(first.get("x") or 0)
    assert having(draw_intervals([Bar("a", 1)], ChartAxis("x"), None, "one"), "face") == []


def test_charts_of_one_axis_have_one_scale() -> None:
    axis = ChartAxis("chance", True, 0.0, 0.5)
    charts = [draw_bars([Bar("a", share)], axis, "", 250.0) for share in (0.1, 0.4)]
    assert {(parse(chart).get("viewBox") or "").split()[2] for chart in charts} == {"250"}
    small, large = (numbers(having(chart, "bar"), "width")[0] for chart in charts)
    assert large == pytest.approx(4 * small, abs=0.001)


def test_a_label_is_never_markup_and_a_long_one_takes_two_lines() -> None:
    chart = draw_bars([Bar("<b>&", 1), Bar("many words " * 20, 2)], ChartAxis("x"), 'a"<b>')
    assert "<b>&" in words(chart)
    assert any(word.endswith("…") for word in words(chart))
    assert parse(chart).get("aria-label") == 'a"<b>'


def test_a_point_is_hollow_if_its_interval_holds_the_reference() -> None:
    rows = [Bar("sure", 0.6, 0.55, 0.65), Bar("open", 0.51, 0.45, 0.57), Bar("less", 0.4, 0.3, 0.5)]
    chart = draw_intervals(rows, SHARE, 0.5, "shares")
    assert len(having(chart, "dot")) == 1
    assert len(having(chart, "ring")) == 2
    whisker = having(chart, "whisker")[0]
    low, high = float(whisker.get("x1") or 0), float(whisker.get("x2") or 0)
    (dot,) = numbers(having(chart, "dot"), "cx")
    assert dot == pytest.approx((low + high) / 2, abs=0.001)
    (line,) = numbers(having(chart, "reference"), "x1")
    assert line < dot


def test_a_histogram_shows_shares_and_the_mean() -> None:
    chart = draw_histogram({0: 1, 1: 2, 3: 2}, "points", "how many")
    heights = numbers(having(chart, "bar"), "height")
    assert heights == pytest.approx([heights[1] / 2, heights[1], 0, heights[1]], abs=0.001)
    assert "mean 1.6" in words(chart)
    top = min(numbers(having(chart, "grid"), "y1"))
    assert min(numbers(having(chart, "bar"), "y")) >= top  # the tallest is 40 %, so is the axis
    chart = draw_histogram({0: 1, 1: 2}, "points", "how many")
    assert min(numbers(having(chart, "grid"), "y1")) < min(numbers(having(chart, "bar"), "y"))


def test_a_histogram_has_whole_numbers_on_its_axis() -> None:
    said = words(draw_histogram({0: 9, 1: 1}, "towers", "how many"))
    assert {"0", "1"} <= set(said)
    assert not any("0.5" in text for text in said)


def test_many_numbers_share_columns() -> None:
    chart = draw_histogram({0: 1, 1: 1, 350: 2}, "score", "scores")
    heights = numbers(having(chart, "bar"), "height")
    assert len(heights) == 36
    assert heights[0] == heights[-1] > 0
    assert "score (columns of 10)" in words(chart)


def test_a_histogram_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        draw_histogram({}, "points", "none")


def test_curves_differ_without_colour_and_are_named() -> None:
    points = [(0.0, 0.0), (1.0, 0.5), (2.0, 1.0)]
    chart = draw_curves([Curve("one", points), Curve("two", points)], ChartAxis("drawn"), SHARE, "two curves")
    lines = having(chart, "line")
    assert len({line.get("stroke-dasharray") for line in lines}) == 2
    assert {"one", "two", "drawn"} <= set(words(chart))
    cloud = draw_curves([Curve("cards", points, False, ["Ant", "Bee", "Cow"])], ChartAxis("cost"), SHARE, "cards")
    assert having(cloud, "line") == []
    assert {"Ant", "Bee", "Cow"} <= set(words(cloud))
    assert "cards" not in words(cloud)  # a single curve needs no legend


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_nothing_leaves_the_chart(values: list[tuple[float, float, float]]) -> None:
    bars = [Bar("x", mid, low, high) for low, mid, high in map(sorted, values)]
    for chart in (draw_bars(bars, ChartAxis("x"), ""), draw_intervals(bars, SHARE, 0, "")):
        _, _, width, height = map(float, (parse(chart).get("viewBox") or "").split())
        for element in parse(chart).iter("*"):
            for name, end in (("x", width), ("cx", width), ("x1", width), ("y1", height)):
                assert -0.01 <= float(element.get(name) or 0) <= end + 0.01


@given(st.dictionaries(st.integers(-500, 5000), st.integers(1, 100), min_size=1, max_size=30))
def test_the_columns_of_any_histogram_have_equal_widths(counts: dict[int, float]) -> None:
    bars = having(draw_histogram(counts, "n", ""), "bar")
    assert 1 <= len(bars) <= 41
    lefts = numbers(bars, "x")
    assert all(b > a for a, b in pairwise(lefts))
    widths = numbers(bars, "width")
    assert max(widths) - min(widths) < 0.01
