"""What all tables of game.toml have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


def describe(description: str, **limits: Any) -> Any:
    """A key that messages and the schema describe so, within limits that pydantic knows."""
    return Field(description=description, **limits)


class SpecTable(BaseModel):
    """A table of the spec. Unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
