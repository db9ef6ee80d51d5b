"""Take a preview session, serve its page to browsers on this machine, and nothing else.

A page of another origin may send requests here, or resolve its own name to 127.0.0.1. So the server
checks the Host and the browser's Sec-Fetch-Site, allows only GET, and serves a fixed list: the
page's files, two fonts, pictures by the digest of their face, events, and what a page sends: the
faces that are seen on it, and a choice among those that the game offers.

An ASGI stack (Starlette on Uvicorn) would not make it shorter: the pictures come from threads, it
adds six packages and 0.13 s of start-up, and Uvicorn's own refusals lack our headers.
"""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty
from typing import Any
from urllib.parse import parse_qs

from generator.errors import PnpError, fail
from generator.place import Place
from generator.preview.parts import Part
from generator.preview.picture_pool import DPIS
from generator.preview.session import Listener, PreviewSession
from generator.preview.view import key_of
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook

ADDRESS = "127.0.0.1"
_PAGE = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_PICTURE = re.compile(r"/face/([0-9a-f]{24})/(piece|whole)-(\d{1,4})\.jpg")
_REQUEST_BYTES = 65536
_MOST_CONNECTIONS = 100  # a browser opens six; each holds a thread
_HEARTBEAT = 10.0  # s between comments on a silent stream of events
_FOR_EVER = "max-age=31536000, immutable"  # a picture's name is the digest of its face


class Server(ThreadingHTTPServer):
    """The page of a session. Raises PnpError if the port is taken."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, session: PreviewSession, port: int = 0) -> None:
        self.session = session
        self.files = _files()
        self.pages: dict[str, Listener] = {}  # by the name that each page chose
        self._free = threading.Semaphore(_MOST_CONNECTIONS)
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            what = f"port {port} cannot be used: {error.strerror}"
            hint = "leave out --port to use a free one"
            raise fail(Place("--port"), what, hint) from None
        self.hosts = {f"{name}:{self.port}" for name in (ADDRESS, "localhost")}
        if self.port == 80:
            self.hosts |= {ADDRESS, "localhost"}

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{ADDRESS}:{self.port}/"

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
    """The answer to a connection beyond the limit."""
    why = f"More than {_MOST_CONNECTIONS} connections: close some of the pages.\n"
    headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(why))}
    headers |= {"Connection": "close", "Retry-After": "10", **_HEADERS}
    lines = ["HTTP/1.1 503 Service Unavailable", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join((*lines, "", why)).encode()


def _files() -> dict[str, tuple[str, bytes]]:
    """The type and content of the page's files, by path."""
    files = {f"/{path.name}": path for path in _PAGE.iterdir() if path.suffix in _TYPES}
    files["/"] = files.pop("/index.html")
    book = FontBook([HOUSE_FONTS])
    for name, weight in (("regular", 400), ("bold", 700)):
        files[f"/{name}.ttf"] = book.find(HOUSE_FAMILY, weight).path
    return {name: (_TYPES[path.suffix], path.read_bytes()) for name, path in files.items()}


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pnp", ""
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer is sent in one piece
    timeout = 60

    def do_GET(self) -> None:
        if not self._is_ours():
            self._refuse(403, "This page is only shown on this machine, at its own address.")
            return
        path, _, query = self.path.partition("?")
        picture = _PICTURE.fullmatch(path)
        if path in self.server.files:
            kind, content = self.server.files[path]
            self._answer(200, kind, content, "no-cache")
        elif path == "/events":
            self._send_events(query)
        elif path == "/seen":
            self._note_seen(query)
        elif path == "/choose":
            self._choose(query)
        elif picture and int(picture[3]) in DPIS:
            part: Part = "piece" if picture[2] == "piece" else "whole"
            self._answer_picture(picture[1], part, int(picture[3]))
        else:
            self._refuse(404, "There is no such file.")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Sends the library's refusals with our headers, not as its own page."""
        self.close_connection = True
        self._refuse(code, explain or message or HTTPStatus(code).phrase)

    def _refuse_method(self) -> None:
        self.close_connection = True  # its body is not read
        self._refuse(405, "There is only GET.")

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = _refuse_method  # noqa: N815
    do_TRACE = do_CONNECT = _refuse_method  # noqa: N815

    def _is_ours(self) -> bool:
        """Whether a request uses our host name and does not come from another site."""
        hosts = self.headers.get_all("Host", [])
        site = self.headers.get("Sec-Fetch-Site", "none")
        return len(hosts) == 1 and hosts[0] in self.server.hosts and site in ("none", "same-origin")

    def _answer_picture(self, face: str, part: Part, dpi: int) -> None:
        picture = self.server.session.picture(face, part, dpi)
        if picture is None:  # it is outdated, or it cannot be painted
            self._answer(204, "image/jpeg", b"", "no-store")
        else:
            self._answer(200, "image/jpeg", picture, _FOR_EVER)

    def _send_events(self, query: str) -> None:
        self.close_connection = True
        self.connection.settimeout(_HEARTBEAT * 3)
        self._pass_on(parse_qs(query).get("page", [""])[-1])

    def _note_seen(self, query: str) -> None:
        """Stores the faces visible on a page: they are drawn first when a file changes."""
        options = parse_qs(query)
        listener = self.server.pages.get(options.get("page", [""])[0])
        if listener is not None:
            listener.seen = [key for key in map(key_of, options.get("face", [])) if key]
        self._answer(204, "text/plain; charset=utf-8", b"", "no-store")

    def _choose(self, query: str) -> None:
        """Chooses what all pages show: `paper=a4`."""
        options = parse_qs(query, keep_blank_values=True)
        try:
            self.server.session.choose({name: values[-1] for name, values in options.items()})
        except PnpError as error:
            self._refuse(400, str(error))
        else:
            self._answer(204, "text/plain; charset=utf-8", b"", "no-store")

    def _pass_on(self, page: str) -> None:
        """Sends the events, until the page closes or the session ends."""
        listener = self.server.pages[page] = self.server.session.listen()
        try:
            self._begin(200, "text/event-stream", "no-store", {"Connection": "close"})
            while True:
                try:
                    event = listener.get(timeout=_HEARTBEAT)
                except Empty:
                    self.wfile.write(b": still here\n\n")
                else:
                    if event is None:
                        return
                    self.wfile.write(f"event: {event.name}\ndata: {event.data}\n\n".encode())
                self.wfile.flush()
        except OSError:  # the page was closed
            return
        finally:
            if self.server.pages[page] is listener:
                del self.server.pages[page]
            self.server.session.leave(listener)

    def _answer(self, code: int, kind: str, content: bytes, caching: str) -> None:
        self._begin(code, kind, caching, {"Content-Length": str(len(content))})
        if self.command != "HEAD":
            self.wfile.write(content)

    def _begin(self, code: int, kind: str, caching: str, more: dict[str, str]) -> None:
        self.request_version = self.protocol_version  # for HTTP/0.9, it would send no headers
        self.send_response(code)
        headers = {"Content-Type": kind, "Cache-Control": caching, **_HEADERS, **more}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _refuse(self, code: int, why: str) -> None:
        more = {"Allow": "GET"} if code == 405 else {}
        if self.close_connection:
            more["Connection"] = "close"
        content = f"{why}\n".encode()
        more["Content-Length"] = str(len(content))
        self._begin(code, "text/plain; charset=utf-8", "no-store", more)
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Logs nothing: the terminal belongs to the user."""
