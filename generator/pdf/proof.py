"""Take faces, make a PDF to inspect, with a page for each, drawn as the press draws it."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model import Face
from generator.pdf import finish
from generator.pdf.faces import Typesetter
from generator.pdf.job import layers_of


class Prover:
    """Makes proofs in this process, without limits; a layer is faster to draw again."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        self._typesetter = Typesetter(font_folders)

    def proof(self, faces: Sequence[Face]) -> bytes:
        """A page for each face. Raises typst.TypstError."""
        return finish.proof(self._typesetter.typeset(layers_of(faces)), faces)
