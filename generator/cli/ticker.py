"""The current step of a command, shown on a terminal."""

from __future__ import annotations

import sys
import threading
import time

import click


class Ticker:
    """Shows the current step after a second of work, only on a terminal."""

    def __init__(self) -> None:
        self._step = ""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def step(self, name: str) -> None:
        """Names a step that begins. The first one starts the thread: a worker process that is
        started before can be a copy of this process."""
        if not self._step and sys.stderr.isatty():
            self._thread.start()
        self._step = name

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread.is_alive():
            self._thread.join()

    def _tick(self) -> None:
        started = time.monotonic()
        shown = False
        while not self._done.wait(0.1 if shown else 1.0):
            shown = True
            click.echo(
                f"\r\x1b[K{self._step} … {time.monotonic() - started:.0f} s", err=True, nl=False
            )
        if shown:
            click.echo("\r\x1b[K", err=True, nl=False)
