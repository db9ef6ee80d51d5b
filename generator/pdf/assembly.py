"""Take typeset layers, make a form of each: its drawings, and its words in the fonts of the file
(pikepdf)."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

import pikepdf
from pikepdf import Dictionary, Name

from generator.geometry import IDENTITY, Size
from generator.model import Layer
from generator.pdf.embedding import embed
from generator.pdf.faces import LayerPart, PlacedPage, Typeset
from generator.pdf.points import points, seat, to_page
from generator.pdf.words import COLOURED, GREY

_SPACES = {1: GREY, 3: COLOURED}  # by the number of colours


def assemble(
    pdf: pikepdf.Pdf, typeset: Typeset, layers: Sequence[Layer], drawn: Sequence[pikepdf.Object]
) -> dict[str, pikepdf.Object]:
    """A form of each layer by its id; `drawn` are the forms of the engine's pages."""
    whole = {layer.id: (layer, typeset.parts[layer.id]) for layer in layers}
    return assemble_parts(pdf, whole, drawn, typeset)


def assemble_parts(
    pdf: pikepdf.Pdf,
    parts: Mapping[str, tuple[Layer, Sequence[LayerPart]]],
    drawn: Sequence[pikepdf.Object],
    typeset: Typeset,
) -> dict[str, pikepdf.Object]:
    """Forms as large as layers that show some of their parts, by name."""
    setter = _Assembler(pdf, drawn, typeset)
    forms = {name: setter.form(layer, shown) for name, (layer, shown) in parts.items()}
    setter.embed_fonts()
    return forms


class _Assembler:
    def __init__(self, pdf: pikepdf.Pdf, drawn: Sequence[pikepdf.Object], typeset: Typeset) -> None:
        self._pdf, self._drawn = pdf, drawn
        self._word_fonts = typeset.fonts
        self._glyphs: dict[str, set[int]] = {}  # by the name of their font
        self._ligatures: dict[str, dict[int, str]] = {}
        if typeset.has_words:
            self._fonts = pdf.make_indirect(Dictionary())
            self._spaces = pdf.make_indirect(_spaces(drawn[-1]))

    def form(self, layer: Layer, parts: Sequence[LayerPart]) -> pikepdf.Object:
        """The form of a layer: that of its one page, or a form that shows its parts in turn."""
        match parts:
            case [PlacedPage() as whole] if _covers(whole, layer):
                return self._drawn[whole.number]
        page = to_page(layer.size)
        resources: dict[str, pikepdf.Object] = {}
        pictures: dict[str, pikepdf.Object] = {}
        operators = []
        for part in parts:
            if isinstance(part, PlacedPage):
                name = f"/P{part.number}"
                pictures[name] = self._drawn[part.number]
                operators.append(f"q {seat(page, None, part.place, part.size)} {name} Do Q")
            else:
                operators.append(part.operators)
                for font, glyphs, ligatures in part.used:
                    self._glyphs.setdefault(font, set()).update(glyphs)
                    self._ligatures[font] = {**ligatures, **self._ligatures.get(font, {})}
                resources |= {"/Font": self._fonts, "/ColorSpace": self._spaces}
        if pictures:
            resources["/XObject"] = Dictionary(pictures)
        return make_form(self._pdf, operators, layer.size, Dictionary(resources))

    def embed_fonts(self) -> None:
        """Embed the fonts of all words."""
        for name, glyphs in self._glyphs.items():
            used, ligatures = self._word_fonts[name], self._ligatures[name]
            font = embed(self._pdf, used, sorted(glyphs), ligatures)
            self._fonts[name] = self._pdf.make_indirect(font)


def make_form(
    pdf: pikepdf.Pdf, operators: Iterable[str], size: Size, resources: Dictionary
) -> pikepdf.Object:
    """A form of a size (mm). It is compressed at once: a deck has thousands."""
    return pdf.make_stream(
        zlib.compress("\n".join(operators).encode("ascii")),
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=[0, 0, *points(size)],
        Resources=resources,
        Filter=Name.FlateDecode,
    )


def _covers(page: PlacedPage, layer: Layer) -> bool:
    """Whether a page is the whole of a layer, but for rounding errors."""
    is_moved = page.place.to_text() != IDENTITY.to_text()
    return not is_moved and points(page.size) == points(layer.size)


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
