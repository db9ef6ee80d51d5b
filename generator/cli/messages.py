"""What commands print: lines, messages of faults, and the progress of long work.

A terminal shows the current step of a command, or how far a long command is and the time left.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from generator.basics.bounds import find_shortage
from generator.basics.errors import Place, PnpError, Problem, escape, messages


def say(line: str, *, err: bool = False) -> None:
    """Print a line that may contain text of a game or of an option, with escapes."""
    click.echo(escape(line), err=err)


def say_folder(folder: Path) -> None:
    """Print the folder of a new game, and what comes next."""
    from generator.game.library import is_path

    place = folder if is_path(str(folder)) else f"./{folder}"
    say(f"to see it: pnp preview {place}; to print it: pnp build {place}", err=True)
    click.echo(folder)


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

        from generator.basics.catalogue import find_package

        frame = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"
        called = [frame.f_globals for frame, _ in traceback.walk_tb(error.__traceback__)]
        package = find_package(str(names.get("__name__")) for names in reversed(called))
        place = Place(f"{f'the package {package}' if package else 'pnp itself'} is at fault")
        hint = "please report this line with the game's folder"
        print_problems([Problem(place, what, f"{hint} to its authors" if package else hint)])


class Ticker:
    """Shows the current step after a second of work, only on a terminal."""

    def __init__(self) -> None:
        self._step = ""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def step(self, name: str) -> None:
        """Names a step that begins. The first one starts the thread."""
        if not self._step and sys.stderr.isatty():
            self._thread.start()
        self._step = name

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread.is_alive():
            self._thread.join()

    def _tick(self) -> None:
        started = time.monotonic()
        line = ""
        while not self._done.wait(0.1 if line else 1.0):
            seconds = time.monotonic() - started
            # blanks hide what is longer: an older console of Windows has no code that clears a line
            line = f"{self._step} … {seconds:.0f} s".ljust(len(line))
            click.echo(f"\r{line}", err=True, nl=False)
        if line:
            click.echo(f"\r{' ' * len(line)}\r", err=True, nl=False)


@contextmanager
def show_progress(things: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal: the function says how many of how many things are done."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with click.progressbar(length=1, label=things, show_pos=True, file=sys.stderr) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show
