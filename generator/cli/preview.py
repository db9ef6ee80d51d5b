"""`pnp preview`: a page on this machine that shows the current state of a game."""

from __future__ import annotations

import signal
import threading
from typing import Unpack

import click

from generator.cli.options import How, print_options, printing_options


@click.command()
@click.argument("game")
@printing_options
@click.option(
    "--port", type=click.IntRange(1, 65535), help="The port of the page.  [default: a free one]"
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
def preview(game: str, port: int | None, no_open: bool, **how: Unpack[How]) -> None:
    """Show GAME in the browser: faces, sheets and findings, updated whenever you save a file.

    Keep it open beside your spreadsheet and drawing program. Only this machine can open the page.
    Ctrl-C or SIGTERM ends it.
    """
    from generator.pipeline.previewing import preview_session
    from generator.pipeline.request import parse_request
    from generator.preview import Server

    request = parse_request(game, print_options(how))
    with preview_session(request) as session, Server(session, port or 0) as server:
        click.echo(f"{server.address}  (Ctrl-C ends it)")
        if not no_open:
            _open(server.address)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # for background processes
        try:
            threading.Thread(target=server.serve_forever, args=(3600,), daemon=True).start()
            session.look()
        except KeyboardInterrupt:
            click.echo()


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
