"""`pnp fetch` against a server here, which answers as those of sheets and clouds do."""

from __future__ import annotations

import io
import json
import socket
import threading
import zipfile
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image

from generator.basics.errors import Place, PnpError
from generator.basics.writing import archive
from generator.pipeline import fetching
from tests.conftest import Pnp
from tests.game.tiny import write
from tests.support.editing import edit

SHEET = "https://docs.google.com/spreadsheets/d/1abc_D/edit?gid=7#gid=7"
EXPORT = "/spreadsheets/d/1abc_D/export?format=csv&gid=7"
STAR = io.BytesIO()
Image.new("RGB", (40, 40), "#c03020").save(STAR, "png")
PAGE = b"<!DOCTYPE html><html><title>Sign in</title></html>"


class Web:
    """What the addresses of a test answer, by path: a body, or where they lead."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.leads: dict[str, str] = {}
        self.asked: list[str] = []


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """The whole web, on a server of this machine."""
    answers = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers.asked.append(f"{self.headers['Host']}{self.path}")
            body, lead = answers.bodies.get(self.path), answers.leads.get(self.path)
            self.send_response(302 if lead else 404 if body is None else 200)
            if lead:
                self.send_header("Location", lead)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Nothing goes to the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setattr(fetching, "_connect", lambda *_: HTTPConnection("127.0.0.1", server.server_port))
    yield answers
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def sourced(folder: Path, web: Web) -> Path:
    """A game whose table is a Google sheet and whose pictures are a folder of a cloud."""
    write(folder, "<text x='3' y='9'>{{ x }}</text>")
    web.bodies[EXPORT] = (folder / "cards.csv").read_bytes().replace(b"\n", b"\r\n")
    entries = {"art/deep/Star.png": STAR.getvalue(), "__MACOSX/._Star.png": b"", "art/notes.txt": b"no"}
    web.bodies["/scl/fo/x?rlkey=k&dl=1"] = archive(entries)
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(f'[source]\n"cards.csv" = "{SHEET}"\n')
    return folder


def add_source(folder: Path, path: str, address: str) -> None:
    edit(folder / "game.toml", "[source]\n", f'[source]\n"{path}" = "{address}"\n')


def test_files_are_fetched_once_and_locked(sourced: Path, web: Web, pnp: Pnp) -> None:
    add_source(sourced, "art/", "https://www.dropbox.com/scl/fo/x?rlkey=k&dl=0")
    (sourced / "cards.csv").unlink()
    run = pnp("fetch", sourced)
    assert run.output.splitlines() == ["new: art/Star.png", "new: cards.csv"]
    assert (sourced / "cards.csv").read_bytes() == web.bodies[EXPORT]
    assert (sourced / "art/Star.png").read_bytes() == STAR.getvalue()
    assert not (sourced / "art/notes.txt").exists()
    locked = (sourced / fetching.LOCK).read_bytes()
    assert [row["path"] for row in json.loads(locked)] == ["art/Star.png", "cards.csv"]
    assert pnp("fetch", sourced).output == "2 files, as fetched before\n"
    assert (sourced / fetching.LOCK).read_bytes() == locked
    asked = len(web.asked)
    built = pnp("build", sourced, "-o", sourced / "out.pdf")
    assert "2 fetched files, the newest of 20" in built.output
    assert len(web.asked) == asked, "a build asks nobody"


def test_a_change_is_told_and_nothing_is_lost(sourced: Path, web: Web, pnp: Pnp) -> None:
    (sourced / "cards.csv").unlink()
    pnp("fetch", sourced)
    before = (sourced / "cards.csv").read_bytes()
    web.bodies[EXPORT] = before + b"\r\n"
    run = pnp("fetch", sourced, "--check")
    assert (run.exit_code, run.output) == (1, "changed: cards.csv\n")
    assert (sourced / "cards.csv").read_bytes() == before
    (sourced / "cards.csv").write_bytes(before + b"b,8,mine\r\n")
    run = pnp("fetch", sourced)
    assert run.exit_code == 1
    assert "tiny/cards.csv: it was changed here since it was fetched" in run.output
    assert (sourced / "cards.csv").read_bytes().endswith(b"b,8,mine\r\n")
    built = pnp("build", sourced, "-o", sourced / "out.pdf")
    assert "cards.csv: changed here since it was fetched" in built.output


def test_a_file_that_was_not_fetched_is_not_replaced(sourced: Path, pnp: Pnp) -> None:
    run = pnp("fetch", sourced)
    assert run.exit_code == 1
    assert "tiny/cards.csv: it is here already" in run.output
    assert not (sourced / fetching.LOCK).exists()


@pytest.mark.parametrize(
    ("path", "address", "body", "what"),
    [
        ("a.csv", "https://host/a.csv", PAGE, "at the address is a web page, not a file .csv"),
        ("a.csv", "https://host/none", None, "the server answers 404 Not Found"),
        ("a.csv", "https://host/a.csv", b"a" * (9 << 20), "the file is too large"),
        ("b/", "https://host/b.zip", b"PK\3\4 cut off", "no ZIP that can be read"),
        ("b/", "https://host/b.zip", archive({"readme.txt": b""}), "the ZIP has 0 pictures"),
        ("b.py", "https://host/b.py", b"", "a file '.py' is never fetched"),
        ("../b.csv", "https://host/b.csv", b"", "leaves the game's folder"),
        ("a.csv", "https://host:8080/a.csv", b"", "is not allowed"),
        ("a.csv", "https://me@host/a.csv", b"", "is not allowed"),
        ("a.csv", "http://host/a.csv", b"", "must begin with https://"),
    ],
)
def test_what_is_refused(
    path: str, address: str, body: bytes | None, what: str, sourced: Path, web: Web, pnp: Pnp
) -> None:
    (sourced / "cards.csv").unlink()
    add_source(sourced, path, address)
    if body is not None:
        web.bodies[f"/{address.rpartition('/')[2]}"] = body
    run = pnp("fetch", sourced)
    assert run.exit_code == 1
    assert what in run.output
    assert not (sourced / "cards.csv").exists(), "all files or none"


@pytest.mark.parametrize("lead", ["http://host/a.csv", "file:///etc/passwd", "https://host/a.csv"])
def test_redirects_are_looked_at_like_addresses(lead: str, sourced: Path, web: Web) -> None:
    add_source(sourced, "a.csv", "https://host/a.csv")
    web.leads["/a.csv"] = lead
    with pytest.raises(PnpError, match=r"is not allowed|is redirected too often"):
        fetching.fetch(str(sourced))
    assert len(web.asked) <= 8


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1"])
def test_no_address_of_this_network_is_asked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever name a server has: cloud machines tell their secrets at such addresses."""
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)
    with pytest.raises(PnpError, match="is an address of this network"):
        fetching.download("https://host/a.csv", 10, Place("here"))


def test_a_bomb_is_no_folder(sourced: Path, web: Web, pnp: Pnp) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb:
        for number in range(11):
            bomb.writestr(f"{number}.png", bytes(19 << 20))
    web.bodies["/b.zip"] = packed.getvalue()
    add_source(sourced, "b/", "https://host/b.zip")
    assert "the pictures of the ZIP are too large" in pnp("fetch", sourced).output


def test_no_picture_of_a_folder_is_cut_short_or_lost(sourced: Path, web: Web, pnp: Pnp) -> None:
    (sourced / "cards.csv").unlink()
    add_source(sourced, "b/", "https://host/b.zip")
    web.bodies["/b.zip"] = archive({"a.png": bytes(21 << 20)})
    assert "the pictures of the ZIP are too large" in pnp("fetch", sourced).output
    web.bodies["/b.zip"] = archive({"one/a.png": b"1", "two/a.png": b"2"})
    assert "two files would be 'b/a.png'" in pnp("fetch", sourced).output
    assert not (sourced / "b").exists()


def test_a_damaged_lock_is_named(sourced: Path, pnp: Pnp) -> None:
    (sourced / fetching.LOCK).write_text("[{")
    assert "tiny/source.lock: the lock file is damaged" in pnp("fetch", sourced).output
