"""Take faces, make a PDF to inspect, with a page for each, drawn as the press draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.geometry import Size, decimal
from generator.model import Face
from generator.pdf.assembly import Assembler
from generator.pdf.faces import Typeset, Typesetter
from generator.pdf.job import find_repeated, layers_of
from generator.pdf.points import points
from generator.pdf.syntax import write_array, write_dictionary
from generator.pdf.writing import PdfWriter

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
            file.add_page(face.size, "/Face Do", {"/Face": file.assembler.form(face.id)})
        return file.close()


class ProofFile:
    """A PDF to inspect: without colour profiles, and not compressed, because it is temporary."""

    def __init__(self, typeset: Typeset, repeated: Sequence[str] = ()) -> None:
        self._writer = PdfWriter(is_compressed=False)
        self.assembler = Assembler(self._writer, typeset, repeated, has_profiles=False)
        self._root, self._kids = self._writer.reserve(), list[str]()

    def add_page(self, size: Size, operators: str, forms: Mapping[str, str]) -> None:
        """Add a page of a size (mm) that shows forms, given by name."""
        page = {
            "/Type": "/Page",
            "/Parent": self._root,
            "/MediaBox": write_array((0, 0, *map(decimal, points(size)))),
            "/Resources": write_dictionary({"/XObject": write_dictionary(forms)}),
            "/Contents": self._writer.add_stream({}, operators.encode("ascii")),
        }
        self._kids.append(self._writer.add(write_dictionary(page)))

    def close(self) -> bytes:
        """The file."""
        self.assembler.fonts.embed()
        kids = {"/Type": "/Pages", "/Count": len(self._kids), "/Kids": write_array(self._kids)}
        self._writer.add(write_dictionary(kids), self._root)
        root = self._writer.add(write_dictionary({"/Type": "/Catalog", "/Pages": self._root}))
        self._writer.close(root, self._writer.add("<<>>"))
        return self._writer.take()
