"""Take the name of a family that computers come with, find the one of the house to replace it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.place import Place

# missing families and those that stand in for them, with the places of the texts
StandIns = dict[tuple[str, str], dict[Place, None]]


def find_stand_in(name: str) -> str | None:
    """A family of the house; None for a name that standins.toml lacks. Case does not matter."""
    return stand_ins().get(name.casefold())


@cache
def stand_ins() -> Mapping[str, str]:
    """The family of the house for each name in lower case."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {name.casefold(): family for family, names in table.items() for name in names}
