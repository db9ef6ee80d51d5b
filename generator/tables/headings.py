"""Take the first row of a table and the columns that are read, find where each of these stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from generator.errors import Problem, did_you_mean, nearest, quote
from generator.fields import LANGUAGE_PATTERN
from generator.model import Column
from generator.place import Place
from generator.tables.rows import Row

OWN = ("id", "count", "enabled")  # columns that are the same in all languages
REMARK = "#"  # how the heading of a column begins that nobody reads
_TRANSLATION = re.compile(rf"(.+)\.({LANGUAGE_PATTERN})")
_BLANKS = re.compile(r"\s+")
_COUNTING = ("copies", "qty", "quantity", "amount", "number")
_SLIP = 0.8  # of likeness: a letter too many, too few or changed in one of `count`
_TO_IGNORE = "to ignore a column, start its heading with #"


def fold(name: str) -> str:
    """A heading as it is compared: "Card Name" is card_name."""
    return _BLANKS.sub("_", name.strip()).casefold()


def find_name(name: str, columns: Collection[str]) -> str:
    """The column of a heading or a key; "" for none."""
    if name in columns:
        return name
    folded = fold(name)
    return next((column for column in columns if fold(column) == folded), "")


@dataclass(frozen=True, slots=True)
class Suspect:
    """An unread column that seems to be `count` or `enabled`, as long as its cells do, too."""

    name: str
    column: str  # "count" or "enabled"
    is_slip: bool  # a misspelling; else a synonym


@dataclass(slots=True)
class Headings:
    """Where columns stand, by the names under which they are read, and what is wrong with them."""

    cells: Sequence[str]
    at: dict[str, int]
    translated: dict[str, dict[str, int]]  # by plain name, by language
    problems: list[Problem] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)  # and the column that each may mean
    suspects: dict[int, Suspect] = field(default_factory=dict)


def read_headings(
    header: Row, columns: Mapping[str, Column], needed: Collection[str], is_all: bool
) -> Headings:
    """What a header says. `needed`: the columns without a default; `is_all` as in TableSchema."""
    cells = header.cells
    at = _find(cells, columns)
    found = Headings(cells, at, _find_translations(cells, columns))
    missing = set(needed) - at.keys()
    read = {*at.values(), *(n for tongues in found.translated.values() for n in tongues.values())}
    found.problems += _name_faults(header, columns)
    meant = set()
    for index, name in enumerate(cells):
        is_unread = index not in read and find_name(name, columns) == ""
        if not name or name.startswith(REMARK) or not is_unread or not is_all:
            continue
        if near := nearest(name, missing):
            meant.add(near)
            found.problems.append(_say_meant(header, index, columns[near]))
        elif suspect := _suspect(name, at):
            found.suspects[index] = suspect
        else:
            is_full = header.kind != "object"  # each object has keys of its own
            others = columns.keys() - set(OWN) - (at.keys() if is_full else set())
            found.unread[name] = nearest(name, others)
    for name in sorted(missing - meant):
        found.problems.append(_say_missing(header, columns[name]))
    return found


def _find(cells: Sequence[str], columns: Mapping[str, Column]) -> dict[str, int]:
    exact = {name: index for index, name in enumerate(cells)}
    folded = {fold(name): index for index, name in enumerate(cells) if name}
    found = {name: exact.get(name, folded.get(fold(name))) for name in columns}
    return {name: index for name, index in found.items() if index is not None}


def _find_translations(
    cells: Sequence[str], columns: Mapping[str, Column]
) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for index, name in enumerate(cells):
        match = _TRANSLATION.fullmatch(name)
        if match is None or name in columns:
            continue
        of = [one for one in columns if one not in OWN and fold(one) == fold(match[1])]
        for one in of:
            found.setdefault(one, {})[match[2]] = index
    return found


def _name_faults(header: Row, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """A column without a name, a name that stands twice, names that are read as one."""
    alike: dict[str, list[str]] = {}
    for name, times in Counter(header.cells).items():
        place = _place(header, header.cells.index(name))
        if name.startswith(REMARK):
            continue
        if not name:
            hint = "name it, or delete it: a spreadsheet may have left an empty column"
            yield Problem(place, f"column {header.cells.index(name) + 1} has no name", hint)
        elif times > 1:
            yield Problem(place, f"the column {quote(name)} appears twice")
        alike.setdefault(fold(name), []).append(name)
    for folded, names in alike.items():
        if folded and len(names) > 1 and find_name(names[0], columns):
            place = _place(header, header.cells.index(names[1]))
            what = f"the columns {' and '.join(map(quote, names[:2]))} are read as one"
            yield Problem(place, what, "capitals and blanks make no difference: rename one")


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


def _say_meant(header: Row, index: int, column: Column) -> Problem:
    """A column that nobody reads, very likely the one that is missing."""
    name, place = header.cells[index], _place(header, index)
    if column.reader:
        what = f"{column.reader} reads the column {quote(column.name)}, which is not there"
        return Problem(place, what, f"there is {quote(name)}: one of the two is misspelt")
    hint = f"did you mean {quote(column.name)}? ({_TO_IGNORE})"
    return Problem(place, f"nothing reads the column {quote(name)}", hint)


def _say_missing(header: Row, column: Column) -> Problem:
    reader = f", which {column.reader} reads" if column.reader else ""
    what = f"the column {quote(column.name)} is missing{reader}"
    near = nearest(column.name, header.cells)
    other, _, part = column.name.partition(".")
    if part and "." not in near:
        hint = f"[component.lookup.{other}] names the table that has it"
    elif near:
        hint = f"there is {quote(near)}"
    else:
        is_keys = header.kind == "object"
        hint = "add it to the rows" if is_keys else "add it: the first line names the columns"
    return Problem(header.place, what, hint)


def say_suspect(header: Row, index: int, suspect: Suspect) -> Problem:
    """An unread column that holds what `count`, or `enabled`, would."""
    name, place = quote(suspect.name), _place(header, index)
    if suspect.is_slip:
        hint = did_you_mean(suspect.name, [suspect.column])
        return Problem(place, f"nothing reads the column {name}", f"{hint} ({_TO_IGNORE})")
    what = f"nothing reads the column {name}: each row is printed once"
    hint = "call it count to print that many copies of each row, or start its heading with #"
    return Problem(place, what, hint, "warning", "column.count", found=suspect.name)


def say_unread(place: Place, unread: Mapping[str, str]) -> Problem:
    """One note of a table's columns that nobody reads."""
    names = [quote(name) for name in unread]
    listed = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
    meant = (f"{quote(near)} by {quote(name)}" for name, near in unread.items() if near)
    hints = [*(f"did you mean {one}?" for one in list(meant)[:3]), _TO_IGNORE]
    what = f"nothing reads the column{'s' * (len(names) > 1)} {listed}"
    return Problem(place, what, " ".join(hints), "note", "column.unread", found=", ".join(unread))


@dataclass(slots=True)
class Notes:
    """What is told of tables that can be read: the columns that nobody reads, by the place of the
    header, each with the one that it may mean; and what is worth a warning."""

    unread: dict[Place, dict[str, str]] = field(default_factory=dict)
    warnings: list[Problem] = field(default_factory=list)

    def add(self, place: Place, headings: Headings) -> None:
        """Of a table that several components have, what none of them reads is unread."""
        before = self.unread.get(place, headings.unread)
        self.unread[place] = {
            name: near for name, near in before.items() if name in headings.unread
        }

    @property
    def problems(self) -> tuple[Problem, ...]:
        told = [say_unread(place, unread) for place, unread in self.unread.items() if unread]
        return (*dict.fromkeys(self.warnings), *told)
