"""Playtests of a game with rules as code: bots play it, and a report shows the results."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from generator import game as gamefile
from generator import games
from generator.basics.catalogue import Catalogue
from generator.basics.errors import Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import MEGABYTE, decode, read_within
from generator.basics.writing import write_whole
from generator.model import SIDES, FaceKey, Game, LoadedGame, Side
from generator.pipeline.comparing import of_the_past
from generator.pipeline.game import KINDS, bound_of, read
from generator.pipeline.sheets import OUTPUT
from generator.pipeline.sheets import Progress as StepProgress
from generator.play.batches import MOST_GAMES, WHOLE, EndlessGameError, Progress, Series, Shard, play_series
from generator.play.engine import Decks, Engine, make_engine
from generator.play.figures import FEW, Estimate, FigureChange, Figures, SkillStep, compare, find_lead, name_estimates
from generator.play.plan import PLAY, PlayBoundTable, PlayPlan
from generator.play.records import Record, figures_of, merge_records, read_record, record_of, write_record
from generator.review import history

ENGINES: Catalogue[type[Engine[Any, Any]]] = Catalogue("pnp.engines", games.ENGINES)
LADDER = ("random", "greedy", "search:5", "search:20")
_SKILL_GAMES = (25, 100, 400)  # of a step: as few as show which bot is stronger
_FACE = 44.0  # CSS pixels of the longest piece that a page shows, each way
_LARGEST = 64 * MEGABYTE  # of a part of a playtest
_HOW = '[play] with engine = "talavera" names the rules as code'


class PlayRequest(Struct, frozen=True):
    """A playtest to run. Empty bots and rules are those of the game.

    since: the git revision of an earlier version, compare: the name of another game or variant,
    that is played with the same seeds; one of them at most.
    """

    game: str
    games: int
    bots: tuple[str, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    shard: Shard = WHOLE
    since: str = ""
    compare: str = ""
    with_skill: bool = False


class Playtested(Struct, frozen=True):
    """The results of a playtest of a game as it is read.

    changes: against the earlier version or the game of the name `other`, if that is not empty.
    broken: the bounds that do not hold. skill: how each bot does against a weaker one.
    """

    loaded: LoadedGame
    record: Record
    figures: Figures
    other: str
    changes: Sequence[FigureChange]
    broken: Sequence[Problem]
    skill: Sequence[SkillStep] = ()


def playtest(asked: PlayRequest, progress: Progress, executor: Executor | None = None) -> Playtested:
    """Plays a game, and with the same seeds what it is compared with if that is named.

    After an interrupt, reports what was played. Raises PnpError.
    """
    if not 1 <= asked.games <= MOST_GAMES:
        raise fail(Place("--games"), f"there cannot be {asked.games:,} games", f"1 to {MOST_GAMES:,}")
    with bound_of(asked.game).hold():
        loaded = read(asked.game)
    game = loaded.game
    plan = _plan(game, asked)
    other = _find_other(game, plan, asked)  # before a long series is played
    record = _play(game, plan, asked, progress, executor)
    if record.is_interrupted:
        return _report(loaded, record)
    played = None
    if other:
        with of_the_past(game, other.past) if other.past else nullcontext():
            played = _play(other.game, other.plan, asked, progress, executor)
    skill = _climb(game, plan, asked, progress, executor) if asked.with_skill else []
    return replace(_report(loaded, record, played, other.name if other else ""), skill=skill)


def _plan(game: Game, asked: PlayRequest) -> PlayPlan:
    plan = PLAY.of(game)
    if plan is None:
        raise fail(Place(f"{game.name}/game.toml"), "the game has no rules as code", _HOW)
    rules = {**plan.rules, **asked.rules}
    return replace(plan, rules=rules, bots=asked.bots or plan.bots)


def make_game_engine(game: Game, rules: Mapping[str, str]) -> Engine[Any, Any]:
    """The rules of a game as code, with some options. Raises PnpError if it has none."""
    plan = _plan(game, PlayRequest(game.name, 1, rules=rules))
    return make_engine(_engine(plan), _decks(game), plan.rules)


def _decks(game: Game) -> Decks:
    return {component.id: component.copies() for component in game.components}


def _engine(plan: PlayPlan) -> type[Engine[Any, Any]]:
    if plan.engine not in ENGINES:
        what = f"there are no rules as code called {quote(plan.engine)}"
        raise fail(plan.place, what, did_you_mean(plan.engine, ENGINES))
    return ENGINES[plan.engine]


def _series(game: Game, plan: PlayPlan, asked: PlayRequest) -> Series:
    return Series(_engine(plan), _decks(game), plan.rules, plan.bots, asked.seed, asked.games)


def _play(game: Game, plan: PlayPlan, asked: PlayRequest, progress: Progress, executor: Executor | None) -> Record:
    if asked.shard.total > asked.games:
        what = f"{asked.games} games have no {asked.shard.total} parts"
        raise fail(Place("--shard"), what, "play more games, or in fewer parts")
    series = _series(game, plan, asked)
    seats = series.set_table().engine.seats
    try:
        counts = play_series(series, asked.shard, progress, executor)
    except EndlessGameError as error:
        raise fail(plan.place, f"{error}: the rules as code are at fault") from None
    return record_of(game.name, series, seats, asked.shard, counts)


def _climb(
    game: Game, plan: PlayPlan, asked: PlayRequest, progress: Progress, executor: Executor | None
) -> list[SkillStep]:
    """Plays each bot against the best that was shown before it. An interrupt ends it."""
    seats = _series(game, plan, asked).set_table().engine.seats
    fair = Estimate(100 / seats, 100 / seats, 100 / seats, "%")

    def play(most: int, *bots: str) -> Estimate:
        short = replace(asked, games=min(asked.games, most), shard=WHOLE)
        record = _play(game, replace(plan, bots=bots), short, progress, executor)
        if record.is_interrupted:
            raise InterruptedError
        return figures_of(record).bots[bots[0]]

    best, steps = LADDER[0], list[SkillStep]()
    with suppress(InterruptedError):
        for bot in LADDER[1:]:
            for most in _SKILL_GAMES:
                wins = play(most, bot, *[best] * (seats - 1))
                usual = play(most, best) if seats == 1 else fair
                lead = find_lead(wins, usual, len(_SKILL_GAMES))
                if not lead.low <= 0 <= lead.high or most >= asked.games:
                    break
            steps.append(SkillStep(bot, best, wins, lead))
            best = bot if steps[-1].is_shown else best
    return steps


class _Other(Struct, frozen=True):
    """The game to compare with: another game, or the game's own earlier version at `past`."""

    name: str
    game: Game
    plan: PlayPlan
    past: history.Past | None = None


