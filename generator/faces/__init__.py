"""Faces of a Component's pieces: SVG drawings in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.basics.bounds import at_work_on
from generator.basics.errors import MisfitError, PnpError
from generator.basics.geometry import Shape
from generator.faces.canvas import TrimEdge
from generator.faces.faults import OVERFLOW, DrawnPiece, problems_of
from generator.faces.template import FromTemplate
from generator.model import (
    DRAWN,
    Design,
    Face,
    FaceFault,
    FlawedFaceError,
    Layer,
    Piece,
    PlacedLayer,
    Renderer,
    Side,
)

__all__ = [
    "OVERFLOW",
    "DrawnPiece",
    "FromTemplate",
    "Known",
    "draw",
    "draw_each",
    "problems_of",
]

_MOST_UNPACKED = 2000  # layers of a side: to pack one and unpack it takes a tenth of drawing it

Known = dict[tuple[object, ...], Face]  # by the values that a renderer reads from a row


def draw(design: Design, side: Side) -> list[tuple[Piece, Face]]:
    """Draw the face of every piece on one side; pieces share one if the renderer reads equal
    values from their rows.

    Raises PnpError with every fault, as `problems_of` says them.
    """
    drawn = list(draw_each(design, side, {}))
    problems = list(problems_of(design.component, side, drawn))
    if problems:
        raise PnpError(problems)
    return [(drawn_piece.piece, drawn_piece.face) for drawn_piece in drawn if drawn_piece.face]


def draw_each(design: Design, side: Side, known: Known) -> Iterator[DrawnPiece]:
    """Draw the faces of one side one by one, each with its faults.

    Faces in `known` are not drawn again; new ones are added to it.
    """
    component, renderer = design.component, design.renderer(side)
    if renderer is None:
        return
    columns = [column.name for column in renderer.columns()]
    own_edge = component.edges.get(side, DRAWN)
    component = component if side == "front" else component.from_behind()
    edges: dict[Shape | None, TrimEdge] = {}
    layers: dict[str, Layer] = {}
    for piece in (piece for piece in component.pieces if piece.copies):
        reads = renderer.reads(piece) if isinstance(renderer, FromTemplate) else columns
        values = (piece.shape, *(piece.row[name] for name in reads))
        if values in known:
            yield DrawnPiece(piece, known[values])
            continue
        at_work_on(f"the {side} of {component.id} {piece.id}")
        if piece.shape not in edges:
            edges[piece.shape] = TrimEdge(component.of(piece), own_edge)
        edge = edges[piece.shape]
        placed_layers, faults = _draw(renderer, piece, edge)
        placed_layers = [
            PlacedLayer(layers.get(layer.id) or _keep(layer, layers), at, motion, clip)
            for layer, at, motion, clip in placed_layers
        ]
        face = Face.of(placed_layers, f"{component.id} {piece.id} {side}", *edge.look)
        if not faults:
            known[values] = face
        yield DrawnPiece(piece, face if placed_layers or not faults else None, faults)


def _keep(layer: Layer, layers: dict[str, Layer]) -> Layer:
    """Add a layer to those of a side; beyond many, it is packed."""
    kept = layers[layer.id] = layer if len(layers) < _MOST_UNPACKED else layer.packed()
    return kept


def _draw(
    renderer: Renderer, piece: Piece, edge: TrimEdge
) -> tuple[Sequence[PlacedLayer], tuple[FaceFault, ...]]:
    """What can be drawn of a face, and its faults."""
    try:
        return edge.draw(renderer, piece), ()
    except FlawedFaceError as error:
        return error.layers, error.faults
    except MisfitError as error:
        return (), (FaceFault(str(error), error.hint),)
