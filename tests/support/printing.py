"""Take sizes and counts, make plain pieces and print them: games without a spec, for measuring."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from generator import layout, pipeline
from generator.basics import papers
from generator.basics.errors import Place
from generator.basics.geometry import ORIGIN, Point, Rect, Size, translation
from generator.basics.shapes import Shape, rectangle
from generator.model import FLIPS, SEPARATE, Cuts, Face, Imprint, Layer, PlacedLayer, Sheet, Way
from generator.model.face import FacePages, PageContents
from generator.pdf import Job, Press, press_worker, raster
from generator.pdf.faces import Typesetter
from generator.pdf.sheets import prove
from generator.pipeline import PrintOptions, Request, parse_request
from generator.pipeline.request import Binding, Sides
from generator.text import HOUSE_FONTS, FontBook
from tests.support.once import once

CARD = rectangle(Size(63.5, 88.9))
TEMPLATES = Path(__file__).parents[2] / "templates"
FONTS = FontBook([HOUSE_FONTS])
SVG = 'xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True)
class Printed:
    """A finished file and the plan it was made from."""

    pdf: bytes
    sheets: Sequence[Sheet]


def run_of(
    shape: Shape,
    bleed: float,
    items: tuple[layout.Item, ...],
    *,
    name: str = "cards",
    back_bleed: float | None = None,
    cuts: Cuts = "shared",
    is_merging: bool = False,
) -> layout.PrintRun:
    back_bleed = bleed if back_bleed is None else back_bleed
    place = Place("toy/game.toml", len(name))
    blank, edges = layout.Blank(shape, bleed, back_bleed), ("#fff",) if is_merging else ()
    return layout.PrintRun(name, name.title(), blank, cuts, items, place, edges)


@dataclass(frozen=True)
class Deck:
    """A run with its faces."""

    run: layout.PrintRun
    faces: tuple[Face, ...]


def drawing(name: str, size: Size, content: str) -> Layer:
    """A layer that holds SVG elements in mm."""
    width, height = size
    svg = f'<svg {SVG} width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
    svg += f"{content}</svg>"
    return Layer.of(name, svg, size)


def face_of(name: str, shape: Shape, bleed: float, content: str) -> Face:
    """A face of one layer for a cut piece of a shape."""
    whole = Size(shape.size.width + 2 * bleed, shape.size.height + 2 * bleed)
    layer = drawing(name, whole, content)
    outline = shape.placed(translation(bleed, bleed))
    return Face(layer.id, name, (PlacedLayer(layer, Point(0.0, 0.0)),), whole, outline, 0.0)


def mark(text: str, colour: str) -> str:
    """Ink to the edge of the bleed, and an arrow up: a face whose way up can be seen."""
    return f'<rect width="999" height="999" fill="{colour}"/><path d="M9 9 l4 9 h-8z"/><!--{text}-->'


def deck(
    count: int,
    shape: Shape = CARD,
    bleed: float = 3.0,
    *,
    name: str = "cards",
    cuts: Cuts = "shared",
    backs: Callable[[int], int] | None = lambda number: number,
) -> Deck:
    """So many different pieces; `backs` says which back a piece has, None that it has none."""
    fronts = [face_of(f"front {i}", shape, bleed, mark(f"{name} f{i}", "#fff")) for i in range(count)]
    drawn = {i: backs(i) for i in range(count)} if backs else {}
    behind = shape.mirrored()
    back_faces = {
        i: face_of(f"back {i}", behind, bleed, mark(f"{name} b{i}", "#eee")) for i in dict.fromkeys(drawn.values())
    }
    items = tuple(
        layout.Item(f"{name} {i}", front.id, back_faces[drawn[i]].id if drawn else None)
        for i, front in enumerate(fronts)
    )
    run = run_of(shape, bleed, items, name=name, cuts=cuts)
    return Deck(run, (*fronts, *back_faces.values()))


def board(size: Size, overlap: float = 0.0, bleed: float = 3.0) -> Deck:
    """A piece of two sides that is larger than a sheet, whose joints cut nothing."""
    even = layout.JointCosts(*([0] * (round(side / layout.COST_STEP) + 1) for side in size))
    whole = deck(1, rectangle(size), bleed, name="board")
    joints = layout.Joints(overlap, lambda: even)
    return Deck(replace(whole.run, joints=joints), whole.faces)


def with_copies(printed_deck: Deck, copies: int) -> Deck:
    """Each piece of a deck so many times."""
    items = tuple(item for item in printed_deck.run.items for _ in range(copies))
    return Deck(replace(printed_deck.run, items=items), printed_deck.faces)


def impose(decks: Sequence[Deck], paper: str, way: Way) -> list[Sheet]:
    printing = layout.Printing(papers.parse_paper(paper).size, way)
    return layout.impose("Toy", [printed_deck.run for printed_deck in decks], printing, FONTS)


def job(decks: Sequence[Deck], sheets: Sequence[Sheet]) -> Job:
    faces = list({face.id: face for printed_deck in decks for face in printed_deck.faces}.values())
    return Job(sheets, faces, Imprint("Toy", "Nobody", "About"), [str(HOUSE_FONTS)])


def print_decks(decks: Sequence[Deck], paper: str = "letter", way: Way = "long") -> Printed:
    """Printed in this process: the press and its worker have tests of their own."""
    sheets = impose(decks, paper, way)
    return Printed(press_worker.print_job(job(decks, sheets)), sheets)


@cache
def published(paper: str = "letter", way: Way = "long", game: str = "talavera", part: str = "cards") -> bytes:
    """The PDF of a game's deck as `pnp build --only cards` makes it, built once a run."""
    name = f"{game} {part} on {paper}, {way}"
    return once(name, lambda: built(game, paper, way, only=(part,)))


