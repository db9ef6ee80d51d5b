"""Figures of a playtest, each with the interval in which its true value lies, 19 times of 20.

What a playtest counted is written as JSON and read again; the parts of a series are added up.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import inf, isfinite, pi, sqrt, tan
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, PnpError, Problem, fail, quote
from generator.play.batches import MOST_GAMES, Series, Shard
from generator.play.counting import TALLIES, Counts, Tally
from generator.play.engine import split_score
from generator.play.odds.answers import DOUBT, bound_share, find_deviations

Histogram = Mapping[int, int]  # how often each value occurred
_FORM = "pnp playtest 1"
_MOST_SEATS = 100
_MOST = 10**12  # of a number, and of times

# What the keys of each tally are; those of winners are seats.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "bots": ("seat", "count"),
    "scores": ("seat", "number"),
    "margins": ("number",),
    "moves": ("count",),
    "facts": ("name", "number"),
    "held": ("name", "seat", "count"),
    "choices": ("count", "count"),
    "offered": ("name", "some"),
    "chosen": ("name",),
    "leads": ("count",),
    "decided": ("count",),
    "behind": ("number",),
}
_RANGES = {"count": range(_MOST), "some": range(1, _MOST), "number": range(-_MOST, _MOST)}


class Estimate(Struct, frozen=True):
    """A figure with its interval, which is infinite where a single game cannot tell. `unit` is "%"
    if the figure is a share in percent."""

    value: float
    low: float
    high: float
    unit: str = ""

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
    """What a playtest shows. A win that n seats share counts as 1/n for each.

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
    """A share in percent. For parts that are not whole, as of shared wins, its interval is a little
    too wide."""
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
    counts: Counts,
    seats: int,
    bots: Sequence[str],
    parts: Sequence[str] = ("point",),
    *,
    scores_held: bool = False,
) -> Figures:
    """The figures of games of so many seats, and of the bots that took turns at them. `parts`: what
    a score counts."""
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
            part: [
                _part_of(_histogram_of(counts.scores, seat), place, len(parts))
                for seat in range(seats)
            ]
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
        differing = (
            part
            for part, share in zip(parts, split_score(margin, len(parts)), strict=True)
            if share
        )
        if first := next(differing, None):
            found[first] += times
    return {part: estimate_share(found[part], counts.games) for part in parts}


def _share_of_bot(tally: Tally, name: str, bots: Sequence[str]) -> Estimate:
    """Of a tally (place of a bot, number of winners): the share of all bots of this name."""
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
    """Those of the pieces, the strongest first. `usual` is the share of wins of each seat: where
    colours belong to seats, a seat that wins more often makes none of its pieces strong."""
    held: defaultdict[str, Counter[int]] = defaultdict(Counter)
    due: defaultdict[str, float] = defaultdict(
        float
    )  # wins of the seats that held a piece, if it did nothing
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
        named |= {f"{bot} wins": one for bot, one in figures.bots.items()}
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


class SkillStep(Struct, frozen=True):
    """The share of wins of one bot that thinks longer than all others at the table."""

    name: str
    wins: Estimate


def compare(old: Mapping[str, Estimate], new: Mapping[str, Estimate]) -> list[FigureChange]:
    """The figures that both versions have, with the interval of their difference.

    The same seeds make it a little too wide: games that did not change cancel out.
    """
    return [
        FigureChange(name, old[name], new[name], _subtract(old[name], new[name]))
        for name in new
        if name in old
    ]


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
_LEAST_OFF = 0.5  # points of percent: of less, nobody asks


def find_findings(figures: Figures) -> list[Finding]:
    """What stands out. The intervals of all pieces together leave one doubt in 20."""
    findings = list(_seat_findings(figures))
    if figures.scores_held and figures.pieces:
        findings.append(
            Finding("The pieces that seats hold are the score: that they win is no news.")
        )
    doubt = DOUBT / max(len(figures.pieces), 1)
    for piece in figures.pieces:
        found = _piece_findings(piece, _widen(piece.lift, doubt), scores_held=figures.scores_held)
        findings += found
    return findings


