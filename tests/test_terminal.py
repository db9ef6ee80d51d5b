"""Nothing that a game or an option holds steers the terminal that its message is read on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from generator.basics.errors import NO_LINE
from generator.cli import main
from tests.bad_specs.games import HERE
from tests.bad_specs.made import SVG, append, both, family, font, pipe, replace, write

STEERS = "\x1b[2J\x1b]0;gone\x07"  # clears the screen, names the window
TURNS = "\x85\u2028\u202e\u2066"  # text in UTF-8 may hold it: breaks of lines, turned words
_KEY = '"\\u001b[2J\\u202e"'  # in TOML


def _spelt(old: str, new: str) -> Callable[[Path], None]:
    return replace("game.toml", old, new)


def _sheet(folder: Path) -> None:
    book = openpyxl.Workbook()
    book.create_sheet(f"Cards{TURNS}")
    book.save(folder / "cards.xlsx")
    _spelt("cards.csv", f"cards.xlsx#Card{TURNS}")(folder)


def _template(content: str) -> Callable[[Path], None]:
    front = '[component.front]\ntemplate = "front.svg"\nlayers.nothing = false\n'

    def break_(folder: Path) -> None:
        text = (folder / "game.toml").read_text("utf-8")
        head, _, rest = text.partition("[component.front]")
        rule = rest[rest.index("[[component.rule]]") :]
        (folder / "game.toml").write_text(f"{head}{front}\n{rule}", "utf-8")
        write("front.svg", f"{SVG}{content}</svg>")(folder)

    return break_


HOSTILE: dict[str, Callable[[Path], None]] = {
    "a key": append("game.toml", f"\n[game.{_KEY}]\n"),
    "a colour's name": _spelt("[palette]", f'[palette]\n{_KEY} = "#12345"'),
    "a colour": _spelt('ink = "#1f3f8c"', f"ink = {_KEY}"),
    "a picture's name": _spelt("[art]", f'[art]\n{_KEY} = "a.svg"'),
    "a picture's file": _spelt('"dot.svg"', f'"{TURNS}.svg"'),
    "an id": _spelt('id = "cards"', f"id = {_KEY}"),
    "a rule": _spelt('kind = "count"', f"kind = {_KEY}"),
    "a variant": append("game.toml", f"\n[variant.{_KEY}]\nabout = 'x'\n"),
    "a column": replace("cards.csv", "id,dot", f"id,dot,{TURNS}"),
    "a cell": replace("cards.csv", "1,1", f"1,{TURNS}"),
    "an id of a row": replace("cards.csv", "1,1", f"{TURNS},1"),
    "a key of JSON": both(
        write("cards.json", '[{"id": 1, "dot": 1, "\\u001b[2J\\ud800": 1}]'), _spelt("cards.csv", "cards.json")
    ),
    "a sheet": _sheet,
    "the name of a font": font("fonts/own.ttf", family("Abril\x1b[2J\x1b]0;")),
    "the file of a font": write(f"fonts/{STEERS}.ttf", "no font"),
    "a file that is no text": pipe(os.fsdecode(b"fonts/\xff\xfe")),
    "an icon": write(f"icons/{STEERS}.svg", "no drawing"),
    "a name space": write("dot.svg", f'{SVG}<g xmlns:p="a\x7f&#10;b"/></svg>'),
    "an attribute": write("dot.svg", f'{SVG}<g fill="url(#{TURNS})" onload=""/></svg>'),
    "an id in a drawing": write("dot.svg", f'{SVG}<use href="{TURNS}"/></svg>'),
    "a font in a drawing": write("dot.svg", f'{SVG}<text font-family="{TURNS}">a</text></svg>'),
    "a style": write("dot.svg", f"{SVG}<style>@import '{TURNS}';</style></svg>"),
    "an expression": _template(f"<text>{{{{ a{TURNS} }}}}</text>"),
    "a column of a template": _template(f"<text>{{{{ '{TURNS}' ~ tittle }}}}</text>"),
    "a layer": _template(f'<g id="nothin{TURNS}"/>'),
    "a link": _template(f'<image href="{TURNS}.png" width="1" height="1"/>'),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_game_that_would_steer_the_terminal(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(HERE / "_tiny", tmp_path / "game")
    (tmp_path / "game/fonts").mkdir()
    (tmp_path / "game/icons").mkdir()
    HOSTILE[name](tmp_path / "game")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["check", "./game"], color=True)  # else click takes some out
    is_warned = name in ("the name of a font", "the file of a font")  # the other fonts stay
    assert result.exit_code == (0 if is_warned else 1), result.output
    assert "pnp itself" not in result.output
    assert NO_LINE.search(result.output.replace("\n", "")) is None, ascii(result.output)
    level = "warning" if is_warned else "error"
    assert all(line.startswith((" ", level, "./game:")) for line in result.output.splitlines())


@pytest.mark.parametrize("command", [["check"], ["build"], ["build", "--plan"], ["diff"]])
def test_folder_whose_name_would_steer_the_terminal(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(HERE / "_tiny", tmp_path / STEERS)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*command, f"./{STEERS}"], color=True)
    assert result.exit_code == 1
    assert "is not one line of plain text" in result.output
    assert NO_LINE.search(result.output.replace("\n", "")) is None, ascii(result.output)
    assert not (tmp_path / "output").exists()


OPTIONS = ("--paper", "--margin", "--marks", "--only", "--lang", "--printer", "--flip", "--sides")


@pytest.mark.parametrize("option", [*OPTIONS, "--changed-since", "--nothing"])
def test_option_that_is_long_and_would_steer_the_terminal(
    option: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(HERE / "_tiny", tmp_path / "game")
    value = "x" * 100_000 + STEERS
    result = CliRunner().invoke(main, ["build", "./game", option, value], color=True)
    assert result.exit_code in (1, 2)
    assert "pnp itself" not in result.output
    assert len(result.output) < 2000
    assert NO_LINE.search(result.output.replace("\n", "")) is None, ascii(result.output)


def test_thousands_of_wrong_names_are_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(HERE / "_tiny", tmp_path / "game")
    monkeypatch.chdir(tmp_path)
    names = ",".join(f"n{number}" for number in range(20_000))
    result = CliRunner().invoke(main, ["build", "./game", "--only", names])
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "error: --only: Tiny has no part 'n0'",
        "    also: 'n1', 'n2', 'n3', 'n4', 'n5' and 19,994 more",
        "    hint: known: cards",
    ]
