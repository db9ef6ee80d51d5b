"""The rules of Atreya: close shapes of your colour, for two or three.

The rules are Anton Pirogov's, as in rules.md; its readings are the defaults. A turn has two
decisions: a place for a tile of the pool or a tile to lift, then which tile lies how, and where.

Also what closed shapes are worth in Max and in Dom.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations
from operator import or_
from random import Random
from typing import ClassVar, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, fail
from generator.games.atreya import arena as arenas
from generator.games.atreya.checks import COLOURS
from generator.games.hexagon import bits_of, middle_of, place_at
from generator.model import Value
from generator.play.engine import CHANCE, OVER, Decks, Engine, LaidPiece, Option, SeatCount, pieces_of, size_of

_WORDS = ("red", "green", "blue")  # in the sequence of COLOURS
_AREAS = 7  # of a tile
_SHORT = 45  # tiles in the pool of a short game
_POOL_ROW, _GAP = 14, 2.0  # the pool: tiles in a row, and mm between them
LARGE = 3  # tiles of a shape that wins Max
_THREE = {0: 1, 2: 0, 1: 2}  # the colour that is inferior to each: green to red, red to blue …


class DrawForPool(Struct, frozen=True):
    """Chance: this tile comes into the pool."""

    tile: int


class ChooseCell(Struct, frozen=True):
    """Play a tile of the pool in this cell."""

    cell: arenas.AtreyaCell


class LiftTile(Struct, frozen=True):
    """Move the tile in this cell."""

    cell: arenas.AtreyaCell


class LayTile(NamedTuple):
    """Lay a tile in a cell, in the way of this number."""

    cell: arenas.AtreyaCell
    way: int


AtreyaMove = DrawForPool | ChooseCell | LiftTile | LayTile


class LiftedTile(Struct, frozen=True):
    """A tile in the hand of a seat.

    way, cell: how and where it lay. freedom: what it had there. opened: the areas of each closed
    shape that it belonged to.
    """

    way: arenas.LyingTile
    cell: arenas.AtreyaCell
    freedom: int
    opened: frozenset[frozenset[arenas.PlacedArea]]


class AtreyaState(Struct, frozen=True):
    """How a game of Atreya stands.

    turn:   the seat that moves, CHANCE or OVER.
    due:    how many tiles chance draws for the pool.
    pool:   its tiles, as a bit mask.
    arena:  the tiles that lie there.
    points: of each seat, in Dom; in Max 1 of those that won.
    cell:   where the seat plays a tile of the pool, once it is chosen.
    hand:   the tile that the seat has lifted.
    """

    turn: int
    due: int
    pool: int
    arena: arenas.AtreyaArena
    points: tuple[int, ...]
    cell: arenas.AtreyaCell | None = None
    hand: LiftedTile | None = None


class Atreya(Engine[AtreyaState, AtreyaMove]):
    """Max, Sum and Dom, for two or three."""

    options: ClassVar[Mapping[str, Option]] = {
        "players": Option((2, 3), "how many play"),
        "mode": Option(("Sum", "Dom", "Max"), "which of the three games"),
        "colours": Option(
            tuple(map(" ".join, permutations(("red", "blue", "green")))),
            "of the seats in order; for two, the last is nobody's",
        ),
        "pool": Option(("all", _SHORT), "all tiles, or so many at random for a shorter game"),
        "pins": Option(
            ("usual", "weak", "strong"),
            "which pins a tile may not have that moves: strong in Max and weak else, or one kind",
        ),
        "closing": Option(
            ("counts", "nothing"), "for Max and Dom: what a shape brings its owner if another seat closes it"
        ),
        "bonus": Option(("always", "scored"), "for Dom: whether a shape that does not score brings a bonus"),
        "dominating": Option(("closed", "all"), "for Dom: which shapes can dominate"),
    }

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        """Raises PnpError if the deck cannot be played."""
        pieces = pieces_of(decks, "tiles")
        self.seats, self.mode, pins = int(chosen["players"]), chosen["mode"], chosen["pins"]
        self.is_strong = pins == "strong" or (pins == "usual" and self.mode == "Max")
        self.scoring = Scoring(
            owners=[_WORDS.index(name) for name in str(chosen["colours"]).split()[: self.seats]],
            closing=chosen["closing"] == "counts",
            bonus=chosen["bonus"] == "always",
            opens=chosen["dominating"] == "all",
        )
        self.tiles = arenas.LyingTiles(pieces)
        self._begun = arenas.lay_start(self.tiles, pieces)
        laid = sum(1 << way.tile for way in self._begun.laid.values())
        self._size = size_of(pieces)
        self._others = (1 << len(pieces)) - 1 - laid
        self._due = 0 if chosen["pool"] == "all" else int(chosen["pool"])
        needed = (self._due or 1) + len(self._begun.laid)
        if len(pieces) < needed:
            raise fail(Place("tiles"), f"the game needs {needed} tiles, there are {len(pieces)}")

    def start(self) -> AtreyaState:
        none = (0,) * self.seats
        if self._due:
            return AtreyaState(CHANCE, self._due, 0, self._begun, none)
        return self._next(AtreyaState(-1, 0, self._others, self._begun, none))

    def turn(self, state: AtreyaState) -> int:
        return state.turn

    def legal(self, state: AtreyaState) -> Sequence[AtreyaMove]:
        if state.turn == OVER:
            return []
        if state.turn == CHANCE:
            return [DrawForPool(tile) for tile in bits_of(self._others & ~state.pool)]
        if state.hand:
            return self._returns(state)
        if state.cell is not None:
            ways = self.tiles.fit(state.arena.around[state.cell]).ways
            return [LayTile(state.cell, way) for way, bit in ways if state.pool & bit]
        cells = [cell for cell in state.arena.around if self._is_place(state, cell)]
        lifts = self._movable(state.arena)
        return [*map(ChooseCell, sorted(cells)), *map(LiftTile, sorted(lifts))]

    def _is_place(self, state: AtreyaState, cell: arenas.AtreyaCell) -> bool:
        fit = self.tiles.fit(state.arena.around[cell])
        return fit.is_sound and bool(fit.tiles & state.pool)

    def _movable(self, arena: arenas.AtreyaArena) -> list[arenas.AtreyaCell]:
        return [cell for cell in arena.laid if self._can_move(arena, cell)]

    def _can_move(self, arena: arenas.AtreyaArena, cell: arenas.AtreyaCell) -> bool:
        if self._find_hold(arena, cell):
            return False
        tile, freedom = arena.laid[cell].tile, self.freedom(arena, cell)
        return next(self._find_returns(arena.lift(cell), tile, freedom), None) is not None

    def _find_hold(self, arena: arenas.AtreyaArena, cell: arenas.AtreyaCell) -> str:
        """Why a tile may not be lifted: a phrase; "" if it may."""
        pinned = arena.pinned.get(cell, 0)
        if pinned and (not self.is_strong or pinned.bit_count() == _AREAS):
            return "why.pinned"
        contacts = _contacts(arena, cell)
        if not arenas.is_sound(contacts):
            return "why.hole"
        beside = (_contacts(arena, cell + step) for d, step in enumerate(arenas.STEPS) if contacts >> d & 1)
        return "" if all(it.bit_count() > 2 for it in beside) else "why.alone"

    def _lift(self, arena: arenas.AtreyaArena, cell: arenas.AtreyaCell) -> LiftedTile:
        way = arena.laid[cell]
        opened = frozenset(shape.areas for shape in arena.closed if shape.tiles >> way.tile & 1)
        return LiftedTile(way, cell, self.freedom(arena, cell), opened)

    def freedom(self, arena: arenas.AtreyaArena, cell: arenas.AtreyaCell) -> int:
        """How many areas of a tile belong to no closed shape."""
        return _AREAS - arena.pinned.get(cell, 0).bit_count()

    def _returns(self, state: AtreyaState) -> list[LayTile]:
        assert state.hand
        return sorted(self._find_returns(state.arena, state.hand.way.tile, state.hand.freedom))

    def _find_returns(self, arena: arenas.AtreyaArena, tile: int, freedom: int) -> Iterator[LayTile]:
        """Where a lifted tile can be laid so that its freedom is less than this."""
        fit, find_closed = self.tiles.fit, self.tiles.find_closed
        for cell, pattern in arena.around.items():
            fitting = fit(pattern)
            ways = fitting.of_tile.get(tile, ()) if fitting.is_sound else ()
            if ways and (ready := arena.find_ready(cell, fitting.sides)):
                for way in ways:
                    if _AREAS - find_closed(way, ready).bit_count() < freedom:
                        yield LayTile(cell, way)

    def draw(self, state: AtreyaState, rng: Random) -> DrawForPool:
        return DrawForPool(rng.choice(bits_of(self._others & ~state.pool)))

    def apply(self, state: AtreyaState, move: AtreyaMove) -> AtreyaState:
        if isinstance(move, ChooseCell):
            return replace(state, cell=move.cell)
        if isinstance(move, LayTile):
            return self._lay(state, move.cell, self.tiles.ways[move.way])
        if isinstance(move, LiftTile):
            hand = self._lift(state.arena, move.cell)
            return replace(state, arena=state.arena.lift(move.cell), hand=hand)
        drawn = replace(state, due=state.due - 1, pool=state.pool | 1 << move.tile)
        return drawn if drawn.due else self._next(drawn)

    def _lay(self, state: AtreyaState, cell: arenas.AtreyaCell, way: arenas.LyingTile) -> AtreyaState:
        turn, pool, before, points = state.turn, state.pool, state.arena, state.points
        hand = state.hand
        arena = before.place(cell, way)
        new = arena.closed[len(before.closed) :]
        if hand:
            new = tuple(shape for shape in new if shape.areas not in hand.opened)
        if self.mode == "Max":
            points = tuple(self.scoring.win(new, turn))
        elif self.mode == "Dom" and new:
            score = self.scoring.score(arena, new, turn)
            points = tuple(map(sum, zip(points, score, strict=True)))
        laid = AtreyaState(turn, 0, pool & ~(1 << way.tile), arena, points)
        if self.mode == "Max" and any(points):
            return replace(laid, turn=OVER)
        return self._next(laid)

    def _next(self, state: AtreyaState) -> AtreyaState:
        """The next seat's turn; the end if it has no move."""
        can = any(self._is_place(state, cell) for cell in state.arena.around)
        turn = (state.turn + 1) % self.seats if can or self._movable(state.arena) else OVER
        return replace(state, turn=turn)

    def scores(self, state: AtreyaState) -> list[int]:
        """The points; in Max 1 for a seat that has won."""
        if self.mode != "Sum":
            return list(state.points)
        points = [0] * len(COLOURS)
        for shape in state.arena.closed:
            points[shape.colour] += shape.size
        return [points[colour] for colour in self.scoring.owners]

    def worth(self, state: AtreyaState, seat: int) -> float:
        """The lead of a seat; in the middle of a turn, the lead after its maker's best second decision."""
        moves = self._telling(state)
        if not moves:
            return self._lead(state, seat)
        leads = [self._lead(self.apply(state, move), seat) for move in moves]
        return max(leads) if seat == state.turn else min(leads)

    def _telling(self, state: AtreyaState) -> Sequence[LayTile]:
        """The second decisions of a turn, those that close alike once; none if none closes any."""
        if state.hand:
            return self._returns(state)
        if state.cell is None:
            return []
        fit = self.tiles.fit(state.arena.around[state.cell])
        ready = state.arena.find_ready(state.cell, fit.sides)
        if not ready:
            return []
        alike: dict[tuple[int, ...], int] = {}
        for way, bit in fit.ways:
            if state.pool & bit:
                closed = self.tiles.find_closed(way, ready)
                regions = self.tiles.ways[way].regions
                alike.setdefault(tuple(r for r in regions if r & closed), way)
        return [LayTile(state.cell, way) for way in alike.values()]

    def _lead(self, state: AtreyaState, seat: int) -> float:
        worths: list[float] = [*self.scores(state)]
        if self.mode == "Max":
            for each, colour in enumerate(self.scoring.owners):
                near = self._promise(state.arena, colour)
                worths[each] = 10 * worths[each] + (near if each == seat else 2 * near)
        return worths.pop(seat) - max(worths)

    def _promise(self, arena: arenas.AtreyaArena, colour: int) -> float:
        """How near a colour is to a shape that wins Max: 1 if one more tile may do."""
        cells = [
            len({side // 8 for side in shape.opens})
            for shape in arena.shapes
            if shape.colour == colour and shape.tiles.bit_count() >= LARGE - 1
        ]
        return 1 / min(cells) if cells else 0

    def facts(self, state: AtreyaState) -> Mapping[str, int]:
        closed = state.arena.closed
        return {
            "tiles left": state.pool.bit_count(),
            "closed shapes": len(closed),
            "largest shape in pieces": max((shape.size for shape in closed), default=0),
            "largest shape in tiles": max((shape.tiles.bit_count() for shape in closed), default=0),
        }

    def held(self, state: AtreyaState, seat: int) -> list[str]:
        """The tiles with closed shapes of the seat's colour."""
        colour, closed = self.scoring.owners[seat], state.arena.closed
        tiles = reduce(or_, (shape.tiles for shape in closed if shape.colour == colour), 0)
        return [self.tiles.ids[tile] for tile in bits_of(tiles)]

    def write(self, state: AtreyaState, move: AtreyaMove) -> str:
        if isinstance(move, DrawForPool):
            return f"draw {self.tiles.names[move.tile]}"
        at = "{}/{}".format(*arenas.place_of(move.cell))
        if isinstance(move, ChooseCell):
            return f"play at {at}"
        if isinstance(move, LiftTile):
            return f"lift {self.tiles.names[state.arena.laid[move.cell].tile]} from {at}"
        name = self._describe(self.tiles.ways[move.way])
        return f"lay {name} at {at}" if state.hand else f"lay {name}"

    def ask(self, state: AtreyaState) -> str:
        is_chosen = state.cell is not None
        return self.phrases.say("ask.put" if state.hand else "ask.tile" if is_chosen else "ask.place")

    def say(self, state: AtreyaState, move: AtreyaMove) -> str:
        say = self.phrases.say
        if isinstance(move, ChooseCell):
            return say("move.place", others=_contacts(state.arena, move.cell).bit_count())
        if isinstance(move, LiftTile):
            tile = self._tell_tile(state.arena.laid[move.cell])
            return say("move.lift", tile=tile, free=self.freedom(state.arena, move.cell))
        if not isinstance(move, LayTile):
            return super().say(state, move)
        way = self.tiles.ways[move.way]
        words = [say("move.put" if state.hand else "move.lay", tile=self._tell_tile(way))]
        words += [say("move.back")] if way.side == "back" else []
        words += [say("move.turned", degrees=60 * way.turn)] if way.turn else []
        return say("text.comma").join(words)

    def _tell_tile(self, way: arenas.LyingTile) -> str:
        """A tile by its colours: "the red tile with sides 4 red, 1 green, 1 blue"."""
        *sides, centre = way.colours
        say, names = self.phrases.say, list(map(self.word, _WORDS))
        counts = (say("move.sides", count=sides.count(c), colour=name) for c, name in enumerate(names) if c in sides)
        return say("move.tile", centre=names[centre], sides=say("text.comma").join(counts))

    def counters(self, state: AtreyaState, seat: int | None = None) -> list[SeatCount]:
        colours = [self.phrases.say(f"tally.{_WORDS[colour]}") for colour in self.scoring.owners]
        points = zip(range(self.seats), colours, self.scores(state), strict=True)
        return [(None, self.phrases.say("tally.pool"), state.pool.bit_count(), "tiles"), *points]

    def _describe(self, way: arenas.LyingTile) -> str:
        """A tile as it lies: "98 back turn 60"."""
        back = " back" if way.side == "back" else ""
        turn = f" turn {60 * way.turn}" if way.turn else ""
        return f"{self.tiles.names[way.tile]}{back}{turn}"

    def show(self, state: AtreyaState, seat: int | None = None) -> str:
        lines = [f"pool: {state.pool.bit_count()} tiles"]
        if state.hand:
            lines.append(f"lifted: {self.tiles.names[state.hand.way.tile]}")
        for cell, way in sorted(state.arena.laid.items()):
            x, y = arenas.place_of(cell)
            free = self.freedom(state.arena, cell)
            lines.append(f"{x}/{y}: {self._describe(way)}, freedom {free}")
        for each, colour in enumerate(self.scoring.owners):
            sizes = [shape.size for shape in state.arena.closed if shape.colour == colour]
            listed = " ".join(map(str, sorted(sizes, reverse=True))) or "none"
            points = self.scores(state)[each]
            lines.append(f"seat {each + 1}, {_WORDS[colour]}: {points} points, closed {listed}")
        return "\n".join(lines)

    def lay(self, state: AtreyaState, seat: int | None = None) -> list[LaidPiece]:
        """The arena, and the pool to the right of it."""
        width = self._size.width
        laid = [self._lay_way(cell, way) for cell, way in sorted(state.arena.laid.items())]
        left, step = max(piece.x for piece in laid) + 2.25 * width, width + _GAP
        top = -_POOL_ROW / 2 * step
        for tile in bits_of(state.pool):
            row, column = divmod(tile, _POOL_ROW)
            laid.append(LaidPiece("tiles", self.tiles.ids[tile], "front", left + column * step, top + row * step))
        return laid

    def _lay_way(self, cell: arenas.AtreyaCell, way: arenas.LyingTile) -> LaidPiece:
        piece, middle = self.tiles.ids[way.tile], middle_of(arenas.place_of(cell), self._size)
        return LaidPiece("tiles", piece, way.side, *middle, 60.0 * way.turn)

    def find_flaw(self, state: AtreyaState, piece: LaidPiece) -> str:
        arena, cell = state.arena, arenas.cell_at(*place_at(piece.x, piece.y, self._size))
        if not state.hand and state.cell is None and piece.piece:
            hold = self._find_hold(arena, cell) or "why.no-less"
            return hold if cell in arena.laid else "why.place-first"
        if state.cell is not None:
            return "why.sides" if cell == state.cell else "why.elsewhere"
        if cell in arena.laid or cell not in arena.around:
            return "why.taken" if cell in arena.laid else "why.apart"
        fit = self.tiles.fit(arena.around[cell])
        if not fit.is_sound:
            return "why.two"
        if not state.hand:
            return "why.none-fits"
        ways = map(self.tiles.ways.__getitem__, fit.of_tile.get(state.hand.way.tile, ()))
        lies = any((way.side, 60 * way.turn) == (piece.side, piece.turn) for way in ways)
        return "why.no-less-there" if lies else "why.sides"

    def touch(self, state: AtreyaState, move: AtreyaMove) -> list[LaidPiece]:
        """A tile of the pool is chosen after its cell."""
        if isinstance(move, ChooseCell):
            return [LaidPiece("tiles", "", "front", *middle_of(arenas.place_of(move.cell), self._size))]
        if isinstance(move, LayTile):
            return [self._lay_way(move.cell, self.tiles.ways[move.way])]
        if isinstance(move, LiftTile):
            return [self._lay_way(move.cell, state.arena.laid[move.cell])]
        return []


def _contacts(arena: arenas.AtreyaArena, cell: arenas.AtreyaCell) -> int:
    """The sides of a tile at which others lie, as a bit mask."""
    return sum(1 << d for d, step in enumerate(arenas.STEPS) if cell + step in arena.laid)


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

    def is_healthy(self, arena: arenas.AtreyaArena, shape: arenas.ClosedAtreyaShape) -> bool:
        along = arena.beside(shape).values()
        inferior = sum(self.is_inferior(colour, shape.colour) for colour in along)
        return 2 * inferior >= len(along)

    def score(self, arena: arenas.AtreyaArena, new: Sequence[arenas.ClosedAtreyaShape], seat: int) -> list[int]:
        """The points that Dom gives each seat for the shapes that a seat's move closed."""
        points = [0] * len(self.owners)
        for shape in new:
            if shape.colour not in self.owners:
                continue
            owner = self.owners.index(shape.colour)
            if owner != seat and not self.closing:
                continue
            near = arena.neighbours(shape)
            rivals = [other.size for other in near]
            rivals += [arena.largest_open(shape)] if self.opens else []
            counts = self.is_healthy(arena, shape) and max(rivals, default=0) <= shape.size
            if counts:
                points[owner] += shape.size
            if owner == seat and (counts or self.bonus):
                before = (other.size for other in near if other not in new)
                points[owner] += sum(size for size in before if size < shape.size)
        return points

    def win(self, new: Sequence[arenas.ClosedAtreyaShape], seat: int) -> list[int]:
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
