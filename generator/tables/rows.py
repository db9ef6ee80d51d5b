"""Rows of text with their places, from CSV, TSV, JSON or rows of a spec.

Cells of a sheet that are merged, rows that add up those above them, and the order of cells.
"""

import csv
import io
import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal
from unicodedata import combining, normalize

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, Problem, fail, quote, try_read
from generator.basics.files import decode, kind_of, plain_text

MAX_CELL = 100_000  # characters
MAX_LIST = 200  # items of a cell
_TOO_LONG = f"a cell holds more than {MAX_CELL:,} characters"
# A spreadsheet writes TRUE and FALSE in its language: English, German, French, Spanish, Italian, Portuguese, Dutch.
YES = ("yes", "true", "wahr", "vrai", "verdadero", "vero", "verdadeiro", "waar")
NO = ("no", "false", "falsch", "faux", "falso", "onwaar")
MAX_COLUMNS = 500
_SPACE = re.compile(r"[ \t\r\n]*")
_SPAN = re.compile(r"\s*([0-9]{1,5})\s*[-–]\s*([0-9]{1,5})\s*")
MOST_ACROSS = 501  # columns of a sheet to read: one more than a table may have
DELIMITER_LINE = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)  # for Excel
_TOTALS = "totals|total|sum|summe|gesamt|somme|suma|totale|totaal"
_LABEL = re.compile(rf"(?:{_TOTALS})\b.*")

# "Total", "Total:", "Total cards: 54"; but "Total Eclipse" may be the name of a card.
_PLAIN_LABEL = re.compile(rf"(?:{_TOTALS})(?:\b[^:=]*[:=])?[\s\d.,]*")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:[.,][0-9]{1,6})?")
Faults = list[Problem]
Cell = tuple[Any, Any]  # the value of a cell of a sheet and its formula, None for none


class Row(Struct, frozen=True):
    """The cells of a row and its place, as an editor or a spreadsheet shows it.

    The first Row of a table names the columns. `kind`: a line of text, a row of a sheet ("cards.xlsx:Cards!A7"), or an
    object with a key for each column. `covered`: the columns of a header that a merged cell to their left covers.
    """

    place: Place
    cells: list[str]
    kind: Literal["line", "sheet", "object"] = "line"
    comma: str = ","
    covered: frozenset[int] = frozenset()

    @property
    def label(self) -> str:
        """The name of the row in a message about another one: "line 7"."""
        return f"{'row' if self.kind == 'sheet' else 'line'} {self.place.line}"

    def cell(self, index: int, name: str) -> Place:
        """The place of a cell, by its index in the row and the name of its column."""
        if self.kind == "sheet":
            return replace(self.place, letters=letters(index))
        return self.place.at_column(name) if name else self.place


class ListCell(str):
    """The cell of a list, which templates read item by item: its JSON as text."""

    __slots__ = ()

    @property
    def items(self) -> list[str]:
        return [str(item) for item in json.loads(self)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListCell) and str.__eq__(self, other)

    __hash__ = str.__hash__


def letters(index: int) -> str:
    """The letters of a column in a spreadsheet: 0 is A, 26 is AA."""
    before, last = divmod(index, 26)
    return (letters(before - 1) if before else "") + chr(ord("A") + last)


def cell_of(value: object) -> str:
    """A value as the text of a cell: True is "yes", None and an empty list are "". Raises
    MisfitError for a table, and for a text that is too long or not plain."""
    if value is None or isinstance(value, bool):
        return "" if value is None else "yes" if value else "no"
    if isinstance(value, list):
        return _list_cell(value)
    if isinstance(value, float):
        return f"{value:.15g}"
    is_small = isinstance(value, int) and value.bit_length() < 100
    if not is_small and not isinstance(value, str):
        what = f"a cell holds text or a number, not {quote(value)}"
        raise MisfitError(what, "put several values in one text, or in separate columns")
    text = plain_text(str(value)).strip()
    if len(text) > MAX_CELL:
        raise MisfitError(_TOO_LONG)
    return text


def _list_cell(values: list[object]) -> str:
    if len(values) > MAX_LIST:
        raise MisfitError(f"the list has {len(values):,} items", f"at most {MAX_LIST}")
    for value in values:
        if isinstance(value, bool | list | dict) or value is None:
            raise MisfitError("a list holds texts and numbers only", 'for example ["sea", "sky"]')
    cell = ListCell(json.dumps([cell_of(value) for value in values], ensure_ascii=False))
    if len(cell) > MAX_CELL:
        raise MisfitError(_TOO_LONG)
    return cell if values else ""


