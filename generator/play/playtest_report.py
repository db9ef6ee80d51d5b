"""The page that shows the figures of a playtest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from markupsafe import Markup
from msgspec import Struct

from generator.basics.geometry import decimal
from generator.play.figures import (
    Estimate,
    FigureChange,
    Figures,
    Finding,
    Histogram,
    PieceFigures,
    SkillStep,
    estimate_mean,
    find_findings,
    tell_precision,
    tell_skill,
)
from generator.web.charts import Bar, ChartAxis, Curve, draw_curves, draw_histogram, draw_intervals
from generator.web.shell import Accent, Report, ShownChart, ShownTable, write_report

_MOST_ROWS = 30  # of a chart; the table has all
_MOST_POINTS = 80  # of a curve
T = TypeVar("T")


class PlaytestPage(Struct, frozen=True):
    """A playtest to show.

    names: words for pieces, by their ids. bots: for all seats, or for each. command: the command
    line that repeats it. missing: what was not played, in words. broken: the bounds that do not
    hold, in words.
    """

    title: str
    language: str
    accent: Accent
    figures: Figures
    bots: Sequence[str]
    rules: Mapping[str, str]
    names: Mapping[str, str]
    command: str
    missing: str = ""
    other: str = ""
    changes: Sequence[FigureChange] = ()
    broken: Sequence[str] = ()
    skill: Sequence[SkillStep] = ()


def write_playtest_page(page: PlaytestPage) -> bytes:
    """The page as one HTML file."""
    figures = page.figures
    report = Report(
        title=f"{page.title}, played {_count(figures.games, 'time')}",
        lead=_describe_way(page),
        language=page.language,
        accent=page.accent,
        figures=_main_figures(figures),
    )
    return write_report(
        "playtest.html",
        report,
        page=page,
        findings=[_name_in(page.names, finding) for finding in find_findings(figures)],
        precision=tell_precision(figures),
        changes=_list_changes(page) if page.changes else None,
        wins=list(_draw_wins(page)),
        piece_charts=list(_draw_pieces(page)),
        pieces=_list_pieces(page) if figures.pieces else None,
        course=list(_draw_course(figures)),
        facts=list(_draw_facts(figures)),
        skill=[_draw_skill(page)] if page.skill else [],
        watched=_count(figures.watched, "game"),
    )


def _describe_way(page: PlaytestPage) -> str:
    bots = page.bots[0] if len(set(page.bots)) == 1 else " against ".join(page.bots)
    every = "Every seat is played by the bot" if len(set(page.bots)) == 1 else "The bots are"
    rules = ", ".join(f"{name} = {value}" for name, value in page.rules.items())
    missing = f" This is not the whole series: {page.missing}." if page.missing else ""
    return f"{every} {bots}." + (f" Rules: {rules}." if rules else "") + missing


def _main_figures(figures: Figures) -> list[tuple[str, str]]:
    shown = [
        (_percent(seat.value), f"wins by seat {number}")
        for number, seat in enumerate(figures.seats[:4], 1)
    ]
    if len(figures.seats) > 1:
        shown += [(_percent(figures.shared.value), "shared wins")]
        shown += [(decimal(estimate_mean(figures.leads).value, 1), "lead changes a game")]
    return [*shown, (decimal(estimate_mean(figures.moves).value, 1), "choices a game")]


def _name_in(names: Mapping[str, str], finding: Finding) -> str:
    """A finding with the piece's name in the place of its id, which it begins with."""
    piece = finding.piece
    return names.get(piece, piece) + finding.text.removeprefix(piece)


def _draw_wins(page: PlaytestPage) -> Iterator[ShownChart]:
    figures = page.figures
    fair = sum(seat.value for seat in figures.seats) / len(figures.seats) / 100
    seats = [_bar(f"seat {number}", seat) for number, seat in enumerate(figures.seats, 1)]
    share = ChartAxis("share of wins", is_share=True)
    several = len(figures.seats) > 1
    chart = draw_intervals(seats, share, fair if several else None, "Share of wins of each seat")
    yield ShownChart("By seat", _shared_wins(figures), chart)
    if len(set(page.bots)) > 1:
        bots = [_bar(name, bot) for name, bot in figures.bots.items()]
        chart = draw_intervals(bots, share, fair, "Share of wins of each bot")
        yield ShownChart("By bot", "They take turns at the seats.", chart)
    for part, seats_ in figures.points.items():
        for number, points in enumerate(seats_, 1):
            chart = _histogram(points, f"{part}s")
            name = f"{part.capitalize()}s of seat {number}"
            yield ShownChart(name, _mean_of(points), chart)
    if several:
        yield _draw_margin(figures)


