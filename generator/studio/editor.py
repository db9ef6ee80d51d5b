"""Edits of a game's files that its page asks for: each is the smallest change of one file.

A page names a file by its id and by the digest of the content that it saw. Files that the game does
not name, that lie elsewhere, or that only another program can write are locked, with the reason.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from functools import partial, reduce
from pathlib import Path, PurePosixPath
from threading import RLock, Thread
from typing import Any, Literal

import msgspec
from msgspec import Struct

from generator.basics.errors import MisfitError, Place, PnpError, fail, quote
from generator.basics.files import MEGABYTE, decode, find_alike, read_within, resolve_within
from generator.basics.keys import KeyPath
from generator.basics.writing import write_whole
from generator.game.spec import MAX_BYTES, SPEC, walk
from generator.pdf.pictures.picture_worker import traces
from generator.studio.cells import CsvTable, SheetTable
from generator.studio.journal import Journal, digest_of
from generator.studio.values import arrange_tables, read_tables, rename_keys, set_attributes, set_value
from generator.tables.rows import MAX_COLUMNS
from generator.tables.table import read_lines

MOST_BYTES = 16 * MEGABYTE  # of a file
_MOST_NEW = 10_000  # rows of one edit
_SHOWN_SAVES = 20
_PLACEHOLDER = re.compile(r"\{\{[^{}]*+\}\}")
_KINDS: Mapping[str, Literal["table", "drawing", "text", "picture"]] = {
    ".csv": "table", ".tsv": "table", ".xlsx": "table", ".xlsm": "table", ".ods": "table",
    ".fods": "table", ".json": "table", ".svg": "drawing", ".md": "text", ".toml": "text",
    ".png": "picture", ".jpg": "picture", ".jpeg": "picture",
}  # fmt: skip
_LOCKED = {
    (".xlsm", ".fods"): "open it in your spreadsheet",
    (".json",): "open it in an editor",
    (".png", ".jpg", ".jpeg"): "open it in a drawing program",
}


class GameFile(Struct, frozen=True):
    """A file that the game names. `locked`: why the page cannot change it; "" if it can."""

    id: str
    name: str  # its path in the game's folder
    kind: Literal["table", "drawing", "text", "picture"]
    digest: str  # "" of a picture
    locked: str = ""


class _Edit(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A change of a file, of which the page saw the content of that digest."""

    file: str
    digest: str


class CellsEdit(_Edit, frozen=True, tag="cells"):
    """Other cells of a table: the index of the row (the header is 0) and of the column, the text
    that the page saw, and the new one. Cells behind the last row make new rows."""

    cells: Sequence[tuple[int, int, str, str]]
    sheet: str = ""


class RowsEdit(_Edit, frozen=True, tag="rows"):
    """The rows below a table's header as they shall be: their indices, or the cells of new ones."""

    rows: Sequence[int | Sequence[str]]


class ColumnsEdit(_Edit, frozen=True, tag="columns"):
    """Columns of a table that are removed: their indices."""

    columns: Sequence[int]


class ValuesEdit(_Edit, frozen=True, tag="values"):
    """Other values of keys in game.toml; null removes a key."""

    values: Sequence[tuple[tuple[str | int, ...], Any]]


class TablesEdit(_Edit, frozen=True, tag="tables"):
    """Tables of an array in game.toml as they shall be: their indices, or the pairs of new ones."""

    path: tuple[str | int, ...]
    tables: Sequence[int | Mapping[str, Any]]


class RenameEdit(_Edit, frozen=True, tag="rename"):
    """Another name of keys in game.toml, as of a colour, and other values, which use it."""

    keys: Sequence[tuple[str | int, ...]]
    name: str
    uses: Sequence[tuple[tuple[str | int, ...], str]] = ()


class AttributesEdit(_Edit, frozen=True, tag="attributes"):
    """Other attributes of an element of a drawing, by its number, or other words in it; null removes an attribute."""

    element: int
    values: Mapping[str, str | None] = {}
    words: str | None = None


class TextEdit(_Edit, frozen=True, tag="text"):
    """The whole text of game.toml or of the rules."""

    text: str


class JournalStep(Struct, frozen=True, tag_field="do", tag="step", forbid_unknown_fields=True):
    """The last save undone, or the next one done again."""

    way: Literal["undo", "redo"]


