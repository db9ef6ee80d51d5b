"""The blocks of a booklet's pages, set and ready to be placed one below another."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from generator.basics.geometry import Rect
from generator.booklet.plates import Plate
from generator.model import Art
from generator.text.flow import TextLine


class Tint(Struct, frozen=True):
    """An area of one colour."""

    box: Rect
    colour: str


class PlacedPlate(Struct, frozen=True):
    """A plate with its top left at a point."""

    plate: Plate
    x: float
    y: float


class PageBlock(Struct, frozen=True):
    """A block that no page break divides: a line, a row of a table, a figure.

    Places are in mm from the left of the column and the top of the block.

    `above` and `below` are free mm, left out at the ends of a page. `panel` is the left and the
    right of an aside's panel; it covers the free mm above the block too, except above the first.
    """

    height: float
    lines: tuple[TextLine, ...] = ()
    tints: tuple[Tint, ...] = ()
    images: tuple[tuple[Art, Rect], ...] = ()
    pictures: tuple[PlacedPlate, ...] = ()
    above: float = 0.0
    below: float = 0.0
    keeps: bool = False  # on one page with the next block
    panel: tuple[float, float] | None = None
    is_first: bool = False  # of its panel
    section: str = ""  # the title of a section that begins here
    is_break: bool = False
    lower: Callable[[float], PageBlock] | None = None  # makes a lower version, of a height in mm
