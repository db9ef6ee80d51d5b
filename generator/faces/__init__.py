"""Take a Component, make the Faces of its pieces: SVG drawings in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from generator.bounds import at_work_on
from generator.errors import MisfitError, PnpError, Problem
from generator.faces.edge import draw_past_trim
from generator.faces.template import FromTemplate
from generator.model import DRAWN, Design, Face, Layer, Piece, Side

__all__ = ["RENDERERS", "FromTemplate", "Known", "draw", "drawn"]

# "module:class" by the name that a spec uses
RENDERERS: Mapping[str, str] = {
    "areas.lined": "generator.faces.areas:Lined",
    "areas.ringed": "generator.faces.areas:Ringed",
    "net.panels": "generator.faces.net:Panels",
    "playing.back": "generator.faces.playing:CardBack",
    "playing.card": "generator.faces.playing:Card",
    "playing.hands": "generator.faces.hands:Hands",
    "token.art": "generator.faces.token:Token",
    "track.fields": "generator.faces.track:Track",
    "trihex.back": "generator.faces.trihex:TriHexBack",
    "trihex.fields": "generator.faces.trihex:TriHexFields",
}


Known = dict[tuple[object, ...], Face]  # by the values that a renderer reads from a row


def draw(design: Design, side: Side) -> list[tuple[Piece, Face]]:
    """Draw the face of every piece on one side; pieces share one if the renderer reads equal
    values from their rows.

    Raises PnpError with every fault, at the place of its piece; a fault of several pieces is
    reported once, at the place of the component.
    """
    return list(draw_each(design, side, {}))


def draw_each(design: Design, side: Side, known: Known) -> Iterator[tuple[Piece, Face]]:
    """Like `draw`, but yield each face as soon as it is drawn, and raise faults at the end.

    Faces in `known` are not drawn again; new ones are added to it.
    """
    component, renderer = design.component, design.renderer(side)
    if renderer is None:
        return
    columns = [column.name for column in renderer.columns()]
    edge = component.edges.get(side, DRAWN)
    component = component if side == "front" else component.from_behind()
    layers: dict[str, Layer] = {}
    problems: dict[str, Problem] = {}
    for piece in (piece for piece in component.pieces if piece.copies):
        reads = renderer.reads(piece) if isinstance(renderer, FromTemplate) else columns
        values = tuple(piece.row[name] for name in reads)
        try:
            if values not in known:
                at_work_on(f"the {side} of {component.id} {piece.id}")
                stamps = [
                    replace(stamp, layer=layers.setdefault(stamp.layer.id, stamp.layer))
                    for stamp in draw_past_trim(renderer, piece, component, edge)
                ]
                known[values] = Face.of(
                    stamps,
                    f"{component.id} {piece.id} {side}",
                    component.bleed_size,
                    component.outline,
                    component.corner_radius,
                )
            yield piece, known[values]
        except MisfitError as error:
            what = f"the {side} cannot be drawn: {error}"
            place = component.place if what in problems else piece.place
            others = problems[what].faces if what in problems else ()
            faces = (*others, (component.id, piece.id, side))
            problems[what] = Problem(place, what, error.hint, faces=faces)
    if problems:
        raise PnpError(problems.values())
