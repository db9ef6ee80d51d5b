"""Take the name of a family that computers come with, find the one of the house to replace it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.basics.place import Place
from generator.text.postscript import letters_of

# missing families and those that stand in for them, with the places of the texts
StandIns = dict[tuple[str, str], dict[Place, None]]


def find_stand_in(name: str) -> str | None:
    """A family of the house; None for a name that standins.toml lacks. Case does not matter."""
    return stand_ins().get(name.casefold())


def find_usual(letters: str) -> str | None:
    """The name in standins.toml that has these letters (`letters_of`), or None."""
    return _names_by_letters().get(letters)


@cache
def stand_ins() -> Mapping[str, str]:
    """The family of the house for each name in lower case."""
    return {name.casefold(): family for family, names in _read().items() for name in names}


@cache
def _names_by_letters() -> Mapping[str, str]:
    return {letters_of(name): name for names in _read().values() for name in names}


@cache
def _read() -> Mapping[str, list[str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
