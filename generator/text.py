"""Take fonts from their folders, make measured text (HarfBuzz). Reads fonts/."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

import uharfbuzz as hb

from generator.errors import did_you_mean, fail
from generator.geometry import Rect

_PACKAGE = Path(__file__).parent
# A wheel carries the fonts inside the package, a checkout keeps them beside it.
HOUSE_FONTS = next(
    (folder for folder in (_PACKAGE / "fonts", _PACKAGE.parent / "fonts") if folder.is_dir()),
    _PACKAGE / "fonts",
)
HOUSE_FAMILY = "Alegreya Sans"  # what the sheets themselves are lettered in
# What a TrueType font needs to be drawn; a table beyond the end of a cut-off file is empty.
_TABLES = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp")


@dataclass(frozen=True)
class Font:
    """One static TrueType file."""

    family: str
    weight: int
    path: Path
    _face: hb.Face = field(repr=False, compare=False)

    @cached_property
    def _font(self) -> hb.Font:
        return hb.Font(self._face)

    def missing(self, text: str) -> str:
        """The characters of `text` that the font has no glyph for, each once."""
        return "".join(
            c for c in dict.fromkeys(text) if self._font.get_nominal_glyph(ord(c)) is None
        )

    def width(self, text: str, size: float) -> float:
        """The advance of shaped text set at `size` (same unit as the result)."""
        advance: int = sum(p.x_advance for p in self._shape(text).glyph_positions or ())
        return advance * self._scale(size)

    def ink(self, text: str, size: float) -> Rect:
        """The inked box of text set at `size`, baseline start at the origin, y down."""
        buffer, scale = self._shape(text), self._scale(size)
        boxes, x = [], 0
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions or (), strict=True):
            extents = self._font.get_glyph_extents(info.codepoint)
            if extents is not None and extents.width:
                left = x + position.x_offset + extents.x_bearing
                top = -(position.y_offset + extents.y_bearing)
                boxes.append(Rect(left, top, left + extents.width, top - extents.height))
            x += position.x_advance
        if not boxes:
            return Rect(0.0, 0.0, 0.0, 0.0)
        x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
        return Rect(min(x0s) * scale, min(y0s) * scale, max(x1s) * scale, max(y1s) * scale)

    def _shape(self, text: str) -> hb.Buffer:
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self._font, buffer)
        return buffer

    def _scale(self, size: float) -> float:
        return size / int(self._face.upem)


class FontBook:
    """The fonts of some folders, by family; nothing outside them is ever used.

    Raises PnpError for a file that is no font.
    """

    def __init__(self, folders: Iterable[Path | str]) -> None:
        self.folders = tuple(folder for folder in map(Path, folders) if folder.is_dir())
        paths = [path for folder in self.folders for path in sorted(folder.rglob("*.ttf"))]
        self._fonts = [_open(path) for path in paths]

    def families(self) -> list[str]:
        return sorted({font.family for font in self._fonts})

    def find(self, family: str, weight: int = 400) -> Font:
        """The font of a family nearest in weight. Raises ValueError when there is none."""
        fonts = [font for font in self._fonts if font.family == family]
        if not fonts:
            hint = did_you_mean(family, self.families())
            raise ValueError(f"there is no font family {family!r} ({hint})")
        return min(fonts, key=lambda font: abs(font.weight - weight))


@dataclass(frozen=True, slots=True)
class Lettering:
    """The two fonts that sheets are lettered in."""

    regular: Font
    bold: Font

    @classmethod
    def of(cls, fonts: FontBook) -> Self:
        return cls(fonts.find(HOUSE_FAMILY), fonts.find(HOUSE_FAMILY, 700))

    def font(self, *, bold: bool) -> Font:
        return self.bold if bold else self.regular


def _open(path: Path) -> Font:
    face = hb.Face(hb.Blob.from_file_path(str(path)))
    names = hb.OTNameIdPredefined
    family = face.get_name(names.TYPOGRAPHIC_FAMILY) or face.get_name(names.FONT_FAMILY) or ""
    if not family or not all(len(face.reference_table(tag)) for tag in _TABLES):
        raise fail(str(path), "this is no TrueType font", "take it away or replace it")
    weight = int.from_bytes(face.reference_table("OS/2").data[4:6], "big") or 400
    return Font(family, weight, path, face)
