"""Send requests to a worker and answers back, through pipes.

A request is a pickle. An answer is its length in eight bytes and then its bytes: data from a
process that draws a stranger's art is never unpickled here. An empty answer comes first, when the
worker is ready.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from io import BufferedReader
from typing import IO, Any

_HEAD = 8  # bytes of a length
_AT_ONCE = 1024 * 1024  # bytes: a length may be wrong, so memory is taken only as data arrives


def read_requests(pipe: BufferedReader) -> Iterator[Any]:
    """Each request as it arrives, until the pipe is closed."""
    while pipe.peek(1):
        yield pickle.load(pipe)


def write_answer(pipe: IO[bytes], answer: bytes) -> None:
    pipe.write(len(answer).to_bytes(_HEAD))
    pipe.write(answer)
    pipe.flush()


def read_answers(pipe: IO[bytes]) -> Iterator[bytes]:
    """Each whole answer as it arrives, until the pipe is closed."""
    while len(head := pipe.read(_HEAD)) == _HEAD:
        left = int.from_bytes(head)
        parts: list[bytes] = []
        while left and (part := pipe.read(min(left, _AT_ONCE))):
            parts.append(part)
            left -= len(part)
        if left:
            return
        yield b"".join(parts)
