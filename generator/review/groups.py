"""Take changes, gather those that are alike, and put them in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from generator.model import Face, Side, Value
from generator.review.changes import Cell, Change, Changes, Kind, Recount

_MOST_NAMED = 20  # pieces that a line lists
_LONG = 48  # characters of a cell; of a longer one what differs is told
_AROUND = 16  # characters of what did not change beside what did


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces of a component one side of which changed alike."""

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
    def told(self) -> str:
        """The cells that changed, old → new."""
        as_before = "the cells it reads are as they were" if self.kind == "changed" else ""
        return ", ".join(map(_describe_cell, self.cells)) or as_before


def group_changes(changes: Iterable[Change]) -> list[Group]:
    """Changes of one side of a component, from one face to one other: shown once."""
    return _gather(changes, lambda one: (one.old and one.old.id, one.new and one.new.id))


def describe_changes(changes: Changes) -> Iterator[str]:
    """All that changed in words, a line for what is told in the same words."""
    for group in _gather(changes.faces, lambda _: None):
        yield f"{group.title}: {group.kind}" + (f" ({group.told})" if group.told else "")
    yield from describe_counts(changes.counts)


def _gather(changes: Iterable[Change], also: Callable[[Change], object]) -> list[Group]:
    alike: dict[object, list[Change]] = {}
    for change in changes:
        key = (change.component, change.side, change.kind, change.cells, also(change))
        alike.setdefault(key, []).append(change)
    return [_group(same) for same in alike.values()]


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
    """The ids of pieces, the first few of many."""
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
    """Two texts, or of long ones what differs and a little around it."""
    if max(len(old), len(new)) <= _LONG:
        return old, new
    start = max(_alike(old, new) - _AROUND, 0)
    end = max(_alike(old[start + _AROUND :][::-1], new[start + _AROUND :][::-1]) - _AROUND, 0)
    return _excerpt(old, start, end), _excerpt(new, start, end)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _excerpt(text: str, start: int, end: int) -> str:
    kept = text[start : len(text) - end]
    if len(kept) > 2 * _LONG:
        kept, end = kept[: 2 * _LONG], end + 1
    return f"{'…' if start else ''}{kept}{'…' if end else ''}"
