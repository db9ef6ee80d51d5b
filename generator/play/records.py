"""What a playtest counted, written as JSON and read again; the parts of a series are added up."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import isfinite
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from generator.basics.errors import Place, Problem, fail, quote, raise_all
from generator.play.batches import MOST_GAMES, Counts, Series, Shard
from generator.play.figures import Estimate, Figures, find_figures, name_estimates

_FORM = "pnp playtest 1"
_MOST_SEATS = 100
_MOST = 10**12  # of a number, and of times

_Whole = Annotated[int, Meta(ge=0, lt=_MOST)]
_Some = Annotated[int, Meta(ge=1, lt=_MOST)]
_Number = Annotated[int, Meta(ge=-_MOST, lt=_MOST)]
_Seat = Annotated[int, Meta(ge=0, lt=_MOST_SEATS)]


class _RecordedCounts(Struct, frozen=True):
    """The counts as JSON has them: the key of a row, then how often it was."""

    games: _Whole
    watched: _Whole
    winners: list[Annotated[list[_Whole], Meta(min_length=1)]]  # seats, and how often
    bots: list[tuple[_Seat, _Whole, _Whole]]
    scores: list[tuple[_Seat, _Number, _Whole]]
    margins: list[tuple[_Number, _Whole]]
    moves: list[tuple[_Whole, _Whole]]
    facts: list[tuple[str, _Number, _Whole]]
    held: list[tuple[str, _Seat, _Whole, _Whole]]
    choices: list[tuple[_Whole, _Whole, _Whole]]
    offered: list[tuple[str, _Some, _Whole]]
    chosen: list[tuple[str, _Whole]]
    leads: list[tuple[_Whole, _Whole]]
    decided: list[tuple[_Whole, _Whole]]
    behind: list[tuple[_Number, _Whole]]

    def seats(self) -> Iterator[int]:
        """Every seat that is named."""
        yield from (seat for row in self.winners for seat in row[:-1])
        yield from (row[0] for row in (*self.bots, *self.scores))
        yield from (row[1] for row in self.held)


class _RecordFile(Struct, frozen=True):
    form: Literal["pnp playtest 1"]
    game: str
    deck: str
    seats: Annotated[int, Meta(ge=1, le=_MOST_SEATS)]
    score: Annotated[tuple[str, ...], Meta(min_length=1)]
    bots: tuple[str, ...]
    rules: dict[str, str]
    seed: int
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)]
    shards: Annotated[tuple[str, ...], Meta(min_length=1)]
    counts: _RecordedCounts
    scores_held: bool = False


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
    def is_part(self) -> bool:
        return len(self.shards) < self.shards[0].total

    @property
    def missing(self) -> str:
        """How much of the series was played, in words; "" if all of it was."""
        said = []
        total, numbers = self.shards[0].total, sorted(shard.number for shard in self.shards)
        if self.is_part:
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
    """The figures that the counts of a record give."""
    counts, held = record.counts, record.scores_held
    return find_figures(counts, record.seats, record.bots, record.score, scores_held=held)


def write_record(record: Record) -> str:
    """The record as JSON: the series, how much of it was played, its figures by their names, the counts."""
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
        return _read(msgspec.json.decode(text, type=_RecordFile))
    except (ValueError, msgspec.MsgspecError, RecursionError):
        hint = "pnp playtest GAME --shard 1/4 -o part.json writes one"
        raise fail(place, "it is not the part of a playtest", hint) from None


def _read(file: _RecordFile) -> Record:
    """Raises ValueError if parts of the file contradict each other."""
    counts = file.counts
    is_played = counts.watched <= counts.games <= file.games
    if not is_played or max(counts.seats(), default=0) >= file.seats:
        raise ValueError
    series = {name: getattr(file, name) for name in (*_SERIES, "scores_held")}
    shards = tuple(map(Shard.parse, file.shards))
    return Record(**series, shards=shards, counts=Counts.from_json(asdict(counts)))


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
    raise_all(problems)
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
