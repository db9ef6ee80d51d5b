"""Cells and rows of a table, changed where they stand in its file: every other byte stays.

Of a spreadsheet, XLSX or ODS, all parts but the one that has them stay byte for byte, and cells keep their styles.
Formulas, merged cells, signed files and the headings of Excel's tables, which stand elsewhere again, are not changed.
What is written is read again, and an edit after which another cell reads differently is refused.
"""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from xml.sax.saxutils import escape

from lxml import etree
from msgspec import Struct

from generator.basics.errors import MisfitError, Place, quote, raise_all
from generator.basics.files import plain_text, xml_parser
from generator.tables.rows import DELIMITER_LINE, Faults, Row, csv_rows, find_delimiter, letters
from generator.tables.spreadsheets import sheet_part, sheet_rows

_ELSEWHERE = "open it in your spreadsheet"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,9}[1-9])?")  # that stays as it is typed
_RANGE = re.compile(r"([A-Z]+)([0-9]+)(?::([A-Z]+)([0-9]+))?")
_TABLE, _TEXT, _OFFICE = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("table", "text", "office")
)
Cells = Mapping[tuple[int, int], str]


class CsvLine(Struct, eq=False):
    """A row of a CSV file as it is written, which may hold line breaks; the break behind it, "" at
    the end of the file; where each of its cells starts and ends."""

    written: str
    line_break: str
    spans: Sequence[tuple[int, int]]

    @property
    def cells(self) -> list[str]:
        cells = (self.written[start:end] for start, end in self.spans)
        return [(it[1:-1].replace('""', '"') if it[:1] == '"' else it).strip() for it in cells]


class CsvTable:
    """A CSV or TSV file. `rows` are its lines with a filled cell, the header first; an edit changes
    these, and `text` is the file as it is then. Raises MisfitError if it is not valid.

    comma: the delimiter, "" to find it.
    """

    def __init__(self, text: str, comma: str = "") -> None:
        faults: Faults = []
        for _ in csv_rows(text, Place("table"), comma, faults):
            pass
        if faults:
            raise MisfitError(f"line {faults[0].place.line}: {faults[0].what}", faults[0].hint)
        first = DELIMITER_LINE.match(text)
        self._is_told = bool(comma or first)
        self._comma = comma or (first[1] if first else find_delimiter(text))
        self._lines = list(_scan(text, self._comma))
        breaks = Counter(line.line_break for line in self._lines if line.line_break)
        self._break = breaks.most_common(1)[0][0] if breaks else "\n"
        self._head = self._lines[:1] if first else []
        self._end = self._lines[-1].line_break if self._lines else ""

    @property
    def text(self) -> str:
        return "".join(line.written + line.line_break for line in self._lines)

    @property
    def rows(self) -> list[CsvLine]:
        return [line for line in self._lines if line not in self._head and any(line.cells)]

    def set_cells(self, cells: Mapping[tuple[int, int], str]) -> None:
        """Sets cells by the indices of their row and column; a row that is too short gets those
        that are missing, and cells behind the last row make new ones. Raises MisfitError for what
        is not text, and for headings after which the file has another delimiter."""
        rows = self.rows
        new_rows: dict[int, list[str]] = {}
        for (index, column), words in cells.items():
            if index >= len(rows):
                row = new_rows.setdefault(index, [""] * len(rows[0].spans))
                row += [""] * (column + 1 - len(row))
                row[column] = words
                continue
            line = rows[index]
            while len(line.spans) <= column:
                end = len(line.written) + len(self._comma)
                line.written += self._comma
                line.spans = (*line.spans, (end, end))
            start, end = line.spans[column]
            was_quoted = line.written[start : start + 1] == '"'
            new = self._write(words, was_quoted)
            line.written = line.written[:start] + new + line.written[end:]
            new_end = start + len(new)
            moved = [(a + new_end - end, b + new_end - end) for a, b in line.spans[column + 1 :]]
            line.spans = (*line.spans[:column], (start, new_end), *moved)
        filled = (row for _, row in sorted(new_rows.items()) if any(row))
        self.arrange([*range(1, len(self.rows)), *filled])
        self._confirm()

    def remove_columns(self, columns: Collection[int]) -> None:
        """Removes the cells of columns by their indices. Raises MisfitError as `set_cells` does."""
        for line in self.rows:
            kept = [line.written[a:b] for at, (a, b) in enumerate(line.spans) if at not in columns]
            line.written = self._comma.join(kept)
            line.spans = [span for scanned in _scan(line.written, self._comma) for span in scanned.spans]
        self._confirm()

    def _confirm(self) -> None:
        if not self._is_told and find_delimiter(self.text) != self._comma:
            what = f"with these headings, the file would no longer be read as cells between {quote(self._comma)}"
            raise MisfitError(what, "change them in your spreadsheet")

    def arrange(self, rows: Sequence[int | Sequence[str]]) -> None:
        """Puts the rows below the header in another order: each by its index, or the cells of a new
        one. Others are removed. Raises IndexError."""
        comma, own = self._comma, {*self.rows}
        lines: list[list[CsvLine]] = [[]]  # those before the header, and of each row
        for line in self._lines:
            if line in own:
                lines.append([])
            lines[-1].append(line)  # an empty line stays behind its row
        self._lines = lines[0] + lines[1]
        for row in rows:
            self._lines += lines[row + 1] if isinstance(row, int) else _scan(comma.join(map(self._write, row)), comma)
        for line in self._lines:  # each ends with a break, the last one as the last one did
            line.line_break = line.line_break or self._break
        self._lines[-1].line_break = self._end

    def _write(self, words: str, was_quoted: bool = False) -> str:
        marks = (self._comma, '"', "\n", "\r")
        is_quoted = was_quoted or words.strip() != words or any(mark in words for mark in marks)
        words = plain_text(words)
        return '"' + words.replace('"', '""') + '"' if is_quoted else words


