"""The state of a reading: what its caller gives, and the faults so far in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from generator.errors import MisfitError, quote

_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}")
_UNNAMED = ("game", "component", "box", "palette", "art")  # their line is in the message

KeyPath = tuple[str | int, ...]  # from a table to a value within it


class KeyFault(Struct, frozen=True):
    """A fault at a path within the table that was read."""

    path: KeyPath
    what: str
    hint: str


class _Faulty:
    """Stands for a value with faults, which were reported."""


FAULTY: Final = _Faulty()


class Reading:
    """One reading of a table.

    context: what annotations of the type ReadsWith get. is_typed: every value is text, as on a
    command line. is_of_names: it reads keys, of which the last of a path is one.
    """

    def __init__(
        self, context: object = None, *, is_typed: bool = False, is_of_names: bool = False
    ) -> None:
        self.context = context
        self.is_typed = is_typed
        self.is_of_names = is_of_names
        self.faults: list[KeyFault] = []

    def of_names(self) -> Reading:
        """For the keys of a table; faults are reported together."""
        other = Reading(self.context, is_of_names=True)
        other.faults = self.faults
        return other

    def refuse(self, path: KeyPath, sentence: str, hint: str) -> _Faulty:
        """Reports that the value at `path` `sentence`: "must be a list"."""
        if self.is_of_names:
            return self.report(path, f"the name {quote(path[-1])} {sentence}", "")
        return self.report(path, f"{label_of(path)} {sentence}", hint)

    def report(self, path: KeyPath, what: str, hint: str) -> _Faulty:
        self.faults.append(KeyFault(path, what, hint))
        return FAULTY

    def refuse_misfit(self, path: KeyPath, error: ValueError, hint: str) -> _Faulty:
        own = error.hint if isinstance(error, MisfitError) else ""
        label = label_of(path)
        return self.report(path, f"{label}: {error}" if label else str(error), own or hint)


def label_of(path: KeyPath) -> str:
    """The keys of a path, without the tables around it: the message's line shows those."""
    if path[:1] == ("component",) and len(path) == 2:
        return "this component"
    while len(path) > 1 and path[0] in _UNNAMED:
        path = path[2 if isinstance(path[1], int) and len(path) > 2 else 1 :]
    names = [_write_key(part) for part in path if isinstance(part, str)]
    items = [f"item {part + 1}" for part in path if isinstance(part, int)]
    return ", ".join([".".join(names), *items] if names else items)


def _write_key(key: str) -> str:
    """A key as in TOML: bare if possible, else quoted."""
    return key if _BARE.fullmatch(key) else quote(key)


def list_choices(choices: Sequence[Any]) -> str:
    """As in a sentence: 'a', 'b' or 'c'."""
    *others, last = map(repr, choices)
    return f"{', '.join(others)} or {last}" if others else last
