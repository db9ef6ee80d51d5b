"""The page on which a person shows where the cards of a PDF are, served to browsers on this machine.

It serves a fixed list to whoever has its key: pictures of the pages, what `choose_cards` and
`pair_cards` make of them with the options that it sends, and the game that it asks for.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Annotated, TypeAlias

from msgspec import Meta, MsgspecError, Struct, convert
from msgspec.json import decode, encode
from msgspec.structs import asdict, replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, messages, quote
from generator.basics.geometry import Rect
from generator.importing.choosing import FoundCard, choose_cards, pair_cards, propose_cards
from generator.importing.finding import Wanted
from generator.importing.folder import ImportOptions, find_pages, write_command
from generator.importing.reading import FaceRequest, PageLook, PdfPages, open_pages
from generator.web.server import FOR_EVER, JSON, Event, EventQueue, LocalHandler, LocalServer, spoken_files

_MOST_BODY = 16_384  # bytes
_MOST = 2000.0  # mm, and cards in a row
_PART, _PIXELS = 24.0, 20.0  # mm: a side of an enlarged part of a page; pixels to a mm of it
_SOON, _LAST_WORD = 0.5, 5.0  # s in which a signal is noticed, and in which a last event is sent
_PICTURE = re.compile(r"/([\w-]{1,64})/page([0-9]{1,5})(?:-([0-9]{1,3})-([0-9]{1,3}))?\.png")
_Make: TypeAlias = Callable[[ImportOptions, Callable[[str], None]], tuple[Sequence[Problem], ImportOptions]]


class Adjustment(Struct, frozen=True):
    """The options that a page sends, as in `ImportOptions`; the command line sets the rest."""

    wanted: Wanted
    pages: Sequence[int]
    backs: Annotated[str, Meta(pattern="^(?:next|last|fold|none)?$")] | Sequence[int]
    turns_backs: bool


class AdjustServer(LocalServer):
    """The page of a PDF, whose cards are at first those `given`. `numbers` are the pages to choose from, `names`
    those of the file and of the folder to be made. Raises PnpError if the port is taken."""

    def __init__(
        self, names: tuple[str, str], pages: PdfPages, numbers: Sequence[int], given: ImportOptions, port: int
    ) -> None:  # fmt: skip
        self.orders, self.is_heard = SimpleQueue[tuple[ImportOptions, EventQueue]](), threading.Event()
        self._names, self._pages, self._numbers, self._given = names, pages, numbers, given
        self._looks: dict[int, tuple[Wanted, PageLook]] = {}  # the last of each page
        self._asking = threading.Lock()  # one thread at a time asks the worker
        super().__init__(_AdjustHandler, partial(spoken_files, Path(__file__).parent), port)

    def read(self, body: bytes) -> ImportOptions | None:
        """The options that a page says, those given if it says null; None if no command can."""
        with suppress(MsgspecError):
            said = decode(body, type=Adjustment | None) or convert(self._given, Adjustment, from_attributes=True)
            wanted = said.wanted
            numbers = [*(wanted.size or ()), *(wanted.at or ()), *(wanted.gap or ()), *(wanted.grid or ())]
            if all(0.0 <= n <= _MOST for n in (*numbers, wanted.bleed or 0.0)) and {*said.pages} <= {*self._numbers}:
                return replace(self._given, **asdict(said))
        return None

    def tell(self, options: ImportOptions) -> bytes:
        """The cards for these options, as JSON: `Told` in told.d.ts. Raises PnpError if the machine lacks something."""
        numbers, wanted, fault = options.pages or self._numbers, options.wanted, ""
        with self._asking:
            for number in numbers:
                if number not in self._looks or self._looks[number][0] != wanted:
                    self._looks[number] = wanted, self._pages.look(number - 1, wanted)
            looks = {number: self._looks[number][1] for number in numbers}
        found = choose_cards(looks, wanted)
        proposed = None if any(page.groups for page in found) else propose_cards(looks)
        cards: list[FoundCard] = []
        try:
            cards = pair_cards(found, options.backs, turns_backs=options.turns_backs)
        except MisfitError as error:
            fault = str(error)
        answer = {"pages": [replace(page, picture=b"") for page in found], "cards": cards, "fault": fault}
        answer |= {"said": convert(options, Adjustment, from_attributes=True), "names": self._names}
        answer |= {"proposed": (proposed or ())[:1], "command": write_command(self._names[0], options)}
        return encode(answer)

    def paint(self, number: int, part: Sequence[int]) -> bytes:
        """The picture of a page, or of a part, by its place across and down; empty if there is none."""
        look = self._looks[number][1] if number in self._looks else PageLook()
        if not part or not look.picture:
            return look.picture
        x, y = (_PART * place for place in part)
        box = Rect(x, y, x + _PART, y + _PART)
        request = FaceRequest(self._pages.path, number - 1, box, look.size, _PIXELS, is_raster=True)
        with suppress(PnpError), self._asking:
            return self._pages.cut(request).content
        return b""

    def await_game(self, make: _Make) -> tuple[Sequence[Problem], ImportOptions]:
        """Runs `make` with a page's options until a game is made; the page gets progress, then notes or faults."""
        made = None
        while not made:
            with suppress(Empty):
                options, heard = self.orders.get(timeout=_SOON)
                self.is_heard.clear()
                try:
                    made = make(options, partial(_put, heard, "step"))
                    _put(heard, "made", *messages(made[0]))
                except PnpError as error:
                    _put(heard, "refused", *messages(error.problems))
                heard.put(None)
        self.is_heard.wait(_LAST_WORD)
        return made


def _put(heard: EventQueue, name: str, *lines: str) -> None:
    heard.put(Event(name, json.dumps(lines)))


@contextmanager
def adjusting(
    path: Path, folder: Path, options: ImportOptions, port: int, ask_password: Callable[[str], str] | None
) -> Iterator[AdjustServer]:  # fmt: skip
    """The page of a PDF, which answers until the end. Raises PnpError as `import_pdf` does, and if
    the port is taken."""
    with open_pages(path) as (_, pages):
        numbers = find_pages(Place(quote(str(path))), pages.describe(ask_password), options)
        with AdjustServer((str(path), str(folder)), pages, numbers, options, port) as server:
            threading.Thread(target=server.serve_forever, args=(3600,), daemon=True).start()
            yield server


class _AdjustHandler(LocalHandler):
    server: AdjustServer
    methods = ("GET", "POST")

    def answer_get(self, path: str, query: str) -> None:  # noqa: ARG002
        asked = _PICTURE.fullmatch(path)
        number, *part = [int(word) for word in asked.groups()[1:] if word] if asked else [0]
        if asked and self.server.is_key(asked[1]) and (picture := self.server.paint(number, part)):
            self.answer(200, "image/png", picture, FOR_EVER)
        else:
            self.refuse(404, "There is no such file.")

    def do_POST(self) -> None:  # noqa: N802
        body, server = self.read_message(_MOST_BODY) if self.is_ours() else None, self.server
        if body is None:
            return
        if not server.is_key(self.headers.get("X-Key", "")):
            self.refuse(401, "Open the address that pnp import prints.")
        elif (options := server.read(body)) is None:
            self.refuse(400, "These are no options for this PDF.")
        elif self.path == "/look":
            try:
                self.answer(200, JSON, server.tell(options), "no-store")
            except PnpError as error:
                self.refuse(503, str(error))
        elif self.path == "/make":
            heard: EventQueue = SimpleQueue()
            server.orders.put((options, heard))
            self.send_events(heard, _SOON)
            server.is_heard.set()
        else:
            self.refuse(404, "There is no such thing.")
