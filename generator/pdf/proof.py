"""Proofs: PDFs to inspect, with a page for each face, drawn as the press draws it.

A proof is made of typeset layers and faces; the pages of a face are painted one above another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct, field

from generator.art.splitting import PlacedDrawing
from generator.basics.geometry import Size
from generator.model import Face, Layer, PlacedLayer
from generator.model.face import FORM_MARK, FacePages
from generator.pdf.assembly import Assembler, find_shown
from generator.pdf.document import PdfDocument
from generator.pdf.faces import LayerPart, Typeset, Typesetter
from generator.pdf.job import layers_of
from generator.pdf.points import points, seat, to_page


def prove(typesetter: Typesetter, faces: Sequence[Face]) -> tuple[bytes, list[FacePages]]:
    """The file, and the pages of each face, of the size of its bleed box. Raises
    typst.TypstError."""
    pages = _Pages(typesetter.typeset(layers_of(faces)))
    every = [(face, pages.add(face, face.layers), pages.add(face, face.cut_out)) for face in faces]
    numbers = [
        FacePages(pages.number(face.size, painted), pages.number(face.size, read)) for face, painted, read in every
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
        """The file: without colour profiles, and not compressed, because it is temporary. A form on
        several pages has a mark, by which a reader knows it again."""
        document = PdfDocument(is_compressed=False)
        assembler = Assembler(document, self._typeset, has_profiles=False)
        for name, parts in self._forms.items():
            document.name_form(name, assembler.layer(*parts))
        uses = Counter(name for _, run in self._numbers for _, name in run)
        for size, run in self._numbers:
            document.setPageSize(points(size))
            for place, name in run:
                mark = f"/{FORM_MARK}{name} BMC " if uses[name] > 1 else ""
                document.addLiteral(f"{mark}q {place}")
                document.doForm(name)
                document.addLiteral("Q EMC" if mark else "Q")
            document.end_page()
        return document.to_bytes()

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
