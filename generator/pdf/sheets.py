"""Pages of Sheets: the places of faces, marks, slug.

Also their description for screen readers, and proofs: PDFs to inspect, with a page for each face, drawn as the press
draws it. A proof is made of typeset layers and faces; the pages of a face are painted one above another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, get_args

from msgspec import Struct, field

from generator.art.splitting import PlacedDrawing
from generator.basics.geometry import PT_PER_MM, Affine, Size, decimal, steady
from generator.model import LEAFLETS, Face, Label, Layer, Mark, MarkLine, Page, PlacedLayer, Placement, Sheet
from generator.model.face import FORM_MARK, FacePages
from generator.pdf.assembly import Assembler, find_shown
from generator.pdf.document import FILL_NON_ZERO, PdfDocument, make_array, make_dictionary, make_text
from generator.pdf.faces import LayerPart, Typeset, Typesetter, WordWriter
from generator.pdf.points import points, seat, steady_points, to_page
from generator.pdf.press import FACE, layers_of
from generator.text import Lettering
from generator.text.fonts import Segment, set_line

MARKS: tuple[Mark, ...] = get_args(Mark)  # each a separate form; equal ones share it
_Colour = tuple[float, float, float]
_INK: _Colour = (0.13, 0.13, 0.13)
_BLACK: _Colour = (0, 0, 0)  # machines find what is darkest
_PALE: _Colour = (0.78, 0.78, 0.78)
_PAPER: _Colour = (1, 1, 1)
_RUNNING = "/Artifact <</Type /Pagination /Subtype /Header>> BDC"


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

    def draw(self, sheet: Sheet, page: Page, contents: Sequence[PageContent]) -> None:
        """Draw a page, which the document has yet to end."""
        document, box_map = self._document, to_page(sheet.paper)
        page_map = box_map @ page.correction
        document.setPageSize(points(sheet.paper))
        document.setTrimBox(steady_points(box_map.apply_rect(page.trim)))
        document.setBleedBox(steady_points(box_map.apply_rect(page.bleed)))
        number = 0
        for content in contents:
            mark = f"/{content.role} <</MCID {number}>> BDC" if content.is_read else _RUNNING
            number += content.is_read
            if isinstance(content.shown, Label):
                label = _place_label(content.shown, page_map)
                self._show(mark, self._find_form("slug", label, sheet.paper))
                continue
            size, name = self._assembler.size(content.face), f"{FACE}{content.face}"
            document.name_form(name, self._assembler.form(content.face))
            place = seat(page_map, content.shown.clip, content.shown.affine, size)
            document.addLiteral(f"{mark} q {place}")
            document.doForm(name)
            document.addLiteral("Q EMC")
        for kind in MARKS:
            if strokes := tuple(_strokes(page.marks, kind, page_map)):
                self._show("/Artifact BMC", self._find_form(kind, strokes, sheet.paper))

    def _show(self, mark: str, form: str) -> None:
        self._document.addLiteral(mark)
        self._document.doForm(form)
        self._document.addLiteral("EMC")

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


def _place_label(label: Label, page_map: Affine) -> _PointLabel:
    upright = Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, 0.0)
    place = (page_map @ label.affine @ upright).to_text()
    colour = _PALE if label.is_pale else _INK
    return _PointLabel(label.text, steady(label.size * PT_PER_MM), label.bold, place, colour)


def _cubic(start: _Ends, bend: _Ends, end: _Ends) -> Iterator[float]:
    """The points of a quadratic curve as those of a cubic one: a third nearer to its ends."""
    for near in (start, end):
        yield from (steady(p + (q - p) * 2 / 3) for p, q in zip(near, bend, strict=True))
    yield from end


class _TagPart(Struct):
    """A part of the tree: its object, and its elements with the turn of each in reading."""

    content: Any
    reference: str
    elements: list[tuple[int, str]] = field(default_factory=list)


class FacePart(Struct, frozen=True):
    """The part of a face that is in one role, as a face; with the role "", all of a face without roles."""

    role: str
    face: Face


def divide_by_role(face: Face) -> list[FacePart]:
    """The parts of a face, the lowest first; pictures on a page to read are figures."""
    if not any(placed.layer.role for placed in face.layers):
        return [FacePart("", face)]
    groups = groupby(face.layers, key=lambda placed: placed.layer.role or "Figure")
    return [FacePart(role, face.with_layers(list(layers))) for role, layers in groups]


class PageContent(Struct, frozen=True):
    """A label or a placed face, or a part of one by its id, in a role (ISO 32000-1, 14.8.4). `turn` is its turn to
    be read within its part of the file, `alt` what is read out in place of a figure."""

    role: str
    turn: int
    shown: Label | Placement
    face: str = ""
    alt: str = ""

    @property
    def is_read(self) -> bool:
        """Whether it is more than decoration."""
        return self.role != "Artifact"


class TagTree:
    """A structure tree (ISO 32000-1, 14.7): a part for each component, with an element for each
    content of a page that is read."""

    def __init__(self, document: PdfDocument, parts: Mapping[str, Sequence[FacePart]], pictures: str) -> None:
        """`parts` has the parts of each face, by its id; `pictures` is read out for those of a page to read."""
        self._document, self._faces, self._pictures = document, parts, pictures
        self._whole = make_dictionary({"S": "/Document"})
        self._reference = document.put(self._whole)
        self._parts: dict[tuple[str, str], _TagPart] = {}  # by component and title
        self._pages: list[object] = []  # in turn, the number of a page and its elements

    def list_contents(self, sheet: Sheet, page: Page, names: Mapping[tuple[str, str], str]) -> Iterator[PageContent]:
        """The contents of the next page: its labels, then its placements. `names` has what is read
        out, by piece and id of its face.

        The bold label of the first page of a part is its heading; of later pages only that label is
        read. A folded booklet is read in the order of its pages, other sheets in printing order.
        """
        turn, is_leaflet = len(self._find_part(sheet).elements), sheet.component in LEAFLETS
        order = {face: index for index, face in enumerate(self._faces, 1)} if is_leaflet else {}
        turns = [order.get(placement.face, turn) for placement in page.placements]
        for label in page.labels:
            role = "P" if label.bold or not turn else "Artifact"
            yield PageContent("H1" if label.bold and not turn else role, min(turns, default=turn) if turn else 0, label)
        for at, placement in sorted(zip(turns, page.placements, strict=True), key=itemgetter(0)):
            for part in self._faces[placement.face]:
                role = part.role or ("P" if is_leaflet else "Figure")
                alt = self._pictures if is_leaflet else names[placement.piece, placement.face]
                yield PageContent(role, at, placement, part.face.id, alt if role == "Figure" else "")

    def add(self, sheet: Sheet, on: str, contents: Iterable[PageContent]) -> None:
        """Add the elements of the next page, whose reference is `on`."""
        part, elements = self._find_part(sheet), []
        for number, content in enumerate(content for content in contents if content.is_read):
            element = {"S": f"/{content.role}", "P": part.reference, "Pg": on, "K": number}
            if content.alt:
                element["Alt"] = make_text(content.alt)
            elements.append(self._document.put(make_dictionary(element)))
            part.elements.append((content.turn, elements[-1]))
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
            part.content["K"] = make_array([element for _, element in sorted(part.elements, key=itemgetter(0))])
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
    """The file, and the pages of each face, of the size of its bleed box. Raises typst.TypstError."""
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
