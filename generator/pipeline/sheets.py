"""Take sheets and their faces, print them to a PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
) -> bytes:
    """The PDF, in RGB."""
    return b"".join(stream_sheets(game, sheets, drawn, press, progress))


def stream_sheets(
    game: Game,
    sheets: list[Sheet],
    drawn: dict[FaceKey, Face],
    press: pdf.Press,
    progress: Progress,
) -> Iterator[bytes]:
    """The PDF, in RGB, part by part as it is made."""
    progress("printing")
    placed = {p.face for sheet in sheets for page in sheet.pages for p in page.placements}
    distinct = {face.id: face for face in drawn.values() if face.id in placed}
    imprint = Imprint(game.title, game.designer, game.about, game.language or "en")
    folders = [str(folder) for folder in game.font_folders]
    names = _names(game, drawn)
    return press.print_parts(pdf.Job(sheets, list(distinct.values()), imprint, folders, names))


def _names(game: Game, drawn: dict[FaceKey, Face]) -> dict[tuple[str, str], str]:
    """The names of the sides of pieces, by the piece and the id of its face."""
    titles = {component.id: component.title for component in game.components}
    return {
        (piece, face.id): f"{titles[component]} {piece}, {side}"
        for (component, piece, side), face in drawn.items()
        if component in titles
    }
