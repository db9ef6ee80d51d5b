"""Take the sheets of a PDF, describe its pages for screen readers."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from generator.model import LEAFLETS, Page, Sheet
from generator.pdf.syntax import write_array, write_dictionary, write_text
from generator.pdf.writing import PdfWriter


def role_of(sheet: Sheet) -> str:
    """The role of a sheet's content: paragraphs or figures (ISO 32000-1, 14.8.4)."""
    return "P" if sheet.component in LEAFLETS else "Figure"


class TagTree:
    """A structure tree (ISO 32000-1, 14.7): a part for each component, with an element for each
    placement. The marked content of an element has the placement's number on its page."""

    def __init__(self, writer: PdfWriter, order: Mapping[str, int]) -> None:
        """`order` has the number of each face, by its id."""
        self._writer, self._order = writer, order
        self._root, self._document = writer.reserve(), writer.reserve()
        self._parts: dict[tuple[str, str], _TagPart] = {}  # by component and title
        self._pages: list[str] = []  # the elements of each page, by number

    def add(self, sheet: Sheet, page: Page, on: str, names: Mapping[tuple[str, str], str]) -> None:
        """Write the elements of the next page, whose reference is `on`; `names` has what is read
        out, by piece and id of its face."""
        part, role = self._find_part(sheet), "/" + role_of(sheet)
        is_leaflet = sheet.component in LEAFLETS
        elements = []
        for number, placement in enumerate(page.placements):
            element = {"/S": role, "/P": part.reference, "/Pg": on, "/K": number}
            if not is_leaflet:
                element["/Alt"] = write_text(names[placement.piece, placement.face])
            elements.append(self._writer.add(write_dictionary(element)))
            # a folded booklet is read in the order of its pages, other sheets in printing order
            part.turns.append(self._order[placement.face] if is_leaflet else len(part.turns))
            part.elements.append(int(elements[-1].partition(" ")[0]))
        self._pages.append(write_array(elements))

    def _find_part(self, sheet: Sheet) -> _TagPart:
        key = sheet.component, sheet.title  # mixed sheets may have several titles
        if key not in self._parts:
            self._parts[key] = _TagPart(self._writer.reserve())
        return self._parts[key]

    def close(self) -> str:
        """Write the rest; returns the reference to the root."""
        for (_, title), part in self._parts.items():
            entries = {"/S": "/Part", "/P": self._document, "/T": write_text(title)}
            self._writer.add(write_dictionary(entries | {"/K": part.kids()}), part.reference)
        parts = write_array(part.reference for part in self._parts.values())
        document = {"/S": "/Document", "/P": self._root, "/K": parts}
        self._writer.add(write_dictionary(document), self._document)
        numbers = write_array(f"{index} {page}" for index, page in enumerate(self._pages))
        root = {
            "/Type": "/StructTreeRoot",
            "/K": self._document,
            "/ParentTree": self._writer.add(write_dictionary({"/Nums": numbers})),
            "/ParentTreeNextKey": len(self._pages),
        }
        return self._writer.add(write_dictionary(root), self._root)


class _TagPart:
    """A part of the tree: its elements, and the turn of each in reading."""

    def __init__(self, reference: str) -> None:
        self.reference = reference
        self.elements, self.turns = array("L"), array("L")

    def kids(self) -> str:
        turns = sorted(zip(self.turns, self.elements, strict=True))
        return write_array(f"{element} 0 R" for _, element in turns)
