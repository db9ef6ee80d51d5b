"""Pieces as VASSAL writes them: traits from the outermost to the piece itself, then their states.

A list is its parts with a character between them; a backslash is before that character within a
part. Traits nest: the parts after the first are one part, itself such a list.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

FLIP = "70,130"  # Control F: the code of the key, and of the keys held with it
_TURN = "82,130"  # Control R
_CONTROL = "128"
_TO_PARTS, _TO_TRAITS, _TO_IMAGES, _TO_SECTIONS = ";", "\t", ",", "/"


class PieceLooks(Struct, frozen=True):
    """A piece with the files of its pictures. `back` hides the front from others if it `is_secret`,
    else it is the other side; None if both sides look alike. It turns by `turn` degrees."""

    name: str
    front: str
    back: str | None
    is_secret: bool
    turn: int


def define(looks: PieceLooks, id_: int) -> str:
    """The definition of a piece with a number of its own."""
    front, back, is_secret = looks.front, looks.back, looks.is_secret
    traits, states = [_rotated(looks.turn)], ["0"]
    if back and is_secret:
        traits.append(_masked(back))
        states.append("null;")
    elif back:
        traits.append(_layered([front, back]))
        states.append("1")
    shown = "" if back and not is_secret else front
    traits.append(_join(["piece", "", "", shown, looks.name], _TO_PARTS))
    states.append(_join(["null", "0", "0", str(id_), "0"], _TO_PARTS))
    return _join(["+", "null", _nest(traits), _nest(states)], _TO_SECTIONS)


def _masked(back: str) -> str:
    """A trait that shows the back. It shows the front to the player who turned the piece over,
    while it is selected."""
    parts = ["obs", FLIP, back, "Flip", "P", "?", "player:", "Peek"]
    return _join(parts, _TO_PARTS)


def _layered(images: Sequence[str]) -> str:
    """A trait that shows one of several pictures, and the next one with the key."""
    activate, up, down = ["", _CONTROL, ""], ["Flip", _CONTROL, ""], ["", _CONTROL, ""]
    reset, place = ["", "", "1"], ["false", "0", "0"]
    names = _join(["" for _ in images], _TO_IMAGES)
    looping, random = ["true", "Side"], ["", ""]
    following, version = ["false", "", "1"], ["1", "true"]
    keys = ["", FLIP, ""]
    shown = [_join(images, _TO_IMAGES), names]
    parts = [*activate, *up, *down, *reset, *place, *shown, *looping, *random, *following]
    return _join(["emb2", *parts, *version, *keys], _TO_PARTS)


def _rotated(degrees: int) -> str:
    """A trait that turns the piece clockwise with the key."""
    parts = ["rotate", str(360 // degrees), _TURN, "", "Turn", "", "", "", "Turn"]
    return _join(parts, _TO_PARTS)


def _nest(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return _join([parts[0], _nest(parts[1:])], _TO_TRAITS)


def _join(parts: Sequence[str], between: str) -> str:
    """A list of parts; one with a backslash at its end is quoted, as one that looks quoted is."""
    return between.join(_escape(part, between) for part in parts)


def _escape(part: str, between: str) -> str:
    if part.endswith("\\") or (part.startswith("'") and part.endswith("'")):
        part = f"'{part}'"
    return part.replace(between, f"\\{between}")
