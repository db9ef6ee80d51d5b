"""Take a line of text, find the places where it may break (ICU, pyphen)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.text.markup import ICON

SOFT_HYPHEN = "\u00ad"
_LETTERS = re.compile(r"[^\W\d_]{5,}")  # a hyphen in a shorter word saves nothing
_TWO_ICONS = re.compile(f"{ICON}(?={ICON})")
_LEAST_AFTER = 3  # letters after a hyphen


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
