"""Take layers of faces, make a PDF of one vector page each (typst)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import typst

from generator.geometry import decimal
from generator.model import Layer


class Typesetter:
    """typst with the fonts of some folders and nothing else: no system font, no file."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        fonts = typst.Fonts(
            include_system_fonts=False,
            include_embedded_fonts=False,
            font_paths=list(font_folders),
        )
        # a root that is a file, so no folder: nothing that a layer names can be read from the disk
        self._compiler = typst.Compiler(root=__file__, font_paths=fonts)

    def pages(self, layers: Sequence[Layer]) -> bytes:
        """A page for each layer, as large as it. Raises typst.TypstError."""
        pdf = self._compiler.compile(input=_source(layers), format="pdf", timestamp=0)
        assert isinstance(pdf, bytes)
        return pdf

    def read(self, layers: Sequence[Layer]) -> None:
        """Layers of which pages will be made: the engine reads them now, and remembers them for
        the next ten times that it is called. What cannot be drawn shows when its page is made."""
        with suppress(typst.TypstError):
            self._compiler.compile(input=_source(layers), format="svg")  # the shortest way out


def _source(layers: Sequence[Layer]) -> bytes:
    return "".join(map(_page, layers)).encode()


def _page(layer: Layer) -> str:
    """A page that is nothing but the layer. An artifact, so that no tagging marks get into it.

    Made by a call: what `set page` says would be searched for every page after it.
    """
    width, height = layer.size
    text = layer.svg.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f"#page(width: {decimal(width)}mm, height: {decimal(height)}mm, margin: 0pt, pdf.artifact("
        f'image(bytes("{text}"), format: "svg", width: 100%, height: 100%)))\n'
    )
