"""Take the fonts of words, make the fonts of a file: subsets of their glyphs (pikepdf)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import blake2b

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from generator.geometry import decimal
from generator.pdf.words import WordFont
from generator.text import Font
from generator.text.glyphs import keep_glyphs, metric

_SYMBOLIC, _ITALIC = 1 << 2, 1 << 6  # flags of a font: glyphs by number; its slope
_STEM = 80  # of a usual font, where a viewer needs a stand-in: never
_PREFIX = 6  # letters before the name of a subset
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


def embed(
    pdf: pikepdf.Pdf, used: WordFont, glyphs: Sequence[int], ligatures: Mapping[int, str]
) -> Dictionary:
    """A font of a file (ISO 32000-1, 9.7) whose codes are the numbers of these sorted glyphs.

    `ligatures` has the letters of glyphs that have no code in Unicode.
    """
    face = keep_glyphs(used.font, glyphs)
    has_outlines = "glyf" in face.table_tags
    content = face.blob.data if has_outlines else face.reference_table("CFF ").data
    name = Name(f"/{_prefix(content)}+{_plain(used.font.name or used.font.family)}")
    file = pdf.make_stream(content)
    if not has_outlines:
        file.Subtype = Name.CIDFontType0C
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2 if has_outlines else Name.CIDFontType0,
        BaseFont=name,
        CIDSystemInfo=Dictionary(
            Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0
        ),
        FontDescriptor=pdf.make_indirect(_descriptor(used, name, file, is_true_type=has_outlines)),
        DW=0,
        W=_widths(used, glyphs),
    )
    if has_outlines:
        descendant.CIDToGIDMap = Name.Identity
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=name,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(descendant)]),
        ToUnicode=pdf.make_stream(_character_map(used.font, glyphs, ligatures).encode("ascii")),
    )


def _descriptor(
    used: WordFont, name: Name, file: pikepdf.Stream, *, is_true_type: bool
) -> Dictionary:
    font = used.font
    high, low = round(font.ascent * 1000), round(-font.descent * 1000)
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=_SYMBOLIC | (_ITALIC if font.italic else 0),
        FontBBox=Array([-1000, low, 2000, high]),
        ItalicAngle=-12 if font.italic else 0,
        Ascent=high,
        Descent=low,
        CapHeight=round(metric(font, "cap-height") * 1000),
        StemV=_STEM,
    )
    descriptor["/FontFile2" if is_true_type else "/FontFile3"] = file
    return descriptor


def _widths(used: WordFont, glyphs: Sequence[int]) -> Array:
    """The advances of glyphs in thousandths of an em, those of adjacent numbers together."""
    widths: list[int | list[Decimal]] = []
    stretch: list[Decimal] = []
    last = -2
    for glyph in glyphs:
        if glyph != last + 1:
            stretch = []
            widths += [glyph, stretch]
        stretch.append(Decimal(decimal(used.advances[glyph] * 1000 / used.font.em, 3)))
        last = glyph
    return Array(widths)


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
    return "".join(letter for letter in name if letter.isalnum() or letter == "-") or "Font"
