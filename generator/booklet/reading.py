"""A Manuscript from Markdown, or a report of the lines that a booklet cannot show.

Its parts are blocks of words, and figures before they are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import Literal, NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block.fence import make_fence_rule
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, PnpError, Problem, at_most, quote
from generator.text.markup import ICON, Span, WordLook, lines

_DEEPEST = 12  # levels: an aside, and three nested lists in it
_LONGEST = 8000  # characters of a line
_MOST_LINES = 4000  # more than fit on the pages that can be folded
_MAX_PROBLEMS = 20
_ICON = re.compile(r":([a-z][a-z0-9_-]*):")
_MARK = re.compile(rf"{_ICON.pattern}|\[\^([^\[\]\s]{{1,40}})\]")  # an icon, a note's number
_NOTE = re.compile(r"\[\^([^\[\]\s]{1,40})\]:\s*")  # begins a note
_RAISED, _RISE = 0.65, 0.35  # ems of a note's number, and above the line: as <sup>
_LINE_ENDS = ("softbreak", "hardbreak")
_ADDRESS = re.compile(r"\]\([^()\n]*\)|<[a-z]+:[^<>\s]*>")
_FOLLOWED = re.compile(r"(?:https?://|mailto:)\S+|#.*")
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_OUTER_PIPES = re.compile(r"^\||(?<!\\)\|$")
Column = Literal["left", "centre", "right"]
_COLUMNS: dict[str, Column] = {"center": "centre", "right": "right"}

_REFUSED = {
    "html_block": ("HTML cannot be printed", "a booklet is plain Markdown; write \\< for a '<'"),
    "html_inline": ("HTML cannot be printed", "a booklet is plain Markdown; write \\< for a '<'"),
    "image": ("a picture is among words", "give it a line of its own; for an icon write :name:"),
    "code_inline": ("code cannot be printed", "write \\` for a backtick"),
    "code_block": ("this line is indented too far", "indent it less"),
    "fence": ("code cannot be printed", "begin a figure with ':::'"),
}
_UNREAD = [  # lines of a paragraph that are meant to be more than words
    (re.compile(r"\[[^^][^\[\]]{0,300}\]:\s"), "the address of a link stands apart from it",
        "write [words](https://…)"),
    (re.compile(r"=+\s*$"), "a line of '=' makes no heading", "begin the heading with '##'"),
    (re.compile(r"\|.*\|\s*$|(?=[^-]*-)(?=[^|]*\|)[-\s:|]+$"), "these bars make no table",
        "begin it with its head, '| Card | Points |' or '| | |', and '|---|---|' below"),
]  # fmt: skip
Words = tuple[tuple[Span, ...], ...]  # lines, as the writer broke them


def read(text: str, file: Place) -> Manuscript:
    """Read Markdown. Raises PnpError with every fault, each at a line of `file`."""
    return _MarkdownReader(text, file).manuscript()


def symbols(text: str, file: Place) -> dict[str, Place]:
    """The names of the icons in a text, and the first line of each."""
    lines = _ADDRESS.sub("", text).split("\n")
    names = [(match[1], number) for number, line in enumerate(lines, 1) for match in _ICON.finditer(line)]
    return {name: file.at_line(number) for name, number in reversed(names)}


def pictures(text: str, file: Place) -> dict[str, Place]:
    """The files of the pictures in a text, and the line of each."""
    inner = _with_lines(_parser().parse(text))
    return {_file_of(token): file.at_line(line) for line, token in inner if token.type == "image"}


def _file_of(picture: Token) -> str:
    return unquote(str(picture.attrs["src"]))


def _parser() -> MarkdownIt:
    """CommonMark with tables and figures, but without rules that drop words silently."""
    parser = MarkdownIt("commonmark", {"maxNesting": 2 * _DEEPEST})
    parser.enable(["table", "strikethrough"])
    parser.validateLink = lambda _: True  # type: ignore[assignment]
    figure = make_fence_rule(markers=(":",), token_type="figure")
    ends: RuleOptionsType = {"alt": ["paragraph", "blockquote", "list"]}
    parser.block.ruler.before("fence", "figure", figure, ends)
    # a definition of a link would vanish; a line of dashes is the end of a page
    parser.disable(["reference", "lheading"])
    parser.core.ruler.disable("text_join")  # so that \: stays apart from :
    return parser


class _MarkdownReader:
    def __init__(self, text: str, file: Place) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._file = file
        self._problems: dict[tuple[int, str], str] = {}  # line and fault, and the hint
        self._notes: dict[str, tuple[int, Words]] = {}  # and their lines
        self._mentions: dict[str, tuple[int, int]] = {}  # of notes: the first's line, the number

    def manuscript(self) -> Manuscript:
        if len(self._lines) > _MOST_LINES:
            self._report(_MOST_LINES, f"the file has {len(self._lines):,} lines", f"at most {_MOST_LINES:,}")
        for number, line in enumerate(self._lines, 1):
            if len(line) > _LONGEST:
                hint = f"at most {_LONGEST:,}: begin a new paragraph"
                self._report(number, f"the line has {len(line):,} characters", hint)
        self._refuse()
        tokens = _parser().parse(self._text)
        self._check_depth(tokens)
        self._refuse()
        nodes = SyntaxTreeNode(tokens).children
        title: Words = ()
        if nodes and nodes[0].tag == "h1":
            title = self._words(nodes[0])
            nodes = nodes[1:]
        blocks = tuple(self._with_notes(list(self._blocks(nodes))))
        if not blocks and not self._problems:
            self._report(1, "the file has no rules", "begin with '## Setup' and a paragraph")
        self._refuse()
        return Manuscript(title, blocks)

    def _refuse(self) -> None:
        if self._problems:
            problems = (
                Problem(self._file.at_line(line), what, hint) for (line, what), hint in sorted(self._problems.items())
            )
            raise PnpError(at_most(_MAX_PROBLEMS, problems))

    def _report(self, line: int, what: str, hint: str = "") -> None:
        self._problems[line, what] = hint

    def _check_depth(self, tokens: Sequence[Token]) -> None:
        for line, token in _with_lines(tokens):
            if token.level > _DEEPEST:
                hint = "use fewer lists within lists, which are hard to read too"
                self._report(line, "this line is nested too deeply", hint)

    def _with_notes(self, blocks: Sequence[Block]) -> Iterator[Block]:
        """Blocks, with the notes that a section mentions at its end."""
        for name in self._mentions.keys() - self._notes.keys():
            hint = f"write it on a line of its own: [^{name}]: words"
            self._report(self._mentions[name][0], f"there is no note {quote(name)}", hint)
        for name in self._notes.keys() - self._mentions.keys():
            hint = f"write [^{name}] behind the words that it is about"
            self._report(self._notes[name][0], f"nothing mentions the note {quote(name)}", hint)
        names, shown = [name for name in self._mentions if name in self._notes], 0
        for block in (*blocks, None):
            if block is None or (isinstance(block, Heading) and block.level == 2):
                until = block.line if block else inf
                section = [name for name in names[shown:] if self._mentions[name][0] < until]
                if section:
                    items = tuple(self._notes[name][1] for name in section)
                    yield Footnotes(items, shown + 1, self._notes[section[0]][0])
                shown += len(section)
            if block:
                yield block

    def _blocks(self, nodes: Sequence[SyntaxTreeNode]) -> Iterator[Block]:
        for node in nodes:
            line = _line(node)
            match node.type:
                case "heading":
                    yield from self._heading(node, line)
                case "paragraph":
                    yield from self._paragraph(node.children[0], line)
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
                case kind if kind in _REFUSED and not _COMMENT.fullmatch(node.content.strip()):
                    self._report(line, *_REFUSED[kind])

    def _heading(self, node: SyntaxTreeNode, line: int) -> Iterator[Heading]:
        level = int(node.tag[1:])
        if level == 1:
            hint = "write the title once, at the top; begin sections with ##"
            self._report(line, "this is a second title", hint)
        elif not (node.parent and node.parent.is_root):
            self._report(line, "a heading cannot be within a list or an aside", "write **bold** words")
        else:
            yield Heading(min(level, 4), self._words(node), line)

    def _paragraph(self, node: SyntaxTreeNode, line: int) -> Iterator[Block]:
        """The words of a paragraph; or pictures, on lines of their own, and notes, each from its line on."""
        numbered = list(enumerate(node.content.split("\n"), line))
        for pattern, what, hint in _UNREAD:
            if found := [number for number, text in numbered if pattern.match(text)]:
                self._report(found[0], what, hint)
        for start, part in _parts(_tokens_of(node), line):
            if _is_picture(part):
                alt = part[0].content.strip()
                caption = (FigureLine(start, alt),) if alt else ()
                yield MarkdownFigure("picture", _file_of(part[0]), caption, start)
            elif note := _begins_note(part):
                part[0].content = part[0].content[note.end() :]
                if note[1] in self._notes:
                    self._report(start, f"there are two notes {quote(note[1])}", "rename one")
                self._notes[note[1]] = start, lines(self._spans(part, start))
            else:
                yield Paragraph(lines(self._spans(part, start)), start)

    def _table(self, node: SyntaxTreeNode, line: int) -> MarkdownTable:
        head, *rows = [row for part in node.children for row in part.children]
        for row in rows:  # cells beyond the columns of the table would be lost
            text = _OUTER_PIPES.sub("", self._lines[_line(row) - 1].lstrip("> ").strip())
            cells = len(escapedSplit(text))
            if cells > len(head.children):
                what = f"the row has {cells} cells, and the head has {len(head.children)}"
                self._report(_line(row), what, "write \\| for a bar that does not separate cells")
        styles = (str(cell.attrs.get("style", "")).partition(":")[2] for cell in head.children)
        return MarkdownTable(
            tuple(map(self._words, head.children)),
            tuple(tuple(map(self._words, row.children)) for row in rows),
            tuple(_COLUMNS.get(style, "left") for style in styles),
            line,
        )

    def _figure(self, node: SyntaxTreeNode, line: int) -> Iterator[MarkdownFigure]:
        content = node.content.removesuffix("\n").split("\n") if node.content else []
        first, last = node.map or (line, line)
        if last - first < len(content) + 2:
            self._report(line, "the figure is not closed", "end it with a line ':::'")
        kind, _, head = node.info.strip().partition(" ")
        body = (FigureLine(line + number, text.strip()) for number, text in enumerate(content, 1))
        yield MarkdownFigure(kind, head.strip(), tuple(block for block in body if block.text), line)

    def _words(self, node: SyntaxTreeNode) -> Words:
        return lines(self._spans(_tokens_of(node.children[0]), _line(node.children[0])))

    def _spans(self, tokens: Sequence[Token], line: int) -> Iterator[Span]:
        """Words that begin in a line, with reports of what among them cannot be printed."""
        marks = {"strong": 0, "em": 0, "s": 0}
        link = ""
        for token in tokens:
            kind = token.type.partition("_")[0]
            if kind in marks:
                marks[kind] += token.nesting
            look = WordLook(marks["strong"] > 0, marks["em"] > 0, strike=marks["s"] > 0)
            match token.type:
                case "link_open":
                    link = self._follow(str(token.attrs["href"]), line)
                case "link_close":
                    link = ""
                case "softbreak" | "hardbreak":
                    yield Span("\n" if token.type == "hardbreak" else " ", look, "", link)
                    line += 1
                case "text":
                    yield from self._read_text(token.content, look, link, line)
                case "text_special":
                    yield Span(token.content, look, "", link)
                case "html_inline" if _LINE_BREAK.fullmatch(token.content):
                    yield Span("\n", look)
                case _ if token.type in _REFUSED and not _COMMENT.fullmatch(token.content):
                    self._report(line, *_REFUSED[token.type])

    def _follow(self, address: str, line: int) -> str:
        """The address for a screen, "" for a heading."""
        if not _FOLLOWED.fullmatch(address):
            hint = "let it lead to https://…, mailto:… or '#a-heading'"
            self._report(line, f"a link cannot lead to {quote(address)}", hint)
        return "" if address.startswith("#") else address

    def _read_text(self, text: str, look: WordLook, link: str, line: int) -> Iterator[Span]:
        end = 0
        for mark in _MARK.finditer(text):
            yield Span(text[end : mark.start()], look, "", link)
            end = mark.end()
            if mark[1]:
                yield Span(ICON, look, mark[1], link)
            else:
                _, number = self._mentions.setdefault(mark[2], (line, len(self._mentions) + 1))
                yield Span(str(number), replace(look, size=_RAISED, rise=_RISE))
        yield Span(text[end:], look, "", link)


def _with_lines(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """All tokens, those of words too, with the lines where their blocks begin."""
    line = 1
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        yield line, token
        for child in token.children or ():
            line += child.type in _LINE_ENDS
            yield line, child


def _line(node: SyntaxTreeNode) -> int:
    return node.map[0] + 1 if node.map else 1


def _tokens_of(inline: SyntaxTreeNode) -> Sequence[Token]:
    return (inline.token and inline.token.children) or []


def _parts(tokens: Sequence[Token], line: int) -> Iterator[tuple[int, list[Token]]]:
    """A paragraph that begins in a line, parted around pictures on lines of their own and before
    notes: each part with its first line."""
    ends = [index for index, token in enumerate(tokens) if token.type in _LINE_ENDS]
    rows = [list(tokens[a + 1 : b]) for a, b in pairwise([-1, *ends, len(tokens)])]
    start, part = line, rows[0]
    for number, (end, row) in enumerate(zip(ends, rows[1:], strict=True), line + 1):
        if _is_picture(part) or _is_picture(row) or _begins_note(row):
            yield start, part
            start, part = number, row
        else:
            part += [tokens[end], *row]
    yield start, part


def _is_picture(part: Sequence[Token]) -> bool:
    return len(part) == 1 and part[0].type == "image"


def _begins_note(part: Sequence[Token]) -> re.Match[str] | None:
    return _NOTE.match(part[0].content) if part and part[0].type == "text" else None


class Heading(Struct, frozen=True):
    """The title of a section or of a part of one."""

    level: int  # 2 for a section, 3 for a part of one, 4 for a part of that
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


class Footnotes(Struct, frozen=True):
    """The notes of a section: the words of each, numbered from `first`."""

    items: tuple[Words, ...]
    first: int
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


Block = Heading | Paragraph | Listing | Footnotes | Aside | MarkdownTable | MarkdownFigure | PageBreak


class Manuscript(Struct, frozen=True):
    """A whole text; its title may be empty."""

    title: Words
    blocks: tuple[Block, ...]


def plain(words: Words) -> str:
    """Words without their looks, on one line."""
    return " ".join("".join(span.text for span in line if not span.icon) for line in words).strip()


def links_in(block: Block) -> list[str]:
    """The addresses that the words of a block lead to, without those of the blocks within it."""
    match block:
        case Paragraph() | Heading():
            texts: Sequence[Words] = [block.words]
        case MarkdownTable():
            texts = [words for row in (block.head, *block.rows) for words in row]
        case Footnotes():
            texts = block.items
        case _:
            texts = ()
    spans = (span for words in texts for line in words for span in line if span.link)
    return list(dict.fromkeys(span.link for span in spans))
