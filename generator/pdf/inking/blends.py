"""Find the pieces of a finished file whose drawings have transparency (pikepdf)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pikepdf
from pikepdf import Dictionary, Stream

_PLAIN_MODES = {"/Normal", "/Compatible"}
# Modes whose result may have more ink than what is below and what is above (ISO 32000-1, 11.3.5)
_INKY_MODES = {
    "/Multiply",
    "/Overlay",
    "/Darken",
    "/ColorBurn",
    "/HardLight",
    "/SoftLight",
    "/Hue",
    "/Saturation",
    "/Color",
    "/Luminosity",
    "/Difference",
    "/Exclusion",
}


def find_transparent(pdf: pikepdf.Pdf) -> list[str]:
    """The names of the pieces that are not opaque, and of pages that show such a drawing; each with
    the reason: "Cards: whale (opacity)"."""
    return [f"{name} ({why})" for name, why in _Finder(pdf, _why_transparent).find().items()]


def find_inky(pdf: pikepdf.Pdf) -> list[str]:
    """The same of those whose blend modes may add up inks beyond a limit."""
    return list(_Finder(pdf, _why_inky).find())


def _why_transparent(thing: pikepdf.Object) -> str:
    """Why a picture, or the graphics state of a drawing, is not opaque; "" if it is."""
    if thing.get("/Subtype") == "/Image":
        return "a picture with alpha, or a filter" if "/SMask" in thing else ""
    if any(float(thing.get(name, 1)) < 1 for name in ("/ca", "/CA")):
        return "opacity"
    if isinstance(thing.get("/SMask"), Dictionary):
        return "a mask, or a gradient that fades"
    return "" if str(thing.get("/BM", "/Normal")) in _PLAIN_MODES else "a blend mode"


def _why_inky(thing: pikepdf.Object) -> str:
    return "a blend mode" if str(thing.get("/BM", "")) in _INKY_MODES else ""


class _Finder:
    """Looks into each form once; `test` gives the reason why a thing is looked for, or ""."""

    def __init__(self, pdf: pikepdf.Pdf, test: Callable[[pikepdf.Object], str]) -> None:
        self._pdf, self._test = pdf, test
        self._known: dict[tuple[int, int], str] = {}
        self._elements = _elements(pdf)

    def find(self) -> dict[str, str]:
        """The first reason of each piece or page that has one."""
        found: dict[str, str] = {}
        for number, page in enumerate(self._pdf.pages, 1):
            forms = page.obj.Resources.get("/XObject", Dictionary())
            shown = {name: why for name, form in forms.items() if (why := self._reason(form))}
            for name, why in self._names(page, number, shown):
                found.setdefault(name, why)
        return found

    def _names(
        self, page: pikepdf.Page, number: int, shown: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        """The names of the marked contents of a page that show some of these forms, and why."""
        elements = self._elements[int(page.obj.StructParents)]
        marked = -1
        for one in pikepdf.parse_content_stream(page) if shown else ():
            if str(one.operator) == "BDC":
                marked = int(one.operands[1].MCID)
            elif str(one.operator) == "Do" and str(one.operands[0]) in shown:
                element = elements[marked] if marked < len(elements) else Dictionary()
                yield str(element.get("/Alt", f"page {number}")), shown[str(one.operands[0])]

    def _reason(self, form: pikepdf.Object) -> str:
        key = form.objgen
        if key not in self._known:
            self._known[key] = ""  # a form never shows itself
            reasons = map(self._reason_of_part, _parts(form))
            self._known[key] = self._test(form) or next(filter(None, reasons), "")
        return self._known[key]

    def _reason_of_part(self, part: pikepdf.Object) -> str:
        return self._reason(part) if isinstance(part, Stream) else self._test(part)


def _parts(form: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The forms, pictures, tiles and graphics states in the resources of a form."""
    resources = form.get("/Resources", Dictionary())
    for kind in ("/XObject", "/Pattern", "/ExtGState"):
        yield from resources.get(kind, Dictionary()).values()


def _elements(pdf: pikepdf.Pdf) -> dict[int, pikepdf.Object]:
    """The elements of the tree of tags on each page, by its number in the tree."""
    numbers = pdf.Root.StructTreeRoot.ParentTree.Nums
    return {int(numbers[at]): numbers[at + 1] for at in range(0, len(numbers), 2)}
