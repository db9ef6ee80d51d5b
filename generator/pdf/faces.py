"""Words and drawings of the layers of faces: PDF operators that show plain words, with names for
the glyphs of each font, and PDFs with a vector page of each drawing (typst).

The fonts of a file are subsets of their glyphs.
"""

from __future__ import annotations

from array import array
from codecs import BOM_UTF16_BE
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from math import ceil
from operator import add, sub
from pathlib import Path
from string import ascii_letters, digits
from sys import byteorder
from typing import Any

import typst
from msgspec import Struct

from generator.art.splitting import PlacedDrawing, Splitter
from generator.art.words import Colour, PlainWords
from generator.basics.geometry import Affine, Rect, Size, decimal
from generator.basics.writing import scratch
from generator.model import Layer
from generator.pdf.document import PdfDocument, make_array, make_dictionary
from generator.pdf.points import to_page
from generator.text import Font, FontBook
from generator.text.fonts import ShapedLine, advance, keep_glyphs, metric

GREY, COLOURED = "/Gray", "/Color"  # the names of colour spaces in the operators
_DIGITS = 4  # of the number of a glyph
_FINE = 6  # digits of the scales of a matrix
_SHADES = [f"{ceil(value / 255 * 1e5) / 1e5:g}" for value in range(256)]  # some viewers round down
_SYMBOLIC, _ITALIC = 1 << 2, 1 << 6  # flags of a font: glyphs by number; its slope
_STEM = 80  # of a usual font, where a viewer needs a stand-in: never
_PREFIX = 6  # letters before the name of a subset
_IN_NAMES = frozenset(ascii_letters + digits + "-")
_MOST = 100  # entries of one block of a character map
_CMAP = Path(__file__).with_name("letters.cmap")
# A page in the engine's colours, whose spaces the words share with the art: red is a colour, the other is grey.
_SWATCHES = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1">'
    '<rect width="1" height="1" fill="#f00"/><rect x="1" width="1" height="1" fill="#888"/></svg>'
)


