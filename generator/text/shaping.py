"""Take a font and text, make shaped text and the letters in it (HarfBuzz)."""

from __future__ import annotations

import uharfbuzz as hb


def shape(font: hb.Font, text: str, direction: str = "") -> hb.Buffer:
    buffer = hb.Buffer()
    buffer.language = "und"  # else that of the machine, whose letterforms may be others
    if direction:
        buffer.direction = direction
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    return buffer


def find_clusters(shaped: hb.Buffer) -> dict[int, list[int]]:
    """The advances of the glyphs of each letter with its signs, by where it stands in the text."""
    clusters: dict[int, list[int]] = {}
    for info, position in zip(shaped.glyph_infos, shaped.glyph_positions or (), strict=True):
        clusters.setdefault(info.cluster, []).append(position.x_advance)
    return clusters


def is_wide(advances: list[int]) -> bool:
    """Whether a letter with its signs is several glyphs side by side."""
    return sum(map(bool, advances)) > 1
