"""Labels in their places, lines of text, and pages, set in fonts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, Self
from unicodedata import category

from msgspec import Struct, field

from generator.basics.geometry import Point, Rect, Size, translation
from generator.basics.phrases import Phrases, read_phrases
from generator.model import Label, MarkLine, Page, Placement, Side
from generator.text.fontbook import HOUSE_FAMILY, FontBook
from generator.text.fonts import Font, glyphs, outline

if TYPE_CHECKING:
    from generator.text.flow import OutlinedLine

_WEIGHTS = (400, 700)  # that sheets use
_COLOURED = ("COLR", "SVG ", "CBDT", "sbix")  # the tables of colour fonts
Align = Literal["left", "centre", "right"]


def find_illegible(text: str, fonts: FontBook) -> str:
    """The characters that neither the font of the sheets nor a font that only the game has can
    show, each once; in every weight that sheets use. Sheets show outlines, no colour fonts."""
    families = (HOUSE_FAMILY, *fonts.own_families)
    sets = [[fonts.find(family, weight) for weight in _WEIGHTS] for family in families]
    return "".join(fromkey for fromkey in dict.fromkeys(text) if not _is_legible(fromkey, sets))


def make_legible(phrases: Phrases, fonts: FontBook) -> Phrases:
    """Phrases with English ones for those with letters that sheets cannot show."""
    text = "".join(phrases.patterns.values())
    missing = find_illegible("".join(filter(str.isprintable, text)), fonts)
    return phrases.without_letters(missing) if missing else phrases


def _is_legible(character: str, sets: list[list[Font]]) -> bool:
    holders = (own for own in sets if all(font.has(character) for font in own))
    first = next(holders, None)
    return first is not None and not any(_is_only_coloured(font, character) for font in first)


def _is_only_coloured(font: Font, character: str) -> bool:
    if not any(map(font.has_table, _COLOURED)) or category(character)[0] in "CMZ":
        return False
    placed = glyphs(font, character, rtl=False, features={})
    return not any(outline(font, glyph.id) for glyph in placed)


class Lettering(Struct, frozen=True):
    """The two fonts of the labels on sheets, and the phrases in them. Labels with characters that
    these fonts lack are set in the fonts of the game. Sizes are mm."""

    regular: Font
    bold: Font
    fonts: FontBook
    phrases: Phrases

    @classmethod
    def of(cls, fonts: FontBook, phrases: Phrases | None = None) -> Self:
        """English by default."""
        regular, bold = (fonts.find(HOUSE_FAMILY, weight) for weight in _WEIGHTS)
        return cls(regular, bold, fonts, phrases or read_phrases())

    def font(self, *, bold: bool) -> Font:
        return self.bold if bold else self.regular

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        outlined = self.outlined(text, bold=bold)
        return outlined.width * size if outlined else self.font(bold=bold).width(text, size)

    def outlined(self, text: str, *, bold: bool = False) -> OutlinedLine | None:
        """The outline of a text that the font of the sheets cannot set, None for any other."""
        font = self.font(bold=bold)
        if not font.missing(text):
            return None
        from generator.text.flow import outline_line  # it loads ICU

        return outline_line(self.fonts, text, font.weight)

    def _ink(self, text: str, size: float, *, bold: bool) -> Rect:
        outlined = self.outlined(text, bold=bold)
        if outlined is None:
            return self.font(bold=bold).ink(text, size)
        x0, y0, x1, y1 = (side * size for side in outlined.ink())
        return Rect(x0, y0, x1, y1)

    def at(self, text: str, size: float, middle: Point, *, bold: bool = False) -> Label:
        """Text whose ink is centred on a point."""
        ink = self._ink(text, size, bold=bold)
        x = middle.x - (ink.x0 + ink.x1) / 2
        return Label(text, size, translation(x, middle.y - (ink.y0 + ink.y1) / 2), bold)

    def ink(self, label: Label) -> Rect:
        """The inked box of a label on the page."""
        return label.affine.apply_rect(self._ink(label.text, label.size, bold=label.bold))

    def line(self, text: str, size: float, baseline: Point, align: Align = "left", *, bold: bool = False) -> Label:
        """Text on a baseline that begins, is centred, or ends at a point."""
        width = self.width(text, size, bold=bold)
        shift = {"left": 0.0, "centre": width / 2, "right": width}[align]
        return Label(text, size, translation(baseline.x - shift, baseline.y), bold)

    def break_text(self, text: str, size: float, width: float) -> Iterator[str]:
        """The text in lines of at most `width` mm; a wider word has its own line."""
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and self.width(longer, size) > width:
                yield line
                longer = word
            line = longer
        yield line


class PageDrawing(Struct):
    """The content of a page that is not imposed."""

    labels: list[Label] = field(default_factory=list)
    lines: list[MarkLine] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)

    def add(self, other: PageDrawing) -> None:
        """Put the content of another drawing on this page."""
        self.labels += other.labels
        self.lines += other.lines
        self.placements += other.placements

    def page(self, side: Side, paper: Size) -> Page:
        """The page, on a paper that is not cut."""
        whole = Rect(0.0, 0.0, *paper)
        content = tuple(self.placements), tuple(self.lines), tuple(self.labels)
        return Page(side, *content, trim=whole, bleed=whole)
