"""Take a table, serve its page to browsers on this machine that have the table's key."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

from generator.basics import keys
from generator.basics.errors import MisfitError, PnpError
from generator.basics.keys import Keys
from generator.pdf.pictures.picture_pool import wish_of
from generator.play.table.messages import parse_json
from generator.play.table.shared import SharedTable
from generator.web.local_server import TEXT, LocalHandler, LocalServer, page_files

MOST_BODY = 16_384  # bytes
_PAGE = Path(__file__).parent / "page"
_JSON = "application/json"


class TableServer(LocalServer):
    """The page of a table. Raises PnpError if the port is taken."""

    def __init__(self, session: SharedTable, port: int = 0) -> None:
        self.session = session
        super().__init__(_TableHandler, page_files(_PAGE), port)

    @property
    def invitation(self) -> str:
        """The address with the key, which browsers keep to themselves."""
        return f"{self.address}#{self.session.key}"


class _KeyEntry(Keys, frozen=True, kw_only=True):
    key: str


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
            self.answer(200, _JSON, session.supply_text(), "no-store")
        else:
            self._send_events(token)

    def do_POST(self) -> None:  # noqa: N802
        if not self.is_ours():
            return
        body = self._read_body()
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
            self.refuse(409, f"{problem.what}{f': {problem.hint}' if problem.hint else ''}")

    def _read_body(self) -> bytes | None:
        """The body of a request; None if it was refused."""
        length = self.headers.get("Content-Length", "")
        origin = self.headers.get("Origin")
        self.close_connection = True  # unless the body is read
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            self.refuse(403, "This page is only shown on this machine, at its own address.")
        elif self.headers.get("Content-Type") != _JSON:
            self.refuse(415, "A message is JSON.")
        elif not (length.isascii() and length.isdigit() and len(length) < 9):
            self.refuse(411, "A message has a length.")
        elif int(length) > MOST_BODY:
            self.refuse(413, f"A message has at most {MOST_BODY:,} bytes.")
        else:
            self.close_connection = False
            return self.rfile.read(int(length))
        return None

    def _enter(self, body: bytes) -> None:
        try:
            entry, _ = keys.read(_KeyEntry, parse_json(body))
        except MisfitError:
            entry = None
        if entry is None:
            self.refuse(400, "Only a key is asked for.")
            return
        token = self.server.session.enter(entry.key)
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