def request_of(
    game: str,
    paper: str = "letter",
    way: Way = "long",
    *,
    only: Sequence[str] = (),
    mix: bool = True,
    booklet: Binding = "fold",
    language: str = "",
) -> Request:
    """What `pnp build` asks for, its flip and its sides said in one word."""
    sides: dict[Way, Sides] = {"fold": "fold", "single": "single"}
    sides |= dict.fromkeys(SEPARATE, "separate")
    options: PrintOptions = {
        "paper": paper,
        "sides": sides.get(way, "duplex"),
        "flip": FLIPS.get(way),
        "mix": mix,
        "booklet": booklet,
        "language": language,
        "only": only,
    }
    return parse_request(game, options)


@cache
def kit(game: str = "talavera", way: Way = "long") -> bytes:
    """The whole PDF of a game on letter paper, built once a run."""
    return once(f"{game} on letter, {way}", lambda: built(game, way=way))


def built(game: str, paper: str = "letter", way: Way = "long", only: tuple[str, ...] = ()) -> bytes:
    """The PDF of a game as `pnp build` makes it."""
    with tempfile.TemporaryDirectory() as folder, Press() as press:
        output = Path(folder) / "out.pdf"
        request = request_of(game, paper, way, only=only)
        pipeline.print_game(request, output, press, pipeline.silent)
        return output.read_bytes()


def alone(folder: Path) -> Path:
    """A copy of Talavera with nothing but its cards."""
    copy = folder / "talavera"
    shutil.copytree(TEMPLATES / "talavera", copy)
    spec, kept, is_kept = copy / "game.toml", "", True
    text = re.sub(r"(?m)^\[cover(\.art)?\]\n(.+\n)*", "", spec.read_text("utf-8"))
    for part in re.split(r"(?m)^(?=\[)", text):
        if not part.startswith(("[component.", "[[component.")):
            is_kept = not part.startswith(
                ("[booklet]", "[cover", "[language", "[scene", "[[scene", "[[box]]", '[[component]]\nid = "rule')
            )
        kept += part if is_kept else ""
    spec.write_text(kept, "utf-8")
    return copy


def unboxed(game: str, folder: Path, before: str = "[[box]]") -> Path:
    """A copy of a game of the house in a folder, without what its spec says from there on."""
    name, _, variant = game.partition("-")
    copy = folder / name
    shutil.copytree(TEMPLATES / name, copy)
    spec = copy / "game.toml"
    kept, found, _ = spec.read_text("utf-8").partition(before)
    assert found, f"{game} has {before}"
    spec.write_text(kept, "utf-8")
    return copy.with_name(game) if variant else copy


def read_back(printed: bytes, count: int, dpi: float) -> list[tuple[npt.NDArray[np.uint8], PageContents]]:
    """The pixels and the contents of the first pages of a PDF, each a face."""
    faces = [FacePages((number,), (number,)) for number in range(count)]
    return list(raster.read_faces(printed, faces, dpi))


def page_of(layer: Layer, folders: Iterable[Path | str] = (HOUSE_FONTS,)) -> bytes:
    """A PDF whose one page is a layer, as the press draws it."""
    width, height = layer.size
    box = Rect(0.0, 0.0, width, height).corners()
    face = Face.of([PlacedLayer(layer, ORIGIN)], layer.name, layer.size, box)
    return proof_of([face], Typesetter(list(map(str, folders))))


def proof_of(faces: Sequence[Face], typesetter: Typesetter | None = None) -> bytes:
    """A proof of faces."""
    return prove(typesetter or Typesetter([str(HOUSE_FONTS)]), faces)[0]
