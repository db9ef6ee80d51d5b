"""Pages of a game's booklet, as Faces; or its text with figures that are Faces, for a page on a screen.

In a draft, the parts of the text with lines at fault are left out, and pages list the faults.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from generator.art.picture import FAULT_RED
from generator.basics.errors import MisfitError, Place, PnpError, at_most, count_of, fail
from generator.basics.geometry import MM_PER_PT, ORIGIN, Rect, Size
from generator.basics.shapes import rectangle
from generator.booklet.block_setter import BlockSetter
from generator.booklet.figure import ContentsEntry, FaceIndex, list_kit, read_figure
from generator.booklet.paging import INK, LEAST, BookletPage, PageBlock, PageDesign, PageFrame, PlacedBlock, paginate
from generator.booklet.plates import make_plate
from generator.booklet.poster import title_page
from generator.booklet.reading import Aside, Block, Listing, Manuscript, MarkdownFigure, plain, read, symbols
from generator.faces.canvas import Canvas
from generator.model import Art, Booklet, Face, FaceKey, Game, PlacedLayer, Poster
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.flow import Compositor, Flow, OverfullError
from generator.text.markup import copy_of, lines, read_marks
from generator.text.shape import Style, colour_picture, find_icon

MOST_PAGES = 64  # sixteen sheets, the most to fold as one
_OF_SHEET = 4  # pages
_SMALLER = (0.98, 0.96, 0.94)  # sizes of text that may save the sheet of a last page
_MAX_PROBLEMS = 20
_BAR = 0.9  # mm: the accent at the left of an aside
_FOOT_RULE = 0.15
_BESIDE_NUMBER = 3.0  # ems for the number of a page and the space to the section's title
_SIZE = 9.5 * MM_PER_PT
_NUMBER = 10.0  # mm from the left to the words of a fault
_GAP = 2.2  # mm between faults
_BELOW_TITLE = 3.0
_LONG_WORD = re.compile(r"(\S{40})")  # too long for a line
_ABOUT = "A red frame marks a piece with a fault; the red band has the number of the fault below."
_FENCE = ":::"
_WIDTH = 130.0  # mm of a figure at most, as wide as a column on a screen
_HEIGHTS = {"face": 75.0, "picture": 130.0, "row": 80.0, "table": 130.0}  # mm, by kind
_OMITTED = "> **Omitted:** this part has a fault."


def pages(game: Game, booklet: Booklet, faces: Mapping[FaceKey, Face], size: Size, bare: float) -> list[Face]:
    """The pages of a booklet, for a printer that leaves `bare` mm at each edge.

    Raises PnpError with every fault of the text, or if the pages are too small or too many.
    """
    text = _Text.of(game, booklet, faces, size, bare)
    inner = text.set()
    for part in _SMALLER:
        if len(inner) % _OF_SHEET or part * booklet.size < LEAST:
            break  # no sheet is begun for the last page alone, after the title page
        smaller = text.resized(part)
        fewer = smaller.set()
        if len(fewer) < len(inner):
            text, inner = smaller, fewer
    if len(inner) >= MOST_PAGES:
        what = f"the booklet has {len(inner) + 1} pages"
        raise fail(booklet.place, what, f"at most {MOST_PAGES} can be folded as one")
    frame = text.frame
    try:
        first = text.title_page(game, faces)
    except MisfitError as error:
        hint = "shorten the texts in [game], or print on larger paper"
        raise misfit(booklet, "the title page", error, hint) from None
    return [
        page_face(first, _name_page(1), frame),
        *(page_face(text.layers(page, number), _name_page(number), frame) for number, page in enumerate(inner, 2)),
    ]


class _Text(Struct, frozen=True):
    """The text of a booklet at one size, and what sets it."""

    title: str
    blocks: Sequence[Block]
    booklet: Booklet
    design: PageDesign
    frame: PageFrame
    compositor: Compositor
    setter: BlockSetter

    @classmethod
    def of(cls, game: Game, booklet: Booklet, faces: Mapping[FaceKey, Face], size: Size, bare: float) -> _Text:
        """Raises PnpError with every fault of the Markdown."""
        manuscript = read(booklet.text, booklet.place)
        frame = PageFrame.of(size, bare)
        design = PageDesign(booklet, FontBook(game.font_folders))
        compositor = Compositor(design.fonts, booklet.icons, booklet.palette)
        room = Size(frame.text.width, frame.text.height)
        index = FaceIndex(game.components, faces, booklet.icons)
        setter = BlockSetter(compositor, design, index, room, booklet.place)
        title = plain(manuscript.title) or game.title
        return cls(title, manuscript.blocks, booklet, design, frame, compositor, setter)

    def resized(self, part: float) -> _Text:
        booklet = replace(self.booklet, size=part * self.booklet.size)
        design = PageDesign(booklet, self.design.fonts)
        return replace(self, design=design, setter=self.setter.resized(design))

    def set(self) -> list[BookletPage]:
        """The pages after the title page. Raises PnpError with every fault of the text."""
        page_blocks = self.setter.set(self.blocks, 0.0, self.frame.text.width)
        if self.setter.problems:
            raise PnpError(at_most(_MAX_PROBLEMS, self.setter.problems))
        return paginate(page_blocks, self.frame.text.height, self.title)

    def title_page(self, game: Game, faces: Mapping[FaceKey, Face]) -> list[PlacedLayer]:
        """The layers of the title page. Raises MisfitError if a text does not fit."""
        index = FaceIndex(game.components, faces, {})
        parts = self.booklet, self.title, index, self.design, self.frame, self.compositor
        return list(title_page(game, *parts))

    def layers(self, page: BookletPage, number: int) -> Iterator[PlacedLayer]:
        """The words, those of one role together, between grounds and foot, which are not read out;
        then the pictures."""
        canvas, name = Canvas(self.frame.size), _name_page(number)
        left, top = self.frame.text.x0, self.frame.text.y0
        for box, colour in self._areas(page.placed):
            canvas.rect(box.moved(left, top), colour)
        for y, block in page.placed:
            for tint in block.tints:
                canvas.rect(tint.box.moved(left, top + y), tint.colour)
        yield PlacedLayer(canvas.layer(name, "Artifact"), ORIGIN)
        worded = [placed for placed in page.placed if placed.block.lines]
        for role, placed_blocks in groupby(worded, key=lambda placed: placed.block.role):
            canvas = Canvas(self.frame.size)
            for y, block in placed_blocks:
                canvas.flow(line.moved(left, top + y) for line in block.lines)
            yield PlacedLayer(canvas.layer(name, role), ORIGIN)
        canvas = Canvas(self.frame.size)
        self._foot(canvas, page.section, number)
        yield PlacedLayer(canvas.layer(name, "Artifact"), ORIGIN)
        yield from page.pictures(left, top)

    def _areas(self, placed: Sequence[PlacedBlock]) -> Iterator[tuple[Rect, str]]:
        """The panels of asides, each with the bar at its left."""
        box: Rect | None = None
        for y, block in placed:
            if box and (block.panel is None or block.is_first):
                yield from self._panel(box)
                box = None
            if block.panel:
                x0, x1 = block.panel
                box = Rect(x0, box.y0 if box else y, x1, y + block.height)
        if box:
            yield from self._panel(box)

    def _panel(self, box: Rect) -> Iterator[tuple[Rect, str]]:
        yield box, self.design.pale
        yield box._replace(x1=box.x0 + _BAR), self.design.accent

    def _foot(self, canvas: Canvas, section: str, number: int) -> None:
        """The section, and the number at the outer edge. Left pages have even numbers."""
        text, foot, style = self.frame.text, self.frame.foot, self.design.foot
        is_left = number % 2 == 0
        canvas.rect(Rect(text.x0, foot - 4.6, text.x1, foot - 4.6 + _FOOT_RULE), self.design.faint)
        box = Rect(text.x0, foot - style.size, text.x1, foot + style.size)
        apart = _BESIDE_NUMBER * style.size
        room = box._replace(x0=box.x0 + apart) if is_left else box._replace(x1=box.x1 - apart)
        strong = replace(style, weight=700, colour=self.design.accent)
        for flow in (
            self._shorten_to_line(section, room, replace(style, align="right" if is_left else "left")),
            self._line(str(number), box, replace(strong, align="left" if is_left else "right")),
        ):
            if flow and flow.lines:
                canvas.flow(flow.moved(0.0, foot - flow.lines[0].y).lines)

    def _shorten_to_line(self, words: str, box: Rect, style: Style) -> Flow | None:
        """Words on one line; if they do not fit, the first of them and an ellipsis."""
        parts = words.split()
        shorter = [" ".join([*parts[:count], "…"]) for count in range(len(parts))]
        whole = self._line(words, box, style)
        if whole or not shorter:
            return whole
        over = bisect_left(shorter, True, key=lambda text: self._line(text, box, style) is None)
        return self._line(shorter[max(0, over - 1)], box, style)

    def _line(self, words: str, box: Rect, style: Style) -> Flow | None:
        """Words on one line; None if they do not fit."""
        try:
            return self.compositor.set(copy_of(words), box, style)
        except OverfullError:
            return None


def misfit(booklet: Booklet, part: str, error: MisfitError, hint: str) -> PnpError:
    """The error for a text of game.toml that cannot be set; `hint` is for one that is too long."""
    is_long = isinstance(error, OverfullError)
    return fail(booklet.place, f"{part}: {error}", hint if is_long else error.hint)


def _name_page(number: int) -> str:
    return f"page {number} of the rules"


def page_face(layers: Iterable[PlacedLayer], name: str, frame: PageFrame) -> Face:
    """A page as a face; people see its name."""
    return Face.of(tuple(layers), name, frame.size, rectangle(frame.size).outline)


def fault_list(game: Game, messages: Sequence[str], size: Size, bare: float) -> list[Face]:
    """The pages that list numbered messages, for a printer that leaves `bare` mm at each edge.
    Raises PnpError if the page is too small."""
    frame = PageFrame.of(size, bare)
    fonts = FontBook(game.font_folders)
    place, families = Place("draft"), (HOUSE_FAMILY, HOUSE_FAMILY)
    plain = Booklet(place, "", *families, (), _SIZE, FAULT_RED, {}, {}, False, Poster(place))
    setter = _ListSetter(PageDesign(plain, fonts), frame.text.width)
    pages = paginate(list(setter.blocks(game.title, messages)), frame.text.height)
    faces = []
    for number, page in enumerate(pages, 1):
        canvas, name = Canvas(frame.size), f"page {number} of the faults"
        page.draw(canvas, frame.text.x0, frame.text.y0)
        faces.append(page_face([PlacedLayer(canvas.layer(name), ORIGIN)], name, frame))
    return faces


class _ListSetter(Struct, frozen=True):
    _design: PageDesign
    _width: float  # mm

    def blocks(self, title: str, messages: Sequence[str]) -> Iterator[PageBlock]:
        design = self._design
        head = self._set(f"{title}: {count_of(len(messages), 'fault')}", 0.0, 0.0, design.section)
        about = self._set(_ABOUT, 0.0, head.height + _BELOW_TITLE, design.body)
        height = head.height + about.height + 2 * _BELOW_TITLE
        yield PageBlock(height, (*head.lines, *about.lines), keeps=True)
        for number, message in enumerate(messages, 1):
            yield self._fault(number, message)

    def _fault(self, number: int, message: str) -> PageBlock:
        """The first line of a message in ink, its hint and further places in grey."""
        first, *others = message.removeprefix("error: ").split("\n")
        numeral = self._set(str(number), 0.0, 0.0, self._design.marker)
        words = self._set(first, _NUMBER, 0.0, self._design.body)
        lines, height = [*numeral.lines, *words.lines], words.height
        for other in others:
            flow = self._set(other, _NUMBER, height, self._design.caption)
            lines += flow.lines
            height += flow.height
        return PageBlock(height, tuple(lines), below=_GAP)

    def _set(self, words: str, x: float, y: float, style: Style) -> Flow:
        from generator.faces.draft import legible, set_words  # only a draft has faults

        box = Rect(x, y, self._width, y + 1e4)
        parted = _LONG_WORD.sub(r"\1 ", legible(words.strip(), self._design.fonts))
        try:
            return set_words(self._design.fonts, parted, box, replace(style, align="left"))
        except OverfullError as error:
            return error.flow


def omit_faults(text: str, numbers: Collection[int]) -> str:
    """The text with a remark in the place of each figure or paragraph that holds one of these
    lines. All other lines keep their numbers, which begin with 1."""
    lines = text.split("\n")
    for start, end in _find_parts(lines):
        if any(start < number <= end for number in numbers) and lines[start] != _OMITTED:
            lines[start:end] = [_OMITTED, *[""] * (end - start - 1)]
    return "\n".join(lines)


def _find_parts(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The figures, and the paragraphs between empty lines: indices of the first line, and behind the last."""
    start = 0
    is_figure = False
    for index, line in enumerate([*lines, ""]):
        is_fence = line.strip().startswith(_FENCE)
        if is_figure and is_fence:
            yield start, index + 1
            start, is_figure = index + 1, False
        elif not is_figure and (is_fence or not line.strip()):
            if index > start:
                yield start, index
            start, is_figure = (index, True) if is_fence else (index + 1, False)
    if is_figure:
        yield start, len(lines)


