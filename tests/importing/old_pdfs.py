"""PDFs as other programs write them, with cards at known places."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from generator.basics.geometry import Rect, Size
from generator.pdf.raster import rasterise

MM = 72 / 25.4
A4 = Size(210.0, 297.0)
COLOURS = ("#b3261e", "#1d5c63", "#6a4c93", "#c9a227", "#2f6f3e", "#8d5524")


def grid(rows: int, columns: int, size: Size, at: tuple[float, float], gap: float = 0.0) -> list[Rect]:
    """Cells in mm from the top left, row by row."""
    return [
        Rect(x, y, x + size.width, y + size.height)
        for y in (at[1] + row * (size.height + gap) for row in range(rows))
        for x in (at[0] + column * (size.width + gap) for column in range(columns))
    ]


def comb(rows: int, columns: int, size: Size, at: tuple[float, float]) -> list[Rect]:
    """The boxes of hexagons in interlocking rows, with a corner or an edge at the top of each."""
    is_level = size.width > size.height
    across, x, y = min(size), *(at[::-1] if is_level else at)
    places = [
        (x + (column + row % 2 / 2) * across, y + row * across * 0.75**0.5)
        for row in range(rows)
        for column in range(columns)
    ]
    corners = (place[::-1] if is_level else place for place in places)
    return [Rect(x0, y0, x0 + size.width, y0 + size.height) for x0, y0 in corners]


class OldPdf:
    """A PDF that is drawn in mm from the top left."""

    def __init__(self, size: Size = A4) -> None:
        self._stream = io.BytesIO()
        self.size = size
        self.canvas = Canvas(self._stream, (size.width * MM, size.height * MM), invariant=True)

    def box(self, cell: Rect) -> tuple[float, float, float, float]:
        y = (self.size.height - cell.y1) * MM
        return cell.x0 * MM, y, cell.width * MM, cell.height * MM

    def words(self, cell: Rect, text: str) -> None:
        x, y, width, height = self.box(cell)
        self.canvas.setFillColor("#000000")
        for line in range(5):
            self.canvas.drawCentredString(x + width / 2, y + height * (line + 0.5) / 5, text)

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.canvas.setLineWidth(0.3)
        high = self.size.height
        self.canvas.line(x0 * MM, (high - y0) * MM, x1 * MM, (high - y1) * MM)

    def fill(self, cell: Rect, number: int) -> None:
        """A card: a ground of its own colour, a picture window, words."""
        self.canvas.setFillColor(COLOURS[number % len(COLOURS)])
        self.canvas.rect(*self.box(cell), stroke=0, fill=1)
        self.canvas.setFillColor("#fbf8f1")
        self.canvas.rect(*self.box(cell.grown(-min(cell.width, cell.height) / 5)), stroke=0, fill=1)
        self.words(cell, f"card {number}")

    def cards(self, cells: Iterable[Rect], first: int = 1) -> None:
        for number, cell in enumerate(cells, first):
            self.fill(cell, number)

    def next(self) -> None:
        self.canvas.showPage()

    def finish(self) -> bytes:
        self.canvas.save()
        return self._stream.getvalue()


def pictured(number: int, pixels: tuple[int, int] = (200, 280)) -> ImageReader:
    """A photograph, with stripes that no other has."""
    image = Image.new("RGB", pixels, COLOURS[number % len(COLOURS)])
    for x in range(0, pixels[0], 9 + number):
        image.paste((255 - x, x, 120), (x, 20, x + 4, pixels[1] - 20))
    return ImageReader(image)


def filled(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    pdf.cards(cells)


def framed(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    for number, cell in enumerate(cells):
        pdf.canvas.rect(*pdf.box(cell))
        pdf.words(cell, str(number))


def rounded(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    for number, cell in enumerate(cells):
        pdf.canvas.roundRect(*pdf.box(cell), 3 * MM)
        pdf.words(cell, str(number))


def clipped(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Words in clips that nobody sees."""
    for number, cell in enumerate(cells):
        pdf.canvas.saveState()
        path = pdf.canvas.beginPath()
        path.rect(*pdf.box(cell))
        pdf.canvas.clipPath(path, stroke=0)
        pdf.words(cell, str(number))
        pdf.canvas.restoreState()


