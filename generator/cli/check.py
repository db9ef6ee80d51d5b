"""Commands that report on games.

check    the faults of a game
diff     the changes of a game since a git revision
list     the installed games
schema   the schema of a spec
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Unpack

import click
from msgspec import to_builtins

import generator
from generator.basics.errors import LEVELS, Problem, count_of, messages
from generator.cli import options
from generator.cli.messages import say

if TYPE_CHECKING:
    from pathlib import Path

    from generator.pipeline.comparing import Diff
    from generator.pipeline.request import LayoutOptions


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@options.format_option("For people (text) or for programs (json).")
@options.printing_options
@options.shop_option("Also check what a print shop asks")
@click.option("--accept", is_flag=True, help="Print entries for game.toml that accept the findings.")
@click.option("--strict", "is_strict", is_flag=True, help="Fail on warnings too.")
def check(
    game: str, format_: str, shop: str | None, accept: bool, is_strict: bool, **how: Unpack[LayoutOptions]
) -> None:
    """Report the faults of GAME, and what `pnp build` would refuse with the same options.

    Faces are inspected as they will print. The check finds small or faint text, colours that some eyes cannot tell
    apart, thin lines, coarse pictures, and art that a back printed 1 mm off would spoil (less, once you have measured
    your printer). To accept a finding, add an [[accept]] with a reason to game.toml; --accept prints one for each
    finding, and the findings themselves to standard error. docs/check.md describes each finding.

    Pieces, rules and cover are laid out for the paper, the margin, the cutter and so on. Every
    language of the tables is checked, or with --lang only one. With --only, only these parts must
    fit; all other findings are those of the whole game.

    With --for SHOP, which prints on paper of its own, pnp also reports sizes that the shop does not sell, art that
    stops short of its bleed, text outside its safe zone, pictures with too few pixels for it, and too much ink.

    Findings are errors (the game cannot be played or printed as it is), warnings (a designer wants to know) and notes.
    Exit code 0: no error, and with --strict no warning; 1: there are some; 2: wrong usage.
    """
    problems = generator.check_game(game, shop=shop, **how)
    if format_ == "json":
        click.echo(json.dumps({"game": game, "findings": [_record(p) for p in problems]}, indent=1))
    else:
        for message in messages(problems):
            click.echo(message, err=accept)
        tally = (count_of(sum(problem.level == level for problem in problems), level) for level in LEVELS)
        say(f"{game}: {', '.join(tally)}", err=accept)
    if accept:
        from generator.pipeline import entries

        for entry in entries(game, problems):
            click.echo(f"\n{entry}")
    failing = ("error", "warning") if is_strict else ("error",)
    sys.exit(any(problem.level in failing for problem in problems))


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


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@click.argument("revision", metavar="[REV]", default="HEAD")
@options.paper_option
@click.option("--lang", default="", help="Compare this language, from columns such as name.de.")
@options.format_option("For people (text) or for programs (json, no PDF unless -o names one).")
@options.output_option("output/GAME-diff.pdf")
def diff(game: str, revision: str, paper: str, lang: str, format_: str, output: Path | None) -> None:
    """Show which faces of GAME have changed since the git revision REV.

    REV is a commit, a tag or a branch; by default HEAD, the last commit. Faces are compared as
    they print. The PDF shows each changed face before and after, and the difference.
    `pnp build GAME --changed-since REV` prints only the changed faces.

    The exit code is 0 even if something changed.
    """
    from generator.pipeline.comparing import review_game

    is_shown = format_ == "text" or output is not None
    diff_ = review_game(game, revision, lang, paper, output, is_shown=is_shown)
    if format_ == "json":
        click.echo(json.dumps(_record_diff(diff_), indent=1))
        return
    for line in _format(diff_):
        say(line)
    if diff_.path:
        click.echo(diff_.path)


def _format(diff_: Diff) -> list[str]:
    from generator import review

    since = f"{diff_.game} since {diff_.revision} ({diff_.commit[:8]})"
    lines = [] if diff_.was_there else [f"{since}: the game is new"]
    lines += review.describe_changes(diff_.changes)
    kinds = Counter(change.kind for change in diff_.changes.faces)
    tally = [f"faces {kind}: {number}" for kind, number in kinds.items()]
    tally += [f"counts changed: {len(diff_.changes.counts)}"] if diff_.changes.counts else []
    lines.append(f"{since}: {', '.join(tally) or 'nothing changed'}")
    return lines


def _record_diff(diff_: Diff) -> dict[str, Any]:
    return {
        "game": diff_.game,
        "revision": diff_.revision,
        "commit": diff_.commit,
        "was_there": diff_.was_there,
        "faces": [
            {
                "component": change.component,
                "piece": change.piece,
                "side": change.side,
                "kind": change.kind,
                "cells": to_builtins(change.cells),
            }
            for change in diff_.changes.faces
        ],
        "counts": [
            {
                "component": count.component,
                "piece": count.after.id,
                "old": count.before.copies,
                "new": count.after.copies,
            }
            for count in diff_.changes.counts
        ],
        "pdf": str(diff_.path) if diff_.path else None,
    }


@click.command(name="list")
@click.option("--names", is_flag=True, help="Print only the names, for scripts.")
def list_games(names: bool) -> None:
    """List the games and their variants, then what installed packages add."""
    from generator import pipeline

    for name in generator.list_games():
        say(name if names else f"{name:<20} {_about(name)}")
    additions = [] if names else pipeline.additions()
    if additions:
        click.echo("\nInstalled packages add:")
    for addition in additions:
        kind = addition.group.removeprefix("pnp.").removesuffix("s")
        say(f"{kind:<9} {addition.name:<20} {addition.package}")


def _about(name: str) -> str:
    from generator import pipeline

    try:
        return pipeline.about(name)
    except generator.PnpError:
        return f"(has errors: pnp check {name})"


@click.command()
def schema() -> None:
    """Print the JSON Schema of game.toml, so that an editor can complete and check it."""
    from generator import pipeline

    click.echo(pipeline.schema_text(), nl=False)
