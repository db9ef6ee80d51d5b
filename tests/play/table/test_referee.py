"""A table with rules: only legal moves are made, bots play, nobody sees what is hidden."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.pipeline import tabling
from generator.pipeline.tabling import refereed_table
from generator.play.engine import OVER
from generator.play.table.referee import RefereedTable
from tests.play.table.messages import read_game
from tests.support.declared import declared_types, misfits


@cache
def made(game: str, bots: str, rules: str = "") -> RefereedTable:
    chosen = dict([rules.split("=")]) if rules else {}
    return refereed_table(game, bots.split(","), chosen)


def table_of(game: str, bots: str = "greedy", rules: str = "") -> RefereedTable:
    """A table at the beginning, with nobody at it and chance that is always the same."""
    table = made(game, bots, rules)
    table._visitors.clear()
    table._random = Random(5)
    table._begin()
    table._go_on()
    table._moves.clear()
    return table


class Player:
    """A browser at a seat."""

    def __init__(self, table: RefereedTable, seat: int | None = 0) -> None:
        self.table = table
        self.token = table.enter(table.key)
        self.stream = table.listen(self.token)
        if seat is not None:
            self.act(do="sit", seat=seat)

    def act(self, **message: Any) -> None:
        self.table.act(self.token, json.dumps(message).encode())

    def sees(self) -> dict[str, Any]:
        return self.table._describe(self.table._visitors[self.token])

    def moves(self) -> list[dict[str, Any]]:
        moves: list[dict[str, Any]] = self.sees()["played"]["moves"]
        return moves

    def play_on(self, rng: Random) -> int:
        """Plays at random to the end; how many choices that took."""
        choices = 0
        while moves := self.moves():
            self.act(do="play", move=rng.choice(moves)["name"])
            choices += 1
        return choices


def test_a_game_against_a_bot_ends_and_is_counted() -> None:
    table = table_of("talavera")
    player = Player(table)
    assert player.sees()["seats"][1] == {"name": "Seat 2 (greedy)", "cards": 0, "isTaken": True}
    assert player.play_on(Random(1)) > 8
    assert table._engine.turn(table._state) == OVER
    told = player.sees()["told"]
    assert told[-1].startswith("The game is over. Seat ")
    assert player.sees()["played"]["turn"] == told[-1]
    assert any(line.startswith("Seat 2: take ") for line in told)
    with pytest.raises(PnpError, match="the game is over"):
        player.act(do="play", move="take 1")


def test_what_is_not_legal_is_refused_and_says_why() -> None:
    player = Player(table_of("talavera"))
    before = player.sees()
    hand = before["stacks"][-1]
    refused = {
        "the rules do not allow 'take 99' now": {"do": "play", "move": "take 99"},
        "make one of the moves below": {"do": "shuffle", "id": hand["id"]},
        "Seat 2 is played by a bot": {"do": "sit", "seat": 1},
        "the last choice is not yours": {"do": "undo"},
        "the rules do not allow that": {"do": "move", "id": hand["id"], "x": 1, "y": 1},
    }
    for why, message in refused.items():
        with pytest.raises(PnpError, match=why):
            player.act(**message)
    assert player.sees()["stacks"] == before["stacks"]
    guest = Player(player.table, None)
    with pytest.raises(PnpError, match="you have no seat"):
        guest.act(do="play", move=player.moves()[0]["name"])


def test_who_asks_is_told_why_a_piece_may_not_lie_there() -> None:
    """Nothing is done, and the others are not told."""
    player = Player(table_of("taluva", "random"))
    while not any(it["name"].startswith("erupt") for it in player.moves()):
        player.act(do="play", move=player.moves()[0]["name"])
    before = player.sees()
    tile = before["stacks"][-1]
    for why, away in {"It must touch the island.": 900.0, "must be of one level|volcano": 0.0}.items():
        x, y = (away, away) if away else (before["stacks"][0][name] for name in "xy")
        with pytest.raises(PnpError, match=why):
            player.act(do="why", id=tile["id"], x=x, y=y, turn=60)
    with pytest.raises(PnpError, match="no legal move puts it there"):
        player.act(do="why", id=None, set=99, x=0, y=0)
    with pytest.raises(PnpError, match="you have no seat"):
        Player(player.table, None).act(do="why", id=tile["id"])
    assert player.sees()["stacks"] == before["stacks"]


def test_no_reason_tells_what_the_seat_does_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of("toripoka", "people")
    player = Player(table, table._engine.turn(table._state))
    id_ = player.sees()["stacks"][0]["id"]
    monkeypatch.setattr(type(table._engine), "why", lambda *_: "It is an ace.", raising=True)
    with pytest.raises(PnpError, match="It is an ace"):
        player.act(do="why", id=id_)
    monkeypatch.setattr(type(table._engine), "why", lambda _, state, __: f"The stock begins with {state.rest[0]}.")
    with pytest.raises(PnpError, match="no legal move puts it there"):
        player.act(do="why", id=id_)


@pytest.mark.parametrize("game", ["talavera", "toripoka", "taluva", "advaya", "atreya"])
def test_every_icon_of_a_counter_is_a_picture(game: str) -> None:
    table = made(game, "people")
    counted = table._describe_counters(0)
    named = [it[3] for it in table._engine.counters(table._state, 0) if len(it) > 3]
    assert named
    icons = [it["icon"] for it in counted if "icon" in it]
    assert len(icons) == len(named)
    for icon in icons:
        assert icon["face"] in {face.id for face in (*table.supply.faces, *table.supply.icons.values())}
    assert table._find_icon("no such art") == {}


def test_people_move_in_turn() -> None:
    table = table_of("talavera", "people")
    players = [Player(table, seat) for seat in (0, 1)]
    turn = table._engine.turn(table._state)
    other = players[1 - turn]
    assert other.moves() == []
    assert other.sees()["played"]["turn"] == f"Seat {turn + 1}’s turn: turn two cards over."
    with pytest.raises(PnpError, match=f"it is the turn of Seat {turn + 1}"):
        other.act(do="play", move=players[turn].moves()[0]["name"])


@pytest.mark.parametrize(
    ("game", "move", "takes", "puts"),
    [
        ("talavera", "flip ", 2, 0),  # a piece that is turned over stays
        ("talavera", "take ", 0, 1),  # though the others make room
        ("talavera", "place ", 0, 2),
        ("toripoka", "lay ", 0, 1),
        ("toripoka", "fold ", 0, 0),
        ("taluva", "place ", 0, 1),
        ("taluva", "erupt ", 0, 1),  # though huts are buried
        ("taluva", "hut ", 0, 1),
        ("advaya", "lay ", 0, 1),
        ("atreya", "play at ", 0, 1),  # a place for any tile
        ("atreya", "lift ", 1, 0),
        ("atreya", "lay ", 0, 1),
    ],
)
def test_a_move_tells_what_it_takes_and_puts(game: str, move: str, takes: int, puts: int) -> None:
    player, rng = Player(table_of(game, "random")), Random(7)
    for _ in range(60):
        played = player.sees()["played"]
        wanted = [it for it in played["moves"] if it["name"].startswith(move)]
        if wanted:
            break
        player.act(do="play", move=rng.choice(played["moves"])["name"])
    assert wanted
    lying = {stack["id"] for stack in player.sees()["stacks"]}
    for it in wanted:
        looks = [played["looks"][played["spots"][put][0]] for put in it["puts"]]
        assert (len(it["takes"]), len(looks)) == (takes, puts), it["name"]
        assert {*it["takes"], *(look["id"] for look in looks)} <= {*lying, None}


def test_of_equal_tiles_the_drawn_one_is_laid() -> None:
    player, rng = Player(table_of("taluva", "random")), Random(7)
    equal = 0
    while moves := player.moves():
        sees = player.sees()
        drawn, looks = sees["stacks"][-1], sees["played"]["looks"]
        if looks[0]["id"] is not None:
            assert [look["id"] for look in looks] == [drawn["id"]]
            equal += sum(stack["face"] == drawn["face"] for stack in sees["stacks"]) > 1
        player.act(do="play", move=rng.choice(moves)["name"])
    assert equal


def test_a_choice_that_is_taken_back_is_followed_by_the_same_cards() -> None:
    player = Player(table_of("talavera", "random"))
    for number in range(12):
        before = player.sees()["stacks"], player.moves()
        player.act(do="play", move=player.moves()[0]["name"])
        after = player.sees()["stacks"], player.moves()
        player.act(do="undo")
        assert player.sees()["told"][-1] == "Seat 1 takes the last choice back"
        assert (player.sees()["stacks"], player.moves()) == before
        player.act(do="play", move=player.moves()[0]["name"])
        assert (player.sees()["stacks"], player.moves()) == after, number
    player.act(do="restart")
    assert not player.sees()["canUndo"]


def test_only_whoever_made_the_last_choice_takes_it_back() -> None:
    table = table_of("talavera", "people")
    first, other, guest = Player(table), Player(table, 1), Player(table, None)
    chooser = first if first.moves() else other
    chooser.act(do="play", move=chooser.moves()[0]["name"])
    for player in ({first, other} - {chooser}).pop(), guest:
        assert not player.sees()["canUndo"]
        with pytest.raises(PnpError, match="the last choice is not yours"):
            player.act(do="undo")
    chooser.act(do="undo")
    assert not chooser.sees()["canUndo"]


@pytest.mark.parametrize(
    ("game", "games", "choices"),
    [("talavera", 6, 99), ("toripoka", 1, 12), ("taluva", 1, 8), ("advaya", 1, 3), ("atreya", 1, 4)],
)
def test_no_message_tells_what_its_seat_may_not_see(game: str, games: int, choices: int) -> None:
    """`python -m tests.play.table.messages` reads a thousand whole games."""
    for seed in range(games):
        read, faults = read_game(made(game, "people"), game, seed, choices)
        assert not faults
        assert read >= 3 * min(choices, 20)


def test_the_log_does_not_tell_what_a_hand_holds() -> None:
    player = Player(table_of("toripoka", "random"))
    player.play_on(Random(4))
    told = player.sees()["told"]
    table = player.table
    moves = [move for move in table._moves if not isinstance(move, str)]
    other = [move for move in moves if move.words.startswith("Seat 2: ")]
    assert any("face down" in move.words and move.tell(0) == "Seat 2 moves" for move in other)
    assert not any(line.startswith("Seat 2: lay") for line in told)
    assert [move.tell(0) for move in moves if move not in other] == [move.words for move in moves if move not in other]
    assert len(other) < len(moves)


def test_a_german_table_says_what_the_rules_say_in_german() -> None:
    engine = refereed_table("talavera", ["random"], {}, "de")
    player = Player(engine)
    seen = player.sees()
    assert seen["played"]["turn"] in ("Sie sind am Zug: zwei Karten umdrehen.", "Sie sind am Zug: eine Karte nehmen.")
    player.act(do="play", move=player.moves()[0]["name"])
    assert all(line.startswith(("Platz ", "Ein Gast ")) for line in player.sees()["told"])
    assert {"Gelb", "Karten im Stapel", "Punkte"} <= {it["label"] for it in seen["played"]["counters"]}


def test_what_lies_face_down_has_no_name_and_an_id_that_tells_nothing() -> None:
    """Whatever an engine says lies there; it need not say which piece it is."""
    table = Player(table_of("toripoka", "random")).table
    down = next(it for it in table._lay(0) if it.side == "back")
    pieces = [id_ for component, id_ in table._pieces if component == down.component]
    laid = [replace(down, piece=id_) for id_ in ["", *pieces]]
    assert len({table._number([it])[0] for it in laid}) == 1
    shown = [table._show_piece(it, table._frame(None)) for it in laid]
    assert {str(it["name"]) for it in shown} == {""}
    assert len({str(it["face"]) for it in shown}) == 1
    blank = replace(down, component="large", piece="")  # of those without backs
    assert table._number([blank])[0] != table._number([down])[0]
    assert table._show_piece(blank, table._frame(None))["face"] is None
    up = [replace(down, piece=id_, side="front") for id_ in pieces]
    assert len({table._number([it])[0] for it in up}) == len(pieces)


@pytest.mark.parametrize("game", ["talavera", "toripoka"])
def test_every_piece_has_an_id_of_its_own(game: str) -> None:
    player = Player(table_of(game, "random"))
    player.play_on(Random(2))
    ids = [stack["id"] for stack in player.sees()["stacks"]]
    assert len(set(ids)) == len(ids)
    assert len(ids) > 5


def test_what_is_told_is_declared() -> None:
    player = Player(table_of("talavera"))
    declared = declared_types("generator.play.table")
    assert list(misfits(declared, player.sees(), "State")) == []
    assert list(misfits(declared, json.loads(player.table.supply_text()), "Supply")) == []


@pytest.mark.parametrize(
    ("game", "bots", "rules", "why"),
    [
        ("talavera", ["gready"], {}, "there is no such bot"),
        ("talavera", ["greedy", "greedy"], {}, "there are 2 bots for 1 other seats"),
        ("talavera", ["greedy"], {"players": "7"}, "players cannot be '7'"),
        ("talavera", ["greedy"], {"x": "7"}, "there is no option 'x'"),
        ("./tests/templates/quest", ["greedy"], {}, "the game has no rules as code"),
    ],
)
def test_nonsense_gets_one_message(
    game: str, bots: list[str], rules: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the pieces look."""
    monkeypatch.setattr(tabling, "make_supply", lambda *_: None)
    monkeypatch.setattr(tabling, "draw", lambda *_: {})
    monkeypatch.setattr(tabling, "_rules", lambda *_: [])
    with pytest.raises(PnpError, match=why) as caught:
        refereed_table(game, bots, rules)
    assert len(caught.value.problems) == 1