def _draw_margin(figures: Figures) -> ShownChart:
    if len(figures.ahead) == 1:
        chart = _histogram(figures.margins, "points")
        return ShownChart("Margin", "The best over the second best.", chart)
    bars = [_bar(f"{part}s", share) for part, share in figures.ahead.items()]
    axis = ChartAxis("share of games", is_share=True)
    chart = draw_intervals(bars, axis, None, "What puts the best ahead")
    note = "By what the best is ahead of the second best: the first of these that differs."
    return ShownChart("Margin", note, chart)


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
        rows = [_bar(_label(page, piece), lift) for piece, lift in _ends(lifted, _MOST_ROWS)]
        axis = ChartAxis("wins more often, points of percent", is_share=True)
        note = "How much more often a seat wins that ends with it. Hollow: no sure difference."
        chart = draw_intervals(rows, axis, 0.0, "Lift of each piece")
        yield ShownChart("Lift", note, chart)
    picked = [(piece, piece.picked) for piece in figures.pieces if piece.picked]
    picked.sort(key=lambda pair: -pair[1].value)
    if picked:
        rows = [_bar(_label(page, piece), rate) for piece, rate in _ends(picked, _MOST_ROWS)]
        axis = ChartAxis("taken, of the times it could be", is_share=True)
        chart = draw_intervals(rows, axis, None, "Pick rate of each piece")
        yield ShownChart("Pick rate", "How often it is taken before another.", chart)


def _list_pieces(page: PlaytestPage) -> ShownTable:
    heads = ("piece", "held", "lift", "interval", "offered", "picked", "by chance")
    rows = [_piece_row(page, piece) for piece in page.figures.pieces]
    return ShownTable(heads, rows, range(1, 7))


def _piece_row(page: PlaytestPage, piece: PieceFigures) -> list[str]:
    lift, picked = piece.lift, piece.picked
    return [
        _label(page, piece),
        f"{piece.held:,}",
        _signed(lift.value) if lift else "",
        f"{_signed(lift.low)} to {_signed(lift.high)}" if lift else "",
        f"{piece.offered:,}",
        _percent(picked.value) if picked else "",
        _percent(piece.expected) if picked else "",
    ]


def _label(page: PlaytestPage, piece: PieceFigures) -> str:
    return page.names.get(piece.piece, piece.piece)


def _draw_course(figures: Figures) -> Iterator[ShownChart]:
    moves = figures.moves
    if len(moves) > 1:
        note = f"{_mean_of(moves)} Moves without a choice do not count."
        yield ShownChart("Length", note, _histogram(moves, "choices"))
    if figures.choices:
        points = [(number, mean) for number, mean in enumerate(figures.choices[:_MOST_POINTS], 1)]
        across = ChartAxis("choice of the game")
        chart = draw_curves(
            [Curve("moves", points)], across, ChartAxis("moves", start=0.0), "Moves to choose from"
        )
        yield ShownChart("Moves to choose from", "On average, at each choice of a game.", chart)
    if len(figures.seats) > 1:
        chart = _histogram(figures.leads, "lead changes")
        yield ShownChart("Lead changes", _mean_of(figures.leads), chart)
        chart = _histogram(figures.decided, "percent of the game")
        behind = decimal(figures.behind.value, 1)
        part = next(iter(figures.points))
        note = f"On average the later winner is {behind} {part}s behind."
        yield ShownChart("Decided after", note, chart)


def _draw_facts(figures: Figures) -> Iterator[ShownChart]:
    for name, values in figures.facts.items():
        yield ShownChart(name.capitalize(), _mean_of(values), _histogram(values, name))


def _draw_skill(page: PlaytestPage) -> ShownChart:
    fair = 1 / len(page.figures.seats)
    rows = [_bar(f"{step.stronger} against {step.weaker}", step.wins) for step in page.skill]
    axis = ChartAxis("share of wins", is_share=True)
    reference = fair if len(page.figures.seats) > 1 else None
    chart = draw_intervals(rows, axis, reference, "Share of wins of each bot against a weaker one")
    note = " ".join(f"{lesson[0].upper()}{lesson[1:]}." for lesson in tell_skill(page.skill))
    return ShownChart("Each bot against a weaker one", note, chart)


def _list_changes(page: PlaytestPage) -> ShownTable:
    """The figures that differ for sure first, and bold."""
    order = sorted(page.changes, key=lambda change: not change.is_certain)
    rows = [
        [
            change.name,
            _say(change.old),
            _say(change.new),
            _signed(change.difference.value),
            f"{_signed(change.difference.low)} to {_signed(change.difference.high)}",
        ]
        for change in order
    ]
    heads = ("figure", page.other, "this one", "difference", "interval")
    sure = sum(change.is_certain for change in order)
    return ShownTable(heads, rows, range(1, 5), bold=sure)


def _histogram(values: Histogram, across: str) -> Markup:
    return draw_histogram(values or {0: 1}, across, f"How often: {across}")


def _bar(label: str, estimate: Estimate) -> Bar:
    return Bar(label, estimate.value / 100, estimate.low / 100, estimate.high / 100)


def _ends(rows: Sequence[T], most: int) -> Iterable[T]:
    """All rows, or the first and the last of many."""
    return rows if len(rows) <= most else [*rows[: most // 2], *rows[-(most // 2) :]]


def _mean_of(values: Histogram) -> str:
    return f"On average {decimal(estimate_mean(values).value, 1)}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _percent(value: float) -> str:
    return f"{decimal(value, 1)} %"


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value):.1f}"


def _say(estimate: Estimate) -> str:
    return _percent(estimate.value) if estimate.unit else decimal(estimate.value, 2)
