"""The words that random edits put in: words.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def words(name: str) -> tuple[str, ...]:
    """Those of a language."""
    return tuple(_read()[name])


def patterns(name: str) -> dict[str, tuple[str, ...]]:
    """Those of a language, by their kinds."""
    return {kind: tuple(ones) for kind, ones in _read()[name].items()}


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
