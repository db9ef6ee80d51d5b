"""Take a font and text, make shaped text and its letters (HarfBuzz)."""

from __future__ import annotations

import uharfbuzz as hb


def shape(font: hb.Font, text: str, direction: str = "") -> hb.Buffer:
    """The glyphs of a text. `direction` is "ltr" or "rtl", "" for that of its script."""
    buffer = hb.Buffer()
    buffer.language = "und"  # else that of the machine, which may change letterforms
    if direction:
        buffer.direction = direction
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    return buffer


def find_clusters(shaped: hb.Buffer) -> dict[int, list[int]]:
    """The advances of the glyphs of each letter with its marks, by its index in the text."""
    clusters: dict[int, list[int]] = {}
    for info, position in zip(shaped.glyph_infos, shaped.glyph_positions or (), strict=True):
        clusters.setdefault(info.cluster, []).append(position.x_advance)
    return clusters


def has_wide(shaped: hb.Buffer) -> bool:
    """Whether any letter with its marks is several glyphs side by side."""
    starts = [info.cluster for info in shaped.glyph_infos]
    is_shared = len(set(starts)) < len(starts)  # rarely
    return is_shared and any(map(is_wide, find_clusters(shaped).values()))


def is_wide(advances: list[int]) -> bool:
    """Whether a letter with its marks is several glyphs side by side."""
    return sum(map(bool, advances)) > 1
