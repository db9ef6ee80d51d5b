"""Find the pieces of a finished file whose drawings have transparency (pikepdf)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    """The names of the pieces that are not opaque, and of pages that show such a drawing."""
    return _Finder(pdf, _is_transparent).find()


def find_inky(pdf: pikepdf.Pdf) -> list[str]:
    """The same of those whose blend modes may add up inks beyond a limit."""
    return _Finder(pdf, _adds_ink).find()


def _is_transparent(thing: pikepdf.Object) -> bool:
    """Whether a picture, or the graphics state of a drawing, is not opaque."""
    if thing.get("/Subtype") == "/Image":
        return "/SMask" in thing
    opacities = (float(thing.get(name, 1)) for name in ("/ca", "/CA"))
    return (
        min(opacities) < 1
        or isinstance(thing.get("/SMask"), Dictionary)
        or str(thing.get("/BM", "/Normal")) not in _PLAIN_MODES
    )


def _adds_ink(thing: pikepdf.Object) -> bool:
    return str(thing.get("/BM", "")) in _INKY_MODES


class _Finder:
    """Looks into each form once."""

    def __init__(self, pdf: pikepdf.Pdf, test: Callable[[pikepdf.Object], bool]) -> None:
        self._pdf, self._test = pdf, test
        self._known: dict[tuple[int, int], bool] = {}
        self._elements = _elements(pdf)

    def find(self) -> list[str]:
        found: dict[str, None] = {}
        for number, page in enumerate(self._pdf.pages, 1):
            forms = page.obj.Resources.get("/XObject", Dictionary())
            shown = {name for name, form in forms.items() if self._holds(form)}
            found |= dict.fromkeys(self._names(page, number, shown))
        return list(found)

    def _names(self, page: pikepdf.Page, number: int, shown: set[str]) -> Iterator[str]:
        """The names of the marked contents of a page that show some of these forms."""
        elements = self._elements[int(page.obj.StructParents)]
        marked = -1
        for one in pikepdf.parse_content_stream(page) if shown else ():
            if str(one.operator) == "BDC":
                marked = int(one.operands[1].MCID)
            elif str(one.operator) == "Do" and str(one.operands[0]) in shown:
                element = elements[marked] if marked < len(elements) else Dictionary()
                yield str(element.get("/Alt", f"page {number}"))

    def _holds(self, form: pikepdf.Object) -> bool:
        key = form.objgen
        if key not in self._known:
            self._known[key] = False  # a form never shows itself
            self._known[key] = self._test(form) or any(map(self._holds_part, _parts(form)))
        return self._known[key]

    def _holds_part(self, part: pikepdf.Object) -> bool:
        return self._holds(part) if isinstance(part, Stream) else self._test(part)


def _parts(form: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The forms, pictures, tiles and graphics states in the resources of a form."""
    resources = form.get("/Resources", Dictionary())
    for kind in ("/XObject", "/Pattern", "/ExtGState"):
        yield from resources.get(kind, Dictionary()).values()


def _elements(pdf: pikepdf.Pdf) -> dict[int, pikepdf.Object]:
    """The elements of the tree of tags on each page, by its number in the tree."""
    numbers = pdf.Root.StructTreeRoot.ParentTree.Nums
    return {int(numbers[at]): numbers[at + 1] for at in range(0, len(numbers), 2)}
