"""What a booklet is made of, as it was written: blocks of words, and figures still to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.text.markup import Span

Words = tuple[tuple[Span, ...], ...]  # lines that are broken where the writer broke them
Column = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A title over what follows."""

    level: int  # 2 for a section, 3 for a part of one
    words: Words
    line: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that run on from line to line."""

    words: Words
    line: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Items, each of blocks of its own: numbered from `first`, with bullets where that is None."""

    items: tuple[tuple[Block, ...], ...]
    first: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Aside:
    """An example, or a remark, told beside the rules."""

    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table: the cells of its head and rows, and how each column is set."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]
    columns: tuple[Column, ...]
    line: int


class FigureLine(NamedTuple):
    """A line of a figure, and where it stands."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class MarkdownFigure:
    """A figure of a kind: what stands behind the kind, and the lines within."""

    kind: str
    head: str
    body: tuple[FigureLine, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PageBreak:
    """The end of a page, asked for by a line of dashes."""

    line: int


Block = Heading | Paragraph | Listing | Aside | MarkdownTable | MarkdownFigure | PageBreak


class Manuscript(NamedTuple):
    """A whole text; no title where it gives none."""

    title: Words
    blocks: tuple[Block, ...]


def plain(words: Words) -> str:
    """Words without their looks, on one line."""
    return " ".join("".join(span.text for span in line if not span.icon) for line in words).strip()
