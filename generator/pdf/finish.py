"""Take a job part by part, write its PDF part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.model import Face, Flip, Sheet
from generator.pdf.assembly import Assembler
from generator.pdf.faces import Typesetter
from generator.pdf.job import JobHead
from generator.pdf.sheets import PagePrinter
from generator.pdf.syntax import write_array, write_dictionary, write_text
from generator.pdf.tagging import TagTree
from generator.pdf.writing import PdfWriter
from generator.text import FontBook, Lettering

TITLES = {
    "face": "Art",
    "cut": "Cut marks",
    "corner": "Corner marks",
    "outline": "Outlines",
    "fold": "Fold lines",
    "register": "Registration",
    "frame": "Frame",
    "cutter": "Cutter marks",
    "slug": "Labels",
}
_DUPLEX: dict[Flip | None, str] = {
    "long": "/DuplexFlipLongEdge",
    "short": "/DuplexFlipShortEdge",
    None: "/Simplex",
}
_DATE = "D:20000101000000+00'00'"  # of every file, so that the same input gives the same bytes


class SheetFile:
    """The PDF of a job. First add all faces, then all sheets, then close it; `take` gives what is
    written so far. Each face is one form for all its places."""

    def __init__(self, head: JobHead, typesetter: Typesetter) -> None:
        self._head, self._typesetter = head, typesetter
        self._writer = writer = PdfWriter(is_compressed=not head.is_temporary)
        typeset = typesetter.typeset(())
        self._switches = _Switches(writer)
        self._assembler = Assembler(
            writer,
            typeset,
            head.repeated,
            lambda: self._switches.find("face"),
            has_profiles=not head.is_temporary,
            is_large=head.is_large,
        )
        lettering = Lettering.of(FontBook(head.font_folders))
        self._printer = PagePrinter(
            writer, self._assembler, typeset.words, lettering, self._switches.find
        )
        self._order: dict[str, int] = {}
        self._tags = TagTree(writer, self._order)
        self._outline = _Bookmarks(writer)
        self._pages, self._kids = writer.reserve(), list[str]()
        self._labels: list[str] = []
        self.take = writer.take

    def add_faces(self, faces: Sequence[Face]) -> None:
        """Read further faces."""
        for face in faces:
            self._order.setdefault(face.id, len(self._order))
        self._assembler.add(faces)
        if self._head.is_large:
            self._forget(faces)

    def _forget(self, faces: Sequence[Face]) -> None:
        repeated = set(self._head.repeated)
        self._typesetter.forget(
            one.layer.id for face in faces for one in face.layers if one.layer.id not in repeated
        )

    def add_sheets(self, sheets: Iterable[Sheet], names: Mapping[tuple[str, str], str]) -> None:
        """Write the pages of further sheets, and the faces on them that are not written yet. Raises
        typst.TypstError.

        `names` are texts for screen readers, by piece and id of its face.
        """
        for sheet in sheets:
            for page in sheet.pages:
                entries = {"/Parent": self._pages, "/StructParents": len(self._kids)}
                reference = self._printer.write(sheet, page, entries)
                self._tags.add(sheet, page, reference, names)
                if page is sheet.pages[0]:
                    self._outline.add(_title_of(sheet), reference)
                self._labels.append(f"{len(self._kids)} {_label(sheet, page.side)}")
                self._kids.append(reference)

    def close(self) -> None:
        """Write the rest."""
        self._assembler.fonts.embed()
        pages = {"/Type": "/Pages", "/Count": len(self._kids), "/Kids": write_array(self._kids)}
        self._writer.add(write_dictionary(pages), self._pages)
        self._writer.close(self._write_root(), self._write_info())

    def _write_root(self) -> str:
        root = {
            "/Type": "/Catalog",
            "/Pages": self._pages,
            "/Lang": write_text(self._head.imprint.language),
            "/PageMode": "/UseNone",
            "/ViewerPreferences": _preferences(self._head.flip),
            "/PageLabels": write_dictionary({"/Nums": write_array(self._labels)}),
            "/Outlines": self._outline.close(),
            "/OCProperties": self._switches.properties(),
            "/StructTreeRoot": self._tags.close(),
            "/MarkInfo": "<</Marked true>>",
        }
        return self._writer.add(write_dictionary(root))

    def _write_info(self) -> str:
        imprint = self._head.imprint
        said = {
            "/Title": imprint.title,
            "/Author": imprint.author,
            "/Subject": imprint.subject,
            "/Creator": "pnp",
            "/Producer": "pnp",
            "/CreationDate": _DATE,
            "/ModDate": _DATE,
        }
        texts: dict[str, str] = {key: write_text(text) for key, text in said.items()}
        return self._writer.add(write_dictionary(texts | {"/Trapped": "/False"}))


def _preferences(flip: Flip | None) -> str:
    """Without these, a print dialog shrinks the sheet to its margins and prints one side."""
    return write_dictionary(
        {"/PrintScaling": "/None", "/Duplex": _DUPLEX[flip], "/DisplayDocTitle": "true"}
    )


def _title_of(sheet: Sheet) -> str:
    return f"{sheet.title}: sheet {sheet.number} of {sheet.total}"


def _label(sheet: Sheet, side: str) -> str:
    """The name of a page, which viewers show beside its number (ISO 32000-1, 12.4.2)."""
    number = [str(sheet.number)] if sheet.total > 1 else []
    sides = [side] if len(sheet.pages) > 1 else []
    return write_dictionary({"/P": write_text(" ".join((sheet.title, *number, *sides)))})


class _Switches:
    """Layers that a viewer can show or hide (optional content groups, ISO 32000-1, 8.11)."""

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._groups: dict[str, str] = {}  # references, by kind

    def find(self, kind: str) -> str:
        """The reference to the switch of a kind."""
        if kind not in self._groups:
            group = {"/Type": "/OCG", "/Name": write_text(TITLES[kind])}
            self._groups[kind] = self._writer.add(write_dictionary(group))
        return self._groups[kind]

    def properties(self) -> str:
        groups = write_array(self._groups[kind] for kind in TITLES if kind in self._groups)
        default = write_dictionary({"/ON": groups, "/Order": groups})
        return write_dictionary({"/OCGs": groups, "/D": default})


class _Bookmarks:
    """An entry for each sheet (ISO 32000-1, 12.3.3)."""

    def __init__(self, writer: PdfWriter) -> None:
        self._writer, self._root = writer, writer.reserve()
        self._count = 0
        self._first = self._before = self._last = ""
        self._waiting: dict[str, object] = {}  # the last entry, until the next is known

    def add(self, title: str, page: str) -> None:
        """Add an entry that leads to a page."""
        after = self._writer.reserve()
        self._write_last({"/Next": after})
        self._waiting = {
            "/Title": write_text(title),
            "/Parent": self._root,
            "/Dest": write_array((page, "/Fit")),
        }
        if self._last:
            self._waiting["/Prev"] = self._last
        self._first, self._last = self._first or after, after
        self._count += 1

    def _write_last(self, more: Mapping[str, object]) -> None:
        if self._last:
            self._writer.add(write_dictionary({**self._waiting, **more}), self._last)

    def close(self) -> str:
        """Write the rest; returns the reference to the outline."""
        self._write_last({})
        ends = {"/First": self._first, "/Last": self._last} if self._count else {}
        root = {"/Type": "/Outlines", "/Count": self._count, **ends}
        return self._writer.add(write_dictionary(root), self._root)
