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
@click.option(
    "--site",
    "has_site",
    is_flag=True,
    help="Add a workflow of GitHub that publishes the game's page.",
)
def new(name: str, kind: str, has_site: bool) -> None:
    """Make a small working game in the folder NAME.

    Change anything you like; its README explains each file. pnp never overwrites an existing file.
    """
    from generator import pipeline

    folder = pipeline.start(name, kind, has_site=has_site)
    place = folder if "/" in str(folder) else f"./{folder}"
    if has_site:
        say(f"fill in PNP in {folder}/.github/workflows/pages.yml: what pip installs", err=True)
    say(f"to see it: pnp preview {place}; to print it: pnp build {place}", err=True)
    click.echo(folder)
