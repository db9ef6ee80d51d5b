"""Folders of font files in which the engine finds every font by its usual name.

Each face is checked, and variable fonts keep only the axes of weight and width (HarfBuzz). WOFF and
WOFF2 files are unpacked (fontTools, Brotli).
"""

import io
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Any
from unicodedata import category

import uharfbuzz as hb
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, Problem, fail, quote
from generator.basics.files import MEGABYTE, is_one_line, list_within, read_within
from generator.basics.writing import UNTIL_END, scratch
from generator.text.fonts import find_clusters, name_for_engine, shape

_PACKAGE = Path(__file__).parents[1]
# A wheel carries the fonts inside the package, a checkout keeps them beside it.
HOUSE_FONTS = next(
    (folder for folder in (_PACKAGE / "fonts", _PACKAGE.parent / "fonts") if folder.is_dir()), _PACKAGE / "fonts"
)
ENDINGS = (".ttf", ".otf", ".ttc", ".otc")  # of the files that typst reads as fonts
_PACKED_ENDINGS = (".woff", ".woff2")
_OTHER_ENDINGS = (".eot", ".dfont", ".pfb", ".pfa", ".otb")
MAX_BYTES = 128 * MEGABYTE  # of a folder; one font of all Chinese characters holds about 10 MB
_MAX_UNPACKED = 32 * MEGABYTE  # of a WOFF or WOFF2 file
_MAX_FACES = 100  # of a collection; those of all East Asian scripts have 45
_MAX_FAMILY = 100  # characters
UNREAD = "font.unread"  # the kind of a finding
_UNITS = range(16, 16385)  # of an em, by the OpenType specification of the table head
_MEASURED = ("Lu", "Ll", "Nd")  # cased letters and digits, which never combine with others
_NARROWEST, _WIDEST = 0.05, 5.0  # ems of such a letter; display fonts go from 0.1 to 2
# The tables without which no font can be drawn. In a cut-off file the last ones are empty.
_TABLES = ("cmap", "head", "hhea", "hmtx", "maxp")
# A font has one of these: outlines or pictures.
_DRAWN = (("glyf", "loca"), ("CFF ",), ("CFF2",), ("CBDT", "CBLC"), ("sbix",))
_USUAL = {"wght": 400.0, "wdth": 100.0}  # the axes that the engine (typst 0.15) sets
_OF_CFF2 = (400.0, 700.0)  # weights to make of variable CFF2 outlines, which it cannot draw
_REMOVE = "remove it, or put a font there: TTF, OTF, WOFF or WOFF2"


