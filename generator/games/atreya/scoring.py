"""What closed shapes of Atreya are worth in Max and in Dom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from generator.games.atreya.arena import AtreyaArena, ClosedAtreyaShape

LARGE = 3  # tiles of a shape that wins Max
_THREE = {0: 1, 2: 0, 1: 2}  # the colour that is inferior to each: green to red, red to blue …


class Scoring(Struct, frozen=True):
    """The colours and the readings by which shapes score.

    owners: the colour of each seat. closing: whether a shape counts that another seat closed.
    bonus: whether a shape brings one even if it does not score. opens: whether open ones dominate.
    """

    owners: Sequence[int]
    closing: bool
    bonus: bool
    opens: bool

    def is_inferior(self, colour: int, to: int) -> bool:
        if len(self.owners) == 2:
            return colour not in self.owners and to in self.owners
        return _THREE[to] == colour

    def is_healthy(self, arena: AtreyaArena, shape: ClosedAtreyaShape) -> bool:
        along = arena.beside(shape).values()
        inferior = sum(self.is_inferior(colour, shape.colour) for colour in along)
        return 2 * inferior >= len(along)

    def score(self, arena: AtreyaArena, new: Sequence[ClosedAtreyaShape], seat: int) -> list[int]:
        """What Dom gives each seat for the shapes that a seat's move closed."""
        points = [0] * len(self.owners)
        for shape in new:
            if shape.colour not in self.owners:
                continue
            owner = self.owners.index(shape.colour)
            if owner != seat and not self.closing:
                continue
            near = arena.neighbours(shape)
            counts = self.is_healthy(arena, shape) and not self._is_dominated(arena, shape, near)
            if counts:
                points[owner] += shape.size
            if owner == seat and (counts or self.bonus):
                points[owner] += sum(
                    other.size for other in near if other.size < shape.size and other not in new
                )
        return points

    def _is_dominated(
        self, arena: AtreyaArena, shape: ClosedAtreyaShape, near: Iterable[ClosedAtreyaShape]
    ) -> bool:
        if any(other.size > shape.size for other in near):
            return True
        return self.opens and arena.largest_open(shape) > shape.size

    def win(self, new: Sequence[ClosedAtreyaShape], seat: int) -> list[int]:
        """1 for each seat that wins Max by the shapes that a seat's move closed, 0 for others: the
        seat itself if it may, else the owner of the shape on the most tiles, or several."""
        tiles = [0] * len(self.owners)
        for shape in new:
            if shape.colour in self.owners:
                owner = self.owners.index(shape.colour)
                if owner == seat or self.closing:
                    tiles[owner] = max(tiles[owner], shape.tiles.bit_count())
        best = max(tiles)
        if best < LARGE:
            return [0] * len(tiles)
        if tiles[seat] >= LARGE:
            return [int(each == seat) for each in range(len(tiles))]
        return [int(count == best) for count in tiles]