def _find_other(game: Game, plan: PlayPlan, asked: PlayRequest) -> _Other | None:
    if asked.since:
        return _find_past(game, plan, asked)
    if not asked.compare:
        return None
    with bound_of(asked.compare).hold():
        other = read(asked.compare).game
    return _Other(other.name, other, _plan(other, asked))


def _find_past(game: Game, plan: PlayPlan, asked: PlayRequest) -> _Other:
    folder, variant = gamefile.find(asked.game)
    with history.as_it_was(folder, asked.since) as past:
        if past.folder is None or not gamefile.holds(past.folder, variant):
            raise fail(Place(f"{game.name} at {past}"), "there was no such game")
        with of_the_past(game, past), bound_of(asked.game).hold():
            old = gamefile.read(past.folder, variant, KINDS).game
    return _Other(str(past), old, plan, past)


def _report(loaded: LoadedGame, record: Record, played: Record | None = None, other: str = "") -> Playtested:
    """`played` is the record of what it is compared with, of the name `other`."""
    bounds = _bounds(loaded.game, record)
    figures = figures_of(record)
    named = name_estimates(figures)
    broken = [problem for bound in bounds for problem in _find_fault(*bound, named)]
    if played is None:
        return Playtested(loaded, record, figures, "", (), broken)
    changes = compare(name_estimates(figures_of(played)), named)
    return Playtested(loaded, record, figures, other, changes, broken)


def _bounds(game: Game, record: Record) -> Sequence[tuple[PlayBoundTable, Place]]:
    """The bounds of the game, if it was played as it says: by its own bots and rules."""
    plan = PLAY.of(game)
    is_own = plan is not None and (plan.bots, plan.rules) == (record.bots, record.rules)
    return plan.bounds if plan and is_own and not record.is_part else ()  # a part tells too little


