r"""Blocks of words, each with its look, from text with marks.

    **bold**  __bold__  *italic*  ~~struck out~~  ==on a pill==
    <b> <i> <u> <s> <sup> <sub> <mark>  as HTML has them, to the closing tag; <br> breaks the line
    [words]{red}    in a colour of the palette or of CSS: "#c03020", "rgb(192, 48, 32)"
    ==words=={red}  on a pill of that colour
    :coin:          the icon of that name; :coin(3): with a number on it; :coin@150%: larger
    - words         an item of a list; 1. words; indented, an item of a list in an item
    # words         a heading
    ---             a rule between what is above and what is below
    | d6 | loot |   a row of a table, beside others; below |---| it has a head
    \*              a star; also \[ \] \{ \} \: \- \| \= \~ \< \# \. and \\

A newline breaks the line, a blank line ends the paragraph. Several blanks count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from html import unescape
from itertools import groupby
from operator import attrgetter
from typing import Any
from unicodedata import east_asian_width

from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.basics.errors import MisfitError, quote

ICON = "\ufffc"  # marks an icon in the words
TINT = "currentColor"  # a pill in the colour of its words, thinned
_COLOUR = r"#?[\w-]+|[\w-]+\([\w.,%/ +-]*\)"
_TAGS: dict[str, dict[str, Any]] = {
    "b": {"bold": True},
    "i": {"italic": True},
    "u": {"underline": True},
    "s": {"strike": True},
    "sup": {"size": 0.65, "rise": 0.35},
    "sub": {"size": 0.65, "rise": -0.15},
    "mark": {"pill": TINT},
}
_TAG_NAMES = {"strong": "b", "em": "i", "del": "s", "strike": "s"}
_PAIRS = [
    (re.compile(rf"(?<![\\{own}0-9A-Za-z]){own}{{2}}(?=\S)([^{own}\n]+)(?<=\S){own}{{2}}"
        rf"{shade}(?![{own}0-9A-Za-z])"), tag)
    for own, tag, shade in (
        ("=", "mark", rf"(?:\{{({_COLOUR})\}})?"), ("~", "s", "()"), ("_", "b", "()")
    )
]  # fmt: skip
_HEADINGS = {"#": 1.3, "##": 1.15}  # the size of their letters; 1.0 for all below
_ESCAPED = r"\\*\[\]{}:|=~<#.-"
_MARK = re.compile(
    rf"\\(?P<escaped>[{_ESCAPED}])|(?P<stars>\*+)"
    r"|:(?P<icon>[a-z][a-z0-9_-]*(?:\([^():\s]{1,6}\))?(?:@\d{1,5}%?)?):"
    rf"|(?P<open>\[)|(?P<close>\](?:\{{(?P<colour>{_COLOUR})\}})?)"
    rf"|<(?P<tag>/?(?i:{'|'.join([*_TAGS, *_TAG_NAMES, 'br'])}))(?:\s(?P<own>[^<>\n]{{0,200}}))?/?>"
    r"|(?P<entity>&(?:nbsp|amp|lt|gt|quot|#\d{1,6});)"
)
_NEWLINES = re.compile("\r\n|[\r\u0085\u2028]")
_BREAKS = re.compile(r"^([ \t]*\|.*)|(?<![ \t])[ \t]*<br(?:\s[^<>\n]{0,200})?/?>", re.MULTILINE | re.IGNORECASE)
_BLANK = re.compile(r"[ \t\v\f]{2,}|[\t\v\f]")  # all but a single blank
_PARAGRAPHS = re.compile(r"\n[ \t\v\f]*\n(?:\s*\n)?|\u2029\s*")
_LINE = re.compile(
    r"[ \t]*(?:(?P<rule>-{3,}[ \t]*$)|(?P<heading>#{1,6})[ \t]+(?=\S)"
    r"|(?P<item>-|\d{1,2}[.)](?=[ \t]+\S))[ \t\v\f]+|(?P<row>\|(?:[^|\n]*\|){2,})[ \t]*$)"
)
_CELL_ENDS = re.compile(r"(?<!\\)\|")
_ALIGNS = {
    (False, False): "left", (True, False): "left", (True, True): "centre", (False, True): "right",
}  # fmt: skip
_ALIGNED = re.compile(r"[ \t]*:?-+:?[ \t]*")
_WORDS = re.compile(r"\S+|\s+")
_FOREIGN = re.compile(
    r"</?(?:a|big|center|div|font|h[1-6]|hr|img|li|[ou]l|p|small|span)(?:\s[^<>\n]{0,200})?/?>"
    r"|^ *\|[^|\n]+\|(?!.*\| *$).*$|^ *[_=]{3,} *$|^ *> \S.*$|(?<=\w)[\^~]\w{1,3}[\^~]"
    r"|!?\[[^\[\]\n]+\]\([^()\s]+\)"  # Markdown
    r"|\\(?:n|13\\)"  # the end of a line for scripts, and for nanDECK
    r"|(?<![\]{\\=])\{[A-Za-z0-9/]{1,6}\}|:[a-z][\w-]*\((?![^():\s]{1,6}\))[^():\n]*\)(?:@\d+%?)?:",
    re.MULTILINE,
)
_BOXED = re.compile(
    r"\*\*[^*\n]+\*\*|</?(?:b|strong|i|em|u|s|strike|del|su[bp]|mark|br)(?:\s[^<>\n]{0,200})?/?>"
    r"|&(?:nbsp|amp|lt|gt|quot|#\d{1,6});|^ *\|[^|\n]+\|.*$|^ *-{3,} *$|^#{1,6} \S.*$"
    r"|~~[^~\n]+~~|==[^=\n]+==|(?<!\w)__[^_\n]+__(?!\w)|:[a-z][\w-]*(?:\(\w+\)|@\d+%?):",
    re.MULTILINE,
)  # what only a text with a box reads


class WordLook(Struct, frozen=True):
    """How words are set. Colours are names or those of CSS; without one, words have that of the
    style, and no pill is behind them. `rise` is ems of the style, `size` a part of its size."""

    bold: bool = False
    italic: bool = False
    colour: str = ""
    underline: bool = False
    strike: bool = False
    pill: str = ""
    size: float = 1.0
    rise: float = 0.0

    def over(self, below: WordLook) -> WordLook:
        """This look within another one."""
        own = {name: value for name, value in asdict(self).items() if value != _USUAL[name]}
        return replace(below, **own)


_USUAL = asdict(WordLook())


class Span(Struct, frozen=True):
    """Words of one look, or one icon, whose `text` is ICON; `icon` is as written between colons.
    `link` is the address that they lead to on a screen."""

    text: str
    look: WordLook
    icon: str = ""
    link: str = ""


class TextBlock(Struct, frozen=True):
    """A paragraph or an item of a list, as lines of spans; `apart`: after a blank line.

    bullet: of an item, "" for the usual one.
    depth: 1 for an item of a list in an item.
    is_ruled: whether a rule is above it.
    aligns: of the columns of a table, whose cells are the lines, row by row.
    has_head: whether the first row is the table's head.
    """

    lines: tuple[tuple[Span, ...], ...]
    is_item: bool
    apart: bool
    bullet: str = ""
    depth: int = 0
    is_ruled: bool = False
    aligns: tuple[str, ...] = ()
    has_head: bool = False


class Notation(Struct, frozen=True, dict=True):
    """The signs of a game, and the words that it sets in its own way, each with the text with marks
    that is set instead. One that begins or ends with a letter does so with a word."""

    signs: tuple[tuple[str, str], ...] = ()

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """The marks that a text may have; signs come first."""
        return re.compile(f"(?P<sign>{self._pattern})|{_MARK.pattern}") if self.signs else _MARK

    @cached_property
    def _pattern(self) -> str:
        """A pattern of the signs, by their first letters, the longest first."""
        signs = sorted((sign for sign, _ in self.signs), key=lambda sign: (sign[0], -len(sign)))
        groups = ("|".join(map(_whole, own)) for _, own in groupby(signs, lambda sign: sign[0]))
        return "|".join(f"(?:{group})" for group in groups)

    @cached_property
    def _spans(self) -> dict[str, list[Span]]:
        return {sign: read_marks(text) for sign, text in self.signs}

    def spans(self, sign: str, look: WordLook) -> list[Span]:
        """What a sign stands for, within words of a look."""
        return [replace(span, look=span.look.over(look)) for span in self._spans[" ".join(sign.split())]]

    def strip(self, text: str) -> str:
        """A text without its signs."""
        return re.sub(self._pattern, "", text) if self.signs else text

    def to_markdown(self, text: str) -> str:
        """A text of Markdown with what its signs stand for if Markdown has those marks. Figures and headings stay."""
        if not self.signs:
            return text
        pattern = re.compile(f"{_NO_SIGNS}|(?P<sign>{self._pattern})", re.MULTILINE | re.DOTALL)
        texts = {sign: sign if _NO_MARKDOWN.search(own) else own for sign, own in self.signs}

        def write(found: re.Match[str]) -> str:
            return texts[" ".join(found[0].split())] if found["sign"] else found[0]

        return pattern.sub(write, text)


PLAIN = Notation()
_NO_SIGNS = (  # parts of Markdown without any
    r"^:::.*?^:::[ ]*$|^#[^\n]*|:[a-z][a-z0-9_-]*:|\\.|\]\([^()\n]*\)|<[a-z]+:[^<>\s]*>"
)
_NO_MARKDOWN = re.compile(r"[=~<\[]|:[a-z][\w-]*[(@]")  # marks that it has not


def _whole(sign: str) -> str:
    """A pattern of a sign; its letters belong to no other word, but in scripts without blanks."""
    before, after = (
        edge if end.isalnum() and east_asian_width(end) not in "WF" else ""
        for edge, end in ((r"(?<!\w)", sign[0]), (r"(?!\w)", sign[-1]))
    )
    return before + r"\s+".join(map(re.escape, sign.split())) + after


def read_marks(text: str) -> list[Span]:
    """A text within a line, in its looks. Raises MisfitError if a mark is not closed."""
    return _MarkReader(text, PLAIN, {}).spans()


def escape_marks(text: str) -> str:
    """A text with marks that reads as these words."""
    return re.sub(rf"[{_ESCAPED}]", r"\\\g<0>", text)


def parse(text: str, notation: Notation = PLAIN) -> list[TextBlock]:
    """The blocks of a text, none for blank text. Raises MisfitError if a mark is not closed."""
    text = _BREAKS.sub(lambda found: found[1] or "\n", _NEWLINES.sub("\n", text))
    words = text.strip()
    indent = text[: text.find(words)].rpartition("\n")[2]
    blocks: list[TextBlock] = []
    is_ruled, first = False, 0  # the indent of the first item of a list
    for paragraph in _PARAGRAPHS.split(" " * len(indent) + words) if words else ():
        for number, (kind, lines) in enumerate(_group(paragraph.split("\n"))):
            if kind == "rule":
                is_ruled = blocks != []
                continue
            block = _block(kind, lines, notation)
            if kind == "item":
                here = len(lines[0].expandtabs(4)) - len(lines[0].lstrip())
                first = here if not (blocks and blocks[-1].is_item) else first
                block = replace(block, depth=int(here > first + 1))
            apart = is_ruled or (number == 0 and blocks != [])
            blocks.append(replace(block, apart=apart, is_ruled=is_ruled))
            is_ruled = False
    return blocks


def _group(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The lines of a paragraph, divided into blocks, each with its kind: "item", "heading", "rule",
    "row" for a table, "" for plain text."""
    kinds = [match.lastgroup or "" if (match := _LINE.match(line)) else "" for line in lines]
    group, now = lines[:0], ""
    for line, kind, before in zip(lines, kinds, ["", *kinds[:-1]], strict=True):
        is_first = kind in ("item", "heading", "rule") or before in ("heading", "rule")
        if group and (is_first or "row" in {kind, before} != {"row"}):
            yield now, list(group)
            group = []
        now = now if group else kind
        group = [*group, line]
    yield now, list(group)


