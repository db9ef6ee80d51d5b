"""The page of a preview session, served to browsers on this machine, and nothing else.

It serves a fixed list: the page's files, pictures by the digest of their face, events, and what a page sends: the faces
that are seen on it, and a choice among those that the game offers. A link leads to a table with its pieces.

Only a page with the key of the session, which is in the address that `pnp studio` prints, reads the
game's files and edits them: another user of the machine does not have it.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, unquote

import msgspec

from generator.basics.errors import Place, PnpError, fail, quote
from generator.game import NAME
from generator.game.spec import SPEC
from generator.pdf.pictures.picture_pool import GLANCE, wish_of
from generator.studio.commands import MOST_SENT, Commands
from generator.studio.editor import MOST_BYTES
from generator.studio.session import Listener, PreviewSession
from generator.studio.view import key_of
from generator.web.server import JSON, Event, LocalHandler, LocalServer, spoken_files

_SOON = 0.5  # s, in which a command ends whose page was closed
_COARSEST = 24  # dpi: cards as small as a thumbnail
_WHOLE = re.compile("[1-9][0-9]{0,3}")
_FILE = "application/octet-stream"
_PICTURES = ("image/png", "image/jpeg", "image/svg+xml")


class Shelf:
    """The games in a folder, from which a page opens one, or makes a new one beside them."""

    named = ""  # the game that commands are for

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._listeners: list[Listener] = []
        self._is_over = threading.Event()
        self.look, self.stop = self._is_over.wait, self._is_over.set

    def __enter__(self) -> Shelf:
        return self

    def __exit__(self, *_: object) -> None:
        for listener in self._listeners:
            listener.put(None)

    def listen(self) -> Listener:
        """Returns a queue that says which games there are."""
        games = sorted(spec.parent.name for spec in self.folder.glob(f"*/{SPEC}"))
        listener = Listener()
        listener.put(Event("shelf", json.dumps({"folder": self.folder.name, "games": games})))
        self._listeners.append(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        self._listeners.remove(listener)


class Server(LocalServer):
    """The page of a session, or of a shelf. Raises PnpError if the port is taken."""

    def __init__(self, session: PreviewSession | Shelf, port: int = 0, commands: Commands | None = None) -> None:
        self.session = session
        self.commands = commands or Commands()
        self.next_game = ""  # the folder that a page opens instead
        self.pages: dict[str, Listener] = {}  # by the name that each page chose
        super().__init__(_PreviewHandler, partial(spoken_files, Path(__file__).parent), port)

    @property
    def game(self) -> PreviewSession:
        """The session. Raises PnpError if no game is open."""
        if isinstance(self.session, Shelf):
            raise fail(Place("the page"), "no game is open", "open one, or make a new one")
        return self.session

    @property
    def shelf(self) -> Path:
        """The folder of games."""
        session = self.session
        return session.folder if isinstance(session, Shelf) else session.editor.folder.parent

    def open(self, name: str) -> None:
        """Ends the session, for another game of the folder. Raises PnpError if there is none."""
        folder = self.shelf / name
        if not NAME.fullmatch(name) or not (folder / SPEC).is_file():
            raise fail(Place(quote(name)), f"there is no such game in {self.shelf.name}")
        self.next_game = str(folder)
        self.session.stop()


class _PreviewHandler(LocalHandler):
    server: Server
    methods = ("GET", "POST")

    def answer_get(self, path: str, query: str) -> None:
        wish = wish_of(path)
        with self._refusing():
            if wish:
                self.answer_picture(self.server.game.picture(wish))
            elif path == "/events":
                self._pass_on(parse_qs(query).get("page", [""])[-1])
            elif path == "/seen":
                self._note_seen(query)
            elif path == "/choose":
                self._choose(query)
            elif path == "/table":
                self._lead_to_table()
            elif path in ("/text", "/rows", "/parts", "/schema", "/stock", "/font", "/commands"):
                self._answer_content(path, parse_qs(query))
            elif path.startswith("/made/"):
                self._send_made(path)
            else:
                self.refuse(404, "There is no such file.")

    def do_POST(self) -> None:  # noqa: N802
        if not self.is_ours():
            return
        kinds = {"/picture": _PICTURES, "/send": (_FILE,)}.get(self.path, (JSON,))
        body = self.read_message(MOST_SENT if self.path == "/send" else MOST_BYTES, kinds)
        if body is None or not self._has_key():
            return
        with self._refusing():
            if self.path == "/run":
                server = self.server
                with server.commands.run(body, server.shelf, server.session.named) as events:
                    self.send_events(events, _SOON)
            else:
                self._act(body)

    def _act(self, body: bytes) -> None:
        """Does what a page asks for. Raises PnpError if it cannot be done."""
        server = self.server
        name, batch = unquote(self.headers.get("X-Name", "")), self.headers.get("X-Batch", "")
        actions: Mapping[str, Callable[[], object]] = {
            "/edit": lambda: {"digest": server.game.edit(body), "writes": server.game.editor.writes},
            "/picture": lambda: {"path": server.game.add_picture(name, body)},
            "/send": lambda: {"path": server.commands.keep(batch, name, body)},
            "/open": lambda: server.open(name),
            "/launch": lambda: server.game.editor.open_file(body),
            "/copy": lambda: server.game.copy_layouts(),
        }
        if self.path not in actions:
            self.refuse(404, "There is no such thing.")
        elif answer := actions[self.path]():
            self._answer_json(answer)
        else:
            self.answer_done()

    def _has_key(self) -> bool:
        """Whether the page has the session's key; all others are refused."""
        if self.server.is_key(self.headers.get("X-Key", "")):
            return True
        self.refuse(401, "Open the address that pnp studio prints.")
        return False

    def _answer_content(self, path: str, options: dict[str, list[str]]) -> None:
        if not self._has_key():
            return
        names = ("file", "sheet", "family", "face", "for")
        id_, sheet, family, face, command = (options.get(name, [""])[-1] for name in names)
        server, key = self.server, key_of(face)
        contents: Mapping[str, Callable[[], object]] = {
            "/text": lambda: server.game.editor.text(id_),
            "/rows": lambda: server.game.editor.table(id_, sheet),
            "/schema": lambda: server.game.schema(),
            "/stock": lambda: server.game.stock(),
            "/commands": lambda: msgspec.to_builtins(server.commands.offer(command)),
            "/parts": lambda: server.game.parts(key) if key else {},
        }
        if path == "/font":
            self.answer(200, "font/ttf", server.game.font(family), "no-store")
        else:
            self._answer_json(contents[path]())

    def _send_made(self, path: str) -> None:
        """Sends a file that a command made; its address has a secret in place of the key."""
        made = self.server.commands.find(path.split("/")[2])
        if made is None:
            self.refuse(404, "There is no such file any more: make it again.")
            return
        kind = "application/pdf" if made[0].endswith(".pdf") else _FILE
        self.answer(200, kind, made[1], "no-store")

    def _answer_json(self, value: object) -> None:
        self.answer(200, JSON, json.dumps(value, ensure_ascii=False).encode(), "no-store")

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Says why what is done cannot be done, in the words of its first problem."""
        try:
            yield
        except PnpError as error:
            problem = error.problems[0]
            hint = f" ({problem.hint})" if problem.hint else ""
            self.refuse(409, f"{problem.place}: {problem.what}{hint}")
        except TimeoutError:
            self.refuse(503, "The game is being drawn: try again.")

    def _note_seen(self, query: str) -> None:
        """Stores the faces visible on a page: they are drawn first when a file changes, as fine as
        the page shows them."""
        options = parse_qs(query)
        listener = self.server.pages.get(options.get("page", [""])[0])
        if listener is not None:
            listener.seen = [key for key in map(key_of, options.get("face", [])) if key]
            dpi = options.get("dpi", [""])[-1]
            asked = int(dpi) if _WHOLE.fullmatch(dpi) else GLANCE
            listener.dpi = min(max(asked, _COARSEST), GLANCE)
        self.answer_done()

    def _choose(self, query: str) -> None:
        """Chooses what all pages show: `paper=a4`."""
        options, game = parse_qs(query, keep_blank_values=True), self.server.game
        try:
            game.choose({name: values[-1] for name, values in options.items()})
        except PnpError as error:
            self.refuse(400, str(error))
        else:
            self.answer_done()

    def _lead_to_table(self) -> None:
        try:
            self.redirect(self.server.game.table_address())
        except PnpError as error:
            self.refuse(409, str(error))

    def _pass_on(self, page: str) -> None:
        """Sends the events, until the page closes or the session ends."""
        listener = self.server.pages[page] = self.server.session.listen()
        try:
            self.send_events(listener)
        finally:
            if self.server.pages[page] is listener:
                del self.server.pages[page]
            self.server.session.leave(listener)
