"""Pages of Sheets: the places of faces, marks, slug.

Also their description for screen readers, and proofs: PDFs to inspect, with a page for each face,
drawn as the press draws it. A proof is made of typeset layers and faces; the pages of a face are
painted one above another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, get_args

from msgspec import Struct, field

from generator.art.splitting import PlacedDrawing
from generator.basics.geometry import PT_PER_MM, Affine, Size, decimal, steady
from generator.model import LEAFLETS, Face, Label, Layer, Mark, MarkLine, Page, PlacedLayer, Sheet
from generator.model.face import FORM_MARK, FacePages
from generator.pdf.assembly import Assembler, find_shown
from generator.pdf.document import FILL_NON_ZERO, PdfDocument, make_array, make_dictionary, make_text
from generator.pdf.faces import LayerPart, Typeset, Typesetter, WordWriter
from generator.pdf.job import FACE, layers_of
from generator.pdf.points import points, seat, steady_points, to_page
from generator.text import Lettering
from generator.text.fonts import Segment, set_line

MARKS: tuple[Mark, ...] = get_args(Mark)  # each a separate form; equal ones share it
_Colour = tuple[float, float, float]
_INK: _Colour = (0.13, 0.13, 0.13)
_BLACK: _Colour = (0, 0, 0)  # machines find what is darkest
_PALE: _Colour = (0.78, 0.78, 0.78)
_PAPER: _Colour = (1, 1, 1)


class _PointStroke(Struct, frozen=True):
    """A line on the page, in points."""

    ends: tuple[float, ...]
    width: float
    colour: _Colour


class _PointLabel(Struct, frozen=True):
    """A label on the page: its size in points, and the matrix of its place."""

    text: str
    size: float
    bold: bool
    place: str
    colour: _Colour


_Ends = tuple[float, float]

# the name of a form, by the marks or the label that it draws, and the paper
_Forms = dict[tuple[tuple[_PointStroke, ...] | _PointLabel, Size], str]


class PagePrinter:
    """Draws pages. Equal marks of several pages are one form. `find_layer` gives the reference to
    the layer of a kind of marks."""

    def __init__(
        self,
        document: PdfDocument,
        assembler: Assembler,
        words: WordWriter,
        lettering: Lettering,
        find_layer: Callable[[Mark], str],
    ) -> None:
        self._document, self._assembler, self._words = document, assembler, words
        self._lettering, self._find_layer = lettering, find_layer
        self._marks: _Forms = {}

    def draw(self, sheet: Sheet, page: Page) -> None:
        """Draw a page, which the document has yet to end."""
        document, box_map = self._document, to_page(sheet.paper)
        role, page_map = role_of(sheet), box_map @ page.correction
        document.setPageSize(points(sheet.paper))
        document.setTrimBox(steady_points(box_map.apply_rect(page.trim)))
        document.setBleedBox(steady_points(box_map.apply_rect(page.bleed)))
        for number, placement in enumerate(page.placements):
            size, name = self._assembler.size(placement.face), f"{FACE}{placement.face}"
            document.name_form(name, self._assembler.form(placement.face))
            place = seat(page_map, placement.clip, placement.affine, size)
            document.addLiteral(f"/{role} <</MCID {number}>> BDC q {place}")
            document.doForm(name)
            document.addLiteral("Q EMC")
        for kind in MARKS:
            strokes = tuple(_strokes(page.marks, kind, page_map))
            names = [self._find_form(kind, strokes, sheet.paper)] if strokes else []
            if kind == "slug":
                labels = _labels(page.labels, page_map)
                names += [self._find_form(kind, label, sheet.paper) for label in labels]
            if names:
                document.addLiteral("/Artifact BMC")
                for name in dict.fromkeys(names):
                    document.doForm(name)
                document.addLiteral("EMC")

    def _find_form(self, kind: Mark, drawing: tuple[_PointStroke, ...] | _PointLabel, paper: Size) -> str:
        """The name of the form of some marks or of a label; it is drawn if it is new."""
        name = self._marks.get((drawing, paper))
        if name is None:
            name = self._marks[drawing, paper] = f"Mark.{kind}-{len(self._marks)}"
            self._document.beginForm(name, 0, 0, *points(paper))
            if isinstance(drawing, _PointLabel):
                self._draw_label(drawing)
            else:
                self._draw_strokes(drawing)
            self._document.end_form(self._find_layer(kind))
        return name

    def _draw_strokes(self, strokes: Sequence[_PointStroke]) -> None:
        """Draw lines, those of one colour and width as one path; lines that meet are joined."""
        for (width, colour), lines in groupby(strokes, lambda line: (line.width, line.colour)):
            self._document.setStrokeColorRGB(*colour)
            self._document.setLineWidth(width)
            path, last = self._document.beginPath(), None
            for x0, y0, x1, y1 in (line.ends for line in lines):
                if last != (x0, y0):
                    path.moveTo(x0, y0)
                path.lineTo(x1, y1)
                last = x1, y1
            self._document.drawPath(path)

    def _draw_label(self, label: _PointLabel) -> None:
        document = self._document
        document.setFillColorRGB(*label.colour)
        document.addLiteral(f"{label.place} cm")
        outlined = self._lettering.outlined(label.text, bold=label.bold)
        if outlined:
            self._draw_outline(outlined.segments, label.size)
            return
        line = set_line(self._lettering.font(bold=label.bold), label.text, rtl=False)
        assert line, "a text that the font lacks is outlined"
        name, operators, used = self._words.write_line(line)
        self._assembler.fonts.use([used])
        for operator in ("BT", f"{name} {decimal(label.size)} Tf", *operators, "ET"):
            document.addLiteral(operator)

    def _draw_outline(self, segments: Sequence[Segment], size: float) -> None:
        """Draw letters that the font of the sheets lacks."""
        path, last = self._document.beginPath(), (0.0, 0.0)
        for command, ems in segments:
            ends = [(steady(x * size), steady(-y * size)) for x, y in ems]
            match command:
                case "M":
                    path.moveTo(*ends[0])
                case "L":
                    path.lineTo(*ends[0])
                case "C":
                    path.curveTo(*chain.from_iterable(ends))
                case "Q":
                    path.curveTo(*_cubic(last, *ends))
                case "Z":
                    path.close()
            last = ends[-1] if ends else last
        self._document.drawPath(path, stroke=0, fill=1, fillMode=FILL_NON_ZERO)


def _strokes(lines: Sequence[MarkLine], kind: Mark, page_map: Affine) -> Iterator[_PointStroke]:
    """The lines of a kind, with the paper-white ones beneath all others."""
    chosen = [line for line in lines if line.kind == kind]
    halos = ((line, line.halo, _PAPER) for line in chosen if line.halo)
    ink = _BLACK if kind == "cutter" else _INK
    inks = ((line, line.width, ink) for line in chosen if line.width)
    for line, width, colour in (*halos, *inks):
        ends = (*page_map.apply(line.start), *page_map.apply(line.end))
        yield _PointStroke(steady_points(ends), steady(width * PT_PER_MM), colour)


def _labels(labels: Sequence[Label], page_map: Affine) -> Iterator[_PointLabel]:
    upright = Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, 0.0)
    for label in labels:
        place = (page_map @ label.affine @ upright).to_text()
        colour = _PALE if label.is_pale else _INK
        yield _PointLabel(label.text, steady(label.size * PT_PER_MM), label.bold, place, colour)


def _cubic(start: _Ends, bend: _Ends, end: _Ends) -> Iterator[float]:
    """The points of a quadratic curve as those of a cubic one: a third nearer to its ends."""
    for near in (start, end):
        yield from (steady(p + (q - p) * 2 / 3) for p, q in zip(near, bend, strict=True))
    yield from end


def role_of(sheet: Sheet) -> str:
    """The role of a sheet's content: paragraphs or figures (ISO 32000-1, 14.8.4)."""
    return "P" if sheet.component in LEAFLETS else "Figure"


