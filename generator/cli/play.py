"""Commands about play.

playtest   a game played by bots, many times
odds       the chances of a game's cards
table      the pieces of a game on a table, in browsers on this machine
"""

from __future__ import annotations

import json
import shlex
import signal
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from generator.basics.errors import Place, Problem, count_of
from generator.cli import options
from generator.cli.messages import Ticker, print_problems, say, show_progress

if TYPE_CHECKING:
    from generator.pipeline.playtesting import PlayRequest, Playtested
    from generator.play.batches import Shard
    from generator.play.odds.answers import OddsAnswer, OddsRow
    from generator.play.table.server import SharedTable


_USUAL = 1_000  # seconds to minutes, and shares within 3 points
_TELLING = 400  # games tell seats apart that differ by 10 points
_LARGEST_SEED = 2**53
_MERGE = "merge"
_ADVICE = "a part from 1/20 to 20/20, for the first and the last of 20"
_BAR = 30  # characters of a share of 1
_MOST_ROWS = 40


def _parse_shard(_: click.Context, __: click.Parameter, text: str | None) -> Shard | None:
    from generator.play.batches import Shard

    try:
        return None if text is None else Shard.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}: {_ADVICE}.") from None


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@click.argument("parts", nargs=-1, type=click.Path(path_type=Path), metavar="[PART...]")
@click.option("--games", type=int, default=_USUAL, show_default=True, help="How many games to play.")
@click.option(
    "--bots",
    help="random, greedy, search:20 or exact:20 (tries a move): one for all seats, or one for "
    "each, as in greedy,random.  [default: the game's, or greedy]",
)
@options.rule_option
@click.option("--seed", type=click.IntRange(0, _LARGEST_SEED), default=1, show_default=True)
@click.option("--shard", callback=_parse_shard, help="Play one part of the games, such as 3/20, for merge.")
@click.option("--since", default="", help="Also play the game as it was at this git revision.")
@click.option("--compare", default="", metavar="GAME", help="Also play another game, or a variant of it.")
@click.option("--skill", is_flag=True, help="Also play bots against weaker ones, to see how much skill decides.")
@options.format_option("For people (text) or for programs (json).")
@options.path_option("The page to write, or with .json the figures and counts.  [default: output/GAME-playtest.html]")
def playtest(
    game: str,
    parts: tuple[Path, ...],
    games: int,
    bots: str | None,
    rules: dict[str, str],
    seed: int,
    shard: Shard | None,
    since: str,
    compare: str,
    skill: bool,
    format_: str,
    output: Path | None,
) -> None:
    """Let bots play GAME, and report who wins, which pieces matter and how games go.

    The rules of the game must be code: [play] in its game.toml names them. The same seed gives the
    same report on any number of cores. An interrupt reports what was played. If a [[play.bound]] of
    the game does not hold, the exit code is 1.

    `pnp playtest merge PART...` adds the parts that --shard wrote, from any machines.
    """
    from generator.pipeline import playtesting
    from generator.play.batches import WHOLE

    if game == _MERGE:
        if not parts:
            raise click.UsageError("Name the parts: pnp playtest merge part-1.json part-2.json")
        done = playtesting.merge_playtests(parts)
        command, again = shlex.join(["pnp", "playtest", "merge", *map(str, parts)]), ""
    elif parts:
        raise click.UsageError(f"Unexpected argument {str(parts[0])!r}: only merge takes parts.")
    elif since and compare:
        raise click.UsageError("--since and --compare do not go together: name one of them.")
    else:
        chosen = tuple(bots.split(",")) if bots else ()
        series = game, games, chosen, rules, seed, shard or WHOLE
        asked = playtesting.PlayRequest(*series, since, compare, skill)
        with show_progress("games") as show:
            done = playtesting.playtest(asked, show)
        command, again = _command(asked), _command(_go_on(asked))
    _report(done, output, command, again, is_json=format_ == "json")


def _command(asked: PlayRequest) -> str:
    """The command line that plays the same again."""
    words = ["pnp", "playtest", asked.game, "--games", str(asked.games)]
    words += ["--bots", ",".join(asked.bots)] if asked.bots else []
    words += [word for rule in asked.rules.items() for word in ("--rule", "=".join(rule))]
    words += ["--seed", str(asked.seed)]
    words += ["--since", asked.since] if asked.since else []
    words += ["--compare", asked.compare] if asked.compare else []
    words += ["--skill"] if asked.with_skill else []
    return shlex.join(words)


def _go_on(asked: PlayRequest) -> PlayRequest:
    """The playtest to run next: more games if these were few, else the same against the last commit."""
    from generator.play.figures import FEW

    if asked.games < FEW:
        return replace(asked, games=_TELLING)
    return asked if asked.since or asked.compare else replace(asked, since="HEAD")


