"""Wait for what a page does elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.support.processes import PATIENCE


def waited(page: Page, is_so: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE / 0.05)):
        if is_so():
            return
        page.wait_for_timeout(50)
    pytest.fail("it never is so")
