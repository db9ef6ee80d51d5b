"""Take an XLSX file, make the Rows of one of its sheets.

Take an ODS file (OpenDocument 1.3, part 3), make the Rows of one of its sheets. Take the merged
cells of a sheet, give each row the values of the cells that cover its own.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import zip_longest
from typing import Any

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import MEGABYTE
from generator.basics.safe_xml import xml_parser
from generator.tables.rows import Faults, Row, cell_of

_MAIN_PARTS = {"XLSX": "xl/workbook.xml", "ODS": "content.xml"}
MAX_UNPACKED = 16 * MEGABYTE
MAX_PARTS = 1000
Line = list[tuple[Any, str] | None]  # the value of each cell, and its kind
MOST_DOWN = 1_048_576  # rows of a sheet, by ECMA-376
_MERGE = re.compile(
    rb"""<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref=["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']"""
)
_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
}
_MOST_ROWS = 50_000  # that are not empty, each repeat counted
_MOST_BLANKS = 1000  # that one element stands for
MOST_ACROSS = 501  # columns to read: one more than a table may have
Cell = tuple[Any, Any]  # the value of a cell and its formula, None for none


def sheet_rows(content: bytes, file: Place, sheet: str, faults: Faults) -> Iterator[Row]:
    """The rows of a sheet that are not empty; of the first sheet for "".

    The value of a formula is the last one that was computed. Raises PnpError if the file is not
    XLSX or too large when unpacked, or if there is no such sheet.
    """
    has_formulas = guard(content, file, "XLSX")
    try:
        values = _sheet(content, file, sheet, is_computed=True)
        lines = dict(_lines(values, file))
        merged = MergedCells(_find_merges(values))
        formulas = (
            dict(_lines(_sheet(content, file, sheet, is_computed=False), file))
            if has_formulas
            else {}
        )
    except (PnpError, MemoryError):
        raise
    except Exception as error:  # a broken file can raise any error in the library
        raise describe_damage(file, error, "XLSX") from None
    return make_rows(lines, formulas, merged, replace(file, sheet=values.title), faults)


def guard(content: bytes, file: Place, kind: str) -> bool:
    """Check that a file is safe to parse. Returns whether a cell of an XLSX holds a formula.

    `kind` is "XLSX" or "ODS", for messages. Raises PnpError."""
    has_formulas = False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            for other, name in _MAIN_PARTS.items():
                if other != kind and name in archive.namelist():
                    raise fail(file, f"this is an {other} file", f"name it .{other.lower()}")
            size = sum(part.file_size for part in parts)
            if size > MAX_UNPACKED or len(parts) > MAX_PARTS:
                what = f"the file unpacks to {size / MEGABYTE:.1f} MB"
                hint = f"at most {MAX_UNPACKED / MEGABYTE:g} MB: delete what is not needed"
                raise fail(file, what, hint)
            for part in parts:  # zipfile unpacks no more than the sizes above
                text = archive.read(part).replace(b"\0", b"")  # also if it is UTF-16
                if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
                    raise fail(file, "the file declares entities, which no spreadsheet does")
                has_formulas = has_formulas or b"<f>" in text or b"<f " in text
    except (PnpError, MemoryError):
        raise
    except Exception as error:
        raise describe_damage(file, error, kind) from None
    return has_formulas


def describe_damage(file: Place, error: Exception, kind: str) -> PnpError:
    """A message for an error of zipfile or of a parser."""
    is_zip = not isinstance(error, zipfile.BadZipFile)
    what = f"a part of the {kind} file is missing or damaged"
    if not is_zip:
        what = f"this is not an {kind} file"
    return fail(file, what, f"save it again as .{kind.lower()}, without a password")


def _sheet(content: bytes, file: Place, name: str, *, is_computed: bool) -> Any:
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and the like, which are not read
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=is_computed)
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if not sheets:
        raise fail(file, "the file has no sheet with cells")
    if name and name not in sheets:
        raise fail(file, f"there is no sheet {quote(name)}", did_you_mean(name, sheets))
    sheet = sheets[name] if name else next(iter(sheets.values()))
    sheet.reset_dimensions()  # the size in the file may be false
    return sheet


def _lines(sheet: Any, file: Place) -> Iterator[tuple[int, Line]]:
    """The rows that are not empty, by number. For each number that the file skips, however many,
    the library yields the same blank row."""
    blank: Any = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, cells in enumerate(sheet.iter_rows(max_col=MOST_ACROSS), 1):
            if number > MOST_DOWN:
                what = f"a row has a number above {MOST_DOWN:,}, the last row of a sheet"
                raise fail(file, what, "save it again as .xlsx")
            if cells is blank:
                continue
            line = [
                (cell.value, cell.data_type) if cell.value is not None else None
                for cell in _up_to_last(cells)
            ]
            if line:
                yield number, line
            else:
                blank = cells


