"""Pages of a booklet: the box of their text, their styles and distances, and what is on them.

PageBlocks are placed one below another, with related blocks on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.colours import tint
from generator.basics.errors import MisfitError, Place, fail
from generator.basics.geometry import HAIR, MM_PER_PT, Rect, Size, describe_lack
from generator.booklet.plates import Plate
from generator.faces.canvas import Canvas
from generator.model import Booklet, LackingWords, PlacedLayer
from generator.text import HOUSE_FAMILY, Font, FontBook
from generator.text.placing import TextLine
from generator.text.shape import Style

INK = "#1f1c19"
LEAST = 8.5 * MM_PER_PT  # the smallest type
_MARGIN = 13.0  # mm: room for a thumb
_PAST_BARE = 2.0  # mm between the text and the edge that the printer leaves bare
_FOOT = 8.5  # mm from the baseline of the foot to the edge
_ABOVE_FOOT = 8.0  # mm from the text to that baseline
_NARROWEST = Size(48.0, 90.0)  # mm, the smallest text box worth folding a page for
_CELL_ICON, _CELL_SINK = 0.8, 0.08  # ems: as high as a letter with its ascender
_LOWEST = 0.6  # of a figure's height that it may shrink to
_PALE = 0.07  # of the accent in the panel of an aside


class PageFrame(Struct, frozen=True):
    """A page: its size, the box of its text, the baseline of its foot."""

    size: Size
    text: Rect
    foot: float

    @classmethod
    def of(cls, size: Size, bare: float) -> PageFrame:
        """The frame for a printer that leaves `bare` mm at each edge.

        Raises PnpError if the page is too small.
        """
        side = max(_MARGIN, bare + _PAST_BARE)
        foot = size.height - max(_FOOT, bare + _PAST_BARE)
        text = Rect(side, side, size.width - side, foot - _ABOVE_FOOT)
        if lack := describe_lack(_NARROWEST.width - text.width, _NARROWEST.height - text.height):
            page = f"a page of {size.width:.4g} x {size.height:.4g} mm"
            what = f"{page} is too small for the booklet: its text lacks {lack}"
            hint = "print it on larger paper" + ", or with a smaller margin" * (side > _MARGIN)
            raise fail(Place("booklet"), what, hint)
        return cls(size, text, foot)


class PageDesign:
    """Fonts, styles, colours and distances (mm), all from one text size."""

    def __init__(self, booklet: Booklet, fonts: FontBook) -> None:
        self.booklet, self.fonts, self.accent = booklet, fonts, booklet.accent
        self.pale = tint(self.accent, _PALE)  # the ground of an aside
        self.faint = tint(self.accent, 0.35)
        self.bold = fonts.find(booklet.text_font, 700)
        self._set_styles(booklet.size)
        self._set_distances(booklet.size)

    def bold_with(self, text: str) -> Font:
        """The bold font of the text's families that has all letters of a text, or the first."""
        families = (self.booklet.text_font, *self.foot.fallback)
        fonts = (self.fonts.find(family, 700) for family in families)
        return next((font for font in fonts if not font.missing(text)), self.bold)

    def _set_styles(self, size: float) -> None:
        fallback, accent = (*self.booklet.fallback, *self.fonts.own_families), self.accent
        self.body = body = Style(family=self.booklet.text_font, fallback=fallback, size=size, colour=INK, leading=1.34)
        self.lead = replace(body, size=1.12 * size, leading=1.3)  # of the line about a game
        self.marker = replace(body, weight=700, colour=accent)
        self.bullet = replace(self.marker, size=1.5 * size)
        small = replace(body, size=max(0.9 * size, LEAST))
        self.caption = replace(small, align="centre", leading=1.25, colour="#4a443d")
        cell = replace(body, size=max(0.95 * size, LEAST), leading=1.22)
        self.cell = replace(cell, icon=_CELL_ICON, sink=_CELL_SINK)
        self.head = replace(self.cell, weight=700, colour=accent)
        # of the numbers in the contents of the kit
        self.count = replace(self.head, size=1.3 * size, leading=1.1, align="right")
        self.section = self._title_style(1.75 * size, 1.15)
        self.part = replace(body, size=1.12 * size, weight=700, colour=accent)
        self.subpart = replace(body, weight=700)
        title = self._title_style(4.6 * size, 1.05)
        self.title = replace(title, least=0.35 * title.size, align="centre", valign="middle")
        # the foot repeats a section's title; the built-in font has digits and an ellipsis
        fallback = (*fallback, self.booklet.title_font, HOUSE_FAMILY)
        self.foot = replace(body, size=LEAST, colour="#6b645b", fallback=fallback)

    def _title_style(self, size: float, leading: float) -> Style:
        family = self.booklet.title_font
        weight = self.fonts.find(family, 700).weight
        return replace(
            self.body,
            family=family,
            fallback=(self.booklet.text_font, *self.body.fallback),
            size=size,
            weight=weight,
            bold=weight,
            colour=self.accent,
            leading=leading,
        )

    def _set_distances(self, size: float) -> None:
        self.line = size * self.body.leading
        self.gap = 0.5 * size
        self.item_gap = 0.22 * size
        self.marker_gap = 0.5 * size
        self.above_section = 2.0 * size
        self.to_rule = 0.35 * size  # from a section's title to its rule, and from there to the text
        self.above_part = 1.1 * size
        self.above_figure = 1.0 * size
        self.below_figure = 0.5 * size
        self.inset = 1.2 * size
        self.pad = 0.6 * size
        self.cell_pad = 0.2 * size


