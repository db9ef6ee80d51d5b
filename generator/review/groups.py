"""Take changes, group equal ones, and describe them in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from generator.model import Face, Side, Value
from generator.review.changes import Cell, Change, Changes, Kind, Recount

_MOST_NAMED = 20  # pieces in a line
_LONG = 48  # characters of a cell; a longer one is shortened to the difference
_AROUND = 16  # characters on either side of the difference


class Group(Struct, frozen=True):
    """Pieces of a component with the same change on one side."""

    component: str
    side: Side
    kind: Kind
    pieces: tuple[str, ...]
    old: Face | None
    new: Face | None
    cells: tuple[Cell, ...]

    @property
    def title(self) -> str:
        return f"{self.component} {list_pieces(self.pieces)} · {self.side}"

    @property
    def description(self) -> str:
        """The cells that changed, old → new."""
        unchanged = "the cells it reads are unchanged" if self.kind == "changed" else ""
        return ", ".join(map(_describe_cell, self.cells)) or unchanged


def group_changes(changes: Iterable[Change]) -> list[Group]:
    """Group changes of a component's side that have the same old and new face: shown once."""
    return _gather(changes, lambda one: (one.old and one.old.id, one.new and one.new.id))


def describe_changes(changes: Changes) -> Iterator[str]:
    """All changes in words, one line for changes with the same words."""
    for group in _gather(changes.faces, lambda _: None):
        cells = f" ({group.description})" if group.description else ""
        yield f"{group.title}: {group.kind}{cells}"
    yield from describe_counts(changes.counts)


def _gather(changes: Iterable[Change], also: Callable[[Change], object]) -> list[Group]:
    groups: dict[object, list[Change]] = {}
    for change in changes:
        key = (change.component, change.side, change.kind, change.cells, also(change))
        groups.setdefault(key, []).append(change)
    return [_group(same) for same in groups.values()]


def _group(changes: Sequence[Change]) -> Group:
    first = changes[0]
    pieces = tuple(change.piece for change in changes)
    return Group(first.component, first.side, first.kind, pieces, first.old, first.new, first.cells)


def describe_counts(counts: Iterable[Recount]) -> Iterator[str]:
    """Each change of a count, in words."""
    for one in counts:
        copies = f"{one.before.copies} → {one.after.copies} copies"
        yield f"{one.component} {one.after.id}: {copies}"


def list_pieces(pieces: Sequence[str]) -> str:
    """The ids of pieces; of many, the first few and the number of the others."""
    named, more = pieces[:_MOST_NAMED], len(pieces) - _MOST_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _describe_cell(cell: Cell) -> str:
    old, new = _differing(_plain(cell.old), _plain(cell.new))
    return f"{cell.column} {old} → {new}"


def _plain(value: Value | None) -> str:
    if value is None:
        return "(no column)"
    return " ".join(str(value).split()) or "(empty)"


def _differing(old: str, new: str) -> tuple[str, str]:
    """Two texts; long ones are shortened to the difference and a little around it."""
    if max(len(old), len(new)) <= _LONG:
        return old, new
    start = max(_count_common(old, new) - _AROUND, 0)
    rest = start + _AROUND
    end = max(_count_common(old[rest:][::-1], new[rest:][::-1]) - _AROUND, 0)
    return _excerpt(old, start, end), _excerpt(new, start, end)


def _count_common(one: str, other: str) -> int:
    """The number of characters at the start that two texts have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _excerpt(text: str, start: int, end: int) -> str:
    middle = text[start : len(text) - end]
    if len(middle) > 2 * _LONG:
        middle, end = middle[: 2 * _LONG], end + 1
    return f"{'…' if start else ''}{middle}{'…' if end else ''}"
