"""The engine's pages as forms of a file, with what viewers need to show them as drawn (pikepdf)."""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, explicit_conversion

from generator.basics.geometry import decimal
from generator.pdf.document import PdfDocument, make_dictionary
from generator.pdf.faces import COLOURED, GREY, Typeset

_SPACES = {1: GREY, 3: COLOURED}  # by the number of colours
_DEVICE = {1: Name.DeviceGray, 3: Name.DeviceRGB}
_PLAIN_SPACES = {name[1:]: str(_DEVICE[count]) for count, name in _SPACES.items()}
_MAKER, _ENGINE = slice(48, 56), b"sawsctrl"  # of a profile; of that in typst 0.15, sRGB
_ARTIFACT = b"/Artifact BMC\n"
_END = b"EMC"
_TOGETHER = 1000  # pages that the engine draws at once; it keeps them all until it is done
_HAIR = 2e-5  # of a tile
_BEND = 1e-5  # of the width of a rectangle
_NUMBER = rb"-?[\d.]+"
_RECTANGLE = re.compile(  # filled with a pattern, as the engine writes it
    rb"/Pattern cs(?P<name>/p\d+) scn\s+(?P<x0>%b) (?P<y0>%b) m "
    rb"(?P<x1>%b) (?P=y0) l (?P=x1) (?P<y1>%b) l (?P=x0) (?P=y1) l(?=\s+h\b)" % ((_NUMBER,) * 4)
)
_MOST_SMOOTHED = 1_000_000  # pixels: a larger picture is fine enough on a card


class DrawnForms:
    """The forms of the engine's pages, by number. `describe` gives further entries of each form;
    `has_profiles`: with the engine's profiles of colours."""

    def __init__(
        self,
        document: PdfDocument,
        typeset: Typeset,
        describe: Callable[[int], Mapping[str, object]],
        *,
        has_profiles: bool,
    ) -> None:
        self._document, self._typeset, self._describe = document, typeset, describe
        self._has_profiles = has_profiles
        self._carrier = Carrier(document)
        self._forms: dict[int, str] = {}

    def form(self, number: int) -> str:
        """The reference to the form of a page."""
        if number not in self._forms:
            self._write_group(number - number % _TOGETHER)
        return self._forms[number]

    def spaces(self) -> str:
        """The reference to the colour spaces of the engine, by the names that words use."""
        if not self._has_profiles:
            return self._document.put(make_dictionary(_PLAIN_SPACES))
        with self._carrier.open(self._typeset.draw_swatches()) as drawing:
            spaces = drawing.pages[0].Resources.ColorSpace.values()
            named = {_SPACES[_count_colours(space)][1:]: self._carrier.carry(space) for space in spaces}
        return self._document.put(make_dictionary(named))

    def _write_group(self, start: int) -> None:
        end = min(start + _TOGETHER, self._typeset.pages)
        with self._carrier.open(self._typeset.draw(start, end)) as drawing:
            forms = [_as_form(page.obj) for page in drawing.pages]
            suit_viewers(drawing)
            if not self._has_profiles:
                _drop_profiles(drawing)
            for number, form in enumerate(forms, start):
                self._forms[number] = self._carrier.carry_form(form, self._describe(number))


def _count_colours(space: Any) -> int:
    if isinstance(space, Array):
        return int(space[1].N)
    return 1 if space == Name.DeviceGray else 3


def _as_form(page: Any) -> Stream:
    """Turn the content of a page into a form in place, without the engine's artifact mark, so that
    it belongs to the content that draws it."""
    form: Stream = page.Contents
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.MediaBox
    for name in ("/Resources", "/Group"):
        if name in page:
            form[name] = page[name]
    content = form.read_bytes().rstrip()
    if content.startswith(_ARTIFACT) and content.endswith(_END):
        form.write(content[len(_ARTIFACT) : -len(_END)])
    return form


def suit_viewers(drawing: Pdf) -> None:
    """Adjust patterns and pictures of forms.

    pdfium, which shows PDFs in Chrome and Edge, rounds the step of a tile to whole pixels if its box is as large. It
    stretches the box to whole pixels, so the box becomes a hair smaller: a larger one would grow by a pixel. It widens
    a rectangle of tiles to whole pixels, but no other shape. It shows the pixels of a small picture as squares unless
    told to smooth them. poppler takes 0 for the width of a line in a tile that sets none, not 1 (ISO 32000-1, 8.4.1).
    """
    for stream in _find_streams(drawing):
        _bend_rectangles(stream)
        if stream.get("/PatternType") == 1:
            x0, y0, x1, y1 = map(float, stream.BBox.as_list())
            stream.BBox = Array([x0, y0, x1 - (x1 - x0) * _HAIR, y1 - (y1 - y0) * _HAIR])
            stream.write(b"1 w\n" + stream.read_bytes())
        elif stream.get("/Subtype") == "/Image" and int(stream.Width) * int(stream.Height) <= _MOST_SMOOTHED:
            stream.Interpolate = True


