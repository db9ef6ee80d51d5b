"""A page served to browsers on this machine, and nothing else.

A page of another origin may send requests here, or resolve its own name to 127.0.0.1. So the server
checks the Host and the browser's Sec-Fetch-Site, and allows only the methods that its page needs.

An ASGI stack (Starlette on Uvicorn) would not make it shorter: the pictures come from threads, it
adds six packages and 0.13 s of start-up, and Uvicorn's own refusals lack our headers.
"""

from __future__ import annotations

import json
import re
import secrets
import socket
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from msgspec import Struct

from generator.basics.errors import Place, fail
from generator.basics.phrases import ORIGINAL, Phrases, read_phrases
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook

_SHARED = ("say.js", "numbers.js", "look.css")  # of page/, served with the files of each page
_NAMED, _KEY = re.compile(r"\{([a-z]+\.[a-z0-9-]+)\}"), re.compile("`([^`<]+)`")
_RANGE = re.compile(r"([A-Za-z]{2,3})(?:-[A-Za-z0-9-]{1,30})?(?:;q=([01](?:\.[0-9]{0,3})?))?")
_MOST_RANGES = 20
ADDRESS = "127.0.0.1"
TEXT = "text/plain; charset=utf-8"
JSON = "application/json"
FOR_EVER = "max-age=31536000, immutable"  # for what is named by its digest
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_REQUEST_BYTES = 65536
_MOST_CONNECTIONS = 100  # a browser opens six; each holds a thread
_HEARTBEAT = 10.0  # s between comments on a silent stream of events

PageFiles = Mapping[str, tuple[str, bytes]]  # the type and the content of each, by path


class Event(Struct, frozen=True):
    """A message to a page: a name, and JSON."""

    name: str
    data: str


EventQueue = SimpleQueue[Event | None]  # None ends the stream


class LocalServer(ThreadingHTTPServer):
    """A page on this machine, of which some may be for whoever has the key. `files_for` gives its
    files for the languages that a browser asks for. Raises PnpError if the port is taken."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, handler: type[LocalHandler], files_for: Callable[[str], PageFiles], port: int) -> None:
        self.files_for, self.key = files_for, secrets.token_urlsafe(16)
        self._free = threading.Semaphore(_MOST_CONNECTIONS)
        try:
            super().__init__((ADDRESS, port), handler)
        except OSError as error:
            what = f"port {port} cannot be used: {error.strerror}"
            raise fail(Place("--port"), what, "leave out --port to use a free one") from None
        self.hosts = {f"{name}:{self.port}" for name in (ADDRESS, "localhost")}
        if self.port == 80:
            self.hosts |= {ADDRESS, "localhost"}

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{ADDRESS}:{self.port}/"

    @property
    def invitation(self) -> str:
        """The address with the key, which browsers keep to themselves."""
        return f"{self.address}#{self.key}"

    def is_key(self, key: str) -> bool:
        """Whether a page has the key."""
        return secrets.compare_digest(key.encode(errors="replace"), self.key.encode())

    def server_bind(self) -> None:
        """Binds as its parent does, but without looking up the name of this machine."""
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows, two could share a port
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = ADDRESS, self.port

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handles a request in a new thread, or refuses it if there are too many."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        with suppress(OSError):  # the client is gone, or has sent nothing yet
            request.sendall(_refusal())
            request.setblocking(False)
            request.recv(_REQUEST_BYTES)  # unread data may discard the answer
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, *_: object) -> None:
        """Ignores errors: browsers close connections at any time."""


def _refusal() -> bytes:
    why = f"More than {_MOST_CONNECTIONS} connections: close some of the pages.\n"
    headers = {"Content-Type": TEXT, "Content-Length": str(len(why))}
    headers |= {"Connection": "close", "Retry-After": "10", **_HEADERS}
    lines = ["HTTP/1.1 503 Service Unavailable", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join((*lines, "", why)).encode()


def page_files(folder: Path, phrases: Phrases) -> PageFiles:
    """The files of a page in a folder and below, those that all pages share, and the house font in two weights.
    The page gets phrases for their names in braces, `Enter` in one as a key; scripts take them from phrases.js, by
    say.js."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.suffix in _TYPES}
    shared = {name: Path(__file__).parent / "page" / name for name in _SHARED}
    files = {f"/{name}": path for name, path in (paths | shared).items()}
    book = FontBook([HOUSE_FONTS])
    for name, weight in (("regular", 400), ("bold", 700)):
        files[f"/{name}.ttf"] = book.find(HOUSE_FAMILY, weight).path
    served = {name: (_TYPES[path.suffix], path.read_bytes()) for name, path in files.items()}
    kind, page = served.pop("/index.html")
    spoken = page.decode().replace('<html lang="en">', f'<html lang="{escape(phrases.language)}">', 1)
    spoken = _NAMED.sub(lambda name: escape(phrases.say(name[1])), spoken)
    served["/"] = kind, _KEY.sub(r"<kbd>\1</kbd>", spoken).encode()
    own = {name: text for name, text in phrases.patterns.items() if name not in read_phrases().patterns}
    words = {"language": phrases.language, "patterns": own}
    lines = (f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in words.items())
    return {**served, "/phrases.js": (_TYPES[".js"], "".join(lines).encode())}


def spoken_files(room: Path, languages: str) -> PageFiles:
    """The files of a room's page/, in the first of its languages/ that an Accept-Language asks for."""
    return _files_in(room, prefer(languages, [path.stem for path in room.glob("languages/*.toml")]) or ORIGINAL)


@cache
def _files_in(room: Path, language: str) -> PageFiles:
    return page_files(room / "page", read_phrases(language, room / "languages"))


