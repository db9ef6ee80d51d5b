"""Take the PostScript name of a font, as Illustrator writes it, find the letters of its family and
its style: "Arial-BoldMT"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

_TRADE = re.compile(r"(ps)?(mt)?\Z")  # PostScript, Monotype: neither is part of a family or style
_WEIGHTS = {
    "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "lt": 300,
    "regular": 400, "roman": 400, "normal": 400, "book": 400, "plain": 400, "medium": 500,
    "md": 500, "semibold": 600, "demibold": 600, "demi": 600, "extrabold": 800, "ultrabold": 800,
    "bold": 700, "bd": 700, "black": 900, "heavy": 900,
}  # fmt: skip
_SLOPES = ("italic", "ital", "it", "oblique", "obl", "slanted")
_WIDTHS = {  # as font-stretch names them
    "semicondensed": "semi-condensed", "condensed": "condensed", "cond": "condensed",
    "cn": "condensed", "narrow": "condensed", "compressed": "extra-condensed",
    "semiexpanded": "semi-expanded", "expanded": "expanded", "extended": "expanded",
    "ext": "expanded",
}  # fmt: skip
_WORD = re.compile("|".join(sorted((*_WEIGHTS, *_SLOPES, *_WIDTHS), key=len, reverse=True)))


class FontStyle(Struct, frozen=True):
    """The weight and slope that a font has, and its width, "" for the normal one."""

    weight: int = 400
    is_italic: bool = False
    width: str = ""


def letters_of(family: str) -> str:
    """The letters and digits of a family in lower case: the family in a PostScript name."""
    return "".join(filter(str.isalnum, family.casefold()))


def read_postscript(name: str) -> Iterator[tuple[str, FontStyle]]:
    """The families that a PostScript name may name, as `letters_of` has them, each with the style;
    none if the name has a blank, or its style is unknown."""
    if any(map(str.isspace, name)):
        return
    for family, style in ((name, FontStyle()), *_part(name)):
        letters = letters_of(family)
        for each in dict.fromkeys((letters, _TRADE.sub("", letters, count=1))):
            if each:
                yield each, style


def _part(name: str) -> Iterator[tuple[str, FontStyle]]:
    """The family and the style in a name; first, if the style tells a width, the family of that
    width: "Roboto Condensed"."""
    family, _, words = name.casefold().rpartition("-")
    words = _TRADE.sub("", words, count=1)
    found = _WORD.findall(words)
    if "".join(found) != words:
        return
    weights = [_WEIGHTS[word] for word in found if word in _WEIGHTS]
    style = FontStyle((*weights, 400)[0], any(word in _SLOPES for word in found))
    for width in [word for word in found if word in _WIDTHS][:1]:
        yield f"{family}{_WIDTHS[width]}", style
        yield f"{family}{width}", style
        style = replace(style, width=_WIDTHS[width])
    yield family, style
