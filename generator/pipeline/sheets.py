"""Take sheets and their faces, print them to a PDF."""

from __future__ import annotations

from collections.abc import Callable

from generator import pdf
from generator.model import Face, FaceKey, Game, Imprint, Sheet

Progress = Callable[[str], None]  # called with the name of each step as it begins


def silent(_: str) -> None:
    """Shows no progress, for work that takes no time."""


def print_sheets(
    game: Game,
    sheets: list[Sheet],
    drawn: dict[FaceKey, Face],
    press: pdf.Press,
    progress: Progress,
    *,
    is_temporary: bool = False,
) -> bytes:
    """The PDF, in RGB; not compressed if it `is_temporary`."""
    progress("printing")
    placed = {p.face for sheet in sheets for page in sheet.pages for p in page.placements}
    distinct = {face.id: face for face in drawn.values() if face.id in placed}
    imprint = Imprint(game.title, game.designer, game.about, game.language or "en")
    folders = [str(folder) for folder in game.font_folders]
    names = _names(game, drawn)
    job = pdf.Job(sheets, list(distinct.values()), imprint, folders, names, is_temporary)
    return press.print(job)


def _names(game: Game, drawn: dict[FaceKey, Face]) -> dict[tuple[str, str], str]:
    """The names of the sides of pieces, by the piece and the id of its face."""
    titles = {component.id: component.title for component in game.components}
    return {
        (piece, face.id): f"{titles[component]} {piece}, {side}"
        for (component, piece, side), face in drawn.items()
        if component in titles
    }