Message = (
    CellsEdit | RowsEdit | ColumnsEdit | ValuesEdit | TablesEdit | RenameEdit | AttributesEdit | TextEdit | JournalStep
)
_read_message: Callable[[bytes], Message] = msgspec.json.Decoder(Message).decode


class Editor:
    """The files of a game in a folder. Without a journal, nothing can be changed."""

    def __init__(self, folder: Path, journal: Journal | None) -> None:
        self.folder = folder
        self.journal = journal
        self.writes = 0  # by which pages order what they are told
        self._spec: dict[str, Any] = {}
        self._lock = RLock()

    def files(self) -> list[GameFile]:
        """The files that the game names, as they are now."""
        return [self._describe(name) for name in sorted(self._names())]

    def describe(self) -> dict[str, Any]:
        """The files, what can be undone and done again, and the raw spec, as JSON."""
        journal = self.journal
        with self._lock:  # a half-finished edit would be reported as finished
            saves = journal.saves[max(journal.position - _SHOWN_SAVES, 0) :] if journal else []
            return {
                "folder": self.folder.name,
                "writes": self.writes,
                "files": msgspec.to_builtins(self.files()),
                "saves": msgspec.to_builtins(saves),
                "undone": len(journal.saves) - journal.position if journal else 0,
                "isReadOnly": journal is None,
                "spec": msgspec.to_builtins(self._read_spec()),
            }

    def text(self, id_: str) -> dict[str, str]:
        """The text of a file and its digest. Raises PnpError."""
        name, content = self._read(id_)
        return {"digest": digest_of(content), "text": decode(content, Place(name))}

    def table(self, id_: str, sheet: str = "") -> dict[str, Any]:
        """The rows of a table, the header first, each with its place. Raises PnpError.

        sheet: of a spreadsheet; in game.toml, the path of an array of tables as JSON.
        """
        name, content = self._read(id_)
        place, table = Place.in_folder(self.folder, name), f"{name}#{sheet}".removesuffix("#")
        lines = read_lines(self.folder, table, place) if name != SPEC else read_tables(content, sheet, place)
        return {
            "digest": digest_of(content),
            "rows": [{"where": str(line.place), "cells": line.cells} for line in lines],
        }

    def do(self, body: bytes) -> str:
        """Does what a page asks for, and returns the digest of the file since. Raises PnpError if
        it cannot be done, or is not understood."""
        try:
            message = _read_message(body)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise fail(Place("the page"), f"the edit is not understood: {error}") from None
        with self._lock:
            return self._go(message.way) if isinstance(message, JournalStep) else self._edit(message)

    def add_picture(self, name: str, content: bytes) -> str:
        """Puts a new picture into art/, and returns its path. Raises PnpError."""
        path = PurePosixPath("art", PurePosixPath(name.replace("\\", "/")).name).as_posix()
        place = Place.in_folder(self.folder, path)
        if _KINDS.get(PurePosixPath(path).suffix.lower()) not in ("drawing", "picture"):
            raise fail(place, "this is no picture", "drop an SVG, PNG or JPEG file")
        with self._lock:
            self._save(path, None, content, f"add {path}")
        return path

    def set_values(self, values: Iterable[tuple[KeyPath, object]], what: str) -> None:
        """Other values of keys in game.toml, as one save. Raises PnpError."""
        with self._lock:
            content = self._current(SPEC) or b""
            self._edit(ValuesEdit(_id_of(SPEC), digest_of(content), list(values)), what)

    def open_file(self, body: bytes) -> None:
        """Opens a file that the game names with this computer's program for it. Raises PnpError."""
        name, _ = self._read(body.decode("ascii", "replace").strip('"'))
        path = find_alike(self.folder, name)
        if sys.platform == "win32":
            os.startfile(path)
            return
        opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
        if opener is None:
            raise fail(Place(name), "this computer has no xdg-open", "open the file by hand")
        silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        run = partial(subprocess.run, [opener, path], check=False, **silent)
        Thread(target=run, daemon=True).start()

    def _edit(self, edit: _Edit, called: str = "") -> str:
        name, content = self._read(edit.file)
        place = Place.in_folder(self.folder, name)
        if reason := self._why_locked(name):
            raise fail(place, reason)
        if digest_of(content) != edit.digest:
            raise fail(place, "another program has changed the file", "look at it, and try again")
        try:
            new, what = self._change(edit, name, content, place)
        except MisfitError as error:
            raise fail(place, str(error), error.hint) from None
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise fail(place, f"not saved: {error}", "mend it first") from None
        except IndexError:
            raise fail(place, "there is no such row or column", "try again") from None
        except UnicodeError:
            raise fail(place, "the text is not UTF-8", "save it as UTF-8 in an editor") from None
        self._save(name, content, new, called or what)
        return digest_of(new)

    def _change(self, edit: _Edit, name: str, content: bytes, place: Place) -> tuple[bytes, str]:
        suffix = PurePosixPath(name).suffix.lower()
        if isinstance(edit, AttributesEdit) and suffix == ".svg":
            changed = ", ".join(edit.values) or "words"
            new = set_attributes(content, edit.element, edit.values, edit.words)
            return new, f"{changed} of element {edit.element}"
        if isinstance(edit, ValuesEdit) and name == SPEC:
            new_text = reduce(lambda text, pair: set_value(text, *pair), edit.values, content.decode())
            return new_text.encode(), ".".join(map(str, edit.values[0][0]))
        if isinstance(edit, TablesEdit) and name == SPEC:
            return arrange_tables(content.decode(), edit.path, edit.tables).encode(), "rows of game.toml"
        if isinstance(edit, RenameEdit) and name == SPEC:
            new_text = rename_keys(content.decode(), edit.keys, edit.name, dict(edit.uses))
            return new_text.encode(), f"the name {edit.name}"
        if isinstance(edit, TextEdit) and suffix in (".toml", ".md"):
            text = edit.text.replace("\r\n", "\n")
            text = text.replace("\n", "\r\n") if b"\r\n" in content else text
            if suffix == ".toml":
                tomllib.loads(text.removeprefix("\ufeff"))
            return text.encode(), "text"
        if isinstance(edit, CellsEdit | RowsEdit | ColumnsEdit) and suffix in (".csv", ".tsv"):
            text = decode(content, place)
            head = content[: len(content) - len(text.encode())]
            table = CsvTable(text, "\t" if suffix == ".tsv" else "")
            what = _change_table(table, edit)
            return head + table.text.encode(), what
        if isinstance(edit, CellsEdit) and suffix in (".xlsx", ".ods"):
            sheet = SheetTable(content, place, edit.sheet)
            what = _set_cells(sheet, edit)
            return sheet.content, what
        raise MisfitError("this cannot be changed on the page", "open the file in its own program")

    def _save(self, name: str, before: bytes | None, after: bytes | None, what: str) -> None:
        place = Place.in_folder(self.folder, name)
        if self.journal is None:
            raise fail(place, "the page is read-only", "use pnp studio")
        if before == after:
            return
        if self._current(name) != before:
            what = "another program has changed the file" if before else "there is a file already"
            raise fail(place, what, "look at it, and try again")
        try:
            self.journal.note(name, before, after, what)
        except OSError as error:
            raise fail(Place("pnp studio"), f"the edit cannot be kept for undoing: {error.strerror}") from None
        self._write(name, after)

    def _go(self, way: Literal["undo", "redo"]) -> str:
        journal = self.journal
        save = journal and (journal.last if way == "undo" else journal.next)
        if not journal or not save:
            raise fail(Place("pnp studio"), f"there is nothing to {way}")
        now, then = (save.after, save.before) if way == "undo" else (save.before, save.after)
        place = Place.in_folder(self.folder, save.file)
        if digest_of(self._current(save.file)) != now:
            raise fail(place, f"another program has changed the file since {quote(save.what)}", "undo it there")
        try:
            content = journal.content(then)
        except (OSError, zlib.error):
            raise fail(place, "its earlier content is no longer kept") from None
        self._write(save.file, content)
        journal.go(way)
        return then

    def _write(self, name: str, content: bytes | None) -> None:
        path = find_alike(self.folder, name)
        self.writes += 1
        if content is None:
            path.unlink(missing_ok=True)
        else:
            write_whole(path, content)

    def _current(self, name: str) -> bytes | None:
        place = Place.in_folder(self.folder, name)
        is_there = resolve_within(self.folder, name, place).exists()
        return read_within(self.folder, name, MOST_BYTES, place) if is_there else None

    def _read(self, id_: str) -> tuple[str, bytes]:
        """The name and the content of a file. Raises PnpError."""
        name = next((name for name in self._names() if _id_of(name) == id_), None)
        if name is None:
            raise fail(Place(self.folder.name), "the game names no such file", "try again")
        return name, read_within(self.folder, name, MOST_BYTES, Place.in_folder(self.folder, name))

    def _describe(self, name: str) -> GameFile:
        kind, locked, digest = _KINDS[PurePosixPath(name).suffix.lower()], self._why_locked(name), ""
        try:
            if kind != "picture":  # which is never changed here, and may be large
                digest = digest_of(read_within(self.folder, name, MOST_BYTES, Place(name)))
        except PnpError as error:
            locked = error.problems[0].what
        return GameFile(_id_of(name), name, kind, digest, locked)

    def _why_locked(self, name: str) -> str:
        path = find_alike(self.folder, name)
        if self.journal is None:
            return "the page is read-only"
        if any(part.is_symlink() for part in (path, *path.parents[: name.count("/")])):
            return "it is a link"
        return next((why for ends, why in _LOCKED.items() if name.lower().endswith(ends)), "")

    def _read_spec(self) -> dict[str, Any]:
        """The raw tables of game.toml when it could last be read. While another program writes it,
        it may be faulty or empty; the other files stay known."""
        with suppress(PnpError, ValueError, RecursionError):
            content = read_within(self.folder, SPEC, MAX_BYTES, Place(SPEC))
            self._spec = tomllib.loads(content.decode("utf-8-sig")) or self._spec
        return self._spec

    def _names(self) -> list[str]:
        """The paths of the files that game.toml names, of itself and of the rules."""
        raw = self._read_spec()
        texts = {value.partition("#")[0] for _, value in walk(raw) if isinstance(value, str)}
        globs = [_PLACEHOLDER.sub("*", text) for text in texts if "{{" in text]
        globs += ["rules*.md"] if "booklet" in raw else []
        listed = [name for name, _ in traces(str(self.folder))]
        named = [text for text in (SPEC, *texts) if PurePosixPath(text).suffix.lower() in _KINDS]
        names = {name for name in listed if any(fnmatch(name, glob) for glob in globs)}
        # a folder may be listed without a file that another program is just replacing
        names.update(name for name in named if name in listed or self._has(name))
        return sorted(name for name in names if PurePosixPath(name).suffix.lower() in _KINDS)

    def _has(self, name: str) -> bool:
        with suppress(PnpError):
            read_within(self.folder, name, MOST_BYTES, Place(name))
            return True
        return False


