"""The tiles on Atreya's table and the shapes that they make, kept up to date move by move.

A cell is a number, `cell_at(x, y)`: x columns to the right, y half rows down. An open side is
8 * the empty cell at it + the side of that cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from generator.games.atreya.lying import (
    AREAS_OF,
    BESIDE,
    CENTRE,
    SIDES_OF,
    LyingTile,
    Pattern,
)

_ROW = 4096  # more than any arena has half rows
# To the neighbour beyond each side.
STEPS = (_ROW - 1, -2, -_ROW - 1, -_ROW + 1, 2, _ROW + 1)
_OPPOSITE = (3, 4, 5, 0, 1, 2)
LONE_CENTRE = 1 << CENTRE  # a region that meets no other tile, so it is no shape

AtreyaCell = int
OpenSide = int
PlacedArea = int  # 8 * its cell + its number


def cell_at(x: int, y: int) -> AtreyaCell:
    return x * _ROW + y


def place_of(cell: AtreyaCell) -> tuple[int, int]:
    """The columns to the right and the half rows down."""
    x = (cell + _ROW // 2) // _ROW
    return x, cell - x * _ROW


class OpenAtreyaShape(Struct, frozen=True):
    """A shape that may grow. tiles: a bit mask. pieces: half-pieces without a partner are none."""

    colour: int
    opens: tuple[OpenSide, ...]
    tiles: int
    pieces: int


class ClosedAtreyaShape(Struct, frozen=True):
    """tiles: a bit mask. size: its pieces."""

    colour: int
    areas: frozenset[PlacedArea]
    tiles: int
    size: int


class AtreyaArena:
    """An arena, which nothing changes once it is made. Equal if the same tiles lie alike.

    laid:   the tile in each cell.
    around: what a tile needs in each empty cell beside the others.
    closed: the closed shapes, as they were closed.
    pinned: the areas of tiles that belong to them, as bit masks.
    shapes: the open shapes by their labels. edges: the label at each open side.
    """

    __slots__ = ("around", "closed", "edges", "labels", "laid", "pinned", "shapes")

    def __init__(self) -> None:
        self.laid: dict[AtreyaCell, LyingTile] = {}
        self.around: dict[AtreyaCell, Pattern] = {}
        self.closed: tuple[ClosedAtreyaShape, ...] = ()
        self.pinned: dict[AtreyaCell, int] = {}
        self.shapes: dict[int, OpenAtreyaShape] = {}
        self.edges: dict[OpenSide, int] = {}
        self.labels = 0  # how many were given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AtreyaArena) and self.laid == other.laid

    def __hash__(self) -> int:
        return hash(frozenset(self.laid.items()))

    def _copy(self) -> AtreyaArena:
        arena = AtreyaArena()
        arena.laid = self.laid.copy()
        arena.around = self.around.copy()
        arena.closed = self.closed
        arena.pinned = self.pinned
        arena.shapes = self.shapes.copy()
        arena.edges = self.edges.copy()
        arena.labels = self.labels
        return arena

    def place(self, cell: AtreyaCell, way: LyingTile) -> AtreyaArena:
        """The arena with a tile in an empty cell."""
        arena = self._copy()
        arena.laid[cell] = way
        pattern = arena.around.pop(cell, 0)
        arena._surround(cell, way, pattern)
        regions = [region for region in way.regions if region != LONE_CENTRE]
        labelled = {arena._join(cell, way, region, pattern): region for region in regions}
        for label, region in labelled.items():
            shape = arena.shapes.get(label)
            if shape and not shape.opens:
                arena._close(label, shape, cell, region)
        return arena

    def _surround(self, cell: AtreyaCell, way: LyingTile, pattern: Pattern) -> None:
        """Notes what a new tile needs beyond its open sides."""
        for d in range(6):
            if not pattern >> 2 * d & 3:
                beyond = cell + STEPS[d]
                need = way.colours[d] + 1 << 2 * _OPPOSITE[d]
                self.around[beyond] = self.around.get(beyond, 0) | need

    def _join(self, cell: AtreyaCell, way: LyingTile, region: int, pattern: Pattern) -> int:
        """Makes a shape of a region and of those that it meets. Its label."""
        edges, shapes, label = self.edges, self.shapes, self.labels
        opens: list[OpenSide] = []
        met: list[int] = []
        tiles, pieces = 1 << way.tile, region >> CENTRE
        for d in SIDES_OF[region]:
            if pattern >> 2 * d & 3:
                pieces += 1
                other = edges.pop(8 * cell + d)
                if other not in met:
                    met.append(other)
            else:
                opens.append(8 * (cell + STEPS[d]) + _OPPOSITE[d])
        for other in met:
            shape = shapes.pop(other)
            opens += [side for side in shape.opens if side in edges]
            tiles |= shape.tiles
            pieces += shape.pieces
        for side in opens:
            edges[side] = label
        self.labels = label + 1
        shapes[label] = OpenAtreyaShape(way.colour_of(region), tuple(opens), tiles, pieces)
        return label

    def _close(self, label: int, shape: OpenAtreyaShape, cell: AtreyaCell, region: int) -> None:
        del self.shapes[label]
        parts = self._flood(cell, region)
        areas = frozenset(8 * at + area for at, mask in parts.items() for area in AREAS_OF[mask])
        self.closed += (ClosedAtreyaShape(shape.colour, areas, shape.tiles, shape.pieces),)
        self.pinned = self.pinned.copy()
        for at, mask in parts.items():
            self.pinned[at] = self.pinned.get(at, 0) | mask

    def _flood(self, cell: AtreyaCell, region: int) -> dict[AtreyaCell, int]:
        """All areas that hang together with a region, as a bit mask for each cell."""
        laid = self.laid
        found, ahead = {cell: region}, [(cell, region)]
        while ahead:
            at, mask = ahead.pop()
            for d in SIDES_OF[mask]:
                beyond = at + STEPS[d]
                if beyond in laid:
                    other = laid[beyond].region_at[_OPPOSITE[d]]
                    had = found.get(beyond, 0)
                    if not had & other:
                        found[beyond] = had | other
                        ahead.append((beyond, other))
        return found

    def lift(self, cell: AtreyaCell) -> AtreyaArena:
        """The arena without the tile in a cell. Shapes that it closed are open again."""
        arena = self._copy()
        way = arena.laid.pop(cell)
        met = [d for d in range(6) if cell + STEPS[d] in arena.laid]
        stale = {arena._forget(cell + STEPS[d], d) for d in range(6) if d not in met}
        arena.around[cell] = sum(way.colours[d] + 1 << 2 * d for d in met)
        arena._open(1 << way.tile)
        arena._part(cell, met, stale)
        return arena

    def _forget(self, beyond: AtreyaCell, d: int) -> int:
        """Forgets the open side of a lifted tile at an empty cell. The label that it had."""
        back = _OPPOSITE[d]
        self.around[beyond] &= ~(3 << 2 * back)
        if not self.around[beyond]:
            del self.around[beyond]
        return self.edges.pop(8 * beyond + back)

    def _open(self, tile: int) -> None:
        """Forgets the closed shapes that a lifted tile belonged to."""
        opened = [shape for shape in self.closed if shape.tiles & tile]
        if opened:
            self.closed = tuple(shape for shape in self.closed if not shape.tiles & tile)
            self.pinned = self.pinned.copy()
            for area in (area for shape in opened for area in shape.areas):
                self.pinned[area // 8] &= ~(1 << area % 8)

    def _part(self, cell: AtreyaCell, met: Sequence[int], stale: set[int]) -> None:
        """Makes shapes anew of what hung together with a lifted tile, which met others at these
        sides. stale: labels of its own."""
        done: set[OpenSide] = set()
        for d in met:
            if 8 * cell + d not in done:
                beyond = cell + STEPS[d]
                region = self.laid[beyond].region_at[_OPPOSITE[d]]
                opens = self._relabel(self._flood(beyond, region), stale)
                done.update(opens)
        for label in stale:
            self.shapes.pop(label, None)

    def _relabel(self, parts: Mapping[AtreyaCell, int], stale: set[int]) -> Sequence[OpenSide]:
        """Gives an open shape a new label. Its open sides; adds their old labels to `stale`."""
        laid, edges = self.laid, self.edges
        opens, tiles, halves, centres, colour = [], 0, 0, 0, 0
        for cell, mask in parts.items():
            way = laid[cell]
            tiles |= 1 << way.tile
            centres += mask >> CENTRE
            colour = way.colour_of(mask)
            for d in SIDES_OF[mask]:
                beyond = cell + STEPS[d]
                if beyond in laid:
                    halves += 1
                else:
                    opens.append(8 * beyond + _OPPOSITE[d])
        for side in opens:
            if side in edges:
                stale.add(edges[side])
            edges[side] = self.labels
        self.shapes[self.labels] = OpenAtreyaShape(
            colour, tuple(opens), tiles, centres + halves // 2
        )
        self.labels += 1
        return opens

    def find_ready(self, cell: AtreyaCell, sides: Sequence[int]) -> tuple[int, ...]:
        """The open shapes that a tile in this empty cell alone can close: for each, the sides at
        which it meets the cell, as a bit mask. sides: those at which tiles lie."""
        edges, shapes = self.edges, self.shapes
        met: dict[int, int] = {}
        for d in sides:
            label = edges[8 * cell + d]
            met[label] = met.get(label, 0) | 1 << d
        return tuple(
            mask for label, mask in met.items() if len(shapes[label].opens) == mask.bit_count()
        )

    def beside(self, shape: ClosedAtreyaShape) -> dict[PlacedArea, int]:
        """The pieces and half-pieces along a shape's boundary, each by one of its areas, with their
        colours."""
        found: dict[PlacedArea, int] = {}
        for placed in self._areas_beside(shape):
            cell, area = divmod(placed, 8)
            beyond = cell + STEPS[area] if area < CENTRE else cell
            if area < CENTRE and beyond in self.laid:
                placed = min(placed, 8 * beyond + _OPPOSITE[area])
            found[placed] = self.laid[cell].colours[area]
        return found

    def neighbours(self, shape: ClosedAtreyaShape) -> list[ClosedAtreyaShape]:
        """The closed shapes that share a boundary with a closed shape."""
        along = self._areas_beside(shape)
        return [other for other in self.closed if not along.isdisjoint(other.areas)]

    def largest_open(self, shape: ClosedAtreyaShape) -> int:
        """The most pieces of an open shape that shares a boundary with a closed one; 0 if none
        does."""
        sizes = [0]
        for placed in self._areas_beside(shape):
            cell, area = divmod(placed, 8)
            region = self.laid[cell].region_at[area]
            parts = self._flood(cell, region)
            label = self._label_of(parts)
            if label is not None:
                sizes.append(self.shapes[label].pieces)
        return max(sizes)

    def _label_of(self, parts: Mapping[AtreyaCell, int]) -> int | None:
        """The label of an open shape; None for a closed one."""
        for cell, mask in parts.items():
            for d in SIDES_OF[mask]:
                side = 8 * (cell + STEPS[d]) + _OPPOSITE[d]
                if side in self.edges:
                    return self.edges[side]
        return None

    def _areas_beside(self, shape: ClosedAtreyaShape) -> set[PlacedArea]:
        own = shape.areas
        near = {area - area % 8 + b for area in own for b in AREAS_OF[BESIDE[area % 8]]}
        return near - own
