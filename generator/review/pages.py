"""Pages that show each change of a face: old, new, and the difference."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import ORIGIN, Point, Rect, Size, scaling, translation
from generator.basics.shapes import box_of, carried, edges, rims
from generator.basics.units import PT_PER_MM
from generator.model import Face, Layer, MarkLine, PlacedLayer, Placement, Sheet
from generator.text import FontBook, Lettering
from generator.text.lettering import PageDrawing

_MARGIN, _GUTTER = 14.0, 6.0  # mm around a page, and between its columns
_HEAD = 26.0  # mm from the margin to the first row, a line or two of summary above it
_BETWEEN = 9.0  # mm between rows
_HAIR = 0.12  # mm, the outline of a piece
_TITLE, _NAME, _SMALL = (points / PT_PER_MM for points in (15, 11, 8.5))
_LEADING = 1.35
_MOST_LINES = 4  # of the changes in the table, above one face
_MOST_SUMMARY_LINES = 12
_SWATCH = 2.8  # mm
_SCALE = 14.0  # mm at the right of a row for the scale of its faces
_COLUMNS = ("as it was", "as it is", "what differs")


class ReviewRow(Struct, frozen=True):
    """A face that changed: its title, and the faces to show side by side, None if one is missing.

    `description` lists the changes in its row of the table.
    """

    title: str
    description: str
    old: Face | None
    new: Face | None
    overlay: Face | None


class Review(Struct, frozen=True):
    """The content of the pages: a heading, a summary, rows, and the colours of the differences by
    name."""

    title: str
    summary: Sequence[str]
    rows: Sequence[ReviewRow]
    legend: Sequence[tuple[str, str]]


class _ReviewDrawing(PageDrawing, kw_only=True):
    """A page while it is filled; `y` is the end of its content (mm)."""

    y: float
    is_full: bool = False  # the page has content: the next row may begin another page


def picture(name: str, uri: str, like: Face, size: Size) -> Face:
    """A picture (a data URI) as a face of a size, with the cut of `like` in its middle."""
    width, height = size
    layer = _layer(name, size, f'<image width="{width}" height="{height}" href="{uri}"/>')
    middle = translation((width - like.size.width) / 2, (height - like.size.height) / 2)
    outline, holes = carried(like.outline, middle), [carried(hole, middle) for hole in like.holes]
    layers = (PlacedLayer(layer, ORIGIN),)
    return Face(layer.id, name, layers, size, outline, like.corner_radius, holes=tuple(holes))


def review_sheets(review: Review, paper: Size, fonts: FontBook) -> tuple[list[Sheet], list[Face]]:
    """The pages, and the faces on them with new ids, since an old and a new face may differ only in
    their cut."""
    rows = [_rename_faces(row, index) for index, row in enumerate(review.rows)]
    setting = _ReviewSetter(replace(review, rows=rows), paper, Lettering.of(fonts))
    drawings = setting.pages()
    sheets = []
    for number, drawing in enumerate(drawings, 1):
        setting.foot(drawing, number, len(drawings))
        pages = (drawing.page("front", paper),)
        sheets.append(Sheet("review", review.title, number, len(drawings), paper, None, pages))
    faces = [face for row in rows for face in (row.old, row.new, row.overlay) if face]
    return sheets, [*faces, _swatches(review.legend)]


def _rename_faces(row: ReviewRow, index: int) -> ReviewRow:
    def rename(face: Face | None, column: str) -> Face | None:
        return replace(face, id=f"{column}{index}") if face else None

    old, new = rename(row.old, "old"), rename(row.new, "new")
    return replace(row, old=old, new=new, overlay=rename(row.overlay, "both"))


def _layer(name: str, size: Size, content: str) -> Layer:
    width, height = size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}">{content}</svg>'
    )
    return Layer.of(name, svg, size)


def _swatches(legend: Sequence[tuple[str, str]]) -> Face:
    size = Size(_SWATCH, 2 * _SWATCH * len(legend))
    squares = "".join(
        f'<rect y="{2 * _SWATCH * index}" width="{_SWATCH}" height="{_SWATCH}" fill="{colour}"/>'
        for index, (_, colour) in enumerate(legend)
    )
    layers = (PlacedLayer(_layer("legend", size, squares), ORIGIN),)
    return Face("legend", "legend", layers, size, Rect(0.0, 0.0, *size).corners(), 0.0)


class _ReviewSetter(Struct, frozen=True):
    review: Review
    paper: Size
    lettering: Lettering

    def pages(self) -> list[_ReviewDrawing]:
        pages = [self._page(is_first=True)]
        for row in self.review.rows:
            height = self._caption_height(row) + self._scale(row) * _extent(row).height
            if pages[-1].y + height > self.paper.height - _MARGIN and pages[-1].is_full:
                pages.append(self._page(is_first=False))
            self._set(row, pages[-1])
        return pages

    @property
    def _column(self) -> float:
        """The width of a column (mm)."""
        return (self.paper.width - 2 * _MARGIN - 2 * _GUTTER) / 3

    def _left(self, column: int) -> float:
        return _MARGIN + column * (self._column + _GUTTER)

    def _scale(self, row: ReviewRow) -> float:
        """The scale of a row: 1, or less if its column or the page is too small."""
        width, height = _extent(row)
        room = self.paper.height - 2 * _MARGIN - _HEAD - self._caption_height(row)
        return min(1.0, self._column / width, room / height)

    def _page(self, *, is_first: bool) -> _ReviewDrawing:
        page = _ReviewDrawing(y=_MARGIN + _TITLE, is_full=is_first)
        across = self.paper.width - 2 * _MARGIN
        self._head(page, self.review.title, _TITLE, across)
        lines = self._break_lines(self.review.summary, across) if is_first else []
        for line in lines[:_MOST_SUMMARY_LINES]:
            page.y += _SMALL * _LEADING
            self._write(page, line, _SMALL, Point(_MARGIN, page.y + 1.5))
        page.y += 9.0
        self._head_columns(page)
        page.y += 6.0
        return page

    def _head_columns(self, page: _ReviewDrawing) -> None:
        for column, name in enumerate(_COLUMNS):
            self._write(page, name, _SMALL, Point(self._left(column), page.y))
        y = page.y + 2.0
        page.lines.append(MarkLine(Point(_MARGIN, y), Point(self.paper.width - _MARGIN, y), _HAIR))

    def _caption(self, row: ReviewRow) -> list[str]:
        return self._break_lines([row.description], self.paper.width - 2 * _MARGIN)[:_MOST_LINES]

    def _caption_height(self, row: ReviewRow) -> float:
        return (_NAME + len(self._caption(row)) * _SMALL) * _LEADING + 1.5

    def _set(self, row: ReviewRow, page: _ReviewDrawing) -> None:
        page.is_full = True
        scale, extent = self._scale(row), _extent(row)
        top = page.y + self._caption_height(row)
        page.y = baseline = page.y + _NAME
        self._head(page, row.title, _NAME, self._left(2) + self._column - _MARGIN - _SCALE)
        if scale < 1.0:
            at = Point(self.paper.width - _MARGIN, baseline)
            page.labels.append(self.lettering.line(f"at {scale:.0%}", _SMALL, at, "right"))
        for line in self._caption(row):
            baseline += _SMALL * _LEADING
            self._write(page, line, _SMALL, Point(_MARGIN, baseline))
        for column, face in enumerate((row.old, row.new, row.overlay)):
            corner = Point(self._left(column), top)
            if face:
                self._place(page, face, row.title, corner, scale)
            elif column < 2:
                middle = Point(corner.x + extent.width * scale / 2, top + extent.height * scale / 2)
                page.labels.append(self.lettering.at("–", _NAME, middle))
        page.y = top + extent.height * scale + _BETWEEN

    def _place(self, page: _ReviewDrawing, face: Face, title: str, corner: Point, scale: float) -> None:
        """Place a face as cut, with its outline, without which a white one would not show."""
        trim = face.trim
        place = translation(*corner) @ scaling(scale) @ translation(-trim.x0, -trim.y0)
        cut = carried(face.cut, place)
        page.placements.append(Placement(face.id, title, place, cut))
        page.lines += (MarkLine(*edge, _HAIR) for rim in rims(cut) for edge in edges(rim))

    def foot(self, page: _ReviewDrawing, number: int, total: int) -> None:
        """Add the meaning of the colours, and the number of the page."""
        x, y = _MARGIN, self.paper.height - _MARGIN / 2
        for index, (name, _) in enumerate(self.review.legend):
            corner = Point(x, y - _SWATCH * 0.85)
            square = Rect(*corner, corner.x + _SWATCH, corner.y + _SWATCH).corners()
            page.placements.append(Placement("legend", name, translation(x, corner.y - 2 * _SWATCH * index), square))
            self._write(page, name, _SMALL, Point(x + _SWATCH + 1.0, y))
            x += _SWATCH + 5.0 + self.lettering.width(name, _SMALL)
        at = Point(self.paper.width - _MARGIN, y)
        page.labels.append(self.lettering.line(f"{number} of {total}", _SMALL, at, "right"))

    def _break_lines(self, texts: Iterable[str], width: float) -> list[str]:
        """Texts in lines; a word longer than a line is cut off."""
        return [
            self._cut(line, width)
            for text in texts
            if text.strip()
            for line in self.lettering.break_text(self._drawable(text), _SMALL, width)
        ]

    def _cut(self, line: str, width: float) -> str:
        length = len(line)
        while self.lettering.width(line, _SMALL) > width:
            length -= 1 + length // 10
            line = line[:length] + "…"
        return line

    def _drawable(self, text: str) -> str:
        """Replace characters that the font of the pages lacks with question marks."""
        missing = self.lettering.regular.missing(text)
        return "".join("?" if character in missing else character for character in text)

    def _head(self, page: _ReviewDrawing, text: str, size: float, width: float) -> None:
        """Write a heading at y, in smaller type if it would be too wide."""
        text = self._drawable(text)
        wide = self.lettering.width(text, size, bold=True)
        size = size * min(1.0, width / wide) if wide else size
        self._write(page, text, size, Point(_MARGIN, page.y), bold=True)

    def _write(self, page: _ReviewDrawing, text: str, size: float, start: Point, *, bold: bool = False) -> None:
        page.labels.append(self.lettering.line(text, size, start, bold=bold))


def _extent(row: ReviewRow) -> Size:
    """The size of a box for any of a row's faces as cut (mm)."""
    boxes = [box_of(face.outline) for face in (row.old, row.new) if face]
    return Size(max(box.width for box in boxes), max(box.height for box in boxes))
