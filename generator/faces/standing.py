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
    outline_of,
    path_of,
    translation,
)
from generator.faces.canvas import Canvas
from generator.layout.nets import Net, SeenPanel, standing
from generator.model import Component, Face, PlacedLayer

_NONZERO = (pyclipper.PFT_NONZERO, pyclipper.PFT_NONZERO)
_SHADE = 0.36  # opacity of the shade on the darkest panel
_LINE = 0.15  # mm, at life size
_INK, _PAPER = "#1a1a1a", "#ffffff"


def stand(component: Component, piece: str, flat: Face) -> Face:
    """Draw a folded piece at life size, with the outline of the whole; see `nets.standing`.

    The piece's shape must be a Net; `flat` is its printed face.
    """
    shape = component.shape_of(piece)
    assert isinstance(shape, Net)
    panels = standing(shape)
    edge = box_of(point for panel in panels for point in panel.outline)
    size = Size(edge.x1, edge.y1)
    trimmed = [_trim(placed, component.bleed) for placed in flat.layers]
    layers = [placed for panel in panels for placed in _panel(panel, trimmed, size)]
    return Face.of(layers, f"{component.id} {piece} folded", size, _around(panels))


def _trim(placed: PlacedLayer, bleed: float) -> PlacedLayer:
    """Measure a layer from the box of the cut piece instead of its bleed box."""
    shift = translation(-bleed, -bleed)
    clip = None if placed.clip is None else carried(placed.clip, shift)
    return placed._replace(motion=shift @ placed.motion, clip=clip)


def _panel(seen_panel: SeenPanel, flat: Sequence[PlacedLayer], size: Size) -> Iterator[PlacedLayer]:
    """A panel of the flat face, with its shade and its edges."""
    if seen_panel.is_inside:
        paper = Canvas(size)
        paper.polygons([seen_panel.outline], _PAPER)
        yield PlacedLayer(paper.layer("paper"), ORIGIN)
    else:
        for placed in flat:
            for clip in common(placed.clip or seen_panel.panel.outline, seen_panel.panel.outline):
                yield _carry(placed, seen_panel.motion, clip)
    shade = Canvas(size)
    shade.polygons([seen_panel.outline], _INK, opacity=_SHADE * seen_panel.shade)
    shade.lines([(*seen_panel.outline, seen_panel.outline[0])], _INK, _LINE)
    yield PlacedLayer(shade.layer("shade"), ORIGIN)


def _carry(placed: PlacedLayer, motion: Affine, clip: Outline) -> PlacedLayer:
    return placed._replace(motion=motion @ placed.motion, clip=carried(clip, motion))


def _around(panels: Sequence[SeenPanel]) -> Outline:
    clipper = pyclipper.Pyclipper()
    for panel in panels:
        path = path_of(panel.outline)  # outlines of insides run the other way around
        clipper.AddPath(path[::-1] if panel.is_inside else path, pyclipper.PT_SUBJECT, True)
    return max(map(outline_of, clipper.Execute(pyclipper.CT_UNION, *_NONZERO)), key=area)
