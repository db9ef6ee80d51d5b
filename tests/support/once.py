"""Make what several tests look at once a run: pytest's other processes find it on disk."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from generator.basics.errors import Problem
from generator.pipeline import check

T = TypeVar("T")
SHARED = "PNP_TESTS_SHARED"  # in the environment: the folder


def once(name: str, make: Callable[[], T]) -> T:
    """What `make` returns, which a pickle can hold. No two processes make it at a time."""
    path = Path(os.environ[SHARED], name)
    with path.with_suffix(".lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            path.write_bytes(pickle.dumps(make()))
    made: T = pickle.loads(path.read_bytes())
    return made


def findings(game: str) -> list[Problem]:
    """What `pnp check` finds of a game of the house."""
    return once(f"findings of {game}", lambda: check(game))
