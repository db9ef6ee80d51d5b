"""Take a game's folder, make the fonts it may use: the house's and those of its fonts folder."""

from __future__ import annotations

from pathlib import Path

from generator.errors import PnpError
from generator.gamefile.source import Source
from generator.text import HOUSE_FONTS, FontBook


def read_fonts(source: Source, folder: Path) -> FontBook:
    """Those of the house alone when the game's own are at fault; the faults are reported."""
    try:
        return FontBook([HOUSE_FONTS, folder / "fonts"])
    except PnpError as error:
        source.add(error.problems)
        return FontBook([HOUSE_FONTS])
