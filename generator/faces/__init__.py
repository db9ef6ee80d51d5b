"""Take a Piece, make its Face: an SVG text in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from generator.faces.talavera import Order, Tiles
from generator.model import Component, Face, Layer, Piece, Renderer, Side

RENDERERS: Mapping[str, type[Renderer]] = {"talavera.order": Order, "talavera.tiles": Tiles}


def render(piece: Piece, component: Component, side: Side) -> Face | None:
    """The face of one side of a piece; None when the component has no such side."""
    renderer = component.renderer(side)
    if renderer is None:
        return None
    name = f"{component.id} {piece.id} {side}"
    size = component.bleed_size
    layers = tuple(Layer(_digest(svg), svg, size, name) for svg in renderer.draw(piece, component))
    return Face(
        id=_digest("".join(layer.id for layer in layers)),
        layers=layers,
        size=size,
        trim=component.trim,
        corner_radius=component.corner_radius,
        piece=name,
    )


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=12).hexdigest()