def _block(kind: str, lines: list[str], notation: Notation) -> TextBlock:
    if kind == "row":
        return _table(lines, notation)
    match = _LINE.match(lines[0]) if kind else None
    words = "\n".join([lines[0][match.end() :] if match else lines[0], *lines[1:]])
    bullet, base = "", {}
    if match and match["heading"]:
        base = {"bold": True, "size": _HEADINGS.get(match["heading"], 1.0)}
    elif match:
        bullet = match["item"].removeprefix("-")
    spans = _MarkReader(words, notation, base).spans()
    return TextBlock(tuple(_lines(spans)), kind == "item", apart=False, bullet=bullet)


def _table(lines: Sequence[str], notation: Notation) -> TextBlock:
    """A table. A second row of dashes, and colons that align columns, makes the first its head."""
    rows = [[cell.strip() for cell in _CELL_ENDS.split(line.strip())[1:-1]] for line in lines]
    columns = max(map(len, rows))
    has_head = len(rows) > 1 and all(map(_ALIGNED.fullmatch, rows[1]))
    marks = (*(rows.pop(1) if has_head else ()), *[""] * columns)[:columns]
    aligns = (_ALIGNS[mark.startswith(":"), mark.endswith(":")] for mark in marks)
    cells = [
        _trim(_MarkReader(cell, notation, {"bold": has_head and row is rows[0]}).spans())
        for row in rows
        for cell in (*row, *[""] * (columns - len(row)))
    ]
    return TextBlock(tuple(cells), False, apart=False, aligns=tuple(aligns), has_head=has_head)


