"""Take a net, draw how a pen along a ruler scores one of its folds, and what that is for."""

from __future__ import annotations

from math import atan2, degrees

from generator.basics.geometry import ORIGIN, Affine, Point, scaling, steady, translation, turning
from generator.basics.outlines import Crease, carried
from generator.booklet.plates import Plate
from generator.booklet.step_pictures import StepPainter, dashes, length_of, loop_of, rim_of
from generator.layout.nets import Net

_FOLD = Point(7.2, 3.2), Point(7.2, 15.2)  # the ends of the fold that is scored


def draw_scoring(net: Net, painter: StepPainter) -> Plate:
    """A part of the flat net, a pen along a ruler on its longest fold, and paper folded there."""
    longest = max(net.creases, key=lambda fold: steady(length_of(*fold)))
    base = _lay_on(longest, _FOLD)
    others = (fold for fold in net.creases if fold != longest)
    folds = (dashes(base.apply(start), base.apply(end)) for start, end in others)
    return painter.picture("score", net=rim_of(carried(net.outline, base)), folds=loop_of(folds))


def _lay_on(fold: Crease, line: Crease) -> Affine:
    """The map of a net that lays one of its folds on a line of the picture."""
    (start, end), (to, far) = fold, line
    turn = degrees(atan2(far.y - to.y, far.x - to.x) - atan2(end.y - start.y, end.x - start.x))
    scale = length_of(*line) / length_of(*fold)
    return (
        translation(*to) @ turning(turn, ORIGIN) @ scaling(scale) @ translation(-start.x, -start.y)
    )
