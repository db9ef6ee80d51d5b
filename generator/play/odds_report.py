"""The page of the answers about a game’s cards: plots, tables and sample hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from generator.basics.errors import count_of
from generator.export.site.pages import ShownPicture
from generator.play.odds.answers import OddsAnswer, OddsRow
from generator.web.charts import Bar, ChartAxis, Curve, draw_bars, draw_curves, draw_histogram
from generator.web.shell import Accent, Report, ShownChart, ShownTable, write_report

_MOST_BARS = 24
_MOST_ROWS = 200  # of a table
_MOST_FIGURES = 4
_LEAD = "From the game's tables alone. An answer is exact, or says how many random hands it is of."
_LEAST_SHOWN = 0.0005
_CAPTIONS = {"curve": "cards by {}", "deck": "cards by {}"}


class AnswerSection(Struct, frozen=True):
    """An answer, and random hands of its deck as pictures."""

    answer: OddsAnswer
    hands: Sequence[Sequence[ShownPicture]]


class _ShownAnswer(Struct, frozen=True):
    """An answer with what the page shows of it. `more` is how many rows the table leaves out, ""
    if none."""

    answer: OddsAnswer
    charts: Sequence[ShownChart]
    table: ShownTable | None
    more: str
    hands: Sequence[Sequence[ShownPicture]]


def write_odds(
    title: str, language: str, accent: Accent, sections: Sequence[AnswerSection]
) -> bytes:
    """The page of a game's odds, in one file."""
    figures = [
        (str(section.answer.chance), section.answer.title)
        for section in sections
        if section.answer.chance is not None
    ]
    report = Report(f"{title}: the odds", _LEAD, language, accent, figures[:_MOST_FIGURES])
    shown = list(map(_show, sections))
    return write_report("odds.html", report, sections=shown, count_of=count_of)


def _show(section: AnswerSection) -> _ShownAnswer:
    answer = section.answer
    more = len(answer.rows) - _MOST_ROWS
    return _ShownAnswer(
        answer=answer,
        charts=list(_draw(answer)),
        table=_list_rows(answer) if answer.rows else None,
        more=f"{more:,}" if more > 0 else "",
        hands=section.hands,
    )


def _draw(answer: OddsAnswer) -> Iterator[ShownChart]:
    rows = [row for row in answer.rows if row.chance]
    numbers = {int(row.at or 0): row.chance.share for row in rows if row.chance}
    if answer.plot == "histogram" and numbers:
        chart = draw_histogram(
            numbers, answer.of_rows, f"{answer.title}: {answer.said[0]}", "chance"
        )
        yield ShownChart("How often each sum comes up", "", chart)
    elif answer.plot == "bars" and 0 < len(rows) <= _MOST_BARS:
        bars = list(map(_make_bar, rows))
        alt = f"{answer.title}: {', '.join(f'{bar.label} {bar.note}' for bar in bars)}"
        axis = ChartAxis(answer.of_rows, is_share=True, start=0.0)
        caption = _CAPTIONS.get(answer.kind, "{}").format(answer.heads[0])
        caption = caption[:1].upper() + caption[1:]
        yield ShownChart(caption, "", draw_bars(bars, axis, alt))
    if answer.curves:
        yield _draw_curves(answer)


def _make_bar(row: OddsRow) -> Bar:
    assert row.chance, "only chances are drawn"
    chance, note = row.chance, f"{100 * row.chance.share:.1f} %"
    if 0 < chance.share < _LEAST_SHOWN:
        note = "< 0.1 %"
    if chance.ways is not None:
        return Bar(row.label, chance.share, note=note)
    return Bar(row.label, chance.share, chance.low, chance.high, note)


def _draw_curves(answer: OddsAnswer) -> ShownChart:
    is_share = not any(not curve.has_line for curve in answer.curves)
    curves = [
        Curve(curve.label, curve.points, curve.has_line, curve.names) for curve in answer.curves
    ]
    up = ChartAxis(answer.up, True, 0.0, 1.0) if is_share else ChartAxis(answer.up)
    chart = draw_curves(curves, ChartAxis(answer.across), up, f"{answer.title}: {answer.said[0]}")
    caption = f"{answer.up.capitalize()}, by {answer.across}" if is_share else "Each card"
    return ShownChart(caption, "", chart)


def _list_rows(answer: OddsAnswer) -> ShownTable:
    """The rows, with a column of chances and one of notes if there are any."""
    has_chances = any(row.chance for row in answer.rows)
    has_notes = any(row.note for row in answer.rows)
    label, note = answer.heads
    return ShownTable(
        heads=[label, *(["chance"] if has_chances else []), *([note] if has_notes else [])],
        rows=[
            [
                row.label,
                *([str(row.chance or "")] if has_chances else []),
                *([row.note] if has_notes else []),
            ]
            for row in answer.rows[:_MOST_ROWS]
        ],
        numbers=(1,) if has_chances else (),
    )
