"""Take a Component, make the Faces of its pieces: SVG drawings in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from generator.faces.talavera import Order, Tiles
from generator.model import Component, Face, Layer, Piece, Renderer, Side, Stamp

RENDERERS: Mapping[str, type[Renderer]] = {"talavera.order": Order, "talavera.tiles": Tiles}


def draw(component: Component, side: Side) -> Iterator[tuple[Piece, Face]]:
    """The face of every piece on one side; pieces alike in what the renderer reads share one."""
    renderer = component.front if side == "front" else component.back
    if renderer is None:
        return
    columns = [column.name for column in renderer.columns()]
    drawn: dict[tuple[object, ...], Face] = {}
    layers: dict[str, Layer] = {}
    for piece in component.pieces:
        if piece.copies:
            read = tuple(piece.row[name] for name in columns)
            if read not in drawn:
                stamps = [
                    Stamp(layers.setdefault(stamp.layer.id, stamp.layer), stamp.at)
                    for stamp in renderer.draw(piece, component)
                ]
                drawn[read] = _face(stamps, f"{component.id} {piece.id} {side}", component)
            yield piece, drawn[read]


def _face(stamps: Sequence[Stamp], name: str, component: Component) -> Face:
    content = "".join(f"{stamp.layer.id} {stamp.at}" for stamp in stamps)
    return Face(
        id=blake2b(content.encode(), digest_size=12).hexdigest(),
        name=name,
        stamps=tuple(stamps),
        size=component.bleed_size,
        trim=component.trim,
        corner_radius=component.corner_radius,
    )
