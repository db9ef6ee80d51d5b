"""Rows of a sheet of a spreadsheet: XLSX, XLSM, or ODS and FODS (OpenDocument 1.3, part 3).

A cell is the text that it shows; words that are bold or italic in it have the marks of a text.
Merged cells give their values to every row that they cover.
"""

import io
import re
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from typing import Any, TypeVar

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import MEGABYTE, xml_parser
from generator.basics.writing import read_part
from generator.tables.number_formats import GENERAL, show
from generator.tables.rows import MOST_ACROSS, Faults, Merge, MergedCells, Row, cell_of, letters
from generator.text.markup import WordLook, mark_looks

T = TypeVar("T")
_ENTITIES = "the file declares entities, which no spreadsheet does"
_MAIN_PARTS = {"XLSX": "xl/workbook.xml", "ODS": "content.xml"}
_KINDS = {"XLSM": "XLSX"}  # the same but for macros, which are not read
MAX_UNPACKED = 16 * MEGABYTE
MAX_PARTS = 1000
Line = list[tuple[Any, str] | None]  # the value of each cell, and its kind
MOST_DOWN = 1_048_576  # rows of a sheet, by ECMA-376
_MOST_NAMED = 5  # rows, cells or formats in a note
_COUNT = re.compile(r"[-+]?\d{1,9}(?:[.,]\d{1,9})?(?:\s?[-–/:]\s?[-+]?\d{1,9})?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_NAMES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
}
_MOST_ROWS = 50_000  # that are not empty, each repeat counted
_CELL = 32  # bytes that a cell takes in a file at least, beside its text
_MOST_BLANKS = 1000  # that one element stands for
_VALUES = ("boolean", "date", "time", "string")
_BOLD = 600  # the least weight that is bold
Struck = dict[int, dict[int, bool]]  # by row and column: whether all words of a cell are struck out


class _SheetContent(Struct):
    """A sheet as it is read: its rows that are not empty by number, their formulas, the numbers of hidden rows, the
    cells with words that are struck out, and the number formats that the file does not tell."""

    title: str
    lines: dict[int, Line] = {}
    formulas: dict[int, Line] = {}
    merges: list[Merge] = []
    hidden: set[int] = set()
    struck: Struck = {}
    unread: dict[str, None] = {}


def sheet_rows(
    content: bytes, file: Place, kind: str, sheet: str, faults: Faults, notes: list[Problem]
) -> Iterator[Row]:
    """The rows of a sheet that are not empty; of the first sheet for "". `kind` is "XLSX", "XLSM",
    "ODS", or "FODS", which is one XML file.

    The value of a formula is the last one that was computed. Raises PnpError if the file is not of
    its kind or too large when unpacked, or if there is no such sheet.
    """
    read = _read_document if kind in ("ODS", "FODS") else _read_workbook
    try:
        found = read(content, file, kind, sheet)
    except (PnpError, MemoryError):
        raise
    except Exception as error:  # a broken file can raise any error in the library
        raise describe_damage(file, error, kind) from None
    place = replace(file, sheet=found.title)
    notes += _note_looks(place, found.lines, found.hidden, found.struck)
    if found.unread:
        named = ", ".join(map(quote, list(found.unread)[:_MOST_NAMED]))
        what = f"cells with the format {named} print as their plain values, dates as 2026-03-31"
        hint = "choose a format that does not depend on the computer or the language, or text"
        notes.append(Problem(place, what, hint, "note", "cell.format", found=named))
    return make_rows(found.lines, found.formulas, MergedCells(found.merges), place, faults)


def _read_workbook(content: bytes, file: Place, kind: str, name: str) -> _SheetContent:
    has_formulas = guard(content, file, kind)
    sheet = _sheet(content, file, name, is_computed=True)
    found = _SheetContent(sheet.title)
    _read_lines(sheet, file, found)
    if has_formulas:
        written = _SheetContent(sheet.title)
        _read_lines(_sheet(content, file, name, is_computed=False), file, written)
        found.formulas |= written.lines
    return found


