"""A galley: the words of a line of spans, measured, and the places where it may break.

It is broken into the fewest lines of a width, evenly filled. ICU says where a line may break, pyphen where a word may.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import inf
from unicodedata import bidirectional

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.text import bidi
from generator.text.markup import ICON, Span
from generator.text.shape import BLANKS, GlyphPiece, Shaper, Word, blank

SOFT_HYPHEN = "\u00ad"
_LETTERS = re.compile(r"[^\W\d_]{5,}")  # a hyphen in a shorter word saves nothing
_LEAST_AFTER = 3  # letters after a hyphen
_TWO_ICONS = re.compile(f"{ICON}(?={ICON})")
_JOINER = "\u200d"
_SLACK = 1e-9  # ems: the rounding error of a sum
_LINE = 1e6  # the cost of a line: more than any unevenness
_HYPHEN = 0.05  # the cost of a hyphen: that of a line that is two ninths empty


class Break(Struct, frozen=True):
    """A place where a line may begin or end. `end` and `start` are ems from the galley's start.

    The width of a line is the `end` of its last break minus the `start` of its first."""

    word: int
    at: int  # in the text
    end: float  # of a line that ends here, with its hyphen
    start: float  # of a line that starts here
    is_soft: bool  # within a word, with a hyphen


_BEGINNING = Break(-1, 0, 0.0, 0.0, is_soft=False)


class Galley:
    """Text between two forced line breaks, measured but not yet broken into lines."""

    def __init__(self, spans: Sequence[Span], base: int, shaper: Shaper, *, parts_icons: bool = False) -> None:
        """`base` is the level of the paragraph (bidi); with `parts_icons`, lines break between
        icons. Raises MisfitError as `Shaper.word` does."""
        self.base = base
        self._spans = spans
        self._shaper = shaper
        self.text = "".join(span.text for span in spans)
        self._ends = list(accumulate(len(span.text) for span in spans))
        self._levels = bidi.levels(self.text, base) if base or not bidi.is_plain(self.text) else None
        self._places: list[tuple[int, int]] = []  # of each word, without blanks
        self._words: list[Word] = []
        self._blanks: list[float] = []
        self._read(breaks(self.text, parts_icons=parts_icons))
        self.breaks = [_BEGINNING, *self._breaks()]
        self.ends = [break_.end for break_ in self.breaks]
        self.ascent = max([word.ascent for word in self._words], default=0.0)
        self.descent = max([word.descent for word in self._words], default=0.0)

    def width(self, start: Break, end: Break) -> float:
        """The ems of a line from one break to another."""
        if start.is_soft and start.word == end.word:
            return self._part(start.at, end.at, end.is_soft).ems
        return end.end - start.start

    def join_words(self, start: Break, end: Break) -> str:
        """The words of such a line, as the author wrote them."""
        parts = self._uniform(start.at, end.at)
        words = (f":{span.icon}:" if span.icon else self.text[a:b] for a, b, span in parts)
        return "".join(words).replace(SOFT_HYPHEN, "").strip(BLANKS)

    def rest(self, start: Break) -> tuple[Span, ...]:
        """The spans from a break on, without hyphens that only breaks show."""
        text, at = self.text, start.at
        at += len(text[at:]) - len(text[at:].lstrip(BLANKS))
        return tuple(replace(s, text=text[a:b].replace(SOFT_HYPHEN, "")) for a, b, s in self._uniform(at, len(text)))

    def pieces(self, start: Break, end: Break) -> list[GlyphPiece]:
        """The pieces of such a line, from left to right."""
        pieces = self._logical(start, end)
        return [pieces[i] for i in bidi.order([piece.level for piece in pieces])]

    def _logical(self, start: Break, end: Break) -> list[GlyphPiece]:
        pieces: list[GlyphPiece] = []
        for number in range(start.word + (not start.is_soft), end.word + 1):
            a, b = whole = self._places[number]
            if start.is_soft and number == start.word:
                a = start.at
            is_cut = end.is_soft and number == end.word
            b = end.at if is_cut else b
            word = self._words[number] if (a, b) == whole else self._part(a, b, is_cut)
            pieces += word.pieces
            if self._blanks[number] and number < end.word:
                pieces.append(blank(self._blanks[number], self._level(b)))
        return pieces

    def _level(self, place: int) -> int:
        return self._levels[place] if self._levels else 0

    def _read(self, places: Sequence[int]) -> None:
        """Measure the words: the text between breaks other than soft hyphens."""
        text = self.text
        hard = [0, *(at for at in places if text[at - 1] != SOFT_HYPHEN)]
        if text.endswith(SOFT_HYPHEN):
            hard.append(len(text))
        for start, stop in pairwise(hard):
            end = start + len(text[start:stop].rstrip(BLANKS))
            look = self._spans[self._span(max(start, end - 1))].look
            self._places.append((start, end))
            self._words.append(self._part(start, end, False))
            self._blanks.append(self._shaper.blank(text[end:stop], look))

    def _part(self, start: int, end: int, is_cut: bool) -> Word:
        """The text from one place to another as a word, with a hyphen if it `is_cut`."""
        parts = list(self._uniform(start, end))
        texts = _add_joiners([self.text[a:b] for a, b, _ in parts])
        if is_cut and parts:
            texts[-1] += "-"
        words = [
            self._shaper.word(text, span.look, self._level(a), span.icon)
            for text, (a, _, span) in zip(texts, parts, strict=True)
        ]
        if len(words) == 1:
            return words[0]
        return self._shaper.join(tuple(piece for word in words for piece in word.pieces))

    def _uniform(self, start: int, end: int) -> Iterator[tuple[int, int, Span]]:
        """The stretches of one look and one level: start, end and span."""
        while start < end:
            number = self._span(start)
            stop = min(end, self._ends[number])
            if self._levels:
                level = self._levels[start]
                stop = next((i for i in range(start, stop) if self._levels[i] != level), stop)
            yield start, stop, self._spans[number]
            start = stop

    def _span(self, place: int) -> int:
        return bisect_right(self._ends, place)

    def _breaks(self) -> Iterator[Break]:
        x = 0.0
        for number, word in enumerate(self._words):
            end = x + word.ems
            yield from self._soft(number, x, end)
            x = end + self._blanks[number]
            yield Break(number, self._places[number][1], end, x, False)

    def _soft(self, number: int, x: float, end: float) -> Iterator[Break]:
        a, b = self._places[number]
        at = self.text.find(SOFT_HYPHEN, a, b - 1) + 1
        while at:
            before, after = self._part(a, at, True).ems, self._part(at, b, False).ems
            yield Break(number, at, x + before, end - after, True)
            at = self.text.find(SOFT_HYPHEN, at, b - 1) + 1


def _add_joiners(texts: list[str]) -> list[str]:
    """Parts of a word, with joiners where a change of look divides letters of a cursive script."""
    for i in range(1, len(texts)):
        before, after = texts[i - 1], texts[i]
        if bidirectional(after[0]) == "AL" and bidirectional(before[-1]) in ("AL", "NSM"):
            texts[i - 1], texts[i] = before + _JOINER, _JOINER + after
    return texts


def widest(galley: Galley) -> tuple[float, str]:
    """The ems of the widest text that cannot be broken, and that text."""
    pairs = list(pairwise(galley.breaks))
    if not pairs:
        return 0.0, ""
    widths = [galley.width(start, end) for start, end in pairs]
    ems = max(widths)
    return ems, galley.join_words(*pairs[widths.index(ems)])


def count(galley: Galley, room: float) -> int:
    """How many lines of `room` ems a galley needs if each is filled before the next begins."""
    lines, begin, last = 0, 0, len(galley.breaks) - 1
    while begin < last:
        lines, begin = lines + 1, max(fill_line(galley, begin, room), begin + 1)
    return max(lines, 1)


def choose_breaks(galley: Galley, room: float, *, is_last_alike: bool) -> list[tuple[Break, Break]]:
    """The first and the last break of each line, of at most `room` ems each.

    Of all ways with the fewest lines, the one with the least sum of squares of the empty parts of
    lines. The last line may be short, unless `is_last_alike`; it counts if it is less than a third
    full, so that no word is alone without need.
    """
    room = max(room, _SLACK)  # a divisor
    costs = [0.0]
    before = [0]
    for j in range(1, len(galley.breaks)):
        is_last = j == len(galley.breaks) - 1 and not is_last_alike
        cost, i = _best(galley, costs, j, room, is_last)
        costs.append(cost)
        before.append(i)
    lines, j = [], len(galley.breaks) - 1
    while j > 0:
        lines.append((galley.breaks[before[j]], galley.breaks[j]))
        j = before[j]
    return lines[::-1]


def _best(galley: Galley, costs: list[float], j: int, room: float, is_last: bool) -> tuple[float, int]:
    """The cheapest way to end a line at break j: its cost, and the break where the line begins."""
    end, best, start = galley.breaks[j], inf, j - 1
    for i in range(j - 1, -1, -1):
        empty = 1.0 - galley.width(galley.breaks[i], end) / room
        if empty * room < -_SLACK and i < j - 1:
            break
        uneven = max(0.0, 3.0 * empty - 2.0) if is_last else empty
        cost = costs[i] + uneven * uneven
        if cost < best - _SLACK:  # of equals, the line that begins last
            best, start = cost, i
    return best + _LINE + (_HYPHEN if end.is_soft else 0.0), start


def fill_line(galley: Galley, begin: int, room: float) -> int:
    """The last break of a line of `room` ems that begins at a break; `begin` if no word fits."""
    start = galley.breaks[begin]
    far = bisect_right(galley.ends, start.start + room + 1.0)  # a hyphen is narrower than 1 em
    ends = range(far - 1, begin, -1)
    fitting = (end for end in ends if galley.width(start, galley.breaks[end]) <= room + _SLACK)
    return next(fitting, begin)


def breaks(text: str, *, parts_icons: bool = False) -> list[int]:
    """The indices where a line of the text may end, and the end of the text (UAX 14).

    No line breaks between an icon and the letters that it touches, nor, unless the text `parts_icons`, between two
    icons. Thai, Lao, Khmer and Burmese, which put no blanks between words, break by ICU's dictionaries.
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

    `language` is a code such as "de" or "pt_BR". Raises MisfitError if there are no hyphenation patterns for it.
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
        return SOFT_HYPHEN.join(word[a:b] for a, b in zip([0, *plain], [*plain, len(word)], strict=True))

    return hyphenate_word
