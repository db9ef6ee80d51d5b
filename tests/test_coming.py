"""What a designer from another tool is told to write works: it is written into a game and drawn."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from generator import pipeline
from generator.basics.errors import PnpError
from tests.conftest import Pnp
from tests.game.tiny import BOX, DOT, drawn, tiny, write
from tests.test_guide import properties

PAGE = (Path(__file__).parents[1] / "docs/coming.md").read_text("utf-8")
TOOLS = ("Squib", "nanDECK", "CardMaker", "protograf")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ROWS = {tool: re.findall(r"^\| (.+) \| (.+) \|$", SECTIONS[tool], re.MULTILINE) for tool in TOOLS}
CODE = [(tool, code) for tool, rows in ROWS.items() for _, now in rows[1:] for code in re.findall(r"`([^`]+)`", now)]
DRAWN = [(tool, code) for tool, code in CODE if code.startswith(("<", "{{"))]
TYPED = sorted({code for _, code in CODE if code.startswith("pnp ")})
KEYS = sorted({(m[1] or m[2]) for _, c in CODE if (m := re.match(r"(\w+) = |\[(\w+)", c))})
CELLS = {
    "name": "Ferry", "text": "Carry up to three goods.", "cost": 4, "kind": "sea", "art": "dot.svg",
    "icons": "heart coin", "url": "https://example.org",
}  # fmt: skip


def test_every_tool_has_a_table() -> None:
    assert all(10 <= len(rows[1:]) <= 20 for rows in ROWS.values())
    assert len(DRAWN) >= 20
    assert len(TYPED) >= 5


@pytest.mark.parametrize(("tool", "code"), DRAWN, ids=lambda value: str(value)[:40])
def test_what_belongs_in_a_drawing_is_drawn(tool: str, code: str, tmp_path: Path) -> None:
    game = tiny(tmp_path / tool.lower())
    box = "" if 'id="rules"' in code else BOX.replace('"box"', '"rules"').format(36, 50)
    body = code if code.startswith("<") else f'<text x="2" y="9">{code}</text>'
    write(game, box + body)
    front = (game / "front.svg").read_text("utf-8").replace('<g pnp:if="x and t"/>', "")
    (game / "front.svg").write_text(front, "utf-8")
    (game / "art").mkdir()
    (game / "art/icons.svg").write_text(DOT.replace("<circle", '<circle id="heart"'), "utf-8")
    (game / "cards.json").write_text(json.dumps([CELLS]), "utf-8")
    spec = (game / "game.toml").read_text("utf-8").replace("cards.csv", "cards.json")
    looked_up = '[component.lookup.kind]\nrow = [{ id = "sea", colour = "red" }]\n'
    (game / "game.toml").write_text(spec + looked_up * (".colour" in code), "utf-8")
    assert len(drawn(game)) == 1


def test_what_no_template_takes_is_found(tmp_path: Path) -> None:
    with pytest.raises(PnpError, match="the column 'price' is missing"):
        test_what_belongs_in_a_drawing_is_drawn("Squib", '<g pnp:if="price > 3"/>', tmp_path)


@pytest.mark.parametrize("command", TYPED)
def test_what_belongs_in_a_terminal_is_known(command: str, pnp: Pnp) -> None:
    result = pnp(*shlex.split(command)[1:], "--help")
    assert result.exit_code == 0, result.output


def test_keys_are_keys() -> None:
    assert {"size", "table", "bleed", "template", "component"} <= set(KEYS)
    assert set(KEYS) <= properties(pipeline.schema())
