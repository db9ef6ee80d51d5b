"""Take objects of a PDF that was read, write them into another file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from generator.pdf.reading import PdfReader, PdfReference, PdfStream
from generator.pdf.syntax import write_array, write_dictionary
from generator.pdf.writing import PdfWriter


class Carrier:
    """Writes streams and dictionaries with all that they refer to, never to themselves.

    Equal ones of several files are written once, so nothing depends on how drawings were divided
    into files.
    """

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._known: dict[bytes, str] = {}  # references, by the digests of what they refer to
        self._done: dict[PdfReference, str] = {}  # references, by those of the opened file

    def open(self, reader: PdfReader) -> None:
        """Begin with another file."""
        self._reader = reader
        self._done = {}

    def carry_form(self, form: PdfStream, also: Mapping[str, object]) -> str:
        """The reference to a new copy of a form of the opened file, with further entries."""
        return self._write_stream({**self._entries(form), **also}, form)

    def carry(self, value: Any) -> str:
        """The new reference for one of the opened file; the text of any other value."""
        if isinstance(value, str):
            return value
        if isinstance(value, dict):
            return write_dictionary(self._entries(value))
        if isinstance(value, list):
            return write_array(map(self.carry, value))
        if value not in self._done:
            self._done[value] = self._carry_object(self._reader.resolve(value))
        return self._done[value]

    def _entries(self, value: dict[str, Any]) -> dict[str, object]:
        return {key: self.carry(value[key]) for key in sorted(value)}

    def _carry_object(self, value: Any) -> str:
        if isinstance(value, PdfStream):
            entries = self._entries(value)
            key = write_dictionary(entries).encode("ascii") + value.coded
            return self._once(key, lambda: self._write_stream(entries, value))
        text = self.carry(value)
        return self._once(text.encode("ascii"), lambda: self._writer.add(text))

    def _write_stream(self, entries: Mapping[str, object], stream: PdfStream) -> str:
        is_coded = "/Filter" in entries
        return self._writer.add_stream(entries, stream.coded, is_coded=is_coded)

    def _once(self, content: bytes, write: Callable[[], str]) -> str:
        digest = blake2b(content, digest_size=16).digest()
        if digest not in self._known:
            self._known[digest] = write()
        return self._known[digest]