def read_values(value: object) -> list[str]:
    """The cells that a list stands for, or a text such as "1-9". Raises MisfitError."""
    if isinstance(value, str) and (span := _SPAN.fullmatch(value)):
        first, last = int(span[1]), int(span[2])
        if first <= last:
            return [str(number) for number in range(first, last + 1)]
    cell = cell_of(value) if isinstance(value, list) else ""
    if not isinstance(cell, ListCell):
        hint = 'write ["heart", "moon"], or "1-9" for the numbers from 1 to 9'
        what = "the list is empty" if value == [] else f"{quote(value)} is no list of values"
        raise MisfitError(what, hint)
    return cell.items


def decode_text(content: bytes, file: Place) -> str:
    """Text in UTF-8, or in UTF-16 as Excel writes "Unicode text". Raises PnpError."""
    if kind := kind_of(content):
        hint = "save the table as CSV, or name an XLSX or ODS file as what it is"
        raise fail(file, f"this is {kind}, not {Path(file.file).suffix[1:].upper()}", hint)
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            content = content.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise fail(file, "the UTF-16 text is cut off", "save it again") from None
    return decode(content, file)


def csv_rows(text: str, file: Place, comma: str, faults: Faults) -> Iterator[Row]:
    """The rows that are not empty, each with its first line.

    `comma` is the delimiter, "" to find it. Empty cells after the header's last name are ignored: a spreadsheet leaves
    them for columns that were cleared. The rows end where the text is not valid CSV, which is a fault.
    """
    delimiter_line = DELIMITER_LINE.match(text)
    comma = comma or (delimiter_line[1] if delimiter_line else find_delimiter(text))
    content = io.BytesIO(text.encode())
    lines = io.TextIOWrapper(content, "utf-8", newline="")  # a quarter of StringIO
    reader = csv.reader(lines, delimiter=comma, strict=True)
    start, width = 1, 0
    try:
        for record in reader:
            cells = [cell.strip() for cell in record]
            while len(cells) > width and not cells[-1]:
                cells.pop()
            if any(cells) and not (delimiter_line and start == 1):
                width = width or len(cells)
                yield Row(file.at_line(start), cells, comma=comma)
            start = reader.line_num + 1
    except csv.Error as error:
        faults.append(Problem(file.at_line(start), *_syntax_fault(str(error))))


def find_delimiter(text: str) -> str:
    """The delimiter of the header: spreadsheets of some countries write ';'."""
    return max(",;\t", key=text.lstrip().split("\n", 1)[0].count)


def _syntax_fault(message: str) -> tuple[str, str]:
    quotes = 'write a cell with quotes as "so ""to say"""'
    if message.startswith("field larger"):
        return _TOO_LONG, "shorten it, or close the quote that it begins with"
    if message.startswith("unexpected end of data"):
        return "not valid CSV: a quote is opened here and not closed", quotes
    if "expected after" in message:
        return "not valid CSV: there is text after a closing quote", f"{quotes}, or close the quote above"
    return f"not valid CSV: {message}", ""


def json_rows(text: str, file: Place, faults: Faults) -> Iterator[Row]:
    """The objects of a list as rows, each with its first line.

    The rows end where the text is not valid JSON, which is a fault.
    """
    objects: list[tuple[int, Mapping[str, object]]] = []
    line, last = 1, 0
    try:
        for at, value in _items(text):
            line, last = line + text.count("\n", last, at), at
            if isinstance(value, dict):
                objects.append((line, value))
            else:
                faults.append(Problem(file.at_line(line), f"a row is an object, not {quote(value)}", _JSON_HINT))
    except json.JSONDecodeError as error:
        what = f"not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        cause = error.__cause__
        hint = cause.hint if isinstance(cause, MisfitError) else _JSON_HINT
        faults.append(Problem(file.at_line(error.lineno), what, hint))
    except MisfitError as error:
        faults.append(Problem(file.at_line(line), str(error), error.hint))
    except RecursionError:
        faults.append(Problem(file.at_line(line), "not valid JSON: nested too deeply", _JSON_HINT))
    return object_rows(objects, file, faults)


_JSON_HINT = 'a list of objects: [{"id": "one", "count": 2}, …]'


