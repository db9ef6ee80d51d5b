"""What the pages of a booklet are made of, one below another, each in its place on the column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.booklet.plates import Plate
from generator.geometry import Rect
from generator.model import Art
from generator.text.flow import TextLine


@dataclass(frozen=True, slots=True)
class Tint:
    """An area of one colour."""

    box: Rect
    colour: str


@dataclass(frozen=True, slots=True)
class PlacedPlate:
    """A plate with its top left at a point."""

    plate: Plate
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PageBlock:
    """What no page break divides: a line, a row of a table, a figure.

    All is in mm from the left of the column and the top of the block.

    `above` and `below` are left free beside it, but not at the ends of a page. `panel` is
    the left and right of the panel of an aside, which runs through what is free above it too, but
    for the first.
    """

    height: float
    lines: tuple[TextLine, ...] = ()
    tints: tuple[Tint, ...] = ()
    images: tuple[tuple[Art, Rect], ...] = ()
    pictures: tuple[PlacedPlate, ...] = ()
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False  # with what follows, on one page
    panel: tuple[float, float] | None = None
    is_first: bool = False  # of its panel
    section: str = ""  # that begins here
    is_break: bool = False
    lower: Callable[[float], PageBlock] | None = None  # the same in a height, where it can be
