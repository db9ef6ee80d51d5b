"""The command line: the only room that prints. Imports late what a command needs."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

import click

from generator.cli.diff import diff
from generator.cli.new import new
from generator.cli.options import (
    PRINTER_HELP,
    How,
    format_option,
    output_option,
    printing_options,
    profile_of,
    request_of,
    say,
)
from generator.cli.preview import preview
from generator.cli.printer import printer

if TYPE_CHECKING:
    from generator.errors import PnpError, Problem

_EPILOG = """\b
Examples:
  pnp new my-game                   a small game that works, to be made yours
  pnp build talavera --paper a4     output/talavera.pdf, both sides
  pnp check talavera                what is and is not right with the deck
  pnp build ./my-game               a folder of your own with a game.toml
"""


class _Pnp(click.Group):
    """Turns what is wrong into messages and an exit code; faults of our own are left to `run`."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        from generator.errors import PnpError, fail

        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except PnpError as error:
            code = _tell(error)
        except click.Abort as error:  # an interrupt needs no word
            code = 1
            if isinstance(error.__context__, EOFError):
                _tell(fail("standard input", "it ends before all is answered"))
        except click.ClickException as error:
            code = error.exit_code
            _escape(error).show()
        sys.exit(code)


def _escape(error: click.ClickException) -> click.ClickException:
    """A fault of usage may repeat what was typed."""
    from generator.errors import escape

    if not isinstance(error, click.UsageError):
        return error
    message = error.format_message()
    plain = "\n".join(map(escape, message.split("\n")))
    return error if plain == message else click.UsageError(plain, error.ctx)


def _tell(error: PnpError) -> int:
    from generator.cli.faults import tell_problems

    tell_problems(error.problems)
    return 1


