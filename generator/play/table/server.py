"""The page of a table, served to browsers on this machine that have the table's key.

It keeps the browsers at a table: who they are, where they sit, and what each sees. A message of a
page becomes an object of the class that it names.
"""

from __future__ import annotations

import json
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Annotated, Any, Self, TypeVar
from urllib.parse import parse_qs

from msgspec import Meta, MsgspecError, Struct, field
from msgspec.json import decode

from generator.basics import keys
from generator.basics.errors import MisfitError, PnpError, quote
from generator.basics.keys import Keys
from generator.pdf.pictures.picture_pool import PicturePool, Wish, wish_of
from generator.play.table.state import RefusedError, Supply, describe_supply, fault, name_seat
from generator.web.server import JSON, TEXT, Event, EventQueue, LocalHandler, LocalServer, page_files

MOST_BODY = 16_384  # bytes
_PAGE = Path(__file__).parent / "page"
_MOST_VISITORS = 50
MOST_TOLD = 30  # lines of a log
_MOST_STREAMS = 4  # of a visitor, who could else hold all connections
_MOST_WATCHING = 40  # streams of all who have no seat: a browser may enter again and again
_KEY_BYTES = 16
_LONGEST = 64  # characters of a token
T = TypeVar("T", bound=Keys)


class TableServer(LocalServer):
    """The page of a table. Raises PnpError if the port is taken."""

    def __init__(self, session: SharedTable, port: int = 0) -> None:
        self.session = session
        files = page_files(_PAGE, session.phrases)
        super().__init__(_TableHandler, lambda _: files, port)
        self.key = session.key


class _KeyEntry(Keys, frozen=True, kw_only=True):
    """me: the tokens that this browser had before."""

    key: str
    me: Annotated[list[Annotated[str, Meta(max_length=_LONGEST)]], Meta(max_length=8)] = []


class _TableHandler(LocalHandler):
    server: TableServer
    methods = ("GET", "POST")
    is_linked = True  # from the preview

    def answer_get(self, path: str, query: str) -> None:
        session, token = self.server.session, parse_qs(query).get("me", [""])[-1]
        wish = wish_of(path)
        if wish:
            self.answer_picture(session.picture(wish))
        elif path not in ("/events", "/supply"):
            self.refuse(404, "There is no such file.")
        elif not session.knows(token):
            self.refuse(401, "Enter first: open the address that pnp table prints.")
        elif path == "/supply":
            self.answer(200, JSON, session.supply_text(), "no-store")
        else:
            self._send_events(token)

    def do_POST(self) -> None:  # noqa: N802
        if not self.is_ours():
            return
        body = self.read_message(MOST_BODY)
        if body is None:
            return
        try:
            if self.path == "/enter":
                self._enter(body)
            elif self.path == "/act":
                self._act(body)
            else:
                self.refuse(404, "There is no such thing.")
        except PnpError as error:
            (problem,) = error.problems
            sentence = f"{problem.what}{f': {problem.hint}' if problem.hint else ''}"
            self.refuse(409, error.tell(self.server.session.phrases) if isinstance(error, RefusedError) else sentence)

    def _enter(self, body: bytes) -> None:
        try:
            entry, _ = keys.read(_KeyEntry, parse_json(body))
        except MisfitError:
            entry = None
        if entry is None:
            self.refuse(400, "Only a key is asked for.")
            return
        token = self.server.session.enter(entry.key, entry.me)
        self.answer(200, TEXT, token.encode(), "no-store")

    def _act(self, body: bytes) -> None:
        token = self.headers.get("X-Visitor", "")
        if not self.server.session.knows(token):
            self.refuse(401, "Enter first: open the address that pnp table prints.")
            return
        number = self.server.session.act(token, body)
        self.answer(200, TEXT, str(number).encode(), "no-store")

    def _send_events(self, token: str) -> None:
        stream = self.server.session.listen(token)
        try:
            self.send_events(stream)
        finally:
            self.server.session.leave(token, stream)


class Visitor(Struct, eq=False):
    """A browser at the table: its seat, and its open streams of events."""

    seat: int | None = None
    streams: list[EventQueue] = field(default_factory=list)


