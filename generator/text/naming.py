"""Take the name of a family, make its name for the engine that draws (typst).

The engine takes a word such as "Black" or "Narrow" at the end of a name for a style and drops it,
so that it does not find the family. A full stop after the name prevents that.
"""

from __future__ import annotations

_SEPARATORS = (" ", "-", "_")
_MODIFIERS = ("extra", "ext", "ex", "x", "semi", "sem", "sm", "demi", "dem", "ultra")
_STYLES = (
    "normal", "italic", "oblique", "slanted", "thin", "th", "hairline", "light", "lt", "regular",
    "medium", "med", "md", "bold", "bd", "demi", "extb", "black", "blk", "bk", "heavy", "narrow",
    "condensed", "cond", "cn", "cd", "compressed", "expanded", "exp",
)  # fmt: skip
_MARK = "."


def name_for_engine(family: str) -> str:
    """The name if the engine keeps it, else the name with a full stop."""
    plain = family.strip().lstrip(_MARK)
    return plain if _trim(plain) == plain else plain + _MARK


def name_for_people(family: str) -> str:
    """The name of a family without the full stop for the engine."""
    return family.removesuffix(_MARK)


def _trim(family: str) -> str:
    """The name that the engine makes of a name (typst 0.15, `typographic_family`)."""
    trimmed = _lower(family)
    length = len(trimmed) + 1
    while len(trimmed) < length:
        length = len(trimmed)
        rest = trimmed
        while style := next((one for one in _STYLES if rest.endswith(one)), ""):
            rest = rest.removesuffix(style)
        if rest == trimmed:
            break
        if rest.endswith(_SEPARATORS):
            trimmed = rest = rest[:-1]
        modifier = next((one for one in _MODIFIERS if rest.endswith(one)), "")
        if modifier and rest.removesuffix(modifier).endswith(_SEPARATORS):
            trimmed = rest.removesuffix(modifier)[:-1]
    return family[:length]


def _lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)
