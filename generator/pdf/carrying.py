"""Take objects of a PDF that pikepdf has opened, write them into another file (pikepdf)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from hashlib import blake2b
from typing import Any

import pikepdf

from generator.pdf.syntax import write_array, write_dictionary, write_name
from generator.pdf.writing import PdfWriter


class Carrier:
    """Writes streams and dictionaries with all that they refer to, never to themselves.

    Equal ones of several files are written once, so nothing depends on how drawings were divided
    into files.
    """

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._known: dict[bytes, str] = {}  # references, by the digests of what they refer to
        self._done: dict[tuple[int, int], str] = {}  # references, by the number in an opened file

    def open(self) -> None:
        """Begin with another file."""
        self._done = {}

    def carry_form(self, form: Any, also: Mapping[str, object]) -> str:
        """The reference to a new copy of a form of the opened file, with further entries."""
        return self._write_stream({**self._entries(form), **also}, form)

    def carry(self, thing: Any) -> str:
        """The reference to an indirect object of the opened file; the text of any other value."""
        if not isinstance(thing, pikepdf.Object):
            return _write_plain(thing)
        if not thing.is_indirect:
            return self._carry_direct(thing)
        if thing.objgen not in self._done:
            self._done[thing.objgen] = self._carry_indirect(thing)
        return self._done[thing.objgen]

    def _carry_direct(self, thing: Any) -> str:
        if isinstance(thing, pikepdf.Dictionary):
            return write_dictionary(self._entries(thing))
        if isinstance(thing, pikepdf.Array):
            return write_array(map(self.carry, thing))
        return bytes(thing.unparse()).decode("ascii")

    def _entries(self, thing: Any) -> dict[str, object]:
        keys = sorted(set(thing.keys()) - {"/Length"})
        return {write_name(key): self.carry(thing[key]) for key in keys}

    def _carry_indirect(self, thing: Any) -> str:
        if isinstance(thing, pikepdf.Stream):
            entries = self._entries(thing)
            key = write_dictionary(entries).encode("ascii") + thing.read_raw_bytes()
            return self._once(key, lambda: self._write_stream(entries, thing))
        value = self._carry_direct(thing)
        return self._once(value.encode("ascii"), lambda: self._writer.add(value))

    def _write_stream(self, entries: Mapping[str, object], stream: Any) -> str:
        is_coded = "/Filter" in entries
        return self._writer.add_stream(entries, stream.read_raw_bytes(), is_coded=is_coded)

    def _once(self, content: bytes, write: Callable[[], str]) -> str:
        digest = blake2b(content, digest_size=16).digest()
        if digest not in self._known:
            self._known[digest] = write()
        return self._known[digest]


def _write_plain(value: bool | int | float | Decimal | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else f"{value:f}" if isinstance(value, Decimal) else str(value)
