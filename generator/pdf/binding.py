"""Finished PDFs of several games, bound as one PDF, game after game (pikepdf).

Also lines in spot colours, drawn into a finished PDF, that a print shop's cutter follows.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pikepdf
from msgspec import Struct
from pikepdf import Array, Dictionary, Name, NumberTree, String

from generator.basics.geometry import MM_PER_PT, Affine, Point, Size, decimal
from generator.pdf.document import write_metadata
from generator.pdf.points import to_page
from generator.pdf.press import LAYERS

# the usual names for lines to cut through and to crease; the alternates are for screens
_ALTERNATES = {"CutContour": (0, 1, 0, 0), "Crease": (1, 0, 0, 0)}
_WIDTH = 0.25  # pt; a cutter follows the middle of a line


def bind(parts: Sequence[bytes]) -> bytes:
    """One PDF with all pages of the parts, which this room made.

    Each part keeps its outline and its tags, under its title; its title goes before its page
    labels. The switches of layers and the settings of a print dialog are of the whole file.
    """
    with pikepdf.new() as pdf:
        book = _Book(pdf)
        for part in parts:
            with pikepdf.open(io.BytesIO(part)) as source:
                book.add(source)
        book.close()
        return _to_bytes(pdf, pikepdf.ObjectStreamMode.generate)


class _Book:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._switches: dict[str, pikepdf.Object] = {}
        self._labels: list[Any] = []  # pairs of a page's index and its label, or its tags
        self._parents: list[Any] = []
        self._outlines: list[pikepdf.Object] = []
        self._document = pdf.make_indirect(Dictionary(S=Name.Document, K=Array()))
        self._root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=self._document))
        self._document.P = self._root

    def add(self, source: pikepdf.Pdf) -> None:
        first = len(self._pdf.pages)
        self._pdf.pages.extend(source.pages)  # before what refers to them is copied
        title = str(source.docinfo.Title)
        self._describe(source)
        self._add_labels(source, title, first)
        self._add_outline(source, title, first)
        self._add_tags(source, title, first)
        self._join_switches(first)

    def _describe(self, source: pikepdf.Pdf) -> None:
        """The title names all parts, as do author and subject; a part printed on both sides makes
        the dialog print all on both sides."""
        info, own = self._pdf.docinfo, source.docinfo
        for key in ("/Title", "/Author", "/Subject"):
            said = [str(info[key]) if key in info else "", str(own[key])]
            info[key] = String("; ".join(dict.fromkeys(filter(None, said))))
        for key in own.keys() - info.keys():
            info[key] = own[key]
        root, other = self._pdf.Root, source.Root
        if Name.ViewerPreferences not in root:
            root.PageMode, root.Lang = other.PageMode, String(str(other.Lang))
            root.ViewerPreferences = Dictionary(dict(other.ViewerPreferences.items()))
        elif root.ViewerPreferences.Duplex == Name.Simplex:
            root.ViewerPreferences.Duplex = other.ViewerPreferences.Duplex

    def _add_labels(self, source: pikepdf.Pdf, title: str, first: int) -> None:
        for index, label in NumberTree(source.Root.PageLabels).items():
            self._labels.extend([first + index, Dictionary(P=String(f"{title}: {label.P}"))])

    def _add_outline(self, source: pikepdf.Pdf, title: str, first: int) -> None:
        """The outline of the part becomes an entry, with its entries below it."""
        entry = self._pdf.copy_foreign(source.Root.Outlines)
        del entry["/Type"]
        entry.Title = String(title)
        entry.Dest = Array([self._pdf.pages[first].obj, Name.Fit])
        self._outlines.append(entry)

    def _add_tags(self, source: pikepdf.Pdf, title: str, first: int) -> None:
        tree = self._pdf.copy_foreign(source.Root.StructTreeRoot)
        part = tree.K
        part.S, part.P, part.T = Name.Part, self._document, String(title)
        part.Lang = String(str(source.Root.Lang))
        self._document.K.append(part)
        for index, elements in NumberTree(tree.ParentTree).items():
            self._parents.extend([first + index, elements])
        for page in self._pdf.pages[first:]:
            page.obj.StructParents += first

    def _join_switches(self, first: int) -> None:
        """Every form is shown or hidden by the first switch of its kind."""
        kinds = {title: kind for kind, title in LAYERS.items()}
        for page in self._pdf.pages[first:]:
            for form in page.obj.Resources.get("/XObject", Dictionary()).values():
                form.OC = self._switches.setdefault(kinds[str(form.OC.Name)], form.OC)

    def close(self) -> None:
        root = self._pdf.Root
        groups = Array([self._switches[kind] for kind in LAYERS if kind in self._switches])
        root.OCProperties = Dictionary(OCGs=groups, D=Dictionary(Name=String("Print"), ON=groups, Order=groups))
        root.PageLabels = Dictionary(Nums=Array(self._labels))
        self._root.ParentTree = self._pdf.make_indirect(Dictionary(Nums=Array(self._parents)))
        self._root.ParentTreeNextKey = len(self._pdf.pages)
        said = (str(self._pdf.docinfo[key]) for key in ("/Title", "/Author", "/Subject"))
        root.Metadata = self._pdf.make_stream(write_metadata(*said), Type=Name.Metadata, Subtype=Name.XML)
        root.StructTreeRoot, root.MarkInfo = self._root, Dictionary(Marked=True)
        root.Outlines = self._chain_outlines()

    def _chain_outlines(self) -> pikepdf.Object:
        """The parts as entries of one outline (ISO 32000-1, 12.3.3), all open."""
        entries = self._outlines
        outline = self._pdf.make_indirect(Dictionary(Type=Name.Outlines, First=entries[0], Last=entries[-1]))
        outline.Count = len(entries) + sum(int(entry.Count) for entry in entries)
        for entry, after in pairwise(entries):
            entry.Next, after.Prev = after, entry
        for entry in entries:
            entry.Parent = outline
        return outline


def _to_bytes(pdf: pikepdf.Pdf, mode: pikepdf.ObjectStreamMode) -> bytes:
    """The file, the same for the same content."""
    buffer = io.BytesIO()
    pdf.save(buffer, deterministic_id=True, object_stream_mode=mode, compress_streams=True)
    return buffer.getvalue()


class Contour(Struct, frozen=True):
    """A line in mm of a page: a start, and for each step the points of a line (one) or of a cubic curve (three)."""

    start: Point
    steps: Sequence[Sequence[Point]]
    is_closed: bool


def add_contours(content: bytes, pages: Sequence[Mapping[str, Sequence[Contour]]]) -> bytes:
    """The PDF with lines on its pages, by the name of their spot colour.

    A spot colour is a Separation (ISO 32000-1, 8.6.6.4) and overprints, so that it leaves no gap in
    the art below. The version of the PDF stays.
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        spots = {name: _separation(pdf, name) for name in _ALTERNATES}
        overprint = pdf.make_indirect(Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1))
        for page, lines in zip(pdf.pages, pages, strict=True):
            drawn = {name: some for name, some in lines.items() if some}
            if drawn:
                _add(page, drawn, spots, overprint)
        return _to_bytes(pdf, pikepdf.ObjectStreamMode.preserve)


