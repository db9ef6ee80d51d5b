"""Take the sheets of a PDF, describe its pages for screen readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from generator.model import LEAFLETS, Page, Sheet
from generator.pdf.document import PdfDocument, make_array, make_dictionary, make_text


def role_of(sheet: Sheet) -> str:
    """The role of a sheet's content: paragraphs or figures (ISO 32000-1, 14.8.4)."""
    return "P" if sheet.component in LEAFLETS else "Figure"


class _TagPart(Struct):
    """A part of the tree: its object, and its elements with the turn of each in reading."""

    content: Any
    reference: str
    elements: list[tuple[int, str]] = field(default_factory=list)


class TagTree:
    """A structure tree (ISO 32000-1, 14.7): a part for each component, with an element for each
    placement. The marked content of an element has the placement's number on its page."""

    def __init__(self, document: PdfDocument, order: Mapping[str, int]) -> None:
        """`order` has the number of each face, by its id."""
        self._document, self._order = document, order
        self._whole = make_dictionary({"S": "/Document"})
        self._reference = document.put(self._whole)
        self._parts: dict[tuple[str, str], _TagPart] = {}  # by component and title
        self._pages: list[object] = []  # in turn, the number of a page and its elements

    def add(self, sheet: Sheet, page: Page, on: str, names: Mapping[tuple[str, str], str]) -> None:
        """Add the elements of the next page, whose reference is `on`; `names` has what is read
        out, by piece and id of its face."""
        part, role = self._find_part(sheet), "/" + role_of(sheet)
        is_leaflet = sheet.component in LEAFLETS
        elements = []
        for number, placement in enumerate(page.placements):
            element = {"S": role, "P": part.reference, "Pg": on, "K": number}
            if not is_leaflet:
                element["Alt"] = make_text(names[placement.piece, placement.face])
            elements.append(self._document.put(make_dictionary(element)))
            # a folded booklet is read in the order of its pages, other sheets in printing order
            turn = self._order[placement.face] if is_leaflet else len(part.elements)
            part.elements.append((turn, elements[-1]))
        self._pages += [len(self._pages) // 2, make_array(elements)]

    def _find_part(self, sheet: Sheet) -> _TagPart:
        key = sheet.component, sheet.title  # mixed sheets may have several titles
        if key not in self._parts:
            part = make_dictionary(
                {"S": "/Part", "P": self._reference, "T": make_text(sheet.title)}
            )
            self._parts[key] = _TagPart(part, self._document.put(part))
        return self._parts[key]

    def close(self) -> None:
        """Add the rest to the catalogue."""
        for part in self._parts.values():
            part.content["K"] = make_array([element for _, element in sorted(part.elements)])
        parents = self._document.put(make_dictionary({"Nums": make_array(self._pages)}))
        tree = {
            "Type": "/StructTreeRoot",
            "K": self._reference,
            "ParentTree": parents,
            "ParentTreeNextKey": len(self._pages) // 2,
        }
        root = make_dictionary(tree)
        self._whole["P"] = self._document.put(root)
        self._whole["K"] = make_array([part.reference for part in self._parts.values()])
        self._document.setCatalogEntry("StructTreeRoot", root)
        self._document.setCatalogEntry("MarkInfo", {"Marked": "true"})
