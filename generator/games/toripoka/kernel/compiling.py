"""Functions to machine code, by numba."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compiled with the first function that calls it."""
    return cast(
        F, njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    )


def kept(function: F) -> F:
    """Compiled at its first call and kept as Python keeps bytecode: beside its module, or in the
    user's folder for such things; nowhere if neither can be written."""
    try:
        return cast(F, njit(cache=True, error_model="numpy", no_cfunc_wrapper=True)(function))
    except RuntimeError:  # numba's way to say so
        return compiled(function)


def edition() -> str:
    """A digest of this room. numba compiles anew when the module of a kept function or a text that
    it takes from around it differs, but not when another module does."""
    paths = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