def _items(text: str) -> Iterator[tuple[int, Any]]:
    """The rows of a JSON text, each with its index in the text: the items of a list, or of the only list of objects
    within an object, or the objects of an object, whose keys are their ids. Numbers stay texts."""
    at = _after(text, 0)
    if text[at : at + 1] == "{":
        members = list(_parts(text, at))
        if all(isinstance(value, dict) for _, _, value in members):
            for at_value, name, value in members:
                has_id = any(key.casefold() == "id" for key in value)
                yield at_value, value if has_id else {"id": name} | value
            return
        tables = (it for it in members if isinstance(it[2], list) and any(isinstance(item, dict) for item in it[2]))
        lists = [(at_value, name) for at_value, name, _ in tables]
        if len(lists) > 1:
            names = " and ".join(quote(name) for _, name in lists)
            raise MisfitError(f"the file has several lists: {names}", "keep one in each file")
        at = lists[0][0] if lists else at
    if text[at : at + 1] != "[":
        raise MisfitError("a list of objects is expected", _JSON_HINT)
    yield from ((at_value, value) for at_value, _, value in _parts(text, at))


def _parts(text: str, at: int) -> Iterator[tuple[int, str, Any]]:
    """The values of the list or object that begins at an index, each with its own index, and its key in an object.
    One that is not within another ends the text."""
    kind, end, is_whole = ("object", "}", True) if text[at] == "{" else ("list", "]", at == _after(text, 0))
    at, name = _after(text, at + 1), ""
    while text[at : at + 1] != end:
        if kind == "object":
            name, at = _decode_key(text, at)
        value, after = _decode(text, at)
        yield at, name, value
        at = _after_comma(text, after, end)
    if is_whole and _after(text, at + 1) < len(text):
        raise json.JSONDecodeError(f"there is text after the {kind}", text, _after(text, at + 1))


def _decode_key(text: str, at: int) -> tuple[str, int]:
    """The key at an index, and the index of its value."""
    name, end = _decode(text, at)
    colon = _after(text, end)
    if not isinstance(name, str) or text[at] != '"' or text[colon : colon + 1] != ":":
        raise json.JSONDecodeError("a key in quotes and ':' are expected", text, at)
    return name, _after(text, colon + 1)


def _decode(text: str, at: int) -> tuple[Any, int]:
    """The value at an index, and the index of its end. Numbers stay texts."""
    try:
        return _DECODER.raw_decode(text, at)
    except MisfitError as error:
        raise json.JSONDecodeError(str(error), text, at) from error


def _after_comma(text: str, at: int, end: str) -> int:
    """The index of the next item, after a comma, or of the `end` of the list or object."""
    at = _after(text, at)
    if text[at : at + 1] == ",":
        return _after(text, at + 1)
    if text[at : at + 1] != end:
        raise json.JSONDecodeError(f"',' or '{end}' is expected", text, at)
    return at


