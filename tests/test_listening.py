"""At which ports each command listens, and what a stranger gets there."""

from __future__ import annotations

import http.client
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socket import create_connection

import pytest

from tests.support.processes import PATIENCE, running, started

PNP = [sys.executable, "-P", "-m", "generator"]
SYSTEM = Path("/proc")
LOOPBACK, LISTENING = "0100007F", "0A"  # as /proc/net/tcp writes 127.0.0.1, and the state

pytestmark = pytest.mark.skipif(not SYSTEM.is_dir(), reason="the system has no /proc")


def ports_of(group: int) -> Iterator[tuple[str, int]]:
    """The hexadecimal address and the port of each socket at which a group of processes listens."""
    held = {link for process in _members(group) for link in _sockets(process)}
    for table in ("tcp", "tcp6"):
        for line in (SYSTEM / "net" / table).read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            address, port = local.split(":")
            if state == LISTENING and f"socket:[{inode}]" in held:
                yield address, int(port, 16)


def _members(group: int) -> Iterator[int]:
    for number in running():
        try:
            if os.getpgid(number) == group:
                yield number
        except ProcessLookupError:
            continue


def _sockets(process: int) -> Iterator[str]:
    for link in (SYSTEM / str(process) / "fd").iterdir():
        try:
            yield str(link.readlink())
        except OSError:
            continue


def ask(port: int, method: str, path: str, **headers: str) -> int:
    """The status of the answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as asking:
        asking.request(method, path, b"{}" if method == "POST" else None, headers)
        return asking.getresponse().status


@pytest.mark.parametrize(
    "command",
    [["preview", "talavera"], ["table", "talavera"], ["table", "talavera", "--against", "greedy"]],
    ids=" ".join,
)
def test_a_page_is_at_one_port_which_gives_a_stranger_nothing(command: list[str]) -> None:
    with started([*PNP, *command, "--no-open"], stdout=-1) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        ((address, port),) = ports_of(process.pid)
        assert address == LOOPBACK
        for path in ("/", "/events", "/supply", "/act", "/state"):
            for method in ("GET", "POST", "PUT"):
                assert ask(port, method, path, Host="evil.example") in (403, 405)
        if command[0] == "table":
            json = {"Content-Type": "application/json"}
            assert ask(port, "GET", "/supply") == ask(port, "GET", "/events?me=x") == 401
            assert ask(port, "POST", "/act", **json) == 401
            assert ask(port, "POST", "/enter", **json) == 400
        with create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(b"\x80\x04pickle\r\n\r\n")
            assert raw.recv(99).startswith((b"HTTP/1.1 400", b"HTTP/1.1 505"))


def test_a_playtest_listens_nowhere() -> None:
    how = ["--bots", "random", "--games", "10000000"]
    with started([*PNP, "playtest", "talavera", *how]) as process:
        by = time.monotonic() + PATIENCE
        while not any("play_worker" in command for command in running().values()):
            assert time.monotonic() < by
            assert process.poll() is None
            assert list(ports_of(process.pid)) == []
            time.sleep(0.05)
        assert list(ports_of(process.pid)) == []
