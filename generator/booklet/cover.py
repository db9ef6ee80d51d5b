"""The cover sheet of a kit: a poster of the game, a list of the kit, the steps to make it; on its back a score pad."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, fail, quote
from generator.basics.geometry import ORIGIN, Rect, Size, scaling
from generator.basics.phrases import Phrases
from generator.booklet import piece_pictures
from generator.booklet.figure import FaceIndex
from generator.booklet.paging import BookletPage, PageBlock, PageDesign, PageFrame, PlacedPlate, Tint, paginate
from generator.booklet.plates import Plate, carry
from generator.booklet.poster import make_poster, set_title
from generator.booklet.step_pictures import ROOM, StepPainter, draw_binding
from generator.booklet.typesetting import misfit, page_face
from generator.faces.canvas import Canvas
from generator.model import Booklet, Face, Game, PlacedLayer, Tiling
from generator.text import FontBook
from generator.text.flow import Compositor, Flow
from generator.text.markup import TextBlock, copy_of
from generator.text.placing import TextLine
from generator.text.shape import Style

_THUMB = 17.0  # mm, the height of a part's picture
_CELL, _STEP = 32.0, 78.0  # mm, the least widths of a part and of a step
_MOST_PARTS, _MOST_STEPS = 4, 2  # in a row
_LIST = 65.0  # mm, the width of the list beside a poster
_LIST_THUMBS = (30.0, 25.0, 20.0)  # mm, the widths of its pictures: less for long words
_BESIDE = 8.0  # mm between that list and the poster
_LEAST_PITCH, _MOST_PITCH = 13.0, 34.0  # mm from one part of it to the next
_PART_GAP = 1.5  # mm between the pictures of that list
_DIGITS = 0.75  # of the size of a font: the height of its digits, at most
_ABOVE_FOOT = 5.0  # mm from the last step to the baseline of the foot
_GUTTER, _GAP = 6.0, 4.5  # mm between columns and between rows
_ENLARGED = 1.14  # times its size, each picture of a step
_NUMBER = 6.0  # mm from the left of a step to its picture
_TITLE = 0.325  # of the page's height, the most for the title
_LEAST_POSTER = 24.0  # mm
_HALVINGS = 12
_PLAYERS = 4  # columns of a score pad
_LEAST_ROW, _MOST_ROW, _PAD_LINE = 9.0, 13.0, 0.2  # mm
_PAD_NAMES = 0.38  # of its width, for the names of the lines
_LEAST_PAD, _MOST_PADS = 80.0, 2  # mm; side by side


class KitContents(Struct, frozen=True):
    """A kit: its parts, the steps to make it, a line on how it was printed, one of its folded
    pieces, pieces to cut, the title page of its rules, and a piece in panels.

    A step is the names of phrases in [steps]; the first is also that of its picture.
    """

    parts: tuple[piece_pictures.KitPart, ...]
    steps: tuple[str, ...]
    printed: str
    example: piece_pictures.FoldedExample | None = None
    cut_pieces: tuple[Face, ...] = ()
    title_page: Face | None = None
    joined: tuple[Face, Tiling] | None = None


def cover(game: Game, booklet: Booklet, contents: KitContents, index: FaceIndex, size: Size, bare: float) -> list[Face]:
    """The pages of the cover sheet, usually one, in the design of the booklet.

    The printer leaves `bare` mm at each edge. Raises PnpError if the paper is too small, a title
    too long, or a piece of the poster unknown.
    """
    frame, setter = _begin(game, booklet, contents, size, bare)
    text = frame.text
    try:
        set_blocks, foot = setter.set(game), setter.foot(contents.printed)
    except MisfitError as error:
        hint = "shorten the titles in game.toml, or leave the cover out: cover = false"
        raise misfit(booklet, "the cover", error, hint) from None
    blocks = _add_poster(set_blocks, text, partial(make_poster, game, booklet.poster, index))
    pages = paginate(blocks, text.height)
    names = [f"page {number} of the cover" for number in range(1, len(pages) + 1)]
    return [page_face(_layers(page, foot, frame, name), name, frame) for page, name in zip(pages, names, strict=True)]


def score_pad(game: Game, booklet: Booklet, size: Size, bare: float) -> Face:
    """The back of the cover sheet: tables for the scores of a few plays. Raises PnpError if a line is too long."""
    frame, setter = _begin(game, booklet, KitContents((), (), ""), size, bare)
    try:
        blocks, foot = setter.set_pads(game.scores), setter.foot(game.title)
    except MisfitError as error:
        place, hint = Place(booklet.poster.place.file), "shorten `scores` in [game], or list fewer"
        raise fail(place, f"the score pad: {error}", hint) from None
    (page,) = paginate(blocks, frame.text.height)
    return page_face(_layers(page, foot, frame, "score pad"), "score pad", frame)


def _begin(
    game: Game, booklet: Booklet, contents: KitContents, size: Size, bare: float
) -> tuple[PageFrame, _CoverSetter]:
    """The frame of a page, whose text begins and ends nearer to the edges than a booklet's, and its setter."""
    frame = PageFrame.of(size, bare)
    text = frame.text._replace(y0=min(frame.text.y0, bare + 4.0), y1=frame.foot - _ABOVE_FOOT)
    design = PageDesign(booklet, FontBook(game.font_folders))
    return replace(frame, text=text), _CoverSetter(game.phrases, design, Compositor(design.fonts), text, contents)


