"""What a page may change, and how it is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.studio.journal import digest_of
from generator.web.server import JSON
from tests.studio.showing import QUEST, Shown, await_event, face_ids, showing
from tests.support.serving import Reply, ask

Headers = dict[str, str | None]
TITLE = {"do": "values", "values": [[["game", "title"], "x"]]}


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with showing(tmp_path_factory.mktemp("studio") / "quest", is_edited=True) as shown:
        yield shown


@pytest.fixture
def quest(studio: Shown) -> Shown:
    """The game as it was at first."""
    shutil.copytree(QUEST, studio.folder, dirs_exist_ok=True)
    return studio


def files(shown: Shown) -> dict[str, Any]:
    return {file["name"]: file for file in shown.session.editor.describe()["files"]}


def post(shown: Shown, message: dict[str, Any], headers: dict[str, str | None] | None = None) -> Reply:
    key = {"X-Key": shown.server.key}
    body = json.dumps(message).encode()
    return ask(shown.server, "/edit", key | (headers or {}), "POST", body)


def edit(shown: Shown, name: str, **message: Any) -> Reply:
    file = files(shown)[name]
    return post(shown, {"file": file["id"], "digest": file["digest"], **message})


def test_a_cell_is_a_line_of_the_table(quest: Shown) -> None:
    before = (quest.folder / "cards.csv").read_text("utf-8").splitlines()
    rows = quest.session.editor.table(files(quest)["cards.csv"]["id"])["rows"]
    assert rows[1]["where"] == "quest/cards.csv:2"
    seen = rows[1]["cells"][1]
    assert edit(quest, "cards.csv", do="cells", cells=[[1, 1, seen, "A new, title"]]).status == 200
    after = (quest.folder / "cards.csv").read_text("utf-8").splitlines()
    assert [at for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [1]
    assert '"A new, title"' in after[1]


def test_a_save_draws_the_faces_anew_and_is_undone(tmp_path: Path) -> None:
    with showing(tmp_path / "quest", is_edited=True) as quest:
        listener = quest.session.listen()
        was = face_ids(await_event(listener, "state"))
        path = ["palette", "dusk"]
        assert edit(quest, "game.toml", do="values", values=[[path, "#ffffff"]]).status == 200
        assert await_event(listener, "files")["spec"]["palette"]["dusk"] == "#ffffff"
        assert face_ids(await_event(listener, "state")) != was
        assert post(quest, {"do": "step", "way": "undo"}).status == 200
        assert face_ids(await_event(listener, "state")) == was
        assert (quest.folder / "game.toml").read_bytes() == (QUEST / "game.toml").read_bytes()
        quest.session.leave(listener)


def test_an_attribute_of_a_drawing_and_a_whole_text_are_saved(quest: Shown) -> None:
    assert edit(quest, "back.svg", do="attributes", element=0, values={"id": "back"}).status == 200
    assert b'id="back"' in (quest.folder / "back.svg").read_bytes()
    assert edit(quest, "game.toml", do="text", text="[game]\r\ntitle = 'Q'\r\n").status == 200
    assert (quest.folder / "game.toml").read_bytes() == b"[game]\ntitle = 'Q'\n"


def test_pictures_are_put_into_the_art(quest: Shown) -> None:
    headers = {"X-Key": quest.server.key, "Content-Type": "image/svg+xml", "X-Name": "..%2F..%2Fb%C3%A4r.svg"}
    answer = ask(quest.server, "/picture", headers, "POST", b"<svg/>")
    assert json.loads(answer.content) == {"path": "art/bär.svg"}
    assert (quest.folder / "art/bär.svg").read_bytes() == b"<svg/>"
    assert ask(quest.server, "/picture", headers, "POST", b"<svg id='2'/>").status == 409
    assert post(quest, {"do": "step", "way": "undo"}).status == 200
    assert not (quest.folder / "art/bär.svg").exists()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Key": None}, 401),
        ({"X-Key": "wrong"}, 401),
        ({"X-Key": "é"}, 401),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://example.org"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Length": "99999999"}, 413),
        ({"Content-Length": None}, 411),
    ],
)
def test_only_the_page_with_the_key_edits(quest: Shown, headers: Headers, status: int) -> None:
    assert post(quest, {"do": "step", "way": "undo"}, headers).status == status


@pytest.mark.parametrize("path", ["edit", "picture", "send", "run", "open", "launch", "copy"])
def test_no_other_page_writes_or_runs_anything(quest: Shown, path: str) -> None:
    """Neither a page of another site, nor one of this machine without the key."""
    before = {file: file.read_bytes() for file in quest.folder.rglob("*") if file.is_file()}
    kind = {"picture": "image/png", "send": "application/octet-stream"}.get(path, JSON)
    key = {"X-Key": quest.server.key, "X-Name": "x.png", "Content-Type": kind}
    for bad in ({"X-Key": "wrong"}, {"Origin": "http://example.org"}, {"Sec-Fetch-Site": "same-site"}):
        assert ask(quest.server, f"/{path}", key | bad, "POST", b"{}").status in (401, 403)
    assert {file: file.read_bytes() for file in quest.folder.rglob("*") if file.is_file()} == before


def test_the_second_of_two_pages_is_refused_and_told(quest: Shown) -> None:
    """Both saw the same file; the first edit stays."""
    seen = files(quest)["game.toml"]
    both = [
        {"file": seen["id"], "digest": seen["digest"], "do": "values", "values": [[["game", "title"], name]]}
        for name in "ab"
    ]
    first, second = (post(quest, message) for message in both)
    assert (first.status, second.status) == (200, 409)
    assert b"another program" in second.content
    assert 'title = "a"' in (quest.folder / "game.toml").read_text("utf-8")


@pytest.mark.parametrize("path", ["/edit", "/picture", "/text?file=x", "/rows?file=x"])
def test_nothing_is_changed_or_read_by_a_link(quest: Shown, path: str) -> None:
    assert ask(quest.server, path).status in (401, 404)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (TITLE | {"digest": "0"}, "another program"),
        (TITLE | {"file": "game.toml"}, "no such file"),
        (TITLE | {"file": "../x"}, "no such file"),
        ({"do": "cells", "cells": [[1, 1, "x", "y"]]}, "cannot be changed on the page"),
        ({"do": "text", "text": "a = "}, "not saved"),
        ({"do": "text", "text": 1}, "not understood"),
        ({"do": "values"}, "not understood"),
        ({"do": "nothing"}, "not understood"),
        ({"do": "text", "text": "", "more": 1}, "not understood"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(quest: Shown, message: dict[str, Any], why: str) -> None:
    before = (quest.folder / "game.toml").read_bytes()
    file = files(quest)["game.toml"]
    answer = post(quest, {"file": file["id"], "digest": file["digest"]} | message)
    assert (answer.status, why in answer.content.decode()) == (409, True), answer.content
    assert (quest.folder / "game.toml").read_bytes() == before


def test_a_cell_that_changed_meanwhile_is_refused(quest: Shown) -> None:
    answer = edit(quest, "cards.csv", do="cells", cells=[[1, 1, "not this", "x"]])
    assert (answer.status, b"changed the cell" in answer.content) == (409, True)
    assert edit(quest, "cards.csv", do="cells", cells=[[20_000, 1, "", "x"]]).status == 409
    assert edit(quest, "cards.csv", do="rows", rows=[0]).status == 409


def test_a_link_is_locked(quest: Shown) -> None:
    path = quest.folder / "back.svg"
    path.rename(quest.folder / "other.svg")
    path.symlink_to("other.svg")
    assert files(quest)["back.svg"]["locked"] == "it is a link"
    answer = edit(quest, "back.svg", do="attributes", element=0, values={"id": "x"})
    assert (answer.status, b"it is a link" in answer.content) == (409, True)
    path.unlink()


def test_nothing_is_written_behind_a_link(quest: Shown, tmp_path: Path) -> None:
    (quest.folder / "art").rename(quest.folder / "pictures")
    (quest.folder / "art").symlink_to(tmp_path)
    headers = {"X-Key": quest.server.key, "Content-Type": "image/png", "X-Name": "a.png"}
    answer = ask(quest.server, "/picture", headers, "POST", b"png")
    assert (answer.status, b"a link out of the game's folder" in answer.content) == (409, True)
    assert not list(tmp_path.iterdir())
    (quest.folder / "art").unlink()
    (quest.folder / "pictures").rename(quest.folder / "art")


def test_what_is_no_utf_8_is_refused(quest: Shown) -> None:
    (quest.folder / "game.toml").write_bytes(b"[game]\ntitle = '\xe4'\n")
    answer = edit(quest, "game.toml", do="values", values=[[["game", "title"], "x"]])
    assert (answer.status, b"not UTF-8" in answer.content) == (409, True)
    headers = {"X-Key": quest.server.key}
    for body in (b"\xff", b"[" * 100_000):
        assert ask(quest.server, "/edit", headers, "POST", body).status == 409


def test_files_stay_known_while_game_toml_cannot_be_read(quest: Shown) -> None:
    before = quest.session.editor.describe()
    for half in ("", "[game]\ntitle = "):
        (quest.folder / "game.toml").write_text(half, "utf-8")
        now = quest.session.editor.describe()
        assert [file["name"] for file in now["files"]] == [file["name"] for file in before["files"]], half
        assert now["spec"] == before["spec"]


def test_undo_leaves_what_another_program_wrote(quest: Shown) -> None:
    assert edit(quest, "game.toml", do="values", values=[[["game", "title"], "Mine"]]).status == 200
    quest.edit("game.toml", "Mine", "Theirs")
    answer = post(quest, {"do": "step", "way": "undo"})
    assert (answer.status, b"another program" in answer.content) == (409, True)
    assert "Theirs" in (quest.folder / "game.toml").read_text("utf-8")


def test_preview_is_read_only(tmp_path: Path) -> None:
    with showing(tmp_path / "quest") as shown:
        file = shown.session.editor.describe()["files"][0]
        assert file["locked"] == "the page is read-only"
        message = {"do": "text", "text": "", "file": file["id"], "digest": file["digest"]}
        answer = post(shown, message)
        assert (answer.status, b"read-only" in answer.content) == (409, True)
        assert file["digest"] == digest_of((shown.folder / file["name"]).read_bytes())
