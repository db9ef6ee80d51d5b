"""`pnp fetch` against a server here, which answers as those of sheets and clouds do."""

from __future__ import annotations

import io
import json
import random
import socket
import threading
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep

import pytest
from PIL import Image

from generator.basics.errors import Place, PnpError
from generator.basics.writing import archive
from generator.game.spec import LOCK
from generator.pipeline import fetching
from tests.conftest import Pnp
from tests.game.tiny import write
from tests.support.editing import edit

SHEET = "https://docs.google.com/spreadsheets/d/1abc_D/edit?gid=7#gid=7"
EXPORT = "/spreadsheets/d/1abc_D/export?format=csv&gid=7&single=true"
STAR = io.BytesIO()
Image.new("RGB", (40, 40), "#c03020").save(STAR, "png")
OK = b"HTTP/1.1 200 OK\r\n"
MOVED = b"HTTP/1.1 302 Found\r\n"
IN_CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n"
PAUSE = 0.02  # s: after each part of an answer in parts, and until the server looks whether it ends
PAGE = b"<!DOCTYPE html><html><title>Sign in</title></html>"


class Web:
    """What the addresses of a test answer, by path: a body, where they lead, or all that is sent, in parts."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.leads: dict[str, str] = {}
        self.parts: dict[str, Iterable[bytes]] = {}
        self.asked: list[str] = []


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """The whole web, on a server of this machine."""
    answers = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answers.asked.append(f"{self.headers['Host']}{self.path}")
            with suppress(OSError):  # whoever asks may leave
                for part in answers.parts.get(self.path, ()):
                    self.wfile.write(part)
                    sleep(PAUSE)
            if self.path in answers.parts:
                return
            body, lead = answers.bodies.get(self.path), answers.leads.get(self.path)
            self.send_response(302 if lead else 404 if body is None else 200)
            if lead:
                self.send_header("Location", lead)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            """Nothing goes to the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(PAUSE,))
    thread.start()
    monkeypatch.setattr(fetching, "_connect", lambda *_: socket.create_connection(("127.0.0.1", server.server_port)))
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
    locked = (sourced / LOCK).read_bytes()
    assert [row["path"] for row in json.loads(locked)] == ["art/Star.png", "cards.csv"]
    assert pnp("fetch", sourced).output == "2 files, as fetched before\n"
    assert (sourced / LOCK).read_bytes() == locked
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
    assert not (sourced / LOCK).exists()


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
        ("a.csv", "https://host:8080/a.csv", b"", "must be https://HOST/…, without a port"),
        ("a.csv", "https://me@host/a.csv", b"", "must be https://HOST/…, without a port, a password"),
        ("a.csv", "http://host/a.csv", b"", "must be https://HOST/…"),
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


@pytest.mark.parametrize("command", ["check", "build", "fetch"])
def test_an_address_that_is_none_is_told_at_its_key(command: str, sourced: Path, web: Web, pnp: Pnp) -> None:
    add_source(sourced, "a.csv", "https://host:99999/a.csv")
    add_source(sourced, "b.csv", "https://[::1/b.csv")
    lines = (sourced / "game.toml").read_text("utf-8").splitlines()
    run = pnp(command, sourced)
    assert run.exit_code == 1
    for path in ("a.csv", "b.csv"):
        line = next(at for at, text in enumerate(lines, 1) if text.startswith(f'"{path}"'))
        assert f"game.toml:{line}: " in run.output
    assert run.output.count("' must be https://HOST/…, without a port") == 2
    assert not web.asked


@pytest.mark.parametrize(
    ("lead", "what"),
    [
        ("http://host/a.csv", "is not allowed"),
        ("file:///etc/passwd", "is not allowed"),
        ("https://host:99999/a.csv", "is not allowed"),
        ("https://[::1/a.csv", "Invalid IPv6 URL"),
        ("https://host/a.csv", "is redirected too often"),
    ],
)
def test_redirects_are_looked_at_like_addresses(lead: str, what: str, sourced: Path, web: Web) -> None:
    add_source(sourced, "a.csv", "https://host/a.csv")
    web.leads["/a.csv"] = lead
    with pytest.raises(PnpError, match=what):
        fetching.fetch(str(sourced))
    assert len(web.asked) <= 8


@pytest.mark.parametrize(
    "parts",
    [(OK, b"Content-Length: 500\r\n\r\n", b"17 bytes, no more"), (OK, IN_CHUNKS, b"12\r\n17 bytes, no more")],
    ids=["length", "chunks"],
)
def test_an_answer_that_is_cut_off_is_no_file(parts: tuple[bytes, ...], web: Web) -> None:
    web.parts["/a.csv"] = parts
    with pytest.raises(PnpError, match=r"'host' does not answer as it should: .*(missing|IncompleteRead)"):
        fetching.download("https://host/a.csv", 1000, Place("here"))


