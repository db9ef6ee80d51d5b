"""A grid as an ODS file, with what LibreOffice writes around and within its cells."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import date
from xml.sax.saxutils import escape, quoteattr

_NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"),
        ("table", "table"),
        ("text", "text"),
        ("style", "style"),
        ("fo", "xsl-fo-compatible"),
    )
)
_STYLES = "".join(
    f'<style:style style:name="{name}" style:family="text"><style:text-properties {look}/></style:style>'
    for name, look in (
        ("B", 'fo:font-weight="bold"'),
        ("I", 'fo:font-style="italic"'),
        ("S", 'style:text-line-through-style="solid"'),
    )
)
_CALC = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
_EMPTY = '<table:table-cell table:number-columns-repeated="{}"/>'


def cell(value: object) -> str:
    if value is None or value == "":
        return _EMPTY.format(1)
    if isinstance(value, bool):
        told = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
        return f"<table:table-cell {told}/>"
    if isinstance(value, int | float):
        return (
            f'<table:table-cell office:value-type="float" office:value="{value}">'
            f"<text:p>{value}</text:p></table:table-cell>"
        )
    if isinstance(value, date):
        told = f'office:value-type="date" office:date-value="{value.isoformat()}"'
        return f"<table:table-cell {told}><text:p>1.2.03</text:p></table:table-cell>"
    lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(value).split("\n"))
    return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'


def row(cells: Sequence[object]) -> str:
    return f"<table:table-row>{''.join(map(cell, cells))}{_EMPTY.format(16000)}</table:table-row>"


def sheet(rows: str, name: str = "Cards") -> str:
    blank = f"{_EMPTY.format(16384)}</table:table-row>"
    rest = f'<table:table-row table:number-rows-repeated="1048000">{blank}'
    return f"<table:table table:name={quoteattr(name)}>{rows}{rest}</table:table>"


def content(sheets: str, head: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<office:document-content {_NAMES} {_CALC}>'
        f"<office:automatic-styles>{_STYLES}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )


def ods(sheets: str, head: str = "") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content(sheets, head))
    return written.getvalue()
