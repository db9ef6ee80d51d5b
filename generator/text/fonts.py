"""Take fonts from their folders, make measured lines of text (HarfBuzz). Reads fonts/."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path, PurePath
from unicodedata import category

import uharfbuzz as hb

from generator.errors import PnpError, Problem, did_you_mean, fail, quote
from generator.files import MEGABYTE, is_one_line, list_within, read_within
from generator.geometry import Rect
from generator.place import Place
from generator.text.bidi import is_plain

_PACKAGE = Path(__file__).parents[1]
# A wheel carries the fonts inside the package, a checkout keeps them beside it.
HOUSE_FONTS = next(
    (folder for folder in (_PACKAGE / "fonts", _PACKAGE.parent / "fonts") if folder.is_dir()),
    _PACKAGE / "fonts",
)
HOUSE_FAMILY = "Alegreya Sans"  # what the sheets themselves are lettered in
ENDINGS = (".ttf", ".otf", ".ttc", ".otc")  # of the files that typst takes for fonts
MAX_BYTES = 128 * MEGABYTE  # of a folder; one font of all Chinese signs holds about 10 MB
_MAX_FAMILY = 100  # characters
_UNITS = range(16, 16385)  # of an em, says the OpenType specification of the table head
_MEASURED = ("Lu", "Ll", "Nd")  # cased letters and digits, which always stand by themselves
_NARROWEST, _WIDEST = 0.05, 5.0  # ems of such a letter; display fonts go from 0.1 to 2
# What a TrueType font needs to be drawn; a table beyond the end of a cut-off file is empty.
_TABLES = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp")
_SAME = 1e-6  # ems that sums of advances are off


@dataclass(frozen=True)
class Font:
    """One static TrueType file. `digest` is of what it holds."""

    family: str
    weight: int
    path: Path
    _face: hb.Face = field(repr=False, compare=False)
    italic: bool = False
    name: str = ""  # its PostScript name: "AlegreyaSans-Bold"
    digest: bytes = b""

    @cached_property
    def harfbuzz(self) -> hb.Font:
        """The font as HarfBuzz shapes with it, made when it is first asked for."""
        return hb.Font(self._face)

    def missing(self, text: str) -> str:
        """The characters of `text` that the font has no glyph for, each once."""
        return "".join(c for c in dict.fromkeys(text) if not self.has(c))

    def has(self, character: str) -> bool:
        """Whether there is a glyph for it. None for a control, whatever some fonts hold."""
        has_glyph = self._known.get(character)
        if has_glyph is None:
            glyph = self.harfbuzz.get_nominal_glyph(ord(character))
            is_control = category(character) == "Cc"
            has_glyph = self._known[character] = glyph is not None and not is_control
        return has_glyph

    @cached_property
    def _known(self) -> dict[str, bool]:
        return {}

    def width(self, text: str, size: float) -> float:
        """The advance of shaped text set at `size` (same unit as the result)."""
        return self._advance(_shape(self.harfbuzz, text)) * self._scale(size)

    def parts(self, text: str, *, rtl: bool) -> tuple[tuple[str, float], ...]:
        """Text that runs one way, parted as it is to be drawn, each part with its advance in ems.

        One part, but for scripts that set several glyphs side by side for a letter with its
        signs, as Devanagari does: the engine that draws takes such a cluster to be as wide as its
        widest glyph (usvg in typst 0.15), so it must be the last of its part.
        """
        parts = self._parts.get((text, rtl))
        if parts is None:
            parts = self._parts[text, rtl] = tuple(self._part(text, "rtl" if rtl else "ltr"))
        return parts

    @cached_property
    def _parts(self) -> dict[tuple[str, bool], tuple[tuple[str, float], ...]]:
        return {}

    def _part(self, text: str, direction: str) -> Iterator[tuple[str, float]]:
        shaped = _shape(self.harfbuzz, text, direction)
        clusters = _clusters(shaped)
        ends = sorted(clusters)[1:]
        before = dict(zip(ends, sorted(clusters), strict=False))
        cuts = [at for at in ends if _is_wide(clusters[before[at]])]
        if cuts and not self._is_safe(shaped, text, cuts, direction):
            cuts = []
        for start, end in pairwise([0, *cuts, len(text)]):
            advances = (sum(own) for at, own in clusters.items() if start <= at < end)
            yield text[start:end], sum(advances) * self._scale(1.0)

    def _is_safe(self, shaped: hb.Buffer, text: str, cuts: list[int], direction: str) -> bool:
        """Whether the parts of a text take the same glyphs each by itself as all together."""
        parts = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
        apart = [
            _shape(self.harfbuzz, part, direction)
            for part in parts[:: -1 if direction == "rtl" else 1]
        ]
        glyphs = [info.codepoint for buffer in apart for info in buffer.glyph_infos]
        return glyphs == [info.codepoint for info in shaped.glyph_infos]

    def joins(self, word: str, other: str) -> bool:
        """Whether words are set with a blank between them as each by itself: no kerning crosses
        the blank, all runs left to right, and no letter is of several glyphs (see `parts`)."""
        joins = self._joined.get((word, other))
        if joins is None:
            joins = self._joined[word, other] = self._joins(word, other)
        return joins

    def _joins(self, word: str, other: str) -> bool:
        letters = _clusters(_shape(self.harfbuzz, f"{word} {other}", "ltr")).values()
        if not (is_plain(word) and is_plain(other)) or any(map(_is_wide, letters)):
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
        """How far above the baseline the font claims room, in ems."""
        return float(self.harfbuzz.get_font_extents("ltr").ascender) * self._scale(1.0)

    @cached_property
    def descent(self) -> float:
        """How far below the baseline the font claims room, in ems."""
        return -float(self.harfbuzz.get_font_extents("ltr").descender) * self._scale(1.0)

    def ink(self, text: str, size: float) -> Rect:
        """The inked box of text set at `size`, baseline start at the origin, y down."""
        buffer, scale = _shape(self.harfbuzz, text), self._scale(size)
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
        return size / int(self._face.upem)


class FontBook:
    """The fonts of some folders, by family; nothing outside them is ever used. Books of the same
    files are equal, as long as none of these changes.

    The engine that draws (typst) is given the folders and reads every file there with an ending
    of ENDINGS, so each of these is read and proven here. Raises PnpError with every fault: what
    `files.list_within` says of a folder, too many bytes, no TrueType font.
    """

    def __init__(self, folders: Iterable[Path | str]) -> None:
        self._fonts: list[Font] = []
        problems: list[Problem] = []
        self.folders = tuple(folder for folder in map(Path, folders) if os.path.lexists(folder))
        for folder in self.folders:
            try:
                self._fonts += _read_folder(folder)
            except PnpError as error:
                problems += error.problems
        if problems:
            raise PnpError(problems)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FontBook) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @cached_property
    def _identity(self) -> tuple[int, ...]:
        return tuple(map(id, self._fonts))

    def families(self) -> list[str]:
        """The names of all families, by the alphabet."""
        return sorted({font.family for font in self._fonts})

    def find_called(self, name: str) -> Font | None:
        """The font of that PostScript name."""
        return next((font for font in self._fonts if font.name == name), None)

    def digests(self) -> dict[str, str]:
        """What the files of each family hold, by family."""
        held: dict[str, list[bytes]] = {}
        for font in self._fonts:
            held.setdefault(font.family, []).append(font.digest)
        return {
            family: blake2b(b"".join(sorted(files))).hexdigest() for family, files in held.items()
        }

    def find(self, family: str, weight: int = 400, *, italic: bool = False) -> Font:
        """The font of a family nearest in slope, then in weight. Raises ValueError: no family."""
        fonts = [font for font in self._fonts if font.family == family]
        if not fonts:
            hint = did_you_mean(family, self.families())
            raise ValueError(f"there is no font family {quote(family)} ({hint})")
        return min(fonts, key=lambda font: (font.italic != italic, abs(font.weight - weight)))


def _shape(font: hb.Font, text: str, direction: str = "") -> hb.Buffer:
    buffer = hb.Buffer()
    buffer.language = "und"  # else that of the machine, whose letterforms may be others
    if direction:
        buffer.direction = direction
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    return buffer


def _clusters(shaped: hb.Buffer) -> dict[int, list[int]]:
    """The advances of the glyphs of each letter with its signs, by where it stands in the text."""
    clusters: dict[int, list[int]] = {}
    for info, position in zip(shaped.glyph_infos, shaped.glyph_positions or (), strict=True):
        clusters.setdefault(info.cluster, []).append(position.x_advance)
    return clusters


def _is_wide(advances: list[int]) -> bool:
    """Whether a letter with its signs is several glyphs side by side."""
    return sum(map(bool, advances)) > 1


def _read_folder(folder: Path) -> list[Font]:
    """The fonts in a folder. Raises PnpError with every file that is none that can be used."""
    home, place = folder.parent, Place(f"{folder.parent.name}/{folder.name}")
    names = list_within(home, folder.name, ENDINGS)
    try:
        stats = {name: (home / name).stat() for name in names}
    except OSError as error:  # it changes while it is read
        raise fail(place, f"cannot be read: {error.strerror}") from None
    sizes = {name: stat.st_size for name, stat in stats.items()}
    if sum(sizes.values()) > MAX_BYTES:
        what = f"the fonts hold more than {MAX_BYTES // MEGABYTE} MB"
        hint = f"the largest is {quote(max(names, key=sizes.__getitem__))}"
        raise fail(place, what, hint)
    fonts: list[Font] = []
    problems: list[Problem] = []
    for name, stat in stats.items():
        try:
            fonts.append(_read_font(home, name, (stat.st_mtime_ns, stat.st_size, stat.st_ino)))
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    return fonts


@lru_cache(maxsize=256)
def _read_font(home: Path, name: str, _trace: object) -> Font:
    """A font with all that was measured of it, as long as its file stays what it is."""
    place, ending = Place(f"{home.name}/{name}"), PurePath(name).suffix
    if ending not in (ending.lower(), ending.upper()):
        raise fail(place, f"its name ends in {ending}", f"name it {ending.lower()}")
    content = read_within(home, name, MAX_BYTES, place)
    face = hb.Face(hb.Blob(content))
    fault = "this is a collection of fonts" if content.startswith(b"ttcf") else _fault_of(face)
    if fault:
        raise fail(place, fault, "remove it, or put a TrueType font (.ttf) there")
    names = hb.OTNameIdPredefined
    style = face.reference_table("OS/2").data
    return Font(
        family=_family(face),
        weight=int.from_bytes(style[4:6], "big") or 400,
        path=home / name,
        _face=face,
        italic=int.from_bytes(style[62:64], "big") & 1 == 1,  # of fsSelection
        name=face.get_name(names.POSTSCRIPT_NAME) or "",
        digest=blake2b(content).digest(),
    )


def _family(face: hb.Face) -> str:
    names = hb.OTNameIdPredefined
    return face.get_name(names.TYPOGRAPHIC_FAMILY) or face.get_name(names.FONT_FAMILY) or ""


def _fault_of(face: hb.Face) -> str:
    """What is wrong with a font, "" for nothing."""
    family = _family(face)
    if not family or not all(len(face.reference_table(tag)) for tag in _TABLES):
        return "this is not a TrueType font"
    if len(family) > _MAX_FAMILY or not is_one_line(family):
        return f"the name of its family is {quote(family)}, which is not one line of plain text"
    return _fault_of_widths(face)


def _fault_of_widths(face: hb.Face) -> str:
    units = int.from_bytes(face.reference_table("head").data[18:20], "big")
    if units not in _UNITS:
        return f"its em has {units} units, not {_UNITS[0]} to {_UNITS[-1]:,}"
    measured = int.from_bytes(face.reference_table("hhea").data[34:36], "big")
    if not 1 <= measured <= face.glyph_count:
        return f"it has {face.glyph_count} glyphs, and widths of {measured}"
    needed = 2 * measured + 2 * face.glyph_count
    if len(face.reference_table("hmtx")) < needed:
        return "its table of widths is too short"
    letters = [char for char in map(chr, face.unicodes) if category(char) in _MEASURED]
    if not face.unicodes:
        return "it has no characters"
    shaped = _shape(hb.Font(face), " ".join(letters), "ltr")  # a blank between: nothing joins
    for at, advances in _clusters(shaped).items():
        width = sum(advances) / units
        if not at % 2 and not _NARROWEST <= width <= _WIDEST:
            return f"its letter {quote(letters[at // 2])} is {width:.2f} em wide"
    return ""
