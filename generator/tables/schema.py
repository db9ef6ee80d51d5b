"""The columns of a table: which are read, what their cells may hold, what stands in for them.

The first row of a table gives the index of each column. A cell may name a row of another table,
whose cells it then stands for.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from unicodedata import normalize

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.bounds import find_most_pieces
from generator.basics.errors import MisfitError, Place, Problem, did_you_mean, list_names, nearest, quote
from generator.model import Column, Piece, TranslatedCell, Value
from generator.tables.fields import LANGUAGE_PATTERN
from generator.tables.rows import NO, YES, ListCell, Row, cell_of

ENABLED = dict.fromkeys(("", "1", *YES), True) | dict.fromkeys(("0", *NO), False)

# A piece's id is part of file names: no folder, no character that a file system forbids.
_ID = re.compile(r"\w[\w .+-]{0,58}[\w+-]|\w")
_NO_ID = re.compile(r"[^\w .+-]")
_MAX_ID = 60
_ID_HINT = f"letters, digits, spaces, '.', '-', '_' and '+', at most {_MAX_ID}"
_WHOLE = re.compile(r"\.0+$")  # some spreadsheets write it after a whole number
OWN = ("id", "count", "enabled")  # columns that are the same in all languages
NUMBERS = ("number", "total", "copy")  # that a template reads without a column
REMARK = "#"  # the start of the heading of a column to ignore
_TRANSLATION = re.compile(rf"(.+)\.({LANGUAGE_PATTERN})")
_BLANKS = re.compile(r"\s+")
_LONE_DOT = re.compile(r"\.(?!\S)|(?<!\S)\.")
COUNTING = ("copies", "qty", "quantity", "amount", "number")
_UNCOUNTED = "column.count"  # the kind of a finding
_MOST_SEEN = 6  # values in a message
_SLIP = 0.8  # the likeness of `count` and a slip of one letter
UNMERGE = "its heading is merged with the one before: unmerge them, and name each column"
_TO_IGNORE = "to ignore a column, start its heading with #"


class Lookup(Struct, frozen=True):
    """The rows of `table` that the cells of the column `name` refer to; None if `table` has faults.

    A piece has the `columns` of its row as "name.column"."""

    name: str
    table: str  # as a message names it
    columns: Sequence[Column]
    rows: Mapping[str, Piece] | None

    def values(self, key: str) -> dict[str, Value]:
        """The cells of the row of a key, or empty cells for "". Raises MisfitError if there is no
        such row, or if an empty cell should be a number."""
        row = self._row(key)
        if row is not None:
            return {self._qualify(column): row.row[column.name] for column in self.columns}
        number = next((c for c in self.columns if c.low is not None and self.rows), None)
        if number:
            what = f"the cell is empty, so there is no number {self._qualify(number)}"
            raise MisfitError(what, f"name a row of {self.table}")
        return {self._qualify(column): "" for column in self.columns}

    def texts(self, key: str) -> tuple[TranslatedCell, ...]:
        row = self.rows.get(key.casefold()) if self.rows else None  # in a draft, there may be none
        return row.texts if row else ()

    def _qualify(self, column: Column) -> str:
        return f"{self.name}.{column.name}"

    def _row(self, key: str) -> Piece | None:
        if not key or self.rows is None:
            return None
        if key.casefold() not in self.rows:
            hint = did_you_mean(key, [row.id for row in self.rows.values()])
            raise MisfitError(f"{self.table} has no row {quote(key)}", hint)
        return self.rows[key.casefold()]


class Condition(Struct, frozen=True):
    """A condition on rows, as it is written at a place, and the columns that it reads. `holds`
    raises MisfitError if their cells do not fit it. `seen` has these cells so far, joined."""

    text: str
    place: Place
    names: Sequence[str]
    holds: Callable[[Mapping[str, str]], bool]
    seen: dict[str, None] = field(default_factory=dict)

    def say_unmet(self, rows: str) -> Problem:
        """That it holds for none of the rows. `rows` is what they are rows of."""
        what = f"no row of {rows} fits {quote(self.text)}"
        values = [quote(value) for value in self.seen]
        more = f" and {len(values) - _MOST_SEEN:,} more" * (len(values) > _MOST_SEEN)
        named = f"{', '.join(values[:_MOST_SEEN])}{more}"
        return Problem(self.place, what, f"the cells of {', '.join(self.names)} hold {named}" if self.names else "")


class TableSchema(Struct, frozen=True):
    """How to read a table: its `columns`, beside `id`, `count` and `enabled`.

    is_all: nothing reads other columns, so that any other may be a misspelling.
    default: the cells to use for empty and missing ones, by column.
    is_extension: the rows go into another table. Each needs an id; a row with a count of 0 needs
        nothing else.
    language: a cell of "name.de", unless it is empty, replaces that of "name" in "de".
    key: the column of the pieces' ids.
    lookups: the columns whose cells name rows of other tables.
    conditions: those that pieces may meet, by the names of `Piece.meets`; "" is that on all pieces.
    every: the values of columns that no table has: each row is read once for each combination.
    """

    columns: Sequence[Column]
    is_all: bool = True
    default: Mapping[str, str] = field(default_factory=dict)
    is_extension: bool = False
    language: str = ""
    key: str = "id"
    lookups: Mapping[str, Lookup] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()  # columns that may be missing
    is_draft: bool = False
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    every: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def columns_by_name(self) -> dict[str, Column]:
        """Every column that is read. `count` has the range of a count in any case."""
        most = find_most_pieces()
        columns = {name: Column(name) for name in OWN} | {"count": Column("count", 0, most)}
        columns |= {column.name: column for column in self.columns}
        count = columns["count"]
        high = most if count.high is None else min(count.high, most)
        columns["count"] = replace(count, low=count.low or 0, high=high)
        return columns

    def is_unread(self, name: str) -> bool:
        """Whether nothing reads that column, nor one of nearly the same name."""
        columns = self.columns_by_name
        return self.is_all and not find_name(name, columns) and not nearest(name, columns)

    def default_of(self, name: str, value: object) -> str:
        """A value of [component.default] as a cell. Raises MisfitError if there is no such column,
        or if it cannot hold the value."""
        columns = self.columns_by_name
        name = find_name(name, columns) or name
        if name not in columns and self.is_all:
            raise MisfitError(f"nothing reads the column {quote(name)}", did_you_mean(name, columns))
        cell = cell_of(value)
        if cell and name in columns:
            read_cell(cell, columns[name])
        return cell

    def stand_ins(self) -> dict[str, Value]:
        """In a draft, the value for each missing cell, those of the lookups included."""
        looked_up = {
            f"{name}.{column.name}": _stand_in(column)
            for name, lookup in self.lookups.items()
            for column in lookup.columns
        }
        columns = self.columns_by_name
        names = {column.name for column in self.columns} - self.optional
        return looked_up | {name: _stand_in(columns[name]) for name in names}

    def stand_in(self, name: str) -> dict[str, str]:
        """A valid default in place of a faulty one."""
        column = self.columns_by_name.get(name)
        return {name: str(_stand_in(column))} if column else {}


def _stand_in(column: Column) -> Value:
    """A value that a column can hold."""
    if column.low is None or column.high is None:
        return ""
    return min(column.high, max(1, column.low))


def is_fill(cell: str) -> bool:
    """Whether a count is as many as there are free places on the sheets."""
    return cell.strip().casefold() == "fill"


def read_cell(cell: str, column: Column) -> Value:
    """The cell as a number or text. Raises MisfitError if it does not fit the column."""
    if isinstance(cell, ListCell) and not column.reader:
        what = "a cell holds text or a number, not a list"
        raise MisfitError(what, "only a template reads lists: put the values in separate columns")
    if column.low is None or column.high is None:
        if column.name == "id" and not _ID.fullmatch(cell):
            what = f"{quote(cell)} is not a valid id" if cell else "the cell is empty"
            if len(cell) > _MAX_ID:
                what = f"the id has {len(cell):,} characters"
            raise MisfitError(what, _ID_HINT)
        if column.name == "enabled" and cell.lower() not in ENABLED:
            raise MisfitError(f"{quote(cell)} is neither yes nor no", "write yes or no; an empty cell means yes")
        return cell
    if column.name == "count" and is_fill(cell):
        return 0
    whole = _WHOLE.sub("", cell)
    if not whole.isascii() or not whole.removeprefix("-").isdigit() or len(whole) > 18:
        what = f"{quote(cell)} is not a whole number" if cell else "the cell is empty"
        raise MisfitError(what, f"{column.low} to {column.high:,}, digits only")
    if not column.low <= int(whole) <= column.high:
        raise MisfitError(f"{cell} is not between {column.low:,} and {column.high:,}")
    return int(whole)


def join_id(parts: Sequence[str]) -> str:
    """An id of several values, without the signs that none may have."""
    return "-".join(filter(None, (_NO_ID.sub("", part).strip(" .") for part in parts)))[:_MAX_ID].rstrip(" .")


def fold(name: str) -> str:
    """A heading for comparison, as an expression writes it: "Card Name" is card_name, "ATK/DEF"
    atk_def, "2nd" _2nd. A dot within a word stays: a part or a language follows it."""
    if not has_signs(name):
        return _blanks_folded(name)
    plain = "".join(sign if sign == "." or f"a{sign}".isidentifier() else " " for sign in name)
    folded = _blanks_folded(_LONE_DOT.sub(" ", plain))
    return f"_{folded}" if folded[:1].isdigit() else folded


def has_signs(name: str) -> bool:
    """Whether a heading has other signs than names and the blanks between them."""
    return not _blanks_folded(name).isidentifier()


def same_signs(name: str, other: str) -> bool:
    """Whether two headings differ in nothing but blanks and capitals."""
    return _blanks_folded(name) == _blanks_folded(other)


def _blanks_folded(name: str) -> str:
    return normalize("NFC", _BLANKS.sub("_", name.strip()).casefold())


def is_translation(name: str) -> bool:
    """Whether a heading may be that of a translation: "name.de"."""
    return bool(_TRANSLATION.fullmatch(name))


def is_row_name(name: str) -> bool:
    """Whether a heading is that of a column whose cells a row has as values."""
    is_own = name and not name.startswith(REMARK) and not is_translation(name)
    return bool(is_own) and fold(name) != "enabled"


def find_name(name: str, columns: Collection[str]) -> str:
    """The column of a heading or a key; "" for none."""
    if name in columns:
        return name
    folded = fold(name)
    return next((column for column in columns if folded and fold(column) == folded), "")


class Suspect(Struct, frozen=True):
    """An unread column that seems to be `count` or `enabled`, as long as its cells fit."""

    name: str
    column: str  # "count" or "enabled"
    is_slip: bool  # a misspelling; else a synonym


class Headings(Struct):
    """The indices of columns by name, and the faults of the header."""

    cells: Sequence[str]
    at: dict[str, int]
    translated: dict[str, dict[str, int]]  # by plain name, by language
    problems: list[Problem] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)  # a heading and its likely column, or ""
    suspects: dict[int, Suspect] = field(default_factory=dict)

    @property
    def read(self) -> set[int]:
        """The indices of the columns that are read, translations among them."""
        tongues = (index for columns in self.translated.values() for index in columns.values())
        return {*self.at.values(), *tongues}


def read_headings(header: Row, columns: Mapping[str, Column], needed: Collection[str], is_all: bool) -> Headings:
    """The headings of a table. `needed`: columns without a default; `is_all` as in TableSchema."""
    cells = header.cells
    at = _find(cells, columns)
    headings = Headings(cells, at, _find_translations(cells, columns))
    missing = set(needed) - at.keys()
    read = headings.read
    headings.problems += _name_faults(header, columns)
    reported = set()
    counting = next((name for name in cells if fold(name) in COUNTING), "")
    guessed = {name for name in missing if not (counting and fold(name) == "count")}
    for index, name in enumerate(cells):
        is_unread = index not in read and find_name(name, columns) == ""
        if not name or name.startswith(REMARK) or not is_unread or not is_all:
            continue
        if near := nearest(name, guessed):
            reported.add(near)
            headings.problems.append(_say_misspelt(header, index, columns[near]))
        elif suspect := _suspect(name, at):
            headings.suspects[index] = suspect
        else:
            is_full = header.kind != "object"  # objects may have different keys
            others = columns.keys() - set(OWN) - (at.keys() if is_full else set())
            headings.unread[name] = nearest(name, others)
    for name in sorted(missing - reported):
        headings.problems.append(_say_missing(header, columns[name], counting))
    return headings


def _find(cells: Sequence[str], columns: Mapping[str, Column]) -> dict[str, int]:
    exact = {name: index for index, name in enumerate(cells)}
    read = [(index, name) for index, name in enumerate(cells) if not name.startswith(REMARK)]
    folded = {fold(name): index for index, name in read if fold(name)}
    alike = {_blanks_folded(name): index for index, name in read if name}
    indices = {name: exact.get(name, alike.get(_blanks_folded(name), folded.get(fold(name)))) for name in columns}
    return {name: index for name, index in indices.items() if index is not None}


def _find_translations(cells: Sequence[str], columns: Mapping[str, Column]) -> dict[str, dict[str, int]]:
    translations: dict[str, dict[str, int]] = {}
    for index, name in enumerate(cells):
        match = _TRANSLATION.fullmatch(name)
        if match is None or name in columns:
            continue
        for column in columns:
            if column not in OWN and fold(column) == fold(match[1]):
                translations.setdefault(column, {})[match[2]] = index
    return translations


def _name_faults(header: Row, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """A column without a name, two columns of one name, names that are read as one."""
    alike: dict[str, list[str]] = {}
    for name, times in Counter(header.cells).items():
        place = _place(header, header.cells.index(name))
        if name.startswith(REMARK):
            continue
        if not name:
            index = header.cells.index(name)
            hint = "name it, or delete it: a spreadsheet may have left an empty column"
            hint = UNMERGE if index in header.covered else hint
            yield Problem(place, f"column {index + 1} has no name", hint)
        elif times > 1:
            yield Problem(place, f"the column {quote(name)} appears twice")
        alike.setdefault(fold(name), []).append(name)
    for folded, names in alike.items():
        plain = {_blanks_folded(name) for name in names}
        read = {_blanks_folded(name) for name in columns if fold(name) == folded}
        is_clear = len(plain) == len(names) and read <= plain  # `HP` and `HP+` are two
        if folded and len(names) > 1 and read and not is_clear:
            place = _place(header, header.cells.index(names[1]))
            what = f"the columns {' and '.join(map(quote, names[:2]))} are read as one"
            yield Problem(place, what, "capitals, blanks and signs make no difference: rename one")


def _suspect(name: str, at: Mapping[str, int]) -> Suspect | None:
    folded = fold(name)
    for own in ("count", "enabled"):
        if own not in at and SequenceMatcher(None, folded, own).ratio() >= _SLIP:
            return Suspect(name, own, is_slip=True)
    if "count" not in at and folded in COUNTING:
        return Suspect(name, "count", is_slip=False)
    return None


def _place(header: Row, index: int) -> Place:
    is_sheet = header.kind == "sheet"
    return header.cell(index, header.cells[index]) if is_sheet else header.place


def _say_misspelt(header: Row, index: int, column: Column) -> Problem:
    """An unread column that is very likely the missing one."""
    name, place = header.cells[index], _place(header, index)
    if column.reader:
        what = f"the column {quote(column.name)} is missing from {place}"
        return Problem(column.reader, what, f"there is {_written(name)}: one of the two is misspelt")
    hint = f"did you mean {quote(column.name)}? ({_TO_IGNORE})"
    return Problem(place, f"nothing reads the column {quote(name)}", hint)


def _say_missing(header: Row, column: Column, counting: str) -> Problem:
    of_table = f" from {header.place}" if column.reader else ""
    what = f"the column {quote(column.name)} is missing{of_table}"
    near = nearest(column.name, header.cells)
    other, _, part = column.name.partition(".")
    if counting and fold(column.name) == "count":
        hint = f"there is {quote(counting)}: call it count"
    elif part and "." not in near:
        hint = f"name the table that has it in [component.lookup.{other}]"
    elif fold(column.name) in NUMBERS:
        hint = "pieces are chosen and sorted before they are numbered"
    elif near:
        hint = f"there is {_written(near)}"
    elif column.reader == Place("--only"):
        hint = did_you_mean(column.name, header.cells)
    elif column.reader and (meant := _number_meant(column.name)):
        hint = f"did you mean {quote(meant)}, which needs no column?"
    else:
        is_keys = header.kind == "object"
        hint = "add it to the rows" if is_keys else "add it: the first line names the columns"
    return Problem(column.reader or header.place, what, hint)


def _written(name: str) -> str:
    """A heading, and how an expression writes one with signs."""
    return quote(name) + f" ({fold(name)} in a longer expression)" * has_signs(name)


def _number_meant(name: str) -> str:
    near = nearest(name, NUMBERS)
    return near if SequenceMatcher(None, name, near).ratio() >= _SLIP else ""


def say_suspect(header: Row, index: int, suspect: Suspect) -> Problem:
    """An unread column with the cells of `count` or `enabled`."""
    name, place = quote(suspect.name), _place(header, index)
    if suspect.is_slip:
        hint = did_you_mean(suspect.name, [suspect.column])
        return Problem(place, f"nothing reads the column {name}", f"{hint} ({_TO_IGNORE})")
    what = f"nothing reads the column {name}: each row is printed once"
    hint = "call it count to print that many copies of each row, or start its heading with #"
    return Problem(place, what, hint, "warning", _UNCOUNTED, found=suspect.name)


def say_unread(place: Place, unread: Mapping[str, str]) -> Problem:
    """One note for the unread columns of a table."""
    guesses = [f"{quote(near)} by {quote(name)}" for name, near in unread.items() if near]
    hints = [*(f"did you mean {guess}?" for guess in guesses[:3]), _TO_IGNORE]
    what = f"nothing reads the column{'s' * (len(unread) > 1)} {list_names(map(quote, unread))}"
    return Problem(place, what, " ".join(hints), "note", "column.unread", found=", ".join(unread))


class Notes(Struct):
    """Findings about tables without faults: their unread columns, by the place of the header, each
    with the column that it may mean; and warnings."""

    unread: dict[Place, dict[str, str]] = field(default_factory=dict)
    read: dict[Place, set[str]] = field(default_factory=dict)
    warnings: list[Problem] = field(default_factory=list)

    def add(self, place: Place, headings: Headings, *, is_all: bool) -> None:
        """Note the columns of a table that are read, and if `is_all`, as in TableSchema, those that are not. Several
        components and lookups may have the table: a column is unread if none of them reads it."""
        self.read.setdefault(place, set()).update(headings.cells[at] for at in headings.read)
        if is_all:
            self.unread.setdefault(place, headings.unread)

    @property
    def problems(self) -> tuple[Problem, ...]:
        left = {
            place: {name: near for name, near in unread.items() if name not in self.read[place]}
            for place, unread in self.unread.items()
        }
        notes = [say_unread(place, unread) for place, unread in left.items() if unread]
        read = {(place.file, place.sheet, name) for place in self.read for name in self.read[place]}

        def is_due(problem: Problem) -> bool:
            column = problem.place.file, problem.place.sheet, problem.found
            return problem.rule != _UNCOUNTED or column not in read

        return (*filter(is_due, dict.fromkeys(self.warnings)), *notes)
