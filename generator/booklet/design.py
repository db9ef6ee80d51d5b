"""Styles and distances of the pages of a Booklet."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.colours import tint
from generator.basics.errors import Place, fail
from generator.basics.geometry import MM_PER_PT, Rect, Size, describe_lack
from generator.model import Booklet
from generator.text import HOUSE_FAMILY, Font, FontBook
from generator.text.shape import Style

INK = "#1f1c19"
LEAST = 8.5 * MM_PER_PT  # the smallest type
_MARGIN = 13.0  # mm: room for a thumb
_PAST_BARE = 2.0  # mm between the text and the edge that the printer leaves bare
_FOOT = 8.5  # mm from the baseline of the foot to the edge
_ABOVE_FOOT = 8.0  # mm from the text to that baseline
_NARROWEST = Size(48.0, 90.0)  # mm, the smallest text box worth folding a page for
_CELL_ICON, _CELL_SINK = 0.8, 0.08  # ems: as high as a letter with its ascender
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
