"""`pnp check`: the faults of a game."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

import generator
from generator.cli.options import (
    PRINTER_HELP,
    format_option,
    ink_option,
    profile_of,
    say,
    shop_option,
)

if TYPE_CHECKING:
    from generator.basics.errors import Problem
    from generator.pipeline.request import Ink


@click.command()
@click.argument("game")
@format_option("For people (text) or for programs (json).")
@click.option("--printer", help=PRINTER_HELP)
@click.option("--lang", help="Inspect only this language.  [default: every language in the tables]")
@shop_option("Also check what a print shop asks")
@ink_option
@click.option(
    "--accept", is_flag=True, help="Print entries for game.toml that accept the findings."
)
def check(
    game: str,
    format_: str,
    printer: str | None,
    lang: str | None,
    shop: str | None,
    ink: Ink,
    accept: bool,
) -> None:
    """Report the faults of GAME.

    Faces are inspected as they will print. The check finds small or faint text, colours that some
    eyes cannot tell apart, thin lines, coarse pictures, and art that a back printed 1 mm off would
    spoil (less, once you have measured your printer). To accept a finding, add an [[accept]] with
    a reason to game.toml; --accept prints one for each finding, and the findings themselves to
    standard error. docs/check.md describes each finding.

    With --for SHOP, pnp also reports sizes that the shop does not sell, art that stops short of its
    bleed, text outside its safe zone, pictures with too few pixels for it, and too much ink.

    Findings are errors (the game cannot be played or printed as it is), warnings (a designer
    wants to know) and notes. Exit code 0: no error; 1: errors; 2: wrong usage.
    """
    from generator.basics.errors import messages

    problems = generator.check_game(
        game, printer=profile_of(printer), language=lang, shop=shop, ink=ink
    )
    if format_ == "json":
        click.echo(json.dumps({"game": game, "findings": [_record(p) for p in problems]}, indent=1))
    else:
        for message in messages(problems):
            click.echo(message, err=accept)
        say(f"{game}: {_tally(problems)}", err=accept)
    if accept:
        from generator.pipeline import entries

        for entry in entries(game, problems):
            click.echo(f"\n{entry}")
    sys.exit(any(problem.level == "error" for problem in problems))


def _record(problem: Problem) -> dict[str, object]:
    return {
        "level": problem.level,
        "rule": problem.rule,
        "where": str(problem.place),
        "on": problem.on,
        "what": problem.what,
        "found": problem.found,
        "hint": problem.hint,
        "accepted": problem.accepted,
    }


def _tally(problems: Sequence[Problem]) -> str:
    from generator.basics.errors import LEVELS, count_of

    counts = {level: sum(problem.level == level for problem in problems) for level in LEVELS}
    return ", ".join(count_of(number, level) for level, number in counts.items())