def _find_streams(drawing: Pdf) -> Iterator[Stream]:
    return (thing for thing in drawing.objects if isinstance(thing, Stream))


def _resources(form: Stream, kind: str) -> Any:
    """The resources of a kind, by their names in the content."""
    return form.get("/Resources", Dictionary()).get(kind, Dictionary())


def _bend_rectangles(form: Stream) -> None:
    """Make each rectangle that is filled with tiles a shape of five corners: the last is a hair
    within its left side."""
    patterns = _resources(form, "/Pattern").items()
    tiled = {name.encode("ascii") for name, pattern in patterns if pattern.PatternType == 1}
    if not tiled:
        return

    def bend(match: re.Match[bytes]) -> bytes:
        if match["name"] not in tiled:
            return match[0]
        x0, y0, x1, y1 = (float(match[name]) for name in ("x0", "y0", "x1", "y1"))
        x, y = x0 + (x1 - x0) * _BEND, (y0 + y1) / 2
        return match[0] + f" {decimal(x, 9)} {decimal(y, 9)} l".encode()

    old = form.read_bytes()
    new = _RECTANGLE.sub(bend, old)
    if new != old:
        form.write(new)


def _drop_profiles(drawing: Pdf) -> None:
    """Drop the engine's colour profiles: they are every screen's default, and reading them takes as
    long as painting a face."""
    for stream in _find_streams(drawing):
        for holder in (stream, _resources(stream, "/ColorSpace")):
            for name, space in holder.items():
                if _is_engines(space):
                    holder[name] = _DEVICE[_count_colours(space)]


def _is_engines(space: Any) -> bool:
    is_profiled = isinstance(space, Array) and space[0] == "/ICCBased"
    return is_profiled and space[1].read_bytes()[_MAKER] == _ENGINE


class Carrier:
    """Writes streams and dictionaries with all that they refer to, never to themselves.

    Equal ones of several files are written once, so nothing depends on how drawings were divided into files.
    """

    def __init__(self, document: PdfDocument) -> None:
        self._document = document
        self._known: dict[bytes, str] = {}  # references, by the digests of what they refer to
        self._done: dict[tuple[int, int], str] = {}  # references, by those of the opened file

    @contextmanager
    def open(self, file: bytes) -> Iterator[Pdf]:
        """Begin with another file, in which numbers stay as they are written."""
        self._done = {}
        with explicit_conversion(), pikepdf.open(io.BytesIO(file)) as opened:
            yield opened

    def carry_form(self, form: Stream, also: Mapping[str, object]) -> str:
        """The reference to a new copy of a form of the opened file, with further entries."""
        return self._put_stream(self._entries(form), form, also)

    def carry(self, value: Any) -> str:
        """The new reference for one of the opened file; the text of any other value."""
        if value is None:
            return "null"
        if value.is_indirect:
            if value.objgen not in self._done:
                self._done[value.objgen] = self._carry_object(value)
            return self._done[value.objgen]
        return self._write(value)

    def _write(self, value: Any) -> str:
        if isinstance(value, Dictionary):
            return _write_entries(self._entries(value))
        if isinstance(value, Array):
            return f"[{' '.join(map(self.carry, value.as_list()))}]"
        text = value.unparse(resolved=True)
        return text.decode() if text.isascii() else f"<{bytes(value).hex()}>"

    def _entries(self, value: Any) -> dict[str, str]:
        return {key: self.carry(value[key]) for key in sorted(value.keys())}

    def _carry_object(self, value: Any) -> str:
        if isinstance(value, Stream):
            entries = self._entries(value)
            key = _write_entries(entries).encode("ascii") + value.read_raw_bytes()
            return self._once(key, lambda: self._put_stream(entries, value, {}))
        text = self._write(value)
        return self._once(text.encode("ascii"), lambda: self._document.put_written(text))

    def _put_stream(self, entries: Mapping[str, str], stream: Stream, also: Mapping[str, object]) -> str:
        named = {key[1:]: value for key, value in entries.items() if key != "/Length"}
        is_coded = "/Filter" in entries
        return self._document.put_stream({**named, **also}, stream.read_raw_bytes(), is_coded=is_coded)

    def _once(self, content: bytes, write: Callable[[], str]) -> str:
        digest = blake2b(content, digest_size=16).digest()
        if digest not in self._known:
            self._known[digest] = write()
        return self._known[digest]


def _write_entries(entries: Mapping[str, str]) -> str:
    return f"<<{' '.join(f'{key} {value}' for key, value in entries.items())}>>"
