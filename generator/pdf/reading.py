"""Read the objects of a PDF that the engine or qpdf wrote (ISO 32000-1, 7.3 and 7.5).

Both write a plain table of places, and no object streams; of a file that has them, pikepdf writes
one that has none. It reads any PDF, but for a small deck it takes as long to load as all else that
the press does.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import pikepdf

_END = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
_LONGEST_END = 100  # bytes
_TABLE = re.compile(rb"xref\s+0 (\d+)\s+")
_ENTRY = 20  # bytes of an entry of the table; the first ten are a place
_HEAD = re.compile(rb"\s*\d+ \d+ obj\b")
_TOKEN = re.compile(
    rb"\s*(?:(?P<open><<|\[)|(?P<close>>>|\])|(?P<number>\d+) \d+ R\b"
    rb"|(?P<other>\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*+\))*+\)"
    rb"|<[0-9A-Fa-f\s]*+>|/?[^\s()<>\[\]{}/%]++))",
    re.DOTALL,
)
_STREAM = re.compile(rb"\s*stream\r?\n")


class PdfReference(Struct, frozen=True):
    """A reference to an object, by its number."""

    number: int


class PdfStream(dict[str, Any]):
    """The entries of a stream without its length, and its bytes as they are in the file."""

    def __init__(self, entries: dict[str, Any], coded: bytes) -> None:
        super().__init__(entries)
        self.coded = coded

    def read(self) -> bytes:
        """The content. Raises KeyError for a picture, whose coding may be another."""
        if "/Filter" not in self:
            return self.coded
        return {"/FlateDecode": zlib.decompress}[self["/Filter"]](self.coded)

    def write(self, content: bytes) -> None:
        """Replace the content."""
        self.pop("/Filter", None)
        self.coded = content


def make_plain(content: bytes) -> bytes:
    """A PDF with a plain table of places; itself if it is one."""
    if _find_table(content):
        return content
    import pikepdf

    with pikepdf.open(io.BytesIO(content)) as pdf:
        return save_plain(pdf)


def save_plain(pdf: pikepdf.Pdf) -> bytes:
    """The bytes of an opened PDF, with a plain table of places."""
    from pikepdf import ObjectStreamMode

    saved = io.BytesIO()
    pdf.save(saved, object_stream_mode=ObjectStreamMode.disable)
    return saved.getvalue()


def _find_table(content: bytes) -> re.Match[bytes] | None:
    end = _END.search(content, max(len(content) - _LONGEST_END, 0))
    return _TABLE.match(content, int(end[1])) if end else None


class PdfReader:
    """Reads a plain PDF, each object when it is asked for first; changes of it stay.

    Dictionaries and arrays are Python's own, keys have their slash. Names, numbers and texts are
    as they are written.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._read: dict[int, Any] = {}
        self._places: dict[int, int] = {}
        trailer, _ = self._parse(self._read_table())
        self.pages = list(self._find_pages(self.get(self.get(trailer, "/Root"), "/Pages")))

    def _read_table(self) -> int:
        """Read the table of places; returns the place of the trailer."""
        table = _find_table(self._content)
        assert table, "the PDF is plain"
        for number in range(int(table[1])):
            start = table.end() + number * _ENTRY
            entry = self._content[start : start + _ENTRY]
            if entry[17:18] == b"n":
                self._places[number] = int(entry[:10])
        return self._content.index(b"trailer", table.end()) + len(b"trailer")

    def resolve(self, value: Any) -> Any:
        """The object that a reference stands for; any other value as it is."""
        if not isinstance(value, PdfReference):
            return value
        number = value.number
        if number not in self._read:
            self._read[number] = self._read_object(number)
        return self._read[number]

    def get(self, entries: dict[str, Any], key: str, default: Any = None) -> Any:
        """A value of a dictionary; for a reference, its object."""
        return self.resolve(entries.get(key, default))

    def objects(self) -> Iterator[Any]:
        """Every object."""
        return (self.resolve(PdfReference(number)) for number in self._places)

    def _find_pages(self, tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for kid in map(self.resolve, tree["/Kids"]):
            if kid["/Type"] == "/Pages":
                yield from self._find_pages(kid)
            else:
                yield kid

    def _read_object(self, number: int) -> Any:
        head = _HEAD.match(self._content, self._places[number])
        assert head, "the table names the places of objects"
        value, end = self._parse(head.end())
        stream = _STREAM.match(self._content, end) if isinstance(value, dict) else None
        if not stream:
            return value
        length = int(self.resolve(value.pop("/Length")))
        return PdfStream(value, self._content[stream.end() : stream.end() + length])

    def _parse(self, at: int) -> tuple[Any, int]:
        """The value at a place, and its end."""
        within: list[list[Any]] = []
        while True:
            token = _TOKEN.match(self._content, at)
            assert token, "a value follows"
            at = token.end()
            if token.lastgroup == "open":
                within.append([])
                continue
            value = _make_value(token, within)
            if not within:
                return value, at
            within[-1].append(value)


def _make_value(token: re.Match[bytes], within: list[list[Any]]) -> Any:
    """The value that a token is, or that it ends."""
    if token.lastgroup == "other":
        return token["other"].decode("ascii")
    if token.lastgroup == "number":
        return PdfReference(int(token["number"]))
    parts = within.pop()
    return parts if token["close"] == b"]" else dict(zip(parts[::2], parts[1::2], strict=True))