def _after(text: str, at: int) -> int:
    """The index after the blanks at `at`."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, times in counts.items() if times > 1)
        raise MisfitError(f"the key {quote(twice)} appears twice in an object", "keep one of the two")
    return values


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=str, parse_float=str, parse_constant=str)


def object_rows(
    objects: Iterable[tuple[int, Mapping[str, object]]],
    file: Place,
    faults: Faults,
    line_of: Callable[[int, str], int] | None = None,
) -> Iterator[Row]:
    """Objects with their first lines as rows; a missing key is an empty cell.

    `line_of`, if there is one, gives the line of a key in the object of an index.
    """
    objects = list(objects)
    header = list(dict.fromkeys(name for _, values in objects for name in values))
    if objects:
        names = [plain_name(name) for name in header]
        yield Row(file.at_line(objects[0][0]), names, "object")
    if len(header) > MAX_COLUMNS:  # the reader of the header reports it
        return
    for index, (line, values) in enumerate(objects):
        cells = []
        for name in header:
            try:
                cells.append(cell_of(values.get(name)))
            except MisfitError as error:
                at = line_of(index, name) if line_of else line
                faults.append(Problem(file.at_line(at).at_column(plain_name(name)), str(error), error.hint))
                break
        else:
            yield Row(file.at_line(line), cells, "object")


def plain_name(name: str) -> str:
    """A key as the name of a column; "" for one that is not plain text."""
    return (try_read(plain_text, name) or "").strip()


class Merge(Struct, frozen=True, order=True):
    """Cells that are one, the last ones included: rows from 1, columns from 0."""

    top: int
    left: int
    bottom: int
    right: int


class MergedCells:
    """The merged cells of a sheet, whose rows are read downward.

    A value counts for each row that its cell covers, and only for the first column: a row says the same as its
    neighbour, while two columns are two things. The work for a row does not depend on the size of a merged cell.
    """

    def __init__(self, merges: Iterable[Merge]) -> None:
        self._begun: defaultdict[int, list[Merge]] = defaultdict(list)  # by their first rows
        for merge in sorted(merge for merge in merges if merge.left < MOST_ACROSS):
            self._begun[merge.top].append(merge)
        self._open: dict[int, tuple[int, Cell]] = {}  # by column: the last row, and the value

    def fill(self, number: int, cells: list[Cell]) -> None:
        """Put the values of merged cells that began in a row above into a row."""
        for left, (bottom, cell) in list(self._open.items()):
            if bottom < number:
                del self._open[left]
                continue
            cells.extend([(None, None)] * (left + 1 - len(cells)))
            cells[left] = cell
        for merge in self._begun[number]:
            value = cells[merge.left] if merge.left < len(cells) else (None, None)
            if merge.bottom > number and value[0] is not None:
                self._open[merge.left] = merge.bottom, value

    def cover(self, number: int) -> frozenset[int]:
        """The columns of the header that a heading to their left covers. Headings name columns,
        and are not repeated downward."""
        covered: set[int] = set()
        end = 0
        for merge in self._begun[number]:
            last = min(merge.right, MOST_ACROSS)
            covered.update(range(max(merge.left + 1, end), last + 1))
            end = max(end, last + 1)
        return frozenset(covered)


class Totals(Struct):
    """The sums of the columns so far, by index; `is_total` compares a row with them."""

    _rows: int = 0
    _sums: dict[int, Decimal] = {}
    _counts: dict[int, int] = {}  # the numbers in each sum
    _full: set[int] = set()  # columns without an empty cell
    _texts: set[int] = set()  # columns with a cell that is no number

    def add(self, cells: Sequence[str]) -> None:
        if not self._rows:
            self._full.update(range(len(cells)))
        self._rows += 1
        if self._lacks(cells, self._full):
            self._full.intersection_update([at for at, cell in enumerate(cells) if cell])
        for at, cell in enumerate(cells):
            if not cell or at in self._texts:
                continue
            number = number_in(cell)
            if number is None:
                self._texts.add(at)
            else:
                self._sums[at] = self._sums.get(at, Decimal(0)) + number
                self._counts[at] = self._counts.get(at, 0) + 1

    def is_named_total(self, cells: Sequence[str], printed: int) -> bool:
        """Whether a row has a label, such as "Total", and else only numbers. If a card may have
        this name too, the numbers must be sums. `printed` is the number of pieces so far."""
        if not self._lacks(cells, self._full):
            return False
        texts = [cell for cell in cells if cell and number_in(cell) is None]
        if len(texts) != 1:
            return False
        label = texts[0].casefold()
        if _PLAIN_LABEL.fullmatch(label):
            return True
        numbers = {at: cell for at, cell in enumerate(cells) if cell and cell != texts[0]}
        return bool(_LABEL.fullmatch(label)) and self._adds_up(numbers, {printed, self._rows})

    def is_bare_total(self, cells: Sequence[str], printed: int, counting: Collection[int]) -> bool:
        """Whether a row has no label, and all its numbers are sums of at least two rows.

        A column of `counting`, the copies of the rows, may be the first. Before any other there is
        a column of words, empty here: a row of a table of numbers may be a sum by chance.
        """
        if not self._lacks(cells, self._full):
            return False
        numbers = {at: cell for at, cell in enumerate(cells) if cell}
        counted = {at: cell for at, cell in numbers.items() if at in counting}
        labels = self._full
        if not counted:
            labels = {at for at in self._full & self._texts if at < min(numbers, default=0)}
        return (
            self._lacks(cells, labels)
            and all(self._counts.get(at, 0) > 1 for at in numbers)
            and self._adds_up(numbers, {printed} if numbers == counted else ())
        )

    def _lacks(self, cells: Sequence[str], columns: Iterable[int]) -> bool:
        """Whether a row has no cell in one of the columns that all rows above it fill."""
        width = len(cells)
        return any(at >= width or not cells[at] for at in columns)

    def _adds_up(self, cells: Mapping[int, str], others: Collection[int]) -> bool:
        """Whether all cells are the sums of their columns, or one of `others`; not all are 0."""
        numbers = {at: number_in(cell) for at, cell in cells.items()}
        return any(numbers.values()) and all(
            number in others or (at not in self._texts and number == self._sums.get(at))
            for at, number in numbers.items()
        )


def is_label(cell: str) -> bool:
    """Whether a cell is the word for a total, and no more."""
    return bool(_PLAIN_LABEL.fullmatch(cell.casefold()))


def number_in(cell: str) -> Decimal | None:
    """The number that a cell holds; None for other words."""
    return Decimal(cell.replace(",", ".")) if _NUMBER.fullmatch(cell) else None


def rank(cell: str) -> tuple[bool, Decimal, str]:
    """Its place in an order: numbers before words, whose accents and capitals make no difference."""
    number = number_in(cell)
    plain = normalize("NFKD", cell.casefold())
    words = "".join(sign for sign in plain if not combining(sign))
    return number is None, number or Decimal(0), words if number is None else ""
