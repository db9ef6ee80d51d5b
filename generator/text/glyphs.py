"""Take a font and text, make glyphs in their places, their outlines, and a font with no others
(HarfBuzz)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import uharfbuzz as hb

from generator.text.fonts import Font

Segment = tuple[str, tuple[tuple[float, float], ...]]  # a command of SVG, its points in ems, y down
_METRICS = {
    "x-height": hb.OTMetricsTag.X_HEIGHT,
    "underline": hb.OTMetricsTag.UNDERLINE_OFFSET,
    "thickness": hb.OTMetricsTag.UNDERLINE_SIZE,
    "line-through": hb.OTMetricsTag.STRIKEOUT_OFFSET,
    "sub": hb.OTMetricsTag.SUBSCRIPT_EM_Y_OFFSET,
    "super": hb.OTMetricsTag.SUPERSCRIPT_EM_Y_OFFSET,
}
_SMALL_CAPS = int.from_bytes(b"smcp", "big")  # HarfBuzz keeps the other features that texts use
_FLAGS = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE


class Glyph(NamedTuple):
    """A glyph of shaped text. x, y and advance are ems, y down; `at` is the index of its first
    character."""

    id: int
    at: int
    x: float
    y: float
    advance: float


def glyphs(font: Font, text: str, *, rtl: bool, features: Mapping[str, bool]) -> list[Glyph]:
    """The glyphs of text of one direction, from left to right on the page."""
    buffer = hb.Buffer()
    buffer.language = "und"  # as Font measures
    buffer.direction = "rtl" if rtl else "ltr"
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font.harfbuzz, buffer, dict(features))
    em = font.harfbuzz.face.upem
    return [
        Glyph(i.codepoint, i.cluster, p.x_offset / em, -p.y_offset / em, p.x_advance / em)
        for i, p in zip(buffer.glyph_infos, buffer.glyph_positions or (), strict=True)
    ]


@lru_cache(maxsize=4096)
def outline(font: Font, glyph: int) -> tuple[Segment, ...]:
    """The outline of a glyph with its origin at (0, 0); empty for a blank."""
    segments: list[Segment] = []
    font.harfbuzz.draw_glyph(glyph, _PENCIL, (segments, 1 / font.harfbuzz.face.upem))
    return tuple(segments)


def metric(font: Font, name: str) -> float:
    """A measure of a font in ems, upward: "x-height", "underline" (its middle), "thickness" (of the
    underline), "line-through", "sub" and "super" (how far letters are lowered and raised)."""
    value = font.harfbuzz.get_metric_position_with_fallback(_METRICS[name])
    return float(value) / int(font.harfbuzz.face.upem)


def subset(font: Font, characters: Iterable[str]) -> bytes:
    """A font file that sets these characters as `font` does, and has no others."""
    subset = hb.SubsetInput()
    subset.unicode_set.update(ord(character) for character in set(characters))
    subset.layout_feature_tag_set.add(_SMALL_CAPS)
    subset.flags = _FLAGS
    if font.is_variable:
        subset.pin_all_axes_to_default(font.harfbuzz.face)
        subset.pin_axis_location(font.harfbuzz.face, "wght", font.weight)
    content: bytes = hb.subset(font.harfbuzz.face, subset).blob.data
    return content


def _pencil() -> hb.DrawFuncs:
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda *arguments: _draw("M", arguments))
    functions.set_line_to_func(lambda *arguments: _draw("L", arguments))
    functions.set_quadratic_to_func(lambda *arguments: _draw("Q", arguments))
    functions.set_cubic_to_func(lambda *arguments: _draw("C", arguments))
    functions.set_close_path_func(lambda *arguments: _draw("Z", arguments))
    return functions


def _draw(command: str, arguments: tuple[Any, ...]) -> None:
    *numbers, (segments, scale) = arguments
    points = zip(numbers[::2], numbers[1::2], strict=True)
    segments.append((command, tuple((x * scale, -y * scale) for x, y in points)))


_PENCIL = _pencil()
