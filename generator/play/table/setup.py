"""Take the supply of a game, lay it on a table: what stands in rows along the upper edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from generator.basics.geometry import Size
from generator.play.table.state import HEIGHT, WIDTH, LyingPiece, TableState
from generator.play.table.supply import SuppliedSet, Supply

_EDGE = 30.0  # mm between the edge of the table and the first row
_GAP = 26.0  # mm between stacks
_LABEL = 12.0  # mm below a row
_FREE = 380.0  # mm below the last row, for play

_Heap = tuple[SuppliedSet, tuple[LyingPiece, ...]]


def set_up(supply: Supply, seats: int, random: Random) -> TableState:
    """The table before the first action. Pieces whose backs hide them are shuffled."""
    heaps = list(_heaps(supply, random))
    width = max(WIDTH, max(set_.size.width for set_, _ in heaps) + 2 * _EDGE)
    spots, below = _in_rows([set_.size for set_, _ in heaps], width)
    state = TableState(width, max(HEIGHT, below + _FREE), ((),) * seats)
    for (_, pieces), (x, y) in zip(heaps, spots, strict=True):
        state = state.add_stack(x, y, 0, pieces)
    return state


def _heaps(supply: Supply, random: Random) -> Iterator[_Heap]:
    """The stacks: one for each set, or for each of its pieces if these have no back."""
    for number, set_ in enumerate(supply.sets):
        numbers = [at for at, piece in enumerate(supply.pieces) if piece.set == number]
        groups = [[at] for at in numbers] if set_.is_apart else [numbers]
        for group in groups:
            lying = [
                LyingPiece(at, not set_.is_hiding)
                for at in reversed(group)  # the first lies on top
                for _ in range(supply.pieces[at].copies)
            ]
            if set_.is_hiding:
                random.shuffle(lying)
            yield set_, tuple(lying)


def _in_rows(sizes: Sequence[Size], width: float) -> tuple[list[tuple[float, float]], float]:
    """The middle of each stack, in rows as wide as the table, and the end of the last row."""
    spots, x, top, below = [], _EDGE, _EDGE, _EDGE
    for size in sizes:
        if x + size.width + _EDGE > width and x > _EDGE:
            x, top = _EDGE, below + _LABEL
        spots.append((x + size.width / 2, top + size.height / 2))
        x += size.width + _GAP
        below = max(below, top + size.height)
    return spots, below + _LABEL