def _find_fault(bound: PlayBoundTable, place: Place, named: Mapping[str, Estimate]) -> Iterator[Problem]:
    """A bound is broken if the whole interval of its figure is outside."""
    if bound.figure not in named:
        yield Problem(place, f"the playtest has no figure {quote(bound.figure)}", did_you_mean(bound.figure, named))
        return
    estimate = named[bound.figure]
    if bound.least is not None and estimate.high < bound.least:
        yield Problem(place, f"{bound.figure}: {estimate} is below {bound.least:g}")
    if bound.most is not None and estimate.low > bound.most:
        yield Problem(place, f"{bound.figure}: {estimate} is above {bound.most:g}")


def merge_playtests(files: Sequence[Path]) -> Playtested:
    """The parts of one series, as one playtest. Raises PnpError."""
    records = []
    for path in files:
        place = Place(str(path))
        content = read_within(path.parent, path.name, _LARGEST, place)
        records.append((str(path), read_record(decode(content, place), place)))
    merged = merge_records(records)
    with bound_of(merged.game).hold():
        return _report(read(merged.game), merged)


def write_files(
    done: Playtested, output: Path | None, command: str, again: str, progress: StepProgress
) -> tuple[Path, tuple[Problem, ...]]:
    """Writes the page of a playtest, or its record if the name ends in .json; returns the path, and
    why the page shows no faces, if one cannot be drawn. `command` is the line that repeats it, and
    `again` the one to go on with. A part is written as a record by default.

    Raises PnpError.
    """
    shards, name = done.record.shards, done.record.game
    part = f"-{'-'.join(str(shard.number) for shard in shards)}-of-{shards[0].total}.json"
    usual = f"{name}-playtest{part if done.record.is_part else '.html'}"
    path = output / usual if output and output.is_dir() else output or OUTPUT / usual
    if path.suffix.lower() == ".json":
        write_whole(path, write_record(done.record).encode())
        return path, ()
    content, problems = _write_page(done, command, again, progress)
    write_whole(path, content)
    return path, problems


def _write_page(
    done: Playtested, command: str, again: str, progress: StepProgress
) -> tuple[bytes, tuple[Problem, ...]]:
    from generator.export.site.pages import accent_of, cut_letters
    from generator.pipeline.oddsmaking import paint_small
    from generator.play.reports import PlaytestPage, write_playtest_page

    game, record = done.loaded.game, done.record
    keys = {} if done.figures.games < FEW else dict(_find_faces(game, done.figures))
    problems: tuple[Problem, ...] = ()
    try:
        painted = paint_small(done.loaded, {key for sides in keys.values() for key in sides}, _FACE, progress)
    except PnpError as error:
        keys, painted, problems = {}, {}, tuple(error.problems)
    page = PlaytestPage(
        title=game.title,
        language=game.language or "en",
        accent=accent_of(game),
        figures=done.figures,
        bots=record.bots,
        rules=record.rules,
        names=dict(_name_pieces(game)),
        command=command,
        again=again,
        missing=record.missing,
        other=done.other,
        changes=done.changes,
        broken=[problem.what for problem in done.broken],
        skill=done.skill,
        faces={piece: [painted[key] for key in sides] for piece, sides in keys.items()},
    )
    letters = cut_letters(game, write_playtest_page(page))
    return write_playtest_page(replace(page, type_faces=letters)), problems


def _find_faces(game: Game, figures: Figures) -> Iterator[tuple[str, list[FaceKey]]]:
    """The front of each piece with figures, and its back if it has one of its own, by the name that
    they have for it: its id, or that of its component and its own ("large red")."""
    named: dict[str, list[FaceKey]] = {}
    for component in game.components:
        has_own_backs = component.columns.get("back") and component.shape.kind != "net"
        sides: tuple[Side, ...] = SIDES if has_own_backs else ("front",)
        for piece in component.pieces:
            keys: list[FaceKey] = [(component.id, piece.id, side) for side in sides]
            named.setdefault(piece.id, keys)
            named.setdefault(f"{component.id} {piece.id}", keys)
    for shown in figures.pieces:
        if shown.piece in named:
            yield shown.piece, named[shown.piece]


def _name_pieces(game: Game) -> Iterator[tuple[str, str]]:
    """The ids of pieces, each with the name in its row if it has one."""
    for component in reversed(game.components):
        for piece in component.pieces:
            name = str(piece.row.get("name", ""))
            yield piece.id, f"{piece.id} {name}" if name and name != piece.id else piece.id
