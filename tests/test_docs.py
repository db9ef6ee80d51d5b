"""What pages say of the code is so: its files, what they define, and the values of a card."""

from __future__ import annotations

import ast
import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Golden

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CARD = ROOT / "docs/design/a-card.md"
READERS = {"ring.py", "light.py"}  # files that a page asks its reader to make
CODE = [path for room in ("generator", "tests") for path in (ROOT / room).rglob("*.py")]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def files_of(name: str) -> list[Path]:
    """The modules that a page may mean by the end of a path; GAME is any game."""
    end = "/" + name.replace("GAME", "talavera")
    return [path for path in CODE if path.as_posix().endswith(end)]


def prose(page: Path) -> str:
    return re.sub(r"(?s)^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE)


def names_in(path: Path) -> set[str]:
    """The classes, functions, methods and constants that a module defines, and its own name."""
    names = {*path.parts, path.stem}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                names.add(name)
    return names


@each_page
def test_every_module_that_a_page_names_is_there(page: Path) -> None:
    named = set(re.findall(r"`([\w./-]+\.py)`", prose(page))) - READERS
    assert [name for name in sorted(named) if not files_of(name)] == []


@each_page
def test_what_a_page_says_is_in_a_module_is_defined_there(page: Path) -> None:
    said = re.findall(r"`([\w.]+)`\s+(?:in\s+|\()`([\w./-]+\.py)`", prose(page))
    wrong = [
        f"{name} in {file}"
        for name, file in said
        if not any(names_in(path).issuperset(name.split(".")) for path in files_of(file))
    ]
    assert wrong == []


def test_a_card_has_the_values_of_its_page(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each block of code prints is the text under it."""
    monkeypatch.chdir(ROOT)
    scope: dict[str, Any] = {}
    said = CARD.read_text("utf-8")

    def rerun(block: re.Match[str]) -> str:
        with redirect_stdout(io.StringIO()) as printed:
            exec(block["code"], scope)
        return f"```python\n{block['code']}```\n\n```text\n{printed.getvalue()}```\n"

    pattern = r"(?s)```python\n(?P<code>.*?)```\n\n```text\n.*?```\n"
    now, hops = re.subn(pattern, rerun, said)
    assert hops == len(re.findall(r"(?m)^## ", said)) == 12
    golden(CARD, now)
