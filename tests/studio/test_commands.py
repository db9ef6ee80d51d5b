"""What a page may run: the commands and options of the command line, with the key, by no path."""

from __future__ import annotations

import http.client
import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from generator.cli.build import build, export
from generator.cli.preview import new, offer
from generator.pipeline.exporting import EXPORTERS
from tests.studio.showing import Shown, showing
from tests.support.processes import PATIENCE
from tests.support.serving import ask

_FILE = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("commands")
    with showing(folder / "quest", journals=folder / "journals") as shown:
        yield shown


def run(quest: Shown, command: str, *texts: str, **options: str) -> tuple[list[str], Any]:
    """The lines that a command says, and what is said of its end."""
    body = json.dumps({"command": command, "options": options, "texts": texts})
    headers = {"X-Key": quest.server.key, "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", quest.server.port)) as asking:
        asking.timeout = PATIENCE
        asking.request("POST", "/run", body, headers)
        answer = asking.getresponse()
        text = answer.read().decode()
    if answer.status != 200:
        return [text.strip()], None
    events = [event.split("\ndata: ") for event in text.split("\n\n") if "data: " in event]
    said = [json.loads(data) for name, data in events if name == "event: line"]
    return said, json.loads(events[-1][1])


def test_every_option_of_a_command_is_offered() -> None:
    for command, word in ((build, "build"), (new, "new")):
        [form] = offer(word)
        own = {param.name for param in command.params if isinstance(param, click.Option)}
        assert {field.name for field in form.fields} == own - {"output"}
    formats = {form.name: [field.name for field in form.fields] for form in offer("export")}
    assert list(formats) == [f"export {name}" for name in EXPORTERS]
    assert formats["export png"][:2] == ["dpi", "drift"]
    shared = {param.name for param in export.params if isinstance(param, click.Option)}
    assert shared - {"to", "settings", "output", "dpi", "drift", "shop"} <= {*formats["export svg"]}
    assert offer("config") == []


def test_the_plan_is_that_of_the_command(quest: Shown) -> None:
    said, end = run(quest, "build", is_plan="on", paper="a4", only="cards", mix="off")
    assert said[0].startswith("cards: ")
    assert "210 x 297 mm" in said[0]
    assert end == {"isDone": True, "files": []}


def test_a_fault_is_said_as_the_command_says_it(quest: Shown) -> None:
    said, end = run(quest, "build", paper="a9")
    assert said[0] == "error: paper 'a9': there is no such paper"
    assert said[1].lstrip().startswith("hint: ")
    assert end == {"isDone": False, "files": []}


def test_an_export_is_fetched_by_its_secret_alone(quest: Shown) -> None:
    before = sorted(quest.folder.rglob("*"))
    _, end = run(quest, "export png", dpi="30", only="cards/key")
    [address] = end["files"]
    assert sorted(quest.folder.rglob("*")) == before
    answer = ask(quest.server, address)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert "quest/faces/cards/key-front.png" in packed.namelist()
        assert not [name for name in packed.namelist() if name.endswith(".sha256")]
    name = address.split("/")[-1]
    assert name == "quest.zip"
    assert ask(quest.server, f"/made/{'x' * 32}/{name}").status == 404
    assert ask(quest.server, f"/made/{'x' * 32}/../{name}").status == 404


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"command": "config"}, "the page may not run this command"),
    ({"command": "build -o /tmp/x"}, "the page may not run this command"),
    ({"command": "build", "options": {"output": "/tmp/x"}}, "no such option"),
    ({"command": "build", "options": {"profile": "/etc/passwd"}}, "no file that the page sent"),
    ({"command": "build", "options": {"profile": f"{uuid.uuid4()}/../x"}}, "no file that the page"),
    ({"command": "new", "texts": ["../away"]}, "a name is no path"),
    ({"command": "new", "texts": ["/tmp/away"]}, "a name is no path"),
    ({"command": "build", "more": 1}, "not understood"),
]


@pytest.mark.parametrize(("message", "why"), REFUSED)
def test_what_is_not_offered_is_refused(quest: Shown, message: dict[str, Any], why: str) -> None:
    keyed = {"X-Key": quest.server.key}
    answer = ask(quest.server, "/run", keyed, "POST", json.dumps(message).encode())
    assert answer.status == 409
    assert why in answer.content.decode()


@pytest.mark.parametrize("path", ["/run", "/send", "/open"])
def test_nothing_runs_without_the_key(quest: Shown, path: str) -> None:
    kind = _FILE if path == "/send" else {}
    body = b'{"command": "build"}'
    for key in (None, "x"):
        assert ask(quest.server, path, {**kind, "X-Key": key}, "POST", body).status == 401
    assert ask(quest.server, path, {"X-Key": quest.server.key}).status == 404


def test_a_game_is_made_of_a_table_that_a_page_sends_and_opened(quest: Shown) -> None:
    keyed = {"X-Key": quest.server.key}
    sent = {**keyed, **_FILE, "X-Name": "..%2Fmy%20cards.csv", "X-Batch": str(uuid.uuid4())}
    table = b"name,text\nOwl,Flies\nFox,Runs\n"
    answer = json.loads(ask(quest.server, "/send", sent, "POST", table).content)
    said, end = run(quest, "new", "owls", table=answer["path"])
    assert said[-1] == "owls"
    assert end["isDone"]
    made = quest.folder.parent / "owls"
    assert b"Owl" in (made / "cards.csv").read_bytes()
    again, end = run(quest, "new", "owls", kind="tokens")
    assert not end["isDone"]
    assert "exists" in again[0] or "there" in again[0]
    for name in ("../owls", "printers", "OWLS"):
        refused = ask(quest.server, "/open", {**keyed, "X-Name": name}, "POST", b"{}")
        assert refused.status == 409
    assert quest.server.next_game == ""
    opened = ask(quest.server, "/open", {**keyed, "X-Name": "owls"}, "POST", b"{}")
    assert opened.status == 204
    assert quest.server.next_game == str(made)


def test_a_file_that_is_too_large_or_has_no_name_is_not_kept(quest: Shown) -> None:
    keyed = {"X-Key": quest.server.key, **_FILE, "X-Batch": str(uuid.uuid4())}
    assert ask(quest.server, "/send", {**keyed, "X-Name": ""}, "POST", b"x").status == 409
    named = {**keyed, "X-Name": "a.csv"}
    outside = {**named, "X-Batch": "../../x"}
    assert ask(quest.server, "/send", outside, "POST", b"x").status == 409
    large = {**named, "Content-Length": "99999999"}
    assert ask(quest.server, "/send", large, "POST", b"").status == 413
    assert not Path(quest.server.commands.folder, "a.csv").exists()
