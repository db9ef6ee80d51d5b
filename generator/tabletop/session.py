"""Take a supply, keep a table that several browsers share: who they are, what they do and see."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random, SystemRandom
from typing import Any

from generator.local_server import Event, EventQueue
from generator.pictures.picture_pool import PicturePool, Wish
from generator.tabletop.acting import Situation
from generator.tabletop.actions import TableAction, TableCommand, TakeSeat, read_message
from generator.tabletop.saving import load_state, write_state
from generator.tabletop.setup import set_up
from generator.tabletop.sight import describe_state, describe_supply
from generator.tabletop.state import History, TableState, refusal
from generator.tabletop.supply import Supply
from generator.written import write_whole

_MOST_VISITORS = 50
_MOST_TOLD = 30  # lines of the log
_KEY_BYTES = 16


@dataclass(eq=False)
class Visitor:
    """A browser at the table: its seat, and its open streams of events."""

    seat: int | None = None
    streams: list[EventQueue] = field(default_factory=list)


class TableSession:
    """A table. Use it as a context: the processes that paint its pictures end with it.

    `key` admits browsers; `file` is where the table is saved.
    """

    def __init__(
        self, supply: Supply, seats: int, file: Path, random: Random | None = None
    ) -> None:
        self.supply = supply
        self.key = secrets.token_urlsafe(_KEY_BYTES)
        self._seats = seats
        self._file = file
        self._random = random or SystemRandom()
        self._history = History(set_up(supply, seats, self._random))
        self._visitors: dict[str, Visitor] = {}
        self._told: list[str] = []
        self._done = 0  # messages since the beginning
        self._lock = threading.RLock()
        self._pictures = PicturePool(lambda _: None)

    def __enter__(self) -> TableSession:
        self._pictures.__enter__()
        self._pictures.want([*self.supply.faces, *self.supply.rules], self.supply.font_folders)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            for visitor in self._visitors.values():
                for stream in visitor.streams:
                    stream.put(None)
        self._pictures.__exit__()

    @property
    def state(self) -> TableState:
        return self._history.state

    def enter(self, key: str) -> str:
        """The token of a new visitor. Raises PnpError for a wrong key."""
        if not secrets.compare_digest(key.encode(errors="replace"), self.key.encode()):
            raise refusal("the key is wrong", "open the address that pnp table prints")
        with self._lock:
            gone = [token for token, one in self._visitors.items() if not one.streams]
            for token in gone[: max(len(self._visitors) - _MOST_VISITORS + 1, 0)]:
                del self._visitors[token]
            if len(self._visitors) >= _MOST_VISITORS:
                raise refusal(f"{_MOST_VISITORS} browsers are at the table", "close one of them")
            token = secrets.token_urlsafe(_KEY_BYTES)
            self._visitors[token] = Visitor()
            return token

    def knows(self, token: str) -> bool:
        with self._lock:
            return token in self._visitors

    def listen(self, token: str) -> EventQueue:
        """A stream of what a visitor sees, beginning now. Raises KeyError for no visitor."""
        stream: EventQueue = SimpleQueue()
        with self._lock:
            self._visitors[token].streams.append(stream)
            self._show()
        return stream

    def leave(self, token: str, stream: EventQueue) -> None:
        with self._lock:
            visitor = self._visitors.get(token)
            if visitor and stream in visitor.streams:
                visitor.streams.remove(stream)
                self._show()

    def supply_text(self) -> bytes:
        return json.dumps(describe_supply(self.supply), ensure_ascii=False).encode()

    def picture(self, wish: Wish) -> bytes | None:
        return self._pictures.picture(wish)

    def act(self, token: str, body: bytes) -> int:
        """Does what a visitor asks for. Returns the number of the state that shows it.

        Raises PnpError if it is no known message, or not allowed, and KeyError for no visitor.
        """
        message = read_message(body)
        with self._lock:
            visitor = self._visitors[token]
            if isinstance(message, TakeSeat):
                told = self._sit(visitor, message.seat)
            elif isinstance(message, TableCommand):
                told = self._command(message)
            else:
                told = self._apply(visitor, message)
            self._told = [*self._told, told][-_MOST_TOLD:]
            self._done += 1
            self._show()
            return self._done

    def _apply(self, visitor: Visitor, action: TableAction) -> str:
        seated = sorted(self._seated())
        at = Situation(self.state, self.supply, self._random, visitor.seat, seated)
        state = action.apply(at)
        told = f"{_name(visitor.seat)} {action.tell(at)}"
        self._history = self._history.go_on(state)
        return told

    def _sit(self, visitor: Visitor, seat: int | None) -> str:
        before = visitor.seat
        if seat is None:
            visitor.seat = None
            return f"{_name(before)} gets up"
        if seat >= len(self.state.hands):
            raise refusal(f"the table has {len(self.state.hands)} seats")
        if seat != before and seat in self._seated():
            raise refusal(f"{_name(seat)} is taken")
        for other in self._visitors.values():
            if other.seat == seat:
                other.seat = None  # its browser is closed
        visitor.seat = seat
        return f"{_name(seat)} sits down"

    def _seated(self) -> set[int]:
        """The seats whose browser is open."""
        visitors = self._visitors.values()
        return {one.seat for one in visitors if one.streams and one.seat is not None}

    def _command(self, command: TableCommand) -> str:
        commands: dict[str, Callable[[], str]] = {
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
            "load": self._load,
            "restart": self._restart,
        }
        return commands[command.do]()

    def _undo(self) -> str:
        self._history = self._history.undo()
        return "The last action is undone"

    def _redo(self) -> str:
        self._history = self._history.redo()
        return "It is done again"

    def _save(self) -> str:
        write_whole(self._file, write_state(self.state, self.supply))
        return f"The table is saved to {self._file.name}"

    def _load(self) -> str:
        self._go_to(load_state(self._file, self.supply))
        return f"The table is as {self._file.name} has it"

    def _restart(self) -> str:
        self._go_to(set_up(self.supply, self._seats, self._random))
        return "The table is set up again"

    def _go_to(self, state: TableState) -> None:
        self._history = self._history.go_to(state)

    def _show(self) -> None:
        """Sends every visitor what it sees now, instead of what it has not yet been sent."""
        for visitor in self._visitors.values():
            if not visitor.streams:
                continue
            if visitor.seat is not None and visitor.seat >= len(self.state.hands):
                visitor.seat = None
            event = Event("state", json.dumps(self._describe(visitor), ensure_ascii=False))
            for stream in visitor.streams:
                with suppress(Empty):
                    while True:
                        stream.get_nowait()
                stream.put(event)

    def _describe(self, visitor: Visitor) -> dict[str, Any]:
        seated = self._seated()
        seats = [
            {"name": _name(seat), "cards": len(hand), "isTaken": seat in seated}
            for seat, hand in enumerate(self.state.hands)
        ]
        return {
            **describe_state(self.state, self.supply, visitor.seat),
            "number": self._done,
            "seat": visitor.seat,
            "seats": seats,
            "told": self._told,
            "canUndo": bool(self._history.past),
            "canRedo": bool(self._history.undone),
        }


def _name(seat: int | None) -> str:
    return "A guest" if seat is None else f"Seat {seat + 1}"