def _read_document(content: bytes, file: Place, kind: str, name: str) -> _SheetContent:
    if kind == "ODS":
        guard(content, file, kind)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = archive.read("content.xml")
    elif len(content) > MAX_UNPACKED:
        raise fail(file, f"the file has {len(content) / MEGABYTE:.1f} MB", f"at most {MAX_UNPACKED / MEGABYTE:g} MB")
    elif b"<!DOCTYPE" in (text := content.replace(b"\0", b"")) or b"<!ENTITY" in text:
        raise fail(file, _ENTITIES, f"save it again as .{kind.lower()}")
    root = etree.fromstring(content, xml_parser())
    path = "/".join(map(_name, ("office:body", "office:spreadsheet", "table:table")))
    tables = {table.get(_name("table:name"), ""): table for table in root.iterfind(path)}
    title, table = _choose(tables, file, name)
    return _SheetReader(root, file, _SheetContent(title)).read(table)


def _note_looks(sheet: Place, lines: Mapping[int, Line], hidden: Collection[int], struck: Struck) -> Iterator[Problem]:
    """One note each for rows that are hidden or struck out, for words that are struck out, and for
    dates among numbers. In these lists, the column of a whole row is -1."""
    rows = list(lines)[1:]  # below the headings
    widths = {row: sum(cell is not None for cell in lines[row]) for row in rows}
    unseen = [(row, -1) for row in rows if row in hidden]
    whole = [(row, -1) for row in struck if sum(struck[row].values()) == widths.get(row)]
    part = [(row, at) for row in rows if (row, -1) not in whole for at in struck.get(row, ())]
    are_printed = "are printed like the others"
    rule_out = "delete these rows, or write no in a column 'enabled'"
    retype = "a spreadsheet makes a date of 1/2: format the column as text, and type it again"
    for rule, what, hint, cells in (
        ("row.hidden", f"hidden rows {are_printed}", rule_out, unseen),
        ("row.struck", f"struck-out rows {are_printed}", rule_out, whole),
        ("cell.struck", f"struck-out words {are_printed}", "delete these words", part),
        ("cell.date", "there are dates among numbers", retype, _find_dates(lines, rows)),
    ):
        if cells:
            names = [f"{letters(at) if at >= 0 else ''}{row}" for row, at in cells[:_MOST_NAMED]]
            more = f" and {len(cells) - _MOST_NAMED:,} more" * (len(cells) > _MOST_NAMED)
            found, (row, at) = ", ".join(names) + more, cells[0]
            place = replace(sheet, line=row, letters=letters(max(at, 0)))
            yield Problem(place, f"{what}: {found}", hint, "note", rule, found=found)


def _find_dates(lines: Mapping[int, Line], rows: Iterable[int]) -> list[tuple[int, int]]:
    """The rows and columns of dates in columns whose other cells hold numbers, or such as 1/2 and
    3-4, but not only years."""
    dates: dict[int, list[int]] = {}
    others: dict[int, list[str]] = {}
    for row in rows:
        for at, cell in enumerate(lines[row]):
            if cell and cell[1] == "d":
                dates.setdefault(at, []).append(row)
            elif cell and (words := str(cell[0]).strip()):
                others.setdefault(at, []).append(words)
    full = [at for at in dates if others.get(at)]
    odd = [at for at in full if all(_COUNT.fullmatch(cell) for cell in others[at])]
    odd = [at for at in odd if not all(_YEAR.fullmatch(cell) for cell in others[at])]
    return sorted((row, at) for at in odd for row in dates[at])