def _scan(text: str, comma: str) -> Iterator[CsvLine]:
    """The lines of a valid CSV text."""
    cell = re.compile(rf'"(?:[^"]++|"")*+"|[^{comma}\r\n]*+')
    line_break = re.compile(r"\r\n|\n|\r|\Z")
    at = 0
    while at < len(text):
        start, spans = at, list[tuple[int, int]]()
        while not spans or text.startswith(comma, at):
            at += len(comma) if spans else 0
            match = cell.match(text, at)
            assert match is not None, "a cell may be empty"
            at = match.end()
            spans.append((match.start() - start, at - start))
        behind = line_break.match(text, at)
        assert behind is not None, "the text was read before"
        yield CsvLine(text[start:at], behind[0], spans)
        at = behind.end()


class SheetTable:
    """A sheet of a spreadsheet, the first for "". `rows` are those that are not empty, the header first; an edit
    changes these, and `content` is the file as it is then. Raises PnpError if it cannot be read."""

    def __init__(self, content: bytes, place: Place, sheet: str) -> None:
        self._place, self._sheet = place, sheet
        self._is_ods = place.file.lower().endswith(".ods")
        self.content = content
        self.rows = self._read(content)

    def set_cells(self, cells: Cells) -> None:
        """Sets cells by the indices of their row and column; behind the last column, its heading
        makes a new one. Raises IndexError, and MisfitError for what cannot be changed here."""
        width = max((column + 1 for _, column in cells), default=0)
        if width > len(self.rows[0].cells) + 1:
            raise IndexError
        expected = [[*row.cells, *[""] * (width - len(row.cells))] for row in self.rows]
        cells = {(row, column): words for (row, column), words in cells.items() if words != expected[row][column]}
        for (index, column), words in cells.items():
            expected[index][column] = plain_text(words).strip()
        for may_be_number in (True, False):  # a number may show otherwise, by the cell's format
            content = self._write(cells, may_be_number)
            rows = self._read(content)
            if [row.cells for row in rows] == list(filter(any, expected)):
                self.content, self.rows = content, rows
                return
        raise MisfitError("this cell cannot be changed on its own", _ELSEWHERE)

    def _read(self, content: bytes) -> list[Row]:
        faults: Faults = []
        kind = "ODS" if self._is_ods else "XLSX"
        rows = list(sheet_rows(content, self._place, kind, self._sheet, faults, []))
        raise_all(faults)
        return rows

    def _write(self, cells: Cells, may_be_number: bool) -> bytes:
        place, sheet = self._place, self._sheet
        path = "content.xml" if self._is_ods else sheet_part(self.content, place, sheet)
        new = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(self.content)) as old, zipfile.ZipFile(new, "w") as archive:
            for part in old.infolist():
                text = old.read(part)
                if part.filename.startswith(("_xmlsignatures/", "META-INF/documentsig")):
                    raise MisfitError("the file is signed", _ELSEWHERE)
                if part.filename in (path, "xl/workbook.xml"):
                    root = etree.fromstring(text, xml_parser())
                    if part.filename == path:
                        self._change(root, cells, may_be_number)
                    for computing in root.iter("{*}calcPr"):
                        computing.set("fullCalcOnLoad", "1")  # formulas, when it is opened
                    text = etree.tostring(root, encoding="UTF-8", standalone=True)
                archive.writestr(part, text)
        return new.getvalue()

    def _change(self, root: etree._Element, cells: Cells, may_be_number: bool) -> None:
        tables = {table.get(f"{_TABLE}name"): table for table in root.iter(f"{_TABLE}table")}
        sheet = None if self._is_ods else _WrittenSheet(root)
        if sheet and sheet.has_tables and not all(index for index, _ in cells):
            raise MisfitError("the headings are of a table of the spreadsheet", _ELSEWHERE)
        for (index, column), words in cells.items():
            place = self.rows[index].place
            number = words if may_be_number and _NUMBER.fullmatch(words) else ""
            if sheet is None:
                _set_ods(tables[place.sheet], place.line, column, words, number)
            else:
                sheet.set_cell(place.line, column, words, number)


