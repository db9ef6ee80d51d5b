"""Figures of a playtest, each with the interval in which its true value lies, 19 times of 20."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, pi, sqrt, tan
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from generator.play.batches import Counts, Tally
from generator.play.bots import tries_of
from generator.play.engine import split_score
from generator.play.odds.answers import DOUBT, bound_share, find_deviations

Histogram = Mapping[int, int]  # how often each value occurred


class Estimate(Struct, frozen=True):
    """A figure with its interval, which is infinite where a single game cannot tell. `unit` is "%"
    if the figure is a share in percent."""

    value: float
    low: float
    high: float
    unit: str = ""

    def __str__(self) -> str:
        unit = " %" if self.unit else ""
        return f"{self.value:z.1f}{unit} ({self.low:z.1f} to {self.high:z.1f})"

    def minus(self, other: float) -> Estimate:
        return replace(self, value=self.value - other, low=self.low - other, high=self.high - other)


class PieceFigures(Struct, frozen=True):
    """A piece in a playtest.

    held: in how many games a seat ended with it. lift: by how much these seats win more often than
    the same seats do in all games. offered: how often a seat could choose it or something else.
    picked: how often it then did. expected: how often it would by chance, in percent.
    """

    piece: str
    held: int
    lift: Estimate | None
    offered: int
    picked: Estimate | None
    expected: float


class Figures(Struct, frozen=True):
    """The figures of a playtest. A win that n seats share counts as 1/n for each.

    bots: the share of wins of each bot, by its name. scores_held: as of the engine.
    points: for each part of a score, by its name, how often each seat had how many. ahead: by which
    part the best is ahead of the second best, how often. margins: by how much. margins, behind: of
    the first part.
    """

    games: int
    watched: int
    seats: Sequence[Estimate]
    bots: Mapping[str, Estimate]
    shared: Estimate
    nobody: Estimate
    points: Mapping[str, Sequence[Histogram]]
    ahead: Mapping[str, Estimate]
    margins: Histogram
    moves: Histogram
    choices: Sequence[float]
    leads: Histogram
    decided: Histogram
    behind: Estimate
    facts: Mapping[str, Histogram]
    pieces: Sequence[PieceFigures]
    scores_held: bool = False


def estimate_share(part: float, whole: int) -> Estimate:
    """A share in percent. For parts that are not whole, as of shared wins, its interval is a little too wide."""
    if not whole:
        return Estimate(0.0, 0.0, 100.0, "%")
    low, high = bound_share(part, whole)
    return Estimate(100 * part / whole, 100 * low, 100 * high, "%")


def estimate_mean(values: Histogram, most: float = inf) -> Estimate:
    """The mean of values up to `most`, with its interval by Student's t. If all of them are 0 or 1,
    it is a share. A mean of counts is not below 0."""
    number = sum(values.values())
    if not number:
        return Estimate(0.0, -inf, most)
    mean = sum(value * times for value, times in values.items()) / number
    if values.keys() <= {0, 1}:
        return Estimate(mean, *bound_share(values.get(1, 0), number))
    squares = sum((value - mean) ** 2 * times for value, times in values.items())
    spread = find_t(number - 1) * sqrt(squares / (number - 1) / number) if number > 1 else inf
    least = 0.0 if min(values) >= 0 else -inf
    return Estimate(mean, max(mean - spread, least), min(mean + spread, most))


def find_t(degrees: int) -> float:
    """How many standard errors on either side leave the usual doubt under Student's distribution:
    exact for 1 and 2 degrees of freedom, else by Abramowitz and Stegun 26.7.5, within 0.003."""
    if degrees == 1:
        return tan(pi * (1 - DOUBT) / 2)
    if degrees == 2:
        return (1 - DOUBT) / sqrt((1 - DOUBT / 2) * DOUBT)
    z = find_deviations()
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(degrees) ** power for power, term in enumerate(terms, 1))


def find_figures(
    counts: Counts, seats: int, bots: Sequence[str], parts: Sequence[str] = ("point",), *, scores_held: bool = False
) -> Figures:
    """The figures of games of so many seats, and of the bots that took turns at them. `parts`: what a score counts."""
    shares = [0.0] * seats
    for winners, times in counts.winners.items():
        for seat in winners:
            shares[int(seat)] += times / len(winners)
    ties = sum(times for winners, times in counts.winners.items() if len(winners) > 1)
    return Figures(
        games=counts.games,
        watched=counts.watched,
        seats=[estimate_share(share, counts.games) for share in shares],
        bots={name: _share_of_bot(counts.bots, name, bots) for name in dict.fromkeys(bots)},
        shared=estimate_share(ties, counts.games),
        nobody=estimate_share(counts.winners[()], counts.games),
        points={
            part: [_part_of(_histogram_of(counts.scores, seat), place, len(parts)) for seat in range(seats)]
            for place, part in enumerate(parts)
        },
        ahead=_shares_ahead(counts, parts),
        margins=_part_of(_histogram(counts.margins), 0, len(parts)),
        moves=_histogram(counts.moves),
        choices=_mean_choices(counts.choices),
        leads=_histogram(counts.leads),
        decided=_histogram(counts.decided),
        behind=estimate_mean(_part_of(_histogram(counts.behind), 0, len(parts))),
        facts={str(name): _histogram_of(counts.facts, name) for name, _ in sorted(counts.facts)},
        pieces=_piece_figures(counts, [share / max(counts.games, 1) for share in shares]),
        scores_held=scores_held,
    )


def _histogram(tally: Tally) -> Histogram:
    return {int(value): tally[value,] for (value,) in sorted(tally)}


def _histogram_of(tally: Tally, name: str | int) -> Histogram:
    return {int(key[1]): tally[key] for key in sorted(tally) if key[0] == name}


def _part_of(scores: Histogram, place: int, parts: int) -> Histogram:
    """How often the part of that place in a score had each value."""
    found: Counter[int] = Counter()
    for score, times in scores.items():
        found[split_score(score, parts)[place]] += times
    return dict(sorted(found.items()))


def _shares_ahead(counts: Counts, parts: Sequence[str]) -> dict[str, Estimate]:
    """How often the best is ahead of the second best by each part of the score."""
    found: Counter[str] = Counter()
    for margin, times in _histogram(counts.margins).items():
        shares = zip(parts, split_score(margin, len(parts)), strict=True)
        if first := next((part for part, share in shares if share), None):
            found[first] += times
    return {part: estimate_share(found[part], counts.games) for part in parts}


def _share_of_bot(tally: Tally, name: str, bots: Sequence[str]) -> Estimate:
    """The share of wins of all bots of a name, from a tally (place of a bot, number of winners)."""
    times: Counter[int] = Counter()
    for place, bot in enumerate(bots):
        if bot == name:
            times.update(_histogram_of(tally, place))
    return estimate_share(_wins(times), times.total())


def _wins(times: Histogram) -> float:
    return sum(number / winners for winners, number in times.items() if winners)


def _mean_choices(tally: Tally) -> list[float]:
    by_decision: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for (decision, choices), times in tally.items():
        by_decision[int(decision)][int(choices)] += times
    return [estimate_mean(by_decision[decision]).value for decision in sorted(by_decision)]


def _piece_figures(counts: Counts, usual: Sequence[float]) -> list[PieceFigures]:
    """The figures of the pieces, the strongest first. `usual` is the share of wins of each seat: where colours
    belong to seats, a seat that wins more often makes none of its pieces strong."""
    held: defaultdict[str, Counter[int]] = defaultdict(Counter)
    # wins of the seats that held a piece, if it did nothing
    due: defaultdict[str, float] = defaultdict(float)
    for (piece, seat, winners), times in counts.held.items():
        held[str(piece)][int(winners)] += times
        due[str(piece)] += times * usual[int(seat)]
    offers: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for (piece, number), times in counts.offered.items():
        offers[str(piece)][int(number)] += times
    figures = []
    for piece in sorted({*held, *offers}):
        ends, offered = held[piece], offers[piece].total()
        number = ends.total()
        share = estimate_share(_wins(ends), number)
        lift = share.minus(100 * due[piece] / number) if number else None
        picked = estimate_share(counts.chosen[piece,], offered) if offered else None
        chance = sum(times / number for number, times in offers[piece].items())
        expected = 100 * chance / max(offered, 1)
        figures.append(PieceFigures(piece, number, lift, offered, picked, expected))
    return sorted(figures, key=_strength)


def _strength(piece: PieceFigures) -> float:
    if piece.lift:
        return -piece.lift.value
    return -piece.picked.value if piece.picked else 0.0


def name_estimates(figures: Figures) -> dict[str, Estimate]:
    """The figures that have a name: of these a game may set bounds, and versions are compared."""
    named = {f"seat {seat} wins": estimate for seat, estimate in enumerate(figures.seats, 1)}
    if len(figures.bots) > 1:
        named |= {f"{bot} wins": share for bot, share in figures.bots.items()}
    named |= {"shared wins": figures.shared, "games without a winner": figures.nobody}
    named |= {
        f"{part}s of seat {seat}": estimate_mean(points)
        for part, seats in figures.points.items()
        for seat, points in enumerate(seats, 1)
    }
    named["choices made"] = estimate_mean(figures.moves)
    if len(figures.seats) > 1:
        if len(figures.ahead) > 1:
            named |= {f"ahead by {part}s": share for part, share in figures.ahead.items()}
        else:
            named["margin"] = estimate_mean(figures.margins)
        named["lead changes"] = estimate_mean(figures.leads)
        named["decided after"] = replace(estimate_mean(figures.decided, 100.0), unit="%")
    named |= {name: estimate_mean(values) for name, values in figures.facts.items()}
    for piece in figures.pieces:
        if piece.lift:
            named[f"lift of {piece.piece}"] = piece.lift
        if piece.picked:
            named[f"pick rate of {piece.piece}"] = piece.picked
    return named


class FigureChange(Struct, frozen=True):
    """A named figure of two versions, and how sure it is that it differs."""

    name: str
    old: Estimate
    new: Estimate
    difference: Estimate

    @property
    def is_certain(self) -> bool:
        return not self.difference.low <= 0 <= self.difference.high


_LESSONS = ("the choices matter", "looking ahead pays", "thinking longer pays")  # if so many search


class SkillStep(Struct, frozen=True):
    """A bot and a weaker one, at one table or each alone.

    wins: its share. lead: by how much that is more than its share of the seats, or alone more than
    the weaker one wins, with an interval for several looks at it.
    """

    stronger: str
    weaker: str
    wins: Estimate
    lead: Estimate

    @property
    def is_shown(self) -> bool:
        return self.lead.low > 0


def find_lead(wins: Estimate, usual: Estimate, looks: int) -> Estimate:
    """How much more often a bot wins than usual. `looks`: how often that is asked at most."""
    return _widen(_subtract(usual, wins), DOUBT / looks)


def tell_skill(steps: Sequence[SkillStep]) -> Iterator[str]:
    """Sentences on what follows from each step up, and from all if none was shown."""
    for step in steps:
        if not step.is_shown:
            yield f"{step.stronger} is left out: {step.wins} shows no step up from {step.weaker}"
            continue
        thinking = bool(tries_of(step.stronger)) + bool(tries_of(step.weaker))
        yield f"{step.stronger} beats {step.weaker} with {step.wins} of the wins: {_LESSONS[thinking]}"
    if steps and not any(step.is_shown for step in steps):
        yield "no step up was shown: luck decides, or these bots do not see what counts"


def compare(old: Mapping[str, Estimate], new: Mapping[str, Estimate]) -> list[FigureChange]:
    """The figures that both versions have, with the interval of their difference.

    The same seeds make it a little too wide: games that did not change cancel out.
    """
    return [FigureChange(name, old[name], new[name], _subtract(old[name], new[name])) for name in new if name in old]


def _subtract(old: Estimate, new: Estimate) -> Estimate:
    """The interval of a difference, by Newcombe's method (1998, number 10)."""
    value = new.value - old.value
    low = value - sqrt((new.value - new.low) ** 2 + (old.high - old.value) ** 2)
    high = value + sqrt((new.high - new.value) ** 2 + (old.value - old.low) ** 2)
    return Estimate(value, low, high, new.unit)