class Advances(dict[int, int]):
    """The advances of the glyphs of a font alone, in its units, each measured at its first use."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, glyph: int) -> int:
        own = self[glyph] = advance(self._font, glyph)
        return own


class WordFont(Struct, frozen=True):
    """A font of words, its name in operators, the advances of its glyphs."""

    font: Font
    name: str
    advances: Advances


class UsedGlyphs(Struct, frozen=True):
    """The glyphs of a font by its name, and the letters of those that have no code of their own."""

    font: str
    glyphs: array[int]
    ligatures: Mapping[int, str]


class ShownWords(Struct, frozen=True):
    """The operators that show words, the glyphs of each font in them, the box around them (mm)."""

    operators: str
    used: Sequence[UsedGlyphs]
    room: Rect


LayerPart = PlacedDrawing | ShownWords


class WordWriter:
    """Writes words; the name of a font depends on nothing but the font."""

    def __init__(self) -> None:
        self.fonts: dict[str, WordFont] = {}  # by name
        self._fonts: dict[Font, WordFont] = {}

    def show(self, words: Sequence[PlainWords], page: Affine) -> ShownWords:
        """The operators of words; `page` maps the millimetres of their layer to points."""
        glyphs: dict[str, set[int]] = {}
        ligatures: dict[str, dict[int, str]] = {}
        for word in words:
            own = self._font(word.line.font)
            glyphs.setdefault(own.name, set()).update(word.line.glyphs)
            ligatures.setdefault(own.name, {}).update(_find_ligatures(word.line))
        used = [UsedGlyphs(name, array("H", sorted(own)), ligatures[name]) for name, own in glyphs.items()]
        x0, y0, x1, y1 = zip(*(word.room for word in words), strict=True)
        room = Rect(min(x0), min(y0), max(x1), max(y1))
        return ShownWords(self._write(words, page), used, room)

    def write_line(self, line: ShapedLine) -> tuple[str, list[str], UsedGlyphs]:
        """The name of the font of a line, the operators that show it, and its glyphs."""
        own = self._font(line.font)
        glyphs = array("H", sorted(set(line.glyphs)))
        used = UsedGlyphs(own.name, glyphs, _find_ligatures(line))
        return own.name, _Pen(line, own).write(), used

    def _write(self, words: Iterable[PlainWords], page: Affine) -> str:
        operators = ["BT"]
        font: WordFont | None = None
        colour: Colour | None = None
        for word in words:
            own = self._font(word.line.font)
            if word.colour != colour:
                operators.append(_fill(word.colour))
                colour = word.colour
            if own is not font:
                operators.append(f"{own.name} 1 Tf")
                font = own
            operators.append(f"{_matrix(page @ word.place)} Tm")
            operators += _Pen(word.line, own).write()
        return "\n".join([*operators, "ET"])

    def _font(self, font: Font) -> WordFont:
        own = self._fonts.get(font)
        if own is None:
            digest = blake2b(font.digest + f"{font.name} {font.weight}".encode(), digest_size=4)
            own = self._fonts[font] = WordFont(font, f"/F{digest.hexdigest()}", Advances(font))
            self.fonts[own.name] = own
        return own


def _find_ligatures(line: ShapedLine) -> dict[int, str]:
    """The glyphs of several letters, and others without a code, each with its letters."""
    unnamed = set(line.glyphs).difference(line.font.letters)
    if not unnamed:  # most lines
        return {}
    return {glyph: text for glyph, text in zip(line.glyphs, line.texts, strict=True) if text and glyph in unnamed}


def _fill(colour: Colour) -> str:
    """The operators of a colour, in the spaces of the engine."""
    red, green, blue = (_SHADES[value] for value in colour)
    if red == green == blue:
        return f"{GREY} cs {red} scn"
    return f"{COLOURED} cs {red} {green} {blue} scn"


def _matrix(place: Affine) -> str:
    """The matrix of text, whose y runs up."""
    a, b, c, d, e, f = place
    turns = (decimal(number, _FINE) for number in (a, b, -c, -d))
    return f"{' '.join(turns)} {decimal(e)} {decimal(f)}"


class _Pen:
    """Writes the glyphs of a line, in ems from its start."""

    def __init__(self, line: ShapedLine, used: WordFont) -> None:
        self._line, self._used = line, used
        self._at = 0  # units of the font
        self._rise = 0
        self._operators: list[str] = []

    def write(self) -> list[str]:
        """The operators of the line; clusters whose letters no glyph tells have them as a text."""
        line = self._line
        texts = list(line.texts)
        named = list(map(line.font.letters.get, line.glyphs, texts))
        if named == texts and "" not in texts and not any(line.rises):
            self._show(0, len(line.glyphs))
            return self._operators
        starts = [index for index, text in enumerate(texts) if text]
        for start, end in pairwise([*starts, len(line.glyphs)]):
            if end - start == 1 and named[start] == texts[start]:
                self._raise(start, end)
            else:
                text = (BOM_UTF16_BE + texts[start].encode("utf-16-be")).hex()
                self._operators.append(f"/Span <</ActualText <{text}>>> BDC")
                self._raise(start, end)
                self._operators.append("EMC")
        self._set_rise(0)
        return self._operators

    def _raise(self, start: int, end: int) -> None:
        """Show glyphs, each at its height."""
        for index in range(start, end):
            self._set_rise(self._line.rises[index])
            self._show(index, index + 1)

    def _set_rise(self, rise: int) -> None:
        if rise != self._rise:
            self._rise = rise
            self._operators.append(f"{decimal(rise / self._line.font.em, 5)} Ts")

    def _show(self, start: int, end: int) -> None:
        """Show glyphs, and move on where the next is not at the end of the one before."""
        glyphs, xs = self._line.glyphs[start:end], self._line.xs[start:end]
        ends = map(add, xs, map(self._used.advances.__getitem__, glyphs))
        *ats, self._at = self._at, *ends
        back = map(sub, ats, xs)  # from where the glyph before ends
        codes, em = _code(glyphs), self._line.font.em
        shown, last = [], 0
        for index, units in enumerate(back):
            if units:
                by = decimal(units * 1000 / em, 2)
                shown.append(f"<{codes[last : index * _DIGITS]}>{by}")
                last = index * _DIGITS
        rest = f"<{codes[last:]}>"
        self._operators.append(f"[{''.join(shown)}{rest}] TJ" if shown else f"{rest} Tj")


def _code(glyphs: array[int]) -> str:
    """The numbers of glyphs, each as four digits."""
    if byteorder == "little":
        glyphs = glyphs[:]
        glyphs.byteswap()
    return glyphs.tobytes().hex()


class EmbeddedFonts:
    """The fonts of all words of a file, embedded once all words are known."""

    def __init__(self, document: PdfDocument, words: WordWriter) -> None:
        self._document, self._words = document, words
        self._glyphs: dict[str, set[int]] = {}  # by the name of their font
        self._ligatures: dict[str, dict[int, str]] = {}
        self.reference = document.put_fonts(self)  # to the fonts by their names, for resources

    def use(self, used: Iterable[UsedGlyphs]) -> None:
        """Note glyphs that are shown."""
        for run in used:
            self._glyphs.setdefault(run.font, set()).update(run.glyphs)
            self._ligatures[run.font] = {**run.ligatures, **self._ligatures.get(run.font, {})}

    def addObjects(self, _: object) -> None:  # noqa: N802  ReportLab's name
        """Write the fonts with the glyphs that were shown."""
        for name in self._glyphs:
            self._document.put_font(name[1:], self._embed(name))

    def _embed(self, name: str) -> Any:
        """A font of a file (ISO 32000-1, 9.7) whose codes are the numbers of glyphs."""
        used, glyphs = self._words.fonts[name], sorted(self._glyphs[name])
        has_outlines, content = _subset(used.font, tuple(glyphs))
        letters = "".join(filter(_IN_NAMES.__contains__, used.font.name or used.font.family))
        plain = f"/{_prefix(content)}+{letters or 'Font'}"
        kind = {} if has_outlines else {"Subtype": "/CIDFontType0C"}
        file = self._document.put_stream(kind, content)
        descriptor = _descriptor(used, plain) | {"FontFile2" if has_outlines else "FontFile3": file}
        descendant = {
            "Type": "/Font",
            "Subtype": "/CIDFontType2" if has_outlines else "/CIDFontType0",
            "BaseFont": plain,
            "CIDSystemInfo": "<</Registry (Adobe) /Ordering (Identity) /Supplement 0>>",
            "FontDescriptor": self._document.put(make_dictionary(descriptor)),
            "DW": 0,
            "W": _widths(used, glyphs),
        }
        if has_outlines:
            descendant["CIDToGIDMap"] = "/Identity"
        letters = _character_map(used.font, glyphs, self._ligatures[name])
        font = {
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": plain,
            "Encoding": "/Identity-H",
            "DescendantFonts": make_array([self._document.put(make_dictionary(descendant))]),
            "ToUnicode": self._document.put_stream({}, letters.encode("ascii")),
        }
        return make_dictionary(font)


@lru_cache(maxsize=8)  # an edit of a drawing leaves its words
def _subset(font: Font, glyphs: Sequence[int]) -> tuple[bool, bytes]:
    """A font with these glyphs, and whether they are outlines of TrueType."""
    face = keep_glyphs(font, glyphs)
    has_outlines = "glyf" in face.table_tags
    return has_outlines, (face.blob.data if has_outlines else face.reference_table("CFF ").data)


def _descriptor(used: WordFont, name: str) -> dict[str, object]:
    font = used.font
    high, low = round(font.ascent * 1000), round(-font.descent * 1000)
    return {
        "Type": "/FontDescriptor",
        "FontName": name,
        "Flags": _SYMBOLIC | (_ITALIC if font.italic else 0),
        "FontBBox": make_array((-1000, low, 2000, high)),
        "ItalicAngle": -12 if font.italic else 0,
        "Ascent": high,
        "Descent": low,
        "CapHeight": round(metric(font, "cap-height") * 1000),
        "StemV": _STEM,
    }


def _widths(used: WordFont, glyphs: Sequence[int]) -> Any:
    """The advances of glyphs in thousandths of an em, those of adjacent numbers together."""
    widths: list[int | list[str]] = []
    stretch: list[str] = []
    last = -2
    for glyph in glyphs:
        if glyph != last + 1:
            stretch = []
            widths += [glyph, stretch]
        stretch.append(decimal(used.advances[glyph] * 1000 / used.font.em, 3))
        last = glyph
    return make_array([make_array(width) if isinstance(width, list) else width for width in widths])


def _character_map(font: Font, glyphs: Sequence[int], ligatures: Mapping[int, str]) -> str:
    """A CMap from the numbers of glyphs to their letters."""
    lines = [
        f"<{glyph:04x}> <{text.encode('utf-16-be').hex()}>"
        for glyph in glyphs
        if (text := font.letters.get(glyph) or ligatures.get(glyph))
    ]
    parts: list[str] = []
    for start in range(0, len(lines), _MOST):
        block = lines[start : start + _MOST]
        parts += [f"{len(block)} beginbfchar", *block, "endbfchar"]
    return _CMAP.read_text("ascii").format(blocks="".join(f"{part}\n" for part in parts))


def _prefix(content: bytes) -> str:
    """Six capital letters that tell subsets apart."""
    return "".join(chr(ord("A") + byte % 26) for byte in blake2b(content, digest_size=_PREFIX).digest())


class Typesetter:
    """typst with the fonts of some folders, without system fonts. It reads no files but pages of
    PDFs. It keeps the layers that it has read."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=list(font_folders))
        # the root is a file, not a folder, so that a layer cannot read from the disk
        self._compiler = typst.Compiler(root=__file__, font_paths=fonts)
        self._splitter = Splitter(FontBook(font_folders))
        self.writer = WordWriter()
        # the parts of layers, by their ids
        self._read: dict[str, Sequence[LayerPart]] = {}

    def typeset(self, layers: Iterable[Layer]) -> Typeset:
        """The parts of layers, and their drawings in the order of the layers."""
        typeset = Typeset(self)
        for layer in layers:
            typeset.add(layer)
        return typeset

    def split(self, layer: Layer) -> Sequence[LayerPart]:
        """The parts of a layer, the lowest first, with their words as operators."""
        if layer.id not in self._read:
            page = to_page(layer.size)
            self._read[layer.id] = [
                self.writer.show(part, page) if isinstance(part, list) else part for part in self._splitter.split(layer)
            ]
        return self._read[layer.id]

    def forget(self, layers: Iterable[str]) -> None:
        """Forget layers that were read, by their ids."""
        for id_ in layers:
            self._read.pop(id_, None)

    def draw(self, drawings: Iterable[tuple[str, Size, bytes]]) -> bytes:
        """A PDF of one vector page for each drawing of a size (mm), or for the page in its place.
        Raises typst.TypstError."""
        drawings = list(drawings)
        with scratch() if any(page for _, _, page in drawings) else nullcontext(Path(__file__)) as root:
            source = "".join(_page(root, *drawing) for drawing in drawings).encode()
            pdf = self._compiler.compile(input=source, root=str(root), format="pdf", timestamp=0)
        assert isinstance(pdf, bytes)
        return pdf


