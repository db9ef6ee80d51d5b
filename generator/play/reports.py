"""The pages that show the figures of a playtest, and the answers about a game’s cards.

They have plots and tables, and pictures of pieces or of sample hands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from math import ceil
from typing import TypeVar

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import count_of
from generator.basics.geometry import decimal
from generator.export.site.pages import ShownPicture
from generator.play import figures
from generator.play.figures import FEW, Estimate, FigureChange, Figures, Histogram, PieceFigures, SkillStep
from generator.play.odds.answers import OddsAnswer, OddsRow
from generator.web import charts
from generator.web.charts import Bar, ChartAxis, Curve
from generator.web.shell import Accent, Report, ShownChart, TypeFace, write_report

_MOST_ROWS = 30  # of a chart; the table has all
_MOST_POINTS = 80  # of a curve
T = TypeVar("T")
_MOST_BARS = 24
_MOST_FIGURES = 4
_SMALL = 250.0  # the width of one of several charts with the same axes
_LEAD = "From the game's tables alone. An answer is exact, or says how many random hands it is of."
_LEAST_SHOWN = 0.0005
_CENSUSES = ("curve", "deck")


class PlaytestPage(Struct, frozen=True):
    """A playtest to show.

    names: words for pieces, by their ids. bots: for all seats, or for each. command: the command line that repeats it.
    again: the one to go on with, "" if there is none. missing: what was not played, in words. broken: the bounds that
    do not hold, in words. faces: one or both sides of pieces, by their ids.
    """

    title: str
    language: str
    accent: Accent
    figures: Figures
    bots: Sequence[str]
    rules: Mapping[str, str]
    names: Mapping[str, str]
    command: str
    again: str = ""
    missing: str = ""
    other: str = ""
    changes: Sequence[FigureChange] = ()
    broken: Sequence[str] = ()
    skill: Sequence[SkillStep] = ()
    faces: Mapping[str, Sequence[ShownPicture]] = {}
    type_faces: Sequence[TypeFace] = ()

    @property
    def is_short(self) -> bool:
        """Whether it shows no more than who wins."""
        return self.figures.games < FEW

    @property
    def symbols(self) -> dict[str, str]:
        """The ids of the symbols of faces, by those of pieces."""
        numbers = {sides: number for number, sides in enumerate(self.pictures, 1)}
        return {piece: f"face-{numbers[tuple(sides)]}" for piece, sides in self.faces.items()}

    @property
    def pictures(self) -> list[tuple[ShownPicture, ...]]:
        """Each once."""
        return list(dict.fromkeys(map(tuple, self.faces.values())))


def write_playtest_page(page: PlaytestPage) -> bytes:
    """The page as one HTML file."""
    played = page.figures
    title = f"{page.title}, played {count_of(played.games, 'time')}"
    report = Report(title, "", page.language, page.accent, (), page.type_faces)
    findings = figures.find_findings(played)
    return write_report(
        "playtest.html",
        report,
        page=page,
        symbols=page.symbols,
        findings=[found for found in findings if not (page.is_short and found.piece)],
        precision=figures.tell_precision(played),
        wins=list(_draw_wins(page)),
        piece_charts=[] if page.is_short else list(_draw_pieces(page)),
        course=[] if page.is_short else list(_draw_course(played)),
        facts=[]
        if page.is_short
        else [
            ShownChart(name.capitalize(), _mean_of(values), _histogram(values, name))
            for name, values in played.facts.items()
        ],
        skill=[_draw_skill(page)] if page.skill else [],
        watched=count_of(played.watched, "game"),
        decimal=decimal,
        mean=figures.estimate_mean,
        percent=_percent,
        signed=_signed,
        say=_say,
    )


def _draw_wins(page: PlaytestPage) -> Iterator[ShownChart]:
    figures = page.figures
    fair = sum(seat.value for seat in figures.seats) / len(figures.seats) / 100
    seats = [_bar(f"seat {number}", seat) for number, seat in enumerate(figures.seats, 1)]
    share = ChartAxis("share of wins", is_share=True)
    several = len(figures.seats) > 1
    chart = charts.draw_intervals(seats, share, fair if several else None, "Share of wins of each seat")
    yield ShownChart("By seat", _shared_wins(figures), chart)
    if len(set(page.bots)) > 1:
        bots = [_bar(name, bot) for name, bot in figures.bots.items()]
        chart = charts.draw_intervals(bots, share, fair, "Share of wins of each bot")
        yield ShownChart("By bot", "They take turns at the seats.", chart)
    if page.is_short:
        return
    for part, seats_ in figures.points.items():
        for number, points in enumerate(seats_, 1):
            chart = _histogram(points, f"{part}s")
            yield ShownChart(f"{part.capitalize()}s of seat {number}", _mean_of(points), chart)
    if several:
        yield _draw_margin(figures)


def _draw_margin(figures: Figures) -> ShownChart:
    if len(figures.ahead) == 1:
        chart = _histogram(figures.margins, "points")
        return ShownChart("Margin", "The best over the second best.", chart)
    bars = [_bar(f"{part}s", share) for part, share in figures.ahead.items()]
    axis = ChartAxis("share of games", is_share=True)
    chart = charts.draw_intervals(bars, axis, None, "What puts the best ahead")
    return ShownChart("Margin", "By what the best is ahead of the second best: the first of these that differs.", chart)


def _shared_wins(figures: Figures) -> str:
    said = []
    if len(figures.seats) > 1:
        said.append(f"{_percent(figures.shared.value)} of the games are shared.")
    if figures.nobody.value:
        said.append(f"Nobody wins {_percent(figures.nobody.value)}.")
    return " ".join(said)


def _draw_pieces(page: PlaytestPage) -> Iterator[ShownChart]:
    figures = page.figures
    lifted = [(piece, piece.lift) for piece in figures.pieces if piece.lift]
    if lifted:
        rows = [_piece_bar(page, *pair) for pair in _ends(lifted, _MOST_ROWS)]
        axis = ChartAxis("wins more often, points of percent", is_share=True)
        note = "How much more often a seat wins that ends with it. Hollow: no sure difference."
        chart = charts.draw_intervals(rows, axis, 0.0, "Lift of each piece")
        yield ShownChart("Lift", note, chart)
    picked = [(piece, piece.picked) for piece in figures.pieces if piece.picked]
    picked.sort(key=lambda pair: -pair[1].value)
    if picked:
        rows = [_piece_bar(page, *pair) for pair in _ends(picked, _MOST_ROWS)]
        axis = ChartAxis("taken, of the times it could be", is_share=True)
        chart = charts.draw_intervals(rows, axis, None, "Pick rate of each piece")
        yield ShownChart("Pick rate", "How often it is taken before another.", chart)


def _piece_bar(page: PlaytestPage, piece: PieceFigures, estimate: Estimate) -> Bar:
    bar = _bar(page.names.get(piece.piece, piece.piece), estimate)
    return replace(bar, face=page.symbols.get(piece.piece, ""))


def _draw_course(figures: Figures) -> Iterator[ShownChart]:
    moves = figures.moves
    if len(moves) > 1:
        note = f"{_mean_of(moves)} Moves without a choice do not count."
        yield ShownChart("Length", note, _histogram(moves, "choices"))
    if figures.choices:
        title = "Moves to choose from"
        curve = Curve("moves", list(enumerate(figures.choices[:_MOST_POINTS], 1)))
        across, up = ChartAxis("choice of the game"), ChartAxis("moves", start=0.0)
        chart = charts.draw_curves([curve], across, up, title)
        yield ShownChart(title, "On average, at each choice of a game.", chart)
    if len(figures.seats) > 1:
        chart = _histogram(figures.leads, "lead changes")
        yield ShownChart("Lead changes", _mean_of(figures.leads), chart)
        chart = _histogram(figures.decided, "percent of the game")
        behind = decimal(figures.behind.value, 1)
        part = next(iter(figures.points))
        yield ShownChart("Decided after", f"On average the later winner is {behind} {part}s behind.", chart)


def _draw_skill(page: PlaytestPage) -> ShownChart:
    fair = 1 / len(page.figures.seats)
    rows = [_bar(f"{step.stronger} against {step.weaker}", step.wins) for step in page.skill]
    axis = ChartAxis("share of wins", is_share=True)
    reference = fair if len(page.figures.seats) > 1 else None
    chart = charts.draw_intervals(rows, axis, reference, "Share of wins of each bot against a weaker one")
    note = " ".join(f"{lesson[0].upper()}{lesson[1:]}." for lesson in figures.tell_skill(page.skill))
    return ShownChart("Each bot against a weaker one", note, chart)


def _histogram(values: Histogram, across: str) -> Markup:
    return charts.draw_histogram(values or {0: 1}, across, f"How often: {across}")


def _bar(label: str, estimate: Estimate) -> Bar:
    return Bar(label, estimate.value / 100, estimate.low / 100, estimate.high / 100)


def _ends(rows: Sequence[T], most: int) -> Iterable[T]:
    return rows if len(rows) <= most else [*rows[: most // 2], *rows[-(most // 2) :]]


def _mean_of(values: Histogram) -> str:
    return f"On average {decimal(figures.estimate_mean(values).value, 1)}."


def _percent(value: float) -> str:
    return f"{decimal(value, 1)} %"


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value):.1f}"


def _say(estimate: Estimate) -> str:
    return _percent(estimate.value) if estimate.unit else decimal(estimate.value, 2)


class AnswerSection(Struct, frozen=True):
    """An answer, and random hands of its deck as pictures."""

    answer: OddsAnswer
    hands: Sequence[Sequence[ShownPicture]]


class _ShownAnswer(AnswerSection, frozen=True):
    charts: Sequence[ShownChart]


class _ShownGroup(Struct, frozen=True):
    """One answer, or several in a row whose charts have the same axes, and what their titles have in common."""

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
    """The axes that charts in a row share; for an answer that stands alone, its number."""
    number, section = numbered
    answer = section.answer
    if answer.kind != "draw" or answer.samples:
        return number
    return answer.component, answer.hand, answer.of_rows, answer.heads, answer.across, answer.up


def _show_group(sections: Sequence[AnswerSection]) -> _ShownGroup:
    if len(sections) == 1:
        return _ShownGroup(sections[0].answer.title, [_show_answer(sections[0])])
    titles = [section.answer.title.split() for section in sections]
    first = _find_common(titles)
    last = _find_common([title[len(first) :][::-1] for title in titles])
    words = [*first, "…", *reversed(last)] if first or last else [sections[0].answer.component]
    shares = [row.chance.share for part in sections for row in part.answer.rows if row.chance]
    end = ceil(10 * max(shares, default=1.0)) / 10
    return _ShownGroup(" ".join(words), [_show_answer(section, _SMALL, end) for section in sections])


def _find_common(titles: Sequence[Sequence[str]]) -> list[str]:
    rows = zip(*titles, strict=False)
    return [words[0] for words in takewhile(lambda words: len(set(words)) == 1, rows)]


def _show_answer(section: AnswerSection, width: float = charts.USUAL_WIDTH, end: float | None = None) -> _ShownAnswer:
    """`end` is that of the axis of the bars; None where the longest bar ends."""
    return _ShownAnswer(section.answer, section.hands, list(_draw_answer(section.answer, width, end)))


def _draw_answer(answer: OddsAnswer, width: float, end: float | None) -> Iterator[ShownChart]:
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
