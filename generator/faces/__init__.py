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

# "module:class" by the name that a spec says
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


Known = dict[tuple[object, ...], Face]  # by the values that a renderer reads of a piece


def draw(design: Design, side: Side) -> list[tuple[Piece, Face]]:
    """The face of every piece on one side; pieces alike in what the renderer reads share one.

    Raises PnpError with each thing that cannot be drawn, told of the piece that has it; what
    several pieces have is the component's.
    """
    return list(draw_each(design, side, {}))


def draw_each(design: Design, side: Side, known: Known) -> Iterator[tuple[Piece, Face]]:
    """As `draw`, each as soon as it is made; what cannot be drawn is raised at the end.

    Faces in `known` are not drawn anew, and those that are go into it.
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
        read = tuple(piece.row[name] for name in columns)
        try:
            if read not in known:
                at_work_on(f"the {side} of {component.id} {piece.id}")
                stamps = [
                    replace(stamp, layer=layers.setdefault(stamp.layer.id, stamp.layer))
                    for stamp in draw_past_trim(renderer, piece, component, edge)
                ]
                known[read] = Face.of(
                    stamps,
                    f"{component.id} {piece.id} {side}",
                    component.bleed_size,
                    component.outline,
                    component.corner_radius,
                )
            yield piece, known[read]
        except MisfitError as error:
            what = f"the {side} cannot be drawn: {error}"
            place = component.place if what in problems else piece.place
            others = problems[what].faces if what in problems else ()
            faces = (*others, (component.id, piece.id, side))
            problems[what] = Problem(place, what, error.hint, faces=faces)
    if problems:
        raise PnpError(problems.values())
