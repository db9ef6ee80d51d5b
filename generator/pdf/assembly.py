"""Forms of faces, from typeset layers: their drawings, and their words in the fonts of the file.

The engine's pages become forms, in groups, when a page of a group is first needed, with what viewers need to show them
as drawn (pikepdf). Of a layer placed on a face, only the parts that show there are used.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import takewhile
from typing import Any

import pikepdf
from msgspec import Struct, field
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Pdf, Stream, explicit_conversion

from generator.art.splitting import PlacedDrawing
from generator.basics.geometry import Rect, Size, decimal
from generator.basics.shapes import Outline, box_of, common
from generator.model import Face, Layer, PlacedLayer
from generator.pdf.document import PdfDocument, make_dictionary
from generator.pdf.faces import COLOURED, GREY, EmbeddedFonts, LayerPart, Typeset
from generator.pdf.points import points, seat, to_page

_DRAWING = "/P"  # with the number of a drawing: its name
_IN_PLACE = "1 0 0 1 0 0 cm"
_WITHIN = 0.5  # mm: mirrored edges overlap the piece by less
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


class _Content(Struct):
    """The operators of a form, and the names of the forms in it.

    A name stands for one form in the whole file, so contents with equal operators look the same.
    """

    operators: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    has_words: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.operators)

    def show(self, place: str, name: str) -> None:
        """Add a form at a place, which is operators."""
        self.names.add(name)
        self.operators.append(_show(place, name))

    def add(self, place: str, other: _Content) -> None:
        self.names |= other.names
        self.has_words |= other.has_words
        if place == _IN_PLACE:
            self.operators += other.operators
        else:
            self.operators += [f"q {place}", *other.operators, "Q"]


def _show(place: str, name: str) -> str:
    return f"{name} Do" if place == _IN_PLACE else f"q {place} {name} Do Q"


class _WaitingFace(Struct, frozen=True):
    """A face that waits to be written: the name of its edge, the rest of it, and the name of the
    form that is all of it, if there is one."""

    size: Size
    edge: str
    rest: _Content
    whole: str


class Assembler:
    """Writes the forms of faces, each when it is asked for.

    What several faces show is a form of its own: `repeated` are the ids of layers that they do. All
    else is in the form of its face: a form of each layer would make the file of a large deck a
    third larger. So all faces are added before the first is written. `switch` gives the reference
    to the switch of faces, if they have one. The fonts are embedded last.
    """

    def __init__(
        self,
        document: PdfDocument,
        typeset: Typeset,
        repeated: Iterable[str] = (),
        switch: Callable[[], str] | None = None,
        *,
        has_profiles: bool = True,
    ) -> None:
        self._document, self._typeset, self._switch = document, typeset, switch
        self._drawn = DrawnForms(document, typeset, self._describe_drawing, has_profiles=has_profiles)
        self._repeated = dict.fromkeys(repeated, "")  # the names of layers, by id
        self._edges: dict[tuple[Size, bytes], str] = {}  # the names of edges, by digest
        self._uses: Counter[str] = Counter()  # of forms by faces, by name
        self._waiting: dict[str, tuple[Size, _Content]] = {}  # layers and edges, by name
        self._faces: dict[str, _WaitingFace] = {}  # by id
        self._forms: dict[str, str] = {}  # references, by name or by the id of a face
        self._sizes: dict[str, Size] = {}  # of drawings and layers, by name
        self._whole: set[str] = set()  # the names of forms that are all of a face
        self._resources: dict[tuple[tuple[str, ...], bool], str] = {}
        self._spaces = ""
        self.fonts = EmbeddedFonts(document, typeset.words)

    def add(self, faces: Iterable[Face]) -> None:
        """Read faces, without writing any."""
        for face in faces:
            if face.id not in self._faces:
                self._faces[face.id] = packed = self._pack(face)
                self._whole.add(packed.whole)

    def size(self, face: str) -> Size:
        """The size of a face that was added, by its id."""
        return self._faces[face].size

    def form(self, face: str) -> str:
        """The reference to the form of a face, by its id."""
        if face not in self._forms:
            packed = self._faces[face]
            self._forms[face] = self._write_face(packed)
            self._faces[face] = replace(packed, rest=_Content())
        return self._forms[face]

    def layer(self, layer: Layer, parts: Sequence[LayerPart]) -> str:
        """The reference to a new form that shows some parts of a layer, of the layer's size."""
        content = self._parts(layer, parts)
        single = self._single(content, layer.size)
        return self._find(single) if single else self._write(content, layer.size)

    def _pack(self, face: Face) -> _WaitingFace:
        under = list(takewhile(lambda placed: placed.clip is not None, face.layers))
        edge = self._name_edge(self._put_all(face, under), face.size)
        rest = self._put_all(face, face.layers[len(under) :])
        self._uses.update(rest.names)
        whole = "" if edge else self._single(rest, face.size)
        whole = whole if rest.operators else edge
        return _WaitingFace(face.size, edge, rest, whole)

    def _name_edge(self, edge: _Content, size: Size) -> str:
        """The name of an edge; equal edges have one."""
        if not edge.operators:
            return ""
        digest = blake2b(edge.text.encode("ascii"), digest_size=16).digest()
        name = self._edges.setdefault((size, digest), f"/E{len(self._edges)}")
        if name not in self._waiting:
            self._waiting[name] = size, edge
        self._uses[name] += 1
        return name

    def _write_face(self, face: _WaitingFace) -> str:
        is_shared = self._uses[face.edge] > 1
        if face.whole and (is_shared or face.whole != face.edge):
            return self._find(face.whole)
        content = _Content()
        if is_shared:
            content.show(_IN_PLACE, face.edge)
        elif face.edge:
            content = self._waiting.pop(face.edge)[1]
        content.add(_IN_PLACE, face.rest)
        if content.names <= self._shared:
            content.names = self._shared  # fewer resources: nearly each face has other names
        return self._write(content, face.size, is_face=True)

    @cached_property
    def _shared(self) -> set[str]:
        """The names of the forms that several faces show, once all faces are added."""
        return {name for name, uses in self._uses.items() if uses > 1 and name}

    def _find(self, name: str) -> str:
        if name.startswith(_DRAWING):
            return self._drawn.form(int(name.removeprefix(_DRAWING)))
        if name not in self._forms:
            size, content = self._waiting.pop(name)
            self._forms[name] = self._write(content, size, is_face=name in self._whole)
        return self._forms[name]

    def _put_all(self, face: Face, layers: Sequence[PlacedLayer]) -> _Content:
        """The content of layers that shows on a face."""
        page, trim, content = to_page(face.size), face.trim, _Content()
        for placed in layers:
            layer = placed.layer
            place = seat(page, placed.clip, placed.place, layer.size)
            parts = [part for _, part in find_shown(self._typeset, trim, placed)]
            is_whole = len(parts) == len(self._typeset.add(layer))
            if is_whole and layer.id in self._repeated:
                content.show(place, self._name_repeated(layer, parts))
            elif parts:
                content.add(place, self._parts(layer, parts))
        return content

    def _name_repeated(self, layer: Layer, parts: Sequence[LayerPart]) -> str:
        """The name of a layer that several faces show."""
        if not self._repeated[layer.id]:
            content = self._parts(layer, parts)
            name = self._single(content, layer.size)
            if not name:
                name = f"/L{len(self._sizes)}"
                self._waiting[name], self._sizes[name] = (layer.size, content), layer.size
            self._repeated[layer.id] = name
        return self._repeated[layer.id]

    def _single(self, content: _Content, size: Size) -> str:
        """The name of the form that is all of a content, if there is one."""
        match content.operators, list(content.names):
            case [shown], [name] if shown == _show(_IN_PLACE, name):
                return name if points(self._sizes[name]) == points(size) else ""
        return ""

    def _parts(self, layer: Layer, parts: Sequence[LayerPart]) -> _Content:
        page, content = to_page(layer.size), _Content()
        for part in parts:
            if isinstance(part, PlacedDrawing):
                name = f"{_DRAWING}{self._typeset.number(part)}"
                self._sizes[name] = part.size
                content.show(seat(page, None, part.place, part.size), name)
            else:
                content.operators.append(part.operators)
                content.has_words = True
                self.fonts.use(part.used)
        return content

    def _write(self, content: _Content, size: Size, *, is_face: bool = False) -> str:
        entries = {"OC": self._switch()} if is_face and self._switch else {}
        return self._document.put_form(size, self._resources_of(content), content.text, entries)

    def _describe_drawing(self, number: int) -> dict[str, object]:
        """The further entries of the form of a page."""
        is_face = f"{_DRAWING}{number}" in self._whole
        return {"OC": self._switch()} if is_face and self._switch else {}

    def _resources_of(self, content: _Content) -> str:
        """The resources of a content; those of others with the same forms are the same."""
        key = tuple(sorted(content.names)), content.has_words
        if key not in self._resources:
            resources: dict[str, object] = {}
            if content.names:
                forms = {name[1:]: self._find(name) for name in key[0]}
                resources["XObject"] = make_dictionary(forms)
            if content.has_words:
                self._spaces = self._spaces or self._drawn.spaces()
                resources |= {"Font": self.fonts.reference, "ColorSpace": self._spaces}
            self._resources[key] = self._document.put(make_dictionary(resources))
        return self._resources[key]


def find_shown(typeset: Typeset, trim: Rect, placed: PlacedLayer) -> Iterator[tuple[int, LayerPart]]:
    """The parts of a layer on a face with that trim which may be within its clip, with their
    numbers: most words are not in the mirrored edges, and pages of PDFs are drawings there."""
    parts = enumerate(typeset.add(placed.layer))
    if placed.clip is None:
        yield from parts
        return
    reach, hole = _find_window(placed.clip, trim)
    for number, part in parts:
        room = placed.place.apply_rect(part.room)
        if room.overlaps(reach) and not (hole and hole.encloses(room)):
            yield number, replace(part, page=b"") if isinstance(part, PlacedDrawing) else part


@lru_cache(maxsize=256)  # the faces of a component have the same edges
def _find_window(clip: Outline, trim: Rect) -> tuple[Rect, Rect | None]:
    """The boxes of a face between which a clip shows it: nothing is seen within the second."""
    middle = trim.grown(-_WITHIN)
    return box_of(clip), None if common(clip, middle.corners()) else middle


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