def _widen(estimate: Estimate | None, doubt: float) -> Estimate | None:
    """The same with the interval for a smaller doubt."""
    if estimate is None:
        return None
    factor = find_deviations(doubt) / find_deviations()
    value = estimate.value
    low = value - factor * (value - estimate.low)
    return Estimate(value, low, value + factor * (estimate.high - value), estimate.unit)


def _seat_findings(figures: Figures) -> Iterable[Finding]:
    if len(figures.seats) < 2:
        return
    fair = sum(seat.value for seat in figures.seats) / len(figures.seats)
    for number, seat in enumerate(figures.seats, 1):
        if seat.low > fair + 1 or seat.high < fair - 1:
            more = "more" if seat.value > fair else "less"
            interval = f"{seat.low:.1f} to {seat.high:.1f}"
            yield Finding(
                f"Seat {number} wins {seat.value:.1f} % ({interval}), {more} than {fair:.1f} %."
            )


def tell_precision(figures: Figures) -> str:
    """How large a difference so many games show, and how many would settle the largest between
    seats that they leave open."""
    normal, games = find_deviations(), figures.games
    if len(figures.seats) < 2 or not games:
        return ""
    within, point = 50 * normal / sqrt(games), (50 * normal) ** 2
    said = [f"{games:,} games show a share of wins within {within:.1f} points"]
    said.append(f"within 1 point, {_roughly(point)} would")
    fair = sum(seat.value for seat in figures.seats) / len(figures.seats)
    number, seat = max(enumerate(figures.seats, 1), key=lambda pair: abs(pair[1].value - fair))
    off = abs(seat.value - fair)
    if seat.low <= fair <= seat.high and off >= _LEAST_OFF:
        needed = _roughly(seat.value * (100 - seat.value) * (normal / off) ** 2)
        more = "more" if seat.value > fair else "less"
        what = f"whether seat {number} wins {more} than {fair:.1f} %"
        said.append(f"{needed} would settle {what}, if {seat.value:.1f} % is true")
    return "; ".join(said) + "."


def _roughly(games: float) -> str:
    """A number of games with two digits that count, rounded up."""
    step = 10 ** max(len(str(int(games))) - 2, 0)
    return f"about {-int(-games // step) * step:,}"


def _piece_findings(
    piece: PieceFigures, lift: Estimate | None, *, scores_held: bool
) -> Iterable[Finding]:
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


class Record(Struct, frozen=True):
    """A playtest, or a part of it.

    deck: a fingerprint of the pieces. score: what a score counts. rules: the options of the engine
    that were chosen. games: of the whole series. shards: the parts of it that were played.
    scores_held: as of the engine.
    """

    game: str
    deck: str
    seats: int
    score: tuple[str, ...]
    bots: tuple[str, ...]
    rules: Mapping[str, str]
    seed: int
    games: int
    shards: tuple[Shard, ...]
    counts: Counts
    scores_held: bool = False

    @property
    def missing(self) -> str:
        """What was not played of the series, in words; "" if all of it was."""
        said = []
        total, numbers = self.shards[0].total, sorted(shard.number for shard in self.shards)
        if len(numbers) < total:
            parts = "part" if len(numbers) == 1 else "parts"
            said.append(f"only {parts} {', '.join(map(str, numbers))} of {total}")
        if self.is_interrupted:
            said.append(f"interrupted after {self.counts.games:,} of {self._due:,} games")
        return "; ".join(said)

    @property
    def is_interrupted(self) -> bool:
        return self.counts.games < self._due

    @property
    def _due(self) -> int:
        """The games of all its shards."""
        return sum(len(shard.span(self.games)) for shard in self.shards)


_SERIES = ("game", "deck", "seats", "score", "bots", "rules", "seed", "games")  # alike in all parts


def record_of(game: str, series: Series, seats: int, shard: Shard, counts: Counts) -> Record:
    """The record of a series, or of a part of it."""
    return Record(
        game=game,
        deck=_fingerprint(series),
        seats=seats,
        score=tuple(series.kind.score_parts),
        bots=series.bots,
        rules=series.chosen,
        seed=series.seed,
        games=series.games,
        shards=(shard,),
        counts=counts,
        scores_held=series.kind.scores_held,
    )


def _fingerprint(series: Series) -> str:
    rows = [
        (component, piece.id, sorted(piece.row.items()))
        for component, pieces in sorted(series.decks.items())
        for piece in pieces
    ]
    return sha256(repr(rows).encode()).hexdigest()[:16]


