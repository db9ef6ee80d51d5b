"""The command line: the only room that prints. Commands import what they need when they run."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from generator.basics.errors import Place, PnpError, escape, fail

_MODULES = {  # below cli/, each with its commands
    "build": ("batch", "build", "export", "fetch"),
    "check": ("check", "diff", "list", "schema"),
    "importing": ("import",),
    "play": ("odds", "playtest", "table"),
    "preview": ("layout", "new", "preview", "site", "studio"),
    "printer": ("config", "printer"),
}
_COMMANDS = {command: module for module, some in _MODULES.items() for command in some}
_EPILOG = """\b
Examples:
  pnp new my-game                   make a small working game to change
  pnp build talavera --paper a4     make output/talavera.pdf, both sides
  pnp check talavera                report the faults of the deck
  pnp build ./my-game               build your own folder with a game.toml
"""


class _Pnp(click.Group):
    """Loads a command when it is called. Turns errors into messages and an exit code, except bugs,
    which `run` handles."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"generator.cli.{_COMMANDS[cmd_name]}")
        found = (value for value in vars(module).values() if isinstance(value, click.Command))
        return next(command for command in found if command.name == cmd_name)

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        try:
            code = super().main(*args, **{"prog_name": "pnp", **extra, "standalone_mode": False})
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
    from generator.cli.messages import print_problems

    print_problems(error.problems)
    return 1


@click.group(cls=_Pnp, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pnp-generator", prog_name="pnp")
def main() -> None:
    """Print a game at home: pnp turns a folder of plain files into sheets with the backs exactly behind the fronts."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise fail(Place("the working folder"), "it was deleted", "cd to a folder that exists") from None