class FontFace(Struct, frozen=True, eq=False, dict=True):
    """A face of a font file. `digest` is that of the file. `strange`: the letters that it cannot
    set, because they are as good as without a width, or too wide."""

    content: bytes
    index: int
    is_alone: bool  # in its file
    digest: bytes
    strange: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Whether the file is the same, of which the digest is compared."""
        return isinstance(other, FontFace) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.index, self.is_alone, self.digest

    @cached_property
    def face(self) -> hb.Face:
        return hb.Face(hb.Blob(self.content), self.index)

    @cached_property
    def family(self) -> str:
        names = hb.OTNameIdPredefined
        return next(filter(None, map(self.face.get_name, (names.TYPOGRAPHIC_FAMILY, names.FONT_FAMILY))), "")

    @property
    def name(self) -> str:
        """Its PostScript name: "AlegreyaSans-Bold"."""
        return self.face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or ""

    @cached_property
    def _style(self) -> bytes:
        return bytes(self.face.reference_table("OS/2").data)

    @property
    def weight(self) -> int:
        return int.from_bytes(self._style[4:6], "big") or 400

    @property
    def width(self) -> int:
        """From 1, the narrowest, to 9; 5 is normal."""
        return int.from_bytes(self._style[6:8], "big") or 5

    @cached_property
    def is_italic(self) -> bool:
        """Whether fsSelection or its name says italic or oblique, as the engine decides it."""
        bits = int.from_bytes(self._style[62:64], "big")
        full = (self.face.get_name(hb.OTNameIdPredefined.FULL_NAME) or "").lower()
        return bool(bits & 0x201) or any(word in full for word in ("italic", "oblique", "slanted"))

    @cached_property
    def axes(self) -> Mapping[str, tuple[float, float, float]]:
        """The least, the default and the greatest value of each axis of a variable font."""
        infos = self.face.axis_infos if self.face.has_var_data else ()
        return {axis.tag: (axis.min_value, axis.default_value, axis.max_value) for axis in infos}

    @property
    def instances(self) -> Iterator[tuple[str, float]]:
        """The PostScript names of the named weights of a variable font, and the weights."""
        axes = list(self.axes)
        for instance in self.face.named_instances if "wght" in axes else ():
            name = self.face.get_name(instance.postscript_name_id) or (
                f"{self.family}-{self.face.get_name(instance.subfamily_name_id) or ''}"
            ).replace(" ", "")
            yield name, dict(zip(axes, instance.design_coords, strict=False))["wght"]

    @property
    def is_ready(self) -> bool:
        """Whether the engine can draw it from its file."""
        are_usual = (
            tag in _USUAL and default == _clamp(_USUAL[tag], least, most)
            for tag, (least, default, most) in self.axes.items()
        )
        can_draw = not self._has("CFF2") and all(are_usual)
        return can_draw and self.family == name_for_engine(self.family)

    def prepare(self) -> Iterator[bytes]:
        """The font files that the engine can draw it from. Raises MisfitError if there are none."""
        if self.is_ready and self.is_alone:
            yield self.content
            return
        for face in self._instances() if self.axes else [self.face]:
            font = _open(face.blob.data, face.index)
            family = name_for_engine(self.family)
            if family != self.family:
                font["name"] = _name_table(family, self.name, is_italic=self.is_italic)
            yield _write(font)

    def _instances(self) -> Iterator[hb.Face]:
        if not self._has("CFF2"):
            yield self._instance(None)
            return
        least, _, most = self.axes.get("wght", _NO_AXIS)
        for weight in dict.fromkeys(_clamp(value, least, most) for value in _OF_CFF2):
            yield self._instance(weight)

    def _instance(self, weight: float | None) -> hb.Face:
        """The font with only the axes of _USUAL; without that of weight if `weight` is given."""
        subset = hb.SubsetInput()
        subset.keep_everything()
        subset.pin_all_axes_to_default(self.face)
        for tag, (least, _, most) in self.axes.items():
            usual = _clamp(_USUAL.get(tag, least), least, most)
            if tag == "wght" and weight is not None:
                subset.pin_axis_location(self.face, tag, weight)
            elif tag in _USUAL and weight is not None:
                subset.pin_axis_location(self.face, tag, usual)
            elif tag in _USUAL and least < most:
                subset.set_axis_range(self.face, tag, least, most, usual)
        subset.flags = subset.flags | hb.SubsetFlags.DOWNGRADE_CFF2
        try:
            return hb.subset(self.face, subset)
        except RuntimeError:
            raise MisfitError("its variations cannot be read", _REMOVE) from None

    def _has(self, *tables: str) -> bool:
        return all(len(self.face.reference_table(tag)) for tag in tables)

    def check(self) -> None:
        """Raises MisfitError if it cannot be drawn, or not as it is measured."""
        if not self._has(*_TABLES) or not any(self._has(*tables) for tables in _DRAWN):
            raise MisfitError("this is not a TrueType or OpenType font", _REMOVE)
        if not self.family:
            raise MisfitError("the font does not name its family", _REMOVE)
        if len(self.family) > _MAX_FAMILY or not is_one_line(self.family):
            what = f"the name of its family is {quote(self.family)}"
            raise MisfitError(f"{what}, which is not one line of plain text", _REMOVE)
        if self._has("CFF2") and not self.axes:
            what = "its outlines are of the kind CFF2, which pnp cannot draw"
            raise MisfitError(what, "put the TrueType file of the same font there")

    def find_strange(self) -> frozenset[str]:
        """The letters that have no usable width. Raises MisfitError if these are most of its
        letters, or if none can be measured."""
        if fault := _fault_of_widths(self.face):
            raise MisfitError(fault, _REMOVE)
        letters = [char for char in map(chr, self.face.unicodes) if category(char) in _MEASURED]
        widths = {char: width for char, width in _measure(self.face, letters) if not _NARROWEST <= width <= _WIDEST}
        if 2 * len(widths) > len(letters):
            char, width = next(iter(widths.items()))
            raise MisfitError(f"its letter {quote(char)} is {width:.2f} em wide", _REMOVE)
        return frozenset(widths)


_NO_AXIS = (400.0, 400.0, 400.0)


def _clamp(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)


class FontFolder(Struct, frozen=True):
    """A folder of fonts that the engine can read, the path and face of each, and a finding for each
    file that is not used."""

    path: Path
    faces: tuple[tuple[Path, FontFace], ...]
    findings: tuple[Problem, ...] = ()


def read_folder(folder: Path) -> FontFolder:
    """The fonts of a folder, or of a copy if the engine cannot read every file as it is.

    Raises PnpError as `files.list_within` does, and for too many bytes.
    """
    home, place = folder.parent, Place.in_folder(folder.parent, folder.name)
    names = list_within(home, folder.name, (*ENDINGS, *_PACKED_ENDINGS, *_OTHER_ENDINGS))
    try:
        stats = {name: (home / name).stat() for name in names}
    except OSError as error:  # the folder changes at the same time
        raise fail(place, f"cannot be read: {error.strerror}") from None
    _limit({name: stats[name].st_size for name in names if not _is_other(name)}, place)
    traces = tuple((n, s.st_mtime_ns, s.st_size, s.st_ino) for n, s in stats.items())
    return _read_files(folder, traces)


def _limit(sizes: Mapping[str, int], folder: Place) -> None:
    """Raises PnpError if the fonts of a folder are too large together."""
    if sum(sizes.values()) > MAX_BYTES:
        what = f"the fonts hold more than {MAX_BYTES // MEGABYTE} MB"
        largest = max(sizes, key=lambda name: sizes[name])
        raise fail(folder, what, f"the largest is {quote(largest)}")


def _is_other(name: str) -> bool:
    return PurePath(name).suffix.lower() in _OTHER_ENDINGS


@lru_cache(maxsize=64)
def _read_files(folder: Path, traces: tuple[tuple[str, int, int, int], ...]) -> FontFolder:
    """The fonts of a folder; remembered until one of its files changes."""
    home = folder.parent
    files: dict[str, Sequence[FontFace]] = {}
    findings: list[Problem] = []
    for name, *trace in traces:
        try:
            files[name] = _read_file(home, name, tuple(trace))
        except MisfitError as error:
            place = Place.in_folder(home, name)
            findings.append(Problem(place, f"the font file is not used: {error}", error.hint, "warning", UNREAD))
        sizes = {name: len(faces[0].content) for name, faces in files.items()}
        _limit(sizes, Place.in_folder(home, folder.name))
    chosen = [(name, face) for name, faces in files.items() for face in _choose(faces, files)]
    is_whole = len(chosen) == sum(map(len, files.values()))
    are_ready = all(_is_read(name) and choice.is_ready for name, choice in chosen)
    if is_whole and are_ready and not findings:
        return FontFolder(folder, tuple((home / name, face) for name, face in chosen))
    return _copy(chosen, findings, home)


def _is_read(name: str) -> bool:
    """Whether the engine reads a file of that name as a font."""
    ending = PurePath(name).suffix
    return ending in (ending.lower(), ending.upper()) and ending.lower() in ENDINGS


def _choose(faces: Sequence[FontFace], files: Mapping[str, Sequence[FontFace]]) -> Iterator[FontFace]:
    """The faces of a file, without variable ones if the family has static ones: both would have the same weights."""
    static_faces = {
        (other.family, other.is_italic, other.width) for others in files.values() for other in others if not other.axes
    }
    for face in faces:
        if not face.axes or (face.family, face.is_italic, face.width) not in static_faces:
            yield face


@lru_cache(maxsize=256)
def _read_file(home: Path, name: str, _trace: object) -> tuple[FontFace, ...]:
    """The faces of a file. Raises MisfitError if one of them cannot be drawn, and PnpError as
    `files.read_within` does."""
    if _is_other(name):
        raise MisfitError("pnp reads TTF, OTF, TTC, OTC, WOFF and WOFF2 fonts only", "put its TTF or OTF file there")
    content = unpack(read_within(home, name, MAX_BYTES, Place.in_folder(home, name)))
    count = hb.Face(hb.Blob(content)).count if content.startswith(b"ttcf") else 1
    if not 1 <= count <= _MAX_FACES:
        raise MisfitError(f"it is a collection of {count:,} fonts, not 1 to {_MAX_FACES}", _REMOVE)
    digest = blake2b(content).digest()
    faces = tuple(FontFace(content, index, count == 1, digest) for index in range(count))
    is_ours = (home / name).is_relative_to(HOUSE_FONTS)  # a test measures all of their letters
    for face in faces:
        face.check()
    if is_ours:  # this takes 13 ms for ours, 3 % of a small build
        return faces
    return tuple(replace(face, strange=face.find_strange()) for face in faces)


def unpack(content: bytes) -> bytes:
    """The font that a WOFF or WOFF2 file packs, or the content itself. Raises MisfitError if it is
    damaged or too large. fontTools sets no limit to what it unpacks."""
    check = {b"wOFF": _check_zlib, b"wOF2": _check_brotli}.get(content[:4])
    if check is None:
        return content
    try:
        return _write(_open(check(content)))
    except (MisfitError, MemoryError):
        raise
    except Exception:  # a broken file can raise any error in the libraries
        raise MisfitError("the packed font is damaged", _REMOVE) from None


def _check_zlib(content: bytes) -> bytes:
    """A WOFF file (W3C, WOFF 1.0), whose tables are as long as it says: they are packed one by one."""
    (count,) = struct.unpack_from(">H", content, 12)
    entries = [struct.unpack_from(">4x3I", content, 44 + 20 * at) for at in range(count)]
    _limit_unpacked(sum(length for *_, length in entries))
    for start, packed, length in entries:
        table = content[start : start + packed]
        if packed != length:
            table = zlib.decompressobj().decompress(table, length + 1)
        if len(table) != length:
            raise ValueError("a table is not as long as the file says")
    return content


def _check_brotli(content: bytes) -> bytes:
    """A WOFF2 file (W3C, WOFF 2.0) without its packed remarks, no longer than it says."""
    import brotli
    from fontTools.ttLib.woff2 import WOFF2DirectoryEntry

    count, packed = struct.unpack_from(">H6xI", content, 12)
    file = io.BytesIO(content[:28] + bytes(20) + content[48:])
    file.seek(48)
    total = 0
    for _ in range(count):
        entry = WOFF2DirectoryEntry()
        entry.fromFile(file)
        total += entry.length
    _limit_unpacked(total)
    stream = file.read(packed)
    if len(brotli.Decompressor().process(stream, output_buffer_limit=total + 1)) > total:
        raise ValueError("the tables are longer than the file says")
    return file.getvalue()


def _limit_unpacked(size: int) -> None:
    if size > _MAX_UNPACKED:
        what = f"the packed font unpacks to {size / MEGABYTE:.1f} MB"
        raise MisfitError(what, f"at most {_MAX_UNPACKED // MEGABYTE} MB: put its TTF or OTF there")


def _copy(chosen: Sequence[tuple[str, FontFace]], findings: list[Problem], home: Path) -> FontFolder:
    """A temporary folder of fonts that the engine can draw, deleted when this process ends."""
    folder = UNTIL_END.enter_context(scratch())
    faces: list[tuple[Path, FontFace]] = []
    for name, face in chosen:
        try:
            for content in face.prepare():
                ending = ".otf" if content.startswith(b"OTTO") else ".ttf"
                path = folder / f"{len(faces):03}{ending}"
                path.write_bytes(content)
                copy = FontFace(content, 0, True, blake2b(content).digest(), face.strange)
                faces.append((path, copy))
        except MisfitError as error:
            what = f"the font file is not used: {error}"
            findings.append(Problem(Place.in_folder(home, name), what, error.hint, "warning", UNREAD))
    return FontFolder(folder, tuple(faces), tuple(findings))


def _fault_of_widths(face: hb.Face) -> str:
    """What is wrong with the widths of the letters of a font, or ""."""
    units = int.from_bytes(face.reference_table("head").data[18:20], "big")
    if units not in _UNITS:
        return f"its em has {units} units, not {_UNITS[0]} to {_UNITS[-1]:,}"
    measured = int.from_bytes(face.reference_table("hhea").data[34:36], "big")
    if not 1 <= measured <= face.glyph_count:
        return f"it has {face.glyph_count} glyphs, and widths of {measured}"
    needed = 2 * measured + 2 * face.glyph_count
    if len(face.reference_table("hmtx")) < needed:
        return "its table of widths is too short"
    return "" if face.unicodes else "it has no characters"


def _measure(face: hb.Face, letters: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The width of each letter in ems."""
    shaped = shape(hb.Font(face), " ".join(letters), "ltr")  # blanks keep letters from joining
    for at, advances in find_clusters(shaped).items():
        if not at % 2:
            yield letters[at // 2], sum(advances) / face.upem


def _open(content: bytes, index: int = 0) -> Any:
    """A font of a file, for fontTools, whose tables stay as they are."""
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(content), fontNumber=index, recalcBBoxes=False, recalcTimestamp=False)


def _write(font: Any) -> bytes:
    """A font in a file of its own, unpacked."""
    font.flavor, written = None, io.BytesIO()
    font.save(written)
    return written.getvalue()


def _name_table(family: str, name: str, *, is_italic: bool) -> Any:
    """The table `name` of a font: its family, style, full name and PostScript name."""
    from fontTools.ttLib import newTable

    style, table = "Italic" if is_italic else "Regular", newTable("name")
    table.names = []
    for id_, text in {1: family, 2: style, 4: f"{family} {style}", 6: name}.items():
        table.setName(text, id_, 3, 1, 0x409)
    return table
