"""`pnp new`: a small working game to change."""

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
    help="The pieces of the game.",
)
def new(name: str, kind: str) -> None:
    """Make a small working game in the folder NAME.

    Change anything you like; its README explains each file. pnp never overwrites an existing file.
    """
    from generator import pipeline

    folder = pipeline.start(name, kind)
    place = folder if "/" in str(folder) else f"./{folder}"
    say(f"to see it: pnp preview {place}; to print it: pnp build {place}", err=True)
    click.echo(folder)
