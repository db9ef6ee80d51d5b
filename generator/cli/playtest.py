"""`pnp playtest`: a game played by bots, many times."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.meter import Meter
from generator.cli.options import cluster_option, format_option, rule_option, say

if TYPE_CHECKING:
    from generator.pipeline.playtesting import PlayRequest, Playtested
    from generator.play.batches import Shard
    from generator.play.figures import Estimate

_USUAL = 1_000  # seconds to minutes, and shares within 3 points
_LARGEST_SEED = 2**53
_MERGE = "merge"
_ADVICE = "a part from 1/20 to 20/20, for the first and the last of 20"


def _parse_shard(_: click.Context, __: click.Parameter, text: str | None) -> Shard | None:
    from generator.play.batches import Shard

    try:
        return None if text is None else Shard.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}: {_ADVICE}.") from None


@click.command()
@click.argument("game")
@click.argument("parts", nargs=-1, type=click.Path(path_type=Path), metavar="[PART...]")
@click.option(
    "--games", type=int, default=_USUAL, show_default=True, help="How many games to play."
)
@click.option(
    "--bots",
    help="random, greedy, search:200 or exact:200 (tries a move): one for all seats, or one for "
    "each, as in greedy,random.  [default: the game's, or greedy]",
)
@rule_option
@click.option("--seed", type=click.IntRange(0, _LARGEST_SEED), default=1, show_default=True)
@click.option(
    "--shard", callback=_parse_shard, help="Play one part of the games, such as 3/20, for merge."
)
@click.option("--since", default="", help="Also play the game as it was at this git revision.")
@click.option(
    "--compare",
    default="",
    metavar="GAME",
    help="Also play another game, or a variant of it.",
)
@click.option(
    "--skill",
    is_flag=True,
    help="Also play bots that think longer against others, to see how much skill decides.",
)
@cluster_option
@format_option("For people (text) or for programs (json).")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The page to write, or with .json the figures and counts.  "
    "[default: output/GAME-playtest.html]",
)
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
    cluster: str | None,
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
        done = playtesting.merge_playtests(_check_parts(parts))
        command = f"pnp playtest merge {' '.join(map(str, parts))}"
    elif parts:
        raise click.UsageError(f"Unexpected argument {str(parts[0])!r}: only merge takes parts.")
    elif since and compare:
        raise click.UsageError("--since and --compare do not go together: name one of them.")
    else:
        chosen = tuple(bots.split(",")) if bots else ()
        part = shard or WHOLE
        asked = playtesting.PlayRequest(
            game, games, chosen, rules, seed, part, since, compare, skill
        )
        done = _play(asked, cluster)
        command = _command(asked)
    _report(done, output, command, is_json=format_ == "json")


def _check_parts(parts: tuple[Path, ...]) -> tuple[Path, ...]:
    if not parts:
        raise click.UsageError("Name the parts: pnp playtest merge part-1.json part-2.json")
    return parts


def _play(asked: PlayRequest, cluster: str | None) -> Playtested:
    from generator.pipeline.playtesting import playtest as play

    with ExitStack() as stack:
        meter = stack.enter_context(Meter("games"))
        if cluster is None:
            return play(asked, meter.show)
        from generator.play.cluster import join_cluster

        return play(asked, meter.show, stack.enter_context(join_cluster(cluster)))


def _command(asked: PlayRequest) -> str:
    """The command line that plays the same again."""
    words = ["pnp", "playtest", asked.game, "--games", str(asked.games)]
    words += ["--bots", ",".join(asked.bots)] if asked.bots else []
    words += [word for rule in asked.rules.items() for word in ("--rule", "=".join(rule))]
    words += ["--seed", str(asked.seed)]
    words += ["--since", asked.since] if asked.since else []
    words += ["--compare", asked.compare] if asked.compare else []
    words += ["--skill"] if asked.with_skill else []
    return " ".join(words)


def _report(done: Playtested, output: Path | None, command: str, *, is_json: bool) -> None:
    from generator.cli.faults import print_problems
    from generator.pipeline.playtesting import write_files

    path = write_files(done, output, command)
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
    from generator.play.figures import find_findings, name_estimates

    record = done.record
    bots = " against ".join(record.bots)
    lines = [f"{record.game}: {record.counts.games:,} games, {bots}, seed {record.seed}"]
    if not done.is_whole:
        lines.append("the games were interrupted: this is what was played")
    named = name_estimates(done.figures)
    shown = {name: one for name, one in named.items() if " of " not in name}
    width = max(map(len, shown))
    lines += [f"  {name:<{width}}  {_say(one)}" for name, one in shown.items()]
    lines += [f"  ! {finding.text}" for finding in find_findings(done.figures)]
    sure = [change for change in done.changes if change.is_certain]
    if done.other:
        lines.append(
            f"compared with {done.other}: {len(sure)} of {len(done.changes)} figures differ"
        )
    lines += [f"  {one.name}: {_say(one.old)} -> {_say(one.new)}" for one in sure]
    return lines + [f"  {step.name}: wins {_say(step.wins)}" for step in done.skill]


def _say(one: Estimate) -> str:
    unit = " %" if one.unit else ""
    return f"{one.value:z.1f}{unit} ({one.low:z.1f} to {one.high:z.1f})"