class Illustration(Struct, frozen=True):
    """A figure as a face without bleed, its caption, and the names of the pieces that it shows."""

    face: Face
    caption: str
    shown: tuple[str, ...]


class IllustratedText(Struct, frozen=True):
    """A text, its figures and its lists of the kit by their lines, and its icons by name."""

    text: Manuscript
    figures: dict[int, Illustration]
    kits: dict[int, list[ContentsEntry]]
    icons: dict[str, Art]


def illustrate(game: Game, booklet: Booklet, faces: Mapping[FaceKey, Face]) -> IllustratedText:
    """The text of a booklet with its figures. Raises PnpError with every fault of it."""
    text = read(booklet.text, booklet.place)
    index = FaceIndex(game.components, faces, booklet.icons)
    design = PageDesign(booklet, FontBook(game.font_folders))
    sources = list(_figures_of(text.blocks))
    drawn = (source for source in sources if source.kind != "kit")
    return IllustratedText(
        text,
        {source.line: _illustrate(source, index, design) for source in drawn},
        {source.line: list(list_kit(source, index)) for source in sources if source.kind == "kit"},
        {
            name: colour_picture(find_icon(name, booklet.icons, ""), INK)
            for name in symbols(booklet.text, booklet.place)
        },
    )


def _figures_of(blocks: Iterable[Block]) -> Iterator[MarkdownFigure]:
    """The figures of a text, also those in lists and asides."""
    for block in blocks:
        match block:
            case MarkdownFigure():
                yield block
            case Aside():
                yield from _figures_of(block.blocks)
            case Listing():
                for item in block.items:
                    yield from _figures_of(item)


def _illustrate(source: MarkdownFigure, index: FaceIndex, design: PageDesign) -> Illustration:
    drawn = read_figure(source, index, design.booklet.place)
    room = Size(_WIDTH, _HEIGHTS[source.kind])
    plate = make_plate(drawn, room, design.accent, design.bold)
    shown = tuple(dict.fromkeys(piece.face.name for piece in drawn.placed))
    edge = rectangle(plate.size).outline
    face = Face.of(plate.layers, f"figure in line {source.line} of the rules", plate.size, edge)
    return Illustration(face, plain(lines(read_marks(drawn.caption))), shown)