def find_unread_marks(text: str, notation: Notation, *, is_boxed: bool) -> list[str]:
    """The marks that would be printed as they are: those of HTML, of Markdown or of another
    program; in a text without a box, also those that only a box reads."""
    marks = list(_FOREIGN.finditer(notation.strip(text) if is_boxed else text))
    marks += () if is_boxed else _BOXED.finditer(text)
    return [mark[0].strip() for mark in marks]


def mark_looks(runs: Iterable[tuple[str, WordLook]]) -> str:
    """Words with their looks as a text with stars for bold and italic. A text whose words all have
    one look gets none: that is how it is displayed, and no word stands out."""
    runs = [(part, look) for text, look in runs for part in _WORDS.findall(text)]
    if len({look for part, look in runs if part.strip()}) < 2:
        return "".join(part for part, _ in runs)
    marked, blank, now = "", "", WordLook()
    for part, look in [*runs, ("\n", WordLook())]:
        if not part.strip():
            blank += part
            if "\n" in part:
                marked, now = marked + _stars(now, WordLook()), WordLook()
            continue
        if blank:
            kept = WordLook(bold=now.bold and look.bold, italic=now.italic and look.italic)
            marked += _stars(now, kept) + blank
            blank, now = "", kept
        marked += _stars(now, look) + part
        now = look
    return marked + blank[:-1]


