"""Findings about the faces of a game as they print.

The process that inspects a previewed game starts with this alone: it reads and draws nothing.

Also the ink that the sheets of a kit take, and what joints of panels would cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, islice, product, zip_longest
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from generator import layout, pdf
from generator.basics.errors import Place, Problem
from generator.basics.geometry import MM_PER_INCH
from generator.basics.shapes import Shape
from generator.checks import Reasons, preflight
from generator.model import SIDES, Face, FaceKey, Game, Page, Sheet, Side, divided
from generator.pdf import raster
from generator.pipeline.sheets import Progress, print_sheets

if TYPE_CHECKING:
    from generator.layout.printers import Profile

    Bytes = NDArray[np.uint8]
    # by what their inspection depends on, and their ids
    Known = dict[tuple[Hashable, str], preflight.InspectedFace]

MOST_LOOKED_AT = 4000  # faces per check: half a minute; their comparison takes 300 MB
MOST_AREA = 3e7  # mm² of them, as much as 4,000 cards
LOOKING_DPI = 200  # enough to measure tenths of a mm

# a component, a side of it, and the shape of the pieces, if it has several
_OfSide = tuple[str, Side, Shape | None]
# of joints of panels
_DIFFERENT = 24  # of 255: neighbouring pixels that show an edge, also of a hairline
_THING, _EDGE, _WORD = 1, 3, 12  # the cost of a pixel that is not plain ground
_COLOUR_BITS = 3  # of a channel that one colour may differ in
_AROUND_WORD = 2.0  # mm
_BESIDE = 2  # pixels of COST_STEP on each side of a joint that a cut may reach
_COARSE = 12  # what differs by less costs the same
_DPI = 120.0  # thin lines, which are painted at least a pixel wide, have their own width then


def misprints(
    game: Game,
    drawn: Mapping[FaceKey, Face],
    printer: Profile | None,
    press: pdf.Press,
    reasons: Reasons,
    known: Known | None = None,
    limits: Mapping[str, preflight.ShopLimits] | None = None,
) -> Iterator[Problem]:
    """The findings about faces as they print. `known` has faces inspected before, and is kept up to date. `limits`
    has those of a print shop, by the components that it prints. Raises PnpError if a face cannot be printed."""
    alike = _alike(game, drawn)
    chosen, total = _choose(alike, {face.id: face for face in drawn.values()})
    counts = Counter(of_side for of_side, _ in chosen)
    prints = {
        of_side: preflight.Print(
            part if of_side[1] == "front" else part.from_behind(),
            of_side[1],
            preflight.drift_of(of_side[1], printer.drift if printer else None),
            counts[of_side],
            (limits or {}).get(part.id),
        )
        for part, side in product(divided(game.components), SIDES)
        for of_side in [(part.id, side, next((p.shape for p in part.pieces), None))]
    }
    inspected = _inspect(game, prints, chosen, press, {} if known is None else known)
    for of_side, side_print in prints.items():
        names = alike.get(of_side, {})
        faces = [(tuple(names[id_]), face) for id_, face in inspected.get(of_side, {}).items()]
        yield from preflight.conclude(side_print, faces, reasons)
    file = game.components[0].place.at_line(0)
    yield from map(reasons.settle, preflight.palette_alike(game.palette, file))
    yield from map(reasons.settle, preflight.palette_dull(game.palette, file))
    if left := total - len(chosen):
        what = f"{left} of {total} faces were not inspected, to keep the check quick"
        yield reasons.settle(Problem(Place(game.name), what, "", "note", "unseen"))


def as_printed(
    game: Game, press: pdf.Press, faces: Sequence[Face], dpi: float = LOOKING_DPI
) -> Iterator[preflight.FaceLook]:
    """Faces as they print, one after another, so that few pictures are in memory; a thread paints the next. The
    contents are those of the pieces, without mirrored edges. Raises PnpError if one cannot be printed."""
    with ThreadPoolExecutor(1) as painter:
        for proof, pages in press.prove(faces, [str(folder) for folder in game.font_folders]):
            painted = raster.read_faces(proof, pages, dpi)
            coming = painter.submit(next, painted, None)
            while look := coming.result():
                coming = painter.submit(next, painted, None)
                yield preflight.FaceLook(*look)


def cost_joints(game: Game, fronts: Sequence[Face], backs: Sequence[Face], overlap: float) -> layout.JointCosts:
    """The costs of a joint at each place of pieces of one size: words cost most, then edges of what is drawn. On
    backs a joint is `overlap` mm further on, as seen from the front. Raises PnpError if a face cannot be printed."""
    faces = {face.id: face for face in (*fronts, *backs)}
    seen, behind = {face.id for face in fronts}, {face.id for face in backs}
    off = round(overlap / layout.COST_STEP)
    costs: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    with pdf.Press() as press:
        looks = as_printed(game, press, list(faces.values()), MM_PER_INCH / layout.COST_STEP)
        for face, look in zip(faces.values(), looks, strict=True):
            busy = _find_busy(face, look)
            if face.id in seen:
                costs.append((_cost_lines(busy), _cost_lines(busy.T)))
            if face.id in behind:
                across, down = _cost_lines(busy[:, ::-1]), _cost_lines(busy.T)
                costs.append((_move(across, off), _move(down, off)))
    across, down = (np.sum(axis, axis=0) // _COARSE for axis in zip(*costs, strict=True))
    return layout.JointCosts(across.tolist(), down.tolist())


def _find_busy(face: Face, look: preflight.FaceLook) -> Bytes:
    """The cost of each pixel of a cut piece: nothing on the ground, its commonest colour; most within words."""
    left, top, right, foot = (round(mm / layout.COST_STEP) for mm in face.trim)
    pixels = look.pixels[:, :, :3]
    red, green, blue = (pixels[:, :, i].astype(np.uint16) >> _COLOUR_BITS for i in range(3))
    colours = (red << 10) | (green << 5) | blue
    ground = np.bincount(colours.ravel()).argmax()
    busy = np.where(colours == ground, 0, _THING).astype(np.uint8)
    for axis in (0, 1):
        there, before = busy.swapaxes(0, axis), pixels.swapaxes(0, axis).astype(np.int16)
        differs = np.abs(np.diff(before, axis=0)).max(axis=2) > _DIFFERENT
        there[:-1][differs] = _EDGE
        there[1:][differs] = _EDGE
    for word in look.contents.words:
        x0, y0, x1, y1 = (round(mm / layout.COST_STEP) for mm in word.box.grown(_AROUND_WORD))
        busy[max(y0, 0) : y1, max(x0, 0) : x1] = _WORD
    return busy[top:foot, left:right]


def _cost_lines(busy: Bytes) -> NDArray[np.int64]:
    """The cost of a line down a picture before each column, and after the last: of what is most
    costly in each row within _BESIDE columns of it."""
    rows, columns = busy.shape
    padded = np.zeros((rows, columns + 2 * _BESIDE), np.uint8)
    padded[:, _BESIDE:-_BESIDE] = busy
    most = padded[:, : columns + 1].copy()
    for start in range(1, 2 * _BESIDE):
        np.maximum(most, padded[:, start : start + columns + 1], out=most)
    costs: NDArray[np.int64] = most.sum(axis=0, dtype=np.int64)
    return costs


def _move(costs: NDArray[np.int64], by: int) -> NDArray[np.int64]:
    """The costs of places `by` steps further on."""
    return np.append(costs[by:], np.zeros(by, np.int64))


def _alike(game: Game, drawn: Mapping[FaceKey, Face]) -> dict[_OfSide, dict[str, list[str]]]:
    """The pieces that share a face, by its id, on each side of the pieces of one shape."""
    shapes = {(component.id, piece.id): piece.shape for component in game.components for piece in component.pieces}
    alike: dict[_OfSide, dict[str, list[str]]] = {}
    for (component, piece, side), face in drawn.items():
        of_side = component, side, shapes.get((component, piece))
        alike.setdefault(of_side, {}).setdefault(face.id, []).append(piece)
    return alike


def _choose(
    alike: Mapping[_OfSide, Mapping[str, list[str]]], by_id: Mapping[str, Face]
) -> tuple[list[tuple[_OfSide, Face]], int]:
    """The distinct faces to inspect, up to the limits, from each side of each component in
    turn; and the number of all distinct faces."""
    turns = zip_longest(*([(of_side, by_id[id_]) for id_ in ids] for of_side, ids in alike.items()))
    every = [choice for turn in turns for choice in turn if choice is not None]
    areas = accumulate(face.size.width * face.size.height for _, face in every)
    within = zip(every[:MOST_LOOKED_AT], areas, strict=False)
    return [choice for choice, area in within if area <= MOST_AREA], len(every)


def _inspect(
    game: Game,
    prints: Mapping[_OfSide, preflight.Print],
    chosen: Sequence[tuple[_OfSide, Face]],
    press: pdf.Press,
    known: Known,
) -> dict[_OfSide, dict[str, preflight.InspectedFace]]:
    """The chosen faces of each side by their ids, inspected where they are not known."""
    keys = {of_side: side_print.key for of_side, side_print in prints.items()}
    new = [choice for choice in chosen if (keys[choice[0]], choice[1].id) not in known]
    sides = dict.fromkeys(of_side for of_side, _ in new)
    inspectors = {of_side: preflight.SideInspector(prints[of_side]) for of_side in sides}
    looks = as_printed(game, press, [face for _, face in new]) if new else ()
    for (of_side, face), look in zip(new, looks, strict=True):
        known[keys[of_side], face.id] = inspectors[of_side].inspect(look)
    inspected: dict[_OfSide, dict[str, preflight.InspectedFace]] = {}
    for of_side, face in chosen:
        inspected.setdefault(of_side, {})[face.id] = known[keys[of_side], face.id]
    current = {(keys[of_side], face.id): None for of_side, face in chosen}
    for key in known.keys() - current.keys():
        del known[key]
    return inspected


def measure_ink(game: Game, sheets: Sequence[Sheet], drawn: dict[FaceKey, Face], progress: Progress) -> list[float]:
    """The ink of each sheet, its sides together, in solid layers of one side, as
    `preflight.prints.ink_of` estimates it. A page of text has about 0.06."""
    firsts = {tuple(map(_show, sheet.pages)): sheet for sheet in reversed(sheets)}
    with pdf.Press() as press:
        printed = print_sheets(game, list(firsts.values()), drawn, press, progress)
    inks = map(_measure_page, raster.paint_bands(printed, _DPI))
    found = {shown: sum(islice(inks, len(shown))) for shown in firsts}
    return [found[tuple(map(_show, sheet.pages))] for sheet in sheets]


def _show(page: Page) -> Hashable:
    """A key for the ink on a page, without the few letters of its labels."""
    return page.placements, page.marks, page.correction


def _measure_page(bands: Iterable[Image.Image]) -> float:
    from generator.checks.preflight.prints import ink_of

    inked, pixels = 0.0, 0
    for band in bands:
        colours = np.asarray(band).reshape(-1, 3)
        inked += ink_of(colours) * len(colours)
        pixels += len(colours)
    return inked / pixels
