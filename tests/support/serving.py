"""Serve a page of pnp for a while, and ask its server."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from email.message import Message
from typing import TypeVar

from msgspec import Struct

from generator.web.server import LocalServer

Server = TypeVar("Server", bound=LocalServer)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """The server, which answers until the end."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class Reply(Struct, frozen=True):
    status: int
    headers: Message
    content: bytes  # of a stream its first line


def ask(
    server: LocalServer,
    path: str,
    headers: Mapping[str, str | None] | None = None,
    method: str = "GET",
    body: bytes | None = None,
    hosts: Sequence[str] | None = None,
) -> Reply:
    """The answer to a request of our own page, or to one of these hosts; without the headers that
    are None."""
    usual = {"Host": f"127.0.0.1:{server.port}"} if hosts is None else {}
    if body is not None:
        usual |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    with closing(http.client.HTTPConnection("127.0.0.1", server.port)) as asking:
        asking.putrequest(method, path, skip_host=True)
        for host in hosts or ():
            asking.putheader("Host", host)
        for name, value in {**usual, **(headers or {})}.items():
            if value is not None:
                asking.putheader(name, value)
        asking.endheaders(body)
        with asking.getresponse() as reply:
            return read_reply(reply)


def read_reply(reply: http.client.HTTPResponse) -> Reply:
    is_stream = reply.headers["Content-Type"] == "text/event-stream"
    return Reply(reply.status, reply.headers, reply.readline() if is_stream else reply.read())
