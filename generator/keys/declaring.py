"""What a class of keys is made of: its base, and the annotations of its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace


class Keys(Struct, frozen=True, kw_only=True, dict=True):
    """A table whose keys are the fields of its class. Unknown keys are faults.

    `__post_init__` raises MisfitError if keys contradict each other.
    """


class Key(Struct, frozen=True, eq=False):  # within types, which are hashed
    """What messages and the schema say of a key, and the limits of its value.

    least, most: of a number. shortest, longest: of a text in characters, of a list or table in
    values. pattern: of a text, a regular expression. rule: the sentence about a text that does not
    match it: "must be one letter". keywords: more of the JSON Schema.
    """

    description: str = ""
    least: float | None = None
    most: float | None = None
    shortest: int | None = None
    longest: int | None = None
    pattern: str = ""
    rule: str = ""
    keywords: Mapping[str, Any] = {}

    def limited(self, other: Key) -> Key:
        """With what another one says, where it says anything."""
        said = {name: value for name, value in asdict(other).items() if value not in (None, "")}
        return replace(self, **said | {"keywords": {**self.keywords, **other.keywords}})


def describe(description: str, **limits: Any) -> Key:
    """A key that messages and the schema describe so, within the limits of `Key`."""
    return Key(description, **limits)


class Before(Struct, frozen=True):
    """Changes a raw value before it is read. Raises MisfitError for a value that it refuses."""

    change: Callable[[Any], object]


def strip(value: object) -> object:
    """A raw text without the space around it."""
    return value.strip() if isinstance(value, str) else value


class After(Struct, frozen=True):
    """Changes a value that was read. Raises MisfitError for a value that it refuses."""

    change: Callable[[Any], Any]


class Beside(Struct, frozen=True):
    """Looks at a value beside those of the keys before it, as far as these have no fault. Raises
    MisfitError for a value that it refuses."""

    check: Callable[[Any, Mapping[str, Any]], None]


class Reads(Struct, frozen=True):
    """Reads a raw value of any kind. Raises MisfitError for a value that it refuses."""

    read: Callable[[object], Any]


class ReadsWith(Struct, frozen=True):
    """Like Reads, beside what the caller of `read` gives: the palette, the fonts of a game."""

    read: Callable[[object, Any], Any]


class Schema(Struct, frozen=True, eq=False):
    """The JSON Schema of a value, in place of the one that its type has."""

    keywords: Mapping[str, Any]
