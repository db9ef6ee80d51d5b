"""A game whose faces are drawn from a template."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.tiny import tiny


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny(tmp_path / "tiny")