@click.group(cls=_Pnp, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pnp-generator", prog_name="pnp")
def main() -> None:
    """Print a game at home: from a folder of plain files to sheets whose backs sit exactly
    behind their fronts."""
    try:
        Path.cwd()
    except FileNotFoundError:
        from generator.errors import fail

        hint = "cd to a folder that is there"
        raise fail("the working folder", "it was deleted", hint) from None


main.add_command(new)
main.add_command(preview)
main.add_command(printer)
main.add_command(diff)


@main.command(name="list")
@click.option("--names", is_flag=True, help="Nothing but the names, for scripts.")
def list_games(names: bool) -> None:
    """List the games and their variants."""
    from generator import pipeline
    from generator.errors import PnpError

    for name in pipeline.names():
        if names:
            say(name)
            continue
        try:
            about = pipeline.read(name).about
        except PnpError:
            about = f"(has errors: pnp check {name})"
        say(f"{name:<20} {about}")


@main.command()
@click.argument("game")
@printing_options
@click.option(
    "--changed-since",
    metavar="REV",
    default="",
    help="Only the pieces that have changed since a git revision, and the copies that were added.",
)
@click.option("--plan", "is_plan", is_flag=True, help="Print nothing: say how the paper is filled.")
@output_option("output/GAME.pdf")
def build(
    game: str, changed_since: str, is_plan: bool, output: Path | None, **how: Unpack[How]
) -> None:
    """Make the PDF of GAME (a name from `pnp list`, or a folder).

    Prints the path of the file. Print it at 100 % ("actual size"), on both sides.

    With --changed-since HEAD~3 the file is output/GAME-changed.pdf and holds only what a
    playtester who printed that version has to print anew; if that is nothing, it is not written.
    """
    if is_plan:
        _tell_plan(game, changed_since, how)
        return
    from generator.pdf import Press

    with _Ticker() as ticker, Press() as press:
        # the press loads its libraries while this process loads its own
        from generator import pipeline

        request = request_of(game, how, changed_since)
        built = pipeline.build(request, output, press, ticker.step)
    for choice in built.choices:
        say(choice, err=True)
    for path in built.paths:
        click.echo(path)


_CUTS = {"shared": "shared cuts", "double": "cut apart", "straight": "straight cuts"}


def _tell_plan(game: str, changed_since: str, how: How) -> None:
    from generator import pipeline

    with _Ticker() as ticker:
        plan = pipeline.plan(request_of(game, how, changed_since), ticker.step)
    for line in plan.told:
        say(line, err=True)
    for part, sheets in plan.read.items():
        say(f"{part}: {_count(sheets, 'sheet')}")
    for row in plan.rows:
        say(
            f"{row.component}: {_count(row.pieces, 'piece')} on {_count(row.sheets, 'sheet')} of "
            f"{row.paper.width:g} x {row.paper.height:g} mm, {row.per_sheet} a sheet "
            f"(by area at most {row.bound}), {row.used:.0%} of the paper used, {_CUTS[row.cuts]}"
        )
    if plan.mixed:
        click.echo(f"mixed: what is left of several components on {_count(plan.mixed, 'sheet')}")
    if len(plan.read) + len(plan.rows) + plan.mixed > 1:
        click.echo(f"all: {_count(plan.sheets, 'sheet')}")


@main.command()
@click.argument("game")
@format_option("For people or for machines.")
@click.option("--printer", help=PRINTER_HELP)
@click.option("--lang", help="Look at that language only.  [default: all that the tables have]")
@click.option("--accept", is_flag=True, help="Print what to write in game.toml for what may stay.")
def check(game: str, format_: str, printer: str | None, lang: str | None, accept: bool) -> None:
    """Say what is and is not right with GAME.

    Faces are looked at as they will print: text that is small or faint, colours that some eyes
    take for one, thin lines, coarse pictures, and what does not stand a back that lies 1 mm off, or
    what your printer leaves of that once it is measured. What may stay is said in game.toml, with
    the reason: [[accept]]; --accept prints one for each, and the findings to standard error.
    docs/check.md tells of each finding.

    Findings are errors (the game cannot be played or printed as it is), warnings (a designer
    wants to know) and notes. Exit code 0: no error; 1: errors; 2: wrong usage.
    """
    from generator import pipeline
    from generator.errors import messages

    problems = pipeline.check(game, profile_of(printer), lang)
    if format_ == "json":
        click.echo(json.dumps({"game": game, "findings": [_record(p) for p in problems]}, indent=1))
    else:
        for message in messages(problems):
            click.echo(message, err=accept)
        say(f"{game}: {_tally(problems)}", err=accept)
    if accept:
        for entry in pipeline.entries(game, problems):
            click.echo(f"\n{entry}")
    sys.exit(any(problem.level == "error" for problem in problems))


def _record(problem: Problem) -> dict[str, object]:
    return {
        "level": problem.level,
        "rule": problem.rule,
        "where": problem.where,
        "on": problem.on,
        "what": problem.what,
        "found": problem.found,
        "hint": problem.hint,
        "accepted": problem.accepted,
    }


def _tally(problems: Sequence[Problem]) -> str:
    from generator.errors import LEVELS

    counts = {level: sum(problem.level == level for problem in problems) for level in LEVELS}
    return ", ".join(_count(number, level) for level, number in counts.items())


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@main.command()
@click.argument("game")
@click.option("--to", required=True, help="The format: png, or one that a package adds.")
@click.option("--dpi", help="Of png: pixels in an inch, 20 to 1200.  [default: 150]")
@click.option("--drift", help="Of png, a length: show too how backs come out that lie so far off.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Any option of the format, by name.  [may be repeated]",
)
@printing_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Instead of the folder output/GAME."
)
def export(
    game: str,
    to: str,
    dpi: str | None,
    drift: str | None,
    settings: Sequence[str],
    output: Path | None,
    **how: Unpack[How],
) -> None:
    """Make files of GAME in another format: --to png for pictures of every face and page.

    With --drift 1.5mm also drift.png: each back as it should be, and as it comes out when the
    printer lays it 1.5 mm off and the piece is cut along the front's marks.
    """
    from generator import pipeline

    named = {"dpi": dpi, "drift": drift}
    options = {name: value for name, value in named.items() if value is not None}
    options |= dict(map(_setting, settings))
    with _Ticker() as ticker:
        request = request_of(game, how)
        folder = pipeline.export_kit(request, to, options, output, ticker.step)
    click.echo(folder)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set takes NAME=VALUE, not {text[:40]!r}")
    return name, value


@main.command()
def schema() -> None:
    """Print the JSON Schema of game.toml, for completion and checks in an editor."""
    from generator import pipeline

    click.echo(pipeline.schema_text(), nl=False)


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

    def __exit__(self, *_: object) -> None:
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