class Finding(Struct, frozen=True):
    """Something that a designer may act on, in a sentence; `piece` is "" if it is of no piece."""

    text: str
    piece: str = ""


_STRONG, _OFTEN = 2.0, 90.0  # points of percent, percent
_RARE = 0.1  # of what chance would choose
_ENOUGH = 50  # times
_TOLD = (10, 2)  # points of percent between seats
FEW = 50  # games: fewer tell no more than who wins
_LEAST_OFF = 0.5  # points of percent: of less, nobody asks


def find_findings(figures: Figures) -> list[Finding]:
    """The findings that stand out. The intervals of all pieces together leave one doubt in 20."""
    findings = list(_seat_findings(figures))
    if figures.scores_held and figures.pieces:
        findings.append(Finding("The pieces that seats hold are the score: that they win is no news."))
    doubt = DOUBT / max(len(figures.pieces), 1)
    for piece in figures.pieces:
        lift = piece.lift and _widen(piece.lift, doubt)
        findings += _piece_findings(piece, lift, scores_held=figures.scores_held)
    usual = fmean(figures.choices or [0])
    few = f"makes fewer tries than a usual choice has moves, {usual:.0f}: it knows few of them."
    return findings + [Finding(f"{name} {few}") for name in figures.bots if 0 < tries_of(name) < usual]


