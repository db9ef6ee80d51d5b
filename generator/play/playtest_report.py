"""The page that shows the figures of a playtest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import decimal
from generator.export.site.pages import ShownPicture
from generator.play.figures import (
    FEW,
    Estimate,
    FigureChange,
    Figures,
    Histogram,
    PieceFigures,
    SkillStep,
    estimate_mean,
    find_findings,
    tell_precision,
    tell_skill,
)
from generator.web.charts import Bar, ChartAxis, Curve, draw_curves, draw_histogram, draw_intervals
from generator.web.shell import Accent, Report, ShownChart, TypeFace, write_report

_MOST_ROWS = 30  # of a chart; the table has all
_MOST_POINTS = 80  # of a curve
T = TypeVar("T")


class PlaytestPage(Struct, frozen=True):
    """A playtest to show.

    names: words for pieces, by their ids. bots: for all seats, or for each. command: the command
    line that repeats it. again: the one to go on with, "" if there is none. missing: what was not
    played, in words. broken: the bounds that do not hold, in words. faces: one or both sides of
    pieces, by their ids.
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
    figures = page.figures
    title = f"{page.title}, played {_count(figures.games, 'time')}"
    report = Report(title, "", page.language, page.accent, (), page.type_faces)
    findings = find_findings(figures)
    return write_report(
        "playtest.html",
        report,
        page=page,
        is_short=page.is_short,
        faces=page.pictures,
        symbols=page.symbols,
        names=page.names,
        findings=[found for found in findings if not (page.is_short and found.piece)],
        precision=tell_precision(figures),
        wins=list(_draw_wins(page)),
        piece_charts=[] if page.is_short else list(_draw_pieces(page)),
        course=[] if page.is_short else list(_draw_course(figures)),
        facts=[] if page.is_short else list(_draw_facts(figures)),
        skill=[_draw_skill(page)] if page.skill else [],
        watched=_count(figures.watched, "game"),
        decimal=decimal,
        mean=estimate_mean,
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
    chart = draw_intervals(seats, share, fair if several else None, "Share of wins of each seat")
    yield ShownChart("By seat", _shared_wins(figures), chart)
    if len(set(page.bots)) > 1:
        bots = [_bar(name, bot) for name, bot in figures.bots.items()]
        chart = draw_intervals(bots, share, fair, "Share of wins of each bot")
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
    chart = draw_intervals(bars, axis, None, "What puts the best ahead")
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
        chart = draw_intervals(rows, axis, 0.0, "Lift of each piece")
        yield ShownChart("Lift", note, chart)
    picked = [(piece, piece.picked) for piece in figures.pieces if piece.picked]
    picked.sort(key=lambda pair: -pair[1].value)
    if picked:
        rows = [_piece_bar(page, *pair) for pair in _ends(picked, _MOST_ROWS)]
        axis = ChartAxis("taken, of the times it could be", is_share=True)
        chart = draw_intervals(rows, axis, None, "Pick rate of each piece")
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
        chart = draw_curves([curve], across, up, title)
        yield ShownChart(title, "On average, at each choice of a game.", chart)
    if len(figures.seats) > 1:
        chart = _histogram(figures.leads, "lead changes")
        yield ShownChart("Lead changes", _mean_of(figures.leads), chart)
        chart = _histogram(figures.decided, "percent of the game")
        behind = decimal(figures.behind.value, 1)
        part = next(iter(figures.points))
        yield ShownChart("Decided after", f"On average the later winner is {behind} {part}s behind.", chart)


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


def _histogram(values: Histogram, across: str) -> Markup:
    return draw_histogram(values or {0: 1}, across, f"How often: {across}")


def _bar(label: str, estimate: Estimate) -> Bar:
    return Bar(label, estimate.value / 100, estimate.low / 100, estimate.high / 100)


def _ends(rows: Sequence[T], most: int) -> Iterable[T]:
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
