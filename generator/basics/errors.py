"""Problems and their messages: the place, the fault, and a hint.

Only this module groups similar faults into one message. It also escapes and shortens all texts from
files and options before they reach a terminal.

A place in a file is a value. Its text is only for people: no code parses it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice, zip_longest
from operator import attrgetter
from pathlib import PurePath
from typing import Literal, Self, TypeVar

from msgspec import Struct

T = TypeVar("T")
V = TypeVar("V")
Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
_MAX_KNOWN = 20  # words in a hint
_MAX_SHOWN = 60  # characters of a value in a message
_MAX_PLACES = 5  # further places in a message
_MAX_NAMED = 3  # pieces that a message lists
_MAX_COMPARED = 60  # characters: a longer word is not a typing error
_MAX_LINE = 600  # characters of a place, a fault or a hint; a designer's reason has at most 500
MAX_ALIKE = 10  # messages that differ only in the values that they repeat
_MAX_MESSAGES = 50  # for faults of one file, or of one rule in it

# Characters that break a line, change its direction, control a terminal, or are not text.
NO_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

# `quote` shortens values, so a closing quote further away belongs to another value.
_VALUE = re.compile(r"""'(?:[^'\\]|\\.){0,80}+'|"(?:[^"\\]|\\.){0,80}+"|-?\d[\d.,]*+""")
_DIGITS = re.compile(r"\d+")
_MOST_COMPARED = 100  # words: comparing two of 60 letters may take a quarter of a millisecond


class Place(Struct, frozen=True, order=True):
    """A place in a file. Messages show its text: "talavera/cards.csv:7 column red".

    file: its path as a person knows it; or another place, such as an option, a printer or a game.
    line: from 1; 0 for the whole file.
    part: a part of the line or of the file, in words: "column red".
    sheet: a sheet of a spreadsheet, whose rows are its lines: "talavera/cards.xlsx:Cards!C7".
    letters: the letters of the column in that sheet.
    """

    file: str
    line: int = 0
    part: str = ""
    sheet: str = ""
    letters: str = "A"

    @classmethod
    def in_folder(cls, folder: PurePath, file: str) -> Self:
        """A file of a game: its path in `folder`, after the folder's name: "talavera/art/a.svg"."""
        return cls(f"{folder.name}/{file}")

    def __str__(self) -> str:
        sheet = f"{self.sheet}!{self.letters}" if self.sheet else ""
        line = f":{sheet}{self.line}" if self.line else ""
        part = f" {self.part}" if self.part else ""
        return f"{self.file}{line}{part}"

    def at_line(self, line: int) -> Place:
        """A line of the same file, or the whole file for 0."""
        return Place(self.file, line)

    def at_column(self, name: str) -> Place:
        """The cell of a row in the column of that name."""
        return Place(self.file, self.line, f"column {name}", self.sheet, self.letters)

    @property
    def row(self) -> Place:
        """The row of a cell."""
        return Place(self.file, self.line, "", self.sheet)


class Problem(Struct, frozen=True):
    """One finding.

    place: file, line and column as the designer sees them ("talavera/cards.csv:7 column red").
    what:  the fault, in one clause.
    hint:  what to do; may be empty.
    rule:  the kind of finding, by which game.toml may accept it; empty for faults of the input.
    on:    the components ("cards") or pieces ("cards/3") that it is about.
    found: its figures in a few words, which change only with the figures; empty if `what` has only
           these.
    accepted: the designer's reason to accept it; empty if it is not accepted.
    faces: component, piece and side of each face that it is about, if known.
    """

    place: Place
    what: str
    hint: str = ""
    level: Level = "error"
    rule: str = ""
    on: tuple[str, ...] = ()
    found: str = ""
    accepted: str = ""
    faces: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        return self.format()

    def format(self, others: Sequence[str] = ()) -> str:
        """The message; `others` are further places, or values, with the same fault."""
        lines = [f"{self.level}: {escape(str(self.place))}: {escape(self.what)}"]
        if others:
            rest = len(others) - _MAX_PLACES
            more = f" and {rest:,} more" if rest > 0 else ""
            lines.append(f"also: {', '.join(map(escape, others[:_MAX_PLACES]))}{more}")
        if self.accepted:
            lines.append(f"accepted: {escape(self.accepted)}")
        elif self.hint:
            lines.append(f"hint: {escape(self.hint)}")
        return "\n    ".join(lines)


