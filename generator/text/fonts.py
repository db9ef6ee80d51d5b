"""Text measured and shaped in a font: its glyphs in their places and their outlines (HarfBuzz).

A family also has a name for the engine that draws (typst).
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from operator import add
from pathlib import Path
from typing import Any
from unicodedata import category

import uharfbuzz as hb
from msgspec import Struct

from generator.basics.geometry import Rect
from generator.basics.recent import remembered
from generator.text.bidi import is_plain

_BOLD = 600  # the least weight that looks bold beside regular text
_NO_LETTERS = frozenset((*range(0x2E80, 0x2FE0), *range(0xFB00, 0xFF00)))  # radicals, ligatures, joined letters
_SAME = 1e-6  # ems: the rounding error of a sum of advances
_SEPARATORS = (" ", "-", "_")
_MODIFIERS = ("extra", "ext", "ex", "x", "semi", "sem", "sm", "demi", "dem", "ultra")
_STYLES = (
    "normal", "italic", "oblique", "slanted", "thin", "th", "hairline", "light", "lt", "regular",
    "medium", "med", "md", "bold", "bd", "demi", "extb", "black", "blk", "bk", "heavy", "narrow",
    "condensed", "cond", "cn", "cd", "compressed", "expanded", "exp",
)  # fmt: skip
_MARK = "."
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


class Font(Struct, frozen=True, eq=False, dict=True):
    """A face, at one weight if it is variable. `family` is the engine's name for it, `digest` that
    of its file. Equal fonts may differ in their object of HarfBuzz."""

    family: str
    weight: int
    path: Path
    _face: hb.Face
    italic: bool = False
    name: str = ""  # its PostScript name: "AlegreyaSans-Bold"
    digest: bytes = b""
    is_variable: bool = False  # in its weight
    strange: frozenset[str] = frozenset()  # letters without a usable width, as if it had them not

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Font) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        face = self.family, self.weight, self.path, self.italic, self.name
        return *face, self.digest, self.is_variable

    @cached_property
    def harfbuzz(self) -> hb.Font:
        """The font for HarfBuzz, made when it is first used."""
        font = hb.Font(self._face)
        if self.is_variable:
            font.set_variations({"wght": self.weight})
        return font

    @cached_property
    def em(self) -> int:
        """The units of an em."""
        return int(self._face.upem)

    @cached_property
    def widest(self) -> Rect:
        """The box that holds each of its glyphs, in its units, y upward."""
        return Rect(*struct.unpack(">4h", self._face.reference_table("head").data[36:44]))

    @property
    def title(self) -> str:
        """The name of its family for people."""
        return name_for_people(self.family)

    def has_table(self, tag: str) -> bool:
        """Whether its file has a table of that name: "sbix"."""
        return tag in self._face.table_tags

    @cached_property
    def letters(self) -> Mapping[int, str]:
        """The character of each glyph that shows one alone, the first in Unicode's order; none for
        a ligature that has a code of its own."""
        visible = [code for code in self._face.unicodes if code not in _NO_LETTERS and category(chr(code)) != "Cc"]
        glyphs = map(self.harfbuzz.get_nominal_glyph, visible)
        letters: dict[int, str] = {}
        for glyph, code in zip(glyphs, visible, strict=True):
            letters.setdefault(glyph, chr(code))
        return letters

    def missing(self, text: str) -> str:
        """The characters of `text` that the font has no glyph for, each once."""
        return "".join(c for c in dict.fromkeys(text) if not self.has(c))

    @remembered
    def has(self, character: str) -> bool:
        """Whether there is a glyph for it; False for a control, for which some fonts have one."""
        glyph = self.harfbuzz.get_nominal_glyph(ord(character))
        is_control = category(character) == "Cc"
        return glyph is not None and not is_control and character not in self.strange

    def width(self, text: str, size: float) -> float:
        """The advance of shaped text set at `size` (same unit as the result)."""
        return self._advance(shape(self.harfbuzz, text)) * self._scale(size)

    @remembered
    def parts(self, text: str, *, rtl: bool) -> tuple[tuple[str, float], ...]:
        """The parts in which to draw text of one direction, each with its advance in ems.

        Most text is one part. In some scripts, such as Devanagari, a letter with its marks is
        several glyphs side by side. The engine takes such a cluster to be as wide as its widest
        glyph (usvg in typst 0.15), so a part ends after it.
        """
        return tuple(self._part(text, "rtl" if rtl else "ltr"))

    def _part(self, text: str, direction: str) -> Iterator[tuple[str, float]]:
        shaped = shape(self.harfbuzz, text, direction)
        clusters = find_clusters(shaped)
        ends = sorted(clusters)[1:]
        before = dict(zip(ends, sorted(clusters), strict=False))
        cuts = [at for at in ends if is_wide(clusters[before[at]])]
        if cuts and not self._is_safe(shaped, text, cuts, direction):
            cuts = []
        for start, end in pairwise([0, *cuts, len(text)]):
            advances = (sum(own) for at, own in clusters.items() if start <= at < end)
            yield text[start:end], sum(advances) * self._scale(1.0)

    def _is_safe(self, shaped: hb.Buffer, text: str, cuts: list[int], direction: str) -> bool:
        """Whether the parts of a text have the same glyphs apart as together."""
        parts = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
        apart = [shape(self.harfbuzz, part, direction) for part in parts[:: -1 if direction == "rtl" else 1]]
        glyphs = [info.codepoint for buffer in apart for info in buffer.glyph_infos]
        return glyphs == [info.codepoint for info in shaped.glyph_infos]

    @remembered
    def joins(self, word: str, other: str) -> bool:
        """Whether two words and a blank can be drawn as one text: no kerning crosses the blank, all
        runs left to right, and no letter is several glyphs wide (see `parts`)."""
        if not (is_plain(word) and is_plain(other)):
            return False
        shaped = shape(self.harfbuzz, f"{word} {other}", "ltr")
        if any(map(is_wide, find_clusters(shaped).values())):
            return False
        parts = (self.parts(text, rtl=False) for text in (word, " ", other))
        apart = sum(ems for part in parts for _, ems in part)
        return abs(self._advance(shaped) * self._scale(1.0) - apart) < _SAME

    @cached_property
    def blank(self) -> float:
        """The advance of a blank, in ems."""
        return self.width(" ", 1.0)

    @cached_property
    def ascent(self) -> float:
        """The room above the baseline, in ems."""
        return float(self.harfbuzz.get_font_extents("ltr").ascender) * self._scale(1.0)

    @cached_property
    def descent(self) -> float:
        """The room below the baseline, in ems."""
        return -float(self.harfbuzz.get_font_extents("ltr").descender) * self._scale(1.0)

    def ink(self, text: str, size: float) -> Rect:
        """The inked box of text set at `size`; its baseline starts at the origin, y runs down."""
        buffer, scale = shape(self.harfbuzz, text), self._scale(size)
        boxes, x = [], 0
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions or (), strict=True):
            if ink := _ink(self, info.codepoint):
                boxes.append(ink.moved(x + position.x_offset, position.y_offset))
            x += position.x_advance
        if not boxes:
            return Rect(0.0, 0.0, 0.0, 0.0)
        x0, y0, x1, y1 = (side * scale for side in Rect.around(*boxes))
        return Rect(x0, -y1, x1, -y0)

    def _advance(self, shaped: hb.Buffer) -> int:
        return sum(p.x_advance for p in shaped.glyph_positions or ())

    def _scale(self, size: float) -> float:
        return size / self.em


def lacks_bold(weight: float, font: Font) -> bool:
    """Whether `weight` is bold and `font`, the nearest to it, is not."""
    return weight >= _BOLD > font.weight


def shape(font: hb.Font, text: str, direction: str = "", features: Mapping[str, bool] | None = None) -> hb.Buffer:
    """The glyphs of a text. `direction` is "ltr" or "rtl", "" for that of its script."""
    buffer = hb.Buffer()
    buffer.language = "und"  # else that of the machine, which may change letterforms
    if direction:
        buffer.direction = direction
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer, dict(features or {}))
    return buffer


def find_clusters(shaped: hb.Buffer) -> dict[int, list[int]]:
    """The advances of the glyphs of each letter with its marks, by its index in the text."""
    clusters: dict[int, list[int]] = {}
    for info, position in zip(shaped.glyph_infos, shaped.glyph_positions or (), strict=True):
        clusters.setdefault(info.cluster, []).append(position.x_advance)
    return clusters


def is_wide(advances: list[int]) -> bool:
    """Whether a letter with its marks is several glyphs side by side."""
    return sum(map(bool, advances)) > 1


def name_for_engine(family: str) -> str:
    """The name if the engine keeps it, else the name with a full stop."""
    plain = family.strip().lstrip(_MARK)
    return plain if _trim(plain) == plain else plain + _MARK


def name_for_people(family: str) -> str:
    """The name of a family without the full stop for the engine."""
    return family.removesuffix(_MARK)


def _trim(family: str) -> str:
    """The name that the engine makes of a name (typst 0.15, `typographic_family`)."""
    trimmed = "".join(c.lower() if c.isascii() else c for c in family)
    length = len(trimmed) + 1
    while len(trimmed) < length:
        length = len(trimmed)
        rest = trimmed
        while style := next((style for style in _STYLES if rest.endswith(style)), ""):
            rest = rest.removesuffix(style)
        if rest == trimmed:
            break
        if rest.endswith(_SEPARATORS):
            trimmed = rest = rest[:-1]
        modifier = next((modifier for modifier in _MODIFIERS if rest.endswith(modifier)), "")
        if modifier and rest.removesuffix(modifier).endswith(_SEPARATORS):
            trimmed = rest.removesuffix(modifier)[:-1]
    return family[:length]


class Glyph(Struct, frozen=True):
    """A glyph of shaped text. x, y and advance are ems, y down; `at` is the index of its first character."""

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
    """A measure of a font in ems, upward: "cap-height", "x-height", "underline" (its middle), "thickness" (of the
    underline), "line-through", "sub" and "super" (how far letters are lowered and raised)."""
    return float(font.harfbuzz.get_metric_position_with_fallback(_METRICS[name])) / int(font.harfbuzz.face.upem)


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
    return tuple("" if at == last else text[at : ends[at]] for last, at in zip(before, clusters, strict=False))


@lru_cache(maxsize=1 << 14)
def _ink(font: Font, glyph: int) -> Rect | None:
    """The inked box of a glyph in units of the font, y upward; None for a blank."""
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