def _widen(estimate: Estimate, doubt: float) -> Estimate:
    factor = find_deviations(doubt) / find_deviations()
    value = estimate.value
    low = value - factor * (value - estimate.low)
    return Estimate(value, low, value + factor * (estimate.high - value), estimate.unit)


def _seat_findings(figures: Figures) -> Iterable[Finding]:
    if len(figures.seats) < 2:
        return
    fair = sum(seat.value for seat in figures.seats) / len(figures.seats)
    named = [(f"Seat {number}", seat) for number, seat in enumerate(figures.seats, 1)]
    named += figures.bots.items() if len(figures.bots) > 1 else ()
    for name, wins in named:
        if wins.low > fair + 1 or wins.high < fair - 1:
            more = "more" if wins.value > fair else "less"
            yield Finding(f"{name} wins {wins}, {more} than {fair:.1f} %.")


def tell_precision(figures: Figures) -> str:
    """How large a difference between seats so many games show, how many would show a smaller one,
    and how many would settle the largest that they leave open."""
    normal, games = find_deviations(), figures.games
    if len(figures.seats) < 2 or not games:
        return ""
    apart, needs = 100 * normal / sqrt(games), (100 * normal) ** 2
    tells = f"{games:,} games tell seats apart whose shares of wins differ by {apart:.1f} points"
    said = [tells if apart < 100 else "too few games to tell seats apart"]
    said += [f"{_roughly(needs / it**2)} would tell {it} points" for it in _TOLD if it < apart]
    fair = sum(seat.value for seat in figures.seats) / len(figures.seats)
    number, seat = max(enumerate(figures.seats, 1), key=lambda pair: abs(pair[1].value - fair))
    off = abs(seat.value - fair)
    if seat.low <= fair <= seat.high and off >= _LEAST_OFF and 0 < seat.value < 100:
        needed = _roughly(seat.value * (100 - seat.value) * (normal / off) ** 2)
        more = "more" if seat.value > fair else "less"
        what = f"whether seat {number} wins {more} than {fair:.1f} %"
        said.append(f"{needed} would settle {what}, if {seat.value:.1f} % is true")
    return "; ".join(said) + "."


def _roughly(games: float) -> str:
    """A number of games with two digits that count, rounded up."""
    step = 10 ** max(len(str(int(games))) - 2, 0)
    return f"about {-int(-games // step) * step:,}"


def _piece_findings(piece: PieceFigures, lift: Estimate | None, *, scores_held: bool) -> Iterable[Finding]:
    name, picked = piece.piece, piece.picked
    if lift and lift.low > _STRONG and not scores_held:
        yield Finding(f"{name} is strong: with it a seat wins {_points(lift)} more often.", name)
    if lift and lift.high < -_STRONG:
        yield Finding(f"{name} is weak: with it a seat wins {_points(lift)} less often.", name)
    if picked is None or piece.offered < _ENOUGH:
        return
    often = f"it is chosen {picked.value:.1f} % of the time, by chance {piece.expected:.1f} %."
    if picked.high < _RARE * piece.expected:
        yield Finding(f"{name} is dead: {often}", name)
    if picked.low > _OFTEN > piece.expected:
        yield Finding(f"{name} is always taken: {often}", name)


def _points(lift: Estimate) -> str:
    low, high = sorted((abs(lift.low), abs(lift.high)))
    return f"{abs(lift.value):.1f} points ({low:.1f} to {high:.1f})"
