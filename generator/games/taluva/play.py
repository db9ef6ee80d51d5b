"""The rules of Taluva: raise an island and settle it, for two to four players or two teams.

The rules are Marcel-André Casasola Merkle's, as rules.md states and reads them. Tiles with the same
two fields are equal: chance does not distinguish them. Where the first tile lies does not matter,
so there is one move for it. Builds with one result are one move.

Also a rule of thumb by which bots judge an island for its seats, and the island as text or as pieces on a table.
"""

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice
from math import cos, radians, sin, sqrt
from typing import ClassVar

from msgspec.structs import replace

from generator.basics.errors import Place, PnpError, Problem, raise_all
from generator.basics.geometry import Size
from generator.games.hexagon import middle_of, place_at
from generator.games.taluva import island
from generator.model import Value
from generator.play.engine import CHANCE, OVER, Decks, Engine, LaidPiece, Option, SeatCount

_FULL_TABLE = 4  # players who use all tiles
_WON = 10_000  # what a victory is worth, more than all buildings
_QUICK, _ALONE, _LAST_TILE = _ENDINGS = (
    "ends with two kinds used up",
    "ends with one side left",
    "ends with the last tile",
)
_UPRIGHT = island.DIRECTIONS.index("south")
_INITIALS = ("SE", "S", "SW", "NW", "N", "NE")  # of DIRECTIONS
# Guesses: bots that go by them beat random ones.
_BUILT = (2, 100, 70)  # of each kind
_TEMPLE_HOPES = (0, 4, 10, 30)  # of a settlement without a temple, by its size
_TOWER_HOPES = (0, 0, 6, 25)  # of one without a tower, by the highest free field beside it
_OUT = 0.75  # radii, from the middle of a volcano to that of the box around its upright tile
_APART = 0.4  # radii, from a hut to the middle of its field, if several stand there
_LETTERS = 8  # of a hexagon in a map


