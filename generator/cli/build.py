"""`pnp build`: the PDF of a game, or the plan of its sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

import generator
from generator.cli.options import (
    How,
    output_option,
    print_options,
    printing_options,
    say,
)
from generator.cli.ticker import Ticker

if TYPE_CHECKING:
    from generator.basics.errors import Problem
    from generator.pipeline.request import Colour


@click.command()
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@printing_options
@click.option(
    "--changed-since",
    metavar="REV",
    default="",
    help="Print only pieces that changed since a git revision, and added copies.",
)
@click.option(
    "--plan", "is_plan", is_flag=True, help="Write no PDF; report how the paper is filled."
)
@click.option(
    "--draft",
    "is_draft",
    is_flag=True,
    help="Print what can be printed, and mark each fault on its piece.",
)
@click.option(
    "--colour",
    type=click.Choice(["rgb", "cmyk", "x1a"]),
    default="rgb",
    show_default=True,
    help="For printers at home; for a press, as PDF/X-4; or as PDF/X-1a, without transparency.",
)
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    metavar="FILE.icc",
    help="The ICC profile of the press.  [default: offset on coated paper]",
)
@click.option(
    "--ink-limit", metavar="PERCENT", help="The most ink at a place on a press.  [default: 240%]"
)
@output_option("output/GAME.pdf")
def build(
    games: tuple[str, ...],
    changed_since: str,
    is_plan: bool,
    is_draft: bool,
    colour: Colour,
    profile: Path | None,
    ink_limit: str | None,
    output: Path | None,
    **how: Unpack[How],
) -> None:
    """Make the PDF of GAME (a name from `pnp list`, or a folder).

    Prints the path of the file. Print it at 100 % ("actual size"), on both sides.

    Several games make a file each; with -o FILE they are one file, game after game.

    With --changed-since HEAD~3, the file is output/GAME-changed.pdf. It holds only the pieces
    that a playtester with that version must reprint. If there are none, pnp writes no file.

    With --draft, faults do not stop the build. Pieces with a fault have a red frame, a page lists
    the faults, and pnp reports them. The exit code is 0 if anything was printed.
    """
    options = print_options(how, changed_since)
    options["draft"] = is_draft
    options["colour"], options["profile"], options["ink_limit"] = colour, profile, ink_limit
    if is_plan:
        for game in games:
            _print_plan(game, options, is_named=len(games) > 1)
        return
    with Ticker() as ticker:
        if len(games) == 1:
            printed = generator.print_game(games[0], output, progress=ticker.step, **options)
        else:
            printed = generator.print_games(games, output, progress=ticker.step, **options)
    from generator.cli.faults import print_problems

    print_problems(printed.warnings)
    if is_draft:
        _print_faults(games, printed.faults)
    for choice in printed.notes:
        say(choice, err=True)
    for path in printed.paths:
        click.echo(path)


def _print_faults(games: Sequence[str], faults: Sequence[Problem]) -> None:
    from generator.basics.errors import count_of, gather
    from generator.cli.faults import print_problems

    print_problems(faults)
    say(f"{', '.join(games)}: a draft with {count_of(len(gather(faults)), 'fault')}", err=True)


_CUTS = {
    "shared": "shared cuts",
    "double": "cut apart",
    "gap": "cut apart",
    "straight": "straight cuts",
    "template": "cut by a template",
}


def _print_plan(game: str, options: generator.PrintOptions, *, is_named: bool) -> None:
    from generator.basics.errors import count_of

    with Ticker() as ticker:
        plan = generator.plan_game(game, progress=ticker.step, **options)
    if is_named:
        say(f"{game}:")
    for line in plan.notes:
        say(line, err=True)
    for part, sheets in plan.leaflets.items():
        say(f"{part}: {count_of(sheets, 'sheet')}")
    for row in plan.rows:
        say(
            f"{row.component}: {count_of(row.pieces, 'piece')} on {count_of(row.sheets, 'sheet')}"
            f" of {row.paper.width:g} x {row.paper.height:g} mm, {row.per_sheet} per sheet "
            f"(by area at most {row.bound}), {row.used:.0%} of the paper used, {_CUTS[row.cuts]}"
        )
    for titles, sheets in plan.mixed.items():
        say(f"mixed: {titles} together on {count_of(sheets, 'sheet')}")
    if len(plan.leaflets) + len(plan.rows) + len(plan.mixed) > 1:
        click.echo(f"all: {count_of(plan.sheets, 'sheet')}")
    if plan.ink:
        usual, low = plan.ink
        click.echo(f"ink: {usual:.1%} of a solid layer on each sheet, {low:.1%} with little ink")