def figures_of(record: Record) -> Figures:
    """What the counts of a record come to."""
    counts, held = record.counts, record.scores_held
    return find_figures(counts, record.seats, record.bots, record.score, scores_held=held)


def write_record(record: Record) -> str:
    """The record as JSON: the series, how much of it was played, its figures by their names, the
    counts."""
    estimates = name_estimates(figures_of(record))
    whole = {"form": _FORM, **{name: getattr(record, name) for name in _SERIES}}
    whole["shards"] = list(map(str, record.shards))
    whole |= {"played": record.counts.games, "missing": record.missing}
    whole["scores_held"] = record.scores_held
    whole["figures"] = {name: _write_estimate(estimate) for name, estimate in estimates.items()}
    whole["counts"] = record.counts.to_json()
    return json.dumps(whole, indent=1) + "\n"


def _write_estimate(estimate: Estimate) -> dict[str, float | None]:
    numbers = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(it, 6) if isfinite(it) else None for name, it in numbers.items()}


def read_record(text: str, place: Place) -> Record:
    """The record that was written. Raises PnpError for any other text."""
    try:
        return _read(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        hint = "pnp playtest GAME --shard 1/4 -o part.json writes one"
        raise fail(place, "it is not the part of a playtest", hint) from None


def _read(raw: Mapping[str, Any]) -> Record:
    counts = Counts.from_json(raw["counts"])
    numbers = [raw["seats"], raw["seed"], raw["games"]]
    texts = [raw["game"], raw["deck"], *raw["score"], *raw["bots"], *raw["rules"].values()]
    is_sound = all(type(number) is int for number in numbers) and all(
        type(text) is str for text in texts
    )
    is_sound &= 1 <= raw["seats"] <= _MOST_SEATS and 1 <= raw["games"] <= MOST_GAMES
    is_sound &= counts.watched <= counts.games <= raw["games"] and bool(raw["shards"])
    is_sound &= bool(raw["score"]) and _are_sound(counts, raw["seats"])
    if raw["form"] != _FORM or not is_sound:
        raise ValueError
    lists = {name: tuple(raw[name]) for name in ("score", "bots")}
    series = {name: raw[name] for name in _SERIES} | lists
    shards, held = tuple(map(Shard.parse, raw["shards"])), raw.get("scores_held") is True
    return Record(**series, shards=shards, counts=counts, scores_held=held)


def _are_sound(counts: Counts, seats: int) -> bool:
    """Whether each tally has keys of its kind, so that figures can be made of it."""
    ranges = {**_RANGES, "seat": range(seats)}
    return all(
        times < _MOST
        and _fits(key, ["seat"] * len(key) if name == "winners" else _KEYS[name], ranges)
        for name in TALLIES
        for key, times in getattr(counts, name).items()
    )


def _fits(key: tuple[str | int, ...], kinds: Sequence[str], ranges: Mapping[str, range]) -> bool:
    if len(key) != len(kinds):
        return False
    return all(
        isinstance(part, str) if kind == "name" else type(part) is int and part in ranges[kind]
        for part, kind in zip(key, kinds, strict=True)
    )


def merge_records(records: Sequence[tuple[str, Record]]) -> Record:
    """The parts of one series, each with the name of its file, as one record.

    Raises PnpError for each file that is of another series, or repeats a part.
    """
    merged, problems = replace(records[0][1], counts=Counts(), shards=()), []
    for name, record in records:
        if fault := _find_fault(merged, record):
            problems.append(Problem(Place(name), fault))
        else:
            merged.counts.add(record.counts)
            merged = replace(merged, shards=merged.shards + record.shards)
    if problems:
        raise PnpError(problems)
    return merged


def _find_fault(merged: Record, record: Record) -> str:
    for name in _SERIES:
        first, other = getattr(merged, name), getattr(record, name)
        if first != other:
            return f"it is of another playtest: {name} {quote(str(other))}, not {quote(str(first))}"
    twice = [shard for shard in record.shards if shard in merged.shards]
    if len({shard.total for shard in merged.shards + record.shards}) > 1:
        return f"its parts are of another size: {', '.join(map(str, record.shards))}"
    return f"it repeats the part {twice[0]}" if twice else ""