def _report(done: Playtested, output: Path | None, command: str, again: str, *, is_json: bool) -> None:
    from generator.pipeline.playtesting import write_files

    with Ticker() as ticker:
        path, problems = write_files(done, output, command, again, ticker.step)
    _say_undrawn("the page shows no faces, because one cannot be drawn:", problems)
    if is_json:
        from generator.play.records import write_record

        click.echo(write_record(done.record), nl=False)
    else:
        for line in _format(done):
            say(line)
        click.echo(path)
    if done.broken:
        print_problems(done.broken)
        sys.exit(1)


def _format(done: Playtested) -> list[str]:
    from generator.play.figures import find_findings, name_estimates, tell_precision, tell_skill

    record = done.record
    bots = " against ".join(record.bots)
    lines = [f"{record.game}: {count_of(record.counts.games, 'game')}, {bots}, seed {record.seed}"]
    if record.missing:
        lines.append(f"not the whole series: {record.missing}")
    named = name_estimates(done.figures)
    shown = {name: estimate for name, estimate in named.items() if " of " not in name}
    width = max(map(len, shown))
    lines += [f"  {name:<{width}}  {estimate}" for name, estimate in shown.items()]
    lines += [f"  ! {finding.text}" for finding in find_findings(done.figures)]
    lines += [f"  {precision}" for precision in [tell_precision(done.figures)] if precision]
    sure = [change for change in done.changes if change.is_certain]
    if done.other:
        differing = f"{len(sure)} of {len(done.changes)} figures differ"
        lines.append(f"compared with {done.other}: {differing}")
    lines += [f"  {change.name}: {change.old} -> {change.new}" for change in sure]
    return lines + [f"  {lesson}" for lesson in tell_skill(done.skill)]


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@click.option("--of", help="The component that is the deck.  [default: the first]")
@click.option("--draw", type=int, metavar="N", help="A hand of N cards.")
@click.option(
    "--want",
    multiple=True,
    metavar="TEXT",
    help="Cards that a hand must have: \"2-4 of kind == 'land'\".  May be repeated.",
)
@click.option("--mulligans", type=int, metavar="N", help="Draw a hand that lacks them anew.")
@click.option("--copies-for", metavar="80%", help="How many copies of them that chance needs.")
@click.option("--sum", "sum_", metavar="COLUMN", help="What the cards of a hand add up to.")
@click.option("--by", metavar="COLUMN", help="How many cards of a hand are alike; without --draw, of the deck.")
@click.option(
    "--ask",
    multiple=True,
    metavar="TABLE",
    help="A question as in game.toml: \"kind = 'goldfish', cost = 'cost', hand = 5\".",
)
@click.option("--lang", default="", help="Read this language: de for columns such as name.de.")
@options.format_option("For people, for programs, or a web page with plots and hands as pictures (-o).", "page")
@options.output_option("output/GAME-odds.html")
def odds(
    game: str, of: str | None, ask: tuple[str, ...], lang: str, format_: str, output: Path | None, **question: Any
) -> None:
    """Compute the chances of GAME's cards, from its tables alone: no rules are needed.

    Without a question, it answers those of the [[odds]] tables in game.toml, or else counts the cards of the largest
    deck by each column. An answer is exact wherever that is feasible, and says so; else it is that of random hands,
    with an interval that holds the true value in 95 of 100 cases.

    \b
    pnp odds poker --draw 5 --want "3+ of suit == 'hearts'"
    pnp odds poker --draw 5 --by rank          three of a kind, full house …
    pnp odds poker --draw 5 --want "1+ of rank == 1" --copies-for 80%
    pnp odds my-game --draw 7 --sum cost       what the cards of a hand cost
    pnp odds my-game --format page             a page with plots
    """  # noqa: D301
    from generator.pipeline.oddsmaking import find_odds, write_odds_page

    asked = [*_ask(**question), *map(_read_table, ask)]
    asked = [{"of": of, **table} if of else table for table in asked]
    found = find_odds(game, asked, Place("--ask" if ask else "the question"), lang)
    if format_ == "json":
        record = {"game": game, "answers": [_record_answer(it.answer) for it in found.answered]}
        click.echo(json.dumps(record, indent=1))
    elif format_ == "page":
        with Ticker() as ticker:
            path, problems = write_odds_page(found, output, ticker.step)
        _say_undrawn("the page shows no hands, because a card cannot be drawn:", problems)
        click.echo(path)
    else:
        say(f"{found.game.title}: the odds")
        for answered in found.answered:
            for line in ("", *write_answer(answered.answer)):
                say(line)


def _say_undrawn(what: str, problems: Sequence[Problem]) -> None:
    if problems:
        say(what, err=True)
        print_problems(problems)