class PnpError(Exception):
    """The work cannot continue. Has every problem, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def raise_all(problems: Iterable[Problem]) -> None:
    """Raises PnpError with these problems, if there are any."""
    if found := tuple(problems):
        raise PnpError(found)


@contextmanager
def collecting(problems: list[Problem], place: Place | None = None) -> Iterator[None]:
    """Adds the problems that its block raises; with a place, also a MisfitError, which is a problem there."""
    try:
        yield
    except PnpError as error:
        problems += error.problems
    except MisfitError as error:
        if place is None:
            raise
        problems.append(Problem(place, str(error), error.hint))


class MisfitError(ValueError):
    """A value that cannot be used, at a place that the caller knows: the fault, and a hint."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


def try_read(read: Callable[[V], T], value: V) -> T | None:
    """Calls `read` on a value; None if that raises MisfitError."""
    try:
        return read(value)
    except MisfitError:
        return None


def locate(place: Place, work: Callable[..., T], *values: object) -> T:
    """The result of work on some values. Raises PnpError at a place for a MisfitError."""
    try:
        return work(*values)
    except MisfitError as error:
        raise fail(place, str(error), error.hint) from None


def fail(place: Place, what: str, hint: str = "") -> PnpError:
    """A PnpError of one problem, to raise."""
    return PnpError([Problem(place, what, hint)])


def messages(problems: Iterable[Problem]) -> Iterator[str]:
    """The messages of problems, one for each group of `gather`.

    There are at most _MAX_MESSAGES for the faults of one file, or for the findings of one rule in
    it; a last message has the number of the others.
    """
    shown: Counter[tuple[str, str, Level]] = Counter()
    hidden: Counter[tuple[str, str, Level]] = Counter()
    for group in gather(problems):
        kind = group[0].place.file, group[0].rule, group[0].level
        shown[kind] += 1
        if shown[kind] <= _MAX_MESSAGES:
            yield format_group(group)
        else:
            hidden[kind] += len(group)
    for (file, rule, level), count in hidden.items():
        what = f"there are {count:,} more {f'findings of {quote(rule)}' if rule else 'faults'}"
        yield str(Problem(Place(file), what, "repair these first", level))


def format_group(group: Sequence[Problem]) -> str:
    """The message of a group of `gather`."""
    first, *others = group
    return first.format([_describe_other(first, other) for other in others])


