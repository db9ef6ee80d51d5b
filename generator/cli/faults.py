"""The messages when a command fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from generator.basics.errors import PnpError, Problem, messages
from generator.basics.machine import find_shortage
from generator.basics.place import Place


def print_problems(problems: Sequence[Problem]) -> None:
    for message in messages(problems):
        click.echo(message, err=True)


def print_fault(error: BaseException) -> None:
    """Reports an unexpected error in one message: a shortage of the machine, or a bug."""
    if isinstance(error, PnpError):
        print_problems(error.problems)
    elif shortage := find_shortage(error):
        print_problems([shortage])
    else:
        import traceback  # rarely needed

        frame = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"
        package = _package_at_fault(error)
        place = Place(f"{f'the package {package}' if package else 'pnp itself'} is at fault")
        hint = "please report this line with the game's folder"
        print_problems([Problem(place, what, f"{hint} to its authors" if package else hint)])


def _package_at_fault(error: BaseException) -> str | None:
    """The installed package whose code pnp called when the error occurred."""
    import traceback

    from generator.basics.catalogue import find_package

    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return find_package(str(frame.f_globals.get("__name__")) for frame in reversed(frames))
