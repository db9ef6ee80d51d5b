"""Take Sheets, make a PDF of their pages: the places of faces, marks, slug (ReportLab)."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, get_args

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import FILL_NON_ZERO, Canvas

from generator.geometry import Affine, Size, steady
from generator.model import Face, Flip, Imprint, Label, Mark, MarkLine, Page, Sheet
from generator.pdf.job import FACE
from generator.pdf.points import points, seat, steady_points, to_page
from generator.pdf.tagging import role_of
from generator.text import HOUSE_FAMILY, FontBook, Lettering
from generator.text.glyphs import Segment
from generator.units import PT_PER_MM

MARKS: tuple[Mark, ...] = get_args(Mark)  # each a separate form; equal ones share it
_FONTS = {False: ("slug", 400), True: ("slug-bold", 700)}
_INK = (0.13, 0.13, 0.13)
_BLACK = (0.0, 0.0, 0.0)  # machines find what is darkest
_PAPER = (1.0, 1.0, 1.0)
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge", None: "Simplex"}


class _PointStroke(NamedTuple):
    """A line on the page, in points."""

    ends: tuple[float, ...]
    width: float
    colour: tuple[float, float, float]


class _PointLabel(NamedTuple):
    """A label on the page: its size in points, and the matrix of its place."""

    text: str
    size: float
    bold: bool
    place: str


_Ends = tuple[float, float]
# the name of a form, by the marks or the label that it draws, and the paper
_Forms = dict[tuple[tuple[_PointStroke, ...] | _PointLabel, Size], str]


def draw_sheets(
    sheets: Sequence[Sheet], faces: Sequence[Face], imprint: Imprint, fonts: FontBook
) -> bytes:
    """Draw every page of every sheet in printing order. Pages name the faces, but lack them."""
    for name, weight in _FONTS.values():
        pdfmetrics.registerFont(TTFont(name, str(fonts.find(HOUSE_FAMILY, weight).path)))
    buffer = io.BytesIO()
    canvas = Canvas(
        buffer,
        invariant=1,
        pageCompression=0,
        initialFontName=_FONTS[False][0],
        lang=imprint.language,
    )
    _describe(canvas, imprint, sheets)
    sizes = {face.id: face.size for face in faces}
    printer = _PagePrinter(canvas, sizes, Lettering.of(fonts))
    for index, sheet in enumerate(sheets):
        for page in sheet.pages:
            canvas.setPageSize(points(sheet.paper))
            if page is sheet.pages[0]:
                _bookmark(canvas, sheet, f"sheet-{index + 1}")
            printer.draw(sheet, page)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _describe(canvas: Canvas, imprint: Imprint, sheets: Sequence[Sheet]) -> None:
    canvas.setTitle(imprint.title)
    canvas.setAuthor(imprint.author)
    canvas.setSubject(imprint.subject)
    canvas.setCreator("pnp")
    # without these, a print dialog shrinks the sheet to its margins and prints one side
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", _DUPLEX[_flip(sheets)])
    canvas.setViewerPreference("DisplayDocTitle", "true")


def _flip(sheets: Sequence[Sheet]) -> Flip | None:
    """The flip of the file's sheets with backs; a print dialog has one setting for all."""
    return next((sheet.flip for sheet in sheets if sheet.flip), None)


def _bookmark(canvas: Canvas, sheet: Sheet, key: str) -> None:
    canvas.bookmarkPage(key)
    canvas.addOutlineEntry(f"{sheet.title}: sheet {sheet.number} of {sheet.total}", key)


