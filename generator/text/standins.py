"""Take the name of a family that every machine has, say which of the house stands in for it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def find_stand_in(name: str) -> str | None:
    """A family of the house; None for a name that standins.toml does not hold, in any case."""
    return stand_ins().get(name.casefold())


@cache
def stand_ins() -> Mapping[str, str]:
    """The family for each name, which is without capitals."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {name.casefold(): family for family, names in table.items() for name in names}
