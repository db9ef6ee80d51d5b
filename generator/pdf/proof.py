"""Take faces, make a PDF to inspect, with a page for each, drawn as the press draws it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.basics.geometry import Size
from generator.model import Face
from generator.pdf.assembly import Assembler
from generator.pdf.document import PdfDocument
from generator.pdf.faces import Typeset, Typesetter
from generator.pdf.job import find_repeated, layers_of
from generator.pdf.points import points

_MOST_WORDS = 2000  # kept: an edit changes few, and to read them again is a quarter of a picture


class Prover:
    """Makes proofs in this process, without limits; a layer is faster to draw again."""

    def __init__(self, font_folders: Sequence[str]) -> None:
        self._typesetter = Typesetter(font_folders, _MOST_WORDS)

    def proof(self, faces: Sequence[Face]) -> bytes:
        """A page for each face, of the size of its bleed box. Raises typst.TypstError."""
        file = ProofFile(self._typesetter.typeset(layers_of(faces)), find_repeated(faces))
        file.assembler.add(faces)
        for face in faces:
            file.name_forms({face.id: file.assembler.form(face.id)})
            file.add_page(face.size, [("q", face.id, "Q")])
        return file.close()


class ProofFile:
    """A PDF to inspect: without colour profiles, and not compressed, because it is temporary."""

    def __init__(self, typeset: Typeset, repeated: Sequence[str] = ()) -> None:
        self._document = PdfDocument(is_compressed=False)
        self.assembler = Assembler(self._document, typeset, repeated, has_profiles=False)

    def name_forms(self, forms: Mapping[str, str]) -> None:
        """Give forms, by their references, names for pages."""
        for name, reference in forms.items():
            self._document.name_form(name, reference)

    def add_page(self, size: Size, shown: Iterable[tuple[str, str, str]]) -> None:
        """Add a page of a size (mm) that shows forms by their names, each with the operators before
        and after it."""
        self._document.setPageSize(points(size))
        for before, name, after in shown:
            self._document.addLiteral(before)
            self._document.doForm(name)
            self._document.addLiteral(after)
        self._document.end_page()

    def close(self) -> bytes:
        """The file."""
        return self._document.to_bytes()