def _stars(before: WordLook, after: WordLook) -> str:
    """The marks between two looks."""
    return "**" * (before.bold != after.bold) + "*" * (before.italic != after.italic)


def copy_of(words: str) -> list[TextBlock]:
    """The blocks of words without marks, none for blank words. Marks are plain characters."""
    set_ = lines([Span(words, WordLook())])
    return [TextBlock(set_, is_item=False, apart=False)] if any(set_) else []


def lines(spans: Iterable[Span]) -> tuple[tuple[Span, ...], ...]:
    """Spans as the lines of a block, divided at newlines; several blanks count as one."""
    return tuple(_lines([replace(span, text=_BLANK.sub(" ", span.text)) for span in _join(spans)]))


def _lines(spans: Sequence[Span]) -> Iterator[tuple[Span, ...]]:
    """Spans divided at newlines, without the blanks beside these."""
    line: list[Span] = []
    for span in spans:
        if "\n" not in span.text:
            line.append(span)
            continue
        first, *rest = span.text.split("\n")
        line.append(replace(span, text=first))
        for text in rest:
            yield _trim(line)
            line = [replace(span, text=text)]
    yield _trim(line)


def _trim(line: Sequence[Span]) -> tuple[Span, ...]:
    """A line without blanks at its ends, and with one blank at most where two spans meet."""
    kept: list[Span] = []
    after_blank = True
    for span in line:
        text = span.text.lstrip(" ") if after_blank else span.text
        if text:
            kept.append(span if text == span.text else replace(span, text=text))
            after_blank = text.endswith(" ")
    if kept and after_blank:
        kept[-1] = replace(kept[-1], text=kept[-1].text.rstrip(" "))
    return tuple(span for span in kept if span.text)