class Tint(Struct, frozen=True):
    """An area of one colour."""

    box: Rect
    colour: str


class PlacedPlate(Struct, frozen=True):
    """A plate with its top left at a point."""

    plate: Plate
    x: float
    y: float


class PageBlock(Struct, frozen=True):
    """A block that no page break divides: a line, a row of a table, a figure.

    Places are in mm from the left of the column and the top of the block.

    `above` and `below` are free mm, left out at the ends of a page. `panel` is the left and the
    right of an aside's panel; it covers the free mm above the block too, except above the first.
    """

    height: float
    lines: tuple[TextLine, ...] = ()
    tints: tuple[Tint, ...] = ()
    pictures: tuple[PlacedPlate, ...] = ()
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False  # on one page with the next block
    panel: tuple[float, float] | None = None
    is_first: bool = False  # of its panel
    section: str = ""  # the title of a section that begins here
    is_break: bool = False
    role: str = "P"  # of its lines, when they are read out
    lower: Callable[[float], PageBlock] | None = None  # makes a lower version, of a height in mm


class PlacedBlock(NamedTuple):
    """A block, and the mm from the top of the text to its top."""

    y: float
    block: PageBlock


class BookletPage(Struct):
    """The blocks of a page. Its foot names the section of the first of them."""

    section: str
    last_section: str
    placed: list[PlacedBlock] = field(default_factory=list)

    def place_of(self, block: PageBlock) -> float:
        """The top of the next block."""
        if not self.placed:
            return 0.0
        y, last = self.placed[-1]
        return y + last.height + last.below + block.above

    def put(self, block: PageBlock) -> None:
        """Add a block below the others."""
        if block.section:
            self.section = self.section if self.placed else block.section
            self.last_section = block.section
        self.placed.append(PlacedBlock(self.place_of(block), block))

    def after(self) -> BookletPage:
        """A new page after this one."""
        return BookletPage(self.last_section, self.last_section)

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw everything except pictures of faces; the top left of the text is (left, top)."""
        for y, block in self.placed:
            for area in block.tints:
                canvas.rect(area.box.moved(left, top + y), area.colour)
            canvas.flow(line.moved(left, top + y) for line in block.lines)

    def pictures(self, left: float, top: float) -> Iterator[PlacedLayer]:
        """The pictures of faces."""
        for y, block in self.placed:
            for picture in block.pictures:
                yield from picture.plate.moved(left + picture.x, top + y + picture.y)

    def lacking(self) -> Iterator[LackingWords]:
        """The words whose family lacks the style that they ask for."""
        for _, block in self.placed:
            for line in block.lines:
                yield from line.lacking
            for icon in (icon for line in block.lines for icon in line.icons):
                yield from icon.art.lacking
            for picture in block.pictures:
                for placed in picture.plate.layers:
                    yield from placed.layer.lacking


def paginate(blocks: Sequence[PageBlock], height: float, title: str = "") -> list[BookletPage]:
    """Put the blocks on pages `height` mm high. The title is at the foot before the first section.

    Blocks that belong together stay together, unless they are higher than a page.
    """
    pages = [BookletPage(title, title)]
    for group in _groups(blocks):
        page = pages[-1]
        group = _fit(group, height - page.place_of(group[0]))
        if page.placed and (group[0].is_break or page.place_of(group[0]) + _height(group) > height):
            pages.append(page.after())
        for block in group if not group[0].is_break else ():
            page = pages[-1]
            if page.placed and page.place_of(block) + block.height > height + HAIR:
                pages.append(page.after())
            pages[-1].put(block)
    return pages if pages[-1].placed else pages[:-1]


def _fit(group: list[PageBlock], room: float) -> list[PageBlock]:
    """Make the figure of a group smaller, if the group then fits on the page."""
    over = _height(group) - room
    for index, block in enumerate(group):
        if over > 0 and block.lower and block.height - over >= _LOWEST * block.height:
            with suppress(MisfitError):  # its letters, which have one size, need more room
                lower = block.lower(block.height - over)
                lower = replace(lower, keeps=block.keeps, below=block.below)
                return [*group[:index], lower, *group[index + 1 :]]
    return group


def _groups(blocks: Sequence[PageBlock]) -> Iterator[list[PageBlock]]:
    """Groups of PageBlocks that stay on one page; a page break is a group by itself."""
    group: list[PageBlock] = []
    for block in blocks:
        if block.is_break and group:
            yield group
            group = []
        group.append(block)
        if not block.keeps:
            yield group
            group = []
    if group:
        yield group


def _height(group: Sequence[PageBlock]) -> float:
    """The height from the top of the first block to the end of the last."""
    between = sum(upper.below + lower.above for upper, lower in pairwise(group))
    return sum(block.height for block in group) + between - HAIR
