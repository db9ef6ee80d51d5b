"""Take a design, make one that differs in its component."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from generator.model import Design


def change(design: Design, **fields: Any) -> Design:
    """With other pieces, another shape or the like."""
    return replace(design, component=replace(design.component, **fields))
