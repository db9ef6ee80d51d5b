"""Text measured and shaped in a font, and its letters (HarfBuzz).

A family also has a name for the engine that draws (typst).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from unicodedata import category

import uharfbuzz as hb
from msgspec import Struct

from generator.basics.geometry import Rect
from generator.text.bidi import is_plain

_BOLD = 600  # the least weight that looks bold beside regular text
_PRESENTATION_FORMS = range(0xFB00, 0xFF00)  # of Unicode: ligatures and joined letters
_SAME = 1e-6  # ems: the rounding error of a sum of advances
_SEPARATORS = (" ", "-", "_")
_MODIFIERS = ("extra", "ext", "ex", "x", "semi", "sem", "sm", "demi", "dem", "ultra")
_STYLES = (
    "normal", "italic", "oblique", "slanted", "thin", "th", "hairline", "light", "lt", "regular",
    "medium", "med", "md", "bold", "bd", "demi", "extb", "black", "blk", "bk", "heavy", "narrow",
    "condensed", "cond", "cn", "cd", "compressed", "expanded", "exp",
)  # fmt: skip
_MARK = "."


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
        visible = [
            code
            for code in self._face.unicodes
            if code not in _PRESENTATION_FORMS and category(chr(code)) != "Cc"
        ]
        glyphs = map(self.harfbuzz.get_nominal_glyph, visible)
        letters: dict[int, str] = {}
        for glyph, code in zip(glyphs, visible, strict=True):
            letters.setdefault(glyph, chr(code))
        return letters

    def missing(self, text: str) -> str:
        """The characters of `text` that the font has no glyph for, each once."""
        return "".join(c for c in dict.fromkeys(text) if not self.has(c))

    def has(self, character: str) -> bool:
        """Whether there is a glyph for it; False for a control, for which some fonts have one."""
        has_glyph = self._glyphs.get(character)
        if has_glyph is None:
            glyph = self.harfbuzz.get_nominal_glyph(ord(character))
            is_control = category(character) == "Cc"
            has_glyph = glyph is not None and not is_control and character not in self.strange
            self._glyphs[character] = has_glyph
        return has_glyph

    @cached_property
    def _glyphs(self) -> dict[str, bool]:
        return {}

    def width(self, text: str, size: float) -> float:
        """The advance of shaped text set at `size` (same unit as the result)."""
        return self._advance(shape(self.harfbuzz, text)) * self._scale(size)

    def parts(self, text: str, *, rtl: bool) -> tuple[tuple[str, float], ...]:
        """The parts in which to draw text of one direction, each with its advance in ems.

        Most text is one part. In some scripts, such as Devanagari, a letter with its marks is
        several glyphs side by side. The engine takes such a cluster to be as wide as its widest
        glyph (usvg in typst 0.15), so a part ends after it.
        """
        parts = self._parts.get((text, rtl))
        if parts is None:
            parts = self._parts[text, rtl] = tuple(self._part(text, "rtl" if rtl else "ltr"))
        return parts

    @cached_property
    def _parts(self) -> dict[tuple[str, bool], tuple[tuple[str, float], ...]]:
        return {}

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
        apart = [
            shape(self.harfbuzz, part, direction)
            for part in parts[:: -1 if direction == "rtl" else 1]
        ]
        glyphs = [info.codepoint for buffer in apart for info in buffer.glyph_infos]
        return glyphs == [info.codepoint for info in shaped.glyph_infos]

    def joins(self, word: str, other: str) -> bool:
        """Whether two words and a blank can be drawn as one text: no kerning crosses the blank, all
        runs left to right, and no letter is several glyphs wide (see `parts`)."""
        joins = self._joined.get((word, other))
        if joins is None:
            joins = self._joined[word, other] = self._joins(word, other)
        return joins

    def _joins(self, word: str, other: str) -> bool:
        if not (is_plain(word) and is_plain(other)):
            return False
        shaped = shape(self.harfbuzz, f"{word} {other}", "ltr")
        if has_wide(shaped):
            return False
        parts = (self.parts(text, rtl=False) for text in (word, " ", other))
        apart = sum(ems for part in parts for _, ems in part)
        return abs(self._advance(shaped) * self._scale(1.0) - apart) < _SAME

    @cached_property
    def _joined(self) -> dict[tuple[str, str], bool]:
        return {}

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
            extents = self.harfbuzz.get_glyph_extents(info.codepoint)
            if extents is not None and extents.width:
                left = x + position.x_offset + extents.x_bearing
                top = -(position.y_offset + extents.y_bearing)
                boxes.append(Rect(left, top, left + extents.width, top - extents.height))
            x += position.x_advance
        if not boxes:
            return Rect(0.0, 0.0, 0.0, 0.0)
        return Rect(*(side * scale for side in Rect.around(*boxes)))

    def _advance(self, shaped: hb.Buffer) -> int:
        return sum(p.x_advance for p in shaped.glyph_positions or ())

    def _scale(self, size: float) -> float:
        return size / self.em


def lacks_bold(weight: float, font: Font) -> bool:
    """Whether `weight` is bold and `font`, the nearest to it, is not."""
    return weight >= _BOLD > font.weight


def shape(
    font: hb.Font, text: str, direction: str = "", features: Mapping[str, bool] | None = None
) -> hb.Buffer:
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


def has_wide(shaped: hb.Buffer) -> bool:
    """Whether any letter with its marks is several glyphs side by side."""
    starts = [info.cluster for info in shaped.glyph_infos]
    is_shared = len(set(starts)) < len(starts)  # rarely
    return is_shared and any(map(is_wide, find_clusters(shaped).values()))


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
