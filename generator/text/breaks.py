"""Take a line of text, make the places where it may break (ICU, pyphen)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate

from generator.errors import MisfitError, did_you_mean, quote
from generator.text.markup import ICON

SOFT_HYPHEN = "\u00ad"
_LETTERS = re.compile(r"[^\W\d_]{5,}")  # in a shorter word a hyphen saves nothing
_LEAST_AFTER = 3  # letters that a hyphen leaves for the next line


def breaks(text: str) -> list[int]:
    """The places where text may be parted: before which characters, and its end (UAX 14).

    An icon sticks to what it touches, as a letter does. Thai, Lao, Khmer and Burmese, which put no
    blanks between words, break by ICU's dictionaries.
    """
    from icu4py.breakers import LineBreaker  # loads 30 MB: only for who sets text

    # by its parts, for the places it tells are counted in UTF-16
    return list(accumulate(map(len, LineBreaker(text.replace(ICON, "©"), "en"))))


def hyphenate(text: str, language: str) -> str:
    """The text with soft hyphens where its words may be parted. Raises MisfitError: no patterns.

    `language` is a code such as "de" or "pt_BR".
    """
    parted = _hyphenator(language)
    return _LETTERS.sub(lambda word: parted(word[0]), text)


def has_hyphens(language: str) -> bool:
    """Whether it is known where words of a language may be parted."""
    import pyphen

    return pyphen.language_fallback(language) is not None


@cache
def _hyphenator(language: str) -> Callable[[str], str]:
    import pyphen  # looks through 50 dictionaries

    code = pyphen.language_fallback(language)
    if code is None:
        hint = did_you_mean(language, pyphen.LANGUAGES)
        raise MisfitError(f"there are no hyphens for the language {quote(language)}", hint)
    patterns = pyphen.Pyphen(lang=code, right=_LEAST_AFTER)

    @cache
    def parted(word: str) -> str:
        # a place where the spelling would change has data
        plain = [place for place in patterns.positions(word) if place.data is None]
        ends = zip([0, *plain], [*plain, len(word)], strict=True)
        return SOFT_HYPHEN.join(word[a:b] for a, b in ends)

    return parted
