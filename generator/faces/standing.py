"""Pictures of folded pieces, from their nets and faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyclipper

from generator.basics.geometry import (
    ORIGIN,
    Affine,
    Outline,
    Size,
    area,
    box_of,
    carried,
    common,
    mirror_x,
    outline_of,
    path_of,
    rims,
    translation,
)
from generator.faces.canvas import Canvas
from generator.layout.folds import standing_net
from generator.layout.nets import SeenPanel, standing
from generator.model import Component, Face, PlacedLayer

_NONZERO = (pyclipper.PFT_NONZERO, pyclipper.PFT_NONZERO)
_SHADE = 0.36  # opacity of the shade on the darkest panel
_LINE = 0.15  # mm, at life size
_SEEN_THROUGH = 1.0  # mm²
_INK, _PAPER = "#1a1a1a", "#ffffff"


def stand(component: Component, piece: str, flat: Face, back: Face | None = None) -> Face:
    """Draw a folded piece at life size, with the outline of the whole; see `nets.standing`.

    The piece's shape must stand; `flat` and `back` are its printed faces.
    """
    net = standing_net(component.shape_of(piece))
    assert net is not None
    panels = standing(net)
    edge = box_of(point for panel in panels for point in panel.outline)
    size = Size(edge.x1, edge.y1)
    outside = [_trim(placed, component.bleed) for placed in flat.layers]
    behind = [_trim(placed, component.back_bleed) for placed in (back.layers if back else ())]
    inside = [_carry(placed, mirror_x(net.size.width), placed.clip) for placed in behind]
    layers = [
        placed
        for panel in panels
        for placed in _panel(panel, inside if panel.is_inside else outside, size)
    ]
    outline, *holes = _around(panels)
    name = f"{component.id} {piece} folded"
    return Face.of(layers, name, size, outline, holes=tuple(holes))


def _trim(placed: PlacedLayer, bleed: float) -> PlacedLayer:
    """Measure a layer from the box of the cut piece instead of its bleed box."""
    shift = translation(-bleed, -bleed)
    clip = None if placed.clip is None else carried(placed.clip, shift)
    return placed._replace(motion=shift @ placed.motion, clip=clip)


def _panel(seen_panel: SeenPanel, flat: Sequence[PlacedLayer], size: Size) -> Iterator[PlacedLayer]:
    """A panel of the flat side that is seen, bare paper without one, with its shade and edges."""
    if seen_panel.is_inside:
        paper = Canvas(size)
        paper.polygons([seen_panel.outline], _PAPER)
        yield PlacedLayer(paper.layer("paper"), ORIGIN)
    for placed in flat:
        for clip in common(placed.clip or seen_panel.panel.outline, seen_panel.panel.outline):
            yield _carry(placed, seen_panel.motion, clip)
    shade = Canvas(size)
    shade.polygons([seen_panel.outline], _INK, opacity=_SHADE * seen_panel.shade)
    shade.lines([(*rim, rim[0]) for rim in rims(seen_panel.outline)], _INK, _LINE)
    yield PlacedLayer(shade.layer("shade"), ORIGIN)


def _carry(placed: PlacedLayer, motion: Affine, clip: Outline | None) -> PlacedLayer:
    return placed._replace(motion=motion @ placed.motion, clip=clip and carried(clip, motion))


def _around(panels: Sequence[SeenPanel]) -> list[Outline]:
    """The outline of a folded piece, and of the windows that one sees through."""
    clipper = pyclipper.Pyclipper()
    for panel in panels:
        path = path_of(panel.outline)  # outlines of insides run the other way around
        clipper.AddPath(path[::-1] if panel.is_inside else path, pyclipper.PT_SUBJECT, True)
    rings = list(map(outline_of, clipper.Execute(pyclipper.CT_UNION, *_NONZERO)))
    windows = (ring[::-1] for ring in rings if area(ring) < -_SEEN_THROUGH)
    return [max(rings, key=area), *windows]
