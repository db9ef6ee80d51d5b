"""Take typeset layers, make the forms of faces: their drawings, and their words in the fonts of the
file (pikepdf)."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import pikepdf
from pikepdf import Dictionary, Name

from generator.geometry import Size
from generator.model import Face, Layer, PlacedLayer
from generator.pdf.embedding import embed
from generator.pdf.faces import LayerPart, PlacedPage, Typeset
from generator.pdf.job import layers_of
from generator.pdf.points import points, seat, to_page
from generator.pdf.showing import ShownParts
from generator.pdf.words import COLOURED, GREY

_SPACES = {1: GREY, 3: COLOURED}  # by the number of colours
_IN_PLACE = "1 0 0 1 0 0 cm"


@dataclass
class _Content:
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
        """Add all of another content."""
        self.names |= other.names
        self.has_words |= other.has_words
        if place == _IN_PLACE:
            self.operators += other.operators
        else:
            self.operators += [f"q {place}", *other.operators, "Q"]


def _show(place: str, name: str) -> str:
    return f"{name} Do" if place == _IN_PLACE else f"q {place} {name} Do Q"


class Assembler:
    """Makes forms in a file; `drawn` are the forms of the engine's pages. `embed_fonts` comes
    last."""

    def __init__(self, pdf: pikepdf.Pdf, drawn: Sequence[pikepdf.Object], typeset: Typeset) -> None:
        self._pdf, self._typeset = pdf, typeset
        self._shown = ShownParts(typeset)
        self._forms = {f"/P{number}": form for number, form in enumerate(drawn)}
        self._sizes: dict[str, Size] = {}  # mm, by name
        self._repeated: dict[str, str] = {}  # the names of layers that several faces show, by id
        self._edges: dict[tuple[Size, str], str] = {}  # the names of edges, by their operators
        self._resources: dict[tuple[tuple[str, ...], bool], pikepdf.Object] = {}
        self._glyphs: dict[str, set[int]] = {}  # by the name of their font
        self._ligatures: dict[str, dict[int, str]] = {}
        if typeset.has_words:
            self._fonts = pdf.make_indirect(Dictionary())
            self._spaces = pdf.make_indirect(_spaces(drawn[-1]))

    def layer(self, layer: Layer, parts: Sequence[LayerPart]) -> pikepdf.Object:
        """A form that shows some parts of a layer, of the layer's size."""
        return self._form(self._parts(layer, parts), layer.size)

    def faces(self, faces: Sequence[Face]) -> list[pikepdf.Object]:
        """The form of each face.

        What several faces show is a form of its own. All else is in the form of its face: a form of
        each layer would make the file of a large deck a third larger.
        """
        self._name_repeated(faces)
        edges = [self._put_all(face, _edge(face)) for face in faces]
        uses = Counter((face.size, edge.text) for face, edge in zip(faces, edges, strict=True))
        forms = []
        for face, edge in zip(faces, edges, strict=True):
            content = self._share(edge, face.size) if uses[face.size, edge.text] > 1 else edge
            content.add(_IN_PLACE, self._put_all(face, face.layers[len(_edge(face)) :]))
            forms.append(self._form(content, face.size))
        return forms

    def embed_fonts(self) -> None:
        """Embed the fonts of all words."""
        for name, glyphs in self._glyphs.items():
            used, ligatures = self._typeset.fonts[name], self._ligatures[name]
            font = embed(self._pdf, used, sorted(glyphs), ligatures)
            self._fonts[name] = self._pdf.make_indirect(font)

    def _name_repeated(self, faces: Sequence[Face]) -> None:
        """Make forms of the layers that several faces show."""
        uses = Counter(id_ for face in faces for id_ in {one.layer.id for one in face.layers})
        for layer in layers_of(faces):
            parts = self._typeset.parts[layer.id]
            if uses[layer.id] > 1:
                name = f"/L{len(self._repeated)}"
                self._repeated[layer.id] = name
                self._forms[name], self._sizes[name] = self.layer(layer, parts), layer.size

    def _share(self, edge: _Content, size: Size) -> _Content:
        """A content that shows a form of an edge; equal edges are one form."""
        if not edge.operators:
            return edge
        key = size, edge.text
        if key not in self._edges:
            name = self._edges[key] = f"/E{len(self._edges)}"
            self._forms[name], self._sizes[name] = self._form(edge, size), size
        content = _Content()
        content.show(_IN_PLACE, self._edges[key])
        return content

    def _put_all(self, face: Face, layers: Sequence[PlacedLayer]) -> _Content:
        """What shows of layers on a face."""
        page, content = to_page(face.size), _Content()
        for placed in layers:
            layer = placed.layer
            place = seat(page, placed.clip, placed.place, layer.size)
            parts = [part for _, part in self._shown.of(face, placed)]
            is_whole = len(parts) == len(self._typeset.parts[layer.id])
            if is_whole and layer.id in self._repeated:
                content.show(place, self._repeated[layer.id])
            elif parts:
                content.add(place, self._parts(layer, parts))
        return content

    def _parts(self, layer: Layer, parts: Sequence[LayerPart]) -> _Content:
        page, content = to_page(layer.size), _Content()
        for part in parts:
            if isinstance(part, PlacedPage):
                name = f"/P{part.number}"
                self._sizes[name] = part.size
                content.show(seat(page, None, part.place, part.size), name)
            else:
                content.operators.append(part.operators)
                content.has_words = True
                for font, glyphs, ligatures in part.used:
                    self._glyphs.setdefault(font, set()).update(glyphs)
                    self._ligatures[font] = {**ligatures, **self._ligatures.get(font, {})}
        return content

    def _form(self, content: _Content, size: Size) -> pikepdf.Object:
        """A form of a content. It is compressed at once: a deck has thousands."""
        match content.operators, list(content.names):
            case [shown], [name] if shown == _show(_IN_PLACE, name):
                if points(self._sizes[name]) == points(size):
                    return self._forms[name]
        return self._pdf.make_stream(
            zlib.compress(content.text.encode("ascii")),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=[0, 0, *points(size)],
            Resources=self._resources_of(content),
            Filter=Name.FlateDecode,
        )

    def _resources_of(self, content: _Content) -> pikepdf.Object:
        """The resources of a content; those of others with the same forms are the same."""
        key = tuple(sorted(content.names)), content.has_words
        if key not in self._resources:
            resources: dict[str, pikepdf.Object] = {}
            if content.names:
                resources["/XObject"] = Dictionary({name: self._forms[name] for name in key[0]})
            if content.has_words:
                resources |= {"/Font": self._fonts, "/ColorSpace": self._spaces}
            self._resources[key] = self._pdf.make_indirect(Dictionary(resources))
        return self._resources[key]


def _edge(face: Face) -> Sequence[PlacedLayer]:
    """The layers beneath the first without a clip."""
    return tuple(takewhile(lambda placed: placed.clip is not None, face.layers))


def _spaces(swatches: pikepdf.Object) -> Dictionary:
    """The colour spaces of the engine, by the names that words use."""
    spaces = swatches.Resources.ColorSpace
    named: Mapping[str, pikepdf.Object] = {
        _SPACES[_count_colours(space)]: space for space in spaces.values()
    }
    return Dictionary(named)


def _count_colours(space: pikepdf.Object) -> int:
    if isinstance(space, pikepdf.Array):
        return int(space[1].N)
    return 1 if space == Name.DeviceGray else 3
