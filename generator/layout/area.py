"""Take a paper, its margin and its fold, find where pieces may go and the room beside them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from generator.basics.geometry import Affine, Point, Rect, Size, mirror_x, mirror_y
from generator.layout.registration import UNMARKED, Cutter, Registration
from generator.layout.turn import is_upright
from generator.model import Orientation

Edge = Literal["left", "top", "right", "bottom"]
EDGES: tuple[Edge, ...] = ("left", "top", "right", "bottom")
Axis = Literal["down", "across"]

_FOLD_TO_BLEED = 3.0  # mm needed to fold and glue exactly
_FOLD_REACH = 1.0  # mm that marks keep from the fold


class Space(Struct, frozen=True):
    """The mm between a block and the paper's edge or the fold; the last `margin` mm stay bare."""

    width: float
    margin: float
    is_fold: bool = False


class Area(Struct, frozen=True):
    """The part of a sheet for the fronts.

    Without a `fold`, the whole sheet except its margin. With one, the half to the left of the fold
    or above it; the other half is for the backs. Pieces need `bleed` mm around them. A `room` is
    for trims instead, because of the `registration` that a cutting machine needs.
    """

    paper: Size
    margin: float
    bleed: float
    fold: Axis | None = None
    room: Rect | None = None
    registration: Registration = UNMARKED

    @property
    def box(self) -> Rect:
        """The room for trims."""
        if self.room:
            return self.room
        width, height = self.paper
        right = width / 2 - self._to_fold() if self.fold == "down" else width - self.margin
        bottom = height / 2 - self._to_fold() if self.fold == "across" else height - self.margin
        return Rect(self.margin, self.margin, right, bottom)

    def _to_fold(self) -> float:
        return self.bleed + _FOLD_TO_BLEED

    def corner(self, block: Size, *, above: float = 0.0, beside: float = 0.0) -> Point:
        """The top left of a block: in the middle of the paper, or at the fold.

        `above` and `beside` are the mm of slug above the block and left of it.
        """
        width, height = self.paper
        x, y = (width + beside - block.width) / 2, (height + above - block.height) / 2
        if self.fold == "down":
            x = self.box.x1 - block.width
        elif self.fold == "across":
            y = self.box.y1 - block.height
        return Point(x, y)

    def spaces(self, block: Rect) -> dict[Edge, Space]:
        """The room beside each edge of a block."""
        paper, margin = self.paper, self.margin
        right, bottom = paper.width - block.x1, paper.height - block.y1
        to_fold = Space(self._to_fold(), _FOLD_REACH, is_fold=True)
        return {
            "left": Space(block.x0, margin),
            "top": Space(block.y0, margin),
            "right": to_fold if self.fold == "down" else Space(right, margin),
            "bottom": to_fold if self.fold == "across" else Space(bottom, margin),
        }

    def printable(self, block: Rect) -> Rect:
        """The part of the fronts' side that the printer reaches."""
        left, top, right, bottom = (
            space.width - space.margin for space in self.spaces(block).values()
        )
        return Rect(block.x0 - left, block.y0 - top, block.x1 + right, block.y1 + bottom)

    def fold_turn(self) -> Affine:
        """Map a point of a front to the point of the same page that folding puts behind it."""
        is_down = self.fold == "down"
        return mirror_x(self.paper.width) if is_down else mirror_y(self.paper.height)


def areas(
    paper: Size,
    margin: float,
    bleed: float,
    orientation: Orientation,
    *,
    is_folded: bool,
    cutter: Cutter | None = None,
    overhang: float = 0.0,
) -> list[Area]:
    """The areas of a paper, in each orientation allowed, with each fold or room for a cutter, whose
    corners stay bare if ink reaches `overhang` mm beyond the boxes of pieces."""
    folds: tuple[Axis | None, ...] = ("down", "across") if is_folded else (None,)
    upright = paper if is_upright(paper) else paper.turned()
    sheets = {
        "portrait": [upright],
        "landscape": [upright.turned()],
        "auto": list(dict.fromkeys((paper, paper.turned()))),
    }[orientation]
    if cutter is None:
        return [Area(sheet, margin, bleed, fold) for sheet in sheets for fold in folds]
    return [
        Area(sheet, margin, bleed, None, room, cutter.register(sheet))
        for sheet in sheets
        for room in cutter.rooms(sheet, margin, overhang)
    ]
