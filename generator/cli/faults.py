"""What a person is told when the command cannot go on."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from generator.errors import PnpError, Problem, messages
from generator.machine import find_shortage


def tell_problems(problems: Sequence[Problem]) -> None:
    for message in messages(problems):
        click.echo(message, err=True)


def tell_fault(error: BaseException) -> None:
    """One message for what no command expects: the machine lacks something, or pnp is wrong."""
    if isinstance(error, PnpError):
        tell_problems(error.problems)
    elif shortage := find_shortage(error):
        tell_problems([shortage])
    else:
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        hint = "please report this line with the game's folder"
        tell_problems([Problem("pnp itself is at fault", what, hint)])
