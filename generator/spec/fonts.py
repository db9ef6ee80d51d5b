"""Take a game's folder, make the fonts it may use: the house's and those of its fonts folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator.errors import PnpError, Problem
from generator.spec.source import Source
from generator.text import HOUSE_FONTS, FontBook


def read_fonts(source: Source, folder: Path) -> FontBook:
    """Those of the house alone when the game's own are at fault; the faults are reported."""
    own = folder / "fonts"
    outside = list(_links_out(own, folder))
    source.add(outside)
    if not outside:
        try:
            return FontBook([HOUSE_FONTS, own])
        except PnpError as error:
            source.add(
                Problem(_place(Path(problem.where), folder), problem.what, problem.hint)
                for problem in error.problems
            )
    return FontBook([HOUSE_FONTS])


def _links_out(own: Path, folder: Path) -> Iterator[Problem]:
    for path in (own, *sorted(own.rglob("*.ttf"))):
        if not path.resolve().is_relative_to(folder.resolve()):
            hint = "keep every file of a game in its own folder"
            yield Problem(_place(path, folder), "a link out of the game's folder", hint)


def _place(path: Path, folder: Path) -> str:
    return f"{folder.name}/{path.relative_to(folder).as_posix()}"
