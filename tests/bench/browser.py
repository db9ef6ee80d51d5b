"""Chromium with one page, driven by its own protocol through a pipe.

Playwright also listens to the network, and gets the address of each picture, which for a picture of
the preview is the picture itself: 12 of them appear 7 ms later than in anybody's browser.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import IO, Any

from generator.basics.geometry import Size

_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
_SCRIPT = 'requests=$1 answers=$2; shift 2; exec "$@" 3<&"$requests" 4>&"$answers"'
_END = b"\0"  # of a message
_KEYS = {"Enter": 13, "ArrowUp": 38}  # their codes


class BrowserPage:
    """A page of a browser that reads requests from one pipe and writes its answers to another."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        self._requests, self._answers = requests, answers
        self._number = 0
        self._session: dict[str, str] = {}
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}

    def open(self, address: str, window: Size) -> None:
        """Show a page in a window of a size in pixels."""
        size = {"width": round(window.width), "height": round(window.height)}
        screen = size | {"deviceScaleFactor": 1, "mobile": False}
        self._ask("Emulation.setDeviceMetricsOverride", **screen)
        self._ask("Page.navigate", url=address)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, or of what it promises."""
        options = {"awaitPromise": True, "returnByValue": True}
        found = self._ask("Runtime.evaluate", expression=expression, **options)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def type(self, text: str) -> None:
        """Types a text where the focus is."""
        self._ask("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Presses a key that has a name, such as Enter."""
        code = _KEYS[key]
        for what in ("rawKeyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=what, key=key, code=key, windowsVirtualKeyCode=code)

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters} | self._session
        self._requests.write(json.dumps(request).encode() + _END)
        self._requests.flush()
        answer = next(message for message in self._read() if message.get("id") == self._number)
        assert "error" not in answer, answer
        return answer["result"]

    def _read(self) -> Iterator[dict[str, Any]]:
        """Answers and events as they come."""
        while True:
            message = bytearray()
            while (byte := self._answers.read(1)) != _END:
                assert byte, "the browser ended"
                message += byte
            yield json.loads(message)


@contextmanager
def browsing(chromium: str) -> Iterator[BrowserPage]:
    """A page of Chromium, given by its path, which ends with the block."""
    theirs, requests = os.pipe()
    answers, ours = os.pipe()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [chromium, *_OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={folder}"]
        process = subprocess.Popen(
            ["sh", "-c", _SCRIPT, "sh", str(theirs), str(ours), *command],
            pass_fds=(theirs, ours),
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(ours)
        with process, os.fdopen(requests, "wb") as asked, os.fdopen(answers, "rb") as told:
            try:
                yield BrowserPage(asked, told)
            finally:
                process.kill()
