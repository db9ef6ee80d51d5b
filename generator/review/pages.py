"""Pages that show each change of a face: old, new, and the picture of the difference."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from generator.basics.geometry import MM_PER_INCH, ORIGIN, PT_PER_MM, Point, Rect, Size, scaling, translation
from generator.basics.shapes import box_of, carried, edges, rims
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
# Orange-red and blue-green differ in every colour blindness. Recoloured parts are darker than
# either, and unchanged parts are paler than all others.
TAKEN, ADDED = (213, 72, 20), (0, 128, 150)
STAYED = 0.2  # of its darkness remains
LEGEND = (("taken", "#d54814"), ("added", "#008096"), ("recoloured", "#00240c"))
_INVISIBLE, _VISIBLE = 12.0, 36.0  # of 255: a difference begins to count, and counts in full
_STRONG = 60.0  # of 255: a part that differs so much from its ground is drawn in full

_Pixels = npt.NDArray[np.float32]


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
    """The content of the pages: a heading, a summary, and rows."""

    title: str
    summary: Sequence[str]
    rows: Sequence[ReviewRow]


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
    """The pages, and the faces on them with new ids, since an old and a new face may differ only in their cut."""
    rows = [_rename_faces(row, index) for index, row in enumerate(review.rows)]
    setting = _ReviewSetter(replace(review, rows=rows), paper, Lettering.of(fonts))
    drawings = setting.pages()
    sheets = []
    for number, drawing in enumerate(drawings, 1):
        setting.foot(drawing, number, len(drawings))
        pages = (drawing.page("front", paper),)
        sheets.append(Sheet("review", review.title, number, len(drawings), paper, None, pages))
    faces = [face for row in rows for face in (row.old, row.new, row.overlay) if face]
    return sheets, [*faces, _swatches()]


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


def _swatches() -> Face:
    size = Size(_SWATCH, 2 * _SWATCH * len(LEGEND))
    squares = "".join(
        f'<rect y="{2 * _SWATCH * index}" width="{_SWATCH}" height="{_SWATCH}" fill="{colour}"/>'
        for index, (_, colour) in enumerate(LEGEND)
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
        for column, name in enumerate(_COLUMNS):
            self._write(page, name, _SMALL, Point(self._left(column), page.y))
        y = page.y + 2.0
        page.lines.append(MarkLine(Point(_MARGIN, y), Point(self.paper.width - _MARGIN, y), _HAIR))
        page.y += 6.0
        return page

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
        for index, (name, _) in enumerate(LEGEND):
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


class Overlay(Struct, frozen=True):
    """The picture, and whether there are visible differences in the piece and in its bleed."""

    picture: Image.Image
    in_piece: bool
    in_bleed: bool


def overlay(old: Image.Image, new: Image.Image, face: Face, dpi: float) -> Overlay:
    """Overlay two pictures of a face with its bleed, centred; `face` has the cut of the new one.

    Parts taken and added are found by their difference from the common ground: light letters on a
    dark ground count like dark letters on a light ground.
    """
    size = max(old.width, new.width), max(old.height, new.height)
    before, after = (np.asarray(_centre(image, size), np.float32) for image in (old, new))
    difference = _difference(before, after)
    ground = _ground(after, difference < _INVISIBLE)
    taken = np.clip(_difference(before, ground) / _STRONG, 0, 1)[..., None]
    added = np.clip(_difference(after, ground) / _STRONG, 0, 1)[..., None]
    colours = 255 * _veil(taken, TAKEN) * _veil(added, ADDED)
    pale = 255 - STAYED * (255 - after @ np.array([0.299, 0.587, 0.114], np.float32))
    weight = np.clip((difference - _INVISIBLE) / (_VISIBLE - _INVISIBLE), 0, 1)[..., None]
    mixed = weight * colours + (1 - weight) * pale[..., None]
    return Overlay(Image.fromarray(mixed.round().astype(np.uint8)), *_where(difference, face, dpi))


def _centre(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    paper = Image.new("RGB", size, (255, 255, 255))
    paper.paste(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    return paper


def _difference(one: _Pixels, other: _Pixels) -> _Pixels:
    """The difference of two pictures at each pixel, in the channel where it is greatest."""
    red, green, blue = np.moveaxis(np.abs(one - other), 2, 0)
    return np.asarray(np.maximum(np.maximum(red, green), blue))


def _veil(strength: _Pixels, colour: tuple[int, int, int]) -> _Pixels:
    """The light that white paper reflects through a colour, 0 to 1."""
    return np.asarray(1 - strength * (1 - np.array(colour, np.float32) / 255))


def _ground(image: _Pixels, valid: npt.NDArray[np.bool_]) -> _Pixels:
    """The picture, with pixels that are not valid filled from the nearest valid ones.

    These come from pictures half as large, and so on. Without valid pixels, the ground is white.
    """
    if valid.all():
        return image
    weight = valid[..., None].astype(np.float32)
    if min(valid.shape) < 2:
        mean = (image * weight).sum((0, 1)) / max(float(weight.sum()), 1.0)
        far = np.broadcast_to(mean if weight.any() else np.float32(255), image.shape)
    else:
        weights = _halve(weight)
        smaller = _halve(image * weight) / np.maximum(weights, 1e-6)
        far = _ground(smaller.astype(np.float32), weights[..., 0] > 0).repeat(2, 0).repeat(2, 1)
        far = far[: image.shape[0], : image.shape[1]]
    return np.where(valid[..., None], image, far)


def _halve(pixels: _Pixels) -> _Pixels:
    """The sums of four neighbours each; an odd last row or column has fewer."""
    height, width = pixels.shape[:2]
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)))
    return np.asarray(even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2])


def _where(difference: _Pixels, face: Face, dpi: float) -> tuple[bool, bool]:
    """Whether something differs in the piece, and in its bleed."""
    height, width = difference.shape
    scale = dpi / MM_PER_INCH
    left, top = (width - face.size.width * scale) / 2, (height - face.size.height * scale) / 2
    piece = Image.new("1", (width, height))
    corners = [(left + x * scale, top + y * scale) for x, y in face.cut]
    ImageDraw.Draw(piece).polygon(corners, 1)
    inside, differs = np.asarray(piece, np.bool_), difference > _VISIBLE
    return bool((differs & inside).any()), bool((differs & ~inside).any())
