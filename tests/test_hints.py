"""What a hint names is there: commands, their options, the keys and tables of a spec."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click

from generator import pipeline
from generator.cli import main
from generator.faces.templating.reading import _DIRECTIVES

ROOT = Path(__file__).parents[1] / "generator"
HINT_AT = {"fail": 2, "Problem": 2, "KeyFault": 2, "Fault": 2, "_SpecTextError": 2}
HINT_AT |= {"MisfitError": 1, "UsageError": 0}
OTHERS = {"--upgrade", "--oneline", "--unshallow", "--is-shallow-repository"}  # of pip and git
OPTION = r"(?<![\w-])--[a-z][a-z-]*"


def texts(node: ast.AST) -> Iterator[str]:
    """The texts in an expression, with {} in place of what is filled in."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.JoinedStr(parts):
            yield "".join(next(texts(part), "{}") for part in parts)
        case _:
            for part in ast.iter_child_nodes(node):
                yield from texts(part)


def hints_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(name)], value) if "hint" in name.lower():
                yield from texts(value)
            case ast.FunctionDef(name=name) if "hint" in name:
                yield from texts(node)
            case ast.keyword("hint", value):
                yield from texts(value)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), values):
                for value in values[HINT_AT.get(name, len(values)) :]:
                    yield from texts(value)


@cache
def hints() -> list[str]:
    code = (path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py")))
    found = [hint for text in code for hint in hints_in(ast.parse(text))]
    found += [(ROOT / "game/toml_faults.toml").read_text("utf-8")]
    assert len(found) > 500
    return found


@cache
def commands() -> dict[str, set[str]]:
    """The options of each command, by its name: "printer sheet"."""
    found: dict[str, set[str]] = {}
    context = click.Context(main)

    def walk(name: str, command: click.Command) -> None:
        if isinstance(command, click.Group):
            for word in command.list_commands(context):
                inner = command.get_command(context, word)
                assert inner
                walk(f"{name} {word}".strip(), inner)
        found[name] = {option for asked in command.params for option in asked.opts}

    walk("", main)
    return found


def test_commands_that_hints_name_are_there() -> None:
    """As "pnp printer sheet"; "pnp opens no address" is a sentence."""
    told = [words for hint in hints() for words in re.findall(r"\bpnp ([a-z]+)(?: ([a-z]+))?", hint)]
    assert len(told) > 8
    for word, then in told:
        assert word in commands() or word.endswith("s")
        if f"{word} list" in commands():
            assert f"{word} {then}" in commands()


def test_options_that_hints_name_are_there() -> None:
    every = set().union(*commands().values()) | OTHERS
    told = [option for hint in hints() for option in re.findall(OPTION, hint)]
    assert len(told) > 40
    assert set(told) <= every
    for hint in hints():
        for word, rest in re.findall(r"\bpnp ([a-z]+)([^;,`]*)", hint):
            assert set(re.findall(OPTION, rest)) <= commands().get(word, set())


def keys_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
    for inner in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(inner, dict | list):
            yield from keys_of(inner)


def test_keys_that_hints_name_are_there() -> None:
    """As `edge = "mirror"`, [component.front] and pnp:if."""
    known = {*keys_of(pipeline.schema())}
    keys = {key for hint in hints() for key in re.findall(r"(?<![\w.:-])([a-z][\w.]*) = ", hint)}
    tables = {name for hint in hints() for name in re.findall(r"(?<!\w)\[\[?([a-z][\w.]*)\]", hint)}
    assert min(len(keys), len(tables)) > 9
    assert {part for name in keys | tables for part in name.split(".")} <= known
    attributes = {name for hint in hints() for name in re.findall(r"\bpnp:([a-z-]+)", hint)}
    assert attributes
    assert attributes <= set(_DIRECTIVES)
