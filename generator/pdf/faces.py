"""Words of the layers of faces, and PDFs with a vector page of each drawing (typst)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from hashlib import blake2b
from pathlib import Path

import typst

from generator.art.splitting import PlacedDrawing, Splitter
from generator.basics.geometry import Size, decimal
from generator.basics.writing import scratch
from generator.model import Layer
from generator.pdf.points import to_page
from generator.pdf.words import ShownWords, WordWriter
from generator.text import FontBook

# A page in the engine's colours, whose spaces the words share with the art: red is a colour, the
# other is grey.
_SWATCHES = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1">'
    '<rect width="1" height="1" fill="#f00"/><rect x="1" width="1" height="1" fill="#888"/></svg>'
)

LayerPart = PlacedDrawing | ShownWords


class Typesetter:
    """typst with the fonts of some folders, without system fonts. It reads no files but pages of
    PDFs. It keeps the layers that it has read."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=list(font_folders))
        # the root is a file, not a folder, so that a layer cannot read from the disk
        self._compiler = typst.Compiler(root=__file__, font_paths=fonts)
        self._splitter = Splitter(FontBook(font_folders))
        self.writer = WordWriter()
        # the parts of layers, by their ids
        self._read: dict[str, Sequence[LayerPart]] = {}

    def typeset(self, layers: Iterable[Layer]) -> Typeset:
        """The parts of layers, and their drawings in the order of the layers."""
        typeset = Typeset(self)
        for layer in layers:
            typeset.add(layer)
        return typeset

    def split(self, layer: Layer) -> Sequence[LayerPart]:
        """The parts of a layer, the lowest first, with their words as operators."""
        if layer.id not in self._read:
            page = to_page(layer.size)
            self._read[layer.id] = [
                self.writer.show(part, page) if isinstance(part, list) else part for part in self._splitter.split(layer)
            ]
        return self._read[layer.id]

    def forget(self, layers: Iterable[str]) -> None:
        """Forget layers that were read, by their ids."""
        for id_ in layers:
            self._read.pop(id_, None)

    def draw(self, drawings: Iterable[tuple[str, Size, bytes]]) -> bytes:
        """A PDF of one vector page for each drawing of a size (mm), or for the page in its place.
        Raises typst.TypstError."""
        drawings = list(drawings)
        with scratch() if any(page for _, _, page in drawings) else nullcontext(Path(__file__)) as root:
            source = "".join(_page(root, *drawing) for drawing in drawings).encode()
            pdf = self._compiler.compile(input=source, root=str(root), format="pdf", timestamp=0)
        assert isinstance(pdf, bytes)
        return pdf


class Typeset:
    """The layers of one job, and the pages of their drawings, of which equal ones have one.

    Pages are numbered as the layers are added, so they do not depend on what else was read.
    """

    def __init__(self, typesetter: Typesetter) -> None:
        self._typesetter = typesetter
        self._numbers: dict[tuple[str, Size, bytes], int] = {}

    @property
    def words(self) -> WordWriter:
        """The writer of the words, which knows their fonts."""
        return self._typesetter.writer

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self._numbers)

    def add(self, layer: Layer) -> Sequence[LayerPart]:
        """The parts of a layer, the lowest first."""
        parts = self._typesetter.split(layer)
        for part in parts:
            if isinstance(part, PlacedDrawing):
                self.number(part)
        return parts

    def number(self, drawing: PlacedDrawing) -> int:
        """The number of the page of a drawing."""
        return self._numbers.setdefault((drawing.svg, drawing.size, drawing.page), len(self._numbers))

    def draw(self, start: int, end: int) -> bytes:
        """A PDF of the pages from one number to before another. Raises typst.TypstError."""
        return self._typesetter.draw(list(self._numbers)[start:end])

    def draw_swatches(self) -> bytes:
        """A PDF of one page with the engine's colour spaces, which words share with the art."""
        return self._typesetter.draw([(_SWATCHES, Size(2.0, 1.0), b"")])


def _page(folder: Path, svg: str, size: Size, page: bytes) -> str:
    """A page with the drawing only, as an artifact, so that it gets no tagging marks; or with the
    page of a PDF, which is put into a folder.

    It is a call of `page`: the engine would search a `set page` again for every later page.
    """
    width, height = size
    text = svg.replace("\\", "\\\\").replace('"', '\\"')
    source = f'bytes("{text}"), format: "svg"'
    if page:
        name = f"{blake2b(page, digest_size=16).hexdigest()}.pdf"
        (folder / name).write_bytes(page)
        source = f'"{name}", fit: "contain"'
    return (
        f"#page(width: {decimal(width)}mm, height: {decimal(height)}mm, margin: 0pt, pdf.artifact("
        f"image({source}, width: 100%, height: 100%)))\n"
    )
