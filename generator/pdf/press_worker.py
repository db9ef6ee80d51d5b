"""The press's worker process, which makes a PDF from layers ahead and then a job part by part.

Its libraries load while the parent still reads the game.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from generator.basics.workers import allow_seconds, serve
from generator.model import Face, Flip, Sheet
from generator.pdf.assembly import Assembler
from generator.pdf.document import PdfDocument, make_dictionary, make_text
from generator.pdf.faces import Typesetter
from generator.pdf.press import LAYERS, EarlyLayers, Job, JobHead, JobPart, ProofJob, Trial, layers_of
from generator.pdf.sheets import FacePart, PagePrinter, TagTree, divide_by_role, prove
from generator.text import FontBook, Lettering

_SECONDS_A_LAYER = 0.02  # further, of the processor; one with a paragraph takes 0.002
_DUPLEX: dict[Flip | None, str] = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge", None: "Simplex"}


class _PressWorker:
    """Answers requests. All must name the same folders of fonts."""

    def __init__(self) -> None:
        self._typesetter: Typesetter | None = None
        self._file: SheetFile | None = None

    def answer(self, request: EarlyLayers | JobHead | JobPart | ProofJob | Trial) -> Iterator[bytes]:
        match request:
            case EarlyLayers():
                allow_seconds(len(request.layers) * _SECONDS_A_LAYER)
                for layer in request.layers:
                    self._find_typesetter(request).split(layer)
            case Trial():
                typeset = self._find_typesetter(request).typeset([request.layer])
                typeset.draw(0, typeset.pages)
                yield b""
            case ProofJob():
                typesetter = self._find_typesetter(request)
                for batch in request.batches():
                    pdf, pages = prove(typesetter, batch)
                    yield pdf
                    yield json.dumps(pages).encode()
            case JobHead():
                self._file = SheetFile(request, self._find_typesetter(request))
                yield b""
            case JobPart():
                yield self._print(request)

    def _find_typesetter(self, request: EarlyLayers | JobHead | ProofJob | Trial) -> Typesetter:
        self._typesetter = self._typesetter or Typesetter(request.font_folders)
        return self._typesetter

    def _print(self, request: JobPart) -> bytes:
        """The file, if it ends with this part of a job."""
        assert self._file, "a job begins with its head"
        allow_seconds(len(request.faces) * _SECONDS_A_LAYER)
        self._file.add_faces(request.faces)
        self._file.add_sheets(request.sheets, request.names)
        if not request.is_last:
            return b""
        file, self._file = self._file, None
        return file.close()


def print_job(job: Job) -> bytes:
    """Make the finished PDF in this process, without limits. Raises typst.TypstError."""
    worker = _PressWorker()
    return b"".join(content for part in job.parts() for content in worker.answer(part))


class SheetFile:
    """The PDF of a job. First add all faces, then all sheets, then close it. Each face is one form
    for all its places."""

    def __init__(self, head: JobHead, typesetter: Typesetter) -> None:
        self._head, self._typesetter = head, typesetter
        self._document = document = PdfDocument(
            is_compressed=not head.is_temporary, language=head.imprint.phrases.language
        )
        typeset = typesetter.typeset(())
        self._layers: dict[str, str] = {}  # references, by kind
        self._assembler = Assembler(
            document, typeset, head.repeated, lambda: self._find_layer("face"), has_profiles=not head.is_temporary
        )
        lettering = Lettering.of(FontBook(head.font_folders))
        self._printer = PagePrinter(document, self._assembler, typeset.words, lettering, self._find_layer)
        self._parts: dict[str, list[FacePart]] = {}  # of faces, by id
        self._tags = TagTree(document, self._parts, head.imprint.phrases.say("sheet.pictures"))
        self._pages = 0

    def add_faces(self, faces: Sequence[Face]) -> None:
        """Read further faces."""
        for face in faces:
            self._parts[face.id] = divide_by_role(face)
            self._assembler.add(part.face for part in self._parts[face.id])
        if self._head.is_large:
            repeated = set(self._head.repeated)
            ids = (layer.id for layer in layers_of(faces))
            self._typesetter.forget(id_ for id_ in ids if id_ not in repeated)

    def add_sheets(self, sheets: Iterable[Sheet], names: Mapping[tuple[str, str], str]) -> None:
        """Draw the pages of further sheets, and the faces on them that are not drawn yet. Raises typst.TypstError.

        `names` are texts for screen readers, by piece and id of its face.
        """
        document = self._document
        for sheet in sheets:
            say = self._head.imprint.phrases.say
            number, total = sheet.number, sheet.total
            title = say("sheet.outline", title=sheet.title, number=number, total=total)
            for page in sheet.pages:
                contents = list(self._tags.list_contents(sheet, page, names))
                self._printer.draw(sheet, page, contents)
                if page is sheet.pages[0]:
                    key = f"sheet-{self._pages}"
                    document.bookmarkPage(key)
                    document.addOutlineEntry(title, key)
                document.addPageLabel(self._pages, prefix=_label(sheet, say(f"sheet.side-{page.side}")))
                reference = document.end_page(StructParents=self._pages)
                self._tags.add(sheet, reference, contents)
                self._pages += 1

    def close(self) -> bytes:
        """Write the rest; returns the file."""
        document, imprint = self._document, self._head.imprint
        document.describe(imprint.title, imprint.author, imprint.subject)
        # without these, a print dialog shrinks the sheet to its margins and prints one side
        document.setViewerPreference("PrintScaling", "None")
        document.setViewerPreference("Duplex", _DUPLEX[self._head.flip])
        document.setViewerPreference("DisplayDocTitle", "true")
        document.set_layers([self._layers[kind] for kind in LAYERS if kind in self._layers])
        self._tags.close()
        return document.to_bytes()

    def _find_layer(self, kind: str) -> str:
        """The reference to a layer that a viewer can show or hide (optional content groups, ISO 32000-1, 8.11)."""
        if kind not in self._layers:
            group = {"Type": "/OCG", "Name": make_text(LAYERS[kind])}
            self._layers[kind] = self._document.put(make_dictionary(group))
        return self._layers[kind]


def _label(sheet: Sheet, side: str) -> str:
    """The name of a page, which viewers show beside its number (ISO 32000-1, 12.4.2)."""
    number = [str(sheet.number)] if sheet.total > 1 else []
    sides = [side] if len(sheet.pages) > 1 else []
    return " ".join((sheet.title, *number, *sides))


if __name__ == "__main__":
    serve(_PressWorker().answer)
