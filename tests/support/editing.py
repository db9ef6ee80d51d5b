"""Change a file of a game as a designer would."""

from __future__ import annotations

from pathlib import Path


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text, wherever it stands in the file: it must stand there."""
    text = path.read_text("utf-8")
    assert old in text, f"{path.name} no longer says {old!r}"
    path.write_text(text.replace(old, new), "utf-8")
