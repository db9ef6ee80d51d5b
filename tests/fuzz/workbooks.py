"""Spreadsheets: a grid as an XLSX or ODS, and ways to break their parts."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from xml.sax.saxutils import escape

import openpyxl

from tests.fuzz import havoc, xml
from tests.fuzz.words import words
from tests.support import opendocument

_SHEET = "xl/worksheets/sheet1.xml"
_CONTENT = "content.xml"
_WORDS = words("sheets")
_TIME = re.compile(rb">[0-9-]{10}T[0-9:]{8}Z<")
_ROWS = re.compile(rb"<sheetData *(/>|></sheetData>)")
_TYPES = (b"n", b"s", b"str", b"inlineStr", b"b", b"e", b"d", b"x", b"")
_NUMBERS = (0, -1, 1, 7, 16_384, 16_385, 1_048_576, 1_048_577, 2**31, 10**14)
_FORMULAS = ("1+1", "A1", "SUM(A1:A9)", "'Other'!A1", "#REF!")
_SPECIAL = ("<v>45292</v>", "<v>1e300</v>", "<v>-7</v>", "<v/>", '<v xml:space="preserve"> 1 </v>')


def workbook(rng: Random, grid: Sequence[Sequence[str]]) -> bytes:
    """The grid as the sheet "Cards"; a third of them broken."""
    parts = dict(_parts(rng.random() < 0.05))
    rows = "".join(_row(rng, number, row) for number, row in enumerate(grid[:300], 1))
    data = f"<sheetData>{rows}</sheetData>".encode()
    parts[_SHEET] = _ROWS.sub(lambda _: data, parts[_SHEET])
    if rng.random() < 0.35:
        _break_parts(rng, parts, _SHEET)
    content = _zipped(parts)
    return havoc.break_bytes(rng, content) if rng.random() < 0.06 else content


def open_document(rng: Random, grid: Sequence[Sequence[str]]) -> bytes:
    """The grid as an ODS; a third of them broken."""
    rows = "".join(opendocument.row([xml.plain(cell) for cell in row]) for row in grid[:300])
    parts = {_CONTENT: opendocument.content(opendocument.sheet(rows)).encode()}
    if rng.random() < 0.35:
        _break_parts(rng, parts, _CONTENT)
    content = _zipped(parts)
    return havoc.break_bytes(rng, content) if rng.random() < 0.06 else content


@cache
def _parts(has_more: bool) -> Mapping[str, bytes]:
    """Those of an empty workbook, as a library writes it."""
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = "Cards"
    if has_more:
        book.create_sheet("\u6f22 & more")
    written = io.BytesIO()
    book.save(written)
    with zipfile.ZipFile(written) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert _ROWS.search(parts[_SHEET]), "its first sheet is empty"
    # the time of writing is no part of a case
    return {name: _TIME.sub(b">2024-01-01T00:00:00Z<", part) for name, part in parts.items()}


def _row(rng: Random, number: int, cells: Sequence[str]) -> str:
    held = "".join(_cell(rng, f"{_letters(at)}{number}", cell) for at, cell in enumerate(cells) if cell)
    return f'<row r="{number}">{held}</row>'


def _letters(index: int) -> str:
    before, last = divmod(index, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _cell(rng: Random, place: str, text: str) -> str:
    """As a number, a text, a formula that was computed, or something special."""
    chance = rng.random()
    if chance < 0.01:
        return f'<c r="{place}">{rng.choice(_SPECIAL)}</c>'
    plain = escape(xml.plain(text))
    formula = f"<f>{rng.choice(_FORMULAS)}</f>" if chance < 0.02 else ""
    if plain.isascii() and plain.isdigit() and len(plain) < 15:
        return f'<c r="{place}">{formula}<v>{plain}</v></c>'
    if chance < 0.1:
        return f'<c r="{place}" t="str">{formula}<v>{plain}</v></c>'
    return f'<c r="{place}" t="inlineStr">{formula}<is><t xml:space="preserve">{plain}</t></is></c>'


def _break_parts(rng: Random, parts: dict[str, bytes], main: str) -> None:
    for _ in range(rng.choice((1, 1, 2, 3))):
        name = main if rng.random() < 0.5 else rng.choice([*parts, main])
        chance = rng.random()
        if chance < 0.1:
            parts.pop(name, None)
        elif chance < 0.2:
            parts[rng.choice([*parts, main])] = parts.get(name, b"")
        elif chance < 0.5:
            text = parts.get(name, b"").decode("utf-8", "replace")
            parts[name] = havoc.break_text(rng, text, _WORDS).encode("utf-8", "replace")
        else:
            parts[name] = _broken_attribute(rng, parts.get(name, b""))


def _broken_attribute(rng: Random, part: bytes) -> bytes:
    """Another type, place or number where one stands in quotes."""
    pieces = part.split(b'"')
    if len(pieces) < 3:
        return havoc.break_bytes(rng, part)
    number = b"%d" % rng.choice(_NUMBERS)
    odd = (rng.choice(_TYPES), number, b"A" + number, b"XFE1", b"1A", b"", b"1.5", b"\xc3\xa9")
    pieces[rng.randrange(1, len(pieces), 2)] = rng.choice(odd)
    return b'"'.join(pieces)


def _zipped(parts: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name)  # of no time of its own
            archive.writestr(info, content, zipfile.ZIP_DEFLATED, 1)
    return written.getvalue()