def gather(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Groups of problems, each for one message.

    Problems that differ only in their place are a group. So are faults of one kind at places of one kind (rows of a
    column) that differ only in the values that they repeat, if they would make more than MAX_ALIKE messages.
    """
    said = attrgetter("level", "what", "hint", "rule", "accepted")
    same = _group([[problem] for problem in problems], said)
    kinds = Counter(_kind(group[0]) for group in same)
    often = {kind for kind, times in kinds.items() if times > MAX_ALIKE}
    groups = _group(same, lambda problem: kind if (kind := _kind(problem)) in often else problem)
    return [_one_a_file_first(group) for group in groups]


def _group(groups: list[list[Problem]], key: Callable[[Problem], Hashable]) -> list[list[Problem]]:
    """Join groups whose first problems have the same key."""
    joined: dict[Hashable, list[Problem]] = {}
    for group in groups:
        joined.setdefault(key(group[0]), []).extend(group)
    return list(joined.values())


def _kind(problem: Problem) -> Hashable:
    """The kind of a problem: its words without values. Each finding of a rule is a separate kind,
    because its words name pieces."""
    if problem.rule:
        return problem
    masked = (_VALUE.sub("'", text) for text in (problem.what, problem.hint))
    return problem.level, _DIGITS.sub("0", str(problem.place)), *masked


def _describe_other(first: Problem, other: Problem) -> str:
    """A further problem in the message of `first`: its place, its value, or both."""
    values = _VALUE.findall(other.what)
    value = next((v for v in values if v not in _VALUE.findall(first.what)), "")
    if other.place == first.place:
        return value or str(other.place)
    return f"{other.place} ({value})" if value and first.what != other.what else str(other.place)


def _one_a_file_first(group: Iterable[Problem]) -> list[Problem]:
    by_file: dict[str, list[Problem]] = {}
    for problem in group:
        by_file.setdefault(problem.place.file, []).append(problem)
    return [problem for row in zip_longest(*by_file.values()) for problem in row if problem is not None]


def at_most(count: int, problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first problems of a file, and the place where its reading stopped."""
    problems = iter(problems)
    last: Problem | None = None
    for last in islice(problems, count):
        yield last
    if last is not None and next(problems, None) is not None:
        yield Problem(last.place, "there are more faults below", "repair these first")


_LIKENESS = 0.65  # the share of letters alike: of 'ink' and 'hotpink' it is 0.6


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was most likely meant, "" if none is similar. Case does not matter, and
    a number is no misspelling of another one.

    Of many words, only those near in the alphabet are compared.
    """
    folded = {name.casefold(): name for name in sorted(known) if len(name) <= _MAX_COMPARED}
    meant = word[:_MAX_COMPARED].casefold()
    if meant.isdecimal():
        folded = {key: name for key, name in folded.items() if not key.isdecimal() or key == meant}
    close = get_close_matches(meant, _about(meant, list(folded)), 1, _LIKENESS)
    return folded[close[0]] if close else ""


def _about(word: str, words: list[str]) -> list[str]:
    """The words shortly before and after a word in the alphabet."""
    if len(words) <= _MOST_COMPARED:
        return words
    words.sort()
    first = max(0, bisect_left(words, word) - _MOST_COMPARED // 2)
    return words[first : first + _MOST_COMPARED]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint with the nearest known word, or with a list of known words if none is similar."""
    words = sorted(known)
    near = nearest(word, words)
    if near:
        return f"did you mean {quote(near)}?"
    more = ", …" if len(words) > _MAX_KNOWN else ""
    return f"known: {', '.join(words[:_MAX_KNOWN])}{more}" if words else ""


def look_up(table: Mapping[str, T], name: str, what: str) -> T:
    """The value of a name in a table. Raises MisfitError for an unknown one: `what` is its kind."""
    if name not in table:
        raise MisfitError(f"unknown {what} {quote(name)}", did_you_mean(name, table))
    return table[name]


def escape(text: str) -> str:
    """Text that is safe in a terminal: one line without control characters; a long one loses its middle."""
    if len(text) > _MAX_LINE:
        text = f"{text[: _MAX_LINE // 2]}…{text[-_MAX_LINE // 2 :]}"
    return NO_LINE.sub(lambda match: repr(match[0])[1:-1], text)


def count_of(number: int, noun: str) -> str:
    """A number of things: 1 card, 2 cards."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def list_names(words: Iterable[str], link: str = "and") -> str:
    """Words as in a sentence: "a, b and c", "none"."""
    *most, last = tuple(words) or ("none",)
    return f"{', '.join(most)} {link} {last}" if most else last


def faces_of(side: str, names: Sequence[str], pieces: int, most: int = _MAX_NAMED) -> str:
    """Faces of one side, of so many pieces in all: "the back of 1", "the backs of 1, 2, 3 and 15
    more", "the backs of all 18". It names at most `most`."""
    if len(names) == 1:
        return f"the {side} of {names[0]}"
    if len(names) == pieces:
        return f"the {side}s of all {pieces}"
    rest = len(names) - most
    return f"the {side}s of {list_names(names if rest < 2 else [*names[:most], f'{rest} more'])}"


def quote(value: object) -> str:
    """A value in a message: one short line, whatever the value is."""
    if isinstance(value, str):
        return repr(value if len(value) <= _MAX_SHOWN else value[: _MAX_SHOWN - 1] + "…")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value.bit_length() < 100 else "a very large number"
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, Sequence) else str(value)
