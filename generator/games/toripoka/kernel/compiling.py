"""Functions to machine code, by numba."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

# No divisor is 0, so nothing looks for it. What no one calls from outside needs no way in: without
# them it takes less time to compile.
_HOW = {"error_model": "numpy", "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compiled with the first function that calls it; only compiled functions can."""
    return cast(F, njit(no_cpython_wrapper=True, **_HOW)(function))


def kept(function: F) -> F:
    """Compiled at its first call and kept as Python keeps bytecode: beside its module, or in the
    user's folder for such things; nowhere if neither can be written."""
    try:
        return cast(F, njit(cache=True, **_HOW)(function))
    except RuntimeError:  # numba's way to say so
        return cast(F, njit(**_HOW)(function))


def edition() -> str:
    """A digest of this room. numba compiles a kept function anew if its module differs, or a text
    that it takes from around it, but not if another module does."""
    paths = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