class Typeset:
    """The layers of one job, and the pages of their drawings, of which equal ones have one.

    Pages are numbered as the layers are added, so they do not depend on what else was read.
    """

    def __init__(self, typesetter: Typesetter) -> None:
        self._typesetter = typesetter
        self._numbers: dict[tuple[str, Size, bytes], int] = {}

    @property
    def words(self) -> WordWriter:
        """The writer of the words, which knows their fonts."""
        return self._typesetter.writer

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self._numbers)

    def add(self, layer: Layer) -> Sequence[LayerPart]:
        """The parts of a layer, the lowest first."""
        parts = self._typesetter.split(layer)
        for part in parts:
            if isinstance(part, PlacedDrawing):
                self.number(part)
        return parts

    def number(self, drawing: PlacedDrawing) -> int:
        """The number of the page of a drawing."""
        return self._numbers.setdefault((drawing.svg, drawing.size, drawing.page), len(self._numbers))

    def draw(self, start: int, end: int) -> bytes:
        """A PDF of the pages from one number to before another. Raises typst.TypstError."""
        return self._typesetter.draw(list(self._numbers)[start:end])

    def draw_swatches(self) -> bytes:
        """A PDF of one page with the engine's colour spaces, which words share with the art."""
        return self._typesetter.draw([(_SWATCHES, Size(2.0, 1.0), b"")])


def _page(folder: Path, svg: str, size: Size, page: bytes) -> str:
    """A page with the drawing only, as an artifact, so that it gets no tagging marks; or with the
    page of a PDF, which is put into a folder.

    It is a call of `page`: the engine would search a `set page` again for every later page.
    """
    width, height = size
    text = svg.replace("\\", "\\\\").replace('"', '\\"')
    source = f'bytes("{text}"), format: "svg"'
    if page:
        name = f"{blake2b(page, digest_size=16).hexdigest()}.pdf"
        (folder / name).write_bytes(page)
        source = f'"{name}", fit: "contain"'
    return (
        f"#page(width: {decimal(width)}mm, height: {decimal(height)}mm, margin: 0pt, pdf.artifact("
        f"image({source}, width: 100%, height: 100%)))\n"
    )