class Taluva(Engine[island.TaluvaState, island.TaluvaMove]):
    """Taluva for two to four, or for two teams of two."""

    options: ClassVar[Mapping[str, Option]] = {
        "players": Option((2, 3, 4), "how many play"),
        "teams": Option(("no", "yes"), "whether four play as two teams"),
        "tiles": Option(("share", "all"), "a quarter of the tiles for each player, or all of them"),
        "end": Option(("first", "places"), "whether a quick victory ends the game, or all play on"),
        "last": Option(("builds", "stops"), "whether who places the last tile still builds"),
        "partner": Option(("lost", "counts"), "for teams: the buildings of a partner who is out"),
    }

    score_parts: ClassVar[Sequence[str]] = ("temple", "tower", "hut")

    def __init__(self, decks: Decks, *, players: Value, **chosen: Value) -> None:
        """Raises PnpError if tiles, fields or buildings are missing, or options do not fit."""
        self.seats = int(players)
        self.has_teams = chosen["teams"] == "yes"
        self.has_places = chosen["end"] == "places"
        self.last_builds = chosen["last"] == "builds"
        self.partner_counts = chosen["partner"] == "counts"
        raise_all(self._unfit())
        box = island.open_box(decks, self.seats)
        self.tiles, self.fields, self.terrains = box.tiles, box.fields, box.terrains
        self.players, self.buildings = box.players, box.buildings
        self._radius = box.size.height / 3.5  # of a hexagon; an upright tile is 3.5 radii high
        self._lying = Size(2 * self._radius, sqrt(3) * self._radius)  # of one that lies on its side
        self.names = [ids[0] for ids in self.tiles]
        self.pools = [tuple(map(len, kinds)) for kinds in self.buildings]
        count = sum(map(len, self.tiles))
        self.drawn = count if chosen["tiles"] == "all" else count * self.seats // _FULL_TABLE
        if not self.drawn:
            raise PnpError([Problem(Place("tiles"), f"a game needs more tiles than {count}")])

    def _unfit(self) -> Iterator[Problem]:
        if self.has_teams and self.seats != 4:
            yield Problem(Place("the rules"), f"{self.seats} players cannot play as two teams", "choose players 4")
        if self.has_teams and self.has_places:
            yield Problem(Place("the rules"), "teams do not play for places", "choose end first")

    def start(self) -> island.TaluvaState:
        unseen = tuple(map(len, self.tiles))
        used = ((0,) * len(island.KINDS),) * self.seats
        return island.TaluvaState(CHANCE, 0, island.NO_TILE, self.drawn, unseen, (), (), (), used)

    def turn(self, state: island.TaluvaState) -> int:
        return state.turn

    def legal(self, state: island.TaluvaState) -> list[island.TaluvaMove]:
        if state.turn == OVER:
            return []
        if state.turn == CHANCE:
            return [island.DrawTile(tile) for tile, count in enumerate(state.unseen) if count]
        if state.tile == island.NO_TILE:
            return list(island.find_builds(state, self.pools[state.seat]))
        if not state.land:
            return [island.PlaceTile(island.hex_at(0, 0), _UPRIGHT)]
        land = dict(state.land)
        return list(map(island.PlaceTile._make, [*island.expansions(land), *island.eruptions(land, state.built)]))

    def weight(self, state: island.TaluvaState, move: island.TaluvaMove) -> int:
        return state.unseen[move.tile] if isinstance(move, island.DrawTile) else 1

    def apply(self, state: island.TaluvaState, move: island.TaluvaMove) -> island.TaluvaState:
        if isinstance(move, island.PlaceTile):
            return self._place(state, move)
        if isinstance(move, island.DrawTile):
            return self._draw(state, move.tile)
        if isinstance(move, island.Build):
            return self._build(state, move.kind, (move.field,), 1)
        land = dict(state.land)
        return self._build(state, island.HUT, move.fields, sum(land[field][0] for field in move.fields))

    def _draw(self, state: island.TaluvaState, tile: int) -> island.TaluvaState:
        unseen = list(state.unseen)
        unseen[tile] -= 1
        return replace(state, turn=state.seat, tile=tile, left=state.left - 1, unseen=tuple(unseen))

    def _place(self, state: island.TaluvaState, move: island.PlaceTile) -> island.TaluvaState:
        """A seat that cannot build afterwards is out."""
        hexes = island.hexes_of(*move)
        level = 1 + dict(state.land).get(move.volcano, (0, 0))[0]
        tops = [(level, terrain) for terrain in (~move.direction, *self.fields[state.tile])]
        built = tuple(pair for pair in state.built if pair[0] not in hexes)
        laid = list(state.laid)
        insort(laid, island.LaidTile(level, *move, state.tile))
        land = island.put(state.land, zip(hexes, tops, strict=True))
        after = replace(state, tile=island.NO_TILE, land=land, built=built, laid=tuple(laid))
        if not after.left and not self.last_builds:
            return replace(after, turn=OVER)
        if next(island.find_builds(after, self.pools[after.seat]), None) is None:
            return self._end_turn(replace(after, out=(*after.out, after.seat)))
        return after

    def _build(self, state: island.TaluvaState, kind: int, fields: Sequence[int], count: int) -> island.TaluvaState:
        seat = state.seat
        built = island.put(state.built, ((field, (seat, kind)) for field in fields))
        own = list(state.used[seat])
        own[kind] += count
        used = (*state.used[:seat], tuple(own), *state.used[seat + 1 :])
        after = replace(state, built=built, used=used)
        if own[kind] == self.pools[seat][kind] and self._has_won(after):
            after = replace(after, done=(*after.done, seat))
        return self._end_turn(after)

    def _has_won(self, state: island.TaluvaState) -> bool:
        """Whether the seat has used up two kinds; of a team one of both, and the other one."""
        full = [
            sum(map(int.__eq__, used, pool)) if self._counts(state, seat) else 0
            for seat, (used, pool) in enumerate(zip(state.used, self.pools, strict=True))
        ]
        if not self.has_teams:
            return full[state.seat] >= 2
        least, most = sorted(full[state.seat % 2 :: 2])
        return least >= 1 and most >= 2

    def _counts(self, state: island.TaluvaState, seat: int) -> bool:
        return seat not in state.out or (self.has_teams and self.partner_counts)

    def _end_turn(self, state: island.TaluvaState) -> island.TaluvaState:
        if self._ending(state):
            return replace(state, turn=OVER)
        seat = min(self._active(state), key=lambda seat: (seat - state.seat - 1) % self.seats)
        return replace(state, turn=CHANCE, seat=seat)

    def _ending(self, state: island.TaluvaState) -> str:
        """How the game ends with this turn, "" if it goes on."""
        if state.done and not self.has_places:
            return _QUICK
        if len({self.team_of(seat) for seat in self._active(state)}) < 2:
            return _ALONE
        return "" if state.left else _LAST_TILE

    def _active(self, state: island.TaluvaState) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in state.done + state.out]

    def team_of(self, seat: int) -> int:
        """Partners sit opposite each other. Without teams, each seat is alone in its own."""
        return seat % 2 if self.has_teams else seat

    def scores(self, state: island.TaluvaState) -> list[int]:
        """The points for the buildings of each seat that counts; for a team, those of both partners."""
        points = Counter[int]()
        for seat, (huts, temples, towers) in enumerate(state.used):
            if self._counts(state, seat):
                points[self.team_of(seat)] += (temples * 100 + towers) * 100 + huts
        return [points[self.team_of(seat)] for seat in range(self.seats)]

    def winners(self, state: island.TaluvaState) -> Sequence[int]:
        """The seats in the first place."""
        return [seat for seat, place in enumerate(self.places(state)) if place == 1]

    def places(self, state: island.TaluvaState) -> list[int]:
        """The place of each seat, from 1: first who used up two kinds, in that order; then who still plays, by
        temples, towers and huts; then who is out, the first last. Partners share a place, and so do equals."""
        scores = self.scores(state)
        ranks = {self.team_of(seat): (0, order) for order, seat in enumerate(state.out)}
        ranks |= {self.team_of(seat): (1, scores[seat]) for seat in self._active(state)}
        ranks |= {self.team_of(seat): (2, -order) for order, seat in enumerate(state.done)}
        own = [ranks[self.team_of(seat)] for seat in range(self.seats)]
        return [1 + sum(other > rank for other in ranks.values()) for rank in own]

    def worth(self, state: island.TaluvaState, seat: int) -> float:
        if state.turn == OVER:
            return _WON if seat in self.winners(state) else -_WON
        sums = Counter[int]()
        for each, promise in enumerate(promises_of(state, self.pools)):
            gone = _WON * ((each in state.done) - (each in state.out))
            sums[self.team_of(each)] += promise + gone
        own = sums.pop(self.team_of(seat))
        return own - max(sums.values())

    def held(self, state: island.TaluvaState, seat: int) -> list[str]:
        """The temples and towers that a seat has built. Everybody builds huts."""
        kinds = list(zip(self.buildings[seat], state.used[seat], strict=True))
        return [piece for ids, count in kinds[island.TEMPLE :] for piece in islice(ids, count)]

    def facts(self, state: island.TaluvaState) -> Mapping[str, int]:
        land = dict(state.land)
        standing = sum(land[field][0] for field, (_, kind) in state.built if kind == island.HUT)
        return {
            "hexagons of land": len(land),
            "fields built on": len(state.built),
            "highest level": max((level for level, _ in land.values()), default=0),
            "huts buried": sum(used[island.HUT] for used in state.used) - standing,
            "players out": len(state.out),
            "tiles left": state.left,
            **{ending: int(ending == self._ending(state)) for ending in _ENDINGS},
        }

    def write(self, state: island.TaluvaState, move: island.TaluvaMove) -> str:
        """A hexagon is its column and row, a direction that of the volcano."""
        if isinstance(move, island.PlaceTile):
            verb = "erupt" if move.volcano in dict(state.land) else "place"
            return f"{verb} {island.name_hex(move.volcano)} {island.DIRECTIONS[move.direction]}"
        if isinstance(move, island.DrawTile):
            return f"draw {self.names[move.tile]}"
        if isinstance(move, island.Build):
            return f"{island.KINDS[move.kind]} {island.name_hex(move.field)}"
        terrain = self.terrains[dict(state.land)[move.fields[0]][1]]
        return f"expand {terrain} {' '.join(map(island.name_hex, move.fields))}"

    def ask(self, state: island.TaluvaState) -> str:
        return self.phrases.say("ask.build" if state.tile == island.NO_TILE else "ask.tile")

    def say(self, state: island.TaluvaState, move: island.TaluvaMove) -> str:
        if isinstance(move, island.DrawTile):
            return super().say(state, move)
        say, word, land = self.phrases.say, self.word, dict(state.land)
        if isinstance(move, island.PlaceTile):  # the fields lie where the volcano points
            to, hexes = word(island.DIRECTIONS[(move.direction + 3) % 6]), island.hexes_of(*move)
            words = [say("move.erupt" if move.volcano in land else "move.lay", to=to)]
            if buried := sum(land[field][0] for field, _ in state.built if field in hexes):
                words.append(say("move.burying", huts=say("turn.hut", count=buried)))
            return say("text.comma").join(words)
        if isinstance(move, island.Build):
            level, terrain = land[move.field]
            building, on = word(island.KINDS[move.kind]), word(self.terrains[terrain])
            return say("move.build", building=building, terrain=on, level=level)
        fields, terrain = say("move.fields", count=len(move.fields)), land[move.fields[0]][1]
        huts = say("turn.hut", count=sum(land[field][0] for field in move.fields))
        return say("move.expand", fields=fields, terrain=word(self.terrains[terrain]), huts=huts)

    def counters(self, state: island.TaluvaState, seat: int | None = None) -> list[SeatCount]:
        """The tiles in the stack, and the buildings that each seat has left."""
        say = self.phrases.say
        left: list[SeatCount] = [(None, say("tally.stack"), state.left, "tiles")]
        for each, (used, pool) in enumerate(zip(state.used, self.pools, strict=True)):
            huts = say("tally.out" if each in state.out else "tally.huts", player=self.word(self.players[each]))
            labels = (huts, say("tally.temples"), say("tally.towers"))
            counts = map(int.__sub__, pool, used)
            icons = (f"{kind}/{ids[0]}" for kind, ids in zip(island.COMPONENTS, self.buildings[each], strict=True))
            left += [(each, *at) for at in zip(labels, counts, icons, strict=True)]
        return left

    def show(self, state: island.TaluvaState, seat: int | None = None) -> str:
        lines = [f"stack: {state.left} tiles"]
        if state.tile != island.NO_TILE:
            lines.append(f"drawn: {self.names[state.tile]}")
        lines += draw_map(state.land, state.built, self.terrains)
        lines += [self._describe(state, each) for each in range(self.seats)]
        return "\n".join(lines)

    def _describe(self, state: island.TaluvaState, seat: int) -> str:
        """The buildings that a seat has placed: "seat 1, red: 3 of 20 huts, 0 of 3 temples, 0 of 2 towers"."""
        counts = zip(state.used[seat], self.pools[seat], island.COMPONENTS, strict=True)
        used = ", ".join(f"{count} of {most} {name}" for count, most, name in counts)
        out = ", out" if seat in state.out else ""
        place = f", place {self.places(state)[seat]}" if state.turn == OVER else ""
        return f"seat {seat + 1}, {self.players[seat]}: {used}{out}{place}"

    def lay(self, state: island.TaluvaState, seat: int | None = None) -> list[LaidPiece]:
        """The island, and the drawn tile beside it. All of it is open to everybody."""
        unlaid = [iter(same) for same in self.tiles]
        laid = [self._lay_tile(next(unlaid[tile]), *where) for _, *where, tile in state.laid]
        laid += self._lay_buildings(state)
        if state.tile != island.NO_TILE:  # it lies to the right of the island
            right = max((self._middle(field)[0] for field, _ in state.land), default=0.0)
            x = right + 2.5 * sqrt(3) * self._radius
            laid.append(LaidPiece("tiles", self._drawn(state), "front", x, 0.0))
        return laid

    def _drawn(self, state: island.TaluvaState) -> str:
        return self.tiles[state.tile][sum(laid.tile == state.tile for laid in state.laid)]

    def touch(self, state: island.TaluvaState, move: island.TaluvaMove) -> list[LaidPiece] | None:
        if not isinstance(move, island.PlaceTile):
            return None
        return [self._lay_tile(self._drawn(state), move.volcano, move.direction)]

    def find_flaw(self, state: island.TaluvaState, piece: LaidPiece) -> str:
        if piece.component != "tiles" or state.tile == island.NO_TILE:
            return ""
        direction = (round(piece.turn / 60) + _UPRIGHT) % 6
        across, down = self._out_of(direction)
        row, halves = place_at(piece.y - down, piece.x - across, self._lying)
        return island.find_flaw(
            dict(state.land), island.find_kept(state.built), island.hex_at((halves - row) // 2, row), direction
        )

    def _lay_tile(self, tile: str, volcano: island.Hex, direction: int) -> LaidPiece:
        (x, y), (across, down) = self._middle(volcano), self._out_of(direction)
        turn = (direction - _UPRIGHT) % 6 * 60.0
        return LaidPiece("tiles", tile, "front", x + across, y + down, turn)

    def _out_of(self, direction: int) -> tuple[float, float]:
        """The way from the middle of a volcano to that of its tile, in mm."""
        angle, out = radians(30 + 60 * direction), _OUT * self._radius
        return out * cos(angle), out * sin(angle)

    def _lay_buildings(self, state: island.TaluvaState) -> Iterator[LaidPiece]:
        """Buildings in the middle of their fields, several huts around it."""
        levels = {field: level for field, (level, _) in state.land}
        unused = [[iter(same) for same in kinds] for kinds in self.buildings]
        for field, (seat, kind) in state.built:
            x, y = self._middle(field)
            count = levels[field] if kind == island.HUT else 1
            out = _APART * self._radius if count > 1 else 0.0
            for number in range(count):
                angle = radians(360 * number / count - 90)
                middle = x + out * cos(angle), y + out * sin(angle)
                yield LaidPiece(island.COMPONENTS[kind], next(unused[seat][kind]), "front", *middle)

    def _middle(self, hexagon: island.Hex) -> tuple[float, float]:
        """Where a hexagon lies, in mm."""
        y, x = middle_of((island.place_of(hexagon)[1], _halves(hexagon)), self._lying)
        return x, y


def promises_of(state: island.TaluvaState, pools: Sequence[Sequence[int]]) -> list[int]:
    """For each seat what it has built, and what its settlements may still give it."""
    temples, towers = _temple_hopes(state.built), _tower_hopes(state)
    return [
        sum(map(int.__mul__, _BUILT, used))
        + sum(temples.get(seat, ())[: pool[island.TEMPLE] - used[island.TEMPLE]])
        + sum(towers.get(seat, ())[: pool[island.TOWER] - used[island.TOWER]])
        for seat, (used, pool) in enumerate(zip(state.used, pools, strict=True))
    ]


@lru_cache(maxsize=256)
def _temple_hopes(built: island.OnHexes[island.Occupant]) -> Mapping[int, Sequence[int]]:
    """The hopes of each seat for a temple in its settlements, the best first."""
    hopes: defaultdict[int, list[int]] = defaultdict(list)
    for settlement in island.find_settlements(built):
        if island.TEMPLE not in settlement.kinds:
            hopes[settlement.seat].append(_TEMPLE_HOPES[min(len(settlement.fields), island.TEMPLE_SIZE)])
    return {seat: sorted(own, reverse=True) for seat, own in hopes.items()}


def _tower_hopes(state: island.TaluvaState) -> Mapping[int, Sequence[int]]:
    """The hopes of each seat for a tower in its settlements, the best first."""
    beside = _without_tower(state.built)
    highest: dict[int, int] = {}
    for field, (level, terrain) in state.land:
        if level > 1 and terrain >= 0 and field in beside:
            for number in beside[field]:
                highest[number] = max(level, highest.get(number, 0))
    settlements = island.find_settlements(state.built)
    hopes: defaultdict[int, list[int]] = defaultdict(list)
    for number, level in highest.items():
        hopes[settlements[number].seat].append(_TOWER_HOPES[min(level, island.TOWER_LEVEL)])
    return {seat: sorted(own, reverse=True) for seat, own in hopes.items()}


@lru_cache(maxsize=256)
def _without_tower(built: island.OnHexes[island.Occupant]) -> Mapping[island.Hex, Sequence[int]]:
    """The numbers of the settlements without a tower that touch each hexagon."""
    beside: defaultdict[island.Hex, list[int]] = defaultdict(list)
    for number, settlement in enumerate(island.find_settlements(built)):
        if island.TOWER not in settlement.kinds:
            for near in settlement.shore:
                beside[near].append(number)
    return dict(beside)


def draw_map(
    land: island.OnHexes[island.Surface], built: island.OnHexes[island.Occupant], terrains: Sequence[str]
) -> Iterator[str]:
    """Rows of hexagons as text, each after the name of its first. A hexagon is its level, its
    terrain or its volcano's direction, then the seat and kind of a building."""
    occupants = {field: f"{seat + 1}{island.KINDS[kind][:2]}" for field, (seat, kind) in built}
    left = min((_halves(field) for field, _ in land), default=0)
    for _, row in groupby(land, key=lambda pair: island.place_of(pair[0])[1]):
        line = ""
        for field, (level, terrain) in row:
            line = line or f"{island.name_hex(field)}:"
            start = _LETTERS + (_halves(field) - left) * _LETTERS // 2
            what = terrains[terrain][:3] if terrain >= 0 else _INITIALS[~terrain]
            line = f"{line.ljust(start)}{level}{what}{occupants.get(field, '')}"
        yield line


def _halves(hexagon: island.Hex) -> int:
    """How far to the right a hexagon is, in half hexagons."""
    column, row = island.place_of(hexagon)
    return 2 * column + row
