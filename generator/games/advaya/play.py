"""The rules of Advaya: lay hexagons so that shapes of your colour close.

The rules are Anton Pirogov's, version 0.3, as in rules.md. Seat 1 is black and begins. A game ends when it is won, when
nobody can move any more, or by the rule of stagnation. That a game may end by agreement is left out, as is the end when
moves are left but no progress can come of them: nobody can tell in general, and stagnation ends such games too.

The five games of Advaya differ in what a shape is worth to the players when it closes. Bots guess roughly how good open
shapes are: better if they are worth more, and if fewer cells are empty beside them.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, Problem, raise_all
from generator.games.advaya import arena as arenas
from generator.games.hexagon import bits_of, middle_of, place_at
from generator.model import Value
from generator.play.engine import OVER, Decks, Engine, LaidPiece, Option, SeatCount, name_pieces, pieces_of, size_of

START = "I"
MOST_MOVES, MOST_IDLE = 48, 12  # after so many moves, so many without progress, it may be invoked
TRACK = 6  # moves without progress, then the game ends
LEFT_ALONE = 48  # moves without progress after which it comes into force though nobody invokes it
NOT_IN_FORCE = -1
_PROMISES_A_POINT = 10  # of what open shapes promise, to bots
_GAP = 5.0  # mm between tiles of the pool
_OWNERS = ("black", "white")

Tile = int  # its place in the deck
Face = int  # its place in `Advaya.faces`
ArenaFaces = tuple[tuple[arenas.Cell, Face], ...]  # in the order of the cells
BIG = 4  # the least value of a big shape
GOALS = ("first-closed", "max-closed", "domination", "first-capture", "max-capture")
GIFTS = ("value", "all", "nothing")
Promises = tuple[float, float]  # of each seat
_ELSEWHERE = 0.25  # with 0, bots move the start tile to and fro until the game ends


class SlideTile(Struct, frozen=True):
    """Lay a face of a tile on a cell, from the pool or from elsewhere in the arena."""

    cell: arenas.Cell
    face: Face


class SpokenMove(Struct, frozen=True):
    """The words of a seat: PASS instead of moving a tile, as it can move none; or INVOKE before it moves one, which
    puts the rule of stagnation in force."""

    words: str


PASS, INVOKE = SpokenMove("pass"), SpokenMove("invoke the rule of stagnation")
AdvayaMove = SlideTile | SpokenMove


class AdvayaState(Struct, frozen=True):
    """How a game of Advaya stands.

    turn:    the seat that moves, or OVER.
    arena:   the faces that lie there.
    played:  of each seat, the tiles that it played from the pool: a bit for each.
    last:    the tile of the last move; -1 if there is none.
    closed:  the shapes that are closed; they stay so.
    points:  of each seat.
    moves:   how many were made.
    idle:    the moves since the last progress.
    track:   the moves without progress that count for the rule of stagnation, or NOT_IN_FORCE.
    has_passed: whether the last turn was passed.
    """

    turn: int
    arena: ArenaFaces
    played: tuple[int, int]
    last: Tile
    closed: tuple[arenas.ClosedShape, ...] = ()
    points: tuple[int, int] = (0, 0)
    moves: int = 0
    idle: int = 0
    track: int = NOT_IN_FORCE
    has_passed: bool = False


class Advaya(Engine[AdvayaState, AdvayaMove]):
    """Advaya for two, with any deck of two-coloured hexagons."""

    options: ClassVar[Mapping[str, Option]] = {
        "goal": Option(GOALS, "which of the five games"),
        "stagnation": Option(
            ("tournament", "invoked"),
            "whether the rule comes into force by itself, or a seat may invoke it before its move",
        ),
        "track": Option(
            ("anew", "since-progress"),
            "where its count of moves begins: when it comes into force, or at the last progress",
        ),
        "gift": Option(GIFTS, "domination: what a shape scores that the opponent closes; all is with neighbours"),
        "stuck": Option(("pass", "end"), "whether a seat that cannot move passes, or the game ends"),
    }
    seats = 2

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        """Raises PnpError for tiles that cannot be played, and if there is no start tile I or no other tile."""
        pieces = pieces_of(decks, "tiles")
        self.goal, self.gift = str(chosen["goal"]), str(chosen["gift"])
        self.is_tournament = chosen["stagnation"] == "tournament"
        self.counts_anew = chosen["track"] == "anew"
        self.may_pass = chosen["stuck"] == "pass"
        self.ids = [piece.id for piece in pieces]
        self.names = name_pieces(pieces)
        self.kinds = [str(piece.row.get("name", "")) for piece in pieces]
        raise_all([*_find_missing(self.kinds), *arenas.find_faults(pieces)])
        self.faces = arenas.read_faces(pieces)
        self.first = self.kinds.index(START)
        self._size = size_of(pieces)
        self._tiles = [face.tile for face in self.faces]
        self._whites = [face.white for face in self.faces]
        numbers = range(len(self.faces))  # in the order of the tiles
        self._of_tile = [list(own) for _, own in groupby(numbers, self._tiles.__getitem__)]
        self._fit = cache(self._find_fit)
        self._look_out = lru_cache(maxsize=8)(self._make_outlook)
        self._everything = (1 << len(pieces)) - 1

    def start(self) -> AdvayaState:
        return AdvayaState(0, ((arenas.cell_at(0, 0), self._of_tile[self.first][0]),), (0, 0), -1)

    def turn(self, state: AdvayaState) -> int:
        return state.turn

    def legal(self, state: AdvayaState) -> list[AdvayaMove]:
        if state.turn == OVER:
            return []
        moves: list[AdvayaMove] = [*self._from_pool(state), *self._in_arena(state)] or [PASS]
        if not self.is_tournament and _may_invoke(state):
            moves.append(INVOKE)
        return moves

    def _arena(self, state: AdvayaState) -> arenas.AdvayaArena:
        return arenas.AdvayaArena.of({cell: self._whites[face] for cell, face in state.arena})

    def _pool(self, state: AdvayaState) -> int:
        """A bit for each tile in the pool."""
        return self._everything & ~(state.played[0] | state.played[1] | 1 << self.first)

    def _from_pool(self, state: AdvayaState) -> Iterator[SlideTile]:
        pool = self._pool(state)
        if pool:
            for cell, demand in self._arena(state).places(None):
                for bit, face in self._fit(demand):
                    if pool & bit:
                        yield SlideTile(cell, face)

    def _in_arena(self, state: AdvayaState) -> Iterator[SlideTile]:
        arena = self._arena(state)
        pinned = _pinned(state)
        for cell, face in state.arena:
            tile = self._tiles[face]
            if tile == state.last or cell in pinned or not arena.can_lift(cell):
                continue
            for to, demand in arena.without(cell).places(cell):
                for other in self._of_tile[tile]:
                    if _fits(self._whites[other], demand) and (to, other) != (cell, face):
                        yield SlideTile(to, other)

    def _find_fit(self, demand: arenas.Demand) -> list[tuple[int, Face]]:
        """The faces that match their neighbours, each with the bit of its tile."""
        whites = enumerate(self._whites)
        return [(1 << self._tiles[face], face) for face, it in whites if _fits(it, demand)]

    def apply(self, state: AdvayaState, move: AdvayaMove) -> AdvayaState:
        if isinstance(move, SlideTile):
            return self._slide(state, move.cell, move.face)
        if move == INVOKE:
            return self._invoke(state)
        is_over = state.has_passed or not self.may_pass
        after = self._count(state, is_progress=False)
        return replace(after, last=-1, has_passed=True, turn=OVER if is_over else after.turn)

    def _slide(self, state: AdvayaState, cell: arenas.Cell, face: Face) -> AdvayaState:
        tile, mover = self._tiles[face], state.turn
        is_new = bool(self._pool(state) >> tile & 1)
        arena = [(at, other) for at, other in state.arena if is_new or self._tiles[other] != tile]
        insort(arena, (cell, face))
        laid = self._lay_faces(arena)
        new = arenas.find_closed(laid, cell)
        black, white = state.played
        bit = 1 << tile if is_new else 0
        played = (black | bit, white) if mover == 0 else (black, white | bit)
        after = self._count(state, is_progress=is_new or bool(new))
        after = replace(after, arena=tuple(arena), played=played, last=tile, has_passed=False)
        return self._score(after, mover, laid, new) if new else after

    def _score(
        self, state: AdvayaState, mover: int, laid: arenas.Laid, new: Sequence[arenas.ClosedShape]
    ) -> AdvayaState:
        start = next(cell for cell, face in laid.items() if face.tile == self.first)
        points = list(state.points)
        closing = Closing(mover, laid, state.closed, new, start)
        counted = list(score_closed(self.goal, self.gift, closing))
        for seat, value in counted:
            is_sum = self.goal in ("max-closed", "domination")
            points[seat] = points[seat] + value if is_sum else max(points[seat], value)
        turn = OVER if counted and self.goal.startswith("first") else state.turn
        closed = state.closed + tuple(new)
        return replace(state, turn=turn, closed=closed, points=(points[0], points[1]))

    def _lay_faces(self, arena: Sequence[tuple[arenas.Cell, Face]]) -> arenas.Laid:
        return {cell: self.faces[face] for cell, face in arena}

    def _count(self, state: AdvayaState, *, is_progress: bool) -> AdvayaState:
        """The turn of the other seat, one move later."""
        idle = 0 if is_progress else state.idle + 1
        track = state.track
        if track != NOT_IN_FORCE:
            track = 0 if is_progress else track + 1
        after = replace(state, turn=1 - state.turn, moves=state.moves + 1, idle=idle, track=track)
        if track > TRACK:
            return replace(after, turn=OVER)
        comes = _may_invoke(after) if self.is_tournament else idle >= LEFT_ALONE
        return self._invoke(after) if comes and track == NOT_IN_FORCE else after

    def _invoke(self, state: AdvayaState) -> AdvayaState:
        track = 0 if self.counts_anew else state.idle
        return replace(state, track=track, turn=OVER if track > TRACK else state.turn)

    def scores(self, state: AdvayaState) -> tuple[int, int]:
        """The points; in a game called First the value of the shape that wins, in Max Capture that of the best one."""
        return state.points

    def worth(self, state: AdvayaState, seat: int) -> float:
        """The lead, and what the open shapes promise beside the opponent's."""
        worth = 1.0 * super().worth(state, seat)
        if state.turn != OVER:
            promises = self._promise(state)
            worth += (promises[seat] - promises[1 - seat]) / _PROMISES_A_POINT
        return worth

    def _promise(self, state: AdvayaState) -> Promises:
        """Moves of one tile are compared: without it, all their arenas are one."""
        rest = [(cell, face) for cell, face in state.arena if self._tiles[face] != state.last]
        outlook = self._look_out(tuple(rest))
        last = next((at for at in state.arena if self._tiles[at[1]] == state.last), None)
        return outlook.with_tile(last[0], self.faces[last[1]]) if last else outlook.promises

    def _make_outlook(self, arena: ArenaFaces) -> ArenaOutlook:
        target = self.first if self.goal.endswith("capture") else None
        return ArenaOutlook(self._lay_faces(arena), target)

    def piece_of(self, state: AdvayaState, move: AdvayaMove) -> str:
        return self.ids[self._tiles[move.face]] if isinstance(move, SlideTile) else ""

    def held(self, state: AdvayaState, seat: int) -> list[str]:
        """The tiles that a seat played from the pool."""
        return [self.ids[tile] for tile in bits_of(state.played[seat])]

    def facts(self, state: AdvayaState) -> dict[str, int]:
        return {
            "tiles left": self._pool(state).bit_count(),
            "shapes closed": len(state.closed),
            "big shapes closed": sum(shape.value >= BIG for shape in state.closed),
            "value of the largest shape": max((shape.value for shape in state.closed), default=0),
            "tiles pinned": len(_pinned(state)),
            "ended by stagnation": int(state.track > TRACK),
        }

    def write(self, state: AdvayaState, move: AdvayaMove) -> str:
        if isinstance(move, SpokenMove):
            return move.words
        verb = "lay" if self._pool(state) >> self._tiles[move.face] & 1 else "move"
        return f"{verb} {self._describe(move.cell, move.face)}"

    def ask(self, state: AdvayaState) -> str:
        return self.phrases.say("ask.move")

    def say(self, state: AdvayaState, move: AdvayaMove) -> str:
        """A tile is its printed name, in the colour of most of its sides."""
        say = self.phrases.say
        if isinstance(move, SpokenMove):
            return say("move.pass" if move == PASS else "move.stagnation")
        face = self.faces[move.face]
        whites = face.white.bit_count()
        tile = say("move.tile" if whites == 3 else f"move.tile-{_OWNERS[whites > 3]}", name=self.kinds[face.tile])
        words = [say("move.lay" if self._pool(state) >> face.tile & 1 else "move.move", tile=tile)]
        words += [] if face.is_blue else [say("move.red")]
        words += [say("move.turned", degrees=-60 * face.turn % 360)] if face.turn else []
        return say("text.comma").join(words)

    def counters(self, state: AdvayaState, seat: int | None = None) -> list[SeatCount]:
        say = self.phrases.say
        counts: list[SeatCount] = [(None, say("tally.pool"), self._pool(state).bit_count(), "tiles")]
        if state.track != NOT_IN_FORCE:
            counts.append((None, say("tally.stagnation"), TRACK + 1 - state.track, "progress"))
        return counts + [(n, say(f"tally.{_OWNERS[n]}"), state.points[n]) for n in range(self.seats)]

    def _describe(self, cell: arenas.Cell, face: Face) -> str:
        """A tile where it lies, "4 back at 1,-1 turn 120": columns to the right and half rows down
        from where the start tile began, degrees clockwise."""
        tile_face = self.faces[face]
        back = " back" if tile_face.side == "back" else ""
        column, row = arenas.place_of(cell)
        turn = f" turn {-60 * tile_face.turn % 360}" if tile_face.turn else ""
        return f"{self.names[tile_face.tile]}{back} at {column},{row}{turn}"

    def show(self, state: AdvayaState, seat: int | None = None) -> str:
        owners = zip((1, 2), _OWNERS, state.points, strict=True)
        lines = [f"seat {number} ({owner}): {points} points" for number, owner, points in owners]
        for shape in state.closed:
            cells = sorted({arenas.place_of(cell) for cell, _ in shape.areas})
            where = " ".join(f"{column},{row}" for column, row in cells)
            lines.append(f"closed: {_OWNERS[shape.colour]}, value {shape.value}, on {where}")
        pinned = _pinned(state)
        for cell, face in state.arena:
            lines.append(self._describe(cell, face) + (", pinned" if cell in pinned else ""))
        names = " ".join(self.names[tile] for tile in bits_of(self._pool(state)))
        lines.append(f"pool: {names or 'empty'}")
        if state.last >= 0:
            lines.append(f"last moved: {self.names[state.last]}")
        without = f"moves: {state.moves}, without progress: {state.idle}"
        lines.append(without + (f", track: {state.track}" if state.track >= 0 else ""))
        return "\n".join(lines)

    def lay(self, state: AdvayaState, seat: int | None = None) -> list[LaidPiece]:
        """The arena, the start tile at first in the middle; the pool below it."""
        width, height = self._size
        laid = [self._lay_face(cell, face) for cell, face in state.arena]
        lowest = max(0.0, *(it.y for it in laid))
        for i, tile in enumerate(bits_of(self._pool(state))):
            x = (i % 10 - 4.5) * (width + _GAP)
            y = lowest + height + (1 + i // 10) * (height + _GAP)
            laid.append(LaidPiece("tiles", self.ids[tile], "front", x, y))
        return laid

    def _lay_face(self, cell: arenas.Cell, face: Face) -> LaidPiece:
        tile_face, middle = self.faces[face], middle_of(arenas.place_of(cell), self._size)
        turn = -60.0 * tile_face.turn % 360
        return LaidPiece("tiles", self.ids[tile_face.tile], tile_face.side, *middle, turn)

    def find_flaw(self, state: AdvayaState, piece: LaidPiece) -> str:
        """The phrase that says why a piece may not lie there, or first why it may not leave its place in the arena."""
        if piece.piece not in self.ids:
            return ""
        tile, arena = self.ids.index(piece.piece), self._arena(state)
        at = {self._tiles[face]: cell for cell, face in state.arena}.get(tile)
        if at is not None:
            if tile == state.last:
                return "why.last"
            if at in _pinned(state):
                return "why.pinned"
            if not arena.can_lift(at):
                return "why.held"
            arena = arena.without(at)
        if piece in self.lay(state):
            return "why.nowhere"
        cell = arenas.cell_at(*place_at(piece.x, piece.y, self._size))
        if cell in arena.whites or cell not in arena.demands:
            return "why.taken" if cell in arena.whites else "why.apart"
        faces = ((face, self._lay_face(cell, face)) for face in self._of_tile[tile])
        lies = (self._whites[face] for face, it in faces if (it.side, it.turn) == (piece.side, piece.turn))
        if not any(_fits(white, arena.demands[cell]) for white in lies):
            return "why.sides"
        if cell not in arena.reach(at):
            return "why.slide"
        return "why.same" if cell == at else "why.hole"

    def touch(self, state: AdvayaState, move: AdvayaMove) -> list[LaidPiece]:
        return [self._lay_face(move.cell, move.face)] if isinstance(move, SlideTile) else []


def _find_missing(kinds: Sequence[str]) -> Iterator[Problem]:
    if START not in kinds:
        yield Problem(Place("tiles"), "there is no start tile", f'a tile whose name is "{START}" starts the arena')
    elif len(kinds) == 1:
        yield Problem(Place("tiles"), "there is only the start tile")


def _may_invoke(state: AdvayaState) -> bool:
    is_late = state.moves >= MOST_MOVES or state.idle >= MOST_IDLE
    return is_late and state.track == NOT_IN_FORCE


def _fits(white: int, demand: arenas.Demand) -> bool:
    return white & demand >> 6 == demand >> 6 and not white & demand & 63


def _pinned(state: AdvayaState) -> set[arenas.Cell]:
    return {cell for shape in state.closed for cell, _ in shape.areas}


class Closing(Struct, frozen=True):
    """A move that closed shapes.

    mover: the seat that moved. laid: the arena after it. before, new: the shapes that were closed,
    and those that the move closed. start: the cell of the start tile.
    """

    mover: int
    laid: arenas.Laid
    before: Sequence[arenas.ClosedShape]
    new: Sequence[arenas.ClosedShape]
    start: arenas.Cell


def score_closed(goal: str, gift: str, closing: Closing) -> Iterator[tuple[int, int]]:
    """Each new shape that is big and counts: the seat of its colour, and its points."""
    for shape in closing.new:
        if shape.value < BIG:
            continue
        if goal == "domination":
            yield shape.colour, _dominate(gift, closing, shape)
        elif not goal.endswith("capture") or any(cell == closing.start for cell, _ in shape.areas):
            yield shape.colour, shape.value


def _dominate(gift: str, closing: Closing, shape: arenas.ClosedShape) -> int:
    """The value of a shape, if no neighbour is worth more, and the values of lesser neighbours that closed before."""
    given = "all" if shape.colour == closing.mover else gift
    beside = {(cell, other) for cell, area in shape.areas for other in closing.laid[cell].beside[area]}
    before = [other for other in closing.before if beside & other.areas]
    new = [other for other in closing.new if beside & other.areas]
    points = 0
    if given != "nothing" and all(other.value <= shape.value for other in (*before, *new)):
        points = shape.value
    if given == "all":
        points += sum(other.value for other in before if other.value < shape.value)
    return points


class ArenaOutlook:
    """The promises of an arena, as it is and with one more tile.

    target: the tile of which a shape needs a piece to score, if there is one. Shapes elsewhere may
    still reach it, so they promise less, but not nothing.
    """

    def __init__(self, laid: arenas.Laid, target: int | None) -> None:
        self._laid, self._target = laid, target
        self._aims = {cell for cell, face in laid.items() if face.tile == target}
        self._shapes = list(arenas.find_open(laid))
        self._of_area = {area: n for n, shape in enumerate(self._shapes) for area in shape.areas}
        self.promises = self._sum(self._shapes, self._aims)

    def with_tile(self, cell: arenas.Cell, face: arenas.TurnedFace) -> Promises:
        """The promises with this face on an empty cell."""
        beside = [self._beside(cell, sides) for sides in face.sides]
        new = [self._join(cell, face, areas, beside) for areas in _group(beside)]
        aims = self._aims | {cell} if face.tile == self._target else self._aims
        gone = self._sum([self._shapes[n] for n in set().union(*beside)], self._aims)
        more = self._sum(new, aims)
        black, white = (a - b + c for a, b, c in zip(self.promises, gone, more, strict=True))
        return black, white

    def _beside(self, cell: arenas.Cell, sides: Iterable[int]) -> set[int]:
        around = ((cell + arenas.BEYOND[side], side - 3) for side in sides)
        laid, of_area = self._laid, self._of_area
        return {of_area[at, laid[at].areas[side]] for at, side in around if at in laid}

    def _join(
        self, cell: arenas.Cell, face: arenas.TurnedFace, areas: Sequence[int], beside: Sequence[set[int]]
    ) -> arenas.OpenShape:
        """The shape that some areas of a tile and those beside them make; without gaps if it is closed."""
        shapes = [self._shapes[n] for n in set().union(*(beside[area] for area in areas))]
        own = {cell + arenas.BEYOND[side] for area in areas for side in face.sides[area]}
        gaps = own.difference(self._laid).union(*(shape.gaps for shape in shapes)) - {cell}
        value = sum(shape.value for shape in shapes) + face.is_blue * len(areas)
        cells = frozenset({cell}).union(*(shape.cells for shape in shapes))
        return arenas.OpenShape(face.colours[areas[0]], value, frozenset(gaps), cells, frozenset())

    def _sum(self, shapes: Iterable[arenas.OpenShape], aims: set[arenas.Cell]) -> Promises:
        promises = [0.0, 0.0]
        for shape in shapes:
            if shape.gaps:
                counts = self._target is None or shape.cells & aims
                promise = shape.value / len(shape.gaps)
                promises[shape.colour] += promise if counts else promise * _ELSEWHERE
        return promises[0], promises[1]


def _group(beside: Sequence[set[int]]) -> list[list[int]]:
    """The areas of a tile that come to be one shape, as they lie beside the same one."""
    groups: list[tuple[list[int], set[int]]] = []
    for area, shapes in enumerate(beside):
        met = [group for group in groups if group[1] & shapes]
        groups = [group for group in groups if not group[1] & shapes]
        areas = [area, *(other for group in met for other in group[0])]
        groups.append((areas, shapes.union(*(group[1] for group in met))))
    return [areas for areas, _ in groups]