def guard(content: bytes, file: Place, kind: str) -> bool:
    """Check that a file is safe to parse. Returns whether a cell of an XLSX holds a formula.

    `kind` is "XLSX", "XLSM" or "ODS", for messages. Raises PnpError, and any error for a damaged file."""
    has_formulas = False
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        for other, name in _MAIN_PARTS.items():
            if other != _KINDS.get(kind, kind) and name in archive.namelist():
                raise fail(file, f"this is an {other} file", f"name it .{other.lower()}")
        size = sum(part.file_size for part in parts)
        if size > MAX_UNPACKED or len(parts) > MAX_PARTS:
            what = f"the file unpacks to {size / MEGABYTE:.1f} MB"
            raise fail(file, what, f"at most {MAX_UNPACKED / MEGABYTE:g} MB: delete what is not needed")
        for part in parts:
            text = read_part(archive, part).replace(b"\0", b"")  # also if it is UTF-16
            if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
                raise fail(file, _ENTITIES, f"save it again as .{kind.lower()}")
            has_formulas = has_formulas or b"<f>" in text or b"<f " in text
    return has_formulas


def describe_damage(file: Place, error: Exception, kind: str) -> PnpError:
    """A message for an error of zipfile or of a parser."""
    what = f"a part of the {kind} file is missing or damaged"
    if isinstance(error, zipfile.BadZipFile):
        what = f"this is not an {kind} file"
    return fail(file, what, f"save it again as .{kind.lower()}, without a password")


def _sheet(content: bytes, file: Place, name: str, *, is_computed: bool) -> Any:
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and the like, which are not read
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=is_computed, rich_text=True)
    _, sheet = _choose({sheet.title: sheet for sheet in book.worksheets}, file, name)
    return sheet


def sheet_part(content: bytes, file: Place, sheet: str) -> str:
    """The path of the part of an XLSX that has the cells of a sheet; arguments as of sheet_rows."""
    return str(_sheet(content, file, sheet, is_computed=True)._worksheet_path).lstrip("/")


def _choose(sheets: Mapping[str, T], file: Place, name: str) -> tuple[str, T]:
    """The sheet of a name, the first for "", and its own name. Raises PnpError if there is none."""
    if not sheets:
        raise fail(file, "the file has no sheet with cells")
    if name and name not in sheets:
        raise fail(file, f"there is no sheet {quote(name)}", did_you_mean(name, sheets))
    return (name, sheets[name]) if name else next(iter(sheets.items()))


def _read_lines(sheet: Any, file: Place, found: _SheetContent) -> None:
    """Add the rows of a sheet to what is found of it."""
    from openpyxl.cell.read_only import ReadOnlyCell
    from openpyxl.worksheet._reader import WorkSheetParser

    book, last = sheet.parent, 0
    with warnings.catch_warnings(), sheet._get_source() as source:
        warnings.simplefilter("ignore")
        parser = WorkSheetParser(
            source,
            sheet._shared_strings,
            data_only=book.data_only,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
            rich_text=True,  # which iter_rows leaves out: a text in its cell would lose its looks
        )
        for number, row in parser.parse():
            if number > MOST_DOWN:
                what = f"a row has a number above {MOST_DOWN:,}, the last row of a sheet"
                raise fail(file, what, "save it again as .xlsx")
            cells = {
                cell["column"] - 1: ReadOnlyCell(sheet, **cell)
                for cell in row
                if cell["column"] <= MOST_ACROSS and cell["value"] is not None
            }
            if number <= last or not cells:
                continue
            last = number
            looks = {at: _find_struck(cells[at]) for at in sorted(cells)}
            if any(map(any, looks.values())):
                found.struck[number] = {at: all(words) for at, words in looks.items() if any(words)}
            every = map(cells.get, range(max(cells) + 1))
            found.lines[number] = [cell and (_show_cell(cell, found.unread), cell.data_type) for cell in every]
    for cells in parser.merged_cells.mergeCell if parser.merged_cells else ():
        left, top, right, bottom = cells.bounds
        found.merges.append(Merge(top, left - 1, bottom, right - 1))
    dimensions = parser.row_dimensions.items()
    found.hidden |= {int(row) for row, own in dimensions if own.get("hidden") in ("1", "true")}


