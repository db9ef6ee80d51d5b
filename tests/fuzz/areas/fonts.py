"""Broken fonts: bytes, the directory of tables, single tables."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from random import Random
from xml.sax.saxutils import escape

import uharfbuzz as hb

from tests.fuzz import havoc, material, xml
from tests.fuzz.cases import Case, with_command

_TAGS = (
    b"cmap",
    b"glyf",
    b"head",
    b"hhea",
    b"hmtx",
    b"loca",
    b"maxp",
    b"name",
    b"OS/2",
    b"GSUB",
    b"GPOS",
    b"GDEF",
    b"post",
    b"kern",
    b"COLR",
    b"CFF ",
    b"fvar",
)
_ENTRY = struct.Struct(">4sIII")  # tag, checksum, offset, length
_FIRST = 12  # bytes before the directory


def make(rng: Random) -> Case:
    font = rng.choice(material.fonts())
    files = {**material.TINY, "fonts/a.ttf": _broken(rng, font)}
    family, signs = _said(font)
    spec = material.spec_of(files)
    component = spec["component"][0]
    component.pop("rule")
    if rng.random() < 0.3:
        component["front"]["number_font"] = family
        return with_command(rng, material.with_spec(files, spec))
    component["front"] = {"template": "front.svg", "edge": "ink"}
    component["bleed"] = "3mm"
    words = escape("".join(rng.choice(signs) for _ in range(rng.choice((1, 9, 60)))))
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" viewBox="0 0 40 60" '
        f'font-size="4" font-family="{family}, Alegreya Sans">'
        '<rect id="b" width="40" height="60" fill="none"/>'
        f'<text pnp:box="b">{words} {{{{ dot }}}}</text><text y="50">{words}</text></svg>'
    )
    return with_command(rng, material.with_spec({**files, "front.svg": drawing.encode()}, spec))


@cache
def _said(font: bytes) -> tuple[str, Sequence[str]]:
    """What a sound font calls its family, and the signs that it has, blanks among them."""
    face = hb.Face(hb.Blob(font))
    signs = [xml.plain(chr(code)) for code in sorted(face.unicodes)]
    name = str(face.get_name(hb.OTNameIdPredefined.FONT_FAMILY))
    return name, [*filter(None, signs), *" " * 40]


def _tables(font: bytes) -> list[tuple[bytes, int, int, int]]:
    count = int.from_bytes(font[4:6], "big")
    return [
        _ENTRY.unpack_from(font, _FIRST + at * _ENTRY.size)
        for at in range(count)
        if _FIRST + (at + 1) * _ENTRY.size <= len(font)
    ]


def _broken(rng: Random, font: bytes) -> bytes:
    chance = rng.random()
    if chance < 0.2:
        return havoc.break_bytes(rng, font)
    for _ in range(rng.choice((1, 1, 2, 4))):
        if _tables(font):
            font = _in_table(rng, font) if chance < 0.8 else _in_directory(rng, font)
    return font


def _in_table(rng: Random, font: bytes) -> bytes:
    """Breaks one table, which stays as long as it was and where it was."""
    _, _, offset, length = rng.choice(_tables(font))
    table = font[offset : offset + length]
    if rng.random() < 0.6:  # what stands first says how the rest is read
        head = havoc.break_bytes(rng, table[:40])
        table = head + table[40:]
    else:
        table = havoc.break_bytes(rng, table)
    return font[:offset] + table[:length].ljust(length, b"\0") + font[offset + length :]


def _in_directory(rng: Random, font: bytes) -> bytes:
    """Another name, place or length of a table, or another number of tables."""
    tables = _tables(font)
    at = rng.randrange(len(tables))
    tag, check, offset, length = tables[at]
    far = rng.choice((0, 1, offset + 1, length // 2, len(font), 2**31, 2**32 - 1, rng.randrange(len(font))))
    far = min(far, 2**32 - 1)  # the font may have such an offset already
    chance = rng.random()
    if chance < 0.1:
        return font[:4] + rng.choice((0, 1, 3, 999, 65_535)).to_bytes(2, "big") + font[6:]
    entry = (rng.choice(_TAGS), check, offset, length) if chance < 0.4 else (tag, check, far, length)
    if chance > 0.7:
        entry = (tag, check, offset, far)
    start = _FIRST + at * _ENTRY.size
    return font[:start] + _ENTRY.pack(*entry) + font[start + _ENTRY.size :]