class _CoverBlocks(Struct, frozen=True):
    """The blocks of a cover. With `is_beside`, the list of the parts is one block as high as the
    page allows, at the right of the poster."""

    head: PageBlock
    parts: list[PageBlock]
    steps: list[PageBlock]
    is_beside: bool


def _add_poster(blocks: _CoverBlocks, text: Rect, draw: Callable[[Size], Plate | None]) -> list[PageBlock]:
    """All blocks in their order, with a poster beside the parts or above them."""
    head, parts, steps = blocks.head, blocks.parts, blocks.steps
    if blocks.is_beside:
        room = Size(text.width - _LIST - _BESIDE, parts[0].height - _GAP)
        poster = draw(room)
        return [head, _with_poster(parts[0], poster, room, 0.0) if poster else parts[0], *steps]
    room = Size(text.width, _room_for_poster(head, [*parts, *steps], text.height))
    poster = draw(room) if room.height else None
    if poster:
        higher = replace(head, height=head.height + room.height + _GAP)
        head = _with_poster(higher, poster, room, head.height)
    return [head, *parts, *steps]


def _room_for_poster(head: PageBlock, blocks: Sequence[PageBlock], height: float) -> float:
    """The most mm that a poster below the head may take without one more page; 0 for too few."""

    def count(poster: float) -> int:
        return len(paginate([replace(head, height=head.height + poster), *blocks], height))

    pages, low, high = count(0.0), 0.0, height - head.height
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if count(middle) == pages else (low, middle)
    return low - _GAP if low - _GAP >= _LEAST_POSTER else 0.0


def _with_poster(block: PageBlock, poster: Plate, room: Size, top: float) -> PageBlock:
    """A block with a poster in the middle of its room, `top` mm below the block's top."""
    placed = PlacedPlate(poster, 0.0, top + (room.height - poster.size.height) / 2)
    return replace(block, pictures=(placed, *block.pictures))


def _layers(page: BookletPage, foot: Flow, frame: PageFrame, name: str) -> Iterator[PlacedLayer]:
    canvas = Canvas(frame.size)
    left, top, *_ = frame.text
    canvas.flow(foot.moved(left, frame.foot - foot.lines[-1].y).lines)
    page.draw(canvas, left, top)
    yield PlacedLayer(canvas.layer(name), ORIGIN)
    yield from page.pictures(left, top)