def _show_cell(cell: Any, unread: dict[str, None]) -> Any:
    """What a cell shows: a text, or a number without a format."""
    value = cell.value
    if cell.data_type in ("e", "f"):
        return value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, list):
        return _mark_runs(value)
    code = cell.number_format
    if code == GENERAL:
        return value
    shown = show(value, code)
    if shown is not None:
        return shown
    unread.setdefault(code)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, timedelta) else value


def _find_struck(cell: Any) -> list[bool]:
    """Whether each part of the words of a cell is struck out."""
    runs = cell.value if isinstance(cell.value, list) else [""]
    fonts = (cell.font if isinstance(run, str) else run.font for run in runs)
    return [bool(font and font.strike) for font in fonts]


def _mark_runs(runs: Iterable[Any]) -> str:
    """The text of a cell whose parts differ in their fonts."""
    looks = []
    for run in runs:
        font = None if isinstance(run, str) else run.font
        look = WordLook(bold=bool(font and font.b), italic=bool(font and font.i))
        looks.append((run if font is None else run.text, look))
    return mark_looks(looks)


def make_rows(
    lines: Mapping[int, Line], formulas: Mapping[int, Line], merged: MergedCells, sheet: Place, faults: Faults
) -> Iterator[Row]:
    """Rows of cells and of their formulas, both by number. A cell with a formula but no value was
    never computed, which is a fault.

    A few bytes of a file may stand for many cells, and for long texts in each. So the rows end,
    with a fault, where they would fill more than a file may hold that repeats nothing.
    """
    width, size = 0, 0
    for number in sorted({*lines, *formulas}):
        cells = list(zip_longest(lines.get(number, ()), formulas.get(number, ())))
        row = Row(replace(sheet, line=number), [], "sheet")
        if width:
            merged.fill(number, cells)
        else:
            row = replace(row, covered=merged.cover(number))
        size += sum(_CELL + len(str(cell[0])) for cell, _ in cells if cell)
        if size > MAX_UNPACKED:
            what = f"the rows down to here hold more than {MAX_UNPACKED / MEGABYTE:g} MB"
            faults.append(Problem(row.place, what, "delete repeated cells that are not needed"))
            return
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
    return cell_of(content)


def _name(name: str) -> str:
    """A name such as "table:name" in lxml's notation."""
    prefix, _, local = name.partition(":")
    return f"{{{_NAMES[prefix]}}}{local}"


def _repeats(element: etree._Element, attribute: str) -> int:
    times = int(element.get(_name(attribute), "1"))
    if times < 1:
        raise ValueError("repeated less than once")
    return times