class SharedTable(ABC):
    """A table that several browsers share. Use it as a context: the processes that paint its pictures end with it.

    `key` admits browsers.
    """

    def __init__(self, supply: Supply) -> None:
        self.supply, self.phrases = supply, supply.phrases
        self.key = secrets.token_urlsafe(_KEY_BYTES)
        self._visitors: dict[str, Visitor] = {}
        self._done = 0  # messages since the beginning
        self._lock = threading.RLock()
        self._pictures = PicturePool(lambda _: None)

    def __enter__(self) -> Self:
        self._pictures.__enter__()
        supply = self.supply
        faces = [*supply.faces, *supply.uprights.values(), *supply.rules]
        self._pictures.want(faces, supply.font_folders)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            for visitor in self._visitors.values():
                for stream in visitor.streams:
                    stream.put(None)
        self._pictures.__exit__()

    def enter(self, key: str, before: Sequence[str] = ()) -> str:
        """The token of a visitor: a new one, or one that its browser had `before` and whose page is
        closed. Raises PnpError for a wrong key."""
        if not secrets.compare_digest(key.encode(errors="replace"), self.key.encode()):
            raise RefusedError("wrong-key" if key else "no-key")
        with self._lock:
            for token in before:
                if token in self._visitors and not self._visitors[token].streams:
                    return token
            visitors = self._visitors.items()
            gone = [token for token, it in visitors if not it.streams and it.seat is None]
            for token in gone[: max(len(self._visitors) - _MOST_VISITORS + 1, 0)]:
                del self._visitors[token]
            if len(self._visitors) >= _MOST_VISITORS:
                raise RefusedError("full", most=_MOST_VISITORS)
            token = secrets.token_urlsafe(_KEY_BYTES)
            self._visitors[token] = Visitor()
            return token

    def knows(self, token: str) -> bool:
        with self._lock:
            return token in self._visitors

    def listen(self, token: str) -> EventQueue:
        """A stream of what a visitor sees, beginning now; it may end an older one. Raises KeyError for no visitor."""
        stream: EventQueue = SimpleQueue()
        with self._lock:
            visitor = self._visitors[token]
            guests = [it for it in self._visitors.values() if it.seat is None]
            if len(visitor.streams) >= _MOST_STREAMS:
                visitor.streams.pop(0).put(None)
            elif visitor.seat is None and sum(len(it.streams) for it in guests) >= _MOST_WATCHING:
                max(guests[::-1], key=lambda it: len(it.streams)).streams.pop(0).put(None)
            visitor.streams.append(stream)
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
        """The table as a visitor sees it."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many there are now."""

    def _sit(self, visitor: Visitor, seat: int | None) -> str:
        before, who = visitor.seat, self._name(visitor.seat)
        if seat is None:
            visitor.seat = None
            return self._say("log.get-up", who=who)
        if seat >= self.seats:
            raise RefusedError("few-seats", count=self.seats)
        if seat != before and seat in self._kept():
            raise RefusedError("taken", seat=self._name(seat))
        visitor.seat = seat
        return self._say("log.sit", who=who, seat=self._name(seat))

    def _name(self, seat: int | None) -> str:
        return name_seat(seat, self.phrases)

    def _say(self, phrase: str, /, **fields: str | int) -> str:
        return self.phrases.say(phrase, **fields)

    def _kept(self) -> set[int]:
        """The seats that are somebody's, also while the page is closed."""
        return {it.seat for it in self._visitors.values() if it.seat is not None}

    def _free_seats(self) -> None:
        """Frees those whose page is closed: a new game begins."""
        for visitor in self._visitors.values():
            if not visitor.streams:
                visitor.seat = None

    def _seated(self) -> set[int]:
        """The seats whose browser is open."""
        return {it.seat for it in self._visitors.values() if it.streams and it.seat is not None}

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


def read_message(body: bytes, kinds: Mapping[str, type[T]]) -> tuple[str, T]:
    """The name of a message, its `do`, and its values. Raises PnpError if it is none of these kinds, or has a fault."""
    try:
        raw = parse_json(body)
    except MisfitError as error:
        raise fault(str(error)) from None
    name = raw.pop("do", None) if isinstance(raw, dict) else None
    if not isinstance(name, str) or name not in kinds:
        raise fault(f"the table knows no {quote(name)}")
    message, faults = keys.read(kinds[name], raw)
    if message is None:
        raise fault(faults[0].what)
    return name, message


def parse_json(content: bytes) -> object:
    """Raises MisfitError if the content is not JSON."""
    try:
        return decode(content)
    except (MsgspecError, UnicodeError, RecursionError):
        raise MisfitError("it is not JSON") from None
