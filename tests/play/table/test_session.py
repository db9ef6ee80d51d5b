"""A table that visitors share: their seats, what they are sent, and the history."""

from __future__ import annotations

import json
from pathlib import Path
from queue import Empty
from typing import Any

import pytest

from generator.basics.errors import PnpError
from generator.play.table import server as module
from generator.play.table.session import TableSession
from generator.web.server import EventQueue
from tests.play.table.tables import pieces_of, session_at
from tests.support.declared import declared_types, misfits

DECK = 1


@pytest.fixture
def session(tmp_path: Path) -> TableSession:
    """Without pictures."""
    return session_at(tmp_path)


class Guest:
    """A browser at the table."""

    def __init__(self, session: TableSession) -> None:
        self.session = session
        self.token = session.enter(session.key)
        self.stream: EventQueue = session.listen(self.token)

    def act(self, **message: Any) -> None:
        self.session.act(self.token, json.dumps(message).encode())

    def sees(self) -> Any:
        """The last that it was sent; there is never more than one event to read."""
        event = self.stream.get_nowait()
        assert event is not None
        with pytest.raises(Empty):
            self.stream.get_nowait()
        return json.loads(event.data)

    def goes(self) -> None:
        self.session.leave(self.token, self.stream)


@pytest.mark.parametrize("key", ["", "x", "\ud800", "ü" * 9999])
def test_a_wrong_key_does_not_enter(session: TableSession, key: str) -> None:
    with pytest.raises(PnpError, match=r"has a wrong key|lacks the key"):
        session.enter(key)


def test_keys_and_tokens_differ(tmp_path: Path) -> None:
    one, other = session_at(tmp_path), session_at(tmp_path)
    tokens = {one.enter(one.key) for _ in range(5)}
    assert len({one.key, other.key, *tokens}) == 7


def test_what_is_sent_is_what_is_declared(session: TableSession) -> None:
    guest = Guest(session)
    guest.act(do="sit", seat=1)
    guest.act(do="draw", id=DECK, count=2)
    sees = guest.sees()
    assert list(misfits(declared_types("generator.play.table"), sees, "State")) == []
    assert len(sees["hand"]) == 2
    assert sees["seats"][1] == {"name": "Seat 2", "cards": 2, "isTaken": True}
    assert sees["told"] == ["A guest takes Seat 2", "Seat 2 draws 2 of Cards"]


def test_a_hand_is_sent_to_its_seat_only(session: TableSession) -> None:
    ann, ben = Guest(session), Guest(session)
    ann.act(do="sit", seat=0)
    ben.act(do="sit", seat=1)
    ann.act(do="draw", id=DECK, count=3)
    (hand,) = (ann.sees()["hand"],)
    ben_sees = ben.sees()
    assert ben_sees["hand"] == []
    assert ben_sees["seats"][0]["cards"] == 3
    assert not any(card["face"] in json.dumps(ben_sees) for card in hand)


def test_a_seat_is_its_owners_until_it_is_freed(session: TableSession) -> None:
    ann, ben = Guest(session), Guest(session)
    ann.act(do="sit", seat=0)
    with pytest.raises(PnpError, match="Seat 1 is taken"):
        ben.act(do="sit", seat=0)
    ann.goes()
    assert ben.sees()["seats"][0]["isTaken"]
    with pytest.raises(PnpError, match="Seat 1 is taken"):
        ben.act(do="sit", seat=0)
    assert session.enter(session.key, ["x", ann.token]) == ann.token  # as its browser asks
    ann.stream = session.listen(ann.token)
    assert ann.sees()["seat"] == 0
    assert session.enter(session.key, [ann.token]) != ann.token  # its page is open
    ann.act(do="sit", seat=None)
    ben.act(do="sit", seat=0)
    ben.goes()
    ann.act(do="restart")
    ann.act(do="sit", seat=0)


def test_the_log_names_who_changes_the_table(session: TableSession) -> None:
    ann, ben = Guest(session), Guest(session)
    ann.act(do="sit", seat=1)
    ann.act(do="flip", id=DECK)
    for name in ("undo", "redo", "save", "load"):
        ann.act(do=name)
    ben.act(do="restart")
    assert ben.sees()["told"][2:] == [
        "Seat 2 undoes the last action",
        "Seat 2 does it again",
        "Seat 2 saves the table to small.table.json",
        "Seat 2 loads the table from small.table.json",
        "A guest sets the table up again",
    ]


