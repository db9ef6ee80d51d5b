"""Proofs: PDFs to inspect, with a page for each face, drawn as the press draws it.

A proof is made of typeset layers and faces; the pages of a face are painted one above another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct, field

from generator.art.splitting import PlacedDrawing
from generator.basics.geometry import Size
from generator.model import Face, Layer, PlacedLayer
from generator.model.face import FORM_MARK, FacePages
from generator.pdf.assembly import Assembler, find_shown
from generator.pdf.document import PdfDocument
from generator.pdf.faces import LayerPart, Typeset, Typesetter
from generator.pdf.job import find_repeated, layers_of
from generator.pdf.points import points, seat, to_page

_MOST_WORDS = 2000  # kept: an edit changes few, and to read them again is a quarter of a picture


class Prover:
    """Makes proofs in this process, without limits; a layer is faster to draw again."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        self._typesetter = Typesetter(font_folders, _MOST_WORDS)

    def proof(self, faces: Sequence[Face]) -> bytes:
        """A page for each face, of the size of its bleed box. Raises typst.TypstError."""
        file = ProofFile(self._typesetter.typeset(layers_of(faces)), find_repeated(faces))
        file.assembler.add(faces)
        for face in faces:
            file.name_forms({face.id: file.assembler.form(face.id)})
            file.add_page(face.size, [("q", face.id, "Q")])
        return file.close()


class ProofFile:
    """A PDF to inspect: without colour profiles, and not compressed, because it is temporary."""

    def __init__(self, typeset: Typeset, repeated: Sequence[str] = ()) -> None:
        self._document = PdfDocument(is_compressed=False)
        self.assembler = Assembler(self._document, typeset, repeated, has_profiles=False)

    def name_forms(self, forms: Mapping[str, str]) -> None:
        """Give forms, by their references, names for pages."""
        for name, reference in forms.items():
            self._document.name_form(name, reference)

    def add_page(self, size: Size, shown: Iterable[tuple[str, str, str]]) -> None:
        """Add a page of a size (mm) that shows forms by their names, each with the operators before
        and after it."""
        self._document.setPageSize(points(size))
        for before, name, after in shown:
            self._document.addLiteral(before)
            self._document.doForm(name)
            self._document.addLiteral(after)
        self._document.end_page()

    def close(self) -> bytes:
        """The file."""
        return self._document.to_bytes()


def prove(typeset: Typeset, faces: Sequence[Face]) -> tuple[bytes, list[FacePages]]:
    """The file, and the pages of each face, of the size of its bleed box."""
    pages = _Pages(typeset)
    every = [(face, pages.add(face, face.layers), pages.add(face, face.cut_out)) for face in faces]
    numbers = [
        FacePages(pages.number(face.size, painted), pages.number(face.size, read))
        for face, painted, read in every
    ]
    return pages.save(), numbers


_Shown = tuple[str, str]  # the operators of the place of a form, and its name


class _Step(Struct, eq=False):
    """A form shown above those of the steps before; `uses` counts what begins with all of them."""

    shown: _Shown
    uses: int = 0
    following: dict[_Shown, _Step] = field(default_factory=dict)


class _Pages:
    """The pages of a proof, each of steps that are used together."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset
        self._first: dict[Size, _Step] = {}
        self._names: dict[tuple[Size, PlacedDrawing] | tuple[str, int], str] = {}
        self._forms: dict[str, tuple[Layer, list[LayerPart]]] = {}
        self._numbers: dict[tuple[Size, tuple[_Shown, ...]], int] = {}

    def add(self, face: Face, layers: Sequence[PlacedLayer]) -> list[_Step]:
        step, steps = self._first.setdefault(face.size, _Step(("", ""))), []
        for shown in self._show(face, layers):
            step = step.following.setdefault(shown, _Step(shown))
            step.uses += 1
            steps.append(step)
        return steps

    def number(self, size: Size, steps: Iterable[_Step]) -> tuple[int, ...]:
        """The numbers of the pages that paint steps; at least one page."""
        by_uses = groupby(steps, lambda step: step.uses)
        runs = [tuple(step.shown for step in run) for _, run in by_uses]
        numbers = self._numbers
        return tuple(numbers.setdefault((size, run), len(numbers)) for run in runs or [()])

    def save(self) -> bytes:
        """The file. A form on several pages has a mark, by which a reader knows it again."""
        file = ProofFile(self._typeset)
        file.name_forms({name: file.assembler.layer(*parts) for name, parts in self._forms.items()})
        uses = Counter(name for _, run in self._numbers for _, name in run)
        for size, run in self._numbers:
            file.add_page(size, [_show(place, name, uses[name]) for place, name in run])
        return file.close()

    def _show(self, face: Face, layers: Sequence[PlacedLayer]) -> Iterator[_Shown]:
        """The form of each part of layers that shows on a face."""
        page = to_page(face.size)
        for placed in layers:
            layer = placed.layer
            place = seat(page, placed.clip, placed.place, layer.size)
            for number, part in find_shown(self._typeset, face.trim, placed):
                yield place, self._name(layer, number, part)

    def _name(self, layer: Layer, number: int, part: LayerPart) -> str:
        """The name of the form of a part; equal drawings are one form."""
        key = (layer.size, part) if isinstance(part, PlacedDrawing) else (layer.id, number)
        name = self._names.setdefault(key, f"X{len(self._names)}")
        self._forms.setdefault(name, (layer, [part]))
        return name


def _show(place: str, name: str, uses: int) -> tuple[str, str, str]:
    """A form, and the operators before and after it, which mark it if it has several uses."""
    if uses > 1:
        return f"/{FORM_MARK}{name} BMC q {place}", name, "Q EMC"
    return f"q {place}", name, "Q"
