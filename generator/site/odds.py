"""Take the answers about a game’s cards, write their page: plots, tables and sample hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from generator.errors import count_of
from generator.odds.answers import OddsAnswer, OddsRow
from generator.site.charts import Bar, ChartAxis, Curve, draw_bars, draw_curves, draw_histogram
from generator.site.content import ShownPicture
from generator.site.contrast import Accent
from generator.site.markup import Markup, element, join
from generator.site.report import (
    Report,
    ReportSection,
    ShownChart,
    show_charts,
    show_table,
    write_report,
)

_MOST_BARS = 24
_MOST_ROWS = 200  # of a table
_MOST_FIGURES = 4
_LEAD = "From the game's tables alone. An answer is exact, or says how many random hands it is of."
_LEAST_SHOWN = 0.0005
_CAPTIONS = {
    "curve": "cards by {}",
    "deck": "cards by {}",
}


class AnswerSection(Struct, frozen=True):
    """An answer, and random hands of its deck as pictures."""

    answer: OddsAnswer
    hands: Sequence[Sequence[ShownPicture]]


def write_odds(
    title: str, language: str, accent: Accent, sections: Sequence[AnswerSection]
) -> bytes:
    """The page of a game's odds, in one file."""
    figures = [
        (str(one.answer.chance), one.answer.title)
        for one in sections
        if one.answer.chance is not None
    ]
    report = Report(
        title=f"{title}: the odds",
        lead=_LEAD,
        language=language,
        accent=accent,
        figures=figures[:_MOST_FIGURES],
        sections=[
            ReportSection(f"answer-{number}", one.answer.title, _show(one))
            for number, one in enumerate(sections, 1)
        ],
    )
    return write_report(report)


def _show(section: AnswerSection) -> Markup:
    answer = section.answer
    origin = element("p", f"{answer.component}, {answer.method}", class_="note")
    said = [element("p", sentence) for sentence in answer.said]
    charts = list(_draw(answer))
    return join(
        origin,
        said,
        show_charts(charts) if charts else None,
        _show_rows(answer, is_folded=bool(charts)),
        _show_hands(section.hands),
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
    curves = [Curve(one.label, one.points, one.has_line, one.names) for one in answer.curves]
    up = ChartAxis(answer.up, True, 0.0, 1.0) if is_share else ChartAxis(answer.up)
    chart = draw_curves(curves, ChartAxis(answer.across), up, f"{answer.title}: {answer.said[0]}")
    caption = f"{answer.up.capitalize()}, by {answer.across}" if is_share else "Each card"
    return ShownChart(caption, "", chart)


def _show_rows(answer: OddsAnswer, *, is_folded: bool) -> Markup | None:
    if not answer.rows:
        return None
    has_chances = any(row.chance for row in answer.rows)
    middle = ["chance"] if has_chances else []
    rows = [
        [row.label, *([str(row.chance or "")] if has_chances else []), row.note]
        for row in answer.rows[:_MOST_ROWS]
    ]
    has_notes = any(row.note for row in answer.rows)
    heads = [answer.heads[0], *middle, answer.heads[1]]
    if not has_notes:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    table = show_table(heads, rows, (1,) if has_chances else ())
    more = len(answer.rows) - len(rows)
    rest = element("p", f"And {more:,} more: pnp odds --format json", class_="note")
    shown = join(table, rest if more else None)
    if not is_folded:
        return shown
    return element("details", element("summary", count_of(len(answer.rows), "number")), shown)


def _show_hands(hands: Sequence[Sequence[ShownPicture]]) -> Markup | None:
    if not hands:
        return None
    shown = [element("ul", map(_show_card, hand), class_="hand") for hand in hands]
    return join(element("h3", "Random hands"), element("div", shown, class_="hands"))


def _show_card(card: ShownPicture) -> Markup:
    image = element(
        "img", src=card.address, width=card.width, height=card.height, alt=card.alt, loading="lazy"
    )
    return element("li", image)
