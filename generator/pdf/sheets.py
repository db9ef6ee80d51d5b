"""Take Sheets, make the PDF that places them: stub forms for faces, marks, slug (ReportLab)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import get_args

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from generator.geometry import Affine, Size
from generator.model import Face, Flip, Imprint, Label, Line, Mark, Page, Placement, Sheet
from generator.pdf.points import points, seat, to_page
from generator.text import HOUSE_FAMILY, FontBook
from generator.units import PT_PER_MM

STUB_PREFIX = "face-"
MARKS: tuple[Mark, ...] = get_args(Mark)  # each a form of its own, alike ones the same
_FONTS = {False: ("slug", 400), True: ("slug-bold", 700)}
_INK = (0.13, 0.13, 0.13)
_PAPER = (1.0, 1.0, 1.0)
_Forms = dict[tuple[tuple[Line, ...], tuple[Label, ...], Affine, Size], str]  # marks, by name
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge", None: "Simplex"}


def draw_sheets(
    sheets: Sequence[Sheet], faces: Sequence[Face], imprint: Imprint, fonts: FontBook
) -> bytes:
    """Every page of every sheet in printing order; the faces are empty forms yet."""
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
    for face in faces:
        canvas.beginForm(STUB_PREFIX + face.id, 0, 0, *points(face.size))
        canvas.endForm()
    sizes = {face.id: face.size for face in faces}
    marks: _Forms = {}
    for index, sheet in enumerate(sheets):
        for page in sheet.pages:
            canvas.setPageSize(points(sheet.paper))
            if page is sheet.pages[0]:
                _bookmark(canvas, sheet, f"sheet-{index + 1}")
            _draw_page(canvas, page, sheet.paper, sizes, marks)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _describe(canvas: Canvas, imprint: Imprint, sheets: Sequence[Sheet]) -> None:
    canvas.setTitle(imprint.title)
    canvas.setAuthor(imprint.author)
    canvas.setSubject(imprint.subject)
    canvas.setCreator("pnp")
    # without these a print dialog shrinks the sheet to its margins and prints one side
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", _DUPLEX[_flip(sheets)])
    canvas.setViewerPreference("DisplayDocTitle", "true")


def _flip(sheets: Sequence[Sheet]) -> Flip | None:
    """How the file is turned: as its sheets that have backs, the dialog knows one setting."""
    return next((sheet.flip for sheet in sheets if sheet.flip), None)


def _bookmark(canvas: Canvas, sheet: Sheet, key: str) -> None:
    canvas.bookmarkPage(key)
    canvas.addOutlineEntry(f"{sheet.title}: sheet {sheet.number} of {sheet.total}", key)


def _draw_page(
    canvas: Canvas, page: Page, paper: Size, sizes: Mapping[str, Size], marks: _Forms
) -> None:
    page_map = to_page(paper)
    canvas.setTrimBox(page_map.apply_rect(page.trim))
    canvas.setBleedBox(page_map.apply_rect(page.bleed))
    page_map = page_map @ page.correction
    for placement in page.placements:
        _draw_placement(canvas, placement, page_map, sizes[placement.face])
    for kind in MARKS:
        lines = tuple(line for line in page.marks if line.kind == kind)
        labels = page.labels if kind == "slug" else ()
        if lines or labels:
            drawing = lines, labels, page_map, paper
            if drawing not in marks:
                marks[drawing] = f"{kind}-{len(marks)}"
                canvas.beginForm(marks[drawing], 0, 0, *points(paper))
                _draw_marks(canvas, lines, labels, page_map)
                canvas.endForm()
            canvas.doForm(marks[drawing])


def _draw_marks(
    canvas: Canvas, lines: Sequence[Line], labels: Sequence[Label], page_map: Affine
) -> None:
    for line in (line for line in lines if line.halo):
        _draw_line(canvas, line, page_map, line.halo, _PAPER)
    for line in lines:
        _draw_line(canvas, line, page_map, line.width, _INK)
    for label in labels:
        _draw_label(canvas, label, page_map)


def _draw_placement(canvas: Canvas, placement: Placement, page_map: Affine, face: Size) -> None:
    canvas.addLiteral(f"q {seat(page_map, placement.clip, placement.affine, face)}")
    canvas.doForm(STUB_PREFIX + placement.face)
    canvas.addLiteral("Q")


def _draw_line(
    canvas: Canvas, line: Line, page_map: Affine, width: float, colour: tuple[float, float, float]
) -> None:
    canvas.setStrokeColorRGB(*colour)
    canvas.setLineWidth(width * PT_PER_MM)
    canvas.line(*page_map.apply(line.start), *page_map.apply(line.end))


def _draw_label(canvas: Canvas, label: Label, page_map: Affine) -> None:
    canvas.saveState()
    canvas.setFillColorRGB(*_INK)
    upright = Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, 0.0)
    canvas.transform(*(page_map @ label.affine @ upright))
    canvas.setFont(_FONTS[label.bold][0], label.size * PT_PER_MM)
    canvas.drawString(0, 0, label.text)
    canvas.restoreState()