class _PagePrinter:
    """Draws pages. Equal marks of several pages are one form."""

    def __init__(self, canvas: Canvas, sizes: Mapping[str, Size], lettering: Lettering) -> None:
        """`sizes` are those of the faces, by their ids."""
        self._canvas = canvas
        self._sizes = sizes
        self._lettering = lettering
        self._marks: _Forms = {}

    def draw(self, sheet: Sheet, page: Page) -> None:
        canvas, role = self._canvas, role_of(sheet)
        page_map = to_page(sheet.paper)
        canvas.setTrimBox(steady_points(page_map.apply_rect(page.trim)))
        canvas.setBleedBox(steady_points(page_map.apply_rect(page.bleed)))
        page_map = page_map @ page.correction
        for number, placement in enumerate(page.placements):
            size = self._sizes[placement.face]
            place = seat(page_map, placement.clip, placement.affine, size)
            shown = f"q {place} {FACE}{placement.face} Do Q"
            canvas.addLiteral(f"/{role} <</MCID {number}>> BDC {shown} EMC")
        for kind in MARKS:
            strokes = tuple(_strokes(page.marks, kind, page_map))
            words = tuple(_words(page.labels, page_map)) if kind == "slug" else ()
            drawings = [*((strokes,) if strokes else ()), *words]
            if drawings:
                canvas.addLiteral("/Artifact BMC")
                for drawing in drawings:
                    canvas.doForm(self._form(kind, drawing, sheet.paper))
                canvas.addLiteral("EMC")

    def _form(
        self, kind: Mark, drawing: tuple[_PointStroke, ...] | _PointLabel, paper: Size
    ) -> str:
        """The name of the form of some marks or of a label."""
        name = self._marks.get((drawing, paper))
        if name is None:
            name = self._marks[drawing, paper] = f"{kind}-{len(self._marks)}"
            self._canvas.beginForm(name, 0, 0, *points(paper))
            if isinstance(drawing, _PointLabel):
                _draw_label(self._canvas, drawing, self._lettering)
            else:
                _draw_strokes(self._canvas, drawing)
            self._canvas.endForm()
        return name


def _strokes(lines: Sequence[MarkLine], kind: Mark, page_map: Affine) -> Iterator[_PointStroke]:
    """The lines of a kind, with the paper-white ones beneath all others."""
    chosen = [line for line in lines if line.kind == kind]
    halos = ((line, line.halo, _PAPER) for line in chosen if line.halo)
    ink = _BLACK if kind == "cutter" else _INK
    inks = ((line, line.width, ink) for line in chosen if line.width)
    for line, width, colour in (*halos, *inks):
        ends = (*page_map.apply(line.start), *page_map.apply(line.end))
        yield _PointStroke(steady_points(ends), steady(width * PT_PER_MM), colour)


def _words(labels: Sequence[Label], page_map: Affine) -> Iterator[_PointLabel]:
    upright = Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, 0.0)
    for label in labels:
        place = (page_map @ label.affine @ upright).to_text()
        yield _PointLabel(label.text, steady(label.size * PT_PER_MM), label.bold, place)


def _draw_strokes(canvas: Canvas, strokes: Sequence[_PointStroke]) -> None:
    """Draw the lines of one colour and width as one path; lines that meet are joined."""
    for (width, colour), lines in groupby(strokes, lambda stroke: (stroke.width, stroke.colour)):
        canvas.setStrokeColorRGB(*colour)
        canvas.setLineWidth(width)
        path, last = canvas.beginPath(), None
        for x0, y0, x1, y1 in (line.ends for line in lines):
            if last != (x0, y0):
                path.moveTo(x0, y0)
            path.lineTo(x1, y1)
            last = x1, y1
        canvas.drawPath(path)


def _draw_label(canvas: Canvas, label: _PointLabel, lettering: Lettering) -> None:
    canvas.setFillColorRGB(*_INK)
    canvas.addLiteral(f"{label.place} cm")
    outlined = lettering.outlined(label.text, bold=label.bold)
    if outlined:
        _draw_outline(canvas, outlined.segments, label.size)
    else:
        canvas.setFont(_FONTS[label.bold][0], label.size)
        canvas.drawString(0, 0, label.text)


def _draw_outline(canvas: Canvas, segments: Sequence[Segment], size: float) -> None:
    """Draw letters that ReportLab cannot set: without TrueType outlines, or shaped."""
    path = canvas.beginPath()
    last = (0.0, 0.0)
    for command, ems in segments:
        points = [(steady(x * size), steady(-y * size)) for x, y in ems]
        match command:
            case "M":
                path.moveTo(*points[0])
            case "L":
                path.lineTo(*points[0])
            case "Q":
                path.curveTo(*_cubic(last, *points))
            case "C":
                path.curveTo(*(side for point in points for side in point))
            case "Z":
                path.close()
        last = points[-1] if points else last
    canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_NON_ZERO)


def _cubic(start: _Ends, bend: _Ends, end: _Ends) -> Iterator[float]:
    """The points of a quadratic curve as those of a cubic one: a third nearer to its ends."""
    for near in (start, end):
        yield from (steady(p + (q - p) * 2 / 3) for p, q in zip(near, bend, strict=True))
    yield from end
