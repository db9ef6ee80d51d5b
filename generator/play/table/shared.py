"""Keep the browsers at a table: who they are, where they sit, and what each sees."""

from __future__ import annotations

import json
import secrets
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Self

from msgspec import Struct, field

from generator.pdf.pictures.picture_pool import PicturePool, Wish
from generator.play.table.sight import describe_supply
from generator.play.table.state import refusal
from generator.play.table.supply import Supply
from generator.web.local_server import Event, EventQueue

_MOST_VISITORS = 50
MOST_TOLD = 30  # lines of a log
_KEY_BYTES = 16


class Visitor(Struct, eq=False):
    """A browser at the table: its seat, and its open streams of events."""

    seat: int | None = None
    streams: list[EventQueue] = field(default_factory=list)


class SharedTable(ABC):
    """A table that several browsers share. Use it as a context: the processes that paint its
    pictures end with it.

    `key` admits browsers.
    """

    def __init__(self, supply: Supply) -> None:
        self.supply = supply
        self.key = secrets.token_urlsafe(_KEY_BYTES)
        self._visitors: dict[str, Visitor] = {}
        self._done = 0  # messages since the beginning
        self._lock = threading.RLock()
        self._pictures = PicturePool(lambda _: None)

    def __enter__(self) -> Self:
        self._pictures.__enter__()
        self._pictures.want([*self.supply.faces, *self.supply.rules], self.supply.font_folders)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            for visitor in self._visitors.values():
                for stream in visitor.streams:
                    stream.put(None)
        self._pictures.__exit__()

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
        return json.dumps(self._describe_supply(), ensure_ascii=False).encode()

    def _describe_supply(self) -> dict[str, Any]:
        return describe_supply(self.supply)

    def picture(self, wish: Wish) -> bytes | None:
        return self._pictures.picture(wish)

    def act(self, token: str, body: bytes) -> int:
        """Does what a visitor asks for. Returns the number of the state that shows it.

        Raises PnpError if it is no known message, or not allowed, and KeyError for no visitor.
        """
        with self._lock:
            self._do(self._visitors[token], body)
            self._done += 1
            self._show()
            return self._done

    @abstractmethod
    def _do(self, visitor: Visitor, body: bytes) -> None:
        """Does what a message asks for, and adds a line to the log. Raises PnpError."""

    @abstractmethod
    def _describe(self, visitor: Visitor) -> dict[str, Any]:
        """What a visitor sees."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many there are now."""

    def _sit(self, visitor: Visitor, seat: int | None) -> str:
        before = visitor.seat
        if seat is None:
            visitor.seat = None
            return f"{name_seat(before)} gets up"
        if seat >= self.seats:
            raise refusal(f"the table has {self.seats} seats")
        if seat != before and seat in self._seated():
            raise refusal(f"{name_seat(seat)} is taken")
        for other in self._visitors.values():
            if other.seat == seat:
                other.seat = None  # its browser is closed
        visitor.seat = seat
        return f"{name_seat(seat)} sits down"

    def _seated(self) -> set[int]:
        """The seats whose browser is open."""
        visitors = self._visitors.values()
        return {one.seat for one in visitors if one.streams and one.seat is not None}

    def _show(self) -> None:
        """Sends every visitor what it sees now, instead of what it has not yet been sent."""
        for visitor in self._visitors.values():
            if not visitor.streams:
                continue
            if visitor.seat is not None and visitor.seat >= self.seats:
                visitor.seat = None
            event = Event("state", json.dumps(self._describe(visitor), ensure_ascii=False))
            for stream in visitor.streams:
                with suppress(Empty):
                    while True:
                        stream.get_nowait()
                stream.put(event)


def name_seat(seat: int | None) -> str:
    return "A guest" if seat is None else f"Seat {seat + 1}"
