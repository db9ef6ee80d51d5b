"""Glyphs of a text in their places, their outlines, and lines of them (HarfBuzz).

Also a font with no other glyphs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import add
from typing import Any

import uharfbuzz as hb
from msgspec import Struct

from generator.basics.geometry import Rect
from generator.text.fonts import Font, shape

Segment = tuple[str, tuple[tuple[float, float], ...]]  # a command of SVG, its points in ems, y down
_METRICS = {
    "cap-height": hb.OTMetricsTag.CAP_HEIGHT,
    "x-height": hb.OTMetricsTag.X_HEIGHT,
    "underline": hb.OTMetricsTag.UNDERLINE_OFFSET,
    "thickness": hb.OTMetricsTag.UNDERLINE_SIZE,
    "line-through": hb.OTMetricsTag.STRIKEOUT_OFFSET,
    "sub": hb.OTMetricsTag.SUBSCRIPT_EM_Y_OFFSET,
    "super": hb.OTMetricsTag.SUPERSCRIPT_EM_Y_OFFSET,
}
_SMALL_CAPS = int.from_bytes(b"smcp", "big")  # HarfBuzz keeps the other features that texts use
_FLAGS = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
_KEPT = _FLAGS | hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_LAYOUT_CLOSURE
_OF_LAYOUT = ("GDEF", "GPOS", "GSUB", "kern")  # tables that placed glyphs do not need


class Glyph(Struct, frozen=True):
    """A glyph of shaped text. x, y and advance are ems, y down; `at` is the index of its first
    character."""

    id: int
    at: int
    x: float
    y: float
    advance: float


def glyphs(font: Font, text: str, *, rtl: bool, features: Mapping[str, bool]) -> list[Glyph]:
    """The glyphs of text of one direction, from left to right on the page."""
    buffer = shape(font.harfbuzz, text, "rtl" if rtl else "ltr", features)
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
    """A measure of a font in ems, upward: "cap-height", "x-height", "underline" (its middle),
    "thickness" (of the underline), "line-through", "sub" and "super" (how far letters are lowered
    and raised)."""
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


class ShapedLine(Struct, frozen=True):
    """The glyphs of a text of one font and direction, from left to right.

    Lengths are units of the font; `rises` are upward. `texts` are the characters that each glyph
    stands for; a glyph that shares its characters with the one before it stands for "". A deck has
    millions of glyphs, so their numbers are arrays.
    """

    font: Font
    glyphs: array[int]
    xs: array[int]
    rises: array[int]
    texts: Sequence[str]
    advance: int

    def inks(self) -> Iterator[Rect]:
        """The inked boxes in units of the font, the baseline at y = 0, y upward."""
        for glyph, x, y in zip(self.glyphs, self.xs, self.rises, strict=True):
            if ink := _ink(self.font, glyph):
                yield ink.moved(x, y)

    def room(self) -> Rect:
        """A box that holds all ink, as `inks`."""
        widest = self.font.widest
        high = max(self.rises, default=0)
        low = min(self.rises, default=0)
        return Rect(widest.x0, low + widest.y0, self.advance + widest.x1, high + widest.y1)


def set_line(font: Font, text: str, *, rtl: bool) -> ShapedLine | None:
    """A line of text; None if the font lacks a glyph of it."""
    shaped = shape(font.harfbuzz, text, "rtl" if rtl else "ltr")
    infos, positions = shaped.glyph_infos, shaped.glyph_positions or ()
    glyphs = [info.codepoint for info in infos]
    if 0 in glyphs:
        return None
    *starts, advance = accumulate([position.x_advance for position in positions], initial=0)
    asides = [position.x_offset for position in positions]
    xs = map(add, starts, asides) if any(asides) else starts
    rises = array("i", [position.y_offset for position in positions])
    texts = _texts(text, [info.cluster for info in infos])
    return ShapedLine(font, array("H", glyphs), array("i", xs), rises, texts, advance)


def _texts(text: str, clusters: list[int]) -> Sequence[str]:
    """The characters of each glyph; those of a cluster belong to its first glyph."""
    if clusters == list(range(len(text))):  # most lines
        return text
    if len(clusters) == len(text) == len(set(clusters)):
        return "".join([text[at] for at in clusters])
    ends = dict(pairwise([*sorted(set(clusters)), len(text)]))
    before = [-1, *clusters]
    return tuple(
        "" if at == last else text[at : ends[at]]
        for last, at in zip(before, clusters, strict=False)
    )


@lru_cache(maxsize=1 << 14)
def _ink(font: Font, glyph: int) -> Rect | None:
    extents = font.harfbuzz.get_glyph_extents(glyph)
    if extents is None or not extents.width:
        return None
    left, top = extents.x_bearing, extents.y_bearing
    return Rect(left, top + extents.height, left + extents.width, top)


def advance(font: Font, glyph: int) -> int:
    """The advance of a glyph alone, in units of the font."""
    return int(font.harfbuzz.get_glyph_h_advance(glyph))


def keep_glyphs(font: Font, glyphs: Iterable[int]) -> hb.Face:
    """A font with these glyphs, by the same numbers, and without tables of layout."""
    subset = hb.SubsetInput()
    subset.glyph_set.update(glyphs)
    subset.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in _OF_LAYOUT)
    subset.flags = _KEPT
    return hb.subset(font.harfbuzz.face, subset)


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
