"""Take folders of fonts, find fonts in them by family, measure text with them (HarfBuzz)."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unicodedata import category

import uharfbuzz as hb

from generator.errors import PnpError, Problem, did_you_mean, quote
from generator.geometry import Rect
from generator.text.bidi import is_plain
from generator.text.fontfiles import FontFace, read_folder
from generator.text.naming import name_for_engine, name_for_people
from generator.text.postscript import FontStyle, letters_of, read_postscript
from generator.text.shaping import find_clusters, is_wide, shape
from generator.text.standins import find_stand_in, find_usual

_PACKAGE = Path(__file__).parents[1]
# A wheel carries the fonts inside the package, a checkout keeps them beside it.
HOUSE_FONTS = next(
    (folder for folder in (_PACKAGE / "fonts", _PACKAGE.parent / "fonts") if folder.is_dir()),
    _PACKAGE / "fonts",
)
HOUSE_FAMILY = "Alegreya Sans"  # the family of the labels on sheets
_BOLD = 600  # the least weight that looks bold beside regular text
_NORMAL = 5  # of the widths 1 to 9
_PRESENTATION_FORMS = range(0xFB00, 0xFF00)  # of Unicode: ligatures and joined letters
_SAME = 1e-6  # ems: the rounding error of a sum of advances


@dataclass(frozen=True)
class Font:
    """A face, at one weight if it is variable. `family` is the engine's name for it, `digest` that
    of its file."""

    family: str
    weight: int
    path: Path
    _face: hb.Face = field(repr=False, compare=False)
    italic: bool = False
    name: str = ""  # its PostScript name: "AlegreyaSans-Bold"
    digest: bytes = b""
    is_variable: bool = False  # in its weight

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
            has_glyph = self._glyphs[character] = glyph is not None and not is_control
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
        letters = find_clusters(shape(self.harfbuzz, f"{word} {other}", "ltr")).values()
        if not (is_plain(word) and is_plain(other)) or any(map(is_wide, letters)):
            return False
        parts = (self.parts(text, rtl=False) for text in (word, " ", other))
        apart = sum(ems for part in parts for _, ems in part)
        return abs(sum(map(sum, letters)) * self._scale(1.0) - apart) < _SAME

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
        x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
        return Rect(min(x0s) * scale, min(y0s) * scale, max(x1s) * scale, max(y1s) * scale)

    def _advance(self, shaped: hb.Buffer) -> int:
        return sum(p.x_advance for p in shaped.glyph_positions or ())

    def _scale(self, size: float) -> float:
        return size / self.em


class ChosenFamilies(NamedTuple):
    """The families of a text, in the engine's names, each for the characters that those before it
    lack. `stands_for`: the missing family that a family of the house replaces, or "". `style`: that
    of the first family's PostScript name, if the text names it so."""

    families: tuple[str, ...]
    stands_for: str = ""
    style: FontStyle | None = None


