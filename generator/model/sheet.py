"""Where faces lie on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.geometry import IDENTITY, Affine, Point, Rect, Size
from generator.model.face import Side
from generator.outlines import Outline

Flip = Literal["long", "short"]  # the edge that a sheet printed on both sides turns on
# what lies on a page beside the art, each kind a layer of its own in the file
Mark = Literal["cut", "corner", "fold", "register", "outline", "slug"]
# how fronts get their backs: on a sheet that is turned on an edge, by a fold, not at all, or on
# sheets of a file of their own
Way = Literal["long", "short", "fold", "single", "separate"]
Orientation = Literal["auto", "portrait", "landscape"]
Cut = Literal["shared", "double", "straight"]  # how pieces lie beside each other


@dataclass(frozen=True, slots=True)
class Placement:
    """A face on a page: `affine` maps face to page; only what lies in `clip` (page) is inked."""

    face: str
    piece: str
    affine: Affine
    clip: Outline


@dataclass(frozen=True, slots=True)
class MarkLine:
    """A mark on the page. `halo` is the width of the paper-white line beneath, 0 for none."""

    start: Point
    end: Point
    width: float
    halo: float = 0.0
    kind: Mark = "slug"


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text: `affine` maps its baseline start, text running in +x, to the page."""

    text: str
    size: float
    affine: Affine
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet, everything on it settled. `trim` is the block of pieces.

    All content is carried through `correction` (page to page), which undoes what a printer does
    to the back; `trim` and `bleed` say where it then ends up, and are not.
    """

    side: Side
    placements: tuple[Placement, ...]
    marks: tuple[MarkLine, ...]
    labels: tuple[Label, ...]
    trim: Rect
    bleed: Rect
    correction: Affine = IDENTITY


@dataclass(frozen=True, slots=True)
class Sheet:
    """One piece of paper: its front and, when `flip` says how it is turned, its back.

    `component` is "mixed" where pieces of several lie on it.
    """

    component: str
    title: str
    number: int
    total: int
    paper: Size
    flip: Flip | None
    pages: tuple[Page, ...]
    seats: int = 1  # pieces that it has room for
    cuts: Cut = "shared"


@dataclass(frozen=True, slots=True)
class Imprint:
    """What the file says of itself."""

    title: str
    author: str
    subject: str
    language: str = "en"
