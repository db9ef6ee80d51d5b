"""Take pieces on a table, make their facets: flat outlines in space, each with its picture."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from generator.basics.geometry import Point, translation
from generator.basics.outlines import Outline, edges
from generator.export.scene.laying import Laid
from generator.export.scene.space import Plane, level_plane
from generator.model import Face

Colour = tuple[int, int, int]
PAPER: Colour = (250, 249, 246)
_EDGE: Colour = (233, 229, 220)  # of cut card, seen from the side
_OTHER_EDGE: Colour = (222, 217, 206)  # of every second card: so a stack shows its cards
_MOST_SIDES = 48  # of a card: a circle has fewer than its outline has corners


class Facet(Struct, frozen=True):
    """A flat part of a piece, on one side.

    face: the picture, from the top left of its trim box, in mm on the plane; None if it is of a
    plain colour. is_lit: it is large enough to be shaded within. casts: it casts a shadow.
    """

    plane: Plane
    outline: Outline
    face: Face | None
    colour: Colour = PAPER
    is_lit: bool = True
    casts: bool = True
    laid: int = 0  # the piece


def facets_of(index: int, laid: Laid) -> Iterator[Facet]:
    """The facets of a piece, its sides before its top."""
    if laid.folded is None:
        yield from _card(index, laid)
        return
    place = level_plane(laid.motion, laid.height)
    turn = np.column_stack([place.right, place.down, place.normal])
    for folded in laid.folded.panels:
        panel, plane = folded.panel, folded.plane
        right, down, normal = turn @ plane.right, turn @ plane.down, turn @ plane.normal
        moved = Plane(turn @ plane.origin + place.origin, right, down, normal)
        yield Facet(moved, panel.outline, laid.face, laid=index)
        inside = replace(moved, normal=-normal)
        yield Facet(inside, panel.outline, None, casts=False, laid=index)


def _card(index: int, laid: Laid) -> Iterator[Facet]:
    top = laid.height + laid.thickness
    colour = _OTHER_EDGE if index % 2 else _EDGE
    foot = laid.foot[:: ceil(len(laid.foot) / _MOST_SIDES)]
    for p, q in edges(foot):
        yield _side(index, p, q, laid.thickness, top, colour)
    if laid.face is None or laid.is_covered:
        plane = level_plane(laid.motion, top)
        is_open = not laid.is_covered
        yield Facet(plane, laid.outline, None, is_lit=is_open, casts=is_open, laid=index)
        return
    trim = laid.face.trim
    middle = translation(trim.width / 2, trim.height / 2)
    outline = tuple(map(middle.apply, laid.outline))
    plane = level_plane(laid.motion @ translation(-trim.width / 2, -trim.height / 2), top)
    yield Facet(plane, outline, laid.face, laid=index)


def _side(index: int, p: Point, q: Point, height: float, top: float, colour: Colour) -> Facet:
    """The cut side of a card below an edge of its outline, which is clockwise."""
    along = np.array([q.x - p.x, q.y - p.y, 0.0])
    length = float(np.linalg.norm(along)) or 1.0
    right = along / length
    normal = np.array([right[1], -right[0], 0.0])
    plane = Plane(np.array([p.x, p.y, top]), right, np.array([0.0, 0.0, -1.0]), normal)
    corners = (Point(0.0, 0.0), Point(length, 0.0), Point(length, height), Point(0.0, height))
    return Facet(plane, corners, None, colour, is_lit=False, casts=False, laid=index)
