"""Open pages and wait for what they do elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.support.processes import PATIENCE


def waited(page: Page, is_so: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE / 0.05)):
        if is_so():
            return
        page.wait_for_timeout(50)
    pytest.fail("it never is so")


class Visits:
    """The pages that a test opens. What they ask of other addresses, and what their console says is
    wrong, is in `wrong`."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.wrong: list[str] = []
        self._browser = browser
        self._address = address
        self._contexts: list[BrowserContext] = []

    def open(self, address: str, size: tuple[int, int], **how: Any) -> Page:
        context = self._browser.new_context(viewport={"width": size[0], "height": size[1]}, **how)
        context.set_default_timeout(PATIENCE * 1000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("request", self._note)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._hear)
        page.goto(address)
        return page

    def _note(self, request: Request) -> None:
        if not request.url.startswith(self._address):
            self.wrong.append(f"asked for {request.url}")

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.wrong.append(f"{said.text} {said.location['url']}")

    def close(self) -> None:
        for context in self._contexts:
            context.close()