class _TagPart(Struct):
    """A part of the tree: its object, and its elements with the turn of each in reading."""

    content: Any
    reference: str
    elements: list[tuple[int, str]] = field(default_factory=list)


class TagTree:
    """A structure tree (ISO 32000-1, 14.7): a part for each component, with an element for each
    placement. The marked content of an element has the placement's number on its page."""

    def __init__(self, document: PdfDocument, order: Mapping[str, int]) -> None:
        """`order` has the number of each face, by its id."""
        self._document, self._order = document, order
        self._whole = make_dictionary({"S": "/Document"})
        self._reference = document.put(self._whole)
        self._parts: dict[tuple[str, str], _TagPart] = {}  # by component and title
        self._pages: list[object] = []  # in turn, the number of a page and its elements

    def add(self, sheet: Sheet, page: Page, on: str, names: Mapping[tuple[str, str], str]) -> None:
        """Add the elements of the next page, whose reference is `on`; `names` has what is read
        out, by piece and id of its face."""
        part, role = self._find_part(sheet), "/" + role_of(sheet)
        is_leaflet = sheet.component in LEAFLETS
        elements = []
        for number, placement in enumerate(page.placements):
            element = {"S": role, "P": part.reference, "Pg": on, "K": number}
            if not is_leaflet:
                element["Alt"] = make_text(names[placement.piece, placement.face])
            elements.append(self._document.put(make_dictionary(element)))
            # a folded booklet is read in the order of its pages, other sheets in printing order
            turn = self._order[placement.face] if is_leaflet else len(part.elements)
            part.elements.append((turn, elements[-1]))
        self._pages += [len(self._pages) // 2, make_array(elements)]

    def _find_part(self, sheet: Sheet) -> _TagPart:
        key = sheet.component, sheet.title  # mixed sheets may have several titles
        if key not in self._parts:
            part = make_dictionary({"S": "/Part", "P": self._reference, "T": make_text(sheet.title)})
            self._parts[key] = _TagPart(part, self._document.put(part))
        return self._parts[key]

    def close(self) -> None:
        """Add the rest to the catalogue."""
        for part in self._parts.values():
            part.content["K"] = make_array([element for _, element in sorted(part.elements)])
        parents = self._document.put(make_dictionary({"Nums": make_array(self._pages)}))
        tree = {
            "Type": "/StructTreeRoot",
            "K": self._reference,
            "ParentTree": parents,
            "ParentTreeNextKey": len(self._pages) // 2,
        }
        root = make_dictionary(tree)
        self._whole["P"] = self._document.put(root)
        self._whole["K"] = make_array([part.reference for part in self._parts.values()])
        self._document.setCatalogEntry("StructTreeRoot", root)
        self._document.setCatalogEntry("MarkInfo", {"Marked": "true"})


def prove(typesetter: Typesetter, faces: Sequence[Face]) -> tuple[bytes, list[FacePages]]:
    """The file, and the pages of each face, of the size of its bleed box. Raises
    typst.TypstError."""
    pages = _ProofPages(typesetter.typeset(layers_of(faces)))
    every = [(face, pages.add(face, face.layers), pages.add(face, face.cut_out)) for face in faces]
    numbers = [
        FacePages(pages.number(face.size, painted), pages.number(face.size, read)) for face, painted, read in every
    ]
    return pages.save(), numbers


_Shown = tuple[str, str]  # the operators of the place of a form, and its name


class _Step(Struct, eq=False):
    """A form shown above those of the steps before; `uses` counts what begins with all of them."""

    shown: _Shown
    uses: int = 0
    following: dict[_Shown, _Step] = field(default_factory=dict)


class _ProofPages:
    """The pages of a proof, each of steps that are used together."""

    def __init__(self, typeset: Typeset) -> None:
        self._typeset = typeset
        self._first: dict[Size, _Step] = {}
        self._names: dict[tuple[Size, PlacedDrawing] | tuple[str, int], str] = {}
        self._forms: dict[str, tuple[Layer, list[LayerPart]]] = {}
        self._numbers: dict[tuple[Size, tuple[_Shown, ...]], int] = {}

    def add(self, face: Face, layers: Sequence[PlacedLayer]) -> list[_Step]:
        step, steps = self._first.setdefault(face.size, _Step(("", ""))), []
        for shown in self._show(face, layers):
            step = step.following.setdefault(shown, _Step(shown))
            step.uses += 1
            steps.append(step)
        return steps

    def number(self, size: Size, steps: Iterable[_Step]) -> tuple[int, ...]:
        """The numbers of the pages that paint steps; at least one page."""
        by_uses = groupby(steps, lambda step: step.uses)
        runs = [tuple(step.shown for step in run) for _, run in by_uses]
        numbers = self._numbers
        return tuple(numbers.setdefault((size, run), len(numbers)) for run in runs or [()])

    def save(self) -> bytes:
        """The file: without colour profiles, and not compressed, because it is temporary. A form on
        several pages has a mark, by which a reader knows it again."""
        document = PdfDocument(is_compressed=False)
        assembler = Assembler(document, self._typeset, has_profiles=False)
        for name, parts in self._forms.items():
            document.name_form(name, assembler.layer(*parts))
        uses = Counter(name for _, run in self._numbers for _, name in run)
        for size, run in self._numbers:
            document.setPageSize(points(size))
            for place, name in run:
                mark = f"/{FORM_MARK}{name} BMC " if uses[name] > 1 else ""
                document.addLiteral(f"{mark}q {place}")
                document.doForm(name)
                document.addLiteral("Q EMC" if mark else "Q")
            document.end_page()
        return document.to_bytes()

    def _show(self, face: Face, layers: Sequence[PlacedLayer]) -> Iterator[_Shown]:
        """The form of each part of layers that shows on a face."""
        page = to_page(face.size)
        for placed in layers:
            layer = placed.layer
            place = seat(page, placed.clip, placed.place, layer.size)
            for number, part in find_shown(self._typeset, face.trim, placed):
                yield place, self._name(layer, number, part)

    def _name(self, layer: Layer, number: int, part: LayerPart) -> str:
        """The name of the form of a part; equal drawings are one form."""
        key = (layer.size, part) if isinstance(part, PlacedDrawing) else (layer.id, number)
        name = self._names.setdefault(key, f"X{len(self._names)}")
        self._forms.setdefault(name, (layer, [part]))
        return name
