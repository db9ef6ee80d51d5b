"""How long tests of the page wait for what it shows."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.processes import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)