def _separation(pdf: pikepdf.Pdf, name: str) -> pikepdf.Object:
    tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[*_ALTERNATES[name]], N=1)
    space = Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, tint])
    return pdf.make_indirect(space)


def _add(
    page: pikepdf.Page,
    lines: Mapping[str, Sequence[Contour]],
    spots: Mapping[str, pikepdf.Object],
    overprint: pikepdf.Object,
) -> None:
    _, _, width, height = (float(side) for side in page.mediabox)
    place = to_page(Size(width * MM_PER_PT, height * MM_PER_PT))
    page.add_resource(overprint, Name.ExtGState, Name.CutOverprint)
    operators = ["/Artifact BMC q /CutOverprint gs", f"{_WIDTH} w"]
    for name, contours in lines.items():
        page.add_resource(spots[name], Name.ColorSpace, Name(f"/{name}"))
        operators.append(f"/{name} CS 1 SCN")
        operators += [step for contour in contours for step in _describe(contour, place)]
    page.contents_add("\n".join([*operators, "Q EMC"]).encode(), prepend=False)


def _describe(contour: Contour, place: Affine) -> Iterator[str]:
    yield f"{_write(contour.start, place)} m"
    for step in contour.steps:
        yield f"{' '.join(_write(point, place) for point in step)} {'l' if len(step) == 1 else 'c'}"
    yield "s" if contour.is_closed else "S"


def _write(point: Point, place: Affine) -> str:
    x, y = place.apply(point)
    return f"{decimal(x)} {decimal(y)}"