def prefer(asked: str, languages: Collection[str]) -> str:
    """The first of the languages that an Accept-Language asks for, most wanted first; "" for none:
    "de-AT,de;q=0.9,en;q=0.8" as "de"."""
    ranges = [_RANGE.fullmatch(part.strip()) for part in asked.split(",")[:_MOST_RANGES]]
    wanted = sorted((found for found in ranges if found), key=lambda found: -float(found[2] or 1))
    return next((found[1].lower() for found in wanted if found[1].lower() in languages), "")


class LocalHandler(BaseHTTPRequestHandler):
    """Answers requests for the page's files; a subclass answers all others."""

    server: LocalServer
    methods: tuple[str, ...] = ("GET",)
    is_linked = False  # whether a page at another port of this machine may lead to this one
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pnp", ""
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer is sent in one piece
    timeout = 20  # s for each part of a request

    def answer_get(self, path: str, query: str) -> None:
        """Answers a GET request of our own page for something other than its files."""
        raise NotImplementedError

    def do_GET(self) -> None:
        if not self.is_ours():
            return
        path, _, query = self.path.partition("?")
        files = self.server.files_for(self.headers.get("Accept-Language", ""))
        if path in files:
            kind, content = files[path]
            self.answer(200, kind, content, "no-cache")
        else:
            self.answer_get(path, query)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Sends the library's refusals with our headers, not as its own page."""
        self.close_connection = True
        self.refuse(code, explain or message or HTTPStatus(code).phrase)

    def _refuse_method(self) -> None:
        self.close_connection = True  # its body is not read
        self.refuse(405, f"There is only {' and '.join(self.methods)}.")

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = _refuse_method  # noqa: N815
    do_TRACE = do_CONNECT = _refuse_method  # noqa: N815

    def is_ours(self) -> bool:
        """Whether a request uses our host name and does not come from another site; all others are refused."""
        hosts = self.headers.get_all("Host", [])
        site = self.headers.get("Sec-Fetch-Site", "none")
        is_ours = len(hosts) == 1 and hosts[0] in self.server.hosts
        if is_ours and (site in ("none", "same-origin") or self._follows_link(site)):
            return True
        self.close_connection = True  # it may have a body, which is not read
        self.refuse(403, "This page is only shown on this machine, at its own address.")
        return False

    def read_message(self, most: int, kinds: Collection[str] = (JSON,)) -> bytes | None:
        """The body of a POST of our own page, of at most so many bytes and of one of these types;
        None if it was refused."""
        length = self.headers.get("Content-Length", "")
        origin = self.headers.get("Origin")
        self.close_connection = True  # unless the body is read
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            self.refuse(403, "This page is only shown on this machine, at its own address.")
        elif self.headers.get("Content-Type") not in kinds:
            self.refuse(415, "A message is JSON." if kinds == (JSON,) else "This is no such file.")
        elif not (length.isascii() and length.isdigit() and len(length) < 9):
            self.refuse(411, "A message has a length.")
        elif int(length) > most:
            self.refuse(413, f"A message has at most {most:,} bytes.")
        else:
            self.close_connection = False
            return self.rfile.read(int(length))
        return None

    def _follows_link(self, site: str) -> bool:
        """Whether somebody follows a link to our page: in a window of its own."""
        names = ("Sec-Fetch-Mode", "Sec-Fetch-Dest")
        how = (self.command, self.path, site, *(self.headers.get(name) for name in names))
        return self.is_linked and how == ("GET", "/", "same-site", "navigate", "document")

    def answer_picture(self, picture: bytes | None) -> None:
        """Sends a JPEG, or nothing if there is none."""
        if picture is None:  # it is outdated, or it cannot be painted
            self.answer(204, "image/jpeg", b"", "no-store")
        else:
            self.answer(200, "image/jpeg", picture, FOR_EVER)

    def answer_done(self) -> None:
        self.answer(204, TEXT, b"", "no-store")

    def redirect(self, address: str) -> None:
        self._begin(303, TEXT, "no-store", {"Location": address, "Content-Length": "0"})

    def send_events(self, events: EventQueue, heartbeat: float = _HEARTBEAT) -> None:
        """Sends events until the page closes or None comes. It notices that the page is closed in
        two heartbeats (s)."""
        self.close_connection = True
        self.connection.settimeout(_HEARTBEAT * 3)
        with suppress(OSError):  # the page was closed
            self._begin(200, "text/event-stream", "no-store", {"Connection": "close"})
            while True:
                try:
                    event = events.get(timeout=heartbeat)
                except Empty:
                    self.wfile.write(b": still here\n\n")
                else:
                    if event is None:
                        return
                    self.wfile.write(f"event: {event.name}\ndata: {event.data}\n\n".encode())
                self.wfile.flush()

    def answer(self, code: int, kind: str, content: bytes, caching: str, **more: str) -> None:
        self._begin(code, kind, caching, {**more, "Content-Length": str(len(content))})
        if self.command != "HEAD":
            self.wfile.write(content)

    def refuse(self, code: int, why: str) -> None:
        """Sends a refusal as one line of text."""
        more = {"Allow": ", ".join(self.methods)} if code == 405 else {}
        if self.close_connection:
            more["Connection"] = "close"
        self.answer(code, TEXT, f"{why}\n".encode(), "no-store", **more)

    def _begin(self, code: int, kind: str, caching: str, more: dict[str, str]) -> None:
        self.request_version = self.protocol_version  # for HTTP/0.9, it would send no headers
        self.send_response(code)
        headers = {"Content-Type": kind, "Cache-Control": caching, **_HEADERS, **more}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Logs nothing: the terminal belongs to the user."""
