r"""Blocks of words, each with its look, from text with marks.

    **bold**  *italic*  ***both***
    [words]{red}    in a colour of the palette or of CSS: "#c03020", "rgb(192, 48, 32)"
    :coin:          the icon of that name
    - words         an item of a list
    \*              a star; also \[ \] \{ \} \: \- and \\

A newline breaks the line, a blank line ends the paragraph. Several blanks count as one.

Also the places where a line of text may break (ICU, pyphen).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, groupby

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, did_you_mean, quote

ICON = "\ufffc"  # marks an icon in the words
_MARK = re.compile(
    r"\\(?P<escaped>[\\*\[\]{}:-])|(?P<stars>\*+)|:(?P<icon>[a-z][a-z0-9_-]*):"
    r"|(?P<open>\[)|(?P<close>\](?:\{(?P<colour>#?[\w-]+|[\w-]+\([\w.,%/ +-]*\))\})?)"
)
_NEWLINES = re.compile("\r\n|[\r\u0085\u2028]")
_BLANK = re.compile(r"[ \t\v\f]{2,}|[\t\v\f]")  # all but a single blank
_PARAGRAPHS = re.compile(r"\n[ ]*\n\s*|\u2029")
_ITEM = re.compile(r"[ ]*-[ ]+")
SOFT_HYPHEN = "\u00ad"
_LETTERS = re.compile(r"[^\W\d_]{5,}")  # a hyphen in a shorter word saves nothing
_WORDS = re.compile(r"\S+|\s+")
_FOREIGN = re.compile(
    r"</?(?:a|b|big|br|center|div|em|font|h[1-6]|hr|i|img|li|[ou]l|p|s|small|span|strong|su[bp]|u)"
    r"(?:\s[^<>\n]{0,200})?/?>|&(?:nbsp|amp|lt|gt|quot|#\d{1,6});"  # HTML
    r"|^ *\|[^|\n]+\|.*$|^ *[-_=]{3,} *$|^#{1,6} \S.*$|~~[^~\n]+~~|(?<!\w)__[^_\n]+__(?!\w)"
    r"|!?\[[^\[\]\n]+\]\([^()\s]+\)"  # Markdown
    r"|(?<![\]{\\])\{[A-Za-z0-9/]{1,6}\}|:[a-z][\w-]*(?:\([^():\n]{1,20}\)|@\d+%?):",  # symbols
    re.MULTILINE,
)
_BOLD = re.compile(r"\*\*[^*\n]+\*\*")
_TWO_ICONS = re.compile(f"{ICON}(?={ICON})")
_LEAST_AFTER = 3  # letters after a hyphen


class WordLook(Struct, frozen=True):
    """How words are set; `colour` is a name or one of CSS, "" for that of the style."""

    bold: bool = False
    italic: bool = False
    colour: str = ""


class Span(Struct, frozen=True):
    """Words of one look, or one icon, whose `text` is ICON."""

    text: str
    look: WordLook
    icon: str = ""


class TextBlock(Struct, frozen=True):
    """A paragraph or an item of a list, as lines of spans; `apart`: after a blank line."""

    lines: tuple[tuple[Span, ...], ...]
    is_item: bool
    apart: bool


def parse(text: str) -> list[TextBlock]:
    """The blocks of a text, none for blank text. Raises MisfitError if a mark is not closed."""
    text = _BLANK.sub(" ", _NEWLINES.sub("\n", text)).strip()
    blocks: list[TextBlock] = []
    for paragraph in _PARAGRAPHS.split(text) if text else ():
        for number, lines in enumerate(_items(paragraph.split("\n"))):
            blocks.append(_block(lines, apart=number == 0 and blocks != []))
    return blocks


def _items(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of a paragraph, divided before each item of a list."""
    item: list[str] = []
    for line in lines:
        if _ITEM.match(line) and item:
            yield item
            item = []
        item.append(line)
    yield item


def _block(lines: list[str], *, apart: bool) -> TextBlock:
    item = _ITEM.match(lines[0])
    words = "\n".join([lines[0][item.end() :] if item else lines[0], *lines[1:]])
    return TextBlock(tuple(_lines(_MarkReader(words).spans())), item is not None, apart)


