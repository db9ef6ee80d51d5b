"""Keep printer profiles in printers.toml, in a folder of the user's configuration."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from generator.basics.errors import PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import read_own_table
from generator.basics.place import Place
from generator.basics.written import write_whole
from generator.layout.printers.profile import Profile

FILE = "printers.toml"
_NAME = re.compile(r"(?!none$)[a-z0-9_-]{1,40}")  # --printer none prints without a profile
_FLIPS = ("long", "short")
# The plausible range of each number.
_RANGES = {
    "dx": (-50.0, 50.0),
    "dy": (-50.0, 50.0),
    "angle": (-10.0, 10.0),
    "scale_x": (0.8, 1.25),
    "scale_y": (0.8, 1.25),
    "margin": (0.0, 50.0),
    "residual": (0.0, 10.0),
}
_OPTIONAL = {"margin", "residual"}  # a profile may lack them
_REPAIR = "repair the file, or delete it and measure again"


class _StoredProfiles(Struct, frozen=True):
    """The content of the file."""

    profiles: dict[str, Profile]
    default: str | None


class Store(Struct, frozen=True):
    """The profiles in a folder, which need not exist yet.

    Every method raises PnpError when the file is damaged: a problem for each fault in it.
    """

    folder: Path

    def names(self) -> list[str]:
        return sorted(self._read().profiles)

    def load(self, name: str) -> Profile:
        """The profile of that name. Raises PnpError if there is none."""
        return _find(name, self._read())

    def save(self, profile: Profile) -> None:
        """Keep a profile; it replaces one of the same name. Raises PnpError if the name is not
        valid."""
        check_name(profile.name)
        stored = self._read()
        profiles = {**stored.profiles, profile.name: profile}
        self._write(_StoredProfiles(profiles, stored.default))

    def remove(self, name: str) -> None:
        """Remove a profile. Raises PnpError if there is none of that name."""
        content = self._read()
        _find(name, content)
        profiles = {key: profile for key, profile in content.profiles.items() if key != name}
        self._write(_StoredProfiles(profiles, None if content.default == name else content.default))

    def default(self) -> str | None:
        """The name of the printer that is used by default."""
        return self._read().default

    def set_default(self, name: str | None) -> None:
        """Choose the default printer, None for no printer. Raises PnpError if there is none of that
        name."""
        content = self._read()
        if name is not None:
            _find(name, content)
        self._write(_StoredProfiles(content.profiles, name))

    def _read(self) -> _StoredProfiles:
        path = self.folder / FILE
        return _parse(read_own_table(path, _REPAIR), Place(str(path)))

    def _write(self, content: _StoredProfiles) -> None:
        write_whole(self.folder / FILE, _toml(content).encode())


def check_name(name: str) -> None:
    """Raises PnpError if the name of a printer is not valid."""
    if not _NAME.fullmatch(name):
        what = f"{quote(name)} is not a valid name for a printer"
        hint = "use lower-case letters, digits, - and _, at most 40: laser-card"
        raise fail(Place("printer"), what, hint)


def _find(name: str, content: _StoredProfiles) -> Profile:
    if name not in content.profiles:
        hint = did_you_mean(name, content.profiles) or "measure one: pnp printer sheet"
        raise fail(Place(f"printer {quote(name)}"), "there is no such printer", hint)
    return content.profiles[name]


def _toml(content: _StoredProfiles) -> str:
    """The file's text. Names and flips need no escaping; numbers read back the same."""
    lines = ["# How each printer lays the back, measured by `pnp printer set`: mm and degrees."]
    if content.default is not None:
        lines.append(f"default = {json.dumps(content.default)}")
    for name, profile in sorted(content.profiles.items()):
        values = {key: value for key, value in asdict(profile).items() if key != "name"}
        lines += ["", f"[printer.{name}]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _parse(table: Mapping[str, Any], place: Place) -> _StoredProfiles:
    """Make profiles of a parsed file. Raises PnpError with every fault."""
    problems = [
        Problem(place, f"{quote(key)} is not known", did_you_mean(key, ("default", "printer")))
        for key in table.keys() - {"default", "printer"}
    ]
    printers = table.get("printer", {})
    if not isinstance(printers, dict):
        raise PnpError([*problems, Problem(place, "'printer' is not a table of printers", _REPAIR)])
    for name, entry in printers.items():
        problems += _faults(name, entry, Place(place.file, part=f"printer {name}"))
    default = table.get("default")
    if default is not None and (not isinstance(default, str) or default not in printers):
        what = f"the default printer {quote(default)} is not in the file"
        problems.append(Problem(place, what, did_you_mean(str(default), printers)))
    if problems:
        raise PnpError(problems)
    return _StoredProfiles(
        {name: _profile(name, entry) for name, entry in printers.items()}, default
    )


def _faults(name: str, entry: object, place: Place) -> Iterator[Problem]:
    if not _NAME.fullmatch(name):
        yield Problem(place, f"{quote(name)} is not a valid name for a printer", _REPAIR)
    if not isinstance(entry, dict):
        yield Problem(place, "this is not a table", _REPAIR)
        return
    for key in sorted(entry.keys() - {"flip", *_RANGES}):
        yield Problem(place, f"{quote(key)} is not known", did_you_mean(key, ("flip", *_RANGES)))
    if entry.get("flip") not in _FLIPS:
        yield Problem(place, f"flip is {quote(entry.get('flip'))}", "write 'long' or 'short'")
    for key, (low, high) in _RANGES.items():
        if key not in entry:
            if key not in _OPTIONAL:
                yield Problem(place, f"{key} is missing", _REPAIR)
        elif not _is_within(entry[key], low, high):
            what = f"{key} is {quote(entry[key])}"
            yield Problem(place, what, f"write a number from {low:g} to {high:g}")


def _is_within(value: object, low: float, high: float) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and low <= float(str(value)) <= high


def _profile(name: str, entry: Mapping[str, Any]) -> Profile:
    return Profile(
        name, entry["flip"], **{key: float(entry[key]) for key in _RANGES if key in entry}
    )
