"""Expressions of templates: such as hold, such as nearly do, and any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.fuzz.words import patterns, words

_NAMES = words("names")
_CONSTANTS = words("constants")
_WILD = words("wild")
_SIGNS = {kind: words(f"{kind}s") for kind in ("operator", "filter", "test", "function", "part")}
_PART = re.compile(rf"<(any|{'|'.join(_SIGNS)})>")
_COLUMN = re.compile(r"\b[xt]\b(?!')")
_DEEPEST = 3
# By the type of what they make; {number}, {text} and {truth} are expressions of those types.
_SOUND = patterns("sound")
_PLAIN = patterns("plain")


def filled(rng: Random, pattern: str, *, is_sound: bool) -> str:
    """A pattern with expressions in its {number}, {text}, {truth} and {colour}."""
    for kind in _SOUND:
        while f"{{{kind}}}" in pattern:
            made = sound(rng, kind) if is_sound else wild(rng)
            pattern = pattern.replace(f"{{{kind}}}", escaped(made), 1)
    return pattern


def sound(rng: Random, kind: str, depth: int = 0) -> str:
    """One that makes a value of that kind, if the cells hold what they should."""
    if depth >= _DEEPEST or rng.random() < 0.35:
        return rng.choice(_PLAIN[kind])
    pattern = rng.choice(_SOUND[kind])
    for inner in _SOUND:
        while f"{{{inner}}}" in pattern:
            pattern = pattern.replace(f"{{{inner}}}", sound(rng, inner, depth + 1), 1)
    return pattern


def about(rng: Random, expression: str, columns: Sequence[str]) -> str:
    """The same of the columns that a table has."""
    return _COLUMN.sub(lambda _: rng.choice(columns), expression)


def wild(rng: Random, depth: int = 0) -> str:
    """One that a template may say, or not."""
    if depth > _DEEPEST or rng.random() < 0.25:
        return rng.choice(_NAMES if rng.random() < 0.6 else _CONSTANTS)

    def part(match: re.Match[str]) -> str:
        return wild(rng, depth + 1) if match[1] == "any" else rng.choice(_SIGNS[match[1]])

    return _PART.sub(part, rng.choice(_WILD))


def escaped(text: str) -> str:
    """As XML holds it, without what XML cannot hold."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\x1b", "")):
        text = text.replace(sign, name)
    return text
