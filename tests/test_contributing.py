"""The pages for contributors promise only what works: what they show is written and run, and is the
package that .ci/wheel installs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import generator
from generator import pipeline, plugins
from generator.basics.catalogue import Catalogue
from generator.pipeline import EXPORTERS
from generator.pipeline.playtesting import ENGINES
from tests.support.walked import blocks, walk

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs/contributing").glob("*.md"))
ENGINES_PAGE = ROOT / "docs/contributing/first-engine.md"
SAMPLE = Path(__file__).parent / "sample_package"
PROMISED = [name for name in vars(plugins) if not name.startswith("_")]
CATALOGUES: dict[str, Catalogue[object]] = {
    "ENGINES": ENGINES,  # type: ignore[dict-item]
    "EXPORTERS": EXPORTERS,  # type: ignore[dict-item]
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_says_is_what_happens(page: Path, tmp_path: Path) -> None:
    runs = list(walk(page, tmp_path))
    commands = [run.command.split()[0] for run in runs]
    assert [command for command in commands if command != "pnp"] == ["pip", "pytest"]
    assert any(run.told for run in runs)
    for run in runs:
        is_sound = not (run.told or "").startswith("error")
        assert (run.exit_code == 0) == is_sound, run.output
        if run.told is not None:
            assert run.output == run.told, run.command


def test_the_pages_make_the_sample_package() -> None:
    shown: dict[str, list[str]] = {}
    for block in (block for page in PAGES for block in blocks(page) if block.file):
        shown.setdefault(block.file, []).append(block.text)
    files = {path.relative_to(SAMPLE).as_posix(): path for path in SAMPLE.rglob("*.*")}
    assert shown.keys() == {name for name in files if "__pycache__" not in name}
    project = files["pyproject.toml"].read_text("utf-8")
    for text in shown.pop("pyproject.toml"):
        assert all(part in project for part in text.split("\n\n"))
    for name, texts in shown.items():
        assert texts[0] == files[name].read_text("utf-8"), name


@pytest.fixture
def made(tmp_path: Path) -> dict[str, str]:
    """The files of a package that `pnp new --engine` makes."""
    pipeline.start(str(tmp_path / "tricks"), "cards", has_engine=True)
    paths = (path for path in (tmp_path / "tricks-engine").rglob("*") if path.is_file())
    return {path.name: path.read_text("utf-8") for path in paths}


def test_the_page_of_engines_shows_the_one_that_is_made(made: dict[str, str]) -> None:
    """Methods stand below the line of their class."""
    shown = [block.text for block in blocks(ENGINES_PAGE) if block.kind in ("python", "toml")]
    texts = "".join(made.values())
    assert len(shown) > 4
    assert [text for text in shown if text.removeprefix("class Tricks(Engine[Trick, str]):\n") not in texts] == []


def test_a_package_imports_nothing_but_the_contract(made: dict[str, str]) -> None:
    """Those of the pages, the sample package, a new engine: names of generator.plugins, and of generator."""
    pages = [block.text for page in PAGES for block in blocks(page) if block.kind == "python"]
    sample = (path.read_text("utf-8") for path in SAMPLE.rglob("*.py"))
    texts = [*pages, *sample, *(text for name, text in made.items() if name.endswith(".py"))]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    modules = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported = {(node.module, name.name) for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names}
    of_pnp = {(module, name) for module, name in imported if f"{module}.".startswith("generator.")}
    promised = {"generator.plugins": PROMISED, "generator": generator.__all__}
    assert ("generator.plugins", "Keys") in of_pnp
    assert [name for name in of_pnp if name[1] not in promised.get(name[0] or "", [])] == []
    assert [name for name in modules if name.partition(".")[0] == "generator"] == []


def test_what_a_version_of_the_contract_has_stays() -> None:
    """A new name belongs to a new version: a line of plugins.txt for each."""
    text = (Path(__file__).parent / "plugins.txt").read_text("utf-8")
    by_version = {int(number): names.split() for number, names in re.findall(r"(\d+):([^:\d]*)", text)}
    assert [*by_version] == list(range(1, plugins.VERSION + 1))
    names = [name for version in by_version.values() for name in version]
    assert sorted(names) == sorted(PROMISED)


def test_a_block_that_says_something_else_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\npnp list --names\n```\n\n```text\nchess\n```\n", "utf-8")
    (run,) = walk(page, tmp_path)
    assert run.told == "chess\n"
    assert run.output != run.told
    assert run.exit_code == 0


def test_the_tables_of_the_house_are_where_the_pages_say() -> None:
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    tables = dict(re.findall(r"line to `([A-Z]+)` in `(\S+)`", pages))
    assert tables.keys() == CATALOGUES.keys()
    for table, file in tables.items():
        assert f"\n{table}: Mapping[str, str] = {{" in (ROOT / file).read_text("utf-8")
        assert len(CATALOGUES[table])


def test_no_two_types_have_one_name() -> None:
    """As CONTRIBUTING says; a leading underscore makes no difference."""
    sources = (ROOT / "generator").rglob("*.py")
    trees = (ast.parse(path.read_text("utf-8")) for path in sources)
    types = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    counts = Counter(node.name.lstrip("_") for node in types)
    assert counts
    assert [name for name, count in counts.items() if count > 1] == []
