"""The level of each character of a line of text, and their order from left to right (UAX 9).

Marks have their effect; isolates, embeddings and overrides are ignored.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from unicodedata import bidirectional, category, mirrored, name, normalize
from unicodedata import lookup as named

_IGNORED = ("BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
_NEUTRAL = ("B", "S", "WS", "ON")
_LEVELS = {"L": 0, "R": 1, "AL": 1}
# characters that neither run from right to left nor change the direction
_PLAIN = (
    "[\0-\u0589\u0900-\u200d\u2010-\u2029\u2030-\u2065\u2070-\ud7ff\uf900-\ufb1c\uff00-\uffff\U0001f000-\U0010ffff]*"
)


def is_plain(text: str) -> bool:
    """Whether no character of the text could change the order."""
    return text.isascii() or re.fullmatch(_PLAIN, text) is not None  # compiled when needed


def direction(text: str) -> int:
    """The level of a paragraph: 1 if its first strong letter runs right to left, else 0."""
    return next((_LEVELS[kind] for kind in map(bidirectional, text) if kind in _LEVELS), 0)


def levels(text: str, base: int) -> list[int]:
    """The level of each character in a paragraph of level `base`; odd levels run right to left."""
    kinds = [bidirectional(c) or "L" for c in text]
    kept = [i for i, kind in enumerate(kinds) if kind not in _IGNORED]
    kept_levels = _BidiLine([text[i] for i in kept], [kinds[i] for i in kept], base).levels()
    by_place = dict(zip(kept, kept_levels, strict=True))
    levels: list[int] = []
    for i in range(len(text)):
        levels.append(by_place.get(i, levels[-1] if levels else base))
    return levels


def order(levels: Sequence[int]) -> list[int]:
    """The indices of `levels`, from left to right (rule L2)."""
    visual = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        runs = groupby(visual, [own >= level for own in levels].__getitem__)
        visual = [i for is_turned, run in runs for i in (reversed([*run]) if is_turned else run)]
    return visual


class _BidiLine:
    """Characters of a line without those that are ignored (rules W, N and I)."""

    def __init__(self, text: Sequence[str], kinds: Sequence[str], base: int) -> None:
        self._text = text
        self._given = kinds
        self._kinds = list(kinds)
        self._level = base
        self._side = "R" if base else "L"  # of the line, and before and after it

    def levels(self) -> list[int]:
        self._marks()  # W1 to W7: marks, numbers, and the characters beside numbers
        self._after_strong("EN", "AL", "AN")
        self._kinds = ["R" if kind == "AL" else kind for kind in self._kinds]
        self._separators()
        self._beside_numbers()
        self._after_strong("EN", "L", "L")
        self._brackets()
        self._neutral()
        if self._level:
            return [1 + (kind != "R") for kind in self._kinds]
        return [{"L": 0, "R": 1}.get(kind, 2) for kind in self._kinds]

    def _marks(self) -> None:
        kinds, before = self._kinds, self._side
        for i, kind in enumerate(kinds):
            if kind == "NSM":
                kinds[i] = before
            before = kinds[i]

    def _after_strong(self, kind: str, strong: str, becomes: str) -> None:
        last = self._side
        for i, own in enumerate(self._kinds):
            if own in _LEVELS:
                last = own
            elif own == kind and last == strong:
                self._kinds[i] = becomes

    def _separators(self) -> None:
        kinds = self._kinds
        for i in range(1, len(kinds) - 1):
            around = (kinds[i - 1], kinds[i + 1])
            if kinds[i] in ("ES", "CS") and around == ("EN", "EN"):
                kinds[i] = "EN"
            elif kinds[i] == "CS" and around == ("AN", "AN"):
                kinds[i] = "AN"

    def _beside_numbers(self) -> None:
        for i, j in self._spans(lambda kind: kind == "ET"):
            if "EN" in (self._kind(i - 1), self._kind(j)):
                self._kinds[i:j] = ["EN"] * (j - i)
        self._kinds = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in self._kinds]

    def _brackets(self) -> None:
        """N0: brackets take the direction of the words in them, or before them."""
        for start, end in self._pairs():
            sides = {_strong(kind) for kind in self._kinds[start + 1 : end]} - {""}
            if self._side in sides:
                self._set_bracket((start, end), self._side)
            elif sides:
                earlier = map(_strong, reversed(self._kinds[:start]))
                before = next(filter(None, earlier), self._side)
                self._set_bracket((start, end), before if before in sides else self._side)

    def _pairs(self) -> list[tuple[int, int]]:
        """The places of brackets that form pairs, in the order in which they open (BD16)."""
        brackets: list[tuple[int, int]] = []
        opened: list[tuple[str, int]] = []
        for i, character in enumerate(self._text):
            side, other = _bracket(character) if self._kinds[i] == "ON" else ("", "")
            if side == "open":
                if len(opened) == 63:
                    return []
                opened.append((other, i))
            elif side and other in [partner for partner, _ in opened]:
                while (last := opened.pop())[0] != other:
                    pass
                brackets.append((last[1], i))
        return sorted(brackets)

    def _set_bracket(self, places: tuple[int, int], side: str) -> None:
        for place in places:
            self._kinds[place] = side
            for i in range(place + 1, len(self._kinds)):
                if self._given[i] != "NSM":
                    break
                self._kinds[i] = side

    def _neutral(self) -> None:
        """N1 and N2: neutral characters between words of one direction take it."""
        for i, j in self._spans(lambda kind: kind in _NEUTRAL):
            before = _strong(self._kind(i - 1)) or self._side
            after = _strong(self._kind(j)) or self._side
            self._kinds[i:j] = [before if before == after else self._side] * (j - i)

    def _kind(self, i: int) -> str:
        return self._kinds[i] if 0 <= i < len(self._kinds) else ""

    def _spans(self, belongs: Callable[[str], bool]) -> list[tuple[int, int]]:
        """The start and the end of each stretch of characters of such kinds."""
        groups = groupby(range(len(self._kinds)), lambda i: belongs(self._kinds[i]))
        return [(span[0], span[-1] + 1) for span in [list(group) for is_such, group in groups if is_such]]


def _strong(kind: str) -> str:
    """The direction that a kind counts as; numbers count as right to left (N0, N1)."""
    return {"L": "L", "R": "R", "EN": "R", "AN": "R"}.get(kind, "")


@cache
def _bracket(character: str) -> tuple[str, str]:
    """Whether a bracket opens or closes, and the character that closes it; "" for no bracket.

    The names of a pair differ in LEFT and RIGHT, except for a dozen pairs that no game needs.
    """
    if category(character) not in ("Ps", "Pe") or not mirrored(character):
        return "", ""
    side = "open" if category(character) == "Ps" else "close"
    try:
        return side, normalize("NFC", named(name(character).replace("LEFT", "RIGHT")))
    except KeyError:
        return "", ""
