"""Who may ask, and what for: this machine's browser at our own address, and a short list."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from generator.basics.errors import PnpError
from generator.studio import Server
from tests.studio.showing import Shown, await_event, face_ids, showing
from tests.support.serving import Reply, ask, serving


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with showing(tmp_path_factory.mktemp("server") / "quest") as shown:
        yield shown


@pytest.fixture(scope="module")
def picture(quest: Shown) -> str:
    """The path of a picture that there is."""
    listener = quest.session.listen()
    id_ = face_ids(await_event(listener, "state"))["cards/key/front"]
    return f"/face/{id_}/piece-96.jpg"


PAGE = ("/", "/main.js", "/look.css", "/style.css", "/icon.svg", "/regular.ttf", "/bold.ttf")


@pytest.mark.parametrize("path", PAGE)
def test_page_is_served_under_a_strict_policy(quest: Shown, path: str) -> None:
    answer = ask(quest.server, path)
    assert answer.status == 200
    assert answer.content
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize(
    ("asked", "language"),
    [("de-AT,de;q=0.9,en;q=0.8", "de"), ("nl, ja;q=0.5", "ja"), ("nl", "en"), ("", "en"), (",;=*" * 999, "en")],
)
def test_the_page_is_in_the_first_language_of_the_browser_that_there_is(
    quest: Shown, asked: str, language: str
) -> None:
    page = ask(quest.server, "/", {"Accept-Language": asked}).content.decode()
    assert f'<html lang="{language}">' in page
    words = ask(quest.server, "/phrases.js", {"Accept-Language": asked}).content.decode()
    assert words.startswith(f'export const language = "{language}";')


def test_picture_is_a_jpeg_that_never_changes(quest: Shown, picture: str) -> None:
    answer = ask(quest.server, picture)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/jpeg")
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.content[:3] == b"\xff\xd8\xff"


def test_events_are_a_stream(quest: Shown) -> None:
    answer = ask(quest.server, "/events")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream")
    assert answer.content == b"event: choices\n"


@pytest.mark.parametrize("path", ["/", "/main.js", "/events", "/choose?paper=a4", "picture"])
@pytest.mark.parametrize(
    "hosts",
    [
        ("evil.example",),
        ("evil.example:{port}",),
        ("127.0.0.1",),
        ("127.0.0.1:1",),
        ("localhost.evil.example:{port}",),
        ("127.0.0.1:{port}", "evil.example"),
        (),
    ],
)
def test_name_that_is_not_ours_gets_nothing(quest: Shown, picture: str, path: str, hosts: tuple[str, ...]) -> None:
    path = picture if path == "picture" else path
    own = tuple(host.format(port=quest.server.port) for host in hosts)
    answer = ask(quest.server, path, hosts=own)
    assert answer.status == 403
    assert b"this machine" in answer.content


def test_localhost_is_ours_too(quest: Shown) -> None:
    assert ask(quest.server, "/", hosts=(f"localhost:{quest.server.port}",)).status == 200


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403)]
)
def test_other_sites_get_nothing(quest: Shown, picture: str, site: str, status: int) -> None:
    for path in ("/", picture):
        assert ask(quest.server, path, {"Sec-Fetch-Site": site}).status == status
    chosen = 204 if status == 200 else status
    assert ask(quest.server, "/choose?paper=letter", {"Sec-Fetch-Site": site}).status == chosen


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_there_is_only_get_and_post(quest: Shown, method: str) -> None:
    answer = ask(quest.server, "/", method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, POST")


@pytest.mark.parametrize(
    "path",
    [
        "/game.toml",
        "/cards.csv",
        "/art/",
        "/page/",
        "/page/main.js",
        "/../server.py",
        "/..%2fserver.py",
        "/%2e%2e/%2e%2e/pyproject.toml",
        "//etc/passwd",
        "/main.js/",
        "/main.js%00",
        "/face/",
        "/face/../main.js",
        "/face/000000000000000000000000/piece-97.jpg",
        "/face/../../x/piece-96.jpg",
        "/choose/",
        "*",
    ],
)
def test_nothing_else_is_there(quest: Shown, path: str) -> None:
    answer = ask(quest.server, path)
    assert answer.status == 404
    assert answer.headers["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET http://[::1 HTTP/1.1", 403),
        ("GET http://[::1", 403),
        (f"GET /{'a' * 70_000} HTTP/1.1", 414),
        (f"GET / HTTP/1.1\r\nCookie: {'a' * 70_000}", 431),
        ("BREW / HTTP/1.1", 501),
        ("GET / HTTP/2.0", 505),
        ("GET / HTTP/0.9", 403),
        ("nonsense", 400),
    ],
)
def test_every_refusal_is_ours(quest: Shown, request_line: str, status: int) -> None:
    """The library's own answers are HTML without a policy."""
    answer = ask_raw(quest.server, f"{request_line}\r\n\r\n")
    assert answer.status == status
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.content


