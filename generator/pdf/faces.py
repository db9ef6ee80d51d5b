"""Take layers of faces, make their words and a PDF with a vector page of each drawing (typst)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import typst

from generator.art.splitting import PlacedDrawing, Splitter
from generator.geometry import Affine, Size, decimal
from generator.model import Layer
from generator.pdf.points import to_page
from generator.pdf.words import ShownWords, WordFont, WordWriter
from generator.text import FontBook

# A page in the engine's colours, whose spaces the words share with the art: red is a colour, the
# other is grey.
_SWATCHES = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1">'
    '<rect width="1" height="1" fill="#f00"/><rect x="1" width="1" height="1" fill="#888"/></svg>'
)


class PlacedPage(NamedTuple):
    """A page of a PDF by its number, its size (mm), and its place on a layer."""

    number: int
    size: Size
    place: Affine


LayerPart = PlacedPage | ShownWords


@dataclass(frozen=True)
class Typeset:
    """Layers, typeset: a PDF, and the parts of each layer by its id, the lowest first.

    A part is a page, or words in `fonts`, by their names. If there are words, the last page of the
    PDF has the colour spaces of the engine.
    """

    pages: bytes
    parts: Mapping[str, Sequence[LayerPart]]
    fonts: Mapping[str, WordFont]
    has_words: bool


class Typesetter:
    """typst with the fonts of some folders, without system fonts and without access to files."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        fonts = typst.Fonts(
            include_system_fonts=False,
            include_embedded_fonts=False,
            font_paths=list(font_folders),
        )
        # the root is a file, not a folder, so that a layer cannot read from the disk
        self._compiler = typst.Compiler(root=__file__, font_paths=fonts)
        self._splitter = Splitter(FontBook(font_folders))
        self._writer = WordWriter()
        self._parts: dict[str, list[PlacedDrawing | ShownWords]] = {}

    def typeset(self, layers: Sequence[Layer]) -> Typeset:
        """Typeset layers, each drawing once. Raises typst.TypstError."""
        pages: dict[tuple[str, Size], int] = {}
        parts = {
            layer.id: [_number(part, pages) for part in self._split(layer)] for layer in layers
        }
        has_words = any(isinstance(part, ShownWords) for own in parts.values() for part in own)
        if has_words:
            pages[_SWATCHES, Size(2.0, 1.0)] = len(pages)
        pdf = self._compiler.compile(input=_source(pages), format="pdf", timestamp=0)
        assert isinstance(pdf, bytes)
        return Typeset(pdf, parts, self._writer.fonts, has_words)

    def read(self, layers: Sequence[Layer]) -> None:
        """Split layers ahead of `typeset`, and write their words."""
        for layer in layers:
            self._split(layer)

    def _split(self, layer: Layer) -> list[PlacedDrawing | ShownWords]:
        if layer.id not in self._parts:
            assert layer.svg, "a layer without its drawing was read before"
            page = to_page(layer.size)
            self._parts[layer.id] = [
                self._writer.show(part, page) if isinstance(part, list) else part
                for part in self._splitter.split(layer.svg, layer.size)
            ]
        return self._parts[layer.id]


def _number(part: PlacedDrawing | ShownWords, pages: dict[tuple[str, Size], int]) -> LayerPart:
    """The part with its page, which is added to `pages`; words as they are."""
    if isinstance(part, ShownWords):
        return part
    number = pages.setdefault((part.svg, part.size), len(pages))
    return PlacedPage(number, part.size, part.place)


def _source(drawings: Iterable[tuple[str, Size]]) -> bytes:
    return "".join(_page(svg, size) for svg, size in drawings).encode()


def _page(svg: str, size: Size) -> str:
    """A page with the drawing only, as an artifact, so that it gets no tagging marks.

    It is a call of `page`: the engine would search a `set page` again for every later page.
    """
    width, height = size
    text = svg.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f"#page(width: {decimal(width)}mm, height: {decimal(height)}mm, margin: 0pt, pdf.artifact("
        f'image(bytes("{text}"), format: "svg", width: 100%, height: 100%)))\n'
    )
