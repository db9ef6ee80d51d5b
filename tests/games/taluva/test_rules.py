"""Each rule of Taluva in positions made for it: the examples of the published rules, what our
rulebook reads into them, and all ends of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.games.taluva.island import TaluvaState, find_settlements
from generator.games.taluva.play import Taluva
from generator.model import Piece
from generator.play.engine import CHANCE, OVER, make_engine
from tests.games.taluva.positions import after, hex_named, moves_in, position, taluva
from tests.support.engines import decks_of, written_game

# A volcano that points south. Where it can point south-west, a tile covers -1,1 and -1,0.
LAND = "0,0 south; 0,1 sand; -1,1 sand; -1,2 sand; -1,0 jungle; -2,0 jungle; 0,-1 lake; -2,1 rock"
NOTHING = (0, 0, 0)
ERUPTION = "erupt 0,0 south-west"


@pytest.mark.parametrize(
    ("land", "built", "is_allowed"),
    [
        (LAND, "", True),
        # Three things must be true of the tile.
        (LAND.replace("0,0 south", "0,0 south-west"), "", False),
        (LAND.replace("0,0 south", "0,0 jungle"), "", False),
        (LAND.replace("-1,0 jungle", "-1,0 jungle 2"), "", False),
        (LAND.replace("0,0 south", "0,0 south 2"), "", False),
        (LAND.replace("-1,0 jungle; ", ""), "", False),
        (LAND.replace("-1,0 jungle", "-1,0 north"), "", True),
        (LAND.replace("-1,0 jungle", "-1,0 north").replace("-1,1 sand", "-1,1 north"), "", True),
        # Huts may be covered, one's own and others', but no whole settlement.
        (LAND, "-1,0 hut; -2,0 hut", True),
        (LAND, "-1,0 hut 2; -2,0 hut 2", True),
        (LAND, "-1,0 hut", False),
        (LAND, "-1,0 hut 2", False),
        (LAND, "-1,0 hut; -1,1 hut", False),
        (LAND, "-1,0 hut; -1,1 hut; -1,2 hut", True),
        (LAND, "-1,0 hut; -2,0 temple", True),
        # Of several settlements, each must keep something.
        (LAND, "-1,0 hut; -2,0 hut; -1,1 hut 2", False),
        (LAND, "-1,0 hut; -2,0 hut; -1,1 hut 2; -1,2 hut 2", True),
        (LAND, "-1,0 hut; -1,1 hut 2; -2,1 hut 2", False),
        # Never a temple or a tower.
        (LAND, "-1,0 temple; -2,0 hut", False),
        (LAND, "-1,1 tower; -1,2 hut; -1,0 hut; -2,0 hut", False),
        (LAND, "-1,2 tower; -2,0 temple", True),
    ],
)
def test_what_lava_may_bury(land: str, built: str, is_allowed: bool) -> None:
    engine = taluva()
    state = position(engine, land, built, drawn="rock-lake")
    assert (ERUPTION in moves_in(engine, state)) == is_allowed


def test_an_eruption_buries_huts_and_divides_settlements() -> None:
    engine = taluva()
    state = position(engine, LAND, "-2,0 hut; -1,0 hut; 0,-1 hut", drawn="rock-lake")
    assert len(find_settlements(state.built)) == 1
    state = after(engine, state, ERUPTION)
    assert len(find_settlements(state.built)) == 2
    assert state.used[0] == (3, 0, 0)
    assert engine.facts(state)["huts buried"] == 1
    land = dict(state.land)
    level, direction = land[hex_named("0,0")]
    assert (level, direction) == (2, ~2)
    # Clockwise from the volcano: the right field, then the left.
    fields = [land[hex_named(name)] for name in ("-1,1", "-1,0")]
    assert [(level, engine.terrains[terrain]) for level, terrain in fields] == [(2, "lake"), (2, "rock")]


def test_several_huts_on_a_field_are_buried_together() -> None:
    engine = taluva()
    land = "0,0 south 2; -1,1 sand 2; -1,0 jungle 2; -2,0 jungle; 0,1 sand"
    state = position(engine, land, "-1,0 hut; -2,0 hut", drawn="rock-lake")
    state = after(engine, state, ERUPTION)
    assert engine.facts(state)["huts buried"] == 2


def test_a_tile_beside_the_island_touches_with_a_side() -> None:
    engine = taluva()
    state = position(engine, "0,0 south; 0,1 sand; -1,1 sand", drawn="rock-lake")
    places = moves_in(engine, state)
    assert {"place 1,-1 north", "place 1,0 north-east", "place 0,2 south"} <= places
    assert not {"place 2,-1 north-east", "place 0,0 north", "place 0,3 south"} & places
    assert len(places) == 72


@pytest.mark.parametrize(
    ("land", "built", "moves"),
    [
        # Huts: level 1, beside none of one's own, never on a volcano.
        ("0,0 sand; 1,0 south; 2,0 sand 2; 3,0 lake", "", {"hut 0,0", "hut 3,0"}),
        ("0,0 sand; 1,0 sand; 2,0 lake", "0,0 hut", {"hut 2,0", "expand sand 1,0"}),
        ("0,0 sand; 1,0 sand", "0,0 hut 2", {"hut 1,0"}),
        ("0,0 sand; 1,0 sand", "0,0 temple", {"expand sand 1,0"}),
        # Towers: level 3 and more, beside a settlement without a tower.
        ("0,0 sand; 1,0 lake 2", "0,0 hut", {"expand lake 1,0"}),
        ("0,0 sand; 1,0 lake 3", "0,0 hut", {"expand lake 1,0", "tower 1,0"}),
        ("0,0 sand; 1,0 lake 4", "0,0 hut", {"expand lake 1,0", "tower 1,0"}),
        ("0,0 sand 3; 1,0 lake 3", "0,0 tower", {"expand lake 1,0"}),
        ("0,0 sand 3; 1,0 lake 3; 2,0 sand", "0,0 tower; 2,0 hut", {"expand lake 1,0", "tower 1,0"}),
        ("0,0 sand; 1,0 lake 3", "0,0 hut 2", set()),
        # Temples: any level, beside a settlement of three fields without a temple.
        ("0,0 sand; 1,0 sand; 2,0 lake", "0,0 hut; 1,0 hut", {"expand lake 2,0"}),
        ("0,0 sand 3; 1,0 sand 2; 2,0 lake", "0,0 hut; 1,0 hut", {"expand lake 2,0"}),
        ("0,0 sand; 1,0 sand 2; 2,0 sand; 3,0 lake 2", "0,0 hut; 1,0 hut; 2,0 hut", {"temple 3,0", "expand lake 3,0"}),
        ("0,0 sand; 1,0 sand; 2,0 sand; 3,0 lake", "0,0 hut; 1,0 temple; 2,0 hut", {"expand lake 3,0"}),
        # Expansions: every empty field of one terrain beside one settlement, huts as the level.
        (
            "0,0 sand; 1,0 lake; 0,1 lake 2; -1,0 lake; -2,0 lake; 1,-1 south; 0,-1 rock",
            "0,0 hut; -1,0 hut 2",
            {"hut -2,0", "expand lake 1,0 0,1", "expand rock 0,-1"},
        ),
        # Of two settlements, each its own; what leads to the same is one move.
        ("0,0 sand; 1,0 lake; 2,0 sand; 3,0 lake", "0,0 hut; 2,0 hut", {"expand lake 1,0", "expand lake 1,0 3,0"}),
        ("0,0 sand; 1,0 lake; 2,0 sand", "0,0 hut; 2,0 hut", {"expand lake 1,0"}),
    ],
)
def test_what_may_be_built(land: str, built: str, moves: set[str]) -> None:
    engine = taluva()
    assert moves_in(engine, position(engine, land, built)) == moves


def test_all_pieces_are_needed() -> None:
    """For a temple, a tower, and every field of an expansion."""
    engine = taluva()
    land = "0,0 sand; 1,0 sand; 2,0 sand; 3,0 lake 3; 2,1 lake"
    built = "0,0 hut; 1,0 hut; 2,0 hut"
    state = position(engine, land, built, used=((16, 0, 0), (0, 0, 0)))
    all_moves = {"temple 3,0", "temple 2,1", "tower 3,0", "expand lake 3,0 2,1"}
    assert moves_in(engine, state) == all_moves
    for used, missing in (((17, 0, 0), "expand"), ((16, 3, 0), "temple"), ((16, 0, 2), "tower")):
        left = moves_in(engine, replace(state, used=(used, (0, 0, 0))))
        assert left == {move for move in all_moves if not move.startswith(missing)}
    assert not moves_in(engine, replace(state, used=((20, 3, 2), (0, 0, 0))))


def test_settlements_that_grow_together_keep_both_temples() -> None:
    engine = taluva()
    land = "0,0 sand 3; 1,0 sand 3; 2,0 sand; 3,0 lake; 4,0 sand; 5,0 sand; 6,0 sand 3; 7,0 rock 3"
    built = "0,0 temple; 1,0 tower; 2,0 hut; 4,0 hut; 5,0 temple; 6,0 tower"
    state = position(engine, land, built, used=((5, 2, 2), (0, 0, 0)))
    state = after(engine, state, "expand lake 3,0")
    (one,) = find_settlements(state.built)
    assert len(one.fields) == 7
    assert state.used[0] == (6, 2, 2)
    assert moves_in(engine, replace(state, turn=0, seat=0)) == {"expand rock 7,0"}


def test_who_cannot_build_is_out_and_the_last_one_wins() -> None:
    engine = taluva()
    state = position(engine, LAND, used=((20, 0, 2), (0, 3, 1)), drawn="rock-lake")
    state = after(engine, state, "place 0,2 south")
    assert (state.turn, state.out) == (OVER, (0,))
    assert engine.facts(state)["ends with one side left"] == 1
    assert engine.winners(state) == [1]
    assert engine.scores(state) == [0, 30100]
    assert engine.places(state) == [2, 1]


def test_turns_of_who_is_out_are_skipped() -> None:
    engine = taluva(players="3")
    used = ((20, 0, 0), (0, 0, 0), (0, 0, 0))
    state = position(engine, LAND, "-1,0 hut", used=used, drawn="rock-lake")
    state = after(engine, state, "place 0,2 south")
    assert (state.turn, state.seat, state.out) == (CHANCE, 1, (0,))
    assert dict(state.built) == {hex_named("-1,0"): (0, 0)}
    state = after(engine, state, "draw sand-lake", "place 0,4 south", "hut -2,0")
    assert state.seat == 2
    state = after(engine, state, "draw sand-rock", "place 0,6 south", "hut 0,1")
    assert state.seat == 1


def test_a_first_tile_needs_no_place() -> None:
    engine = taluva()
    state = after(engine, engine.start(), "draw jungle-lake")
    assert moves_in(engine, state) == {"place 0,0 south"}
    state = after(engine, state, "place 0,0 south")
    assert moves_in(engine, state) == {"hut 0,1", "hut -1,1"}


def last_turn(engine: Taluva, *used: tuple[int, int, int], **changes: Any) -> TaluvaState:
    """The end of a game in which the first seat adds a hut in the last turn."""
    state = position(engine, LAND, used=used, left=0, **changes)
    return after(engine, state, "hut 0,1")


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        ((4, 2, 0), (19, 1, 2), [0]),
        ((19, 1, 1), (0, 2, 0), [1]),
        ((4, 1, 1), (19, 1, 0), [0]),
        ((4, 1, 1), (4, 1, 1), [0]),
        ((3, 1, 1), (5, 1, 1), [1]),
        ((4, 1, 1), (5, 1, 1), [0, 1]),
    ],
)
def test_temples_then_towers_then_huts(
    first: tuple[int, int, int], second: tuple[int, int, int], winners: list[int]
) -> None:
    """Of huts all that were placed count: here all but one are buried."""
    engine = taluva()
    end = last_turn(engine, first, second)
    assert end.turn == OVER
    assert engine.winners(end) == winners


def test_who_places_the_last_tile_still_builds() -> None:
    engine = taluva()
    state = position(engine, LAND, left=1, turn=CHANCE)
    state = after(engine, state, "draw rock-lake", "place 0,2 south")
    assert (state.turn, state.left) == (0, 0)
    end = after(engine, state, "hut 0,3")
    assert (end.turn, engine.facts(end)["ends with the last tile"]) == (OVER, 1)


def test_the_game_can_stop_at_the_last_tile() -> None:
    engine = taluva(last="stops")
    state = position(engine, LAND, left=1, turn=CHANCE, used=((0, 1, 0), (0, 0, 0)))
    state = after(engine, state, "draw rock-lake", "place 0,2 south")
    assert (state.turn, engine.winners(state)) == (OVER, [0])


@pytest.mark.parametrize(
    ("used", "has_won"), [((19, 3, 0), True), ((19, 0, 2), True), ((18, 3, 0), False), ((19, 2, 1), False)]
)
def test_two_kinds_used_up_win_at_once(used: tuple[int, int, int], has_won: bool) -> None:
    engine = taluva()
    state = position(engine, LAND, used=(used, (0, 2, 1)))
    state = after(engine, state, "hut 0,1")
    assert (state.turn == OVER) == has_won
    assert engine.facts(state)["ends with two kinds used up"] == has_won
    if has_won:
        assert engine.winners(state) == [0]


def test_temples_and_towers_win_too() -> None:
    engine = taluva()
    built = "0,0 hut; 1,0 hut; 2,0 hut"
    land = "0,0 sand; 1,0 sand; 2,0 sand; 3,0 lake"
    state = position(engine, land, built, used=((3, 2, 2), (19, 3, 1)))
    assert engine.winners(after(engine, state, "temple 3,0")) == [0]


@pytest.mark.parametrize(
    ("used", "partner", "has_won"),
    [
        ((19, 3, 0), (0, 0, 0), False),
        ((19, 3, 0), (0, 3, 0), True),
        ((19, 3, 0), (20, 0, 0), True),
        ((19, 0, 0), (0, 3, 2), True),
        ((19, 0, 0), (0, 3, 1), False),
    ],
)
def test_a_team_needs_two_kinds_and_one(
    used: tuple[int, int, int], partner: tuple[int, int, int], has_won: bool
) -> None:
    engine = taluva(players="4", teams="yes")
    state = position(engine, LAND, used=(used, NOTHING, partner, NOTHING))
    state = after(engine, state, "hut 0,1")
    assert (state.turn == OVER) == has_won
    if has_won:
        assert engine.winners(state) == [0, 2]
        assert engine.places(state) == [1, 2, 1, 2]


def test_teams_add_up_their_buildings() -> None:
    engine = taluva(players="4", teams="yes")
    end = last_turn(engine, (4, 1, 0), (0, 2, 0), (0, 1, 0), (0, 0, 2))
    assert engine.scores(end) == [20005, 20200, 20005, 20200]
    assert engine.tell(20105) == "2 temples, 1 tower, 5 huts"
    assert engine.winners(end) == [1, 3]


@pytest.mark.parametrize(("partner", "winners"), [("lost", [1, 3]), ("counts", [0, 2])])
def test_a_partner_who_is_out(partner: str, winners: list[int]) -> None:
    engine = taluva(players="4", teams="yes", partner=partner)
    end = last_turn(engine, (4, 1, 0), (0, 2, 0), (0, 2, 0), NOTHING, out=(2,))
    assert engine.winners(end) == winners
    used = ((19, 3, 0), NOTHING, (0, 3, 0), NOTHING)
    state = after(engine, position(engine, LAND, used=used, out=(2,)), "hut 0,1")
    assert (state.turn == OVER) == (partner == "counts")


def test_a_team_plays_on_until_both_are_out() -> None:
    engine = taluva(players="4", teams="yes")
    used = ((20, 0, 0), NOTHING, NOTHING, NOTHING)
    state = position(engine, LAND, used=used, drawn="rock-lake")
    assert after(engine, state, "place 0,2 south").seat == 1
    end = after(engine, replace(state, out=(2,)), "place 0,2 south")
    assert (end.turn, end.out, engine.winners(end)) == (OVER, (2, 0), [1, 3])


def test_all_others_play_for_places() -> None:
    engine = taluva(players="4", end="places")
    used = ((19, 3, 0), (20, 0, 0), (1, 0, 0), (1, 1, 0))
    state = after(engine, position(engine, LAND, used=used), "hut 0,1")
    assert (state.turn, state.seat, state.done) == (CHANCE, 1, (0,))
    state = after(engine, state, "draw rock-lake", "place 0,2 south")
    assert (state.turn, state.seat, state.out) == (CHANCE, 2, (1,))
    assert engine.places(state) == [1, 4, 3, 2]
    state = replace(state, used=(*used[:2], (20, 0, 0), used[3]))
    end = after(engine, state, "draw sand-lake", "place 0,4 south")
    assert (end.turn, end.out) == (OVER, (1, 2))
    assert engine.places(end) == [1, 4, 3, 2]
    assert engine.winners(end) == [0]


def test_equals_share_a_place() -> None:
    engine = taluva(players="4", end="places")
    end = last_turn(engine, (3, 1, 0), (4, 1, 0), (0, 2, 0), (0, 0, 1))
    assert engine.places(end) == [2, 2, 1, 4]


@pytest.mark.parametrize(
    ("game", "players", "tiles", "drawn"),
    [
        ("taluva", "2", "share", 24),
        ("taluva", "3", "share", 36),
        ("taluva", "4", "share", 48),
        ("taluva", "2", "all", 48),
        ("taluva-60", "2", "share", 30),
        ("taluva-60", "3", "share", 45),
        ("taluva-60", "4", "share", 60),
    ],
)
def test_tiles_of_a_game(game: str, players: str, tiles: str, drawn: int) -> None:
    assert taluva(game, players=players, tiles=tiles).start().left == drawn


def changed(**decks: Sequence[Piece]) -> Taluva:
    engine = make_engine(Taluva, {**decks_of("taluva"), **decks}, {})
    assert isinstance(engine, Taluva)
    return engine


def test_a_changed_deck_is_played_as_it_is() -> None:
    decks = decks_of("taluva")
    boggy = [
        replace(piece, row={**piece.row, "left": "bog"}) if piece.id == "lake-lake" else piece
        for piece in decks["tiles"][8:]
    ]
    engine = changed(tiles=boggy, huts=[hut for i, hut in enumerate(decks["huts"]) if i % 2])
    assert (engine.drawn, engine.pools[0]) == (20, (10, 3, 2))
    assert "bog" in engine.terrains
    assert written_game(engine, 1)


def test_a_deck_that_cannot_be_played_is_told() -> None:
    decks = decks_of("taluva")
    bare = [replace(piece, row={**piece.row, "right": ""}) for piece in decks["tiles"][:3]]
    with pytest.raises(PnpError) as bare_tiles:
        changed(tiles=bare, towers=[])
    assert [problem.what for problem in bare_tiles.value.problems] == [
        "jungle-jungle has no right field",
        "jungle-clearing has no right field",
        "'red' has 0 towers, its engine needs 1 to 24",
        "'brown' has 0 towers, its engine needs 1 to 24",
    ]
    with pytest.raises(PnpError, match="2 players need huts of 2 colours, there are 1"):
        changed(huts=decks["huts"][:20])
    with pytest.raises(PnpError, match="a game needs more tiles than 1"):
        changed(tiles=decks["tiles"][:1])
    with pytest.raises(PnpError, match="there is no component 'temples'"):
        make_engine(Taluva, {key: decks[key] for key in ("tiles", "huts", "towers")}, {})


def test_options_that_do_not_go_together_are_told() -> None:
    with pytest.raises(PnpError, match="3 players cannot play as two teams"):
        taluva(players="3", teams="yes")
    with pytest.raises(PnpError, match="teams do not play for places"):
        taluva(players="4", teams="yes", end="places")
