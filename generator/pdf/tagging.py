"""Take the sheets of a PDF, describe its pages for screen readers (pikepdf)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from generator.model import LEAFLETS, Page, Placement, Sheet
from generator.pdf.job import Job

_ARTIFACT = b"/Artifact BMC\n"
_END = b"EMC"


def role_of(sheet: Sheet) -> str:
    """The role of a sheet's content: paragraphs or figures (ISO 32000-1, 14.8.4)."""
    return "P" if sheet.component in LEAFLETS else "Figure"


def tag(pdf: pikepdf.Pdf, job: Job) -> None:
    """Add a structure tree (ISO 32000-1, 14.7): a part for each component, with an element for each
    placement. The marked content of an element has the placement's number on its page."""
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    document = pdf.make_indirect(Dictionary(S=Name.Document, P=root))
    tree = _Tree(pdf, job, document)
    parents: list[Any] = []
    for index, (sheet, page) in enumerate(_pages(job.sheets)):
        parents.extend([index, tree.elements(sheet, page, pdf.pages[index].obj)])
        pdf.pages[index].obj.StructParents = index
    document.K = Array(tree.parts())
    root.K, root.ParentTree = document, pdf.make_indirect(Dictionary(Nums=Array(parents)))
    root.ParentTreeNextKey = len(pdf.pages)
    pdf.Root.StructTreeRoot, pdf.Root.MarkInfo = root, Dictionary(Marked=True)


class _Tree:
    """The parts of a document, with their elements on the pages."""

    def __init__(self, pdf: pikepdf.Pdf, job: Job, document: pikepdf.Object) -> None:
        self._pdf, self._job, self._document = pdf, job, document
        self._order = {face.id: number for number, face in enumerate(job.faces)}
        self._names = {face.id: face.name for face in job.faces}
        self._parts: dict[tuple[str, str], pikepdf.Object] = {}
        self._elements: dict[tuple[str, str], list[tuple[int, pikepdf.Object]]] = {}

    def elements(self, sheet: Sheet, page: Page, on: pikepdf.Object) -> Array:
        """The elements of a page, by number."""
        part, all_of_part = self._part(sheet), self._elements[sheet.component, sheet.title]
        elements = Array()
        for number, placement in enumerate(page.placements):
            element = self._pdf.make_indirect(
                Dictionary(S=Name("/" + role_of(sheet)), P=part, Pg=on, K=number)
            )
            if sheet.component not in LEAFLETS:
                element.Alt = String(self._alternative(placement))
            elements.append(element)
            # a folded booklet is read in the order of its pages, other sheets in printing order
            is_leaflet = sheet.component in LEAFLETS
            turn = self._order[placement.face] if is_leaflet else len(all_of_part)
            all_of_part.append((turn, element))
        return elements

    def _part(self, sheet: Sheet) -> pikepdf.Object:
        key = sheet.component, sheet.title  # mixed sheets may have several titles
        if key not in self._parts:
            part = Dictionary(S=Name.Part, P=self._document, T=String(sheet.title))
            self._parts[key] = self._pdf.make_indirect(part)
            self._elements[key] = []
        return self._parts[key]

    def _alternative(self, placement: Placement) -> str:
        key = placement.piece, placement.face
        return self._job.names.get(key) or self._names[placement.face]

    def parts(self) -> Iterator[pikepdf.Object]:
        for key, part in self._parts.items():
            elements = sorted(self._elements[key], key=lambda one: one[0])
            part.K = Array([element for _, element in elements])
            yield part


def label(pdf: pikepdf.Pdf, sheets: Sequence[Sheet]) -> None:
    """Name the pages; viewers show the names beside the numbers (ISO 32000-1, 12.4.2)."""
    names: list[Any] = []
    for index, (sheet, page) in enumerate(_pages(sheets)):
        number = [str(sheet.number)] if sheet.total > 1 else []
        side = [page.side] if len(sheet.pages) > 1 else []
        names.extend([index, Dictionary(P=String(" ".join((sheet.title, *number, *side))))])
    pdf.Root.PageLabels = Dictionary(Nums=Array(names))


def _pages(sheets: Sequence[Sheet]) -> Iterator[tuple[Sheet, Page]]:
    """The sheets and pages in printing order."""
    return ((sheet, page) for sheet in sheets for page in sheet.pages)


def untag(form: pikepdf.Object) -> None:
    """Remove the engine's artifact mark, so that a form belongs to the content that draws it."""
    content = form.read_bytes()
    if content.startswith(_ARTIFACT) and content.rstrip().endswith(_END):
        form.write(content.rstrip()[len(_ARTIFACT) : -len(_END)])
