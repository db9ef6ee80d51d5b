"""Who may ask the server of a table, and what for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from generator.play.table.server import MOST_BODY, TableServer
from tests.play.table.tables import session_at, session_of
from tests.support.serving import Reply, ask, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """Without pictures."""
    session = session_at(tmp_path_factory.mktemp("table"))
    with serving(TableServer(session)) as server:
        yield server


@pytest.fixture
def token(server: TableServer) -> str:
    return server.session.enter(server.session.key)


def act(server: TableServer, token: str, body: bytes, headers: Mapping[str, str | None] | None = None) -> Reply:
    return ask(server, "/act", {"X-Visitor": token, **(headers or {})}, "POST", body)


FLIP = b'{"do": "flip", "id": 1}'


@pytest.mark.parametrize("path", ["/", "/main.js", "/look.css", "/style.css", "/felt.svg", "/bold.ttf"])
def test_the_page_is_served_under_a_strict_policy(server: TableServer, path: str) -> None:
    reply = ask(server, path)
    assert reply.status == 200
    policy = reply.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not [name for name in reply.headers if name.lower().startswith("access-control")]


def test_nothing_of_the_page_is_loaded_from_elsewhere() -> None:
    for path in (Path(__file__).parents[3] / "generator/play/table/page").iterdir():
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, path.name


def test_the_key_admits(server: TableServer) -> None:
    body = json.dumps({"key": server.session.key}).encode()
    reply = ask(server, "/enter", method="POST", body=body)
    assert reply.status == 200
    supply = ask(server, f"/supply?me={reply.content.decode()}")
    assert json.loads(supply.content)["title"] == "Small"
    assert server.invitation.endswith(f"#{server.session.key}")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"key": "x"}', 409),
        (b'{"key": 1}', 400),
        (b"{}", 400),
        (b'{"key": "x", "me": 1}', 400),
        (b"[" * 9999, 400),
        (b'{"key": "\\ud800"}', 400),
    ],
)
def test_no_other_key_does(server: TableServer, body: bytes, status: int) -> None:
    assert ask(server, "/enter", method="POST", body=body).status == status


@pytest.mark.parametrize("path", ["/supply", "/events", "/supply?me=", "/events?me=x"])
def test_who_did_not_enter_learns_nothing(server: TableServer, path: str) -> None:
    assert ask(server, path).status == 401


@pytest.mark.parametrize("token", ["", "x", "\xfc"])
def test_who_did_not_enter_does_nothing(server: TableServer, token: str) -> None:
    before = session_of(server).state
    assert act(server, token, FLIP).status == 401
    assert session_of(server).state is before


def test_an_action_is_done(server: TableServer, token: str) -> None:
    before = session_of(server).state
    assert act(server, token, FLIP).status == 200
    assert session_of(server).state != before


def test_events_begin_with_the_state(server: TableServer, token: str) -> None:
    reply = ask(server, f"/events?me={token}")
    assert (reply.status, reply.headers["Content-Type"]) == (200, "text/event-stream")
    assert reply.content == b"event: state\n"


FOREIGN: list[Mapping[str, str | None]] = [
    {"Host": "evil.example"},
    {"Host": None},
    {"Host": "127.0.0.1"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_other_sites_do_nothing(server: TableServer, token: str, headers: Mapping[str, str | None]) -> None:
    before = session_of(server).state
    reply = act(server, token, FLIP, headers)
    assert (reply.status, reply.headers["Connection"]) == (403, "close")
    assert session_of(server).state is before


@pytest.mark.parametrize(
    ("path", "mode", "dest", "status"),
    [
        ("/", "navigate", "document", 200),
        ("/", "navigate", "iframe", 403),
        ("/", "no-cors", "document", 403),
        ("/main.js", "navigate", "document", 403),
        ("/supply", "navigate", "document", 403),
    ],
)
def test_a_page_on_this_machine_may_lead_here(
    server: TableServer, path: str, mode: str, dest: str, status: int
) -> None:
    how = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    assert ask(server, path, headers=how).status == status
    foreign = {**how, "Sec-Fetch-Site": "cross-site"}
    assert ask(server, path, headers=foreign).status == 403


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (FLIP, {"Content-Type": "text/plain"}, 415),  # which another site may send unasked
        (FLIP, {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (FLIP, {"Content-Type": None}, 415),
        (FLIP, {"Content-Length": None}, 411),
        (FLIP, {"Content-Length": None, "Transfer-Encoding": "chunked"}, 411),
        (FLIP, {"Content-Length": "-1"}, 411),
        (FLIP, {"Content-Length": "1e3"}, 411),
        (FLIP, {"Content-Length": "9" * 5000}, 411),
        (FLIP, {"Content-Length": str(MOST_BODY + 1)}, 413),
        (b" " * (MOST_BODY + 1), {}, 413),
        (b"{", {}, 409),
        (b"", {}, 409),
        (b'{"do": "explode"}', {}, 409),
        (b'{"do": "flip", "id": 999}', {}, 409),
        (b"[" * MOST_BODY, {}, 409),
    ],
)
def test_what_is_no_message_is_refused(
    server: TableServer, token: str, body: bytes, headers: Mapping[str, str | None], status: int
) -> None:
    before = session_of(server).state
    reply = act(server, token, body, headers)
    assert reply.status == status
    assert reply.headers["Content-Type"].startswith("text/plain")
    assert reply.content.count(b"\n") == 1
    assert session_of(server).state is before


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_there_is_only_get_and_post(server: TableServer, method: str) -> None:
    reply = ask(server, "/", method=method)
    assert (reply.status, reply.headers["Allow"]) == (405, "GET, POST")


@pytest.mark.parametrize("path", ["/server.py", "/../server.py", "/page/main.js", "//etc/passwd", "/act", "/face/../x"])
def test_nothing_else_is_there(server: TableServer, path: str) -> None:
    assert ask(server, path).status == 404
    assert ask(server, f"{path}/", method="POST", body=b"{}").status == 404


def test_a_damaged_file_is_one_line(server: TableServer, token: str) -> None:
    reply = act(server, token, b'{"do": "load"}')
    assert reply.status == 409
    assert reply.content == b"there is no such file: save a table first\n"
