"""The rules of Taluva as code, against its published rules and against a second implementation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from generator.games.taluva.checks import TERRAINS
from generator.games.taluva.island import HUT, NO_TILE, TEMPLE, TOWER, TaluvaState, find_settlements
from generator.games.taluva.play import Taluva
from generator.play.bots import Bot, choose_any, choose_greedily, count_paths
from generator.play.engine import CHANCE, OVER, Decks, Engine, make_engine
from tests.conftest import Golden
from tests.games.figures import Laid
from tests.games.taluva.positions import after, moves_in, position, taluva
from tests.games.taluva.referee import Referee
from tests.games.taluva.test_booklet import HEIGHT, WIDTH, Island
from tests.support.engines import AnyEngine, decks_of, look_at_table, replay, walk, write_game, written_game

_HERE = Path(__file__).parent
_GAMES = {
    "two": {},
    "three": {"players": "3"},
    "four": {"players": "4"},
    "teams": {"players": "4", "teams": "yes"},
    "places": {"players": "3", "end": "places"},
    "stops": {"last": "stops", "tiles": "all"},
}


@pytest.mark.parametrize("name", _GAMES)
def test_a_game_keeps_to_what_every_engine_must(name: str) -> None:
    engine = taluva(**_GAMES[name])
    for state in walk(engine, 1):
        look_at_table(engine, state, decks_of("taluva"))


@pytest.mark.parametrize("name", ["two", "teams"])
def test_a_written_game_stays_the_same(name: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{name}.txt", written_game(taluva(**_GAMES[name]), 7))


def test_a_lively_game_stays_the_same(golden: Golden) -> None:
    """With eruptions, towers, and players who run out of pieces."""
    engine = taluva("taluva-60", players="3", tiles="all")
    text = write_game(engine, [BUILDER, SPENDER, BUILDER], Random(9), Random(10))
    assert engine.turn(list(replay(engine, text))[-1]) == OVER
    golden(_HERE / "games" / "lively.txt", text)


def moves_of(engine: Taluva, bots: Sequence[Bot], seed: int) -> Iterator[tuple[TaluvaState, str]]:
    """A game between bots: each state, and the name of the move that follows; at last the end."""
    chance, rng = Random(seed), Random(seed + 1)
    state = engine.start()
    while state.turn != OVER:
        moves = engine.legal(state)
        move = engine.draw(state, chance) if state.turn == CHANCE else bots[state.turn](engine, state, moves, rng)
        yield state, engine.write(state, move)
        state = engine.apply(state, move)
    yield state, ""


class EagerBot:
    """The first kind of move in its order that there is, of these one of the longest: so that
    islands rise high and pieces run out."""

    def __init__(self, *order: str) -> None:
        self.order = order

    def __call__(self, engine: Engine[Any, Any], state: Any, moves: Sequence[Any], rng: Random) -> Any:
        for verb in self.order:
            named = {engine.write(state, move): move for move in moves}
            if chosen := [name for name in named if name.startswith(verb)]:
                most = max(name.count(",") for name in chosen)
                return named[rng.choice([name for name in chosen if name.count(",") == most])]
        return rng.choice(moves)


SPENDER = EagerBot("erupt", "expand", "hut")
BUILDER = EagerBot("erupt", "tower", "temple", "expand")
G, R = choose_greedily, choose_any

ALL = {"tiles": "all"}
PLACES = {"players": "3", "end": "places"}
TEAMS = {"players": "4", "teams": "yes"}


@pytest.mark.parametrize(
    ("game", "chosen", "bots", "seed"),
    [
        ("taluva", {}, [R, R], 0),
        ("taluva", ALL, [G, G], 1),
        ("taluva", ALL, [SPENDER, BUILDER], 0),
        ("taluva-60", {"players": "3"}, [BUILDER, R, G], 0),
        ("taluva", {"players": "4"}, [SPENDER] * 4, 0),
        ("taluva", TEAMS, [SPENDER, SPENDER, BUILDER, BUILDER], 0),
    ],
)
def test_a_referee_agrees(game: str, chosen: dict[str, str], bots: list[Bot], seed: int) -> None:
    """Of every position on the legal moves and the seat, and at the end on the winners."""
    look_at_game(make_engine(Taluva, decks_of(game), chosen), decks_of(game), bots, seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("chosen", [{}, PLACES, TEAMS, {**TEAMS, **ALL}])
def test_a_referee_agrees_on_games_with_few_pieces(chosen: dict[str, str], seed: int) -> None:
    look_at_game(small(chosen), small_decks(), [BUILDER, R, BUILDER, R], seed)


def test_games_with_few_pieces_end_early() -> None:
    ends = Counter[str]()
    for chosen in ({}, PLACES, TEAMS):
        for seed in range(6):
            engine = small(chosen)
            *_, (end, _) = moves_of(engine, [BUILDER, R, BUILDER, R], seed)
            ends.update({fact for fact, count in engine.facts(end).items() if count})
    assert ends["ends with two kinds used up"] > 2
    assert ends["ends with one side left"] > 2


def small_decks() -> Decks:
    """Eight huts for each player, a temple and a tower."""
    decks = dict(decks_of("taluva"))
    for component, count in (("huts", 8), ("temples", 1), ("towers", 1)):
        kinds = dict.fromkeys(piece.id for piece in decks[component])
        own = [[piece for piece in decks[component] if piece.id == kind] for kind in kinds]
        decks[component] = [piece for pieces in own for piece in pieces[:count]]
    return decks


def small(chosen: dict[str, str]) -> Taluva:
    engine = make_engine(Taluva, small_decks(), chosen)
    assert isinstance(engine, Taluva)
    return engine


def look_at_game(engine: AnyEngine, decks: Decks, bots: Sequence[Bot], seed: int) -> None:
    assert isinstance(engine, Taluva)
    referee = referee_of(engine, decks)
    for state, move in moves_of(engine, bots, seed):
        assert referee.is_over == (state.turn == OVER)
        if state.turn == OVER:
            assert engine.winners(state) == referee.winners
            return
        assert referee.turn == state.seat
        if state.turn != CHANCE:
            assert moves_in(engine, state) == referee.legal()
        referee.play(move)


def referee_of(engine: Taluva, decks: Decks) -> Referee:
    fields = [(str(tile.row["right"]), str(tile.row["left"])) for tile in decks["tiles"]]
    tiles = {f"{left}-{right}": (right, left) for right, left in fields}
    pool = {kind: sum(piece.id == f"red-{kind}" for piece in decks[f"{kind}s"]) for kind in ("hut", "temple", "tower")}
    teams, places = engine.has_teams, engine.has_places
    return Referee(tiles, engine.seats, engine.drawn, pool, teams=teams, places=places)


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_what_holds_in_every_game(players: str) -> None:
    """As it lies on the table: each tile lies as the rules say; each settlement that lava hits
    keeps something, no temple or tower falls, no piece is lost."""
    engine = taluva(players=players, tiles="all")
    before = engine.start()
    bots: list[Bot] = [BUILDER, SPENDER, G, R]
    for state, _ in moves_of(engine, bots, 5):
        look_at_island(engine, state)
        look_at_pieces(engine, state)
        if len(state.laid) > len(before.laid):
            fields = {field for field, _ in state.built}
            assert all(settlement.fields & fields for settlement in find_settlements(before.built))
        before = state
    assert engine.facts(before)["highest level"] >= 3
    assert engine.facts(before)["huts buried"] > 0


def look_at_island(engine: Taluva, state: TaluvaState) -> None:
    if not state.laid:
        return
    pieces = engine.lay(state)
    tiles = [piece for piece in pieces if piece.component == "tiles"][: len(state.laid)]
    land = Island(
        [Laid(tile.piece, False, tile.x - WIDTH / 2, tile.y - HEIGHT / 2, int(tile.turn), False, "") for tile in tiles]
    )
    # They come in the order of levels, some before the tiles that they were placed beside.
    assert set().union(*land.broken) <= {"apart"}
    assert sorted(level for _, (level, _) in state.land) == sorted(len(stack) for stack in land.at.values())
    for cell, stack in land.at.items():
        assert [layer.level for layer in stack] == list(range(1, len(stack) + 1)), cell
    for number, cells in enumerate(land.cells):
        stacks = [[layer.tile for layer in land.at[cell]] for cell in cells]
        beneath = {tile for tiles in stacks for tile in tiles[: tiles.index(number)][-1:]}
        assert len(beneath) != 1
    for piece in pieces:
        if piece.component != "tiles":
            assert land.top(land.near((piece.x, piece.y))).what in TERRAINS


def look_at_pieces(engine: Taluva, state: TaluvaState) -> None:
    drawn = state.tile != NO_TILE
    own = sum(map(len, engine.tiles))
    assert sum(state.unseen) + len(state.laid) + drawn == own
    assert state.left == engine.drawn - len(state.laid) - drawn
    standing = Counter((seat, kind) for _, (seat, kind) in state.built)
    for seat, (huts, temples, towers) in enumerate(state.used):
        assert (standing[seat, TEMPLE], standing[seat, TOWER]) == (temples, towers)
        assert all(map(int.__le__, state.used[seat], engine.pools[seat]))
        laid = [piece for piece in engine.lay(state) if piece.component == "huts"]
        mine = [piece for piece in laid if piece.piece == engine.buildings[seat][HUT][0]]
        assert len(mine) <= huts


def test_perft(golden: Golden) -> None:
    """Equal tiles are merged, and so are builds with one result. A game for two, and one with a
    deck of equal tiles, which leaves nothing to chance."""
    decks = decks_of("taluva")
    same = [piece for piece in decks["tiles"] if piece.id == "jungle-clearing"] * 8
    engines = {
        "taluva": (taluva(), 5),
        "48 tiles of jungle and clearing": (make_engine(Taluva, {**decks, "tiles": same}, {}), 7),
    }
    lines = [
        f"{depth} moves of {name}: {count_paths(engine, depth)}"
        for name, (engine, most) in engines.items()
        for depth in range(1, most + 1)
    ]
    golden(_HERE / "perft.txt", "\n".join(lines) + "\n")


def test_perft_by_hand() -> None:
    """A draw of 25 kinds of tiles, its one place, a hut on one of two fields; of the 7 kinds with
    one tile none is left for the second draw."""
    engine = taluva()
    kinds = Counter(piece.id for piece in decks_of("taluva")["tiles"])
    assert len(kinds) == 25
    single = sum(count == 1 for count in kinds.values())
    pairs = 25 * 25 - single
    counts = [count_paths(engine, depth) for depth in range(1, 5)]
    assert counts == [25, 25, 50, 2 * pairs]


def test_equal_positions_are_equal() -> None:
    """However they came about."""
    engine = taluva()
    start = after(engine, engine.start(), "draw jungle-lake", "place 0,0 south", "hut 0,1")
    first = "draw sand-rock", "place 0,2 south", "hut -1,3"
    second = "draw rock-sand", "place 0,-1 north", "hut 1,-2"
    one = after(engine, start, *first, *second)
    other = after(engine, start, *second, *first)
    assert replace(one, built=(), used=()) == replace(other, built=(), used=())
    assert {field for field, _ in one.built} == {field for field, _ in other.built}


def test_greedy_bots_beat_random_ones() -> None:
    engine = taluva()
    for seed in range(8):
        *_, (end, _) = moves_of(engine, [R, G], seed)
        assert engine.winners(end) == [1]


def test_a_rule_of_thumb_hopes_for_temples_and_towers() -> None:
    """The higher the field beside a settlement and the larger the settlement, the better, as long
    as there are pieces for it."""
    engine = taluva()

    def worth(level: int, huts: str, used: tuple[int, int, int] = (3, 0, 0)) -> float:
        land = f"0,0 sand; 1,0 sand; 2,0 sand; 3,0 sand; 3,-1 lake {level}; 2,-3 sand"
        return engine.worth(position(engine, land, huts, used=(used, (0, 0, 0))), 0)

    row, pair = "1,0 hut; 2,0 hut; 3,0 hut", "0,0 hut; 2,0 hut; 3,0 hut"
    assert worth(4, row) == worth(3, row) > worth(2, row) > worth(1, row) > worth(1, pair)
    assert worth(1, row, (3, 3, 0)) == worth(1, pair, (3, 3, 0))
    assert worth(3, row, (3, 0, 2)) == worth(1, row, (3, 0, 2))


def test_a_settlement_can_be_shut_in() -> None:
    """By others' buildings all around, it promises no more."""
    engine = taluva()
    around = ["1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1"]
    land = "; ".join(f"{field} sand" for field in ["0,0", *around])
    built = "; ".join(["0,0 hut", *(f"{field} hut 2" for field in around)])
    state = position(engine, land, built, turn=1, seat=1)
    assert engine.worth(state, 0) == -engine.worth(state, 1) < 0


def test_reports_get_pieces_and_figures() -> None:
    engine = taluva()
    land = "0,0 sand 3; 1,0 lake 3; 2,0 lake; 3,0 rock"
    state = position(engine, land, "0,0 hut; 3,0 hut 2")
    state = after(engine, state, "tower 1,0")
    assert engine.held(state, 0) == ["red-tower"]
    assert engine.held(state, 1) == []
    assert engine.facts(state) == {
        "hexagons of land": 4,
        "fields built on": 3,
        "highest level": 3,
        "huts buried": 0,
        "players out": 0,
        "tiles left": 5,
        "ends with two kinds used up": 0,
        "ends with one side left": 0,
        "ends with the last tile": 0,
    }
