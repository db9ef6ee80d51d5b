"""Checks of tables. A [[component.rule]] declares each by its `kind` and these fields.

Also pieces whose keys occur more than once, and notes on texts that are not translated and on changes by an expansion.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import Annotated, ClassVar

from generator.basics.errors import Level, Place, Problem, list_names, quote
from generator.basics.keys import Keys, describe
from generator.model import Column, Component, Game, Piece, Value
from generator.tables import fields
from generator.tables.fields import ColumnName

_MAX = 1_000_000
Columns = Annotated[tuple[ColumnName, ...], describe("names of columns that hold whole numbers", min_length=1)]
Numbers = Annotated[tuple[fields.Count, ...], describe("one to six whole numbers", min_length=1, max_length=6)]
Gravity = Annotated[Level, describe("the level of the finding; a build stops at an error")]
Hint = Annotated[str, describe("how to fix it, printed with the finding")]
_MOST_NAMED = 3


class Declared(Keys, frozen=True, kw_only=True):
    """The options of every rule: the level of its findings, and a hint to print with them."""

    kind: ClassVar[str]
    reads: ClassVar[Sequence[str]] = ()  # names of columns

    level: Gravity = "error"
    hint: Hint = ""

    def columns(self) -> list[Column]:
        """The columns of `reads`; a rule for which they need certain values has its own."""
        return [Column(name) for name in self.reads]

    def problem(
        self, place: Place, what: str, level: Level | None = None, *, on: Iterable[Piece] = (), found: str = ""
    ) -> Problem:
        """A finding; its figures are `what` if none are given."""
        pieces = tuple(dict.fromkeys(piece.id for piece in on))
        return Problem(place, what, self.hint, level or self.level, self.kind, pieces, found)


class Count(Declared, frozen=True, kw_only=True):
    """The component has exactly this number of pieces, copies included."""

    kind = "count"
    equals: fields.Count

    def check(self, component: Component) -> list[Problem]:
        count = len(component.copies())
        if count == self.equals:
            return []
        what = f"there are {count} {component.id}, not {self.equals}"
        return [self.problem(component.place, what, found=f"{count} {component.id}")]


class Numeric(Declared, frozen=True, kw_only=True):
    """A rule that reads whole numbers from some columns."""

    of: Columns

    def columns(self) -> list[Column]:
        return [Column(name, 0, _MAX) for name in self.of]

    def values(self, piece: Piece) -> tuple[int, ...]:
        return tuple(piece.number(name) for name in self.of)

    def fault(self, piece: Piece, what: str) -> Problem:
        """A finding about the numbers of a piece."""
        row = _row(piece, self.of)
        return self.problem(piece.place, f"{row}: {what}", found=row)


class Sum(Numeric, frozen=True, kw_only=True):
    """The columns of each piece add up to this number."""

    kind = "sum"
    equals: fields.Count

    def check(self, component: Component) -> list[Problem]:
        return [
            self.fault(piece, f"together {total}, not {self.equals}")
            for piece in component.pieces
            if (total := sum(self.values(piece))) != self.equals
        ]


class OneOf(Numeric, frozen=True, kw_only=True):
    """Each cell of the columns is one of these numbers."""

    kind = "one_of"
    numbers: Numbers

    def check(self, component: Component) -> list[Problem]:
        return [
            self.problem(
                piece.place.at_column(name),
                f"{piece.number(name)} is not allowed",
                found=f"{name} {piece.number(name)}",
            )
            for piece in component.pieces
            for name in self.of
            if piece.number(name) not in self.numbers
        ]


class Permutation(Numeric, frozen=True, kw_only=True):
    """The columns of each piece hold exactly these numbers, in any order."""

    kind = "permutation"
    numbers: Numbers

    def check(self, component: Component) -> list[Problem]:
        expected = ", ".join(map(str, self.numbers))
        return [
            self.fault(piece, f"not each of {expected} once")
            for piece in component.pieces
            if sorted(self.values(piece)) != sorted(self.numbers)
        ]


class Unique(Numeric, frozen=True, kw_only=True):
    """No two pieces are alike in these columns."""

    kind = "unique"

    def check(self, component: Component) -> list[Problem]:
        alike: defaultdict[tuple[int, ...], list[Piece]] = defaultdict(list)
        for piece in component.copies():
            alike[self.values(piece)].append(piece)
        return [
            self.problem(
                pieces[1].place,
                f"{_ids(pieces)} are alike: {_row(pieces[0], self.of)}",
                on=pieces,
                found=_row(pieces[0], self.of),
            )
            for pieces in alike.values()
            if len(pieces) > 1
        ]


class Balanced(Numeric, frozen=True, kw_only=True):
    """The columns have equal totals, as near as whole numbers allow."""

    kind = "balanced"

    def check(self, component: Component) -> list[Problem]:
        pieces = component.copies()
        totals = {name: sum(piece.number(name) for piece in pieces) for name in self.of}
        figures, most = _find_uneven(totals)
        if not figures:
            return []
        even = sum(totals.values()) / len(totals)
        richest = max(piece.number(most) for piece in pieces)
        rich = [piece for piece in pieces if piece.number(most) == richest]
        what = f"the totals differ: {figures} (even: {even:g}); most {most} on {_ids(rich)}"
        return [self.problem(component.place, what, found=figures)]


class Spread(Numeric, frozen=True, kw_only=True):
    """Each number is equally frequent in each column, as near as whole numbers allow."""

    kind = "spread"
    numbers: Numbers

    def check(self, component: Component) -> Iterator[Problem]:
        pieces = component.copies()
        for number in self.numbers:
            holders = {name: [p for p in pieces if p.number(name) == number] for name in self.of}
            figures, most = _find_uneven({name: len(of) for name, of in holders.items()})
            if figures:
                on = _ids(holders[most])
                what = f"the number {number} is uneven: {figures}; in {most} on {on}"
                yield self.problem(component.place, what, found=f"{number}: {figures}")


class Complete(Numeric, frozen=True, kw_only=True):
    """Every order of the numbers occurs.

    If the table is too small to hold them all, the absent ones are only a note, unless they are
    lopsided: a number is absent from one column more often than from another, by more than it must.
    """

    kind = "complete"
    numbers: Numbers

    def check(self, component: Component) -> list[Problem]:
        pieces = component.copies()
        present = {self.values(piece) for piece in pieces}
        possible = set(permutations(self.numbers, len(self.of)))
        absent = sorted(possible - present)
        if not absent:
            return []
        named = ", ".join("-".join(map(str, order)) for order in absent)
        what = f"{len(absent)} of {len(possible)} orders are absent ({', '.join(self.of)}): {named}"
        report = partial(self.problem, component.place, found=f"{', '.join(self.of)}: {named}")
        is_forced = len(absent) == len(possible) - len(pieces)
        if not is_forced:
            return [report(what)]
        what += f"; {len(pieces)} pieces cannot hold them all"
        lopsided = self._describe_imbalance(absent)
        if lopsided:
            return [report(f"{what}, but these are lopsided: {lopsided}")]
        return [report(f"{what}, and these are evenly spread", "note")]

    def _describe_imbalance(self, absent: Sequence[tuple[int, ...]]) -> str:
        """The numbers that the absent orders have more often in one column than in another."""
        phrases = []
        for number in self.numbers:
            columns = zip(self.of, zip(*absent, strict=True), strict=True)
            counts = {name: column.count(number) for name, column in columns}
            figures, most = _find_uneven(counts)
            if figures:
                phrases.append(f"{number} is missing {counts[most]} times in {most}")
        return ", ".join(phrases)


def _find_uneven(counts: Mapping[str, int]) -> tuple[str, str]:
    """Counts in words and the name of the greatest, if they differ by more than whole numbers with
    their sum must; else ""."""
    unavoidable = 1 if sum(counts.values()) % len(counts) else 0
    if max(counts.values()) - min(counts.values()) <= unavoidable:
        return "", ""
    figures = ", ".join(f"{name} {count}" for name, count in counts.items())
    return figures, max(counts, key=lambda name: counts[name])


def _row(piece: Piece, columns: Iterable[str]) -> str:
    return " ".join(f"{name} {piece.row[name]}" for name in columns)


def _ids(pieces: Sequence[Piece]) -> str:
    copies = Counter(piece.id for piece in pieces)
    return list_names(id_ if n == 1 else f"{id_} ({n} copies)" for id_, n in copies.items())


def label(piece: Piece, name: Value) -> str:
    """A piece in a message: its id, and the name that is printed on it."""
    return f"{piece.id} ({quote(str(name))[1:-1]})"


def doubles(
    keyed: Iterable[tuple[Hashable, Piece]], label: Callable[[Piece], str], noun: str
) -> Iterator[tuple[Place, str]]:
    """The place and the fault of each row that repeats the `noun` of an earlier row, or has more than one copy."""
    firsts: dict[Hashable, Piece] = {}
    for key, piece in keyed:
        first = firsts.setdefault(key, piece)
        if first is not piece:
            yield piece.place, f"{label(piece)} is the same {noun} as {label(first)}"
        if piece.copies > 1:
            yield piece.place, f"{label(piece)} has {piece.copies} copies, not one"


def note_untranslated(game: Game) -> Iterator[Problem]:
    """A note for each language that is incomplete (the game's language, or else all of them): how
    many cells lack it, and the first of them."""
    pieces = (piece for component in game.components for piece in component.pieces)
    # several pieces may look up the same row
    texts = list({text.place: text for piece in pieces for text in piece.texts}.values())
    for language in [game.language] if game.language else game.languages:
        missing = [text.place for text in texts if not text.languages.get(language)]
        if missing:
            more = ", …" if len(missing) > _MOST_NAMED else ""
            what = f"{language}: {len(missing)} of {len(texts)} cells are not translated"
            hint = f"the original text replaces {', '.join(map(str, missing[:_MOST_NAMED]))}{more}"
            yield Problem(Place(game.name), what, hint, "note", "translation")
    phrases = game.phrases
    if phrases.foreign:
        count = f"{len(phrases.foreign)} of {len(phrases.patterns)} phrases of the kit are English"
        own = f"[language.{game.language}.phrases]" if game.language else "[phrases]"
        what, hint = f"{phrases.language}: {count}", f"write your own in {own}"
        if phrases.letters:
            what += f", since no font has {quote(phrases.letters)}"
            hint = "put a font that has these letters into fonts/"
        level: Level = "warning" if phrases.letters else "note"
        yield Problem(Place(game.name), what, hint, level, "translation")


def note_expansions(game: Game) -> Iterator[Problem]:
    """A note for each component that an expansion changes."""
    for component in game.components:
        if component.merged:
            what = f"{component.id}: {component.merged}"
            yield Problem(component.place, what, "", "note", "expansion", (component.id,))
