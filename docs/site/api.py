"""Make the page of the API: the public names of `generator`, and what an addition is given."""

import inspect
import re
from importlib import import_module
from itertools import groupby

from msgspec import Struct
from sphinx.application import Sphinx

import generator
from generator.basics.keys import described
from generator.tables import fields

_NAMED = re.compile(r"(\w+): +")
_ENTRY = re.compile(r"\w+: | ")
_ABOUT = """# API

What Python code may call, and what a renderer, a check or an exporter of your own is given.
Whatever is not on this page may change without a word. Lengths are millimetres; y runs down.
"""
_OPTIONS = """
The fields of a renderer, a check or an exporter are the options that a spec or a command may set.
Their types are plain ones, with the annotations of `generator.basics.keys`; those of
`generator.tables.fields`
read what a spec says in its own way:
"""
_ADDITIONS = {
    "Keys": {
        "generator.basics.keys": [
            "Keys",
            "describe",
            "matching",
            "Custom",
            "Before",
            "After",
            "Reads",
            "ReadsWith",
            "Schema",
            "KeyMisfitError",
        ]
    },
    "A check": {"generator.model": ["Check"], "generator.checks.table": ["Declared"]},
    "A renderer": {
        "generator.model": ["Renderer", "Feature", "PlacedLayer", "Layer"],
        "generator.faces.canvas": ["Canvas"],
        "generator.basics.geometry": ["Point", "Size", "Rect", "Affine"],
    },
    "An exporter": {
        "generator.export.exporter": ["Exporter", "Kit", "ExportedFile"],
    },
    "Values": {
        "generator.model": [
            "Game",
            "Component",
            "Piece",
            "Column",
            "Art",
            "Face",
            "Sheet",
            "Page",
            "Placement",
        ]
    },
    "Faults": {
        "generator.basics.errors": ["Problem", "PnpError", "MisfitError", "fail", "quote", "Place"],
    },
}


def text() -> str:
    """The page as Markdown, its docstrings still to be read by Sphinx."""
    parts = [_ABOUT]
    parts += ["## The library", *(_directive("generator", name) for name in generator.__all__)]
    parts += ["## Options", _OPTIONS, _option_types()]
    for title, modules in _ADDITIONS.items():
        parts.append(f"## {title}")
        parts += [
            _directive(module, name)
            for module, names in modules.items()
            for name in names
            if name not in generator.__all__
        ]
    return "\n\n".join(parts) + "\n"


def _option_types() -> str:
    """What each type of `generator.tables.fields` stands for in a spec, as a table."""
    rows = ["| type | in a spec |", "|---|---|"]
    for name, kind in vars(fields).items():
        told = described(kind)
        rows += [f"| `{name}` | {told} |"] if told else []
    return "\n".join(rows)


def read_docstring(
    _app: Sphinx, _kind: str, _name: str, _thing: object, _options: object, lines: list[str]
) -> None:
    """Make a list of each paragraph of a docstring that says `name: what it is` line by line."""
    lines[:] = [
        line
        for is_text, paragraph in groupby(lines, key=bool)
        for line in (_listed(list(paragraph)) if is_text else paragraph)
    ]


def _listed(paragraph: list[str]) -> list[str]:
    if paragraph[0][0] == " " or not all(map(_ENTRY.match, paragraph)):
        return paragraph
    return [
        _NAMED.sub(r"- `\1`: ", line) if line[0] != " " else f"  {line.strip()}"
        for line in paragraph
    ]


def read_signature(
    _app: Sphinx, _kind: str, _name: str, thing: object, *_: object
) -> tuple[str, str] | None:
    """A class whose fields follow needs no signature, and a protocol has none."""
    has_fields = (inspect.isclass(thing) and issubclass(thing, Struct)) or hasattr(thing, "_fields")
    return ("", "") if has_fields or getattr(thing, "_is_protocol", False) else None


def _directive(module: str, name: str) -> str:
    thing = getattr(import_module(module), name)
    lines = [f".. auto{_kind(thing)}:: {module}.{name}"]
    if inspect.isclass(thing):
        lines += ["   :members:", "   :undoc-members:"]
    return "\n".join(["```{eval-rst}", *lines, "```"])


def _kind(thing: object) -> str:
    if inspect.isclass(thing):
        return "exception" if issubclass(thing, BaseException) else "class"
    return "function" if callable(thing) else "data"