def test_one_visitor_has_few_connections(session: TableSession) -> None:
    guest = Guest(session)
    streams = [guest.stream, *(session.listen(guest.token) for _ in range(9))]
    assert len(session._visitors[guest.token].streams) == 4
    for stream in streams[:-4]:
        *_, last = [stream.get_nowait() for _ in range(stream.qsize())]
        assert last is None


def test_who_enters_again_and_again_leaves_room_for_others(session: TableSession) -> None:
    ann, ben = Guest(session), Guest(session)
    ann.act(do="sit", seat=0)
    for _ in range(99):
        token = session.enter(session.key)
        for _ in range(4):
            session.listen(token)
    assert sum(len(visitor.streams) for visitor in session._visitors.values()) == 1 + 40
    for guest in (ann, ben, Guest(session)):
        assert guest.stream in session._visitors[guest.token].streams


def test_who_comes_back_has_the_seat_still(session: TableSession) -> None:
    ann = Guest(session)
    ann.act(do="sit", seat=2)
    ann.goes()
    ann.stream = session.listen(ann.token)
    assert ann.sees()["seat"] == 2


def test_there_are_no_other_seats(session: TableSession) -> None:
    with pytest.raises(PnpError, match="has 3 seats"):
        Guest(session).act(do="sit", seat=3)


def test_a_refused_action_changes_nothing(session: TableSession) -> None:
    guest = Guest(session)
    before = session.state
    with pytest.raises(PnpError):
        guest.act(do="draw", id=DECK)
    with pytest.raises(PnpError):
        guest.act(do="undo")
    assert session.state is before
    assert guest.sees()["told"] == []


def test_all_are_undone_and_done_again(session: TableSession) -> None:
    guest = Guest(session)
    start = session.state.stacks
    guest.act(do="flip", id=DECK)
    guest.act(do="shuffle", id=DECK)
    end = session.state.stacks
    guest.act(do="undo")
    guest.act(do="undo")
    assert session.state.stacks == start
    guest.act(do="redo")
    guest.act(do="redo")
    assert session.state.stacks == end
    sees = guest.sees()
    assert (sees["canUndo"], sees["canRedo"]) == (True, False)


def test_save_and_load(session: TableSession, tmp_path: Path) -> None:
    guest = Guest(session)
    guest.act(do="sit", seat=0)
    guest.act(do="draw", id=DECK, count=2)
    guest.act(do="save")
    assert (tmp_path / "small.table.json").is_file()
    hands = session.state.hands
    guest.act(do="restart")
    assert session.state.hands == ((), (), ())
    guest.act(do="load")
    assert session.state.hands == hands
    assert pieces_of(session.state).total() == 12
    guest.act(do="undo")
    assert session.state.hands == ((), (), ())


def test_a_damaged_file_leaves_the_table_as_it_is(session: TableSession, tmp_path: Path) -> None:
    guest, before = Guest(session), session.state
    (tmp_path / "small.table.json").write_text("{}", "utf-8")
    with pytest.raises(PnpError, match="no table that pnp saved"):
        guest.act(do="load")
    assert session.state is before


def test_a_table_with_fewer_seats_leaves_nobody_in_another(tmp_path: Path) -> None:
    few = Guest(session_at(tmp_path, seats=1))
    few.act(do="save")
    guest = Guest(session_at(tmp_path, seats=3))
    guest.act(do="sit", seat=2)
    guest.act(do="load")
    sees = guest.sees()
    assert (sees["seat"], len(sees["seats"])) == (None, 1)


def test_browsers_have_a_limit(session: TableSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_VISITORS", 2)
    ann, ben = Guest(session), Guest(session)
    with pytest.raises(PnpError, match="2 browsers"):
        Guest(session)
    ben.goes()
    Guest(session)
    assert session.knows(ann.token)
    assert not session.knows(ben.token)


def test_the_log_has_a_limit(session: TableSession) -> None:
    guest = Guest(session)
    for _ in range(99):
        guest.act(do="turn", id=DECK, by=90)
    assert len(guest.sees()["told"]) == 30
