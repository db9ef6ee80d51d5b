"""Take a Component, make the Faces of its pieces: SVG drawings in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from generator.errors import MisfitError, PnpError, Problem
from generator.faces.areas import Lined, Ringed
from generator.faces.edge import drawn_past_trim
from generator.faces.hands import Hands
from generator.faces.net import Panels
from generator.faces.playing import Back, Card
from generator.faces.talavera import Order, Tiles
from generator.faces.template import FromTemplate
from generator.faces.token import Token
from generator.faces.track import Track
from generator.faces.trihex import Back as TrihexBack
from generator.faces.trihex import Fields
from generator.model import DRAWN, Component, Face, Layer, Piece, Renderer, Side

__all__ = ["RENDERERS", "FromTemplate", "Known", "draw", "drawn"]

RENDERERS: Mapping[str, type[Renderer]] = {
    "areas.lined": Lined,
    "areas.ringed": Ringed,
    "net.panels": Panels,
    "playing.back": Back,
    "playing.card": Card,
    "playing.hands": Hands,
    "talavera.order": Order,
    "talavera.tiles": Tiles,
    "token.art": Token,
    "track.fields": Track,
    "trihex.back": TrihexBack,
    "trihex.fields": Fields,
}


Known = dict[tuple[object, ...], Face]  # by the values that a renderer reads of a piece


def draw(component: Component, side: Side) -> list[tuple[Piece, Face]]:
    """The face of every piece on one side; pieces alike in what the renderer reads share one.

    Raises PnpError with each thing that cannot be drawn, told of the piece that has it; what
    several pieces have is the component's.
    """
    return list(drawn(component, side, {}))


def drawn(component: Component, side: Side, known: Known) -> Iterator[tuple[Piece, Face]]:
    """As `draw`, each as soon as it is made; what cannot be drawn is raised at the end.

    Faces in `known` are not drawn anew, and those that are go into it.
    """
    renderer = component.front if side == "front" else component.back
    edge = component.edges.get(side, DRAWN)
    component = component if side == "front" else component.from_behind()
    if renderer is None:
        return
    columns = [column.name for column in renderer.columns()]
    layers: dict[str, Layer] = {}
    problems: dict[str, Problem] = {}
    for piece in (piece for piece in component.pieces if piece.copies):
        read = tuple(piece.row[name] for name in columns)
        try:
            if read not in known:
                stamps = [
                    replace(stamp, layer=layers.setdefault(stamp.layer.id, stamp.layer))
                    for stamp in drawn_past_trim(renderer, piece, component, edge)
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
            where = component.where if what in problems else piece.where
            others = problems[what].faces if what in problems else ()
            faces = (*others, (component.id, piece.id, side))
            problems[what] = Problem(where, what, error.hint, faces=faces)
    if problems:
        raise PnpError(problems.values())
