"""`pnp site`: web pages with everything to print games."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import say
from generator.cli.ticker import Ticker


@click.command()
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@click.option(
    "--url", default="", help="Where the folder will be on the web, for previews of links."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default="site",
    show_default=True,
    help="The folder to write.",
)
def site(games: tuple[str, ...], url: str, output: Path) -> None:
    """Make a web page of each GAME, and one that leads to them: the PDFs for Letter and A4, files
    for cutters and for tables on a screen, the rules, every face.

    The pages run no script and fetch nothing from elsewhere. They work from the folder itself and
    on any web server. `pnp new --site` makes a game whose repository publishes its page.
    """
    from generator.pipeline.siting import build_site

    with Ticker() as ticker:
        built = build_site(games, output, url, ticker.step)
    for note in built.notes:
        say(note, err=True)
    click.echo(built.first)
