"""The public library: what docs/library.md says of it is so."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click import Context

import generator
from generator import cli, library
from generator.pipeline import PrintOptions
from tests.conftest import Pnp
from tests.support.printing import TEMPLATES

PAGE = (Path(__file__).parents[1] / "docs/library.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
# An example that says what it comes to: `expression  # 'value'`, with `...` for what may be there.
SAID = re.compile(r"^(?P<code>[^#\n]+?)  # (?P<value>['\[].*)$", re.MULTILINE)


def matches(said: str, value: object) -> bool:
    pattern = ".*".join(map(re.escape, said.split("...")))
    return re.fullmatch(pattern, repr(value)) is not None


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    said = 0
    for block in BLOCKS:
        exec(block, names)
        for example in SAID.finditer(block):
            value = eval(example["code"], names)
            assert matches(example["value"], value), (example[0], value)
            said += 1
    assert said == 6
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "pictures/overview.png").exists()


def test_every_public_name_is_documented_and_no_other() -> None:
    listed = PAGE[PAGE.index("## All names") :].split("\n\n")[1]
    assert re.findall(r"`(\w+)`", listed) == generator.__all__
    for name in generator.__all__:
        assert f"`{name}`" in PAGE or f"pnp.{name}" in PAGE
        assert getattr(generator, name) is not None
    assert dir(generator) == generator.__all__


def test_every_function_of_the_library_is_public() -> None:
    functions = {
        name for name, value in vars(library).items() if inspect.isfunction(value) and not name.startswith("_")
    }
    assert functions == {name for name in generator.__all__ if name.endswith(("_game", "_games"))}


def test_a_path_may_be_a_text() -> None:
    """Whatever takes a Path takes a text: each parameter of a function, and each option."""
    functions = (value for value in vars(library).values() if inspect.isfunction(value))
    taken = dict[str, object](PrintOptions.__annotations__)
    for function in functions:
        for name, parameter in inspect.signature(function).parameters.items():
            taken[f"{function.__name__} {name}"] = parameter.annotation
    written = {name: getattr(kind, "__forward_arg__", str(kind)) for name, kind in taken.items()}
    paths = {name: set(re.findall(r"\w+", kind)) for name, kind in written.items() if "Path" in kind}
    assert {"profile", "print_game output", "export_game folder"} < paths.keys()
    assert {name for name, types in paths.items() if "str" not in types} == set()


def test_a_broken_rule_stops_a_print_but_no_plan(tmp_path: Path, pnp: Pnp) -> None:
    game = copytree(TEMPLATES / "talavera", tmp_path / "talavera")
    spec = game / "game.toml"
    spec.write_text(spec.read_text("utf-8").replace("equals = 18", "equals = 17"), "utf-8")
    with pytest.raises(generator.PnpError) as broken:
        generator.print_game(game, str(tmp_path / "cards.pdf"), only=["cards"])
    assert not (tmp_path / "cards.pdf").exists()
    plan = generator.plan_game(game, only=["cards"])
    assert plan.faults == list(broken.value.problems) != []
    assert plan.rows == generator.plan_game("talavera", only=["cards"]).rows
    result = pnp("build", str(game), "--plan", "--only", "cards")
    assert result.exit_code == 1
    assert result.stdout.startswith("cards: 18 pieces on 2 sheets")
    assert str(plan.faults[0]) in result.stderr


def test_every_option_is_documented_and_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert rows == list(PrintOptions.__annotations__)


@pytest.mark.parametrize("command", ["build", "export", "preview"])
def test_the_command_line_has_the_same_options(command: str) -> None:
    """By their own names, but for the language."""
    found = cli.main.get_command(Context(cli.main), command)
    assert found
    options = {option.name for option in found.params} - {"lang"} | {"language"}
    of_build = {"changed_since", "colour", "draft", "ink_limit", "profile"}
    every = {name.removeprefix("is_") for name in options}
    wanted = PrintOptions.__annotations__.keys()
    assert (wanted if command == "build" else wanted - of_build) <= every


@pytest.mark.parametrize("statement", ["import generator", "from generator import print_game"])
def test_to_import_it_loads_next_to_nothing(statement: str) -> None:
    script = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.startswith("generator")} <= {"generator", "generator.library"}
    assert not loaded & {"click", "msgspec", "lxml", "typst", "pikepdf", "PIL"}


def test_type_checkers_know_that_it_is_typed() -> None:
    """That they see its options is what the ignored faults below show: mypy warns of a needless
    one."""
    assert (Path(generator.__file__).parent / "py.typed").read_bytes() == b""


def test_a_path_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(generator.PnpError, match="there is no such folder"):
        generator.load_game(Path("talavera"))
    assert generator.load_game("talavera").title == "Talavera"


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="papr"):
        generator.print_game("talavera", papr="a4")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="papr"):
        generator.plan_game("talavera", papr="a4")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"paper": "a44"}, "there is no such paper"),
        ({"sides": "both"}, "sides 'both': there is no such choice"),
        ({"flip": "left"}, "flip 'left': there is no such choice"),
        ({"orientation": "up"}, "there is no such choice"),
        ({"booklet": "no"}, "there is no such choice"),
        ({"margin": 80.0}, "wider than 50 mm"),
        ({"margin": -1.0}, "margin"),
        ({"gap": -1.0}, "negative"),
        ({"gap": 51.0}, "wider than 50 mm"),
        ({"scale": 75}, "10 % to 400 %"),
        ({"scale": "0.75"}, "not a percentage"),
        ({"only": ["card"]}, "has no part 'card'"),
    ],
)
def test_a_wrong_option_is_reported(options: PrintOptions, message: str) -> None:
    with pytest.raises(generator.PnpError, match=message):
        generator.plan_game("talavera", **options)


def test_a_margin_in_millimetres_is_that_of_the_command_line(pnp: Pnp) -> None:
    plan = generator.plan_game("talavera", margin=14.0, only=["cards"])
    result = pnp("build", "talavera", "--plan", "--margin", "14mm", "--only", "cards")
    assert f"{plan.rows[0].per_sheet} per sheet" in result.output
    assert plan.rows[0].per_sheet != generator.plan_game("talavera").rows[0].per_sheet


def test_a_gap_and_a_scale_are_numbers_too() -> None:
    said = generator.plan_game("talavera", gap="2.5mm", scale="150%", only=["cards"])
    assert generator.plan_game("talavera", gap=2.5, scale=1.5, only=["cards"]) == said


def test_progress_names_the_steps(tmp_path: Path) -> None:
    steps: list[str] = []
    generator.print_game("talavera", tmp_path, only=["cards"], progress=steps.append)
    assert steps == ["reading", "drawing faces", "imposing", "printing"]
    assert [path.name for path in tmp_path.iterdir()] == ["talavera.pdf"]
