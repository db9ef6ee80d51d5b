"""Patterns that are compiled late are those of `re`."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import generator
from generator.patterns import LatePattern, compile_late

TEXT = "a 12, b 3"


def test_a_pattern_finds_the_same() -> None:
    late, due = compile_late(r"([a-z]) (\d+)", re.IGNORECASE), re.compile(r"([A-Z]) (\d+)", re.I)
    for pattern in (late, due):
        assert [one.span() for one in pattern.finditer(TEXT)] == [(0, 4), (6, 9)]
    assert late.findall(TEXT) == due.findall(TEXT)
    assert late.sub(r"\2", TEXT) == due.sub(r"\2", TEXT) == "12, 3"
    assert late.groups == due.groups


def test_a_pattern_of_bytes_finds_bytes() -> None:
    assert compile_late(rb"\d+").findall(b"12 3") == [b"12", b"3"]


def test_a_faulty_pattern_is_told_when_it_is_used() -> None:
    pattern = compile_late("(")
    with pytest.raises(re.error):
        pattern.match("a")


def test_all_patterns_of_the_generator_are_sound() -> None:
    names = [one.name for one in pkgutil.walk_packages(generator.__path__, "generator.")]
    apart = "__main__", "_worker"  # run when they are imported
    modules = [importlib.import_module(name) for name in names if not name.endswith(apart)]
    patterns = [
        one for module in modules for one in vars(module).values() if isinstance(one, LatePattern)
    ]
    assert len(patterns) > 100
    for pattern in patterns:
        re.compile(pattern.pattern, pattern.flags)
