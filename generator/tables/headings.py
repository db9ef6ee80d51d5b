"""Take the first row of a table and the columns to read, find the index of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct, field

from generator.basics.errors import Problem, did_you_mean, nearest, quote
from generator.basics.place import Place
from generator.model import Column
from generator.tables.fields import LANGUAGE_PATTERN
from generator.tables.rows import Row

OWN = ("id", "count", "enabled")  # columns that are the same in all languages
NUMBERS = ("number", "total", "copy")  # that a template reads without a column
REMARK = "#"  # the start of the heading of a column to ignore
_TRANSLATION = re.compile(rf"(.+)\.({LANGUAGE_PATTERN})")
_BLANKS = re.compile(r"\s+")
_LONE_DOT = re.compile(r"\.(?!\S)|(?<!\S)\.")
_COUNTING = ("copies", "qty", "quantity", "amount", "number")
_SLIP = 0.8  # the likeness of `count` and a slip of one letter
UNMERGE = "its heading is merged with the one before: unmerge them, and name each column"
_TO_IGNORE = "to ignore a column, start its heading with #"


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
    return _BLANKS.sub("_", name.strip()).casefold()


def is_translation(name: str) -> bool:
    """Whether a heading may be that of a translation: "name.de"."""
    return bool(_TRANSLATION.fullmatch(name))


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


def read_headings(
    header: Row, columns: Mapping[str, Column], needed: Collection[str], is_all: bool
) -> Headings:
    """The headings of a table. `needed`: columns without a default; `is_all` as in TableSchema."""
    cells = header.cells
    at = _find(cells, columns)
    headings = Headings(cells, at, _find_translations(cells, columns))
    missing = set(needed) - at.keys()
    translations = headings.translated.values()
    read = {*at.values(), *(index for one in translations for index in one.values())}
    headings.problems += _name_faults(header, columns)
    reported = set()
    counting = next((name for name in cells if fold(name) in _COUNTING), "")
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
    indices = {
        name: exact.get(name, alike.get(_blanks_folded(name), folded.get(fold(name))))
        for name in columns
    }
    return {name: index for name, index in indices.items() if index is not None}


def _find_translations(
    cells: Sequence[str], columns: Mapping[str, Column]
) -> dict[str, dict[str, int]]:
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
    if "count" not in at and folded in _COUNTING:
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
        hint = f"there is {_written(name)}: one of the two is misspelt"
        return Problem(column.reader, what, hint)
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
    elif near:
        hint = f"there is {_written(near)}"
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
    return Problem(place, what, hint, "warning", "column.count", found=suspect.name)


def say_unread(place: Place, unread: Mapping[str, str]) -> Problem:
    """One note for the unread columns of a table."""
    names = [quote(name) for name in unread]
    listed = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
    guesses = [f"{quote(near)} by {quote(name)}" for name, near in unread.items() if near]
    hints = [*(f"did you mean {guess}?" for guess in guesses[:3]), _TO_IGNORE]
    what = f"nothing reads the column{'s' * (len(names) > 1)} {listed}"
    return Problem(place, what, " ".join(hints), "note", "column.unread", found=", ".join(unread))


class Notes(Struct):
    """Findings about tables without faults: their unread columns, by the place of the header, each
    with the column that it may mean; and warnings."""

    unread: dict[Place, dict[str, str]] = field(default_factory=dict)
    warnings: list[Problem] = field(default_factory=list)

    def add(self, place: Place, headings: Headings) -> None:
        """Note the unread columns of a table. If several components have the table, these are the
        columns that none of them reads."""
        before = self.unread.get(place, headings.unread)
        self.unread[place] = {
            name: near for name, near in before.items() if name in headings.unread
        }

    @property
    def problems(self) -> tuple[Problem, ...]:
        notes = [say_unread(place, unread) for place, unread in self.unread.items() if unread]
        return (*dict.fromkeys(self.warnings), *notes)
