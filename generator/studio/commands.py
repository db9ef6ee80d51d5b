"""Commands of pnp that a page runs, each in a process of its own, as in a terminal.

The options of the command line are the only list of what a page offers. A page names an option by
its name, never a path: a file that it sends gets a name in a folder of this session, and what a
command writes lies there too, at an address that nobody can guess.
"""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import Literal

import msgspec
from msgspec import Struct

from generator.basics.errors import Place, fail, quote
from generator.basics.files import MEGABYTE
from generator.basics.writing import UNTIL_END, archive, scratch
from generator.web.server import Event, EventQueue

MOST_SENT = 32 * MEGABYTE  # of a file
_MOST_KEPT = 400 * MEGABYTE  # of all files that pages have sent
_MOST_RUNS = 6  # whose files are kept
_MOST_FILES = 4  # that a page offers one by one; more are packed
_LIST = ".sha256"  # of the files of an export, for the next one to the same folder
_BATCH = re.compile(r"[0-9a-f-]{36}")


class Field(Struct, frozen=True):
    """An option of a command. A terminal would get `flag`, "=" and a text. Of a switch, `values`
    are its flags for off and on, which may be ""; of others, the only texts, if there are some."""

    name: str
    kind: Literal["text", "switch", "file"]
    flag: str
    about: str = ""
    default: str = ""
    values: Sequence[str] = ()


class Command(Struct, frozen=True):
    """A command by its name, such as "export png", and the words that call it. It gets the game, or
    else texts of the page. `pictures` are SVGs of what it may make, by name."""

    name: str
    words: Sequence[str]
    fields: Sequence[Field]
    about: str = ""
    is_of_game: bool = True
    pictures: Mapping[str, str] = {}


class _RunMessage(Struct, frozen=True, forbid_unknown_fields=True):
    command: str
    options: Mapping[str, str] = {}
    texts: Sequence[str] = ()


Offer = Callable[[str], Sequence[Command]]  # the commands whose names begin with a word
_read_run: Callable[[bytes], _RunMessage] = msgspec.json.Decoder(_RunMessage).decode


class Commands:
    """Runs, sends and fetches what pages ask for. Without an offer, it runs nothing."""

    def __init__(self, offer: Offer = lambda _: ()) -> None:
        self.offer = offer
        self._runs: list[Path] = []
        self._made: dict[str, tuple[str, Path]] = {}  # by a secret: the name and the file
        self._sent = 0  # bytes

    @cached_property
    def folder(self) -> Path:
        """The folder of this session; the process removes it when it ends."""
        return UNTIL_END.enter_context(scratch())

    def keep(self, batch: str, name: str, content: bytes) -> str:
        """Keeps a file that a page sends, and returns how the page names it. Raises PnpError."""
        name = PurePosixPath(name.replace("\\", "/")).name
        self._sent += len(content)
        if self._sent > _MOST_KEPT or not name or not _BATCH.fullmatch(batch):
            raise fail(Place(quote(name)), "this file cannot be taken", "start pnp studio again")
        folder = self.folder / batch
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
        return f"{batch}/{name}"

    def find(self, secret: str) -> tuple[str, bytes] | None:
        """A file that a command made, and its name."""
        name, path = self._made.get(secret, ("", None))
        return (name, path.read_bytes()) if path and path.is_file() else None

    @contextmanager
    def run(self, body: bytes, shelf: Path, game: str) -> Iterator[EventQueue]:
        """The events of a command: an event `line` for each line that it says, at the end `done`. It ends with the
        block. New games go to the folder `shelf`; `game` is the open one, or "". Raises PnpError for a command or
        an option that is not offered."""
        try:
            run = _read_run(body)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise fail(Place("the page"), f"the command is not understood: {error}") from None
        offered = self.offer(run.command.partition(" ")[0])
        command = next((command for command in offered if command.name == run.command), None)
        if command is None or (command.is_of_game and not game):
            raise fail(Place(quote(run.command)), "the page may not run this command")
        if any(Path(text).name != text for text in run.texts):
            raise fail(Place(quote(run.command)), "a name is no path")
        texts = [game] if command.is_of_game else run.texts
        words = [*command.words, *self._options(command, run.options), "--", *texts]
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir()
        self._runs.append(folder)
        for old in self._runs[:-_MOST_RUNS]:
            shutil.rmtree(old, ignore_errors=True)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "generator", *words],
            cwd=shelf if command.name == "new" else folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            encoding="utf-8",
            errors="replace",
        )
        events = EventQueue()
        Thread(target=self._follow, args=(process, folder, events), daemon=True).start()
        try:
            yield events
        finally:
            process.terminate()

    def _options(self, command: Command, values: Mapping[str, str]) -> Iterator[str]:
        """The options as a terminal would get them. Raises PnpError for one that is not offered."""
        fields = {field.name: field for field in command.fields}
        for name, value in values.items():
            place = Place(quote(name))
            if name not in fields:
                raise fail(place, "the command has no such option")
            field = fields[name]
            if field.kind == "switch":
                yield from filter(None, [field.values[value == "on"]])
            elif field.kind == "file":
                batch, _, file = value.partition("/")
                if not _BATCH.fullmatch(batch) or PurePosixPath(file).name != file:
                    raise fail(place, "this is no file that the page sent")
                yield f"{field.flag}={self.folder / value}"
            else:
                yield f"{field.flag}={value}"

    def _follow(self, process: subprocess.Popen[str], folder: Path, events: EventQueue) -> None:
        with process:
            for line in process.stdout or ():
                events.put(Event("line", json.dumps(line.rstrip())))
        is_done = process.returncode == 0
        found = sorted(folder.rglob("*")) if is_done else []  # one that was ended may still remove its files
        made = [path for path in found if path.is_file() and path.suffix != _LIST]
        if len(made) > _MOST_FILES:
            made = [_pack(folder, made)]
        events.put(Event("done", json.dumps({"isDone": is_done, "files": list(map(self._offer_file, made))})))
        events.put(None)

    def _offer_file(self, path: Path) -> str:
        """The address at which a page fetches a file."""
        secret = secrets.token_urlsafe(24)
        self._made[secret] = path.name, path
        return f"/made/{secret}/{path.name}"


def _pack(folder: Path, files: Sequence[Path]) -> Path:
    """A ZIP of files, named by the folder in `output` that holds them all."""
    named = {path.relative_to(folder).parts[1:]: path.read_bytes() for path in files}
    tops = {parts[0] for parts in named}
    packed = folder / f"{tops.pop() if len(tops) == 1 else 'files'}.zip"
    packed.write_bytes(archive({"/".join(parts): content for parts, content in named.items()}))
    return packed
