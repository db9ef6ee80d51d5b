"""Take the fonts of words, write the fonts of a file: subsets of their glyphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from string import ascii_letters, digits
from typing import Any

from generator.basics.geometry import decimal
from generator.pdf.document import PdfDocument, make_array, make_dictionary
from generator.pdf.words import UsedGlyphs, WordFont, WordWriter
from generator.text import Font
from generator.text.glyphs import keep_glyphs, metric

_SYMBOLIC, _ITALIC = 1 << 2, 1 << 6  # flags of a font: glyphs by number; its slope
_STEM = 80  # of a usual font, where a viewer needs a stand-in: never
_PREFIX = 6  # letters before the name of a subset
_IN_NAMES = frozenset(ascii_letters + digits + "-")
_MOST = 100  # entries of one block of a character map
_CMAP_HEAD = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
"""
_CMAP_FOOT = """endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


class EmbeddedFonts:
    """The fonts of all words of a file, embedded once all words are known."""

    def __init__(self, document: PdfDocument, words: WordWriter) -> None:
        self._document, self._words = document, words
        self._glyphs: dict[str, set[int]] = {}  # by the name of their font
        self._ligatures: dict[str, dict[int, str]] = {}
        self.reference = document.put_fonts(self)  # to the fonts by their names, for resources

    def use(self, used: Iterable[UsedGlyphs]) -> None:
        """Note glyphs that are shown."""
        for one in used:
            self._glyphs.setdefault(one.font, set()).update(one.glyphs)
            self._ligatures[one.font] = {**one.ligatures, **self._ligatures.get(one.font, {})}

    def addObjects(self, _: object) -> None:  # noqa: N802  ReportLab's name
        """Write the fonts with the glyphs that were shown."""
        for name in self._glyphs:
            self._document.put_font(name[1:], self._embed(name))

    def _embed(self, name: str) -> Any:
        """A font of a file (ISO 32000-1, 9.7) whose codes are the numbers of glyphs."""
        used, glyphs = self._words.fonts[name], sorted(self._glyphs[name])
        has_outlines, content = _subset(used.font, tuple(glyphs))
        plain = f"/{_prefix(content)}+{_plain(used.font.name or used.font.family)}"
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
    content = face.blob.data if has_outlines else face.reference_table("CFF ").data
    return has_outlines, content


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
    parts = [_CMAP_HEAD]
    for start in range(0, len(lines), _MOST):
        block = lines[start : start + _MOST]
        parts += [f"{len(block)} beginbfchar", *block, "endbfchar"]
    return "\n".join([*parts, _CMAP_FOOT])


def _prefix(content: bytes) -> str:
    """Six capital letters that tell subsets apart."""
    digest = blake2b(content, digest_size=_PREFIX).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest)


def _plain(name: str) -> str:
    return "".join(letter for letter in name if letter in _IN_NAMES) or "Font"
