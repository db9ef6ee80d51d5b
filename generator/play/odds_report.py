"""The page of the answers about a game’s cards: plots, tables and sample hands."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from math import ceil

from msgspec import Struct

from generator.export.site.pages import ShownPicture
from generator.play.odds.answers import OddsAnswer, OddsRow
from generator.web import charts
from generator.web.charts import Bar, ChartAxis, Curve
from generator.web.shell import Accent, Report, ShownChart, TypeFace, write_report

_MOST_BARS = 24
_MOST_FIGURES = 4
_SMALL = 250.0  # the width of one of several charts with the same axes
_LEAD = "From the game's tables alone. An answer is exact, or says how many random hands it is of."
_LEAST_SHOWN = 0.0005
_CENSUSES = ("curve", "deck")


class AnswerSection(Struct, frozen=True):
    """An answer, and random hands of its deck as pictures."""

    answer: OddsAnswer
    hands: Sequence[Sequence[ShownPicture]]


class _ShownAnswer(AnswerSection, frozen=True):
    charts: Sequence[ShownChart]


class _ShownGroup(Struct, frozen=True):
    """One answer, or several in a row whose charts have the same axes, and what their titles have
    in common."""

    title: str
    answers: Sequence[_ShownAnswer]


def write_odds(
    title: str, language: str, accent: Accent, sections: Sequence[AnswerSection], type_faces: Sequence[TypeFace] = ()
) -> bytes:
    """The page of a game's odds, in one file."""
    answers = (section.answer for section in sections)
    figures = [(str(it.chance), it.title) for it in answers if it.chance is not None]
    report = Report(f"{title}: the odds", _LEAD, language, accent, figures[:_MOST_FIGURES], type_faces)
    groups = [list(group) for _, group in groupby(enumerate(sections), _find_axes)]
    shown = [_show_group([section for _, section in group]) for group in groups]
    return write_report("odds.html", report, groups=shown)


def _find_axes(numbered: tuple[int, AnswerSection]) -> object:
    """What charts that stand in a row share; of an answer that stands alone, its number."""
    number, section = numbered
    answer = section.answer
    if answer.kind != "draw" or answer.samples:
        return number
    return answer.component, answer.hand, answer.of_rows, answer.heads, answer.across, answer.up


def _show_group(sections: Sequence[AnswerSection]) -> _ShownGroup:
    if len(sections) == 1:
        return _ShownGroup(sections[0].answer.title, [_show(sections[0])])
    titles = [section.answer.title.split() for section in sections]
    first = _find_common(titles)
    last = _find_common([title[len(first) :][::-1] for title in titles])
    words = [*first, "…", *reversed(last)] if first or last else [sections[0].answer.component]
    shares = [row.chance.share for part in sections for row in part.answer.rows if row.chance]
    end = ceil(10 * max(shares, default=1.0)) / 10
    return _ShownGroup(" ".join(words), [_show(section, _SMALL, end) for section in sections])


def _find_common(titles: Sequence[Sequence[str]]) -> list[str]:
    rows = zip(*titles, strict=False)
    return [words[0] for words in takewhile(lambda words: len(set(words)) == 1, rows)]


def _show(section: AnswerSection, width: float = charts.USUAL_WIDTH, end: float | None = None) -> _ShownAnswer:
    """`end` is that of the axis of the bars; None where the longest bar ends."""
    return _ShownAnswer(section.answer, section.hands, list(_draw(section.answer, width, end)))


def _draw(answer: OddsAnswer, width: float, end: float | None) -> Iterator[ShownChart]:
    rows = [row for row in answer.rows if row.chance]
    numbers = {int(row.at or 0): row.chance.share for row in rows if row.chance}
    if answer.plot == "histogram" and numbers:
        chart = charts.draw_histogram(numbers, answer.of_rows, f"{answer.title}: {answer.said[0]}", "chance")
        yield ShownChart("How often each sum comes up", "", chart)
    elif answer.plot == "bars" and 0 < len(rows) <= _MOST_BARS:
        bars = list(map(_make_bar, rows))
        alt = f"{answer.title}: {', '.join(f'{bar.label} {bar.note}' for bar in bars)}"
        axis = ChartAxis(answer.of_rows, is_share=True, start=0.0, end=end)
        caption = f"{answer.noun}s by {answer.heads[0]}" if answer.kind in _CENSUSES else answer.heads[0]
        caption = caption[:1].upper() + caption[1:]
        yield ShownChart(caption, "", charts.draw_bars(bars, axis, alt, width))
    if answer.curves:
        yield _draw_curves(answer, width)


def _make_bar(row: OddsRow) -> Bar:
    assert row.chance, "only chances are drawn"
    chance, note = row.chance, f"{100 * row.chance.share:.1f} %"
    if 0 < chance.share < _LEAST_SHOWN:
        note = "< 0.1 %"
    if chance.ways is not None:
        return Bar(row.label, chance.share, note=note)
    return Bar(row.label, chance.share, chance.low, chance.high, note)


def _draw_curves(answer: OddsAnswer, width: float) -> ShownChart:
    is_share = all(curve.has_line for curve in answer.curves)
    curves = [Curve(it.label, it.points, it.has_line, it.names) for it in answer.curves]
    up = ChartAxis(answer.up, True, 0.0, 1.0) if is_share else ChartAxis(answer.up)
    chart = charts.draw_curves(curves, ChartAxis(answer.across), up, f"{answer.title}: {answer.said[0]}", width)
    caption = f"{answer.up.capitalize()}, by {answer.across}" if is_share else f"Each {answer.noun}"
    return ShownChart(caption, "", chart)