def find_unread_marks(text: str, *, is_boxed: bool) -> list[str]:
    """The marks that would be printed as they are: those of HTML, of Markdown or of another
    program; in a text without a box, also bold."""
    marks = [mark[0].strip() for mark in _FOREIGN.finditer(text)]
    return marks if is_boxed else marks + _BOLD.findall(text)


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
    plain = (replace(span, text=_BLANK.sub(" ", span.text)) for span in spans)
    return tuple(_lines(_join(plain)))


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
    """Reads the words of one block from mark to mark."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._marks = list(_MARK.finditer(text))
        self._colours = _match_colours(self._marks)
        self._look = WordLook()
        self._inside: list[WordLook] = []  # the looks around each open bracket
        self._opened: dict[str, int] = {}  # "**" and "*" that are open, and where

    def spans(self) -> list[Span]:
        """The words in their looks. Raises MisfitError if a mark is not closed."""
        spans: list[Span] = []
        end = 0
        for mark in self._marks:
            spans.append(Span(self._text[end : mark.start()], self._look))
            spans.append(self._read(mark))
            end = mark.end()
        spans.append(Span(self._text[end:], self._look))
        for star, at in self._opened.items():
            words = self._text[at:].split("\n")[0]
            hint = "close it, or write \\* for a star"
            raise MisfitError(f"{star} before {quote(words)} is not closed", hint)
        return _join(spans)

    def _read(self, mark: re.Match[str]) -> Span:
        """Change the look as a mark says. Returns the mark's own words, if any."""
        if mark["escaped"]:
            return Span(mark["escaped"], self._look)
        if mark["icon"]:
            return Span(ICON, self._look, mark["icon"])
        if mark["stars"]:
            return Span(self._turn(mark), self._look)
        return Span(self._bracket(mark), self._look)

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
            if self._opened.pop(name, None) is None:
                self._opened[name] = mark.end()
        self._look = replace(self._look, bold="**" in self._opened, italic="*" in self._opened)
        return ""


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
    runs = groupby((span for span in spans if span.text), key=lambda span: (span.look, span.icon))
    joined: list[Span] = []
    for (look, icon), run in runs:
        joined += run if icon else [Span("".join(span.text for span in run), look)]
    return joined


def breaks(text: str, *, parts_icons: bool = False) -> list[int]:
    """The indices where a line of the text may end, and the end of the text (UAX 14).

    No line breaks between an icon and the letters that it touches, nor, unless the text
    `parts_icons`, between two icons. Thai, Lao, Khmer and Burmese,
    which put no blanks between words, break by ICU's dictionaries.
    """
    from icu4py.breakers import LineBreaker  # it loads 30 MB

    # the lengths of its parts: the indices that it returns count UTF-16 units
    places = list(accumulate(map(len, LineBreaker(text.replace(ICON, "©"), "en"))))
    if parts_icons:
        between = (match.start() + 1 for match in _TWO_ICONS.finditer(text))
        return sorted({*places, *between})
    return places


def has_row_of_icons(text: str) -> bool:
    """Whether two icons touch."""
    return _TWO_ICONS.search(text) is not None


def hyphenate(text: str, language: str) -> str:
    """The text with soft hyphens where its words may break.

    `language` is a code such as "de" or "pt_BR". Raises MisfitError if there are no hyphenation
    patterns for it.
    """
    hyphenate_word = _hyphenator(language)
    return _LETTERS.sub(lambda word: hyphenate_word(word[0]), text)


def has_hyphens(language: str) -> bool:
    """Whether there are hyphenation patterns for a language."""
    import pyphen

    return pyphen.language_fallback(language) is not None


@cache
def _hyphenator(language: str) -> Callable[[str], str]:
    import pyphen  # lists 50 dictionaries

    code = pyphen.language_fallback(language)
    if code is None:
        hint = did_you_mean(language, pyphen.LANGUAGES)
        raise MisfitError(f"there are no hyphens for the language {quote(language)}", hint)
    patterns = pyphen.Pyphen(lang=code, right=_LEAST_AFTER)

    @cache
    def hyphenate_word(word: str) -> str:
        # a place with data changes the spelling
        plain = [place for place in patterns.positions(word) if place.data is None]
        ends = zip([0, *plain], [*plain, len(word)], strict=True)
        return SOFT_HYPHEN.join(word[a:b] for a, b in ends)

    return hyphenate_word
