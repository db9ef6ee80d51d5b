"""What a page learns of a face to edit it, and what it may ask for."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.studio.showing import QUEST, Shown, await_event, showing
from tests.support.declared import declared_types, misfits
from tests.support.serving import Reply, ask

TYPES = declared_types("generator.studio")
_LAYOUT = """
[[component]]
id = "lay"
title = "Lay"
table = "lay.csv"
[component.front]
layout = "poker-classic"
columns = { title = "kind" } # as it is
[component.back]
renderer = "talavera.tiles"
slots.dragon = [["5mm", "5mm"]]
tile = "10mm"
ground = "ember"
ink = "paper"
number_font = "Alegreya Sans"
number_size = "4mm"
ornament = "dragon"
ornament_size = "10mm"
"""


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("face")
    shutil.copytree(QUEST, folder / "quest")
    (folder / "quest/lay.csv").write_text("id,kind,dragon\none,foe,1\n", "utf-8")
    with (folder / "quest/game.toml").open("a", encoding="utf-8") as file:
        file.write(_LAYOUT)
    with showing(folder / "quest", journals=folder / "journals") as shown:
        await_event(shown.session.listen(), "state")
        yield shown


def with_key(quest: Shown, path: str, message: object = None) -> Reply:
    headers = {"X-Key": quest.server.key}
    if message is None:
        return ask(quest.server, path, headers=headers)
    return ask(quest.server, path, headers, "POST", json.dumps(message).encode())


def parts(quest: Shown, key: str) -> Any:
    answer = with_key(quest, f"/parts?face={quote(key)}")
    assert answer.status == 200, answer.content
    return json.loads(answer.content)


def test_parts_are_what_is_declared(quest: Shown) -> None:
    told = parts(quest, "cards/dragon/front")
    assert list(misfits(TYPES, told, "FaceParts")) == []
    assert told["file"] == "front.svg"
    assert {"text", "picture", "layer"} < {part["kind"] for part in told["parts"]}


def test_a_renderer_has_its_keys(quest: Shown) -> None:
    told = parts(quest, "lay/one/back")
    assert "Abril Fatface" in told.pop("families")
    assert told.keys() == {"schema"}
    assert "mm|cm" in told["schema"]["properties"]["number_size"]["pattern"]


@pytest.mark.parametrize("key", ["cards/none/front", "none/dragon/front", "", "cards/dragon/left"])
def test_an_unknown_face_has_no_parts(quest: Shown, key: str) -> None:
    assert "parts" not in parts(quest, key)


def test_all_need_the_key(quest: Shown) -> None:
    assert ask(quest.server, "/parts?face=cards/dragon/front").status == 401
    for path in "/launch", "/copy":
        assert ask(quest.server, path, method="POST", body=b"{}").status == 401
        assert with_key(quest, path).status == 404  # a link or a picture could ask for it


def test_only_a_file_of_the_game_is_opened(quest: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    for name in "xdg-open", "open":
        (tmp_path / name).write_text(f'#!/bin/sh\nprintf %s "$*" > "{opened}"\n', "utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for id_ in "front.svg", "../quest/front.svg", "":
        assert with_key(quest, "/launch", id_).status == 409
    id_ = next(file.id for file in quest.session.editor.files() if file.name == "front.svg")
    assert with_key(quest, "/launch", id_).status == 204
    assert opened.read_text("utf-8") == str(quest.folder / "front.svg")


def test_a_layout_becomes_a_drawing_of_the_game(quest: Shown) -> None:
    assert with_key(quest, "/copy", {}).status == 204
    spec = (quest.folder / "game.toml").read_text("utf-8")
    assert 'template = "poker-classic.svg"' in spec
    assert "layout =" not in spec
    assert 'size = "poker"' in spec
    assert "# as it is" in spec
    assert parts(quest, "lay/one/front")["file"] == "poker-classic.svg"
    again = with_key(quest, "/copy", {})
    assert (again.status, b"no side of a component has a layout" in again.content) == (409, True)