def test_target_that_is_no_url_is_not_there(quest: Shown) -> None:
    assert ask(quest.server, "http://[::1").status == 404


def test_connections_have_a_limit(quest: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.web.server._MOST_CONNECTIONS", 2)
    with serving(Server(quest.session)) as server:
        get = f"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        with ExitStack() as held:
            streams = [held.enter_context(connected(server)) for _ in range(2)]
            for stream in streams:
                stream.sendall(get.replace("icon.svg", "events").encode())
                assert stream.recv(12) == b"HTTP/1.1 200"
            answer = ask_raw(server, get)
            assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.content == b"More than 2 connections: close some of the pages.\n"


def test_connections_that_ended_do_not_count(quest: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.web.server._MOST_CONNECTIONS", 2)
    with serving(Server(quest.session)) as server:
        get = f"GET /icon.svg HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
        tries = 0
        for _ in range(5):  # a thread ends a little after its answer
            while ask_raw(server, get).status == 503:
                assert (tries := tries + 1) < 10_000


def ask_raw(server: Server, request: str) -> Reply:
    """The answer to what no client would send."""
    with connected(server) as connection:
        connection.sendall(request.encode())
        with http.client.HTTPResponse(connection) as answer:
            answer.begin()
            return Reply(answer.status, answer.headers, answer.read())


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def test_a_face_that_is_no_more_has_no_picture(quest: Shown) -> None:
    """It may have been asked for just before: a browser would complain of an error."""
    answer = ask(quest.server, "/face/000000000000000000000000/piece-96.jpg")
    assert answer.status == 204
    assert answer.content == b""


def test_resolutions_are_a_short_list(quest: Shown, picture: str) -> None:
    assert ask(quest.server, picture.replace("-96.", "-9600.")).status == 404
    assert ask(quest.server, picture.replace("-96.", "-300.")).status == 200


def test_it_is_heard_on_this_machine_only(quest: Shown) -> None:
    assert quest.server.server_address[0] == "127.0.0.1"


def test_port_in_use_is_one_message(quest: Shown) -> None:
    with pytest.raises(PnpError) as caught:
        Server(quest.session, quest.server.port)
    (problem,) = caught.value.problems
    assert str(problem.place) == "--port"
    assert str(quest.server.port) in problem.what


def test_nothing_of_the_page_is_loaded_from_elsewhere() -> None:
    page = Path(__file__).parents[2] / "generator/studio/page"
    for path in page.glob("*.*"):  # what is vendored names where it is from
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, path.name


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("paper=a44", "paper 'a44': the game does not offer it\n    hint: did you mean 'a4'?"),
        ("paper=", "paper ''"),
        ("paper=210x297mm", "paper '210x297mm'"),
        ("variant=../..", "variant '../..'"),
        ("language=de", "language 'de'"),
        ("printer=laser", "printer 'laser'"),
        ("draft=yes", "draft 'yes'"),
        ("size=a4", "'size': there is no such choice"),
        ("paper=a4&draft=%1b[2J", r"draft '\x1b[2J'"),
    ],
)
def test_a_choice_that_is_not_offered_is_refused(quest: Shown, query: str, why: str) -> None:
    listener = quest.session.listen()
    before = await_event(listener, "choices")
    answer = ask(quest.server, f"/choose?{query}")
    assert answer.status == 400
    assert why in answer.content.decode()
    quest.session.leave(listener)
    listener = quest.session.listen()
    assert await_event(listener, "choices") == before
    quest.session.leave(listener)


@pytest.mark.parametrize(("told", "dpi"), [("61", 61), ("192", 96), ("1", 24), ("-61", 96), ("6e1", 96), ("", 96)])
def test_page_says_how_fine_it_shows_faces(quest: Shown, told: str, dpi: int) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", quest.server.port)) as page:
        page.request("GET", "/events?page=fine")
        answer = page.getresponse()  # who lets go of it closes the connection
        answer.readline()
        assert ask(quest.server, f"/seen?page=fine&dpi={told}").status == 204
        assert quest.server.pages["fine"].dpi == dpi


def test_page_says_what_is_seen_on_it_until_it_goes(quest: Shown) -> None:
    asked = "face=cards/key/front&face=cards/a%2Fb/back&face=nonsense&face=../../x"
    with closing(http.client.HTTPConnection("127.0.0.1", quest.server.port)) as page:
        page.request("GET", "/events?page=one")
        answer = page.getresponse()  # who lets go of it closes the connection
        answer.readline()
        assert ask(quest.server, f"/seen?page=one&{asked}").status == 204
        seen = set(quest.server.pages["one"].seen)
        assert seen == {("cards", "key", "front"), ("cards", "a/b", "back")}
    assert ask(quest.server, f"/seen?page=another&{asked}").status == 204
    assert "another" not in quest.server.pages
