"""The parts of a booklet's text: blocks of words, and figures before they are drawn."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from generator.text.markup import Span

Words = tuple[tuple[Span, ...], ...]  # lines, as the writer broke them
Column = Literal["left", "centre", "right"]


class Heading(Struct, frozen=True):
    """The title of a section or of a part of one."""

    level: int  # 2 for a section, 3 for a part of one
    words: Words
    line: int


class Paragraph(Struct, frozen=True):
    """Words that wrap from line to line."""

    words: Words
    line: int


class Listing(Struct, frozen=True):
    """Items, each a list of blocks: numbered from `first`, or with bullets if that is None."""

    items: tuple[tuple[Block, ...], ...]
    first: int | None
    line: int


class Aside(Struct, frozen=True):
    """An example or a remark, set apart from the rules."""

    blocks: tuple[Block, ...]
    line: int


class MarkdownTable(Struct, frozen=True):
    """A table: the cells of its head and rows, and the alignment of each column."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]
    columns: tuple[Column, ...]
    line: int


class FigureLine(NamedTuple):
    """A line of a figure, with its number in the file."""

    line: int
    text: str


class MarkdownFigure(Struct, frozen=True):
    """A figure: its kind, the words after the kind, and its lines."""

    kind: str
    head: str
    body: tuple[FigureLine, ...]
    line: int


class PageBreak(Struct, frozen=True):
    """The end of a page, which the writer marks with a line of dashes."""

    line: int


Block = Heading | Paragraph | Listing | Aside | MarkdownTable | MarkdownFigure | PageBreak


class Manuscript(Struct, frozen=True):
    """A whole text; its title may be empty."""

    title: Words
    blocks: tuple[Block, ...]


def plain(words: Words) -> str:
    """Words without their looks, on one line."""
    return " ".join("".join(span.text for span in line if not span.icon) for line in words).strip()
