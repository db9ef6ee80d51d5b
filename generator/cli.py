"""The command line: the only place that prints or exits. Imports late what a command needs."""

from __future__ import annotations

import json
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from generator.build import Request
    from generator.errors import Problem

_EPILOG = """\b
Examples:
  pnp build talavera --paper a4     output/talavera.pdf, both sides
  pnp check talavera                what is and is not right with the deck
  pnp build ./my-game               a folder of your own with a game.toml
"""


class _Pnp(click.Group):
    """Turns every fault into messages and an exit code: no traceback reaches a person."""

    def invoke(self, ctx: click.Context) -> object:
        from generator.errors import PnpError

        try:
            return super().invoke(ctx)
        except PnpError as error:
            _report(error.problems)
            ctx.exit(1)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            click.echo(
                f"error: pnp itself is at fault: {type(error).__name__}: {error}"
                f" ({Path(place.filename).name}:{place.lineno})\n"
                "    hint: please report this line with the game's folder",
                err=True,
            )
            ctx.exit(1)


@click.group(cls=_Pnp, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pnp-generator", prog_name="pnp")
def main() -> None:
    """Print a game at home: from a folder of plain files to sheets whose backs sit exactly
    behind their fronts."""


@main.command(name="list")
@click.option("--names", is_flag=True, help="Nothing but the names, for scripts.")
def list_games(names: bool) -> None:
    """List the games and their variants."""
    from generator import build
    from generator.errors import PnpError

    for name in build.names():
        if names:
            click.echo(name)
            continue
        try:
            about = build.read(name).about
        except PnpError:
            about = f"(has errors: pnp check {name})"
        click.echo(f"{name:<20} {about}")


def _printing_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option(
            "--flip",
            type=click.Choice(["long", "short"]),
            default="long",
            show_default=True,
            help="The edge your printer turns the sheet on.",
        ),
        click.option(
            "--sides",
            type=click.Choice(["duplex", "single"]),
            default="duplex",
            show_default=True,
            help="Both sides of the paper, or fronts only.",
        ),
        click.option(
            "--paper",
            default="letter",
            show_default=True,
            help="letter, a4, legal, tabloid, a3, a5 or a size like 210x297mm.",
        ),
    ):
        command = option(command)
    return command


@main.command()
@click.argument("game")
@_printing_options
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Instead of output/GAME.pdf.")
def build(
    game: str, paper: str, sides: str, flip: Literal["long", "short"], output: Path | None
) -> None:
    """Make the PDF of GAME (a name from `pnp list`, or a folder).

    Prints the path of the file. Print it at 100 % ("actual size"), on both sides.
    """
    from generator.pdf import Press

    with _Ticker() as ticker, Press() as press:
        # the press loads its libraries while this process loads its own
        from generator import build as wiring

        request = _request(game, paper, sides, flip)
        target = output or Path("output") / f"{wiring.file_stem(game)}.pdf"
        wiring.build(request, target, press, ticker.step)
    click.echo(target)


def _request(game: str, paper: str, sides: str, flip: Literal["long", "short"]) -> Request:
    from generator.build import Request

    return Request(game, paper, flip if sides == "duplex" else None)


@main.command()
@click.argument("game")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people or for machines.",
)
def check(game: str, format_: str) -> None:
    """Say what is and is not right with GAME.

    Findings are errors (the game cannot be played or printed as it is), warnings (a designer
    wants to know) and notes. Exit code 0: no error; 1: errors; 2: wrong usage.
    """
    from generator import build as wiring

    problems = wiring.check(game)
    if format_ == "json":
        click.echo(json.dumps({"game": game, "findings": [_record(p) for p in problems]}, indent=1))
    else:
        for problem in problems:
            click.echo(problem)
        click.echo(f"{game}: {_tally(problems)}")
    sys.exit(any(problem.level == "error" for problem in problems))


def _record(problem: Problem) -> dict[str, str]:
    return {
        "level": problem.level,
        "rule": problem.rule,
        "where": problem.where,
        "what": problem.what,
        "hint": problem.hint,
    }


def _tally(problems: Sequence[Problem]) -> str:
    from generator.errors import LEVELS

    counts = {level: sum(problem.level == level for problem in problems) for level in LEVELS}
    return ", ".join(f"{n} {level}{'' if n == 1 else 's'}" for level, n in counts.items())


@main.command()
@click.argument("game")
@click.option("--to", type=click.Choice(["png"]), required=True, help="The kind of file.")
@click.option("--dpi", type=click.IntRange(20, 1200), default=150, show_default=True)
@_printing_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Instead of the folder output/GAME."
)
def export(
    game: str,
    to: str,  # noqa: ARG001  the one kind there is so far
    dpi: int,
    paper: str,
    sides: str,
    flip: Literal["long", "short"],
    output: Path | None,
) -> None:
    """Make pictures of GAME: an overview, every face, every page."""
    from generator import build as wiring

    folder = output or Path("output") / wiring.file_stem(game)
    with _Ticker() as ticker:
        wiring.export_png(_request(game, paper, sides, flip), folder, dpi, ticker.step)
    click.echo(folder)


@main.command()
def schema() -> None:
    """Print the JSON Schema of game.toml, for completion and checks in an editor."""
    from generator import build as wiring

    click.echo(json.dumps(wiring.schema(), indent=2))


def _report(problems: Sequence[Problem]) -> None:
    for problem in problems:
        click.echo(problem, err=True)


class _Ticker:
    """Shows the step at work once the work has taken a second, on a terminal only."""

    def __init__(self) -> None:
        self._step = ""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def step(self, name: str) -> None:
        self._step = name

    def __enter__(self) -> _Ticker:
        if sys.stderr.isatty():
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._thread.is_alive():
            self._thread.join()

    def _tick(self) -> None:
        started = time.monotonic()
        shown = False
        while not self._done.wait(0.1 if shown else 1.0):
            shown = True
            click.echo(
                f"\r\x1b[K{self._step} … {time.monotonic() - started:.0f} s", err=True, nl=False
            )
        if shown:
            click.echo("\r\x1b[K", err=True, nl=False)
