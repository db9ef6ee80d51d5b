"""Take layers of faces, make a PDF of one vector page each (typst)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import typst

from generator.geometry import decimal
from generator.model import Layer


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

    def pages(self, layers: Sequence[Layer]) -> bytes:
        """A page for each layer, of the layer's size. Raises typst.TypstError."""
        pdf = self._compiler.compile(input=_source(layers), format="pdf", timestamp=0)
        assert isinstance(pdf, bytes)
        return pdf

    def read(self, layers: Sequence[Layer]) -> None:
        """Read layers ahead of their pages; the engine remembers them for its next ten calls.

        A layer that cannot be drawn raises only in `pages`.
        """
        with suppress(typst.TypstError):
            self._compiler.compile(input=_source(layers), format="svg")  # the fastest format


def _source(layers: Sequence[Layer]) -> bytes:
    return "".join(map(_page, layers)).encode()


def _page(layer: Layer) -> str:
    """A page with the layer only, as an artifact, so that it gets no tagging marks.

    It is a call of `page`: the engine would search a `set page` again for every later page.
    """
    width, height = layer.size
    text = layer.svg.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f"#page(width: {decimal(width)}mm, height: {decimal(height)}mm, margin: 0pt, pdf.artifact("
        f'image(bytes("{text}"), format: "svg", width: 100%, height: 100%)))\n'
    )
