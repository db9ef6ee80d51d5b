"""A game.toml being read: its keys as validated values, and its problems, each with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from pathlib import Path as Folder
from typing import Any, TypeVar

from generator.basics import keys
from generator.basics.errors import PnpError, Problem, at_most, did_you_mean, quote
from generator.basics.keys import KeyPath
from generator.game.spec import Spec

_MOST_FAULTS = 100  # reported per table

T = TypeVar("T")


class Source(Spec):
    """A spec and its problems so far. Raises PnpError as Spec does."""

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self._own: dict[Problem, int] = {}  # with their lines; each is reported once
        self._others: dict[Problem, None] = {}

    def aside(self) -> Source:
        """The same spec, with problems of its own."""
        other = copy(self)
        other._own, other._others = {}, {}
        return other

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the game.toml by line, then those of the files it names."""
        return (*sorted(self._own, key=self._own.__getitem__), *self._others)

    def report(self, path: KeyPath, what: str, hint: str = "") -> None:
        self.add([Problem(self.place(path), what, hint)])

    def add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem.place.file == self.spec.file:
                self._own[problem] = problem.place.line
            else:
                self._others[problem] = None

    def collect(self, work: Callable[[], T]) -> T | None:
        """Returns the result of `work`, or None if it raises problems, which are reported."""
        try:
            return work()
        except PnpError as error:
            self.add(error.problems)
            return None

    def validate(self, kind: type[T], raw: object, path: KeyPath, context: object) -> T | None:
        """Returns `raw` as a `kind`, or None after reporting every fault under `path`."""
        value, faults = keys.read(kind, raw, context)
        problems = (Problem(self.place((*path, *one.path)), one.what, one.hint) for one in faults)
        self.add(at_most(_MOST_FAULTS, problems))
        return value

    def validate_tagged(
        self,
        tag: str,
        kinds: Mapping[str, type[T]],
        raw: Mapping[str, Any],
        path: KeyPath,
        context: object,
    ) -> T | None:
        """Returns `raw` as the kind that its key `tag` names; its other keys are options."""
        name = raw.get(tag)
        if not isinstance(name, str) or name not in kinds:
            what = f"unknown {tag} {quote(name)}" if tag in raw else f"the key {tag!r} is missing"
            if tag in raw and not isinstance(name, str):
                what = f"{tag} must be text in quotes, not {quote(name)}"
            self.report(
                (*path, tag), what, did_you_mean(name if isinstance(name, str) else "", kinds)
            )
            return None
        options = {key: value for key, value in raw.items() if key != tag}
        return self.validate(kinds[name], options, path, context)