class _CoverSetter:
    def __init__(
        self, phrases: Phrases, design: PageDesign, compositor: Compositor, text: Rect, contents: KitContents
    ) -> None:
        self._say = phrases.say
        self._design = design
        self._compositor = compositor
        self._width = text.width
        self._high = text.height
        self._contents = contents
        self._painter = StepPainter(design.accent, design.bold_with, phrases)
        self._strong = replace(design.body, weight=700)
        self._numeral = replace(design.section, size=1.9 * design.body.size)

    def set(self, game: Game) -> _CoverBlocks:
        """Raises MisfitError if a word is wider than its place."""
        head, contents = self.head(game), self._contents
        steps = [self.heading(self._say("cover.steps")), *self.steps(contents.steps)]
        left = self._high - sum(block.height for block in (head, *steps))
        beside = self.parts_beside(contents.parts, left)
        if beside:
            return _CoverBlocks(head, [beside], steps, is_beside=True)
        parts: list[PageBlock] = []
        if contents.parts:  # a draft may have none
            parts = [self.heading(self._say("cover.parts")), *self.parts(contents.parts)]
        return _CoverBlocks(head, parts, steps, is_beside=False)

    def head(self, game: Game) -> PageBlock:
        """The title across the page, a line about the game, its terms, and its designer."""
        room = Size(self._width, _TITLE * self._high)
        title = set_title(game.title, room, self._design, self._compositor)
        low = title.height + _GAP
        lead, body = self._design.lead, self._design.body
        wide, narrow = 0.66 * self._width, 0.3 * self._width
        strong = replace(lead, weight=700, align="right")
        about = self._set(copy_of(game.about), 0.0, low, wide, lead)
        foot = low + about.height + (1.2 if game.terms else 0.0)
        terms = self._set(copy_of(" · ".join(game.terms)), 0.0, foot, wide, body)
        if any(run.is_rtl for line in about.lines[:1] for run in line.runs[-1:]):
            about, terms = (words.moved(self._width - wide, 0.0) for words in (about, terms))
            by = self._set(copy_of(game.designer), 0.0, low, narrow, replace(strong, align="left"))
        else:
            by = self._set(copy_of(game.designer), self._width - narrow, low, narrow, strong)
        height = max(foot + terms.height, low + by.height) + _GAP
        return PageBlock(height, (*title.lines, *about.lines, *terms.lines, *by.lines))

    def heading(self, words: str, width: float = 0.0) -> PageBlock:
        """A heading below a rule, as wide as the page by default."""
        width = width or self._width
        style = replace(self._design.section, size=1.5 * self._design.body.size)
        flow = self._set(words, 0.0, 1.8, width, style)
        rule = Tint(Rect(0.0, 0.0, width, 0.35), self._design.accent)
        return PageBlock(flow.height + 3.6, flow.lines, (rule,), keeps=True)

    def parts(self, parts: Sequence[piece_pictures.KitPart]) -> Iterator[PageBlock]:
        """Rows with about as many parts each, so that none stands alone."""
        most = self._count_columns(_CELL, _MOST_PARTS)
        rows = max(1, ceil(len(parts) / most))
        width = self._column(min(most, max(3, ceil(len(parts) / rows))))
        pictures = piece_pictures.draw_parts(parts, Size(width, _THUMB), self._design)
        cells = [
            replace(self._words(part, _THUMB + 1.6, width), pictures=(picture,))
            for part, picture in zip(parts, pictures, strict=True)
        ]
        ends = [len(cells) * row // rows for row in range(rows + 1)]
        for start, end in pairwise(ends):
            yield self._row(cells[start:end], width)

    def parts_beside(self, parts: Sequence[piece_pictures.KitPart], height: float) -> PageBlock | None:
        """The parts below one another at the right of a poster, `height` mm high in all; None if
        that is too little, or the page too narrow."""
        head = self.heading(self._say("cover.parts"), _LIST)
        pitch = min(_MOST_PITCH, (height - _GAP - head.height) / max(1, len(parts)))
        if pitch < _LEAST_PITCH or self._width - _LIST - _BESIDE < _LIST or not parts:
            return None
        x, y = self._width - _LIST, head.height
        cells = [_aside(head, x)]
        for thumb in _LIST_THUMBS:
            texts = [self._words(part, 0.0, _LIST - thumb - 3.0) for part in parts]
            # nothing is drawn above the digits of a number, which are so high
            if max(text.height - text.lines[0].y for text in texts) + _DIGITS * self._numeral.size <= pitch:
                break
        else:
            return None
        room = Size(thumb, pitch - _PART_GAP)
        pictures = piece_pictures.draw_parts(parts, room, self._design)
        for text, picture in zip(texts, pictures, strict=True):
            low = max(0.0, room.height - text.height)
            cells.append(_aside(text, x + thumb + 3.0, y + low))
            cells.append(_aside(PageBlock(0.0, pictures=(picture,)), x, y))
            y += pitch
        return _join(height, cells)

    def _words(self, part: piece_pictures.KitPart, top: float, width: float) -> PageBlock:
        """The number and the title of a part on a line, and how it is printed."""
        count = self._set(f"{part.count}", 0.0, top, width, self._numeral)
        after = max(line.width for line in count.lines) + 1.6
        strong = replace(self._strong, align="left")  # beside its number in every script
        title = self._set(copy_of(part.title), after, 0.0, width - after, strong)
        title = title.moved(0.0, count.lines[-1].y - title.lines[0].y) if title.lines else title
        low = max(count.lines[-1].y, title.lines[-1].y if title.lines else 0.0) + 1.1
        printing = self._set(copy_of(part.printing), 0.0, low, width, self._design.foot)
        return PageBlock(low + printing.height, (*count.lines, *title.lines, *printing.lines))

    def steps(self, steps: Sequence[str]) -> Iterator[PageBlock]:
        most = self._count_columns(_STEP, _MOST_STEPS)
        width = self._column(most)
        cells = [self._step(number, names, width) for number, names in enumerate(steps, 1)]
        for start in range(0, len(cells), most):
            yield self._row(cells[start : start + most], width)

    def _step(self, number: int, names: str, width: float) -> PageBlock:
        picture, *_ = names.split()
        left = _NUMBER + _ENLARGED * ROOM.width + 2.5
        numeral = self._set(f"{number}", 0.0, 0.0, _NUMBER, self._numeral)
        texts = (self._say(f"steps.{name}") for name in names.split())
        text = self._set(self._say("text.after").join(texts), left, 0.6, width - left, self._design.cell)
        high = _ENLARGED * ROOM.height
        height = max(high + 1.0, 0.6 + text.height)
        lines = (*numeral.lines, *text.lines)
        plate = self._paint(picture)
        pictures = (PlacedPlate(_enlarge(plate), _NUMBER, 1.0),) if plate else ()
        return PageBlock(height, lines, pictures=pictures)

    def _paint(self, name: str) -> Plate | None:
        """The picture of a step; None if the faces that it shows are lacking, as in a draft."""
        kind, _, way = name.partition("-")
        painter, contents = self._painter, self._contents
        if kind == "print":
            return painter.printing(way)
        if name in ("measure", "fold-sheet", "cut-machine"):
            return painter.picture(name)
        if kind == "booklet" and contents.title_page:
            return draw_binding(contents.title_page, painter, is_in_leaves=way == "leaves")
        if kind == "cut" and contents.cut_pieces:
            return piece_pictures.draw_cutting(name, contents.cut_pieces, painter)
        if kind == "join" and contents.joined:
            return piece_pictures.draw_joining(*contents.joined, painter)
        if contents.example and kind == "score":
            return piece_pictures.draw_scoring(contents.example.net, painter)
        if contents.example and name in ("fold-pieces", "fold-flat"):
            return piece_pictures.draw_forming(contents.example, painter)
        return None

    def set_pads(self, lines: Sequence[str]) -> list[PageBlock]:
        """Sets as many score pads as the page holds. Raises MisfitError if a line does not fit its row."""
        head, texts = self.heading(self._say("cover.scores")), ["", *lines, self._say("cover.total")]
        columns = self._count_columns(_LEAST_PAD, _MOST_PADS)
        room = self._high - head.height
        down = max(1, int(room // (len(texts) * _LEAST_ROW + _GAP)))
        pitch = min(_MOST_ROW, (room / down - _GAP) / len(texts))
        pad = self._pad(texts, self._column(columns), pitch)
        return [head, *[self._row([pad] * columns, self._column(columns))] * down]

    def _pad(self, texts: Sequence[str], width: float, pitch: float) -> PageBlock:
        """A table with rows `pitch` mm apart: for names, for each line, for their sum; and a column for each player."""
        named, height = width * _PAD_NAMES, len(texts) * pitch
        columns = [named + (width - named) * player / _PLAYERS for player in range(_PLAYERS + 1)]
        bounds = [Rect(x, 0.0, x + _PAD_LINE, height) for x in columns]
        bounds += [Rect(0.0, row * pitch, width, row * pitch + _PAD_LINE) for row in range(1, len(texts) + 1)]
        words: list[TextLine] = []
        for row, text in enumerate(texts):
            style = self._strong if text == texts[-1] else self._design.body
            flow = self._set(copy_of(text), 0.0, 0.0, named - 2.0, style)
            if flow.height > pitch:
                raise MisfitError(f"{quote(text)} needs more than a row of {named - 2:.0f} x {pitch:.0f} mm")
            words += flow.moved(0.0, (row + 0.5) * pitch - flow.height / 2).lines
        return PageBlock(height, tuple(words), tuple(Tint(bound, self._design.accent) for bound in bounds))

    def foot(self, words: str) -> Flow:
        return self._set(copy_of(words), 0.0, 0.0, self._width, self._design.foot)

    def _row(self, cells: Sequence[PageBlock], width: float) -> PageBlock:
        """Cells of `width` mm side by side."""
        step = width + _GUTTER
        row = [_aside(cell, index * step) for index, cell in enumerate(cells)]
        return _join(max(cell.height for cell in row) + _GAP, row)

    def _count_columns(self, least: float, most: int) -> int:
        """How many columns of at least so many mm the page holds, `most` at most."""
        return max(1, min(most, int((self._width + _GUTTER) // (least + _GUTTER))))

    def _column(self, columns: int) -> float:
        return (self._width - _GUTTER * (columns - 1)) / columns

    def _set(self, text: str | Sequence[TextBlock], x: float, y: float, width: float, style: Style) -> Flow:
        style = replace(style, fallback=self._design.foot.fallback)  # our own words need no font
        return self._compositor.set(text, Rect(x, y, x + width, y + 1e4), style)


def _enlarge(plate: Plate) -> Plate:
    """A picture of a step as large as it is printed."""
    size = Size(_ENLARGED * plate.size.width, _ENLARGED * plate.size.height)
    return Plate(tuple(carry(plate.layers, scaling(_ENLARGED))), size)


def _join(height: float, cells: Sequence[PageBlock]) -> PageBlock:
    """Blocks side by side as one."""
    return PageBlock(
        height,
        lines=tuple(line for cell in cells for line in cell.lines),
        tints=tuple(tint for cell in cells for tint in cell.tints),
        pictures=tuple(picture for cell in cells for picture in cell.pictures),
    )


def _aside(cell: PageBlock, x: float, y: float = 0.0) -> PageBlock:
    """Move a cell `x` mm to the right and `y` mm down."""
    return replace(
        cell,
        lines=tuple(line.moved(x, y) for line in cell.lines),
        tints=tuple(replace(tint, box=tint.box.moved(x, y)) for tint in cell.tints),
        pictures=tuple(replace(picture, x=picture.x + x, y=picture.y + y) for picture in cell.pictures),
    )
