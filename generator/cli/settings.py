"""Take the environment, the user's config.toml and the locale, find paper and margin."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from generator.basics import papers
from generator.basics.errors import PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import read_own_table
from generator.basics.place import Place
from generator.basics.written import write_whole

FILE = "config.toml"
PARSERS: Mapping[str, Callable[[str], object]] = {  # by setting; they raise PnpError
    "paper": papers.parse_paper,
    "margin": papers.parse_margin,
}
_LOCALES = ("LC_ALL", "LC_PAPER", "LANG")  # the first that is set counts: POSIX, 8.2
_COUNTRY = re.compile(r"[a-z]{2,3}_([A-Z]{2})(?![A-Za-z])")
_REPAIR = "pnp config writes it anew: `pnp config paper a4`, or `pnp config --unset paper`"


class Setting(Struct, frozen=True):
    """The value of a setting, and its source."""

    value: str
    source: str


class Settings(Struct, frozen=True):
    """The user's settings; `folder` is the configuration folder, which need not exist yet."""

    folder: Path
    environment: Mapping[str, str]

    @property
    def file(self) -> Path:
        return self.folder / FILE

    def find(self, name: str) -> Setting | None:
        """The setting from the environment, else from the file; None if it is in neither.

        Raises PnpError if it has no valid value there, or if the file is damaged.
        """
        variable = f"PNP_{name.upper()}"
        if value := self.environment.get(variable):
            _check(name, value, Place(variable))
            return Setting(value, variable)
        problems: list[Problem] = []
        kept = self._read(problems)
        if problems:
            raise PnpError(problems)
        return Setting(kept[name], str(self.file)) if name in kept else None

    def paper(self) -> Setting:
        """The paper to print on, else that of the locale's country, else Letter."""
        return self.find("paper") or _paper_of_locale(self.environment)

    def write(self, name: str, value: str | None) -> bool:
        """Write a value into the file; None removes the setting. Returns whether damaged entries
        were dropped from the file.

        Raises PnpError if the value is not valid; the file is then unchanged.
        """
        if value is not None:
            PARSERS[name](value)
        problems: list[Problem] = []
        kept = self._read(problems)
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
        lines = ["# The settings of pnp; `pnp config` shows and changes them."]
        lines += [f"{key} = {json.dumps(kept[key])}" for key in PARSERS if key in kept]
        write_whole(self.file, ("\n".join(lines) + "\n").encode())
        return bool(problems)

    def _read(self, problems: list[Problem]) -> dict[str, str]:
        """The valid settings in the file; adds the faults of the file and of other entries to
        `problems`."""
        place = Place(str(self.file))
        try:
            table = read_own_table(self.file, _REPAIR)
        except PnpError as error:
            problems += error.problems
            return {}
        valid: dict[str, str] = {}
        for key, value in table.items():
            try:
                _check_entry(key, value, place)
            except PnpError as error:
                problems += error.problems
            else:
                valid[key] = value
        return valid


def _check_entry(key: str, value: Any, place: Place) -> None:
    if key not in PARSERS:
        raise fail(place, f"there is no setting {quote(key)}", did_you_mean(key, PARSERS))
    if not isinstance(value, str):
        raise fail(place, f"{key} is {quote(value)}, which is not a text", f'{key} = "…"')
    _check(key, value, place)


def _check(name: str, value: str, place: Place) -> None:
    """Raises PnpError at a place if the value is not valid for the setting."""
    try:
        PARSERS[name](value)
    except PnpError as error:
        problems = (Problem(place, f"{one.place}: {one.what}", one.hint) for one in error.problems)
        raise PnpError(list(problems)) from None


def _paper_of_locale(environment: Mapping[str, str]) -> Setting:
    for variable in _LOCALES:
        if locale := environment.get(variable):
            country = _COUNTRY.match(locale)
            if country is None:  # C, POSIX, or a language alone
                break
            paper = "letter" if country[1] in papers.letter_countries() else "a4"
            return Setting(paper, f"{variable}={locale}")
    return Setting("letter", "pnp")
