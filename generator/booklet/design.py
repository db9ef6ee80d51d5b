"""Styles and distances of the pages of a Booklet."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.colours import tint
from generator.basics.errors import Place, fail
from generator.basics.geometry import Rect, Size
from generator.basics.units import MM_PER_PT, describe_lack
from generator.model import Booklet
from generator.text import HOUSE_FAMILY, Font, FontBook
from generator.text.shape import Style

_INK = "#1f1c19"
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


class PageDesign(Struct, frozen=True):
    """Fonts, sizes, colours and distances (mm), all from one text size."""

    booklet: Booklet
    fonts: FontBook

    @property
    def accent(self) -> str:
        return self.booklet.accent

    @property
    def pale(self) -> str:
        """The ground of an aside."""
        return tint(self.accent, _PALE)

    @property
    def faint(self) -> str:
        return tint(self.accent, 0.35)

    @property
    def bold(self) -> Font:
        return self.fonts.find(self.booklet.text_font, 700)

    @property
    def body(self) -> Style:
        return Style(
            family=self.booklet.text_font,
            fallback=(*self.booklet.fallback, *self.fonts.own_families),
            size=self.booklet.size,
            colour=_INK,
            leading=1.34,
        )

    @property
    def lead(self) -> Style:
        """The style of the line about a game."""
        return replace(self.body, size=1.12 * self.body.size, leading=1.3)

    @property
    def line(self) -> float:
        return self.body.size * self.body.leading

    @property
    def marker(self) -> Style:
        return replace(self.body, weight=700, colour=self.accent)

    @property
    def bullet(self) -> Style:
        return replace(self.marker, size=1.5 * self.body.size)

    @property
    def caption(self) -> Style:
        size = max(0.9 * self.body.size, LEAST)
        return replace(self.body, size=size, align="centre", leading=1.25, colour="#4a443d")

    @property
    def cell(self) -> Style:
        size = max(0.95 * self.body.size, LEAST)
        return replace(self.body, size=size, leading=1.22, icon=_CELL_ICON, sink=_CELL_SINK)

    @property
    def head(self) -> Style:
        return replace(self.cell, weight=700, colour=self.accent)

    @property
    def count(self) -> Style:
        """The style of the numbers in the contents of the kit."""
        return replace(self.head, size=1.3 * self.body.size, leading=1.1, align="right")

    @property
    def section(self) -> Style:
        return self._title_style(1.75, 1.15)

    @property
    def part(self) -> Style:
        return replace(self.body, size=1.12 * self.body.size, weight=700, colour=self.accent)

    @property
    def subpart(self) -> Style:
        return replace(self.body, weight=700)

    @property
    def title(self) -> Style:
        style = self._title_style(4.6, 1.05)
        return replace(style, least=0.35 * style.size, align="centre", valign="middle")

    @property
    def foot(self) -> Style:
        """The style of the foot. Its fallbacks are the title's font, since it repeats a section's
        title, and the built-in font, for digits and an ellipsis."""
        fallback = (*self.body.fallback, self.booklet.title_font, HOUSE_FAMILY)
        return replace(self.body, size=LEAST, colour="#6b645b", fallback=fallback)

    def _title_style(self, size: float, leading: float) -> Style:
        family = self.booklet.title_font
        weight = self.fonts.find(family, 700).weight
        return Style(
            family=family,
            fallback=(self.booklet.text_font, *self.body.fallback),
            size=size * self.body.size,
            weight=weight,
            bold=weight,
            colour=self.accent,
            leading=leading,
        )

    @property
    def gap(self) -> float:
        return 0.5 * self.body.size

    @property
    def item_gap(self) -> float:
        return 0.22 * self.body.size

    @property
    def marker_gap(self) -> float:
        return 0.5 * self.body.size

    @property
    def above_section(self) -> float:
        return 2.0 * self.body.size

    @property
    def to_rule(self) -> float:
        """The distance from a section's title to its rule, and from there to the text."""
        return 0.35 * self.body.size

    @property
    def above_part(self) -> float:
        return 1.1 * self.body.size

    @property
    def above_figure(self) -> float:
        return 1.0 * self.body.size

    @property
    def below_figure(self) -> float:
        return 0.5 * self.body.size

    @property
    def inset(self) -> float:
        return 1.2 * self.body.size

    @property
    def pad(self) -> float:
        return 0.6 * self.body.size

    @property
    def cell_pad(self) -> float:
        return 0.2 * self.body.size
