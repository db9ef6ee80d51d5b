"""The only wiring: read, check, render, impose, write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator import faces, layout, pdf, rules, spec
from generator.errors import PnpError, Problem
from generator.files import write_whole
from generator.model import Component, Face, Flip, Game, Imprint, Sheet, Side
from generator.text import FontBook

KINDS = spec.Kinds(faces.RENDERERS, rules.RULES)
SIDES: tuple[Side, Side] = ("front", "back")

Progress = Callable[[str], None]  # called with the name of each step as it begins
FaceKey = tuple[str, str, Side]  # component, piece, side

names = spec.names


@dataclass(frozen=True, slots=True)
class Request:
    """What to print and how. `flip` is None for fronts only."""

    game: str
    paper: str
    flip: Flip | None


def read(name: str) -> Game:
    """The game of that name. Raises PnpError with every problem of its files."""
    folder, variant = spec.find(name)
    return spec.read(folder, variant, KINDS)


def file_stem(name: str) -> str:
    """What files made for a game are called. Raises PnpError when there is no such game."""
    folder, variant = spec.find(name)
    return f"{folder.name}-{variant}" if variant else folder.name


def check(name: str) -> list[Problem]:
    """All findings about a game, those of its files included."""
    try:
        return rules.check(read(name))
    except PnpError as error:
        return list(error.problems)


def schema() -> dict[str, Any]:
    """The JSON Schema of game.toml."""
    return spec.schema(KINDS)


def build(request: Request, output: Path, press: pdf.Press, progress: Progress) -> None:
    """Write the game's PDF to `output`.

    Raises PnpError and leaves what was at `output` as it was: faults of the game's files, rules
    broken, a piece larger than the paper, a face that cannot be drawn.
    """
    game = _sound_game(request, progress)
    drawn = _draw(game, progress)
    sheets = _impose(game, request, drawn, progress)
    write_whole(output, _write(game, sheets, drawn, press, progress))


def export_png(request: Request, folder: Path, dpi: int, progress: Progress) -> None:
    """Write pictures of the game: overview.png, each face, each page. Raises PnpError."""
    from generator import export

    game = _sound_game(request, progress)
    drawn = _draw(game, progress)
    sheets = _impose(game, request, drawn, progress)
    with pdf.Press() as press:
        printed = _write(game, sheets, drawn, press, progress)
    pages = [(sheet, page) for sheet in sheets for page in sheet.pages]
    for (sheet, page), image in zip(pages, export.rasterise(printed, dpi), strict=True):
        name = f"{sheet.component}-sheet-{sheet.number}-{page.side}.png"
        write_whole(folder / name, export.encode(image, dpi))
    with pdf.Press() as press:
        cut_out = _write(game, export.face_sheets(list(drawn.values())), drawn, press, progress)
    pictures = {
        key: export.rounded(image, face.corner_radius, dpi)
        for (key, face), image in zip(drawn.items(), export.rasterise(cut_out, dpi), strict=True)
    }
    for key, image in pictures.items():
        write_whole(folder / f"{'-'.join(key)}.png", export.encode(image, dpi))
    groups: dict[tuple[str, Side], list[Any]] = {}
    for (component, _, side), image in pictures.items():
        groups.setdefault((component, side), []).append(image)
    write_whole(folder / "overview.png", export.encode(export.overview(groups.values(), dpi), dpi))


def _sound_game(request: Request, progress: Progress) -> Game:
    """The game, no rule of which is broken."""
    progress("reading")
    game = read(request.game)
    errors = [problem for problem in rules.check(game) if problem.level == "error"]
    if errors:
        raise PnpError(errors)
    return game


def _draw(game: Game, progress: Progress) -> dict[FaceKey, Face]:
    progress("drawing faces")
    return {key: face for component in game.components for key, face in _faces(component)}


def _faces(component: Component) -> Iterator[tuple[FaceKey, Face]]:
    for side in SIDES:
        for piece, face in faces.draw(component, side):
            yield (component.id, piece.id, side), face


def _impose(
    game: Game, request: Request, drawn: dict[FaceKey, Face], progress: Progress
) -> list[Sheet]:
    progress("imposing")
    printing = layout.Printing(layout.paper_size(request.paper), request.flip)
    runs = [_run(component, drawn) for component in game.components]
    return layout.impose(game.title, runs, printing, FontBook(game.font_folders))


def _run(component: Component, drawn: dict[FaceKey, Face]) -> layout.Run:
    def item(piece: str) -> layout.Item:
        back = drawn.get((component.id, piece, "back"))
        front = drawn[component.id, piece, "front"]
        return layout.Item(piece, front.id, back.id if back else None)

    return layout.Run(
        component=component.id,
        title=component.title,
        size=component.size,
        bleed=component.bleed,
        items=tuple(item(piece.id) for piece in component.copies()),
        where=component.where,
    )


def _write(
    game: Game,
    sheets: list[Sheet],
    drawn: dict[FaceKey, Face],
    press: pdf.Press,
    progress: Progress,
) -> bytes:
    progress("printing")
    placed = {p.face for sheet in sheets for page in sheet.pages for p in page.placements}
    distinct = {face.id: face for face in drawn.values() if face.id in placed}
    imprint = Imprint(game.title, game.designer, game.about)
    folders = [str(folder) for folder in game.font_folders]
    return press.print(pdf.Job(sheets, list(distinct.values()), imprint, folders))
