"""Take an XLSX file, make the Rows of one of its sheets."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from generator.basics.errors import MisfitError, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import MEGABYTE
from generator.basics.place import Place
from generator.tables.merging import MOST_ACROSS, Merge, MergedCells
from generator.tables.rows import Faults, Row, cell_of

_MAIN_PARTS = {"XLSX": "xl/workbook.xml", "ODS": "content.xml"}
MAX_UNPACKED = 16 * MEGABYTE
MAX_PARTS = 1000
Line = list[tuple[Any, str] | None]  # the value of each cell, and its kind
MOST_DOWN = 1_048_576  # rows of a sheet, by ECMA-376
_MERGE = re.compile(
    rb"""<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref=["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']"""
)


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
