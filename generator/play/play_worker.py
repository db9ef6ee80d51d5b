"""The worker process that plays batches of games."""

import json
from collections.abc import Iterator

from generator.basics.workers import serve
from generator.play.batches import play_batch


def _answer(request: tuple[bytes, range]) -> Iterator[bytes]:
    """The counts as JSON; nothing if the rules fail, so that they fail again in the parent."""
    try:
        yield json.dumps(play_batch(*request).to_json()).encode()
    except Exception:  # of any plug-in
        yield b""


if __name__ == "__main__":
    serve(_answer)