def _find_merges(sheet: Any) -> Iterator[Merge]:
    """The merged cells, which the library passes over in the mode that is frugal with memory."""
    from openpyxl.utils import column_index_from_string

    with sheet._get_source() as part:
        for match in _MERGE.finditer(part.read()):
            left, top, right, bottom = (found.decode() for found in match.groups())
            first, last = (column_index_from_string(name) - 1 for name in (left, right))
            yield Merge(int(top), first, int(bottom), last)


def _up_to_last(cells: Sequence[Any]) -> Sequence[Any]:
    """The cells of a row up to the last that is not empty."""
    width = len(cells)
    while width and cells[width - 1].value is None:
        width -= 1
    return cells[:width]


def make_rows(
    lines: Mapping[int, Line],
    formulas: Mapping[int, Line],
    merged: MergedCells,
    sheet: Place,
    faults: Faults,
) -> Iterator[Row]:
    """Rows of cells and of their formulas, both by number. A cell with a formula but no value was
    never computed, which is a fault."""
    width = 0
    for number in sorted({*lines, *formulas}):
        cells = list(zip_longest(lines.get(number, ()), formulas.get(number, ())))
        row = Row(replace(sheet, line=number), [], "sheet")
        if width:
            merged.fill(number, cells)
        else:
            row = replace(row, covered=merged.cover(number))
        before = len(faults)
        for index, (value, formula) in enumerate(cells):
            try:
                row.cells.append(_text(value, formula))
            except MisfitError as error:
                faults.append(Problem(row.cell(index, ""), str(error), error.hint))
        if len(faults) > before:
            continue
        while row.cells and not row.cells[-1] and len(row.cells) > width:
            row.cells.pop()
        if any(row.cells):
            width = width or len(row.cells)
            row.cells.extend([""] * (width - len(row.cells)))
            yield row


def _text(value: Any, formula: Any) -> str:
    """The text of a cell. Raises MisfitError for an error or a formula without a value."""
    if value is None:
        if formula is not None and formula[1] == "f":
            hint = "open the file in a spreadsheet and save it, or write the value"
            raise MisfitError("the formula was never computed", hint)
        return ""
    content, kind = value
    if kind == "e":
        raise MisfitError(f"the cell holds the error {quote(str(content))}", "correct the formula")
    if isinstance(content, datetime) and content.time() == time():
        content = content.date()
    return cell_of(content.isoformat() if isinstance(content, date | time) else content)


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
            merges += _find_merges_in_row(row, number)
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


def _find_merges_in_row(row: etree._Element, number: int) -> Iterator[Merge]:
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


class Merge(Struct, frozen=True, order=True):
    """Cells that are one, the last ones included: rows from 1, columns from 0."""

    top: int
    left: int
    bottom: int
    right: int


class MergedCells:
    """The merged cells of a sheet, whose rows are read downward.

    A value counts for each row that its cell covers, and only for the first column: a row says the
    same as its neighbour, while two columns are two things. The work for a row does not depend on
    the size of a merged cell.
    """

    def __init__(self, merges: Iterable[Merge]) -> None:
        self._merges = sorted(merge for merge in merges if merge.left < MOST_ACROSS)
        self._begun = 0
        self._open: dict[int, tuple[int, Cell]] = {}  # by column: the last row, and the value

    def fill(self, number: int, cells: list[Cell]) -> None:
        """Put the values of merged cells that began in a row above into a row."""
        for left, (bottom, cell) in list(self._open.items()):
            if bottom < number:
                del self._open[left]
                continue
            cells.extend([(None, None)] * (left + 1 - len(cells)))
            cells[left] = cell
        for merge in self._begin(number):
            value = cells[merge.left] if merge.left < len(cells) else (None, None)
            if merge.bottom > number and value[0] is not None:
                self._open[merge.left] = merge.bottom, value

    def cover(self, number: int) -> frozenset[int]:
        """The columns of the header that a heading to their left covers. Headings name columns,
        and are not repeated downward."""
        covered: set[int] = set()
        end = 0
        for merge in self._begin(number):
            last = min(merge.right, MOST_ACROSS)
            covered.update(range(max(merge.left + 1, end), last + 1))
            end = max(end, last + 1)
        return frozenset(covered)

    def _begin(self, number: int) -> list[Merge]:
        """The merged cells whose first row it is."""
        begun: list[Merge] = []
        while self._begun < len(self._merges) and self._merges[self._begun].top <= number:
            begun.append(self._merges[self._begun])
            self._begun += 1
        return [merge for merge in begun if merge.top == number]
