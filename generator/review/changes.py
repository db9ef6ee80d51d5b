"""Changes of a game's printed pieces between two editions.

Equal changes are grouped, and described in words.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain, takewhile
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from generator.model import SIDES, Component, Face, Piece, Side, Value

Kind = Literal["changed", "added", "removed"]
_DIGITS = 4  # of a mm: finer than any printer
_MOST_NAMED = 20  # pieces in a line
_LONG = 48  # characters of a cell; a longer one is shortened to the difference
_AROUND = 16  # characters on either side of the difference


class Edition(Struct, frozen=True):
    """A game at one time: its components, its faces by component, piece and side, and the digests
    of its own fonts, by family."""

    components: Sequence[Component] = ()
    faces: Mapping[tuple[str, str, Side], Face] = field(default_factory=dict)
    fonts: Mapping[str, str] = field(default_factory=dict)


class Cell(Struct, frozen=True):
    """The old and the new value in a column of a face; None without such a column."""

    column: str
    old: Value | None
    new: Value | None


class Change(Struct, frozen=True):
    """A face that changed. Without a piece or a face before or after, that is None."""

    component: str
    side: Side
    before: Piece | None
    after: Piece | None
    old: Face | None
    new: Face | None
    cells: tuple[Cell, ...] = ()

    @property
    def piece(self) -> str:
        """The id of the piece; its old id, if it was removed."""
        piece = self.after or self.before
        assert piece is not None, "a change has a piece before or after"
        return piece.id

    @property
    def kind(self) -> Kind:
        return "added" if self.old is None else "removed" if self.new is None else "changed"


class Recount(Struct, frozen=True):
    """A piece whose number of copies changed."""

    component: str
    before: Piece
    after: Piece


class Changes(Struct, frozen=True):
    """All changes between two editions."""

    faces: tuple[Change, ...]
    counts: tuple[Recount, ...]

    def list_gone(self, component: str) -> Iterator[str]:
        """The pieces of a component to remove from a printed game, in words."""
        removed = (face for face in self.faces if face.component == component and not face.after)
        pieces = (face.before for face in removed)
        yield from dict.fromkeys(piece.id for piece in pieces if piece)
        for count in self.counts:
            fewer = count.before.copies - count.after.copies
            if count.component == component and fewer > 0:
                yield f"{fewer} of {count.before.id}"


def compare(old: Edition, new: Edition) -> Changes:
    """Compare two editions: faces that print differently, and numbers of copies that changed."""
    fonts = {family for family, _ in old.fonts.items() ^ new.fonts.items()}
    old_components = {component.id: component for component in old.components}
    faces: list[Change] = []
    counts: list[Recount] = []
    for id_ in dict.fromkeys((*(component.id for component in new.components), *old_components)):
        component = next((component for component in new.components if component.id == id_), None)
        pairing = _Pairing(id_, old_components.get(id_), component, old, new, fonts)
        for before, after in pairing.pairs():
            faces += pairing.changes(before, after)
            if before and after and before.copies != after.copies:
                counts.append(Recount(id_, before, after))
    return Changes(tuple(faces), tuple(counts))


def choose_reprints(
    components: Sequence[Component], changes: Changes, shown: Collection[tuple[str, Side]]
) -> tuple[Component, ...]:
    """The components with the number of copies of each piece to print again.

    These are all copies if a side changed that is `shown`, by component and side, or the
    additional ones if only the count rose.
    """
    reprinted = {
        (change.component, change.after.id)
        for change in changes.faces
        if change.after and (change.component, change.side) in shown
    }
    more = {
        (recount.component, recount.after.id): recount.after.copies - recount.before.copies
        for recount in changes.counts
    }

    def copies(component: Component, piece: Piece) -> int:
        key = (component.id, piece.id)
        return piece.copies if key in reprinted else max(more.get(key, 0), 0)

    def choose(component: Component) -> Component:
        pieces = (replace(piece, copies=copies(component, piece)) for piece in component.pieces)
        return replace(component, pieces=tuple(pieces))

    return tuple(map(choose, components))


class _Pairing(Struct, frozen=True):
    """A component before and after the change; one of them may be None."""

    id: str
    before: Component | None
    after: Component | None
    old: Edition
    new: Edition
    fonts: Collection[str]  # families whose letters changed

    def pairs(self) -> Iterator[tuple[Piece | None, Piece | None]]:
        """Each piece with its earlier self, the piece with the same id.

        If the table has no column of ids, a piece that prints the same is preferred, because a new
        row changes the numbers of the rows below it.
        """
        before = {piece.id: piece for piece in _printed_pieces(self.before)}
        after = _printed_pieces(self.after)
        partners: dict[str, Piece] = {}
        if not all("id" in piece.row for piece in after):
            partners = self._match_by_look(before, after)
        matched = {piece.id for piece in partners.values()}
        for piece in after:
            if piece.id not in partners and piece.id in before and piece.id not in matched:
                partners[piece.id] = before[piece.id]
        yield from ((partners.get(piece.id), piece) for piece in after)
        matched = {piece.id for piece in partners.values()}
        yield from ((piece, None) for id_, piece in before.items() if id_ not in matched)

    def _match_by_look(self, before: Mapping[str, Piece], after: Sequence[Piece]) -> dict[str, Piece]:
        candidates: dict[str, list[Piece]] = {}
        for piece in before.values():
            candidates.setdefault(self._print(self.old, piece), []).append(piece)
        partners: dict[str, Piece] = {}
        for piece in after:
            same = candidates.get(self._print(self.new, piece))
            if same:
                partners[piece.id] = same.pop(0)
        return partners

    def _print(self, edition: Edition, piece: Piece) -> str:
        return repr([self._look(edition, piece, side) for side in SIDES])

    def changes(self, before: Piece | None, after: Piece | None) -> Iterator[Change]:
        for side in SIDES:
            if self._look(self.old, before, side) != self._look(self.new, after, side):
                old, new = self._face(self.old, before, side), self._face(self.new, after, side)
                cells = tuple(self._cells(before, after, side)) if before and after else ()
                old, new = old and old.upright, new and new.upright
                yield Change(self.id, side, before, after, old, new, cells)

    def _face(self, edition: Edition, piece: Piece | None, side: Side) -> Face | None:
        return edition.faces.get((self.id, piece.id, side)) if piece else None

    def _look(self, edition: Edition, piece: Piece | None, side: Side) -> object:
        """Everything that a face prints: its layers, size and cut, and its changed fonts."""
        face = self._face(edition, piece, side)
        if face is None:
            return None
        fonts = [(family, edition.fonts.get(family)) for family in _set_in(face, self.fonts)]
        layers = [(it.layer.id, _near([it.place, *(it.clip or ())])) for it in face.layers]
        cut = _near([face.size, *face.outline, *chain(*face.holes), (face.corner_radius,)])
        return layers, cut, fonts

    def _cells(self, before: Piece, after: Piece, side: Side) -> Iterator[Cell]:
        columns = dict.fromkeys((*_columns(self.before, side), *_columns(self.after, side)))
        for column in columns:
            old, new = before.row.get(column), after.row.get(column)
            if old != new:
                yield Cell(column, old, new)


def _near(lengths: Iterable[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Round lengths, so that arithmetic makes no difference: 3.5in is 88.9mm."""
    return [tuple(round(length, _DIGITS) for length in some) for some in lengths]


def _printed_pieces(component: Component | None) -> list[Piece]:
    return [piece for piece in component.pieces if piece.copies] if component else []


def _columns(component: Component | None, side: Side) -> Sequence[str]:
    return component.columns.get(side, ()) if component else ()


def _set_in(face: Face, families: Collection[str]) -> Iterator[str]:
    """The families that a face names; the art that it embeds has no text."""
    drawings = {placed.layer.svg for placed in face.layers} if families else set()
    for family in sorted(families):
        if any(name in svg for name in {family, escape(family)} for svg in drawings):
            yield family


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
    return _gather(changes, lambda it: (it.old and it.old.id, it.new and it.new.id))


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
    for count in counts:
        copies = f"{count.before.copies} → {count.after.copies} copies"
        yield f"{count.component} {count.after.id}: {copies}"


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
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _excerpt(text: str, start: int, end: int) -> str:
    middle = text[start : len(text) - end]
    if len(middle) > 2 * _LONG:
        middle, end = middle[: 2 * _LONG], end + 1
    return f"{'…' if start else ''}{middle}{'…' if end else ''}"
