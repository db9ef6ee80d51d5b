"""The table of an engine that only says which pieces are in hands, piles and rows.

A seat's own areas lie below the middle of the table, those of the others above it, in the order of play. A side has
its rows next to the middle, its hand farthest from it, and its piles on the right; those of the middle lie on the left.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from generator.basics.errors import count_of
from generator.model import Piece, Side

_ABREAST = 4.0  # pieces of a row; of more, each lies on the one before it
_GAP = 6.0  # mm between pieces
_THICK = 0.15  # mm by which a piece of a pile lies higher than the one below it


class LaidPiece(Struct, frozen=True):
    """A piece as it lies on the table.

    component, piece: their ids; one that nobody may know has no id. x, y: mm to the middle of the cut piece, x to the
    right, y down. turn: degrees clockwise. A later piece lies on an earlier one.
    """

    component: str
    piece: str
    side: Side
    x: float
    y: float
    turn: float = 0.0


class TableArea(Struct, frozen=True):
    """Pieces of one component that lie together on the table.

    name: in notation, such as "stock". kind: a hand is a row that only its owner sees; of a pile, the last piece is on
    top. owner: the seat on whose side it lies; None for the middle. is_down: the backs are up, and no seat knows which
    pieces they are.
    """

    name: str
    component: str
    pieces: Sequence[Piece]
    kind: Literal["hand", "row", "pile"] = "row"
    owner: int | None = None
    is_down: bool = False

    def is_up(self, seat: int | None) -> bool:
        """Whether a seat sees the fronts; None is one who may look at all hands."""
        return not self.is_down and (self.kind != "hand" or seat in (None, self.owner))

    def tell(self, seat: int | None) -> str:
        """What a seat knows: "seat 1 hand: cod herring", "stock: 12 pieces"; None knows all."""
        names = " ".join(piece.id for piece in self.pieces) or "none"
        told = names if seat is None or self.is_up(seat) else count_of(len(self.pieces), "piece")
        return f"{self.name}: {told}" if self.owner is None else f"seat {self.owner + 1} {self.name}: {told}"


Lying = Sequence[tuple[TableArea, LaidPiece]]


def lay_areas(areas: Sequence[TableArea], seats: int, seat: int | None) -> Lying:
    """The pieces as they lie before a seat, its hand last; before None, who knows all, as before the first."""
    sizes = [piece.size for area in areas for piece in area.pieces]
    width, height = (max(sides) + _GAP for sides in zip(*sizes, strict=True)) if sizes else (0.0, 0.0)
    laid = []
    for area, x, y, step in _place_areas(areas, seats, seat or 0):
        is_up, thick = area.is_up(seat), 0.0 if step else _THICK
        for at, piece in enumerate(area.pieces):
            known = piece.id if is_up or seat is None else ""
            place = (x + at * step) * width - at * thick, y * height - at * thick
            laid.append((area, LaidPiece(area.component, known, "front" if is_up else "back", *place)))
    return laid


def _place_areas(areas: Sequence[TableArea], seats: int, own: int) -> Iterator[tuple[TableArea, float, float, float]]:
    """Each area with the middle of its first piece and the step to the next, in widths and heights of a piece."""
    others = [(own + after) % seats for after in range(1, seats)]
    below = (sum(area.owner is None and area.kind != "pile" for area in areas) or 1) / 2 + 0.5
    piles_of = Counter(area.owner for area in areas if area.kind == "pile")
    for owner in (None, *others, own):
        x, y, down, broad = 0.0, below, 1, _ABREAST
        if owner is None:
            y = 1 - below
        elif owner != own:
            y, down, broad = -below, -1, max(_ABREAST / len(others), 2.0)
            x = (others.index(owner) - (len(others) - 1) / 2) * (broad + max(piles_of[it] for it in others) + 0.5)
        side = [area for area in areas if area.owner == owner]
        piles = [area for area in side if area.kind == "pile"]
        rows = sorted((area for area in side if area.kind != "pile"), key=lambda area: area.kind == "hand")
        for at, pile in enumerate(piles):
            out = (broad + 1) / 2 + at if rows else at - (len(piles) - 1) / 2
            yield pile, x + (-out if owner is None else out), y, 0.0
        for line, row in enumerate(rows):
            gaps = len(row.pieces) - 1
            gaps += gaps % 2 == 0 and row.kind == "row"  # so that of two pieces that come, one moves no other
            step = min((broad - 1) / max(gaps, 1), 1.0)
            yield row, x - gaps / 2 * step, y + line * down, step


def find_moved(before: Lying, after: Lying) -> list[LaidPiece]:
    """The pieces that come to an area, as they will lie; then those that leave one and come to none, as they lie."""
    come = list(_find_new(before, after))
    ids = {(it.component, it.piece) for it in come}
    return come + [it for it in _find_new(after, before) if (it.component, it.piece) not in ids]


def _find_new(before: Lying, after: Lying) -> Iterator[LaidPiece]:
    left = Counter((area.name, area.owner, it.piece) for area, it in before)
    for area, it in after:
        left[area.name, area.owner, it.piece] -= 1
        if left[area.name, area.owner, it.piece] < 0:
            yield it
