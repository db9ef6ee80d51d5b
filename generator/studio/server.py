"""The page of a preview session, served to browsers on this machine, and nothing else.

It serves a fixed list: the page's files, pictures by the digest of their face, events, and what a
page sends: the faces that are seen on it, and a choice among those that the game offers. A link
leads to a table with its pieces.

Only a page with the key of the session, which is in the address that `pnp studio` prints, reads the
game's files and edits them: another user of the machine does not have it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import parse_qs, unquote

from generator.basics.errors import PnpError
from generator.pdf.pictures.picture_pool import GLANCE, wish_of
from generator.studio.editor import MOST_BYTES
from generator.studio.session import Listener, PreviewSession
from generator.studio.view import key_of
from generator.web.server import JSON, LocalHandler, LocalServer, page_files

_COARSEST = 24  # dpi: cards as small as a thumbnail
_WHOLE = re.compile("[1-9][0-9]{0,3}")
_PICTURES = ("image/png", "image/jpeg", "image/svg+xml")
_PAGE = Path(__file__).parent / "page"


class Server(LocalServer):
    """The page of a session. Raises PnpError if the port is taken."""

    def __init__(self, session: PreviewSession, port: int = 0) -> None:
        self.session = session
        self.pages: dict[str, Listener] = {}  # by the name that each page chose
        self.key = secrets.token_urlsafe(16)
        super().__init__(_PreviewHandler, page_files(_PAGE), port)

    @property
    def invitation(self) -> str:
        """The address with the key, which browsers keep to themselves."""
        return f"{self.address}#{self.key}"


def _read_dpi(text: str) -> int:
    """A resolution that a page shows, at most that of a grid."""
    return min(max(int(text), _COARSEST), GLANCE) if _WHOLE.fullmatch(text) else GLANCE


class _PreviewHandler(LocalHandler):
    server: Server
    methods = ("GET", "POST")

    def answer_get(self, path: str, query: str) -> None:
        wish = wish_of(path)
        if wish:
            self.answer_picture(self.server.session.picture(wish))
        elif path == "/events":
            self._pass_on(parse_qs(query).get("page", [""])[-1])
        elif path == "/seen":
            self._note_seen(query)
        elif path == "/choose":
            self._choose(query)
        elif path == "/table":
            self._lead_to_table()
        elif path in ("/text", "/rows", "/parts", "/schema", "/stock", "/font"):
            self._answer_content(path, parse_qs(query))
        else:
            self.refuse(404, "There is no such file.")

    def do_POST(self) -> None:  # noqa: N802
        if not self.is_ours():
            return
        is_picture = self.path == "/picture"
        kinds = _PICTURES if is_picture else (JSON,)
        body = self.read_message(MOST_BYTES, kinds)
        if body is None or not self._has_key():
            return
        try:
            if is_picture:
                name = unquote(self.headers.get("X-Name", ""))
                self._answer_json({"path": self.server.session.add_picture(name, body)})
            elif self.path == "/edit":
                self._answer_json({"digest": self.server.session.edit(body)})
            elif self.path == "/open":
                self.server.session.editor.open_file(body)
                self.answer_done()
            elif self.path == "/copy":
                self.server.session.copy_layouts()
                self.answer_done()
            else:
                self.refuse(404, "There is no such thing.")
        except PnpError as error:
            self._refuse(error)
        except TimeoutError:
            self.refuse(503, "The game is being drawn: try again.")

    def _has_key(self) -> bool:
        """Whether the page has the session's key; all others are refused."""
        key = self.headers.get("X-Key", "")
        if secrets.compare_digest(key.encode(errors="replace"), self.server.key.encode()):
            return True
        self.refuse(401, "Open the address that pnp studio prints.")
        return False

    def _answer_content(self, path: str, options: dict[str, list[str]]) -> None:
        """Sends the text of a file, the rows of a table, the parts of a face, or what the game may
        name."""
        if not self._has_key():
            return
        session, id_ = self.server.session, options.get("file", [""])[-1]
        sheet, family = (options.get(name, [""])[-1] for name in ("sheet", "family"))
        key = key_of(options.get("face", [""])[-1])
        contents: Mapping[str, Callable[[], object]] = {
            "/text": lambda: session.editor.text(id_),
            "/rows": lambda: session.editor.table(id_, sheet),
            "/schema": session.schema,
            "/stock": session.stock,
            "/parts": lambda: session.parts(key) if key else {},
        }
        try:
            if path == "/font":
                self.answer(200, "font/ttf", session.font(family), "no-store")
            else:
                self._answer_json(contents[path]())
        except PnpError as error:
            self._refuse(error)
        except TimeoutError:
            self.refuse(503, "The game is being drawn: try again.")

    def _answer_json(self, value: object) -> None:
        self.answer(200, JSON, json.dumps(value, ensure_ascii=False).encode(), "no-store")

    def _refuse(self, error: PnpError) -> None:
        """Says why an edit cannot be done, in the words of its first problem."""
        problem = error.problems[0]
        hint = f" ({problem.hint})" if problem.hint else ""
        self.refuse(409, f"{problem.place}: {problem.what}{hint}")

    def _note_seen(self, query: str) -> None:
        """Stores the faces visible on a page: they are drawn first when a file changes, as fine as
        the page shows them."""
        options = parse_qs(query)
        listener = self.server.pages.get(options.get("page", [""])[0])
        if listener is not None:
            listener.seen = [key for key in map(key_of, options.get("face", [])) if key]
            listener.dpi = _read_dpi(options.get("dpi", [""])[-1])
        self.answer_done()

    def _choose(self, query: str) -> None:
        """Chooses what all pages show: `paper=a4`."""
        options = parse_qs(query, keep_blank_values=True)
        try:
            self.server.session.choose({name: values[-1] for name, values in options.items()})
        except PnpError as error:
            self.refuse(400, str(error))
        else:
            self.answer_done()

    def _lead_to_table(self) -> None:
        try:
            self.redirect(self.server.session.table_address())
        except PnpError as error:
            self.refuse(409, str(error))
        except TimeoutError:
            self.refuse(503, "The game is being drawn: try again.")

    def _pass_on(self, page: str) -> None:
        """Sends the events, until the page closes or the session ends."""
        listener = self.server.pages[page] = self.server.session.listen()
        try:
            self.send_events(listener)
        finally:
            if self.server.pages[page] is listener:
                del self.server.pages[page]
            self.server.session.leave(listener)
