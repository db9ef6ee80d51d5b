"""`pnp diff`: what has changed in a game since a git revision."""

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
    found = review_game(game, revision, lang, paper, output, is_shown=is_shown)
    if format_ == "json":
        click.echo(json.dumps(_record(found), indent=1))
        return
    for line in _format(found):
        say(line)
    if found.path:
        click.echo(found.path)


def _format(found: Diff) -> list[str]:
    from generator import review

    since = f"{found.game} since {found.revision} ({found.commit[:8]})"
    lines = [] if found.was_there else [f"{since}: it was not there, all of it is new"]
    lines += review.describe_changes(found.changes)
    kinds = Counter(change.kind for change in found.changes.faces)
    tally = [f"faces {kind}: {number}" for kind, number in kinds.items()]
    tally += [f"counts changed: {len(found.changes.counts)}"] if found.changes.counts else []
    lines.append(f"{since}: {', '.join(tally) or 'nothing changed'}")
    return lines


def _record(found: Diff) -> dict[str, Any]:
    return {
        "game": found.game,
        "revision": found.revision,
        "commit": found.commit,
        "was_there": found.was_there,
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
            for change in found.changes.faces
        ],
        "counts": [
            {
                "component": one.component,
                "piece": one.after.id,
                "old": one.before.copies,
                "new": one.after.copies,
            }
            for one in found.changes.counts
        ],
        "pdf": str(found.path) if found.path else None,
    }
