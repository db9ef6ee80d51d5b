"""Take the faces of a game, make the findings about them as they print.

The process that inspects a previewed game starts with this alone: it reads and draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, product, zip_longest
from typing import TYPE_CHECKING

from generator import pdf
from generator.accepted import Reasons
from generator.errors import Problem
from generator.model import SIDES, Face, FaceKey, Game, Side
from generator.pipeline.sheets import print_sheets, silent
from generator.place import Place
from generator.printers import Profile

if TYPE_CHECKING:
    from PIL import Image

    from generator import preflight
    from generator.printed import PageContents

    Printed = tuple[Image.Image, PageContents]  # a picture of a face's bleed box, and its contents
    ReadFaces = Callable[[Sequence[Face]], list[Printed]]

MOST_LOOKED_AT = 400  # faces per check, to keep it quick
MOST_AREA = 1.2e6  # mm² of them: 230 MB of pixels
LOOKING_DPI = 200  # enough to measure tenths of a mm


def misprints(
    game: Game,
    drawn: Mapping[FaceKey, Face],
    printer: Profile | None,
    read_faces: ReadFaces,
    reasons: Reasons,
    first: Sequence[str] | None = None,
) -> Iterator[Problem]:
    """The findings about faces as they print. `first` has the ids of faces that were changed: they
    are inspected before the others. Raises PnpError if a face cannot be printed."""
    from generator import preflight

    looks, total = _looks(drawn, read_faces, first or ())
    for component, side in product(game.components, SIDES):
        view = component if side == "front" else component.from_behind()
        drift = preflight.drift_of(side, printer.drift if printer else None)
        of_side = looks.get((component.id, side), [])
        yield from preflight.inspect(preflight.Print(view, side, drift, of_side), reasons)
    file = game.components[0].place.at_line(0)
    yield from map(reasons.settle, preflight.palette_alike(game.palette, file))
    left = total - sum(map(len, looks.values()))
    if left:
        what = f"{left} of {total} faces were not inspected, to keep the check quick"
        hint = "" if first is None else "faces that you change are inspected first"
        yield reasons.settle(Problem(Place(game.name), what, hint, "note", "unseen"))


def as_printed(game: Game, press: pdf.Press, faces: Sequence[Face]) -> list[Printed]:
    """Pictures of faces as they print, and the contents of their pieces, without mirrored edges.
    Raises PnpError if one cannot be printed."""
    from generator import raster

    cut_out = [replace(face, id=f"{face.id}-cut-out", layers=face.cut_out) for face in faces]
    differing = [one for one, face in zip(cut_out, faces, strict=True) if one.layers != face.layers]
    every = [*faces, *differing]
    drawn: dict[FaceKey, Face] = {("", face.id, "front"): face for face in every}
    printed = print_sheets(game, raster.face_sheets(every, is_bled=True), drawn, press, silent)
    at = {face.id: index for index, face in enumerate(every)}
    read = [at.get(one.id, index) for index, one in enumerate(cut_out)]
    return raster.read_pages(printed, LOOKING_DPI, read)


def _looks(
    drawn: Mapping[FaceKey, Face], read_faces: ReadFaces, first: Sequence[str]
) -> tuple[dict[tuple[str, Side], list[preflight.FaceLook]], int]:
    """The distinct faces as they will print, up to the limits: those in `first`, then others from
    each side of each component in turn; and the number of all distinct faces."""
    from generator import preflight

    alike: dict[tuple[str, Side], dict[str, list[str]]] = {}  # the pieces that share a face
    for (component, piece, side), face in drawn.items():
        alike.setdefault((component, side), {}).setdefault(face.id, []).append(piece)
    turns = zip_longest(*([(of_side, id_) for id_ in ids] for of_side, ids in alike.items()))
    ranks = {id_: rank for rank, id_ in enumerate(first)}
    every = [one for turn in turns for one in turn if one is not None]
    every.sort(key=lambda one: ranks.get(one[1], len(ranks)))
    by_id = {face.id: face for face in drawn.values()}
    areas = accumulate(by_id[id_].size.width * by_id[id_].size.height for _, id_ in every)
    within = zip(every[:MOST_LOOKED_AT], areas, strict=False)
    chosen = [one for one, area in within if area <= MOST_AREA]
    if not chosen:
        return {}, len(every)
    printed = read_faces([by_id[id_] for _, id_ in chosen])
    looks: dict[tuple[str, Side], list[preflight.FaceLook]] = {}
    for (of_side, id_), (image, contents) in zip(chosen, printed, strict=True):
        look = preflight.FaceLook(tuple(alike[of_side][id_]), image, contents)
        looks.setdefault(of_side, []).append(look)
    return looks, len(every)
