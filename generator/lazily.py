"""Load the names of a package when they are first used: most commands need few of its modules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def load_lazily(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """A `__getattr__` (PEP 562) for a package; `modules` has the module of each name."""

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