def _id_of(name: str) -> str:
    return digest_of(name.encode())[:12]


def _change_table(table: CsvTable, edit: CellsEdit | RowsEdit | ColumnsEdit) -> str:
    """Changes a table, and says how. Raises MisfitError and IndexError."""
    if isinstance(edit, CellsEdit):
        return _set_cells(table, edit)
    if isinstance(edit, RowsEdit):
        return _arrange_rows(table, edit)
    header = table.rows[0].cells
    if not {*edit.columns} < {*range(len(header))}:
        raise IndexError
    table.remove_columns(edit.columns)
    return f"remove {', '.join(header[column] for column in edit.columns)}"


def _set_cells(table: CsvTable | SheetTable, edit: CellsEdit) -> str:
    """Sets cells of a table, and says which. Raises MisfitError and IndexError."""
    rows = table.rows
    for row, column, seen, _ in edit.cells:
        if not (0 <= row < len(rows) + _MOST_NEW and 0 <= column < MAX_COLUMNS):
            raise IndexError
        own = rows[row].cells if row < len(rows) else ()
        if seen != (own[column] if column < len(own) else ""):
            raise MisfitError("another program has changed the cell", "look, and try again")
    table.set_cells({(row, column): new for row, column, _, new in edit.cells})
    row, column, _, new = edit.cells[0]
    if row == 0:
        return f"column {new}"
    if len(edit.cells) > 1 or row >= len(rows):
        return "cells"
    header = rows[0].cells
    name = header[column] if column < len(header) else f"column {column + 1}"
    return f"{name} of {rows[row].cells[0]}"


def _arrange_rows(table: CsvTable, edit: RowsEdit) -> str:
    """Adds, removes or moves rows of a table, and says what. Raises MisfitError and IndexError."""
    kept, before = [row for row in edit.rows if isinstance(row, int)], range(1, len(table.rows))
    if len({*kept}) < len(kept) or not {*kept} <= {*before}:
        raise IndexError
    table.arrange(edit.rows)
    return f"{'insert' if len(kept) < len(edit.rows) else 'remove' if len(kept) < len(before) else 'move'} rows"
