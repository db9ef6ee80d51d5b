"""Take an ODS file (OpenDocument 1.3, part 3), make the Rows of one of its sheets."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from lxml import etree
from msgspec.structs import replace

from generator.basics.errors import PnpError, did_you_mean, fail, quote
from generator.basics.place import Place
from generator.basics.safe_xml import xml_parser
from generator.tables.merging import MOST_ACROSS, Merge, MergedCells
from generator.tables.rows import Faults, Row
from generator.tables.spreadsheets import (
    MOST_DOWN,
    Line,
    describe_damage,
    guard,
    make_rows,
)

_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
}
_MOST_ROWS = 50_000  # that are not empty, each repeat counted
_MOST_BLANKS = 1000  # that one element stands for


def ods_rows(content: bytes, file: Place, sheet: str, faults: Faults) -> Iterator[Row]:
    """The rows of a sheet that are not empty; of the first sheet for "".

    The value of a formula is the last one that was computed. Raises PnpError if the file is not
    ODS or too large when unpacked, or if there is no such sheet.
    """
    guard(content, file, "ODS")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            root = etree.fromstring(archive.read("content.xml"), xml_parser())
        title, table = _find_sheet(root, file, sheet)
        lines, formulas, merges = _read_lines(table, file)
    except (PnpError, MemoryError):
        raise
    except Exception as error:  # a broken file can raise any error in the library
        raise describe_damage(file, error, "ODS") from None
    return make_rows(lines, formulas, MergedCells(merges), replace(file, sheet=title), faults)


def _name(name: str) -> str:
    """A name such as "table:name" in lxml's notation."""
    prefix, _, local = name.partition(":")
    return f"{{{_NAMES[prefix]}}}{local}"


def _find_sheet(root: etree._Element, file: Place, name: str) -> tuple[str, etree._Element]:
    tables = root.iterfind(
        f"{_name('office:body')}/{_name('office:spreadsheet')}/{_name('table:table')}"
    )
    sheets = {table.get(_name("table:name"), ""): table for table in tables}
    if not sheets:
        raise fail(file, "the file has no sheet with cells")
    if name and name not in sheets:
        raise fail(file, f"there is no sheet {quote(name)}", did_you_mean(name, sheets))
    return (name, sheets[name]) if name else next(iter(sheets.items()))


def _read_lines(
    table: etree._Element, file: Place
) -> tuple[dict[int, Line], dict[int, Line], list[Merge]]:
    """The rows that are not empty, by number, their formulas, and the merged cells."""
    lines: dict[int, Line] = {}
    formulas: dict[int, Line] = {}
    merges: list[Merge] = []
    number = 1
    for row in table.iter(_name("table:table-row")):
        times = _repeats(row, "table:number-rows-repeated")
        line, computed = _read_row(row)
        if line:
            if number + times - 1 > MOST_DOWN or len(lines) + times > _MOST_ROWS:
                what = f"the sheet has more than {_MOST_ROWS:,} rows"
                raise fail(file, what, "delete rows that are not needed")
            lines |= dict.fromkeys(range(number, number + times), line)
            formulas |= dict.fromkeys(range(number, number + times), computed)
            merges += _find_merges(row, number)
        number += times
    return lines, formulas, merges


def _repeats(element: etree._Element, attribute: str) -> int:
    times = int(element.get(_name(attribute), "1"))
    if times < 1:
        raise ValueError("repeated less than once")
    return times


def _read_row(row: etree._Element) -> tuple[Line, Line]:
    """The cells up to the last that is not empty, and their formulas."""
    line: Line = []
    computed: Line = []
    width = 0
    for cell in row.iterchildren(_name("table:table-cell"), _name("table:covered-table-cell")):
        times = min(_repeats(cell, "table:number-columns-repeated"), MOST_ACROSS - len(line))
        value = _read_cell(cell)
        is_formula = cell.get(_name("table:formula")) is not None
        line += [value] * times
        computed += [("", "f") if is_formula else None] * times
        if value is not None or is_formula:
            width = len(line)
    return line[:width], computed[:width]


def _find_merges(row: etree._Element, number: int) -> Iterator[Merge]:
    left = 0
    for cell in row.iterchildren(_name("table:table-cell"), _name("table:covered-table-cell")):
        down = _repeats(cell, "table:number-rows-spanned")
        across = _repeats(cell, "table:number-columns-spanned")
        if max(down, across) > 1:
            yield Merge(number, left, number + down - 1, left + across - 1)
        left += _repeats(cell, "table:number-columns-repeated")


def _read_cell(cell: etree._Element) -> tuple[Any, str] | None:
    """The value of a cell and its kind, "e" for an error; None for an empty cell."""
    kind = cell.get(_name("office:value-type"), "")
    if cell.get(_name("calcext:value-type")) == "error":
        return _read_words(cell), "e"
    if kind in ("float", "currency", "percentage"):
        return float(cell.get(_name("office:value"), "")), "n"
    if kind == "boolean":
        return cell.get(_name("office:boolean-value")) == "true", "b"
    if kind == "date":
        return cell.get(_name("office:date-value"), "").removesuffix("T00:00:00"), "s"
    words = cell.get(_name("office:string-value")) or _read_words(cell)
    return (words, "s") if words else None


def _read_words(cell: etree._Element) -> str:
    """The paragraphs of a cell as lines, without comments on the cell."""
    return "\n".join("".join(_words(one)) for one in cell.iterchildren(_name("text:p")))


def _words(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element.iterchildren(etree.Element):
        if child.tag == _name("text:s"):
            yield " " * min(int(child.get(_name("text:c"), "1")), _MOST_BLANKS)
        elif child.tag in (_name("text:tab"), _name("text:line-break")):
            yield "\t" if child.tag == _name("text:tab") else "\n"
        elif child.tag != _name("office:annotation"):
            yield from _words(child)
        yield child.tail or ""
