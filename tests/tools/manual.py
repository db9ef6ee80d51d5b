"""The page of the manual, docs/pnp.1, from the help of the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from generator.cli import main


def manual() -> str:
    """The page, in the language of man: a section for each command."""
    settings = {**main.context_settings, "terminal_width": 80, "max_content_width": 80}
    context = click.Context(main, info_name="pnp", **settings)
    lines = [
        '.TH PNP 1 "" "pnp" "User Commands"',
        ".SH NAME",
        "pnp \\- print a game at home, with backs that line up",
        *_command(main, context),
        ".SH FILES",
        "game.toml, in the folder of a game: what its pieces are. pnp schema prints its schema.",
        ".br",
        "The settings and the printers are in the user's folder of configuration.",
        ".SH ENVIRONMENT",
        "PNP_PAPER, PNP_MARGIN: the usual paper and margin.",
        ".br",
        "PNP_MEMORY: the MB that reading and drawing a game may take.",
    ]
    return "\n".join(lines) + "\n"


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f'.SH "{context.command_path.upper()}"'
    yield from (".nf", *map(_escape, _plain_help(command, context).splitlines()), ".fi")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(below, click.Context(below, info_name=name, parent=context))


def _plain_help(command: click.Command, context: click.Context) -> str:
    """Its help, without the user's own settings."""
    return re.sub(r"\[default: (?:Settings|yours)[^\]]*\]", "", command.get_help(context))


def _escape(line: str) -> str:
    """A line of text: a backslash and a dot at its beginning mean something to man."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
