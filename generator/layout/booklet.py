"""Pages of a booklet, as Sheets to fold and staple, or as plain pages.

A leaf is half a sheet: its front is one page, its back the next. Two leaves share a sheet, side by
side, so a booklet is imposed like cards: each back behind its front, by the same turn. On paper
printed on one side, a leaf is a whole sheet, folded with the print outside: two pages side by side.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from generator.basics.geometry import IDENTITY, Affine, Point, Rect, Size, scaling, translation
from generator.basics.phrases import Phrases
from generator.layout.dressing import SlugHeading
from generator.layout.marks import LENGTH, NEAREST_TO_TRIM, WIDTH
from generator.layout.runs import Printing
from generator.layout.slug import LINE_HEIGHT, Bay, SlugItem, Spot, reserve, set_slug
from generator.layout.turn import back_of, is_upright, paper_turn
from generator.model import FLIPS, RULEBOOK, SEPARATE, Label, MarkLine, Page, Placement, Sheet, Side, Way
from generator.text import FontBook, Lettering

_STAPLES = (0.25, 0.75)  # of the fold's length
_STAPLE = 12.0  # mm, the length of a staple's back
_FROM_FOLD = 0.6  # mm between the slug and the fold
_SIDES: tuple[Side, Side] = ("front", "back")
_Leaf = tuple[str | None, str | None]  # the faces of both sides; None where one stays blank


class BookletPages(Struct, frozen=True):
    """The booklet to impose: the game's title, the faces of the pages in order and their size.

    `part` and `title` name the booklet within the kit.
    """

    phrases: Phrases
    game: str
    pages: tuple[str, ...]
    size: Size
    title: str
    part: str = RULEBOOK


def page_size(paper: Size) -> Size:
    """The size of half a sheet, folded across its long side."""
    return Size(max(paper) / 2, min(paper))


def has_two_sides(printing: Printing) -> bool:
    """Whether the sheets get backs, so that those of a booklet lie one in another."""
    return printing.way in FLIPS


def impose_folded(booklet: BookletPages, printing: Printing, fonts: FontBook) -> list[Sheet]:
    """Sheets to fold, nest and staple; the first is the outermost."""
    pairs = list(_nest(booklet.pages))
    sheets = f"{booklet.game} · {booklet.title}"
    paper = booklet.phrases.say("sheet.plain", paper=printing.paper_name)
    how = len(pairs), printing.way, paper, printing.printer
    heading = SlugHeading(booklet.phrases, sheets, *how)
    spread = _LeafPair(booklet, heading, printing.margin, Lettering.of(fonts))
    return [spread.sheet(pair, number) for number, pair in enumerate(pairs, 1)]


def impose_leaves(booklet: BookletPages, margin: float) -> list[Sheet]:
    """Sheets to fold one by one with the print outside, and to staple at their open edges, since
    they are printed on one side. The printer leaves `margin` mm bare."""
    width, height = booklet.size
    paper = Size(2 * width, height)
    whole = Rect(0.0, 0.0, *paper)
    seats = (IDENTITY, translation(width, 0.0))
    fold_here = SlugItem(booklet.phrases.say("sheet.fold-here"))
    labels, _ = set_slug([fold_here], [Spot(_bays(paper, margin)[0], 0.0)])
    marks = tuple(_fold_marks(paper, margin))
    pairs = [booklet.pages[first : first + 2] for first in range(0, len(booklet.pages), 2)]
    sheets = []
    for number, faces in enumerate(pairs, 1):
        placements = _placements(faces, seats, booklet.size)
        page = Page("front", placements, marks, tuple(labels), whole, whole)
        part = booklet.part, booklet.title
        sheets.append(Sheet(*part, number, len(pairs), paper, None, (page,), 2))
    return sheets


def _nest(pages: Sequence[str]) -> Iterator[tuple[_Leaf, _Leaf]]:
    """The left and the right leaf of each sheet. Blank pages at the end fill the last sheet."""
    filled: list[str | None] = [*pages, *([None] * (-len(pages) % 4))]
    for first in range(0, len(filled) // 2, 2):
        last = len(filled) - 1 - first
        yield (filled[last], filled[last - 1]), (filled[first], filled[first + 1])


class _LeafPair(Struct, frozen=True):
    """The sheets of a booklet, each of two leaves side by side with the fold between them."""

    booklet: BookletPages
    heading: SlugHeading
    margin: float
    lettering: Lettering

    @property
    def paper(self) -> Size:
        width, height = self.booklet.size
        return Size(2 * width, height)

    def sheet(self, leaves: tuple[_Leaf, _Leaf], number: int) -> Sheet:
        width = self.booklet.size.width
        seats = (translation(0.0, 0.0), translation(width, 0.0))
        turn = self.heading.turn(self.paper)
        assert turn is not None, "leaves have backs"
        places = seats, tuple(back_of(seat, width, turn) for seat in seats)
        pages = tuple(
            self._page(side, _placements(faces, there, self.booklet.size), number)
            for side, faces, there in zip(_SIDES, zip(*leaves, strict=True), places, strict=True)
        )
        part, title, total = self.booklet.part, self.booklet.title, self.heading.total
        flip = FLIPS.get(self.heading.way)
        return Sheet(part, title, number, total, self.paper, flip, pages, 2)

    def _page(self, side: Side, placements: tuple[Placement, ...], number: int) -> Page:
        """One side of a sheet. The slug lies along the fold, hidden in the stapled booklet.

        Backs get a slug only when they are a separate file.
        """
        whole = Rect(0.0, 0.0, *self.paper)
        labels: list[Label] = []
        lines: list[MarkLine] = []
        if side == "front" or self.heading.way in SEPARATE:
            labels, lines = self._slug(side, number)
        marks = self._fold(is_outermost=number == 1) if side == "front" else ()
        return Page(side, placements, (*marks, *lines), tuple(labels), whole, whole)

    def _slug(self, side: Side, number: int) -> tuple[list[Label], list[MarkLine]]:
        """The slug beside the fold, empty where the fold is too short for it.

        It has no ruler, which would stay visible in the finished booklet.
        """
        bays = _bays(self.paper, self.margin)
        text, *others = [
            [item for item in items if item.sign != "ruler"]
            for items in (self.heading.slug(number, side), *self.heading.widest())
        ]
        spots = reserve(others, bays, self.lettering)
        return set_slug(text, spots) if spots else ([], [])

    def _fold(self, *, is_outermost: bool) -> Iterator[MarkLine]:
        """Marks at both ends of the fold, and on the outermost sheet the places of the staples."""
        yield from _fold_marks(self.paper, self.margin)
        if is_outermost:
            for part in _STAPLES:
                yield _on_fold(self.paper, self.paper.height * part - _STAPLE / 2, _STAPLE)


def plain_pages(booklet: BookletPages, printing: Printing, way: Way | None = None) -> list[Sheet]:
    """One page on each printed side, scaled to the paper in portrait.

    `way` replaces the way of `printing`.
    """
    way = way or printing.way
    paper = printing.paper if is_upright(printing.paper) else printing.paper.turned()
    width, height = booklet.size
    scale = min(paper.width / width, paper.height / height)
    corner = Point((paper.width - scale * width) / 2, (paper.height - scale * height) / 2)
    place = translation(*corner) @ scaling(scale)
    turn = paper_turn(paper, flip) if (flip := FLIPS.get(way)) else None
    places = [place, back_of(place, width, turn)] if turn else [place]
    total = -(-len(booklet.pages) // len(places))
    sheets = []
    for number in range(total):
        faces = booklet.pages[number * len(places) :]
        pages = tuple(
            _plain_page(side, faces[index : index + 1], place, booklet.size)
            for index, (side, place) in enumerate(zip(_SIDES, places, strict=False))
        )
        sheets.append(Sheet(booklet.part, booklet.title, number + 1, total, paper, flip, pages))
    return sheets


def _plain_page(side: Side, faces: Sequence[str], place: Affine, size: Size) -> Page:
    box = place.apply_rect(Rect(0.0, 0.0, *size))
    return Page(side, _placements(faces, [place], size), (), (), box, box)


def _bays(paper: Size, margin: float) -> list[Bay]:
    """The room for a line of text on either side of the fold."""
    fold, low = paper.width / 2, margin + LENGTH + NEAREST_TO_TRIM
    high = paper.height - low
    lefts = (fold - _FROM_FOLD - LINE_HEIGHT, fold + _FROM_FOLD)
    return [Bay(Affine(0, -1, 1, 0, x, high), high - low, "left", 0) for x in lefts]


def _fold_marks(paper: Size, margin: float) -> Iterator[MarkLine]:
    for y in (margin, paper.height - margin - LENGTH):
        yield _on_fold(paper, y, LENGTH)


def _on_fold(paper: Size, y: float, length: float) -> MarkLine:
    fold = paper.width / 2
    return MarkLine(Point(fold, y), Point(fold, y + length), WIDTH, kind="fold")


def _placements(faces: Sequence[str | None], places: Sequence[Affine], size: Size) -> tuple[Placement, ...]:
    box = Rect(0.0, 0.0, *size)
    return tuple(
        Placement(face, face, place, place.apply_rect(box).corners())
        for face, place in zip(faces, places, strict=False)
        if face is not None
    )
