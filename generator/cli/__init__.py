"""The command line: the only room that prints. Commands import what they need when they run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from generator.basics.errors import Place, PnpError, escape, fail
from generator.cli.build import batch, build, export
from generator.cli.check import check, diff, list_games, schema
from generator.cli.play import odds, playtest, table
from generator.cli.preview import new, preview, site
from generator.cli.printer import config, printer

_EPILOG = """\b
Examples:
  pnp new my-game                   make a small working game to change
  pnp build talavera --paper a4     make output/talavera.pdf, both sides
  pnp check talavera                report the faults of the deck
  pnp build ./my-game               build your own folder with a game.toml
"""


class _Pnp(click.Group):
    """Turns errors into messages and an exit code, except bugs, which `run` handles."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:

        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except PnpError as error:
            code = _report(error)
        except click.Abort as error:  # an interrupt needs no message
            code = 1
            if isinstance(error.__context__, EOFError):
                _report(fail(Place("standard input"), "it ends before the last answer"))
        except click.ClickException as error:
            code = error.exit_code
            _escape(error).show()
        sys.exit(code)


def _escape(error: click.ClickException) -> click.ClickException:
    """Escapes a usage error, because it may repeat the user's input."""
    if not isinstance(error, click.UsageError):
        return error
    message = error.format_message()
    plain = "\n".join(map(escape, message.split("\n")))
    return error if plain == message else click.UsageError(plain, error.ctx)


def _report(error: PnpError) -> int:
    from generator.cli.options import print_problems

    print_problems(error.problems)
    return 1


@click.group(cls=_Pnp, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pnp-generator", prog_name="pnp")
def main() -> None:
    """Print a game at home: pnp turns a folder of plain files into sheets with the backs
    exactly behind the fronts."""
    try:
        Path.cwd()
    except FileNotFoundError:
        hint = "cd to a folder that exists"
        raise fail(Place("the working folder"), "it was deleted", hint) from None


for _command in (
    list_games,
    new,
    build,
    batch,
    check,
    preview,
    table,
    export,
    site,
    playtest,
    diff,
    odds,
    printer,
    config,
    schema,
):
    main.add_command(_command)
