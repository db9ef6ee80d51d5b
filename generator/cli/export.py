"""`pnp export`: files of a game in another format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

import generator
from generator.cli.options import How, print_options, printing_options, shop_option
from generator.cli.ticker import Ticker

if TYPE_CHECKING:
    from generator.basics.errors import Problem


@click.command()
@click.argument("game")
@click.option(
    "--to",
    required=True,
    help="The format: cgs, cut-dxf, cut-svg, grid, pcio, png, scene, shop, svg, tts, vassal, or a "
    "format from a package.",
)
@shop_option("For shop, the print shop")
@click.option("--dpi", help="For png: pixels per inch, 20 to 1200.  [default: 150]")
@click.option("--drift", help="For png, a length: also show the backs printed so far off.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set an option of the format.  [repeatable]",
)
@printing_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to write.  [default: output/GAME]",
)
def export(
    game: str,
    to: str,
    shop: str | None,
    dpi: str | None,
    drift: str | None,
    settings: Sequence[str],
    output: Path | None,
    **how: Unpack[How],
) -> None:
    """Export GAME to another format: --to png makes pictures of every face and page, --to svg
    makes drawings of them, --to scene a picture of the game on a table, --to cut-svg and --to
    cut-dxf the lines of a cutting machine, --to shop --for SHOP the files of a print shop. For
    tables on screen: tts (Tabletop Simulator), pcio (playingcards.io), cgs (Card Game Simulator),
    vassal (VASSAL), grid (plain sheets for others).

    The letters of a drawing are outlines. With --set text=fonts they stay text, and the file holds
    the fonts.

    With --drift 1.5mm, pnp also makes drift.png. It shows each back as designed, and as it comes
    out when the printer prints it 1.5 mm off and you cut along the marks of the front.
    """
    from generator.cli.faults import print_problems

    notes: list[Problem] = []
    named = {"dpi": dpi, "drift": drift, "shop": shop}
    options = {name: value for name, value in named.items() if value is not None}
    options |= dict(map(_setting, settings))
    with Ticker() as ticker:
        folder = generator.export_game(
            game,
            to,
            output,
            settings=options,
            progress=ticker.step,
            note=notes.append,
            **print_options(how),
        )
    print_problems(notes)
    click.echo(folder)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set takes NAME=VALUE, not {text[:40]!r}")
    return name, value