class _SheetReader:
    """Reads the cells of an OpenDocument sheet: its `root` has the looks of words by name."""

    def __init__(self, root: etree._Element, file: Place, found: _SheetContent) -> None:
        self._file, self._found = file, found
        styles = {style.get(_name("style:name")): style for style in root.iter(_name("style:style"))}
        self._looks = {name: _look_of(style) for name, style in styles.items()}
        self._lined = {name for name, style in styles.items() if _is_lined(style)}

    def read(self, table: etree._Element) -> _SheetContent:
        found, number = self._found, 1
        for row in table.iter(_name("table:table-row")):
            times = _repeats(row, "table:number-rows-repeated")
            merges: list[Merge] = []
            struck: dict[int, bool] = {}
            line, computed = self._read_row(row, number, merges, struck)
            if line:
                if number + times - 1 > MOST_DOWN or len(found.lines) + times > _MOST_ROWS:
                    what = f"the sheet has more than {_MOST_ROWS:,} rows"
                    raise fail(self._file, what, "delete rows that are not needed")
                numbers = range(number, number + times)
                found.lines |= dict.fromkeys(numbers, line)
                found.formulas |= dict.fromkeys(numbers, computed)
                found.struck |= dict.fromkeys(numbers, struck) if struck else {}
                found.merges += merges
                if row.get(_name("table:visibility"), "visible") != "visible":
                    found.hidden |= {*numbers}
            number += times
        return found

    def _read_row(
        self, row: etree._Element, number: int, merges: list[Merge], struck: dict[int, bool]
    ) -> tuple[Line, Line]:
        """The cells up to the last that is not empty, and their formulas. Adds the merged cells,
        and the columns with words that are struck out, each with whether all are."""
        line: Line = []
        computed: Line = []
        width = left = 0
        for cell in row.iterchildren(_name("table:table-cell"), _name("table:covered-table-cell")):
            repeated = _repeats(cell, "table:number-columns-repeated")
            times = min(repeated, MOST_ACROSS - len(line))
            value = self._read_cell(cell)
            is_formula = cell.get(_name("table:formula")) is not None
            line += [value] * times
            computed += [("", "f") if is_formula else None] * times
            if value is not None or is_formula:
                width = len(line)
            down = _repeats(cell, "table:number-rows-spanned")
            across = _repeats(cell, "table:number-columns-spanned")
            if max(down, across) > 1:
                merges.append(Merge(number, left, number + down - 1, left + across - 1))
            is_whole = cell.get(_name("table:style-name")) in self._lined
            spans = (span.get(_name("text:style-name")) for span in cell.iter(_name("text:span")))
            if value and (is_whole or not self._lined.isdisjoint(spans)):
                struck[left] = is_whole
            left += repeated
        return line[:width], computed[:width]

    def _read_cell(self, cell: etree._Element) -> tuple[Any, str] | None:
        """What a cell shows and its kind, "e" for an error; None for an empty cell. A cell without
        words shows its value, which some programs write alone."""
        words = self._read_words(cell)
        if cell.get(_name("calcext:value-type")) == "error":
            return words, "e"
        kind = cell.get(_name("office:value-type"), "")
        number = cell.get(_name("office:value"))
        if kind in ("float", "currency", "percentage") and number is not None:
            return words or float(number), "s" if words else "n"
        value = cell.get(_name(f"office:{kind if kind in _VALUES else 'string'}-value"), "")
        if kind == "boolean":
            value = value.upper()
        words = words or value.removesuffix("T00:00:00")
        return (words, "d" if kind in ("date", "time") else "s") if words else None

    def _read_words(self, cell: etree._Element) -> str:
        """The paragraphs of a cell as lines, without comments on the cell."""
        runs: list[tuple[str, WordLook]] = []
        for number, paragraph in enumerate(cell.iterchildren(_name("text:p"))):
            runs += [("\n", WordLook())] * (number > 0)
            runs += self._words(paragraph, WordLook())
        return mark_looks(runs)

    def _words(self, element: etree._Element, look: WordLook) -> Iterator[tuple[str, WordLook]]:
        yield element.text or "", look
        for child in element.iterchildren(etree.Element):
            if child.tag == _name("text:s"):
                yield " " * min(int(child.get(_name("text:c"), "1")), _MOST_BLANKS), look
            elif child.tag in (_name("text:tab"), _name("text:line-break")):
                yield "\t" if child.tag == _name("text:tab") else "\n", look
            elif child.tag != _name("office:annotation"):
                inner = self._looks.get(child.get(_name("text:style-name")), look)
                yield from self._words(child, inner)
            yield child.tail or "", look


def _is_lined(style: etree._Element) -> bool:
    """Whether an OpenDocument style strikes words out."""
    words = style.find(_name("style:text-properties"))
    kinds = ("style:text-line-through-style", "style:text-line-through-type")
    return words is not None and any(words.get(_name(kind), "none") != "none" for kind in kinds)


def _look_of(style: etree._Element) -> WordLook:
    """The look of the words of an OpenDocument style."""
    words = style.find(_name("style:text-properties"))
    if words is None:
        return WordLook()
    weight, slope = words.get(_name("fo:font-weight"), ""), words.get(_name("fo:font-style"), "")
    is_bold = weight == "bold" or (weight.isdigit() and int(weight[:4]) >= _BOLD)
    return WordLook(bold=is_bold, italic=slope in ("italic", "oblique"))
