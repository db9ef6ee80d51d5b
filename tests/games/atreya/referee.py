"""Atreya by brute force: nothing is kept from move to move, and no code is shared with the engine.

A table is a dictionary of tiles by their place: columns to the right, half rows down. A tile is a
text of seven letters: its half-pieces counterclockwise from the one above the right corner, as it
lies, and its centre.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

Cell = tuple[int, int]
Table = Mapping[Cell, str]
Spot = tuple[int, int, int]  # a cell and the number of an area, of which 6 is the centre
Turn = tuple[Cell | None, str, Cell, str]  # from where, which tile, to where, how it then lies

_BEYOND = [(1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)]
_PREY = {"R": "G", "G": "B", "B": "R"}  # what is inferior to each of three


def looks(sides: str, centre: str) -> Iterator[str]:
    """The six turns of a face."""
    return (sides[turn:] + sides[:turn] + centre for turn in range(6))


def ways_of(row: Mapping[str, object]) -> set[str]:
    front, back = str(row["sides"]), str(row["back_sides"])
    return {*looks(front, str(row["centre"])), *looks(back, str(row["back_centre"]))}


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + x, cell[1] + y) for x, y in _BEYOND]


def is_arena(cells: Iterable[Cell]) -> bool:
    """Every tile touches two, all hang together, no empty place is cut off."""
    held = set(cells)
    columns, rows = [x for x, _ in held], [y for _, y in held]
    empty = {
        (x, y)
        for x in range(min(columns) - 1, max(columns) + 2)
        for y in range(min(rows) - 2, max(rows) + 3)
        if (x + y) % 2 == 0 and (x, y) not in held
    }
    return all(sum(beyond in held for beyond in around(cell)) > 1 for cell in held) and _is_one(held) and _is_one(empty)


def _is_one(cells: set[Cell]) -> bool:
    ahead = [min(cells)]
    found = set(ahead)
    for cell in ahead:
        new = [beyond for beyond in around(cell) if beyond in cells and beyond not in found]
        found.update(new)
        ahead += new
    return found == cells


def matches(table: Table, cell: Cell, look: str) -> bool:
    return all(
        look[side] == table[beyond][(side + 3) % 6] for side, beyond in enumerate(around(cell)) if beyond in table
    )


def shapes(table: Table) -> list[frozenset[Spot]]:
    """Everything of one colour that hangs together."""
    left = {(x, y, area) for x, y in table for area in range(7)}
    found = []
    while left:
        ahead = [left.pop()]
        for x, y, area in ahead:
            colour = table[x, y][area]
            near = [(x, y, other) for other in range(7) if _touch(area, other)]
            if area < 6:
                beyond = around((x, y))[area]
                near.append((*beyond, (area + 3) % 6))
            for spot in near:
                if spot in left and table[spot[0], spot[1]][spot[2]] == colour:
                    left.remove(spot)
                    ahead.append(spot)
        found.append(frozenset(ahead))
    return found


def _touch(area: int, other: int) -> bool:
    return 6 in (area, other) or (area - other) % 6 in (1, 5)


def closed(table: Table) -> list[frozenset[Spot]]:
    return [
        shape
        for shape in shapes(table)
        if all(area == 6 or around((x, y))[area] in table for x, y, area in shape)
        and len({(x, y) for x, y, _ in shape}) > 1
    ]


def colour_of(table: Table, shape: frozenset[Spot]) -> str:
    x, y, area = min(shape)
    return table[x, y][area]


def piece_of(table: Table, spot: Spot) -> frozenset[Spot]:
    """The piece of an area, or the half-piece that it is."""
    x, y, area = spot
    if area < 6 and around((x, y))[area] in table:
        return frozenset({spot, (*around((x, y))[area], (area + 3) % 6)})
    return frozenset({spot})


def size(table: Table, shape: frozenset[Spot]) -> int:
    return len({piece_of(table, spot) for spot in shape})


def along(table: Table, shape: frozenset[Spot]) -> set[frozenset[Spot]]:
    """The pieces and half-pieces along its boundary."""
    near = {(x, y, other) for x, y, area in shape for other in range(7) if _touch(area, other)} - shape
    return {piece_of(table, spot) for spot in near}


def is_healthy(table: Table, shape: frozenset[Spot], owners: str) -> bool:
    """owners: the colours of the players, one letter each."""
    balance = 0
    for piece in along(table, shape):
        colour, own = colour_of(table, piece), colour_of(table, shape)
        inferior = colour not in owners if len(owners) == 2 else colour == _PREY[own]
        balance += 1 if inferior else -1
    return balance >= 0


def freedom(table: Table, cell: Cell) -> int:
    held = set(chain.from_iterable(closed(table)))
    return sum((*cell, area) not in held for area in range(7))


def turns(
    table: Table, pool: Mapping[str, set[str]], on: Mapping[Cell, str], ways: Mapping[str, set[str]], is_strong: bool
) -> Iterator[Turn]:
    """Every turn that the rules allow. pool, ways: how tiles can lie. on: the name of each laid."""
    for cell in _places(table):
        for name, looks_of in pool.items():
            yield from ((None, name, cell, look) for look in looks_of if matches(table, cell, look))
    for cell, name in on.items():
        before = freedom(table, cell)
        rest = {other: look for other, look in table.items() if other != cell}
        if before < (1 if is_strong else 7) or not is_arena(rest):
            continue
        for place in _places(rest):
            for look in ways[name]:
                if matches(rest, place, look) and freedom({**rest, place: look}, place) < before:
                    yield cell, name, place, look


def _places(table: Table) -> list[Cell]:
    near = {beyond for cell in table for beyond in around(cell)} - table.keys()
    return [cell for cell in near if is_arena({*table, cell})]


def dom(before: Table, after: Table, owners: str, seat: int, readings: Mapping[str, str]) -> list[int]:
    """What a turn that made one table of the other scores in Dom. readings: options by name."""
    old = {*closed(before)}
    every = {shape: size(after, shape) for shape in closed(after)}
    opens = {shape: whole_pieces(after, shape) for shape in {*shapes(after)} - every.keys()}
    points = [0] * len(owners)
    for shape in every.keys() - old:
        colour = colour_of(after, shape)
        if colour not in owners:
            continue
        owner = owners.index(colour)
        if owner != seat and readings.get("closing") == "nothing":
            continue
        near = [other for other in every if are_neighbours(after, shape, other)]
        rivals = [every[other] for other in near]
        if readings.get("dominating") == "all":
            rivals += [opens[o] for o in opens if are_neighbours(after, shape, o)]
        counts = is_healthy(after, shape, owners) and max(rivals, default=0) <= every[shape]
        if counts:
            points[owner] += every[shape]
        if owner == seat and (counts or readings.get("bonus") != "scored"):
            beaten = [every[o] for o in near if o in old and every[o] < every[shape]]
            points[owner] += sum(beaten)
    return points


def are_neighbours(table: Table, one: frozenset[Spot], other: frozenset[Spot]) -> bool:
    return one != other and any(piece & other for piece in along(table, one))


def whole_pieces(table: Table, shape: frozenset[Spot]) -> int:
    """Its size without half-pieces that have no partner."""
    pieces = {piece_of(table, spot) for spot in shape}
    return sum(len(piece) == 2 or min(piece)[2] == 6 for piece in pieces)


def winners(before: Table, after: Table, owners: str, seat: int, closing: str) -> list[int]:
    """Who wins Max by a turn that made one table of the other."""
    tiles = dict.fromkeys(range(len(owners)), 0)
    for shape in {*closed(after)} - {*closed(before)}:
        owner = owners.find(colour_of(after, shape))
        count = len({(x, y) for x, y, _ in shape})
        if owner >= 0 and count > 2 and (owner == seat or closing == "counts"):
            tiles[owner] = max(tiles[owner], count)
    best = max(tiles.values())
    if not best:
        return []
    return [seat] if tiles[seat] else [tile for tile in tiles if tiles[tile] == best]
