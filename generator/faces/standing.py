"""Take a piece that is a net, make the picture of it as it stands, folded, in its own art."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyclipper

from generator.faces.canvas import Canvas
from generator.geometry import ORIGIN, Affine, Size
from generator.model import Component, Face, Piece, Stamp
from generator.nets import Net, SeenPanel, standing
from generator.outlines import Outline, area, box_of, carried, common, outline_of, path_of

_NONZERO = (pyclipper.PFT_NONZERO, pyclipper.PFT_NONZERO)
_SHADE = 0.36  # how dark the darkest panel is
_LINE = 0.15  # mm, at life size
_INK, _PAPER = "#1a1a1a", "#ffffff"


def stand(component: Component, piece: Piece) -> Face:
    """The folded piece at life size, its outline that of the whole piece; see `nets.standing`.

    Raises MisfitError: it cannot be drawn. The component's shape is to be a Net.
    """
    assert isinstance(component.shape, Net)
    flat = component.front.draw(piece, replace(component, bleed=0.0))
    seen = standing(component.shape)
    edge = box_of(point for one in seen for point in one.outline)
    size = Size(edge.x1, edge.y1)
    stamps = [stamp for one in seen for stamp in _panel(one, flat, size)]
    return Face.of(stamps, f"{component.id} {piece.id} folded", size, _around(seen))


def _panel(one: SeenPanel, flat: Sequence[Stamp], size: Size) -> Iterator[Stamp]:
    """What a panel shows of the flat face, in its shade, between its edges."""
    if one.is_inside:
        paper = Canvas(size)
        paper.polygons([one.outline], _PAPER)
        yield Stamp(paper.layer("paper"), ORIGIN)
    else:
        for stamp in flat:
            for clip in common(stamp.clip or one.panel.outline, one.panel.outline):
                yield _carry(stamp, one.motion, clip)
    shade = Canvas(size)
    shade.polygons([one.outline], _INK, opacity=_SHADE * one.shade)
    shade.lines([(*one.outline, one.outline[0])], _INK, _LINE)
    yield Stamp(shade.layer("shade"), ORIGIN)


def _carry(stamp: Stamp, motion: Affine, clip: Outline) -> Stamp:
    return replace(stamp, motion=motion @ stamp.motion, clip=carried(clip, motion))


def _around(seen: Sequence[SeenPanel]) -> Outline:
    clipper = pyclipper.Pyclipper()
    for one in seen:
        path = path_of(one.outline)  # what is seen from inside runs the other way around
        clipper.AddPath(path[::-1] if one.is_inside else path, pyclipper.PT_SUBJECT, True)
    return max(map(outline_of, clipper.Execute(pyclipper.CT_UNION, *_NONZERO)), key=area)
