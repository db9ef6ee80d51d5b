"""`pnp table`: the pieces of a game on a table, in browsers on this machine."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.options import rule_option, say

if TYPE_CHECKING:
    from generator.play.table.shared import SharedTable


@click.command()
@click.argument("game")
@click.option(
    "--seats",
    type=click.IntRange(1, 8),
    default=4,
    show_default=True,
    help="The number of seats, each with a hidden hand.",
)
@click.option(
    "--against",
    metavar="BOTS",
    help="Play by the rules, against these bots: greedy, random or search:200, one for all other "
    "seats or one for each; people for seats of people.",
)
@rule_option
@click.option("--lang", default="", help="Show this language: de for columns such as name.de.")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    help="Where the table is saved.  [default: output/GAME.table.json]",
)
@click.option(
    "--port", type=click.IntRange(1, 65535), help="The port of the page.  [default: a free one]"
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
def table(
    game: str,
    seats: int,
    against: str | None,
    rules: dict[str, str],
    lang: str,
    file: Path | None,
    port: int | None,
    no_open: bool,
) -> None:
    """Put the pieces of GAME on a table, in the browser, to play with your hands.

    Stacks are shuffled, dealt, drawn from, turned over; hands are hidden. Open the address again in
    another window to take another seat. Only this machine can open the page.
    Ctrl-C or SIGTERM ends it.

    With --against, the rules of the game must be code: legal moves are shown, others refused, and
    bots play the other seats.
    """
    from generator.pipeline.tabling import refereed_table, table_session
    from generator.play.table.server import TableServer

    made: SharedTable
    if against:
        made = refereed_table(game, against.split(","), rules, lang)
    else:
        made = table_session(game, seats, lang, file)
    with made as session, TableServer(session, port or 0) as server:
        say(f"{server.invitation}  (Ctrl-C ends it)")
        if not no_open:
            _open(server.invitation)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # for background processes
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
