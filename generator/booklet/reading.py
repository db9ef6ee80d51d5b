"""A Manuscript from Markdown, or a report of the lines that a booklet cannot show.

Its parts are blocks of words, and figures before they are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block.fence import make_fence_rule
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct

from generator.basics.errors import Place, PnpError, Problem, at_most
from generator.text.markup import ICON, Span, WordLook, lines

_DEEPEST = 12  # levels: an aside, and three nested lists in it
_LONGEST = 8000  # characters of a line
_MOST_LINES = 4000  # more than fit on the pages that can be folded
_MAX_PROBLEMS = 20
_ICON = re.compile(r":([a-z][a-z0-9_-]*):")
_LINK = re.compile(r"(?<!\\)(!?)\[[^\[\]\n]{0,300}\]\([^()\n]{0,300}\)")
_OUTER_PIPES = re.compile(r"^\||(?<!\\)\|$")
Column = Literal["left", "centre", "right"]
_COLUMNS: dict[str, Column] = {"center": "centre", "right": "right"}

_REFUSED = {
    "html_block": ("HTML cannot be printed", "a booklet is plain Markdown; write \\< for a '<'"),
    "html_inline": ("HTML cannot be printed", "a booklet is plain Markdown; write \\< for a '<'"),
    "link_open": ("a link does not work on paper", "write out the address or what it says"),
    "code_inline": ("code cannot be printed", "write \\` for a backtick"),
    "code_block": ("this line is indented too far", "indent it less"),
    "fence": ("code cannot be printed", "begin a figure with ':::'"),
}
_PICTURE = ("a linked picture cannot be printed", "show faces of the game: '::: face cards 3'")
Words = tuple[tuple[Span, ...], ...]  # lines, as the writer broke them


def read(text: str, file: Place) -> Manuscript:
    """Read Markdown. Raises PnpError with every fault, each at a line of `file`."""
    return _MarkdownReader(text, file).manuscript()


def symbols(text: str, file: Place) -> dict[str, Place]:
    """The names of the icons in a text, and the first line of each."""
    lines = text.split("\n")
    names = [
        (match[1], number) for number, line in enumerate(lines, 1) for match in _ICON.finditer(line)
    ]
    return {name: file.at_line(number) for name, number in reversed(names)}


def _parser() -> MarkdownIt:
    """CommonMark with tables and figures, but without rules that drop words silently."""
    parser = MarkdownIt("commonmark", {"maxNesting": 2 * _DEEPEST}).enable("table")
    figure = make_fence_rule(markers=(":",), token_type="figure")
    ends: RuleOptionsType = {"alt": ["paragraph", "blockquote", "list"]}
    parser.block.ruler.before("fence", "figure", figure, ends)
    # a definition of a link would vanish; a line of dashes is the end of a page
    parser.disable(["reference", "lheading"])
    parser.disable(["link", "image"])  # their time grows with the square of brackets: see _LINK
    parser.core.ruler.disable("text_join")  # so that \: stays apart from :
    return parser


class _MarkdownReader:
    """Makes blocks of a text, and collects its faults."""

    def __init__(self, text: str, file: Place) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._file = file
        self._problems: dict[tuple[int, str], str] = {}  # line and fault, and the hint

    def manuscript(self) -> Manuscript:
        if len(self._lines) > _MOST_LINES:
            self._report(
                _MOST_LINES, f"the file has {len(self._lines):,} lines", f"at most {_MOST_LINES:,}"
            )
        for number, line in enumerate(self._lines, 1):
            if len(line) > _LONGEST:
                hint = f"at most {_LONGEST:,}: begin a new paragraph"
                self._report(number, f"the line has {len(line):,} characters", hint)
        self._refuse()
        tokens = _parser().parse(self._text)
        self._check_depth(tokens)
        self._refuse()
        self._check(tokens)
        nodes = SyntaxTreeNode(tokens).children
        title: Words = ()
        if nodes and nodes[0].tag == "h1":
            title = self._words(nodes[0])
            nodes = nodes[1:]
        blocks = tuple(self._blocks(nodes))
        if not blocks and not self._problems:
            self._report(1, "the file has no rules", "begin with '## Setup' and a paragraph")
        self._refuse()
        return Manuscript(title, blocks)

    def _refuse(self) -> None:
        if self._problems:
            problems = (
                Problem(self._file.at_line(line), what, hint)
                for (line, what), hint in sorted(self._problems.items())
            )
            raise PnpError(at_most(_MAX_PROBLEMS, problems))

    def _report(self, line: int, what: str, hint: str = "") -> None:
        self._problems[line, what] = hint

    def _check_depth(self, tokens: Sequence[Token]) -> None:
        """Report blocks that are nested too deeply."""
        for line, token in _with_lines(tokens):
            if token.level > _DEEPEST:
                hint = "use fewer lists within lists, which are hard to read too"
                self._report(line, "this line is nested too deeply", hint)

    def _check(self, tokens: Sequence[Token]) -> None:
        """Report parts that cannot be printed."""
        for line, token in _with_lines(tokens):
            if token.type in _REFUSED:
                self._report(line, *_REFUSED[token.type])
            for match in _LINK.finditer(token.content if token.type == "inline" else ""):
                self._report(line, *(_PICTURE if match[1] else _REFUSED["link_open"]))

    def _blocks(self, nodes: Sequence[SyntaxTreeNode]) -> Iterator[Block]:
        for node in nodes:
            line = _line(node)
            match node.type:
                case "heading":
                    yield from self._heading(node, line)
                case "paragraph":
                    yield Paragraph(self._words(node), line)
                case "bullet_list" | "ordered_list":
                    items = tuple(tuple(self._blocks(item.children)) for item in node.children)
                    first = int(node.attrs.get("start", 1))
                    yield Listing(items, first if node.type == "ordered_list" else None, line)
                case "blockquote":
                    yield Aside(tuple(self._blocks(node.children)), line)
                case "table":
                    yield self._table(node, line)
                case "figure":
                    yield from self._figure(node, line)
                case "hr":
                    yield PageBreak(line)

    def _heading(self, node: SyntaxTreeNode, line: int) -> Iterator[Heading]:
        level = int(node.tag[1:])
        if level == 1:
            hint = "write the title once, at the top; begin sections with ##"
            self._report(line, "this is a second title", hint)
        elif level > 3:
            self._report(line, f"a heading of level {level} is too deep", "use '##' and '###'")
        elif not self._is_outermost(node):
            what = "a heading cannot be within a list or an aside"
            self._report(line, what, "write **bold** words")
        else:
            yield Heading(level, self._words(node), line)

    def _is_outermost(self, node: SyntaxTreeNode) -> bool:
        return node.parent is not None and node.parent.is_root

    def _table(self, node: SyntaxTreeNode, line: int) -> MarkdownTable:
        head, *rows = [row for part in node.children for row in part.children]
        for row in rows:
            self._check_row(_line(row), len(head.children))
        styles = (str(cell.attrs.get("style", "")).partition(":")[2] for cell in head.children)
        return MarkdownTable(
            tuple(map(self._words, head.children)),
            tuple(tuple(map(self._words, row.children)) for row in rows),
            tuple(_COLUMNS.get(style, "left") for style in styles),
            line,
        )

    def _check_row(self, line: int, columns: int) -> None:
        """Report a row with more cells than the table has columns: some would be lost."""
        row = _OUTER_PIPES.sub("", self._lines[line - 1].lstrip("> ").strip())
        cells = len(escapedSplit(row))
        if cells > columns:
            hint = "write \\| for a bar that does not separate cells"
            self._report(line, f"the row has {cells} cells, and the head has {columns}", hint)

    def _figure(self, node: SyntaxTreeNode, line: int) -> Iterator[MarkdownFigure]:
        content = node.content.removesuffix("\n").split("\n") if node.content else []
        first, last = node.map or (line, line)
        if last - first < len(content) + 2:
            self._report(line, "the figure is not closed", "end it with a line ':::'")
        kind, _, head = node.info.strip().partition(" ")
        body = (FigureLine(line + number, text.strip()) for number, text in enumerate(content, 1))
        yield MarkdownFigure(kind, head.strip(), tuple(block for block in body if block.text), line)

    def _words(self, node: SyntaxTreeNode) -> Words:
        inline = node.children[0].token if node.children else None
        return lines(_spans((inline and inline.children) or []))


def _with_lines(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """All tokens, those of words too, with the lines where their blocks begin."""
    line = 1
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        yield from ((line, child) for child in (token, *(token.children or ())))


def _line(node: SyntaxTreeNode) -> int:
    return node.map[0] + 1 if node.map else 1


def _spans(tokens: Sequence[Token]) -> Iterator[Span]:
    bold = italic = 0
    for token in tokens:
        look = WordLook(bold > 0, italic > 0)
        match token.type:
            case "strong_open" | "strong_close":
                bold += token.nesting
            case "em_open" | "em_close":
                italic += token.nesting
            case "hardbreak":
                yield Span("\n", look)
            case "softbreak":
                yield Span(" ", look)
            case "text":
                yield from _with_icons(token.content, look)
            case "text_special":
                yield Span(token.content, look)


def _with_icons(text: str, look: WordLook) -> Iterator[Span]:
    ends = [(match.start(), match.end(), match[1]) for match in _ICON.finditer(text)]
    for (_, end, name), (start, _, _) in pairwise([(0, 0, ""), *ends, (len(text), 0, "")]):
        if name:
            yield Span(ICON, look, name)
        yield Span(text[end:start], look)


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
