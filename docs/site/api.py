"""Make the page of the API: the public names of `generator`, and what an addition is given."""

import inspect
import re
from importlib import import_module
from itertools import groupby

from msgspec import Struct
from sphinx.application import Sphinx

import generator
from generator import plugins
from generator.basics.keys import described

_NAMED = re.compile(r"(\w+): +")
_ENTRY = re.compile(r"\w+: | ")
_ABOUT = """# API

What Python code may call, and what a renderer, a check or an exporter of your own is given: a
package imports these names from `generator.plugins`, which has a few more. Whatever is not on this
page may change without a word. Lengths are millimetres; y runs down.
"""
_OPTIONS = """
The fields of a renderer, a check or an exporter are the options that a spec or a command may set.
Their types are plain ones, with the annotations beside `Keys`; these read what a spec says in its
own way:
"""
_ADDITIONS = {
    "A package": "require",
    "Keys": "Keys describe matching Custom Before After Reads ReadsWith Schema KeyMisfitError",
    "A check": "Check Declared",
    "A renderer": "Renderer Feature PlacedLayer Layer Canvas Point Size Rect Affine",
    "An exporter": "Exporter Kit ExportedFile",
    "Values": "Game Component Piece Column Art Face Sheet Page Placement",
    "Faults": "Problem PnpError MisfitError fail quote Place",
}


def text() -> str:
    """The page as Markdown, its docstrings still to be read by Sphinx."""
    parts = [_ABOUT]
    parts += ["## The library", *(_directive("generator", name) for name in generator.__all__)]
    parts += ["## Options", _OPTIONS, _option_types()]
    for title, names in _ADDITIONS.items():
        parts.append(f"## {title}")
        parts += [_directive("generator.plugins", name) for name in names.split() if name not in generator.__all__]
    return "\n\n".join(parts) + "\n"


def _option_types() -> str:
    """What each type of a field stands for in a spec, as a table."""
    rows = ["| type | in a spec |", "|---|---|"]
    for name, kind in sorted(vars(plugins).items()):
        is_type = not isinstance(kind, type)  # of a field; a class is a table of its own
        is_named = is_type and not name.startswith("_")
        rows += [f"| `{name}` | {described(kind)} |"] if is_named and described(kind) else []
    return "\n".join(rows)


def read_docstring(_app: Sphinx, _kind: str, _name: str, _thing: object, _options: object, lines: list[str]) -> None:
    """Make a list of each paragraph of a docstring that says `name: what it is` line by line."""
    lines[:] = [
        line
        for is_text, paragraph in groupby(lines, key=bool)
        for line in (_listed(list(paragraph)) if is_text else paragraph)
    ]


def _listed(paragraph: list[str]) -> list[str]:
    if paragraph[0][0] == " " or not all(map(_ENTRY.match, paragraph)):
        return paragraph
    return [_NAMED.sub(r"- `\1`: ", line) if line[0] != " " else f"  {line.strip()}" for line in paragraph]


def read_signature(_app: Sphinx, _kind: str, _name: str, thing: object, *_: object) -> tuple[str, str] | None:
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
