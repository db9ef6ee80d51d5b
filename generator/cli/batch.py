"""`pnp batch`: many games, papers, languages and ways to print, in one run that can be resumed."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from generator.cli.meter import Meter
from generator.cli.options import cluster_option, say

if TYPE_CHECKING:
    from generator.pipeline.request import Sides

_WAYS = ("duplex", "fold", "single")


def _parse_ways(_: click.Context, __: click.Parameter, text: str) -> list[Sides]:
    ways = _split(text)
    if wrong := [way for way in ways if way not in _WAYS]:
        raise click.BadParameter(f"{wrong[0]!r} is none of {', '.join(_WAYS)}.")
    return cast("list[Sides]", ways)


def _split(text: str) -> list[str]:
    """The words between commas, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(",")))


@click.command()
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@click.option("--paper", default="letter,a4", show_default=True, help="Papers, as in letter,a4.")
@click.option("--lang", default="", help="Languages, as in de,fr; all for all of each game.")
@click.option(
    "--sides",
    default="duplex",
    show_default=True,
    callback=_parse_ways,
    help="Ways to print: any of duplex, fold, single.",
)
@cluster_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default="output/batch",
    show_default=True,
    help="The folder to write.",
)
def batch(
    games: tuple[str, ...],
    paper: str,
    lang: str,
    sides: list[Sides],
    cluster: str | None,
    output: Path,
) -> None:
    """Build each GAME for several papers, languages and ways to print, on all cores.

    A file that is there already, made of the same things, is not built again: after an interrupt or
    a change, the same command builds what is missing. What fails is reported and stops no other.
    """
    from generator.pipeline.batching import run_batch

    with ExitStack() as stack:
        meter = stack.enter_context(Meter("files"))
        executor = None
        if cluster is not None:
            from generator.play.cluster import join_cluster

            executor = stack.enter_context(join_cluster(cluster))
        done = run_batch(games, _split(paper), _split(lang), sides, output, meter.show, executor)
    for path in done.made:
        click.echo(path)
    for file, notes in done.failed.items():
        say(f"{file} is not built:", err=True)
        click.echo(notes, err=True)
    say(f"{len(done.made)} built, {len(done.kept)} there already, {len(done.failed)} failed")
    if done.failed:
        sys.exit(1)
