"""Take art for faces, make the findings about them as they print."""

from __future__ import annotations

from collections.abc import Sequence

from generator.basics.errors import Place, Problem
from generator.basics.geometry import Size
from generator.basics.shapes import Shape, rectangle
from generator.checks import Reasons
from generator.checks.preflight import FaceLook, Print, SideInspector, conclude
from generator.model import Component, Face, Piece, Side
from generator.pdf import press_worker, raster
from tests.support.printing import Deck, face_of, job, read_back, run_of

DPI = 200
BLEED = 3.0
CARD = rectangle(Size(40.0, 60.0))


def component(
    shape: Shape = CARD,
    pieces: int = 1,
    *,
    bleed: float = BLEED,
    safe: float = 3.0,
    radius: float = 0.0,
    least_bleed: float | None = None,
) -> Component:
    rows = tuple(Piece(str(n), {}, 1, Place("t.csv", n + 1)) for n in range(1, pieces + 1))
    return Component(
        id="cards",
        title="Cards",
        shape=shape,
        corner_radius=radius,
        bleed=bleed,
        back_bleed=bleed,
        least_bleed=least_bleed,
        safe=safe,
        cuts="double",
        columns={"front": (), "back": ()},
        pieces=rows,
        place=Place("game.toml", 9),
    )


def looks(art: Sequence[str], shape: Shape, bleed: float) -> list[FaceLook]:
    """Faces with this art, (0, 0) the top left corner of the piece's box, as they print."""

    def face(number: int, content: str) -> Face:
        moved = f'<g transform="translate({bleed} {bleed})">{content}</g><!--{number}-->'
        return face_of(f"{number}", shape, bleed, moved)

    faces = tuple(face(number, content) for number, content in enumerate(art))
    deck = Deck(run_of(shape, bleed, ()), faces)
    pdf = press_worker.print_job(job([deck], raster.face_sheets(faces, is_bled=True)))
    return [FaceLook(pixels, contents) for pixels, contents in read_back(pdf, len(faces), DPI)]


def check(
    art: Sequence[str],
    shape: Shape = CARD,
    *,
    side: Side = "back",
    drift: float = 1.0,
    bleed: float = BLEED,
    safe: float = 3.0,
    radius: float = 0.0,
    least_bleed: float | None = None,
    reasons: Reasons | None = None,
) -> list[Problem]:
    """The findings about faces with this art."""
    made = component(shape, len(art), bleed=bleed, safe=safe, radius=radius, least_bleed=least_bleed)
    prints = Print(made, side, drift, len(art))
    inspector = SideInspector(prints)
    inspected = [inspector.inspect(look) for look in looks(art, shape, bleed)]
    faces = [((str(number),), face) for number, face in enumerate(inspected, 1)]
    return list(conclude(prints, faces, reasons or Reasons()))


def rules(problems: Sequence[Problem]) -> list[str]:
    return [problem.rule for problem in problems]


def full(colour: str) -> str:
    return f'<rect x="-9" y="-9" width="199" height="199" fill="{colour}"/>'
