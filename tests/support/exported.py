"""Games of the house, exported once a run."""

from __future__ import annotations

import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from generator import export_game, pipeline
from generator.model import Component
from tests.support.once import once

GAMES = ["talavera", "advaya", "taluva"]  # cards, hexagons, a board and what stands
LOW = {"dpi": "50"}  # the least dots that every table takes


def exported(to: str, game: str) -> dict[str, bytes]:
    """The files of a game in a format, by path."""
    return once(f"{to} of {game}", lambda: export_to(to, game))


def export_to(to: str, game: str | Path, *, only: Sequence[str] = (), **settings: str) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        export_game(str(game), to, Path(folder), settings=LOW | settings, only=only)
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        files.remove(Path(folder) / f"{to}.sha256")
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def unzipped(content: bytes) -> dict[str, bytes]:
    """The files of a ZIP, by path; each is there once."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(set(names)) == len(names)
        return {name: archive.read(name) for name in names}


def components(game: str) -> tuple[Component, ...]:
    return pipeline.read(game).game.components


def pieces_of(game: str) -> Counter[str]:
    """How often each piece is printed, by the name that tables show."""
    return Counter(component.name_piece(piece.id) for component in components(game) for piece in component.copies())
