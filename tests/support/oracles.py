"""Programs that check our work independently. Where one is missing, its tests skip and the run says
so."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

# The names that a program goes by, and the package that has it on Debian and Ubuntu.
PROGRAMS = {
    "rsvg-convert": (("rsvg-convert",), "librsvg2-bin"),
    "qpdf": (("qpdf",), "qpdf"),
    "gs": (("gs",), "ghostscript"),
    "browser": (("chromium", "chromium-browser", "google-chrome"), "chromium"),
}


def find(program: str) -> str:
    """The path of a program, "" where it is not installed."""
    names, _ = PROGRAMS[program]
    return next(filter(None, map(shutil.which, names)), "")


def need(program: str) -> str:
    """The path of a program; without it, the test skips."""
    path = find(program)
    if not path:
        pytest.skip(_missing(program))
    return path


def report() -> Iterator[str]:
    """A line for each program that is missing."""
    for program in PROGRAMS:
        if not find(program):
            yield f"MISSING: {_missing(program)}; its tests were skipped"


def _missing(program: str) -> str:
    return f"{program} is not installed (apt-get install {PROGRAMS[program][1]})"
