"""`pnp new`: a small game that works, to be made one's own."""

from __future__ import annotations

import click

from generator.cli.options import say

KINDS = ("cards", "hexes", "tokens")


@click.command()
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="cards",
    show_default=True,
    help="What it is a game of.",
)
def new(name: str, kind: str) -> None:
    """Make a small game that works: the folder NAME.

    It is yours to change, and its README says what each file is. Nothing that is there already is
    written over.
    """
    from generator import pipeline

    folder = pipeline.start(name, kind)
    place = folder if "/" in str(folder) else f"./{folder}"
    say(f"to see it: pnp preview {place}; to print it: pnp build {place}", err=True)
    click.echo(folder)
