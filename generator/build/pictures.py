"""Take a request, make pictures of a game: its faces, its sheets, its backs laid astray."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator import pdf
from generator.build.game import FaceKey, Progress, draw, print_sheets, sound_game
from generator.build.printing import OUTPUT, Request, laid_out
from generator.errors import fail
from generator.files import write_whole
from generator.model import LEAFLETS, Face, Game, Side
from generator.nets import Net

if TYPE_CHECKING:
    from generator import export


def export_png(
    request: Request,
    folder: Path | None,
    dpi: int,
    progress: Progress,
    drift: float | None = None,
) -> Path:
    """Write pictures of the game: overview.png, each face, each page; folded.png, where pieces are
    nets.

    With a `drift` (mm) also drift.png: the backs as they come out when they are laid that far off.
    All goes to `folder`, output/GAME when that is None; returns it. Raises PnpError.
    """
    from generator import export

    game = sound_game(request.game, progress, request.language)
    if drift is not None:
        _check_that_backs_drift(game, request)
    folder = folder or OUTPUT / game.name
    drawn = draw(game, progress)
    read, sheets = laid_out(game, request, drawn, progress)
    with pdf.Press() as press:
        printed = print_sheets(game, sheets, drawn | read, press, progress)
    images = export.rasterise(printed, dpi)
    pages = [(sheet, page) for sheet in sheets for page in sheet.pages]
    for (sheet, page), image in zip(pages, images, strict=True):
        if page.placements:
            name = f"{sheet.component}-{sheet.number}-{page.side}.png"
            write_whole(folder / "sheets" / name, export.encode(image, dpi))
    if drift is not None:
        by_id = {face.id: face for face in drawn.values()}
        first = sum(len(sheet.pages) for sheet in sheets if sheet.component in LEAFLETS)
        rows = list(export.drifted(pages[first:], images[first:], by_id, drift, dpi))
        _export_drift(rows, folder, dpi)
    _export_faces(game, drawn, folder, dpi, progress)
    _export_read(game, read, folder, dpi, progress)
    _export_folded(game, folder, dpi, progress)
    return folder


def _check_that_backs_drift(game: Game, request: Request) -> None:
    if request.way not in ("long", "short"):
        what = (
            f"nothing can drift with --sides {request.way}: only one side of the paper is printed"
        )
        raise fail("drift", what, "leave out --drift, or print on both sides: --sides duplex")
    if not any(component.back for component in game.components):
        what = f"nothing can drift: {game.title} has no backs, and fronts are cut along their marks"
        raise fail("drift", what, "leave out --drift")


def _export_drift(rows: Sequence[export.Row], folder: Path, dpi: int) -> None:
    from generator import export

    groups: dict[str, list[Any]] = {}
    for row in rows:
        name = f"{row.component}-{row.piece}.png"
        write_whole(folder / "drift" / name, export.encode(row.picture, dpi))
        groups.setdefault(row.component, []).append(row.picture)
    write_whole(folder / "drift.png", export.encode(export.overview(groups.values(), dpi), dpi))


def _export_read(
    game: Game, pages: dict[FaceKey, Face], folder: Path, dpi: int, progress: Progress
) -> None:
    """Each page of the cover and of the rules as one reads it."""
    from generator import export

    if not pages:
        return
    with pdf.Press() as press:
        shown = export.face_sheets(list(pages.values()))
        printed = print_sheets(game, shown, pages, press, progress)
    for (part, number, _), image in zip(pages, export.rasterise(printed, dpi), strict=True):
        write_whole(folder / part / f"{number}.png", export.encode(image, dpi))


def _export_faces(
    game: Game, drawn: dict[FaceKey, Face], folder: Path, dpi: int, progress: Progress
) -> None:
    """Each face as it is cut, and on one table all that differ."""
    from generator import export

    with pdf.Press() as press:
        cut_out = print_sheets(
            game, export.face_sheets(list(drawn.values())), drawn, press, progress
        )
    groups: dict[tuple[str, Side], dict[Any, Any]] = {}
    images = export.rasterise(cut_out, dpi)
    for ((component, piece, side), face), image in zip(drawn.items(), images, strict=True):
        picture = export.cut_out(image, face, dpi)
        name = f"{piece}-{side}.png"
        write_whole(folder / "faces" / component / name, export.encode(picture, dpi))
        groups.setdefault((component, side), {}).setdefault(face.stamps, picture)
    blocks = [
        list(group.values())
        for (component, side), group in groups.items()
        if side == "front" or not group.keys() <= groups[component, "front"].keys()
    ]
    write_whole(folder / "overview.png", export.encode(export.overview(blocks, dpi), dpi))


def _export_folded(game: Game, folder: Path, dpi: int, progress: Progress) -> None:
    """Each piece that is a net as it stands, all on one table."""
    from generator import export
    from generator.faces.standing import stand

    drawn: dict[FaceKey, Face] = {
        (component.id, piece.id, "front"): stand(component, piece)
        for component in game.components
        for piece in component.pieces
        if isinstance(component.shape, Net) and piece.copies
    }
    if not drawn:
        return
    with pdf.Press() as press:
        sheets = export.face_sheets(list(drawn.values()))
        printed = print_sheets(game, sheets, drawn, press, progress)
    rows: dict[str, list[Any]] = {}
    images = export.rasterise(printed, dpi)
    for ((id_, _, _), face), image in zip(drawn.items(), images, strict=True):
        rows.setdefault(id_, []).append(export.cut_out(image, face, dpi))
    write_whole(
        folder / "folded.png", export.encode(export.overview(list(rows.values()), dpi), dpi)
    )
