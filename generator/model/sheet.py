"""The places of faces on paper."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from generator.basics.geometry import IDENTITY, Affine, Point, Rect, Size
from generator.basics.outlines import Outline
from generator.model.face import Side

Flip = Literal["long", "short"]  # the edge on which a sheet printed on both sides turns
# the kinds of marks beside the art, each a separate layer in the file
Mark = Literal["cut", "corner", "outline", "fold", "register", "frame", "cutter", "slug"]
# how fronts get their backs: the sheet turns on its long or short edge, the sheet is folded, not at
# all, or in a separate file
Way = Literal["long", "short", "fold", "single", "separate"]
Orientation = Literal["auto", "portrait", "landscape"]
# neighbours touch, have a gutter for all bleeds, have the gap that was asked for, touch at corners,
# lie where the template of a cutting machine has them
Cut = Literal["shared", "double", "gap", "straight", "template"]


class Placement(Struct, frozen=True):
    """A face on a page: `affine` maps it to the page; `clip`, on the page, is the area to ink."""

    face: str
    piece: str
    affine: Affine
    clip: Outline


class MarkLine(Struct, frozen=True):
    """A mark on the page. `halo` is the width of the paper-white line beneath, 0 for none; a mark
    of `width` 0 is only that line.
    """

    start: Point
    end: Point
    width: float
    halo: float = 0.0
    kind: Mark = "slug"


class Label(Struct, frozen=True):
    """A line of text: `affine` maps the start of its baseline to the page; text runs in +x."""

    text: str
    size: float
    affine: Affine
    bold: bool = False


class Page(Struct, frozen=True):
    """One side of a sheet, with everything in its place. `trim` is the box around all pieces.

    `correction` (page to page) is applied to all content and cancels a printer's misprint of the
    back. `trim` and `bleed` already include it.
    """

    side: Side
    placements: tuple[Placement, ...]
    marks: tuple[MarkLine, ...]
    labels: tuple[Label, ...]
    trim: Rect
    bleed: Rect
    correction: Affine = IDENTITY


class Sheet(Struct, frozen=True):
    """One piece of paper: its front, and its back if `flip` is not None.

    `component` is "mixed" if the sheet has pieces of several components. `bleed` (mm) is that of
    the sheet, if it is narrower than the game's. `layout` names where its pieces lie, if a machine
    cuts them.
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
    bleed: float | None = None
    layout: str = ""


class Imprint(Struct, frozen=True):
    """The metadata of a file."""

    title: str
    author: str
    subject: str
    language: str = "en"
