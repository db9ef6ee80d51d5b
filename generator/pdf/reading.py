"""Objects of a PDF that the engine or qpdf wrote (ISO 32000-1, 7.3 and 7.5), read from it.

Both write a plain table of places, and no object streams; of a file that has them, pikepdf writes
one that has none. It reads any PDF, but for a small deck it takes as long to load as all else that
the press does.

Objects that were read are written into other files. The engine's pages state there what viewers
need to show them as drawn.
"""

import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from generator.basics.geometry import decimal
from generator.pdf.document import PdfDocument

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
_HAIR = 2e-5  # of a tile
_BEND = 1e-5  # of the width of a rectangle
_NUMBER = rb"-?[\d.]+"
_RECTANGLE = re.compile(  # filled with a pattern, as the engine writes it
    rb"/Pattern cs(?P<name>/p\d+) scn\s+(?P<x0>%b) (?P<y0>%b) m "
    rb"(?P<x1>%b) (?P=y0) l (?P=x1) (?P<y1>%b) l (?P=x0) (?P=y1) l(?=\s+h\b)" % ((_NUMBER,) * 4)
)
_MOST_SMOOTHED = 1_000_000  # pixels: a larger picture is fine enough on a card


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

    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        pdf.save(saved, object_stream_mode=pikepdf.ObjectStreamMode.disable)
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

    def _put_stream(self, entries: Mapping[str, str], stream: PdfStream, also: Mapping[str, object]) -> str:
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


def suit_viewers(content: bytes, drawing: PdfReader) -> None:
    """Adjust patterns and pictures of a PDF that was read; `content` is its bytes.

    pdfium, which shows PDFs in Chrome and Edge, rounds the step of a tile to whole pixels if its
    box is as large. It stretches the box to whole pixels, so the box becomes a hair smaller: a
    larger one would grow by a pixel. It widens a rectangle of tiles to whole pixels, but no other
    shape. It shows the pixels of a small picture as squares unless told to smooth them.
    poppler takes 0 for the width of a line in a tile that sets none, not 1 (ISO 32000-1, 8.4.1).
    """
    if b"/PatternType 1" not in content and b"/Subtype/Image" not in content:
        return  # most faces, and looking at every object takes time
    for page in drawing.pages:
        _bend_rectangles(drawing, drawing.get(page, "/Contents"), page)
    for thing in drawing.objects():
        if isinstance(thing, PdfStream):
            _bend_rectangles(drawing, thing, thing)
            _suit_stream(thing)


def _suit_stream(thing: PdfStream) -> None:
    if thing.get("/PatternType") == "1":
        x0, y0, x1, y1 = map(float, thing["/BBox"])
        box = (x0, y0, x1 - (x1 - x0) * _HAIR, y1 - (y1 - y0) * _HAIR)
        thing["/BBox"] = [decimal(side, 6) for side in box]
        thing.write(b"1 w\n" + thing.read())
    elif thing.get("/Subtype") == "/Image" and int(thing["/Width"]) * int(thing["/Height"]) <= _MOST_SMOOTHED:
        thing["/Interpolate"] = "true"


def _bend_rectangles(drawing: PdfReader, content: PdfStream, holder: dict[str, Any]) -> None:
    """Make each rectangle that is filled with tiles a shape of five corners: the last is a hair
    within its left side. `holder` has the resources of the content."""
    patterns = drawing.get(drawing.get(holder, "/Resources", {}), "/Pattern", {})
    every = ((name.encode("ascii"), drawing.resolve(pattern)) for name, pattern in patterns.items())
    tiled = {name for name, pattern in every if pattern["/PatternType"] == "1"}
    if not tiled:
        return

    def bend(match: re.Match[bytes]) -> bytes:
        if match["name"] not in tiled:
            return match[0]
        x0, y0, x1, y1 = (float(match[name]) for name in ("x0", "y0", "x1", "y1"))
        x, y = x0 + (x1 - x0) * _BEND, (y0 + y1) / 2
        return match[0] + f" {decimal(x, 9)} {decimal(y, 9)} l".encode()

    old = content.read()
    new = _RECTANGLE.sub(bend, old)
    if new != old:
        content.write(new)
