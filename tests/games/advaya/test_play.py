"""The rules of Advaya as code, against its published rules and a second referee."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.games.advaya.arena import ClosedShape
from generator.games.advaya.play import INVOKE, NOT_IN_FORCE, PASS, Advaya, AdvayaState, ArenaOutlook, SlideTile
from generator.model import Piece
from generator.play.bots import choose_greedily, count_paths
from generator.play.engine import OVER, Decks, LaidPiece, make_engine
from tests.conftest import Golden
from tests.games.advaya.referee import Referee, cut
from tests.games.arenas import ACROSS, RADIUS, Arena, Tile, is_sound
from tests.games.figures import Laid, in_a_line, rules_of
from tests.support.engines import decks_of, engine_of, look_at_table, replay, walk, written_game

_HERE = Path(__file__).parent
_TILES = decks_of("advaya")["tiles"]
_FEW = ["1", "2", "8", "10", "16", "20", "24", "29", "31", "36", "43", "46"]
_GOALS = ("first-closed", "max-closed", "domination", "first-capture", "max-capture")
_OTHER = [
    {"goal": "max-closed", "stagnation": "invoked"},
    {"goal": "max-capture", "track": "since-progress"},
    {"goal": "domination", "gift": "all", "stuck": "end"},
    {"goal": "domination", "gift": "nothing"},
]
_GAMES = [*({"goal": goal} for goal in _GOALS), *_OTHER]


def advaya(tiles: Sequence[str] = (), **chosen: str) -> Advaya:
    """The engine for all tiles, or for those with these ids."""
    pieces = [piece for piece in _TILES if not tiles or piece.id in tiles]
    engine = make_engine(Advaya, {"tiles": pieces}, chosen)
    assert isinstance(engine, Advaya)
    return engine


@pytest.mark.parametrize("chosen", _GAMES, ids=lambda chosen: "-".join(chosen.values()))
def test_a_game_keeps_to_what_every_engine_must(chosen: dict[str, str]) -> None:
    engine = engine_of("advaya", **chosen)
    *_, end = states = list(walk(engine, 2))
    for state in (states[0], states[len(states) // 2], end):
        look_at_table(engine, state, decks_of("advaya"))
        assert len(engine.lay(state)) == len(_TILES)


@pytest.mark.parametrize("goal", _GOALS)
def test_a_written_game_stays_the_same(goal: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{goal}.txt", written_game(advaya(goal=goal), 7))


def test_a_written_game_with_the_rule_invoked_stays_the_same(golden: Golden) -> None:
    engine = advaya(_FEW, goal="domination", stagnation="invoked")
    golden(_HERE / "games" / "invoked.txt", written_game(engine, 7))


@pytest.mark.parametrize(
    ("name", "seed", "points", "winners"), [("both-close", 602, (4, 5), [1]), ("draw", 188, (4, 4), [0, 1])]
)
def test_a_move_may_close_for_both(
    name: str, seed: int, points: tuple[int, int], winners: list[int], golden: Golden
) -> None:
    """The higher value wins a game called First; equal ones are a draw."""
    engine = advaya()
    text = written_game(engine, seed)
    golden(_HERE / "games" / f"{name}.txt", text)
    *_, before, end = replay(engine, text)
    assert before.points == (0, 0)
    assert (end.points, engine.winners(end)) == (points, winners)


def test_perft(golden: Golden) -> None:
    """Turns in which a tile looks alike count once; no two tiles are equal."""
    lines = [f"all tiles: {count_paths(advaya(), 1)} {count_two(advaya())}"]
    for tiles in ("1 20", "1 2 8", "1 8 9"):
        engine = advaya(tiles.split())
        lines.append(f"tiles {tiles}: {' '.join(str(count_paths(engine, n)) for n in (1, 2, 3))}")
    golden(_HERE / "games" / "perft.txt", "\n".join(lines) + "\n")


def count_two(engine: Advaya) -> int:
    start = engine.start()
    return sum(len(engine.legal(engine.apply(start, move))) for move in engine.legal(start))


def test_perft_by_hand() -> None:
    """A face has as many black as white sides to lay at the start tile's three of each, in 18 ways
    if all its turns differ. Of two tiles each moves in turn: it goes where the other was laid, as
    seen from it, but does not stay."""
    for tile, turns in {"2": 2, "8": 3, "18": 3, "3": 6}.items():
        assert count_paths(advaya(["1", tile]), 1) == 2 * 18 * turns // 6
    assert [count_paths(advaya(["1", "20"]), n) for n in (1, 2, 3)] == [36, 36 * 35, 36 * 35**2]


def referee_of(engine: Advaya) -> Referee:
    rows = {piece.id: piece.row for piece in _TILES if piece.id in engine.ids}
    return Referee(rows, engine.goal, "1")


def tiles_to_move(engine: Advaya, state: AdvayaState) -> dict[str, SlideTile]:
    moves = (move for move in engine.legal(state) if isinstance(move, SlideTile))
    return {engine.write(state, move): move for move in moves}


def compare(engine: Advaya, seed: int, is_looked_at: Sequence[bool]) -> AdvayaState:
    """Plays a random game by both referees; the last state. The pattern says at which moves, over
    and over, the legal ones are compared."""
    second, rng, state = referee_of(engine), Random(seed), engine.start()
    while engine.turn(state) != OVER:
        assert "BW"[state.turn] == second.mover
        names = tiles_to_move(engine, state)
        if is_looked_at[state.moves % len(is_looked_at)]:
            assert set(names) == second.legal()
        assert is_sound(second.table.keys())
        name = rng.choice(sorted(names)) if names else "pass"
        second.play(name)
        state = engine.apply(state, names[name] if names else PASS)
        assert state.points == (second.points["B"], second.points["W"])
        assert closed(engine, state) == closed_by(second)
        assert second.is_won <= (engine.turn(state) == OVER)
    return state


def closed(engine: Advaya, state: AdvayaState) -> list[str]:
    return sorted(line for line in engine.show(state).splitlines() if line.startswith("closed"))


def closed_by(second: Referee) -> list[str]:
    lines = []
    for shape, value in second.closed.items():
        owner = {"B": "black", "W": "white"}[second.colour(shape)]
        where = " ".join(f"{x},{y}" for x, y in sorted({cell for cell, _ in shape}))
        lines.append(f"closed: {owner}, value {value}, on {where}")
    return sorted(lines)


@pytest.mark.parametrize("goal", _GOALS)
def test_a_second_referee_agrees(goal: str) -> None:
    """With a few tiles to the end, often shuffled about."""
    for seed in range(2):
        compare(advaya(_FEW, goal=goal), seed, [True, False, False])


@pytest.mark.parametrize("seed", range(2))
def test_a_second_referee_agrees_on_the_whole_set(seed: int) -> None:
    compare(advaya(goal="domination"), seed, [n in (1, 12, 27, 45) for n in range(100)])


def test_a_second_referee_counts_alike() -> None:
    engine = advaya(["1", "3", "8"])
    total = 0
    for name in referee_of(engine).legal():
        after = referee_of(engine)
        after.play(name)
        total += len(after.legal())
    assert total == count_paths(engine, 2)


def test_the_tile_that_was_just_moved_stays() -> None:
    engine = advaya(_FEW, goal="max-closed")
    for state in walk(engine, 4):
        names = {name.split()[1] for name in tiles_to_move(engine, state)}
        assert state.last < 0 or engine.names[state.last] not in names


def test_the_table_is_the_arena() -> None:
    """Its pieces lie on a lattice, colours match, and as many shapes are closed."""
    engine = advaya(goal="max-closed")
    *_, end = walk(engine, 6)
    arena = Arena([laid(piece) for piece in engine.lay(end)], uncut)
    assert len(arena.tiles) == len(_TILES)
    values = sorted(len([1 for at, _ in s if not arena.laid[at].is_back]) for s in arena.closed)
    assert values == sorted(shape.value for shape in end.closed)


def laid(piece: LaidPiece) -> Laid:
    x, y, turn = piece.x - RADIUS, piece.y - ACROSS / 2, round(piece.turn)
    return Laid(piece.piece, piece.side == "back", x, y, turn, False, piece.component)


def uncut(lying: Laid) -> Tile:
    (row,) = (piece.row for piece in _TILES if piece.id == lying.piece)
    prefix = "back_" if lying.is_back else ""
    found = cut(str(row[f"{prefix}segments"]), str(row[f"{prefix}sides"]), 0)
    areas = tuple(n for k in range(6) for n, own in enumerate(found.sides) if k in own)
    return Tile(areas, found.colours, set(), lambda _: 0)


def standing(engine: Advaya, moves: int = 1, idle: int = 0, track: int = NOT_IN_FORCE) -> AdvayaState:
    """A game in which two tiles lie, after so many moves."""
    start = engine.start()
    return replace(engine.apply(start, engine.legal(start)[0]), moves=moves, idle=idle, track=track)


def play_on(engine: Advaya, state: AdvayaState) -> list[AdvayaState]:
    """The states until the end, of the first move each time."""
    states = [state]
    while engine.turn(states[-1]) != OVER:
        states.append(engine.apply(states[-1], engine.legal(states[-1])[0]))
        assert len(states) < 99, "it does not end"
    return states


@pytest.mark.parametrize(("moves", "idle"), [(47, 3), (20, 11)])
def test_stagnation_ends_a_game_after_more_than_six_moves(moves: int, idle: int) -> None:
    """It comes into force after 48 moves, or 12 without progress. Two tiles never progress."""
    engine = advaya(["1", "20"])
    before = standing(engine, moves=moves, idle=idle)
    assert before.track == NOT_IN_FORCE
    first, *rest = play_on(engine, before)[1:]
    assert first.track == 0
    assert [state.track for state in rest] == [1, 2, 3, 4, 5, 6, 7]
    assert engine.winners(rest[-1]) == [0, 1]
    assert engine.facts(rest[-1])["ended by stagnation"] == 1


def test_stagnation_may_count_since_the_last_progress() -> None:
    engine = advaya(["1", "20"], track="since-progress")
    assert len(play_on(engine, standing(engine, moves=20, idle=11))) == 2
    tracks = [state.track for state in play_on(engine, standing(engine, moves=47, idle=3))]
    assert tracks == [NOT_IN_FORCE, 4, 5, 6, 7]


def test_progress_sets_the_track_back() -> None:
    engine = advaya(["1", "20", "8"])
    before = standing(engine, moves=60, track=5, idle=5)
    names = tiles_to_move(engine, before)
    lay, move = (next(names[n] for n in names if n.startswith(verb)) for verb in ("lay", "move"))
    assert engine.apply(before, lay).track == engine.apply(before, lay).idle == 0
    assert engine.apply(before, move).track == engine.apply(before, move).idle == 6


def test_a_seat_may_invoke_stagnation_and_moves_then() -> None:
    engine = advaya(["1", "20"], stagnation="invoked")
    assert INVOKE not in engine.legal(standing(engine, moves=47, idle=11))
    for state in (standing(engine, moves=48), standing(engine, moves=20, idle=12)):
        assert INVOKE in engine.legal(state)
        after = engine.apply(state, INVOKE)
        assert (after.turn, after.moves, after.track) == (state.turn, state.moves, 0)
        assert INVOKE not in engine.legal(after)
    assert len(play_on(engine, standing(engine))) == 1 + 48 + 7  # though nobody invokes it


def test_who_cannot_move_passes_and_two_passes_end_a_game() -> None:
    """Both tiles are pinned."""
    rules = in_a_line(rules_of("advaya"))
    assert "If you cannot, you pass, which is a move without progress. When both pass" in rules
    engine = advaya(["1", "20"])
    state = standing(engine)
    pin = ClosedShape(0, 0, frozenset((cell, 0) for cell, _ in state.arena))
    blocked = replace(state, closed=(pin,))
    assert engine.legal(blocked) == [PASS]
    passed = engine.apply(blocked, PASS)
    assert (passed.turn, passed.idle, passed.last) == (1 - state.turn, 1, -1)
    assert engine.turn(engine.apply(passed, PASS)) == OVER
    strict = advaya(["1", "20"], stuck="end")
    assert strict.turn(strict.apply(blocked, PASS)) == OVER


@pytest.mark.parametrize("goal", ["first-closed", "first-capture"])
def test_greedy_bots_close_what_wins(goal: str) -> None:
    engine = advaya(goal=goal)
    rng, state = Random(3), engine.start()
    while engine.turn(state) != OVER:
        moves = engine.legal(state)
        wins = [m for m in moves if engine.scores(engine.apply(state, m))[state.turn] > 0]
        move = choose_greedily(engine, state, moves, rng)
        assert not wins or move in wins
        state = engine.apply(state, move)
    assert len(engine.winners(state)) == 1


@pytest.mark.parametrize("tiles", [[], ["1", "8", "20"]], ids=["all", "few"])
@pytest.mark.parametrize("goal", ["max-closed", "max-capture"])
def test_what_a_tile_adds_to_the_promises_is_what_all_shapes_promise(goal: str, tiles: list[str]) -> None:
    """The worth of a state is found from that without the last tile."""
    engine = advaya(tiles, goal=goal)
    for state in walk(engine, 8):
        laid = {cell: engine.faces[face] for cell, face in state.arena}
        black, white = ArenaOutlook(laid, engine.first if goal == "max-capture" else None).promises
        lead = state.points[0] - state.points[1]
        if engine.turn(state) != OVER:
            assert engine.worth(state, 0) == pytest.approx(lead + (black - white) / 10)


def test_an_open_shape_promises_its_value_by_its_gaps() -> None:
    """The start tile alone: each half is a piece beside three empty cells."""
    engine = advaya()
    alone = engine.start()
    assert engine.worth(alone, 0) == 0
    laid = {cell: engine.faces[face] for cell, face in alone.arena}
    assert ArenaOutlook(laid, None).promises == (1 / 3, 1 / 3)


def changed(id_: str, **cells: str) -> list[Piece]:
    return [replace(piece, row={**piece.row, **cells}) if piece.id == id_ else piece for piece in _TILES]


_FAULTS: dict[str, tuple[Decks, str]] = {
    "no tiles": ({}, "there is no component 'tiles'"),
    "no start": ({"tiles": _TILES[1:]}, "there is no start tile"),
    "one tile": ({"tiles": _TILES[:1]}, "there is only the start tile"),
    "colours": ({"tiles": changed("5", sides="BWX")}, "sides is 'BWX'"),
    "line": ({"tiles": changed("5", back_segments="0-9")}, "5: '0-9' is not a line of a tile"),
    "area": ({"tiles": changed("5", segments="0-2 0-4 2-4")}, "an area has no whole side"),
    "two colours": ({"tiles": changed("6", sides="BWBBWW")}, "sides of one area differ"),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_a_deck_that_cannot_be_played_is_told(fault: str) -> None:
    decks, message = _FAULTS[fault]
    with pytest.raises(PnpError, match=message) as caught:
        make_engine(Advaya, decks, {})
    assert len(caught.value.problems) == 1


def test_every_fault_of_a_deck_is_told() -> None:
    pieces = [*changed("5", sides="BWX", back_segments="0-9")[1:], *changed("6", segments="0-6")]
    with pytest.raises(PnpError) as caught:
        make_engine(Advaya, {"tiles": [piece for piece in pieces if piece.id != "1"]}, {})
    told = [str(problem.what) for problem in caught.value.problems]
    assert [words[:12] for words in told] == ["there is no ", "sides is 'BW", "5: '0-9' is ", "6 cannot be "]


def test_copies_of_a_tile_are_told_apart() -> None:
    engine = make_engine(Advaya, {"tiles": [*_TILES[:2], _TILES[1]]}, {})
    names = {engine.write(engine.start(), move).split()[1] for move in engine.legal(engine.start())}
    assert names == {"2", "2#2"}


def test_a_changed_deck_is_played_as_it_is() -> None:
    """Twice the few tiles, one without lines, one whose back is like its front."""
    few = [piece for piece in _TILES if piece.id in _FEW]
    row = few[3].row
    backed = {**row, "back_segments": row["segments"], "back_sides": row["sides"]}
    blank = {"name": "blank", "segments": "", "sides": "W" * 6, "back_segments": ""}
    odd = [replace(few[3], id="alike", row=backed), replace(few[3], id="blank", row={**blank, "back_sides": "B" * 6})]
    deck = {"tiles": [*few, *few[1:], *odd]}
    engine = make_engine(Advaya, deck, {"goal": "domination"})
    for state in walk(engine, 1):
        look_at_table(engine, state, deck)


def test_a_tile_without_lines_is_worth_nothing_and_played() -> None:
    blank = replace(_TILES[5], id="blank", row={**_TILES[5].row, "segments": "", "sides": "BBBBBB"})
    engine = make_engine(Advaya, {"tiles": [_TILES[0], blank]}, {})
    assert isinstance(engine, Advaya)
    assert sum(face.side == "front" for face in engine.faces if face.tile == 1) == 1
    assert not any(face.is_blue for face in engine.faces if face.tile == 1)