class _WrittenSheet:
    """The part of an XLSX that has the cells of a sheet (ECMA-376, part 1, 18.3.1)."""

    def __init__(self, root: etree._Element) -> None:
        self._space = root.tag.removesuffix("worksheet")
        self._rows = {row.get("r"): row for row in root.iter(f"{self._space}row")}
        for extent in root.findall(f"{self._space}dimension"):
            root.remove(extent)  # which need not be there, and a new column is outside
        ranges = root.iter(f"{self._space}mergeCell", f"{self._space}f")
        found = (_RANGE.fullmatch(element.get("ref", "")) for element in ranges)
        self.has_tables = root.find(f"{self._space}tableParts") is not None
        self._taken = [corners.groups() for corners in found if corners]  # merged or computed

    def set_cell(self, line: int, column: int, words: str, number: str) -> None:
        space, own = self._space, letters(column)
        for left, top, right, bottom in self._taken:
            first, at, last = ((len(name), name) for name in (left, own, right or left))
            if first <= at <= last and int(top) <= line <= int(bottom or top):
                raise MisfitError("the cell is merged with others, or computed", _ELSEWHERE)
        row, name = self._rows.get(str(line)), f"{own}{line}"
        if row is None:
            raise MisfitError("this row cannot be changed on its own", _ELSEWHERE)
        cells = {cell.get("r", ""): cell for cell in row}
        cell = cells.get(name)
        if cell is None:
            cell = row.makeelement(f"{space}c", {"r": name})
            row.insert(sum((len(other), other) < (len(name), name) for other in cells), cell)
            row.attrib.pop("spans", None)  # the same of a row
        if cell.find(f"{space}f") is not None:
            raise MisfitError("the cell holds a formula", _ELSEWHERE)
        was_text = cell.attrib.pop("t", "") in ("s", "str", "inlineStr")
        for child in list(cell):
            cell.remove(child)
        if number and not was_text:
            etree.SubElement(cell, f"{space}v").text = number
        elif words:
            cell.set("t", "inlineStr")
            text = etree.SubElement(etree.SubElement(cell, f"{space}is"), f"{space}t")
            text.text = words
            text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _set_ods(table: etree._Element, line: int, column: int, words: str, number: str) -> None:
    row = _single(table.iter(f"{_TABLE}table-row"), "rows", line - 1)
    fields = [*row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")]
    if column == sum(int(field.get(f"{_TABLE}number-columns-repeated", "1")) for field in fields):
        fields.append(etree.SubElement(row, f"{_TABLE}table-cell"))
    cell = _single(fields, "columns", column)
    spans = [cell.get(f"{_TABLE}number-{what}-spanned", "1") for what in ("rows", "columns")]
    if cell.tag.endswith("covered-table-cell") or spans != ["1", "1"]:
        raise MisfitError("the cell is merged with others", _ELSEWHERE)
    if cell.get(f"{_TABLE}formula") is not None:
        raise MisfitError("the cell holds a formula", _ELSEWHERE)
    was_text = cell.get(f"{_OFFICE}value-type") == "string"
    for name in list(cell.attrib):
        if name.endswith(("value", "value-type", "currency")):
            del cell.attrib[name]
    for paragraph in list(cell.iterchildren(f"{_TEXT}p")):
        cell.remove(paragraph)
    if number and not was_text:
        cell.set(f"{_OFFICE}value", number)
    if words:
        cell.set(f"{_OFFICE}value-type", "string" if was_text or not number else "float")
        cell.extend(map(_paragraph, words.split("\n")))


def _single(elements: Iterable[etree._Element], what: str, index: int) -> etree._Element:
    """The element of a row or column, which may stand for several: it is split."""
    repeated = f"{_TABLE}number-{what}-repeated"
    for element in elements:
        times = int(element.get(repeated, "1"))
        if index >= times:
            index -= times
            continue
        element.attrib.pop(repeated, None)
        for number, put in ((index, element.addprevious), (times - 1 - index, element.addnext)):
            if number:
                twin = deepcopy(element)
                twin.set(repeated, str(number))
                put(twin)
        return element
    raise MisfitError("this cell cannot be changed on its own", _ELSEWHERE)


def _paragraph(words: str) -> etree._Element:
    """A paragraph of an OpenDocument text, which keeps its spaces and tabs."""
    spaces = re.compile(" {2,}")
    spaced = spaces.sub(lambda run: f' <t:s t:c="{len(run[0]) - 1}"/>', escape(words))
    inside = spaced.replace("\t", "<t:tab/>")
    return etree.fromstring(f'<t:p xmlns:t="{_TEXT[1:-1]}">{inside}</t:p>', xml_parser())
