"""Charts of numbers: SVG to stand in a page, its text as text (svgwrite).

The style sheet of the page (report.css) gives colours. No chart needs them to be read: series
differ in their points and dashes, and each value is written beside its bar.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from textwrap import wrap
from typing import Any, Self

import svgwrite
from markupsafe import Markup
from msgspec import Struct

from generator.basics.geometry import decimal

USUAL_WIDTH = 360.0  # user units; on a phone a unit is about a CSS pixel, on a desktop more
_LETTER, _SMALL = 12.5, 11.0
_EM = 0.56  # the width of an average letter of a sans serif, of its size
_LABELS = 0.42  # the widest column of labels, of the width of a chart
_BAR, _GAP, _LINE = 16.0, 10.0, 14.0
_FACE = (48.0, 32.0)  # the room of a face
_FOOT = 38.0  # below the plot: numbers and the title of the axis
_LEFT, _RIGHT, _TOP = 44.0, 14.0, 26.0
_PLOT = 170.0  # the height of a plot with two axes
_MOST_COLUMNS = 40
_STEPS = (1, 2, 5, 10)
Numbers = Sequence[float]
_POINTS = ("dot", "ring")
_DASHES = (None, "6 3", "2 3", "9 3 2 3", "1 4")


class ChartAxis(Struct, frozen=True):
    """The title of an axis and its ends, which are those of the values if they are None. A share is written in
    percent; whole numbers have no numbers between them."""

    title: str
    is_share: bool = False
    start: float | None = None
    end: float | None = None
    is_whole: bool = False


class Bar(Struct, frozen=True):
    """A row of a chart: a value, the ends of its interval if it has one, and words at its end (the value itself if
    there are none). `face` is the id of a symbol of the page, to stand before the label."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    face: str = ""


class Curve(Struct, frozen=True):
    """Points (across, up) from left to right. Without a line they are a cloud of points. A point
    may have a name, which stands beside it."""

    label: str
    points: Sequence[tuple[float, float]]
    has_line: bool = True
    names: Sequence[str] = ()


def draw_bars(bars: Sequence[Bar], axis: ChartAxis, alt: str, width: float = USUAL_WIDTH) -> Markup:
    """A bar from zero for each row, with a whisker if the row has an interval. `alt` says what the chart shows."""
    plot = _Rows(bars, axis, alt, 0.0, width)
    for bar, y in zip(bars, plot.centres, strict=True):
        zero, end = sorted((plot.x(0.0), plot.x(bar.value)))
        plot.add("rect", "bar", insert=(zero, y - _BAR / 2), size=(end - zero, _BAR))
        plot.whisker(bar, y)
    return plot.finish()


def draw_intervals(rows: Sequence[Bar], axis: ChartAxis, reference: float | None, alt: str) -> Markup:
    """A point with its interval for each row, and a line at the reference. The point of a row whose
    interval holds the reference is hollow."""
    plot = _Rows(rows, axis, alt, reference, USUAL_WIDTH)
    if reference is not None:
        plot.rule(reference)
    for row, y in zip(rows, plot.centres, strict=True):
        plot.whisker(row, y)
        is_sure = reference is None or not _holds(row, reference)
        plot.add("circle", "dot" if is_sure else "ring", center=(plot.x(row.value), y), r=4.5)
    return plot.finish()


