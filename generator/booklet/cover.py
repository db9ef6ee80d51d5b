"""Take the contents of a kit and how it is printed, make its cover sheet: the steps to make it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from generator.booklet.design import PageDesign, PageFrame
from generator.booklet.figure import Figure, PlacedFace
from generator.booklet.page_blocks import PageBlock, PlacedPlate, Tint
from generator.booklet.pages import BookletPage, paginate
from generator.booklet.plates import make_plate
from generator.booklet.typesetting import misfit, page_face
from generator.errors import MisfitError
from generator.faces.canvas import Canvas
from generator.geometry import IDENTITY, ORIGIN, Rect, Size
from generator.model import Art, Booklet, Face, Game, PlacedLayer
from generator.text import FontBook
from generator.text.flow import Compositor, Flow
from generator.text.markup import TextBlock, copy_of
from generator.text.style import Style

_MAKING = files("generator.booklet") / "making"
_DRAWN_ACCENT = "#b5482a"  # the accent colour in the files of the pictures
_PICTURE = Size(48.0, 32.0)  # mm, the size of those pictures
_THUMB = Size(26.0, 20.0)  # mm, the most for a part's picture
_CELL, _STEP = 56.0, 54.0  # mm, the least widths of a part and of a step
_MOST_WIDE, _NARROW_STEP = 6, 41.0  # of more steps, a page holds four in a row
_GUTTER = 6.0  # mm between columns
_NUMBER = 8.0  # mm from the left of a step to its picture
_GAP = 5.0  # mm between rows
_RULE = 0.35


@dataclass(frozen=True, slots=True)
class KitPart:
    """A part of the kit: its number, the pages and the paper to print it, and its face."""

    title: str
    count: int
    printing: str
    face: Face


@dataclass(frozen=True, slots=True)
class KitContents:
    """A kit: its parts, the steps to make it (each a text and a picture in making/), and a line on
    how it was printed."""

    parts: tuple[KitPart, ...]
    steps: tuple[str, ...]
    printed: str


def cover(
    game: Game, booklet: Booklet, contents: KitContents, size: Size, bare: float
) -> list[Face]:
    """The pages of the cover sheet, usually one, in the design of the booklet.

    The printer leaves `bare` mm at each edge. Raises PnpError if the paper is too small or a title
    too long.
    """
    frame = PageFrame.of(size, bare)
    design = PageDesign(booklet, FontBook(game.font_folders))
    setter = _CoverSetter(design, Compositor(design.fonts), frame.text.width)
    try:
        blocks = [
            setter.head(game),
            setter.heading("In this kit"),
            *setter.parts(contents.parts),
            setter.heading("How to make it"),
            *setter.steps(contents.steps),
        ]
        foot = setter.foot(contents.printed)
    except MisfitError as error:
        hint = "shorten the titles in game.toml, or leave the cover out: cover = false"
        raise misfit(booklet, "the cover", error, hint) from None
    pages = paginate(blocks, frame.text.height)
    names = [f"page {number} of the cover" for number in range(1, len(pages) + 1)]
    return [
        page_face(_layers(page, foot, frame, name), name, frame)
        for page, name in zip(pages, names, strict=True)
    ]


def _layers(page: BookletPage, foot: Flow, frame: PageFrame, name: str) -> Iterator[PlacedLayer]:
    canvas = Canvas(frame.size)
    left, top, *_ = frame.text
    canvas.flow(foot.moved(left, frame.foot - foot.lines[-1].y).lines)
    page.draw(canvas, left, top)
    yield PlacedLayer(canvas.layer(name), ORIGIN)
    yield from page.pictures(left, top)


class _CoverSetter:
    """Makes the blocks of a cover, `width` mm wide."""

    def __init__(self, design: PageDesign, compositor: Compositor, width: float) -> None:
        self._design = design
        self._compositor = compositor
        self._width = width
        self._strong = replace(design.body, weight=700)
        self._numeral = replace(design.section, size=2.1 * design.body.size)

    def head(self, game: Game) -> PageBlock:
        """The title in poster size, a line about the game, and its designer."""
        high = 26.0
        style = replace(self._design.title, align="left", valign="bottom", size=24.0)
        title = self._compositor.set(copy_of(game.title), Rect(0.0, 0.0, self._width, high), style)
        about = self._set(copy_of(game.about), 0.0, high + 3.0, self._width, self._lead)
        by = self._set(
            copy_of(game.designer), 0.0, high + 3.5 + about.height, self._width, self._strong
        )
        height = high + 4.0 + about.height + by.height + 1.4 * _GAP
        low = height - _GAP
        rule = Tint(Rect(0.0, low, self._width, low + _RULE), self._design.accent)
        return PageBlock(height, (*title.lines, *about.lines, *by.lines), (rule,))

    @property
    def _lead(self) -> Style:
        return replace(self._design.body, size=1.15 * self._design.body.size)

    def heading(self, words: str) -> PageBlock:
        flow = self._set(words, 0.0, 0.0, self._width, self._design.section)
        return PageBlock(flow.height + 2.0, flow.lines, keeps=True)

    def parts(self, parts: Sequence[KitPart]) -> Iterator[PageBlock]:
        yield from self._rows([self._part(part) for part in parts], _CELL)

    def _part(self, part: KitPart) -> PageBlock:
        figure = Figure(placed=[PlacedFace(part.face, IDENTITY)])
        plate = make_plate(figure, _THUMB, self._design.accent, self._design.bold)
        x, y = (_THUMB.width - plate.size.width) / 2, (_THUMB.height - plate.size.height) / 2
        left, width = _THUMB.width + 3.0, _CELL - _THUMB.width - 3.0
        count = self._set(f"{part.count}", left, 1.5, width, self._numeral)
        title = self._set(copy_of(part.title), left, 2.0 + count.height, width, self._strong)
        low = 2.0 + count.height + title.height
        printing = self._set(copy_of(part.printing), left, low, width, self._design.foot)
        height = max(_THUMB.height, low + printing.height)
        lines = (*count.lines, *title.lines, *printing.lines)
        return PageBlock(height, lines, pictures=(PlacedPlate(plate, x, y),))

    def steps(self, steps: Sequence[str]) -> Iterator[PageBlock]:
        least = _STEP if len(steps) <= _MOST_WIDE else _NARROW_STEP
        width = self._column(least)
        cells = [self._step(number, name, width) for number, name in enumerate(steps, 1)]
        yield from self._rows(cells, least)

    def _step(self, number: int, name: str, width: float) -> PageBlock:
        scale = min(1.0, (width - _NUMBER) / _PICTURE.width)
        high = scale * _PICTURE.height
        box = Rect(_NUMBER, 0.0, _NUMBER + scale * _PICTURE.width, high)
        numeral = self._set(f"{number}", 0.0, 0.0, _NUMBER, self._numeral)
        words = (_MAKING / f"{name}.md").read_text("utf-8").strip()
        text = self._set(words, 0.0, high + 2.0, width, self._design.body)
        images = ((self._picture(name), box),)
        return PageBlock(high + 2.0 + text.height, (*numeral.lines, *text.lines), images=images)

    def _picture(self, name: str) -> Art:
        """The picture of a step. A step without a picture shares one: print-fold has print's."""
        file = _MAKING / f"{name}.svg"
        if not file.is_file():
            file = _MAKING / f"{name.partition('-')[0]}.svg"
        svg = file.read_text("utf-8").replace(_DRAWN_ACCENT, self._design.accent)
        return Art(name, f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}")

    def foot(self, words: str) -> Flow:
        return self._set(copy_of(words), 0.0, 0.0, self._width, self._design.foot)

    def _rows(self, cells: Sequence[PageBlock], least: float) -> Iterator[PageBlock]:
        """Rows of cells, each with as many cells as fit at their least width."""
        columns = self._columns(least)
        step = self._column(least) + _GUTTER
        for start in range(0, len(cells), columns):
            row = [
                _aside(cell, index * step)
                for index, cell in enumerate(cells[start : start + columns])
            ]
            yield PageBlock(
                max(cell.height for cell in row) + _GAP,
                lines=tuple(line for cell in row for line in cell.lines),
                images=tuple(image for cell in row for image in cell.images),
                pictures=tuple(picture for cell in row for picture in cell.pictures),
            )

    def _columns(self, least: float) -> int:
        return max(1, int((self._width + _GUTTER) // (least + _GUTTER)))

    def _column(self, least: float) -> float:
        columns = self._columns(least)
        return (self._width - _GUTTER * (columns - 1)) / columns

    def _set(
        self, text: str | Sequence[TextBlock], x: float, y: float, width: float, style: Style
    ) -> Flow:
        return self._compositor.set(text, Rect(x, y, x + width, y + 1e4), style)


def _aside(cell: PageBlock, x: float) -> PageBlock:
    """Move a cell `x` mm to the right."""
    return replace(
        cell,
        lines=tuple(line.moved(x, 0.0) for line in cell.lines),
        images=tuple((art, box.moved(x, 0.0)) for art, box in cell.images),
        pictures=tuple(replace(picture, x=picture.x + x) for picture in cell.pictures),
    )