def _ask(
    draw: int | None,
    want: tuple[str, ...],
    mulligans: int | None,
    copies_for: str | None,
    sum_: str | None,
    by: str | None,
) -> Iterator[dict[str, Any]]:
    if draw is None:
        if want or sum_ or mulligans or copies_for:
            raise click.UsageError("name the number of cards in a hand: --draw 5")
        if by:
            yield {"kind": "deck", "by": by}
        return
    if not (want or sum_ or by):
        raise click.UsageError("say what to count in a hand: --want, --sum or --by")
    if copies_for and not want:
        raise click.UsageError("name the cards: --want \"1+ of kind == 'land'\"")
    if copies_for:
        yield {"kind": "copies", "draw": draw, "want": list(want), "chance": copies_for}
    elif want:
        yield {"kind": "draw", "draw": draw, "want": list(want), "mulligans": mulligans or 0}
    for key, text in (("sum", sum_), ("by", by)):
        if text:
            yield {"kind": "hand", "draw": draw, key: text}


def _read_table(text: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(f"asked = {{ {text} }}")["asked"]
    except (ValueError, RecursionError):
        hint = "write --ask \"kind = 'deck', by = 'cost'\""
        raise click.UsageError(f"--ask is no list of keys and values; {hint}") from None
    return dict(table)


def write_answer(answer: OddsAnswer) -> Iterator[str]:
    yield f"{answer.title} ({answer.component}, {answer.method})"
    for sentence in answer.said:
        yield f"  {sentence}"
    rows = answer.rows[:_MOST_ROWS]
    labels = [row.label for row in rows]
    width = min(40, max(map(len, [*labels, answer.heads[0]]), default=0))
    if rows and any(answer.heads):
        yield f"  {answer.heads[0]:>{width}}  {answer.heads[1]}".rstrip()
    wide = max((len(str(row.chance)) for row in rows), default=0)
    for row in rows:
        yield f"  {row.label:>{width}}  {_write_row(row, wide)}".rstrip()
    if len(answer.rows) > len(rows):
        yield f"  and {len(answer.rows) - len(rows)} more: --format json has them all"


def _write_row(row: OddsRow, width: int) -> str:
    if row.chance is None:
        return row.note
    bar = "#" * round(_BAR * row.chance.share)
    return f"{row.chance!s:>{width}}  {bar:<{_BAR}}  {row.note}"


def _record_answer(answer: OddsAnswer) -> dict[str, Any]:
    return {
        "kind": answer.kind,
        "title": answer.title,
        "of": answer.component,
        "exact": not answer.samples,
        "samples": answer.samples,
        "said": list(answer.said),
        "rows": [_record_row(row) for row in answer.rows],
        "curves": [{"label": it.label, "points": list(it.points)} for it in answer.curves],
    }


def _record_row(row: OddsRow) -> dict[str, Any]:
    record: dict[str, Any] = {"label": row.label, "note": row.note}
    if (chance := row.chance) is None:
        return record
    if chance.ways is None:
        return record | {"share": chance.share, "low": chance.low, "high": chance.high}
    return record | {"share": chance.share, "ways": chance.ways, "of": chance.of}


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@click.option(
    "--seats",
    type=click.IntRange(1, 8),
    default=4,
    show_default=True,
    help="The number of seats, each with a hidden hand.",
)
@click.option(
    "--against",
    metavar="BOTS",
    help="Play by the rules, against these bots: greedy, random or search:20, one for all other "
    "seats or one for each; people for seats of people.",
)
@options.rule_option
@click.option("--lang", default="", help="Show this language: de for columns such as name.de.")
@click.option(
    "--file", type=click.Path(path_type=Path), help="Where the table is saved.  [default: output/GAME.table.json]"
)
@options.page_options
def table(
    game: str,
    seats: int,
    against: str | None,
    rules: dict[str, str],
    lang: str,
    file: Path | None,
    port: int | None,
    no_open: bool,
) -> None:
    """Put the pieces of GAME on a table, in the browser, to play with your hands.

    Stacks are shuffled, dealt, drawn from, turned over; hands are hidden. Open the address again in another window to
    take another seat. Only this machine can open the page. Ctrl-C or SIGTERM ends it.

    With --against, the rules of the game must be code: legal moves are shown, others refused, and
    bots play the other seats.
    """
    from generator.pipeline.tabling import refereed_table, table_session
    from generator.play.table.server import TableServer

    if against and file:
        raise click.UsageError("--file and --against do not go together: a game by the rules is not saved.")
    made: SharedTable
    made = refereed_table(game, against.split(","), rules, lang) if against else table_session(game, seats, lang, file)
    with made as session, TableServer(session, port or 0) as server:
        options.show_page(server.invitation, is_opened=not no_open)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # for background processes
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
