"""The saves of a game's files, to be undone and redone without end, also after a crash.

A journal is a folder of its own, outside the game's. Its log has a line of JSON for each step, and beside it are the
contents of the files before and after, by their digests. Contents are written first, then the log, then the game's
file: whatever ends pnp, the file is as before or as after the last line.
"""

from __future__ import annotations

import os
import time
import zlib
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, fail
from generator.basics.writing import write_whole

ABSENT = ""  # the digest of no file
_MOST_SAVES = 500
_TOGETHER = 2.0  # s within which saves of the same value are one


class Save(Struct, frozen=True):
    """A change of a file in the game's folder: the digests of its content before and after, what
    was changed in a few words, and when (s, by the clock of the machine)."""

    file: str
    before: str
    after: str
    what: str
    time: float


class _LogLine(Struct, frozen=True):
    """A line of the log. `merge`: a save in place of the last one."""

    do: Literal["save", "merge", "undo", "redo"]
    save: Save | None = None


def digest_of(content: bytes | None) -> str:
    return ABSENT if content is None else blake2b(content, digest_size=16).hexdigest()


def open_journal(folder: Path, game: Path) -> Journal:
    """The journal of the game in a folder, within the folder of all journals. Raises PnpError if it
    cannot be read or written."""
    own = folder / digest_of(str(game.resolve()).encode())
    try:
        return Journal(own)
    except OSError as error:
        what = f"the journal cannot be kept: {error.strerror}"
        raise fail(Place(str(own)), what, "use pnp preview, which changes nothing") from None


class Journal:
    """The saves in a folder, which is made. A torn last line, after a crash, does not count. Raises
    OSError if the folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "log"
        self.saves: list[Save] = []
        self.position = 0  # how many of them are done, the others are undone
        (folder / "contents").mkdir(parents=True, exist_ok=True)
        read = msgspec.json.Decoder(_LogLine).decode
        log = self._log.read_bytes() if self._log.exists() else b""
        if log and not log.endswith(b"\n"):
            write_whole(self._log, log + b"\n")
        lines = log.splitlines()
        for line in lines:
            with suppress(msgspec.MsgspecError):
                self._apply(read(line))
        if len(self.saves) > _MOST_SAVES or len(lines) > 4 * _MOST_SAVES:
            self._shorten()

    @property
    def last(self) -> Save | None:
        """The save to undo next."""
        return self.saves[self.position - 1] if self.position else None

    @property
    def next(self) -> Save | None:
        """The save to redo next."""
        return self.saves[self.position] if self.position < len(self.saves) else None

    def note(self, file: str, before: bytes | None, after: bytes | None, what: str) -> None:
        """Keeps a save that is about to be done. Of the same value, within two seconds, it goes on
        with the last one."""
        save = Save(file, digest_of(before), digest_of(after), what, time.time())
        for content in (before, after):
            path = self._folder / "contents" / digest_of(content)
            if content is not None and not path.exists():
                write_whole(path, zlib.compress(content))
        last = self.last
        if (
            last
            and self.position == len(self.saves)
            and (last.file, last.what, last.after) == (save.file, save.what, save.before)
            and 0 <= save.time - last.time < _TOGETHER
        ):
            self._write(_LogLine("merge", replace(save, before=last.before)))
        else:
            self._write(_LogLine("save", save))

    def go(self, way: Literal["undo", "redo"]) -> None:
        """Notes that the last save is undone, or the next one done again."""
        self._write(_LogLine(way))

    def content(self, digest: str) -> bytes | None:
        """A content that was kept; None for no file. Raises OSError or zlib.error if it is gone."""
        if digest == ABSENT:
            return None
        return zlib.decompress((self._folder / "contents" / digest).read_bytes())

    def _write(self, step: _LogLine) -> None:
        with self._log.open("ab") as log:
            log.write(msgspec.json.encode(step) + b"\n")
            log.flush()
            os.fsync(log.fileno())
        self._apply(step)

    def _apply(self, step: _LogLine) -> None:
        if step.save:
            done = self.position - (step.do == "merge")
            self.saves[done:] = [step.save]
            self.position = len(self.saves)
        else:
            ahead = self.position + (1 if step.do == "redo" else -1)
            self.position = min(max(ahead, 0), len(self.saves))

    def _shorten(self) -> None:
        """Forgets the oldest saves, and contents that no other save has."""
        gone = max(len(self.saves) - _MOST_SAVES, 0)
        self.saves, self.position = self.saves[gone:], max(self.position - gone, 0)
        steps = [_LogLine("save", save) for save in self.saves]
        steps += [_LogLine("undo")] * (len(self.saves) - self.position)
        write_whole(self._log, b"".join(msgspec.json.encode(step) + b"\n" for step in steps))
        kept = {digest for save in self.saves for digest in (save.before, save.after)}
        for path in (self._folder / "contents").iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)
