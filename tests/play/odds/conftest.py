"""What is too much to count, at once."""

from __future__ import annotations

import pytest

from generator.play.odds.hands import StepCount


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exact count is given up soon: people wait for a million steps."""
    monkeypatch.setattr(StepCount.__init__, "__defaults__", (20_000,))
