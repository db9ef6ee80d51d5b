"""How far a long command is, and the time left, on a terminal."""

from __future__ import annotations

import sys
import time

import click

_WIDTH = 20  # characters of the bar
_SECONDS_BETWEEN = 0.2
_SECONDS_HIDDEN = 1.0


class Meter:
    """A line on standard error that says how many of some things are done. Use as a context."""

    def __init__(self, things: str) -> None:
        self._things = things
        self._begun = time.monotonic()
        self._shown = 0.0

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)

    def show(self, done: int, total: int) -> None:
        """Shows it, if a second has passed, and not too often."""
        now = time.monotonic()
        is_soon = now - self._shown < _SECONDS_BETWEEN or now - self._begun < _SECONDS_HIDDEN
        if is_soon or not sys.stderr.isatty():
            return
        self._shown = now
        left = (now - self._begun) * (total - done) / max(done, 1)
        full = _WIDTH * done // max(total, 1)
        bar = "█" * full + "░" * (_WIDTH - full)
        line = f"{bar} {done:,} of {total:,} {self._things}, {_say_time(left)} left"
        click.echo(f"\r\x1b[K{line}", err=True, nl=False)


def _say_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
