"""Cells and rows of a table, changed where they stand in its file: every other byte stays."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import MisfitError, Place, quote
from generator.basics.files import plain_text
from generator.tables.rows import DELIMITER_LINE, Faults, csv_rows, find_delimiter


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
