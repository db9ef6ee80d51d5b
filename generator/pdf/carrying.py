"""Take objects of a PDF that was read, write them into another file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from generator.pdf.document import PdfDocument
from generator.pdf.reading import PdfReader, PdfReference, PdfStream


class Carrier:
    """Writes streams and dictionaries with all that they refer to, never to themselves.

    Equal ones of several files are written once, so nothing depends on how drawings were divided
    into files.
    """

    def __init__(self, document: PdfDocument) -> None:
        self._document = document
        self._known: dict[bytes, str] = {}  # references, by the digests of what they refer to
        self._done: dict[PdfReference, str] = {}  # references, by those of the opened file

    def open(self, reader: PdfReader) -> None:
        """Begin with another file."""
        self._reader = reader
        self._done = {}

    def carry_form(self, form: PdfStream, also: Mapping[str, object]) -> str:
        """The reference to a new copy of a form of the opened file, with further entries."""
        return self._put_stream(self._entries(form), form, also)

    def carry(self, value: Any) -> str:
        """The new reference for one of the opened file; the text of any other value."""
        if isinstance(value, str):
            return value
        if isinstance(value, dict):
            return _write(self._entries(value))
        if isinstance(value, list):
            return f"[{' '.join(map(self.carry, value))}]"
        if value not in self._done:
            self._done[value] = self._carry_object(self._reader.resolve(value))
        return self._done[value]

    def _entries(self, value: dict[str, Any]) -> dict[str, str]:
        return {key: self.carry(value[key]) for key in sorted(value)}

    def _carry_object(self, value: Any) -> str:
        if isinstance(value, PdfStream):
            entries = self._entries(value)
            key = _write(entries).encode("ascii") + value.coded
            return self._once(key, lambda: self._put_stream(entries, value, {}))
        text = self.carry(value)
        return self._once(text.encode("ascii"), lambda: self._document.put_written(text))

    def _put_stream(
        self, entries: Mapping[str, str], stream: PdfStream, also: Mapping[str, object]
    ) -> str:
        named = {key[1:]: value for key, value in entries.items()}
        is_coded = "/Filter" in entries
        return self._document.put_stream({**named, **also}, stream.coded, is_coded=is_coded)

    def _once(self, content: bytes, write: Callable[[], str]) -> str:
        digest = blake2b(content, digest_size=16).digest()
        if digest not in self._known:
            self._known[digest] = write()
        return self._known[digest]


def _write(entries: Mapping[str, str]) -> str:
    return f"<<{' '.join(f'{key} {value}' for key, value in entries.items())}>>"
