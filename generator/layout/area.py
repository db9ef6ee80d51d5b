"""Take a paper, its margin and its fold, say where pieces may lie and what room is beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.geometry import Affine, Point, Rect, Size, mirror_x, mirror_y
from generator.model import Orientation
from generator.turn import is_upright

Edge = Literal["left", "top", "right", "bottom"]
EDGES: tuple[Edge, ...] = ("left", "top", "right", "bottom")
Axis = Literal["down", "across"]

_FOLD_TO_BLEED = 5.0  # mm that a hand needs to fold and glue true
_FOLD_REACH = 1.0  # mm that marks keep from the fold


class Space(NamedTuple):
    """The mm beside a block up to the paper's edge or the fold; the last `margin` stay bare."""

    width: float
    margin: float
    is_fold: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """The part of a sheet that fronts may lie on.

    All of it but the margin; with a `fold`, what is left of it (above it), as much being behind
    it for the backs. `bleed` is what pieces need around them.
    """

    paper: Size
    margin: float
    bleed: float
    fold: Axis | None = None

    @property
    def box(self) -> Rect:
        """Where trims may lie."""
        width, height = self.paper
        right = width / 2 - self._to_fold() if self.fold == "down" else width - self.margin
        bottom = height / 2 - self._to_fold() if self.fold == "across" else height - self.margin
        return Rect(self.margin, self.margin, right, bottom)

    def _to_fold(self) -> float:
        return self.bleed + _FOLD_TO_BLEED

    def corner(self, block: Size, *, above: float = 0.0, beside: float = 0.0) -> Point:
        """The top left of a block: in the middle of the paper, or of what is left of it when so
        many mm above or beside the block are for the slug; or at the fold."""
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
        """What the printer reaches of the fronts' side."""
        left, top, right, bottom = (
            space.width - space.margin for space in self.spaces(block).values()
        )
        return Rect(block.x0 - left, block.y0 - top, block.x1 + right, block.y1 + bottom)

    def fold_turn(self) -> Affine:
        """Map a point of a front to the point of the same page that the fold lays behind it."""
        is_down = self.fold == "down"
        return mirror_x(self.paper.width) if is_down else mirror_y(self.paper.height)


def areas(
    paper: Size, margin: float, bleed: float, orientation: Orientation, *, is_folded: bool
) -> list[Area]:
    """Paper that stands or lies, as told, folded either way."""
    folds: tuple[Axis | None, ...] = ("down", "across") if is_folded else (None,)
    upright = paper if is_upright(paper) else paper.turned()
    sheets = {
        "portrait": [upright],
        "landscape": [upright.turned()],
        "auto": list(dict.fromkeys((paper, paper.turned()))),
    }[orientation]
    return [Area(sheet, margin, bleed, fold) for sheet in sheets for fold in folds]