class _MarkReader:
    def __init__(self, text: str, notation: Notation, base: Mapping[str, Any]) -> None:
        """`base`: the look of words without marks."""
        text = _BLANK.sub(" ", text)
        for pattern, tag in _PAIRS:
            text = pattern.sub(partial(_tag_pair, tag), text)
        self._text = text
        self._notation = notation
        self._base = base
        self._marks = list(notation.marks.finditer(text))
        self._colours = _match_colours(self._marks)
        self._look = WordLook(**base)
        self._inside: list[WordLook] = []  # the looks around each open bracket
        self._opened: dict[str, tuple[int, dict[str, Any]]] = {}  # the marks that are open, where

    def spans(self) -> list[Span]:
        """The words in their looks. Raises MisfitError if a mark is not closed."""
        spans: list[Span] = []
        end = 0
        for mark in self._marks:
            spans.append(Span(self._text[end : mark.start()], self._look))
            spans += self._read(mark)
            end = mark.end()
        spans.append(Span(self._text[end:], self._look))
        for name, (at, _) in self._opened.items():
            words = self._text[at:].split("\n")[0]
            hint = "close it, or write \\* for a star"
            if name[0] == "<":
                hint = f"close it with </{name[1:]}, or write \\< for a '<'"
            raise MisfitError(f"{name} before {quote(words)} is not closed", hint)
        return _join(spans)

    def _read(self, mark: re.Match[str]) -> list[Span]:
        """Change the look as a mark says. Returns the mark's own words, if any."""
        if mark.lastgroup == "sign":
            return self._notation.spans(mark[0], self._look)
        if mark["icon"]:
            return [Span(ICON, self._look, mark["icon"])]
        if mark["stars"]:
            return [Span(self._turn(mark), self._look)]
        if mark["tag"]:
            return [Span(self._tag(mark), self._look)]
        plain = mark["escaped"] or (mark["entity"] and unescape(mark[0]))
        return [Span(plain or self._bracket(mark), self._look)]

    def _bracket(self, mark: re.Match[str]) -> str:
        colour = self._colours.get(mark.start())
        if colour is None:
            return mark[0]
        if mark["open"]:
            self._inside.append(self._look)
            self._look = replace(self._look, colour=colour)
        else:
            self._look = replace(self._look, colour=self._inside.pop().colour)
        return ""

    def _turn(self, mark: re.Match[str]) -> str:
        """Switch bold or italic. Returns the stars themselves if they are no mark: stars between
        blanks, or more than three."""
        stars = mark[0]
        opens = self._text[mark.end() : mark.end() + 1].strip() != ""
        closes = self._text[max(mark.start() - 1, 0) : mark.start()].strip() != ""
        names = {"*": ("*",), "**": ("**",), "***": ("**", "*")}.get(stars, ())
        if not names or not all(closes if name in self._opened else opens for name in names):
            return stars
        for name in names:
            self._switch(name, mark.end(), _TAGS["b" if name == "**" else "i"])
        return ""

    def _tag(self, mark: re.Match[str]) -> str:
        """Switch what a tag says. Raises MisfitError if it closes nothing."""
        name = mark["tag"].lower().removeprefix("/")
        if name == "br":
            return " "  # in a cell of a table
        name = _TAG_NAMES.get(name, name)
        is_closing, is_open = mark["tag"][0] == "/", f"<{name}>" in self._opened
        if is_closing and not is_open:
            raise MisfitError(f"{mark[0]} closes nothing", f"write <{name}> before the words, or \\< for a '<'")
        if is_closing or not is_open:
            shade = (mark["own"] or "").partition("colour=")[2]
            self._switch(f"<{name}>", mark.end(), {"pill": shade} if shade else _TAGS[name])
        return ""

    def _switch(self, name: str, at: int, effect: dict[str, Any]) -> None:
        if self._opened.pop(name, None) is None:
            self._opened[name] = at, effect
        look: dict[str, Any] = {**self._base, "colour": self._look.colour}
        for _, changes in self._opened.values():
            look |= changes
        self._look = WordLook(**look)


def _tag_pair(tag: str, pair: re.Match[str]) -> str:
    """Words between a pair of marks as words in a tag."""
    shade = f" colour={pair[2]}" if pair[2] else ""
    return f"<{tag}{shade}>{pair[1]}</{tag}>"


def _match_colours(marks: Sequence[re.Match[str]]) -> dict[int, str]:
    """The colour of each bracket of a coloured pair, by its index."""
    colours: dict[int, str] = {}
    opened: list[int] = []
    for mark in marks:
        if mark["open"]:
            opened.append(mark.start())
        elif mark["close"] and opened:
            start = opened.pop()
            if mark["colour"]:
                colours[start] = colours[mark.start()] = mark["colour"]
    return colours


def _join(spans: Iterable[Span]) -> list[Span]:
    """Spans, with neighbours of one look as one."""
    runs = groupby((span for span in spans if span.text), attrgetter("look", "icon", "link"))
    joined: list[Span] = []
    for (look, icon, link), run in runs:
        joined += run if icon else [Span("".join(span.text for span in run), look, "", link)]
    return joined