@pytest.mark.parametrize(
    "parts",
    [
        [OK, *[b"A: b\r\n"] * 50],
        [OK, *[b"A"] * 50],
        [OK, IN_CHUNKS, b"1;", *[b"a"] * 50],
        [OK, IN_CHUNKS, *[b"1\r\na\r\n"] * 50],
        [OK, b"\r\n", *[b"a"] * 50],
        [MOVED, b"A: b\r\n", b"Location: /a.csv\r\n", b"\r\n"],
    ],
    ids=["headers", "a header", "a chunk's size", "chunks", "a body", "redirects"],
)
def test_no_drip_of_bytes_lasts_longer_than_the_limit(
    parts: list[bytes], web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_SECONDS_IN_ALL", 6 * PAUSE)
    web.parts["/a.csv"] = parts
    with pytest.raises(PnpError, match="'host' does not answer as it should: it took more than"):
        fetching.download("https://host/a.csv", 1000, Place("here"))


@pytest.mark.parametrize(
    ("shown", "asked"),
    [
        ("d/1abc_D/edit?usp=sharing", "d/1abc_D/export?format=csv"),
        ("u/0/d/1abc_D/edit#gid=7", "d/1abc_D/export?format=csv&gid=7&single=true"),
        ("d/e/2PACX-1v_D/pubhtml", "d/e/2PACX-1v_D/pub?output=csv"),
        ("d/e/2PACX-1v_D/pubhtml?gid=7&single=true", "d/e/2PACX-1v_D/pub?output=csv&gid=7&single=true"),
        ("d/e/2PACX-1v_D/pub?gid=7&single=true&output=tsv", "d/e/2PACX-1v_D/pub?gid=7&single=true&output=tsv"),
    ],
)
def test_the_link_that_a_browser_shows_of_a_sheet_leads_to_its_table(shown: str, asked: str) -> None:
    """As *File > Share > Publish to web* of Google writes the address of a CSV."""
    sheets = "https://docs.google.com/spreadsheets/"
    assert fetching.file_address(sheets + shown) == sheets + asked
    assert fetching.file_address(f"https://docs.google.com/u/1/spreadsheets/{shown}").endswith(asked)


NO_SERVERS = (
    "127.0.0.1", "10.1.2.3", "169.254.169.254", "224.0.0.1", "::1", "fd00::1", "fec0::1", "ff0e::1",
    "::ffff:10.0.0.1", "::ffff:224.0.0.1", "::10.0.0.1", "64:ff9b::a00:1", "64:ff9b::e000:1", "64:ff9b:1::a00:1",
    "2002:a00:1::", "2002:e000:1::",
)  # fmt: skip


@pytest.mark.parametrize("address", NO_SERVERS)
def test_no_address_of_this_network_is_asked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever name a server has: cloud machines tell their secrets at such addresses. 10.0.0.1 and 224.0.0.1
    are also written for IPv6, as in RFC 4291, 6052 and 3056."""
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)
    with pytest.raises(PnpError, match="is an address of this network"):
        fetching.download("https://host/a.csv", 10, Place("here"))


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808"])
def test_a_server_of_the_internet_is_asked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    asked = []

    def connect(where: tuple[str, int], _: float) -> socket.socket:
        asked.append(where)
        raise OSError("nothing is asked in a test")

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(PnpError, match="nothing is asked in a test"):
        fetching.download("https://host/a.csv", 10, Place("here"))
    assert asked == [(address, 443)]


@pytest.mark.parametrize(
    "name", ["../z.png", "a/../z.png", "C:\\z.png", "C:z.png", "art\\z.png", "z\x1b[2J.png", "z\n.png"]
)
def test_no_picture_has_a_name_that_leads_elsewhere(name: str, sourced: Path, web: Web, pnp: Pnp) -> None:
    add_source(sourced, "b/", "https://host/b.zip")
    web.bodies["/b.zip"] = archive({"a.png": b"1", name: b"2"})
    run = pnp("fetch", sourced)
    assert run.exit_code == 1
    assert "is not allowed" in run.output
    assert "\x1b" not in run.output
    assert not (sourced / "b").exists()


def test_a_damaged_zip_is_told_whatever_its_fault() -> None:
    """zipfile raises many exceptions. None but PnpError leaves, whichever byte is damaged."""
    chance = random.Random(1)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as folder:
            folder.writestr("ü/a.png", chance.randbytes(40) * 9)
            folder.writestr("b.png", b"1" * 400)
        for at in range(len(packed.getvalue())):
            content = bytearray(packed.getvalue())
            content[at] ^= chance.randrange(1, 256)
            with suppress(PnpError):
                list(fetching._unpack("b/", bytes(content), Place("here")))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_no_bomb_is_unpacked_beyond_what_it_declares(method: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as folder:
        folder.writestr("a.png", bytes(1000))
    with pytest.raises(PnpError, match="is not packed by the method 'deflate'"):
        list(fetching._unpack("b/", packed.getvalue(), Place("here")))


@pytest.mark.parametrize("size", [0, 999])
def test_a_size_that_lies_is_no_picture(size: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("a.png", bytes(1000))
    content = bytearray(packed.getvalue())
    at = content.rindex(b"PK\1\2") + 24
    content[at : at + 4] = size.to_bytes(4, "little")
    with pytest.raises(PnpError, match="no ZIP that can be read is at the address: Bad CRC-32"):
        list(fetching._unpack("b/", bytes(content), Place("here")))


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
    (sourced / LOCK).write_text("[{")
    assert "tiny/source.lock: the lock file is damaged" in pnp("fetch", sourced).output
