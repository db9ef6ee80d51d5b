"""No regular expression takes the square of what it is given.

Every pattern in generator/ is run over long texts in the ways the code runs it; one that goes back
over what it has passed takes hours for them.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.conftest import bounded

ROOT = Path(__file__).parents[1]
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")
LETTERS = 20_000  # a square of them takes seconds, their number a thousandth of one
MOST_WORK = 0.25  # seconds of the processor, for each text
PARTS = (
    *"a10 -.,;:*/\"'()[]{}<>=#|\\\n_+e",
    "a ", "1 ", " a", "-1", "1.", ".0", "a.", "a-", "a:", ":a", "a=", "a,", "[a", "](", "{{", "}}",
    "/*", "*/", "''", '""', '\\"', "\n ", " \n", "a\n", "a;", "#a", "<a", "1e", "::", "||", "\\|",
    "url(", "@import ", "a[b=c", "in ", "a in ", "scale(", "scale(1 ", "font-family", "{% ",
)  # fmt: skip
TEXTS = [start + part * (LETTERS // len(part)) + "!" for part in PARTS for start in ("", "a", "-1")]


class Use(Struct, frozen=True):
    """A pattern, one way in which it is run, and where that is."""

    pattern: re.Pattern[Any]
    method: str
    where: str


def modules() -> Iterator[str]:
    """Those that run patterns, by name."""
    for path in sorted((ROOT / "generator").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if path.name not in ("__init__.py", "__main__.py"):
            text = path.read_text("utf-8")
            is_used = any(f".{method}(" in text for method in METHODS)
            if "import re\n" in text or "matching(" in text or is_used:
                yield name


@cache
def tree_of(name: str) -> ast.Module:
    return ast.parse((ROOT / name.replace(".", "/")).with_suffix(".py").read_text("utf-8"))


@cache
def uses(name: str) -> list[Use]:
    """What a module does with patterns, each once."""
    return sorted(set(find_uses(name)), key=lambda use: (use.where, use.method, str(use.pattern.pattern)))


def find_uses(name: str) -> Iterator[Use]:
    known = vars(importlib.import_module(name))
    for call in (node for node in ast.walk(tree_of(name)) if isinstance(node, ast.Call)):
        function = call.func
        if isinstance(function, ast.Name) and function.id == "matching":
            yield Use(re.compile(value_of(call.args[0], known)), "search", f"{name}:{call.lineno}")
        if not isinstance(function, ast.Attribute) or function.attr not in METHODS:
            continue
        pattern = pattern_of(function.value, call, known)
        if pattern is not None:
            yield Use(pattern, function.attr, f"{name}:{call.lineno}")


def pattern_of(holder: ast.expr, call: ast.Call, known: dict[str, Any]) -> re.Pattern[Any] | None:
    """The pattern of `re.match(PATTERN, …)` or `PATTERN.match(…)`, if it can be told."""
    if isinstance(holder, ast.Name) and holder.id == "re":
        flags = next((word.value for word in call.keywords if word.arg == "flags"), None)
        try:
            return re.compile(value_of(call.args[0], known), value_of(flags, known) if flags else 0)
        except NameError:  # made of what only the function knows
            return None
    found = known.get(holder.id) if isinstance(holder, ast.Name) else None
    return found if isinstance(found, re.Pattern) else None


def value_of(node: ast.expr, known: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), known)


def run_over_all(use: Use) -> None:
    for text in TEXTS:
        with bounded(MOST_WORK, f"{use.method} at {use.where}"):
            run(use, text)


def run(use: Use, words: str) -> None:
    is_text = isinstance(use.pattern.pattern, str)
    text = words if is_text else words.encode()
    match use.method:
        case "finditer":
            for _ in use.pattern.finditer(text):
                pass
        case "sub" | "subn":
            use.pattern.sub(text[:0], text)
        case _:
            getattr(use.pattern, use.method)(text)


@pytest.mark.parametrize("name", list(modules()))
def test_it_takes_no_square(name: str) -> None:
    for use in uses(name):
        run_over_all(use)


def test_a_square_is_found() -> None:
    """As the pattern of style rules once was."""
    once = Use(re.compile(r"([^{}]*)\{([^{}]*)\}"), "findall", "")
    with pytest.raises(pytest.fail.Exception), bounded(MOST_WORK):
        run_over_all(once)


def test_all_are_found() -> None:
    found = {name: uses(name) for name in modules()}
    named = {name for name in found if any(map(imports_patterns, tree_of(name).body))}
    not_run = {name for name in named if not found[name]}
    assert not not_run, "patterns that are not run"
    assert {"generator.tables.fields", "generator.faces.areas"} <= {name for name in found if found[name]}
    assert sum(map(len, found.values())) > 60


def imports_patterns(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and node.names[0].name == "re"