def draw_histogram(counts: Mapping[int, float], across: str, alt: str, up: str = "share") -> Markup:
    """A column for each number, as high as its share of the counts, and a line at the mean. More
    than 40 numbers share columns of 2, 5, 10 and so on.

    Raises ValueError if the counts add up to nothing.
    """
    total = sum(counts.values())
    if total <= 0:
        raise ValueError("a histogram of nothing")
    first, last = min(counts), max(counts)
    width = _column_width(last - first + 1)
    start = first // width * width
    columns = [0.0] * ((last - start) // width + 1)
    for number, count in counts.items():
        columns[(number - start) // width] += count / total
    title = across if width == 1 else f"{across} (columns of {width})"
    end = start - 0.5 + len(columns) * width
    ends = ChartAxis(title, start=start - 0.5, end=end, is_whole=True)
    plot = _Plot(ends, (), ChartAxis(up, True, 0.0), columns, alt, USUAL_WIDTH)
    for number, share in enumerate(columns):
        left, right = (plot.x(start - 0.5 + width * (number + end)) for end in (0.06, 0.94))
        top = plot.y(share)
        plot.add("rect", "bar", insert=(left, top), size=(right - left, plot.bottom - top))
    plot.mark(sum(number * count for number, count in counts.items()) / total, "mean")
    return plot.finish()


def draw_curves(
    curves: Sequence[Curve], across: ChartAxis, up: ChartAxis, alt: str, width: float = USUAL_WIDTH
) -> Markup:
    """Lines with points, or clouds of points, each with its own point and dash, and their names
    below the chart if there are several."""
    xs, ys = ([point[way] for curve in curves for point in curve.points] for way in (0, 1))
    plot = _Plot(across, xs, up, ys, alt, width, legends=len(curves) if len(curves) > 1 else 0)
    for number, curve in enumerate(curves):
        plot.curve(curve, number)
    return plot.finish()


class _Chart:
    """A drawing that grows downward: shapes by class, words in the sizes of the charts."""

    def __init__(self, alt: str, height: float, width: float) -> None:
        self._alt, self._height, self._width = alt, height, width
        self._drawing = svgwrite.Drawing(debug=False)

    def add(self, kind: str, class_: str, **how: object) -> None:
        rounded = {key: _round(value) for key, value in how.items()}
        self._drawing.add(getattr(self._drawing, kind)(class_=class_, **rounded))

    def word(self, text: str, at: tuple[float, float], class_: str, size: float = _LETTER) -> None:
        x, y = map(decimal, at)
        word = self._drawing.text(text, insert=(x, y), class_=class_, font_size=decimal(size))
        self._drawing.add(word)

    def finish(self) -> Markup:
        self._drawing.attribs = {
            "viewBox": f"0 0 {decimal(self._width)} {decimal(self._height)}",
            "class": "chart",
            "role": "img",
            "aria-label": self._alt,
        }
        return Markup(self._drawing.tostring())


class _Rows(_Chart):
    """A row for each bar: its label on the left, the plot, its words on the right."""

    def __init__(self, bars: Sequence[Bar], axis: ChartAxis, alt: str, least: float | None, width: float) -> None:
        values = [least, *(value for bar in bars for value in (bar.value, bar.low, bar.high))]
        places = 1 if axis.is_share else 2
        self._notes = [bar.note or _tell(bar.value, axis.is_share, places) for bar in bars]
        self._faces = [bar.face for bar in bars]
        self._indent = _FACE[0] + 8 if any(self._faces) else 0.0
        labels = min(_measure([bar.label for bar in bars]), width * _LABELS - self._indent)
        notes = min(_measure(self._notes), width * _LABELS / 1.5)
        known = [value for value in values if value is not None]
        self._scale = _AxisScale.of(axis, known, self._indent + labels + 8, width - notes - 8)
        self.x = self._scale.place
        letters = max(6, floor(labels / (_LETTER * _EM)))
        wrapped = (wrap(bar.label, letters, max_lines=2, placeholder="…") for bar in bars)
        self._labels = [lines or [""] for lines in wrapped]
        least_height = _FACE[1] - _GAP / 2 if any(self._faces) else _BAR
        heights = [max(least_height, _LINE * len(lines)) + _GAP for lines in self._labels]
        self.centres = [sum(heights[:at]) + height / 2 for at, height in enumerate(heights)]
        self._bottom = sum(heights)
        super().__init__(alt, self._bottom + _FOOT, width)
        self._draw_frame()

    def whisker(self, bar: Bar, y: float) -> None:
        if bar.low is None or bar.high is None:
            return
        low, high = self.x(bar.low), self.x(bar.high)
        for class_ in ("halo", "whisker"):
            self.add("line", class_, start=(low, y), end=(high, y))
            for x in (low, high):
                self.add("line", class_, start=(x, y - 4), end=(x, y + 4))

    def rule(self, value: float) -> None:
        x = self.x(value)
        self.add("line", "reference", start=(x, 0), end=(x, self._bottom))

    def _draw_frame(self) -> None:
        axis = self._scale.axis
        for tick in self._scale.ticks(4):
            x = self.x(tick)
            self.add("line", "zero" if tick == 0 else "grid", start=(x, 0), end=(x, self._bottom))
            self.word(_tell(tick, axis.is_share), (x, self._bottom + 14), "tick middle", _SMALL)
        middle = (self._scale.first + self._scale.last) / 2
        self.word(axis.title, (middle, self._bottom + 31), "middle", _SMALL)
        rows = zip(self.centres, self._labels, self._notes, self._faces, strict=True)
        for y, lines, note, face in rows:
            if face:
                place = (0, y - _FACE[1] / 2)
                self.add("use", "face", href=f"#{face}", insert=place, size=_FACE)
            top = y - _LINE * (len(lines) - 1) / 2 + _LETTER * 0.35
            for number, line in enumerate(lines):
                self.word(line, (self._indent, top + _LINE * number), "label")
            self.word(note, (self._width, y + _LETTER * 0.35), "value end")


class _Plot(_Chart):
    def __init__(
        self, across: ChartAxis, xs: Numbers, up: ChartAxis, ys: Numbers, alt: str, width: float, legends: int = 0
    ) -> None:
        self.bottom = _TOP + _PLOT
        self._across, self._up = (
            _AxisScale.of(across, xs, _LEFT, width - _RIGHT),
            _AxisScale.of(up, ys, self.bottom, _TOP),
        )
        self.x, self.y = self._across.place, self._up.place
        super().__init__(alt, self.bottom + _FOOT + _LINE * 1.3 * legends, width)
        self._draw_axes()

    def mark(self, value: float, name: str) -> None:
        """A line across the plot, with its name and value above."""
        x = self.x(value)
        for class_ in ("halo", "reference"):
            self.add("line", class_, start=(x, _TOP - 4), end=(x, self.bottom))
        said = f"{name} {_tell(value, self._across.axis.is_share, 1)}"
        class_ = "end" if x > self._width * 0.8 else "begin" if x < self._width * 0.2 else "middle"
        self.word(said, (x, _TOP - 9), f"label {class_}", _SMALL)

    def curve(self, curve: Curve, number: int) -> None:
        dash, kind = _DASHES[number % len(_DASHES)], _POINTS[number % len(_POINTS)]
        places = [(self.x(x), self.y(y)) for x, y in curve.points]
        if curve.has_line:
            self._line(places, dash)
        for place in places:
            self.add("circle", kind, center=place, r=4)
        for name, (x, y) in zip(curve.names, places, strict=False):
            is_right = x > self._width * 0.7
            at = (x - 8 if is_right else x + 8, y + 4)
            self.word(name, at, f"name {'end' if is_right else 'begin'}", _SMALL)
        self._legend(curve, number, dash, kind)

    def _legend(self, curve: Curve, number: int, dash: str | None, kind: str) -> None:
        y = self.bottom + _FOOT + _LINE * 1.3 * number + 6
        if y > self._height:
            return
        if curve.has_line:
            self._line([(_LEFT, y), (_LEFT + 30, y)], dash)
        self.add("circle", kind, center=(_LEFT + 15, y), r=4)
        self.word(curve.label, (_LEFT + 38, y + 4), "label", _SMALL)

    def _line(self, places: Sequence[tuple[float, float]], dash: str | None) -> None:
        how = {"stroke_dasharray": dash} if dash else {}
        self.add("polyline", "line", points=places, fill="none", **how)

    def _draw_axes(self) -> None:
        across, up = self._across.axis, self._up.axis
        for tick in self._up.ticks(4):
            y = self.y(tick)
            self.add("line", "grid", start=(_LEFT, y), end=(self._width - _RIGHT, y))
            self.word(_tell(tick, up.is_share), (_LEFT - 6, y + 4), "tick end", _SMALL)
        for tick in self._across.ticks(6):
            self.word(_tell(tick, across.is_share), (self.x(tick), self.bottom + 15), "tick middle", _SMALL)
        right = self._width - _RIGHT
        self.add("line", "zero", start=(_LEFT, self.bottom), end=(right, self.bottom))
        self.word(across.title, ((_LEFT + right) / 2, self.bottom + 32), "middle", _SMALL)
        self.word(up.title, (0, 11), "label", _SMALL)


class _AxisScale(Struct, frozen=True):
    """An axis with its ends, which are at the places `first` and `last` of a chart."""

    axis: ChartAxis
    start: float
    end: float
    first: float
    last: float

    @classmethod
    def of(cls, axis: ChartAxis, values: Numbers, first: float, last: float) -> Self:
        """The ends are whole steps around the values, unless the axis has its own."""
        low = axis.start if axis.start is not None else min(values, default=0.0)
        high = axis.end if axis.end is not None else max(values, default=1.0)
        if high <= low:
            low, high = low - (0.0 if low == 0 else 1.0), low + 1.0
        step = _find_step(high - low, 4)
        start = axis.start if axis.start is not None else floor(low / step + 1e-9) * step
        end = axis.end if axis.end is not None else ceil(high / step - 1e-9) * step
        return cls(axis, start, end if end > start else start + 1.0, first, last)

    def place(self, value: float) -> float:
        share = min(1.0, max(0.0, (value - self.start) / (self.end - self.start)))
        return self.first + share * (self.last - self.first)

    def ticks(self, most: int) -> list[float]:
        step = _find_step(self.end - self.start, most)
        if self.axis.is_whole or (not self.axis.is_share and self.end - self.start > 2):
            step = max(1.0, step)
        first, last = ceil(self.start / step - 1e-9), floor(self.end / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _find_step(extent: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10 … that divides the extent into at most so many parts."""
    power = 10.0 ** floor(log10(extent / most))
    return next(step * power for step in _STEPS if step * power * most >= extent * (1 - 1e-9))


def _tell(value: float, is_share: bool, places: int = 4) -> str:
    """A number with the signs of typography. A share is in percent."""
    number = value * 100 if is_share else value
    said = f"{abs(number):.{places}f}".rstrip("0").rstrip(".") if places else f"{abs(number):.0f}"
    return ("−" if number < 0 and said != "0" else "") + said + (" %" if is_share else "")


def _column_width(numbers: int) -> int:
    width = 1
    while ceil(numbers / width) > _MOST_COLUMNS:
        power = 10 ** floor(log10(width))
        width = power * _STEPS[_STEPS.index(width // power) + 1]
    return width


def _holds(row: Bar, value: float) -> bool:
    low = row.value if row.low is None else row.low
    high = row.value if row.high is None else row.high
    return low <= value <= high


def _measure(texts: Sequence[str]) -> float:
    return max((len(text) for text in texts), default=0) * _LETTER * _EM


def _round(value: Any) -> Any:
    """The numbers of a shape as steady text."""
    if isinstance(value, float | int):
        return decimal(value)
    if isinstance(value, tuple | list):
        return [_round(part) for part in value]
    return value
