"""Taluva a second time, by brute force: it shares nothing with the engine but the names of moves.

Hexagons are points of a cube (x + y + z = 0); what lies and stands there is in plain dictionaries.
A volcano points to a corner, and a tile is the three hexagons around it. Every hexagon near the
island is tried in every direction, and every rule is asked of it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import cos, dist, radians, sin, sqrt

Cube = tuple[int, int, int]
ANGLES = {
    "south-east": 30,
    "south": 90,
    "south-west": 150,
    "north-west": 210,
    "north": 270,
    "north-east": 330,
}  # clockwise from the right


def cube(name: str) -> Cube:
    column, row = map(int, name.split(","))
    return column, -column - row, row


def name(place: Cube) -> str:
    return f"{place[0]},{place[2]}"


def middle(place: Cube) -> tuple[float, float]:
    """In lengths of a side, y down."""
    x, _, z = place
    return sqrt(3) * (x + z / 2), 1.5 * z


def touch(one: Cube, other: Cube) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


@cache
def around(place: Cube) -> list[Cube]:
    steps = [step for step in product((-1, 0, 1), repeat=3) if sum(step) == 0 and any(step)]
    return [(place[0] + a, place[1] + b, place[2] + c) for a, b, c in steps]


@cache
def tile_at(volcano: Cube, direction: str) -> tuple[Cube, Cube, Cube]:
    """The volcano, the field that follows it clockwise around the corner, and the other."""
    x, y = middle(volcano)
    angle = radians(ANGLES[direction])
    corner = x + cos(angle), y + sin(angle)
    one, other = [near for near in around(volcano) if dist(middle(near), corner) < 1.01]
    (ax, ay), (bx, by) = [(px - corner[0], py - corner[1]) for px, py in (middle(volcano), middle(one))]
    return (volcano, one, other) if ax * by - ay * bx > 0 else (volcano, other, one)


class Referee:
    """A game that is going on. `tiles` are the fields of each tile, right and left, by its name;
    `pool` are the pieces of a seat."""

    def __init__(
        self,
        tiles: dict[str, tuple[str, str]],
        seats: int,
        left: int,
        pool: dict[str, int],
        *,
        teams: bool = False,
        places: bool = False,
    ) -> None:
        self.tiles, self.seats, self.left, self.pool = tiles, seats, left, pool
        self.teams, self.places = teams, places
        self.stacks: dict[Cube, list[str]] = {}  # of each hexagon, what lies on what
        self.houses: dict[Cube, tuple[int, str, int]] = {}  # seat, kind and number
        self.placed = [Counter[str]() for _ in range(seats)]
        self.drawn: str | None = None
        self.must_build = self.is_over = False
        self.turn = 0
        self.winners: list[int] | None = None
        self.first: list[int] = []
        self.out: list[int] = []

    def play(self, move: str) -> None:
        verb, *words = move.split()
        if verb == "draw":
            self.drawn = words[0]
            self.left -= 1
        elif verb in ("place", "erupt"):
            self.place(cube(words[0]), words[1])
        elif verb == "expand":
            for word in words[1:]:
                self.build("hut", cube(word), len(self.stacks[cube(word)]))
            self.finish()
        else:
            self.build(verb, cube(words[0]), 1)
            self.finish()

    def legal(self) -> set[str]:
        return self.builds() if self.must_build else self.tile_moves()

    def place(self, volcano: Cube, direction: str) -> None:
        assert self.drawn is not None
        where = tile_at(volcano, direction)
        for spot, what in zip(where, (f"! {direction}", *self.tiles[self.drawn]), strict=True):
            self.stacks.setdefault(spot, []).append(what)
            self.houses.pop(spot, None)
        self.drawn = None
        self.must_build = True
        if not self.builds():
            self.out.append(self.turn)
            self.finish()

    def build(self, kind: str, field: Cube, number: int) -> None:
        self.houses[field] = self.turn, kind, number
        self.placed[self.turn][kind] += number

    def tile_moves(self) -> set[str]:
        if not self.stacks:
            return {"place 0,0 south"}
        xs, _, zs = (range(min(line) - 2, max(line) + 3) for line in zip(*self.stacks, strict=True))
        settlements = self.settlements()
        moves = set()
        for x, z, direction in product(xs, zs, ANGLES):
            volcano = x, -x - z, z
            where = tile_at(volcano, direction)
            if self.expands(where):
                moves.add(f"place {name(volcano)} {direction}")
            if self.erupts(where, direction, settlements):
                moves.add(f"erupt {name(volcano)} {direction}")
        return moves

    def expands(self, where: tuple[Cube, ...]) -> bool:
        is_free = not any(spot in self.stacks for spot in where)
        return is_free and any(near in self.stacks for spot in where for near in around(spot))

    def erupts(self, where: tuple[Cube, ...], direction: str, settlements: list[set[Cube]]) -> bool:
        if not all(spot in self.stacks for spot in where):
            return False
        beneath = self.stacks[where[0]][-1]
        if not beneath.startswith("!") or beneath == f"! {direction}":
            return False
        if len({len(self.stacks[spot]) for spot in where}) > 1:
            return False
        if any(self.houses.get(spot, (0, "hut", 0))[1] != "hut" for spot in where):
            return False
        return all(settlement - set(where) for settlement in settlements)

    def settlements(self) -> list[set[Cube]]:
        """Of all seats: each field joins those of its seat that it touches."""
        parts: list[set[Cube]] = []
        for field, (seat, _, _) in self.houses.items():
            joined = [
                part for part in parts if self.seat_of(part) == seat and any(touch(field, other) for other in part)
            ]
            parts = [part for part in parts if part not in joined]
            parts.append({field}.union(*joined))
        return parts

    def seat_of(self, settlement: set[Cube]) -> int:
        return self.houses[next(iter(settlement))][0]

    def builds(self) -> set[str]:
        rest = {kind: count - self.placed[self.turn][kind] for kind, count in self.pool.items()}
        own = [settlement for settlement in self.settlements() if self.seat_of(settlement) == self.turn]
        empty = [
            spot for spot, stack in self.stacks.items() if not stack[-1].startswith("!") and spot not in self.houses
        ]
        moves = set()
        for field in empty:
            level = len(self.stacks[field])
            beside = [settlement for settlement in own if any(touch(field, other) for other in settlement)]
            if rest["hut"] and level == 1 and not beside:
                moves.add(f"hut {name(field)}")
            for settlement in beside:
                kinds = {self.houses[other][1] for other in settlement}
                if rest["temple"] and "temple" not in kinds and len(settlement) >= 3:
                    moves.add(f"temple {name(field)}")
                if rest["tower"] and "tower" not in kinds and level >= 3:
                    moves.add(f"tower {name(field)}")
        for settlement in own:
            near = [field for field in empty if any(touch(field, other) for other in settlement)]
            for terrain in {self.stacks[field][-1] for field in near}:
                fields = [field for field in near if self.stacks[field][-1] == terrain]
                if sum(len(self.stacks[field]) for field in fields) <= rest["hut"]:
                    fields.sort(key=lambda field: (field[2], field[0]))
                    moves.add(f"expand {terrain} {' '.join(map(name, fields))}")
        return moves

    def finish(self) -> None:
        """End a turn, and perhaps the game."""
        self.must_build = False
        if self.has_won():
            self.first.append(self.turn)
        gone = self.out + self.first
        playing = [seat for seat in range(self.seats) if seat not in gone]
        groups = {seat % 2 for seat in playing} if self.teams else set(playing)
        if (self.first and not self.places) or len(groups) <= 1 or self.left == 0:
            self.is_over = True
            self.winners = self.best(playing)
            return
        while True:
            self.turn = (self.turn + 1) % self.seats
            if self.turn in playing:
                return

    def has_won(self) -> bool:
        def full(seat: int) -> int:
            if seat in self.out:
                return 0
            return sum(self.placed[seat][kind] == count for kind, count in self.pool.items())

        if not self.teams:
            return full(self.turn) >= 2
        partner = (self.turn + 2) % 4
        mine, other = full(self.turn), full(partner)
        return (mine >= 2 and other >= 1) or (other >= 2 and mine >= 1)

    def best(self, playing: list[int]) -> list[int]:
        if self.first:
            winner = self.first[0]
            return [winner % 2, winner % 2 + 2] if self.teams else [winner]
        sides = {seat: [seat] for seat in playing}
        if self.teams:
            sides = {seat % 2: [seat % 2, seat % 2 + 2] for seat in playing}
        totals = {}
        for side, members in sides.items():
            sums: Counter[str] = sum((self.placed[seat] for seat in members if seat in playing), Counter())
            totals[side] = sums["temple"], sums["tower"], sums["hut"]
        most = max(totals.values())
        return sorted(seat for side in totals if totals[side] == most for seat in sides[side])
