"""The engine that draws reads no font that was not proven before."""

from __future__ import annotations

from pathlib import Path

import pytest
import typst

from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook

FONT = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY).path.read_bytes()
ENDINGS = ("ttf", "TTF", "otf", "OTF", "ttc", "TTC", "otc", "OTC", "otb", "dfont", "pfb", "woff2")
NAMES = [f"{stem}.{end}" for stem in ("font", ".hidden", ".in/folder") for end in ENDINGS]


@pytest.mark.parametrize("name", [*NAMES, "font"])
def test_what_the_engine_reads_the_book_has_read(name: str, tmp_path: Path) -> None:
    """And the other way round: no text is measured with a font that the engine does not know."""
    fonts = tmp_path / "fonts"
    (fonts / name).parent.mkdir(parents=True)
    (fonts / name).write_bytes(FONT)
    assert bool(FontBook([fonts]).families()) == bool(_read_by_the_engine(fonts))


def _read_by_the_engine(folder: Path) -> list[str]:
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(folder)]
    )
    return [str(font.path) for font in fonts.fonts()]
