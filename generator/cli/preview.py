"""`pnp preview`: a page on this machine that shows the current state of a game."""

from __future__ import annotations

import signal
import threading
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Unpack

import click

from generator.cli.options import How, print_options, printer_store, printing_options

if TYPE_CHECKING:
    from generator.studio import PreviewSession


@click.command()
@click.argument("game")
@printing_options
@click.option(
    "--port", type=click.IntRange(1, 65535), help="The port of the page.  [default: a free one]"
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
@click.option(
    "--draft", "is_draft", is_flag=True, help="Show what can be printed, with each fault marked."
)
def preview(game: str, port: int | None, no_open: bool, is_draft: bool, **how: Unpack[How]) -> None:
    """Show GAME in the browser: faces, sheets and findings, updated whenever you save a file.

    Keep it open beside your spreadsheet and drawing program. Only this machine can open the page.
    Paper, language, variant, printer and draft can be chosen on the page, too.
    Ctrl-C or SIGTERM ends it.
    """
    from generator.pipeline.previewing import preview_session
    from generator.studio import Server

    options = print_options(how)
    options["draft"] = is_draft
    made = preview_session(game, options, printer_store())
    with made as session, Server(session, port or 0) as server:
        try:
            _end_on_signals(session)
            click.echo(f"{server.address}  (Ctrl-C ends it)")
            if not no_open:
                _open(server.address)
            threading.Thread(target=server.serve_forever, args=(3600,), daemon=True).start()
            session.look()
        except (KeyboardInterrupt, SystemExit):
            click.echo()


def _end_on_signals(session: PreviewSession) -> None:
    """Makes a signal end the session, also where a library swallows the exception of its handler.
    SIGTERM is for background processes, which may not get the other."""
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if handler is not signal.SIG_IGN:
            signal.signal(number, partial(_interrupt, session, handler))


def _interrupt(session: PreviewSession, handler: Any, number: int, frame: FrameType | None) -> None:
    session.stop()
    if callable(handler):
        handler(number, frame)
    raise KeyboardInterrupt


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