class FontBook:
    """The fonts of some folders, by family; no others are used. Books of the same files are equal,
    as long as the files do not change. `aliases`: a game's own names for families. `last_resort`:
    the family for all other names, if there is to be one.

    The engine that draws (typst) reads every font in `folders`: the folders themselves, or copies
    with fonts that it can draw; `sources` are always the folders themselves. `findings` report the
    files that are not used. Raises PnpError as `fontfiles.read_folder` does.
    """

    def __init__(
        self,
        folders: Iterable[Path | str],
        aliases: Mapping[str, str] | None = None,
        last_resort: str = "",
    ) -> None:
        self._last_resort = last_resort
        self._aliases = {name.casefold(): family for name, family in (aliases or {}).items()}
        self._families: dict[str, list[_FontSource]] = {}
        self.findings: list[Problem] = []
        paths: list[Path] = []
        sources: list[Path] = []
        problems: list[Problem] = []
        for folder in (folder for folder in map(Path, folders) if os.path.lexists(folder)):
            try:
                readable = read_folder(folder)
            except PnpError as error:
                problems += error.problems
                continue
            paths.append(readable.path)
            sources.append(folder)
            self.findings += readable.findings
            for path, face in readable.faces:
                source = _source(path, face)
                self._families.setdefault(source.family, []).append(source)
        if problems:
            raise PnpError(problems)
        self.folders, self.sources = tuple(paths), tuple(sources)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FontBook) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @cached_property
    def _identity(self) -> tuple[int, ...]:
        return tuple(id(one) for one in self._sources())

    def _sources(self) -> Iterator[_FontSource]:
        for sources in self._families.values():
            yield from sources

    def families(self) -> list[str]:
        """Their names for people, sorted."""
        return sorted(map(name_for_people, self._families))

    def known(self, name: str) -> str | None:
        """The family of that name in any case, as `find` takes it, or None."""
        return name if name in self._families else self._by_name.get(_fold(name))

    def own_families(self) -> tuple[str, ...]:
        """The families that only the game has."""
        return self._own_families

    @cached_property
    def _own_families(self) -> tuple[str, ...]:
        return tuple(
            family
            for family, sources in sorted(self._families.items())
            if not any(one.path.is_relative_to(HOUSE_FONTS) for one in sources)
        )

    def choose(self, names: Sequence[str]) -> ChosenFamilies | None:
        """The families of these names that exist; if none does, a stand-in of the house for the
        first name that has one; else the last resort, or None."""
        if matches := [one for one in map(self._match, names) if one]:
            families = tuple(dict.fromkeys(family for family, _ in matches))
            return ChosenFamilies(families, style=matches[0][1])
        for usual, style in (one for name in names for one in _usual_names(name)):
            family = find_stand_in(usual)
            if family and (own := self.known(family)):
                return ChosenFamilies((own,), usual, style)
        if names and self._last_resort:
            return ChosenFamilies((self._last_resort,), names[0])
        return None

    def _match(self, name: str) -> tuple[str, FontStyle | None] | None:
        """The family of a name, with the style if the name is a PostScript name."""
        if family := self.known(self._aliases.get(name.casefold(), name)):
            return family, None
        named = ((self._by_letters.get(letters), style) for letters, style in read_postscript(name))
        return next(((family, style) for family, style in named if family), None)

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        aliases = ((name, self.known(family)) for name, family in self._aliases.items())
        return {letters_of(family): family for family in sorted(self._families)} | {
            letters_of(name): family for name, family in aliases if family
        }

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {_fold(family): family for family in sorted(self._families)}

    def holders(self, character: str) -> list[str]:
        """The families that have a glyph for a character, by the engine's names."""
        return [family for family in self._families if self.find(family).has(character)]

    def has_widths(self, family: str) -> bool:
        """Whether a family has files for other widths: condensed, expanded."""
        sources = self._families.get(self.known(family) or "", ())
        return any(one.face.width != _NORMAL for one in sources)

    def find_called(self, name: str) -> Font | None:
        """The font of that PostScript name, or None."""
        for source in self._sources():
            if source.face.name == name and not source.is_variable:
                return source.at(source.weight)
            for instance, weight in source.instances:
                if instance == name:
                    return source.at(weight)
        return None

    def digests(self) -> dict[str, str]:
        """A digest of the files of each family, by family."""
        return {
            family: blake2b(b"".join(sorted(one.face.digest for one in sources))).hexdigest()
            for family, sources in self._families.items()
        }

    def find(self, family: str, weight: int = 400, *, italic: bool = False) -> Font:
        """The font of a family nearest in slope, width and weight, in this order, as the engine
        chooses it; of two weights equally near, that of CSS (Fonts 4, 5.2). Raises ValueError if
        there is no such family."""
        name = self.known(family)
        if name is None:
            hint = did_you_mean(family, self.families())
            raise ValueError(f"there is no font family {quote(family)} ({hint})")

        asked = _round(weight)
        sign = -1 if asked == 400 or asked > 500 else 1  # -1 for the heavier of two

        def distance(one: _FontSource) -> tuple[bool, int, int, int]:
            width = abs(one.face.width - _NORMAL)
            is_other = one.face.is_italic != italic
            return is_other, width, abs(one.weight - asked), sign * one.weight

        return min(self._families[name], key=distance).at(weight)


class _FontSource:
    """A face, and its font at each weight in use."""

    def __init__(self, path: Path, face: FontFace) -> None:
        self.face = face
        self.family = face.family
        self.weight = face.weight
        self.path = path
        least, _, most = face.axes.get("wght", (0.0, 0.0, 0.0))
        self.is_variable = least < most
        self.instances = tuple(face.instances)
        self._fonts: dict[int, Font] = {}

    def at(self, weight: float) -> Font:
        """The font at 100, 200 … or 900: the engine reads no other weights in a drawing."""
        weight = _round(weight) if self.is_variable else self.weight
        if weight not in self._fonts:
            self._fonts[weight] = self._make(weight)
        return self._fonts[weight]

    def _make(self, weight: int) -> Font:
        face = self.face
        return Font(
            family=self.family,
            weight=weight,
            path=self.path,
            _face=face.face,
            italic=face.is_italic,
            name=face.name,
            digest=face.digest,
            is_variable=self.is_variable,
        )


def lacks_bold(weight: float, font: Font) -> bool:
    """Whether `weight` is bold and `font`, the nearest to it, is not."""
    return weight >= _BOLD > font.weight


def _usual_names(name: str) -> Iterator[tuple[str, FontStyle | None]]:
    """A name, and the usual names of families that it may be the PostScript name of."""
    yield name, None
    for letters, style in read_postscript(name):
        if usual := find_usual(letters):
            yield usual, style


def _round(weight: float) -> int:
    return min(max(round(weight / 100), 1), 9) * 100


def _fold(family: str) -> str:
    return name_for_engine(family).casefold()


@lru_cache(maxsize=1024)
def _source(path: Path, face: FontFace) -> _FontSource:
    """One for each face, which remembers what it has measured."""
    return _FontSource(path, face)