def photographed(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    for number, cell in enumerate(cells):
        pdf.canvas.drawImage(pictured(number), *pdf.box(cell))


def in_forms(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Each card is a form, as programs write that import pages."""
    canvas = pdf.canvas
    for number, cell in enumerate(cells):
        _, _, width, height = pdf.box(cell)
        canvas.beginForm(f"card{number}", 0, 0, width, height)
        canvas.drawString(width / 3, height / 2, f"card {number}")
        canvas.endForm()
    for number, cell in enumerate(cells):
        x, y, _, _ = pdf.box(cell)
        canvas.saveState()
        canvas.translate(x, y)
        canvas.doForm(f"card{number}")
        canvas.restoreState()


def ruled(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Long dashed lines to cut along, words between them."""
    whole = cells[0].around(*cells)
    pdf.canvas.setDash(4, 3)
    for x in {side for cell in cells for side in (cell.x0, cell.x1)}:
        pdf.line(x, whole.y0, x, whole.y1)
    for y in {side for cell in cells for side in (cell.y0, cell.y1)}:
        pdf.line(whole.x0, y, whole.x1, y)
    for cell in cells:
        pdf.words(cell, "word")


def marked(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """One picture of all cards, and crop marks around it."""
    whole = cells[0].around(*cells)
    pdf.canvas.drawImage(pictured(3, (900, 1200)), *pdf.box(whole))
    marks(pdf, cells, whole)


def marked_cards(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    pdf.cards(cells)
    marks(pdf, cells, cells[0].around(*cells))


def marks(pdf: OldPdf, cells: Sequence[Rect], whole: Rect) -> None:
    """Crop marks of 5 mm, 1 mm away from the sheet of cards."""
    for x in {side for cell in cells for side in (cell.x0, cell.x1)}:
        for y0, y1 in ((whole.y0 - 6, whole.y0 - 1), (whole.y1 + 1, whole.y1 + 6)):
            pdf.line(x, y0, x, y1)
    for y in {side for cell in cells for side in (cell.y0, cell.y1)}:
        for x0, x1 in ((whole.x0 - 6, whole.x0 - 1), (whole.x1 + 1, whole.x1 + 6)):
            pdf.line(x0, y, x1, y)


def bled(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Cards with 3 mm of bleed, and crop marks where they are cut."""
    pdf.cards(cell.grown(3.0) for cell in cells)
    marks(pdf, cells, cells[0].around(*cells).grown(3.0))


def shaped(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Outlines of hexagons, or of circles for boxes that are squares; and a frame around all."""
    high = pdf.size.height
    pdf.canvas.rect(*pdf.box(cells[0].around(*cells)))
    for number, (x0, y0, x1, y1) in enumerate(cells):
        path, x, y = pdf.canvas.beginPath(), (x0 + x1) / 2, (y0 + y1) / 2
        if round(x1 - x0 - y1 + y0, 3) == 0:
            path.circle(x * MM, (high - y) * MM, (x1 - x0) / 2 * MM)
        else:
            upper, left = (3 * y0 + y1) / 4, (3 * x0 + x1) / 4
            corners = [(x, y0), (x1, upper), (x1, y0 + y1 - upper), (x, y1), (x0, y0 + y1 - upper), (x0, upper)]
            if x1 - x0 > y1 - y0:
                right = x0 + x1 - left
                corners = [(left, y0), (right, y0), (x1, y), (right, y1), (left, y1), (x0, y)]
            path.moveTo(corners[0][0] * MM, (high - corners[0][1]) * MM)
            for end in corners[1:]:
                path.lineTo(end[0] * MM, (high - end[1]) * MM)
            path.close()
        pdf.canvas.setFillColor(COLOURS[number % len(COLOURS)])
        pdf.canvas.drawPath(path, fill=number % 2)


def shop_bled(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Cards with an eighth of an inch of bleed, and nothing that says so."""
    pdf.cards(cell.grown(25.4 / 8) for cell in cells)


def backed(pdf: OldPdf, cells: Sequence[Rect]) -> None:
    """Dark backs, with a bright line on each; where two touch, nothing shows it."""
    pdf.canvas.setFillColor("#1b2438")
    pdf.canvas.setStrokeColor("#c9a227")
    for cell in cells:
        pdf.canvas.rect(*pdf.box(cell), stroke=0, fill=1)
        pdf.canvas.rect(*pdf.box(cell.grown(-5.0)))


def flattened(content: bytes, size: Size = A4, dpi: float = 150.0) -> bytes:
    """A PDF whose pages are pictures, with the noise of a JPEG."""
    stream = io.BytesIO()
    canvas = Canvas(stream, (size.width * MM, size.height * MM), invariant=True)
    for image in rasterise(content, dpi):
        picture = io.BytesIO()
        image.convert("RGB").save(picture, "JPEG", quality=70)
        canvas.drawImage(ImageReader(picture), 0, 0, size.width * MM, size.height * MM)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


Drawing = Callable[[OldPdf, Sequence[Rect]], None]
