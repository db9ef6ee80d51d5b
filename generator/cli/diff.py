"""`pnp diff`: the changes of a game since a git revision."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import format_option, output_option, paper_option, say

if TYPE_CHECKING:
    from pathlib import Path

    from generator.pipeline.reviewing import Diff


@click.command()
@click.argument("game")
@click.argument("revision", metavar="[REV]", default="HEAD")
@paper_option
@click.option("--lang", default="", help="Compare this language, from columns such as name.de.")
@format_option("For people (text) or for programs (json, no PDF unless -o names one).")
@output_option("output/GAME-diff.pdf")
def diff(
    game: str, revision: str, paper: str, lang: str, format_: str, output: Path | None
) -> None:
    """Show which faces of GAME have changed since the git revision REV.

    REV is a commit, a tag or a branch; by default HEAD, the last commit. Faces are compared as
    they print. The PDF shows each changed face before and after, and the difference.
    `pnp build GAME --changed-since REV` prints only the changed faces.

    The exit code is 0 even if something changed.
    """
    from generator.pipeline.reviewing import review_game

    is_shown = format_ == "text" or output is not None
    diff_ = review_game(game, revision, lang, paper, output, is_shown=is_shown)
    if format_ == "json":
        click.echo(json.dumps(_record(diff_), indent=1))
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


def _record(diff_: Diff) -> dict[str, Any]:
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
                "cells": [
                    {"column": cell.column, "old": cell.old, "new": cell.new}
                    for cell in change.cells
                ],
            }
            for change in diff_.changes.faces
        ],
        "counts": [
            {
                "component": one.component,
                "piece": one.after.id,
                "old": one.before.copies,
                "new": one.after.copies,
            }
            for one in diff_.changes.counts
        ],
        "pdf": str(diff_.path) if diff_.path else None,
    }
