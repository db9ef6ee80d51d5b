"""Take a row of tiles or orders, make the two faces of a Talavera card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from generator.faces.canvas import Canvas
from generator.fields import OPTIONS, ArtName, Colour, FontFamily, Length, PositiveLength
from generator.geometry import Point, Rect
from generator.model import Art, Column, Component, Piece

NUMBERS = (1, 4)  # what an order may ask for (Talavera rules, "Components")
_QUARTERS = (Point(-1, -1), Point(1, -1), Point(-1, 1), Point(1, 1))  # reading order


@dataclass(frozen=True)
class Order:
    """A wall of each pattern in its quarter of the card, the number ordered on a plaque.

    The columns are `order_` and the name of each quarter's art. Walls run from the middle of the
    card out past its trim.
    """

    __pydantic_config__ = OPTIONS

    quarters: tuple[ArtName, ArtName, ArtName, ArtName]  # reading order, top left first
    tile: PositiveLength  # from grout to grout
    ground: Colour
    plaque: PositiveLength
    plaque_colour: Colour
    ink: Colour
    numeral_font: FontFamily
    numeral_size: PositiveLength
    grout: Length = 0.0
    tile_corner: Length = 0.0
    plaque_corner: Length = 0.0
    plaque_line: Length = 0.0  # the fillet painted around the number, 0 for none
    plaque_inset: Length = 0.0  # from the plaque's edge to the fillet

    def columns(self) -> list[Column]:
        return [Column(_order_column(art), *NUMBERS) for art in self.quarters]

    def draw(self, piece: Piece, component: Component) -> list[str]:
        walls, numbers = Canvas(component.bleed_size), Canvas(component.bleed_size)
        walls.rect(Rect(0.0, 0.0, *component.bleed_size), self.ground)
        for art, quarter in zip(self.quarters, _QUARTERS, strict=True):
            centre = _quarter_centre(component.trim, quarter)
            plaque = Rect(*centre, *centre).grown(self.plaque / 2)
            walls.define_tile(art, self.tile - self.grout, self.tile_corner)
            walls.tiles(art, self._wall(quarter, component, plaque))
            self._draw_plaque(walls, plaque)
            number = str(piece.number(_order_column(art)))
            numbers.text(number, self.numeral_font, self.numeral_size, centre, self.ink)
        return [walls.svg(), numbers.svg()]

    def _draw_plaque(self, canvas: Canvas, plaque: Rect) -> None:
        canvas.rect(plaque.grown(self.grout), self.ground, self.plaque_corner + self.grout)
        canvas.rect(plaque, self.plaque_colour, self.plaque_corner)
        if self.plaque_line:
            inset = self.plaque_inset + self.plaque_line / 2
            corner = max(self.plaque_corner - inset, 0.0)
            canvas.outline(plaque.grown(-inset), self.ink, self.plaque_line, corner)

    def _wall(self, quarter: Point, component: Component, plaque: Rect) -> Iterator[Point]:
        """The top left corners of a wall's tiles, without those that the plaque hides."""
        width, height = component.bleed_size
        for row in range(ceil(height / 2 / self.tile)):
            for column in range(ceil(width / 2 / self.tile)):
                x = width / 2 + self.tile * (column if quarter.x > 0 else -column - 1)
                y = height / 2 + self.tile * (row if quarter.y > 0 else -row - 1)
                cell = Rect(x, y, x + self.tile, y + self.tile)
                if cell.within(plaque) != cell:
                    yield Point(x + self.grout / 2, y + self.grout / 2)


@dataclass(frozen=True)
class Tiles:
    """As many tiles of each pattern as the row says, in that pattern's first slots.

    The columns are the names of the art; slots are the top left corners of tiles, from the top
    left of the trimmed card. The piece's id stands in the ornament in the middle.
    """

    __pydantic_config__ = OPTIONS

    slots: dict[ArtName, list[tuple[Length, Length]]]
    tile: PositiveLength  # from grout to grout
    ground: Colour
    ink: Colour
    number_font: FontFamily
    number_size: PositiveLength
    ornament: ArtName
    ornament_size: PositiveLength
    grout: Length = 0.0
    joint: Colour = "#ffffff"  # shows around each tile as far as the grout is wide
    tile_corner: Length = 0.0

    def columns(self) -> list[Column]:
        return [Column(art.name, 0, len(slots)) for art, slots in self.slots.items()]

    def draw(self, piece: Piece, component: Component) -> list[str]:
        trim = component.trim
        middle = _quarter_centre(trim, Point(0, 0))
        ground, tiles = Canvas(component.bleed_size), Canvas(component.bleed_size)
        ground.rect(Rect(0.0, 0.0, *component.bleed_size), self.ground)
        ground.image(self.ornament, Rect(*middle, *middle).grown(self.ornament_size / 2))
        for art, slots in self.slots.items():
            shown = slots[: piece.number(art.name)]
            if shown:
                tiles.define_tile(art, self.tile - self.grout, self.tile_corner)
                corners = [Point(trim.x0 + x, trim.y0 + y) for x, y in shown]
                for corner in corners:
                    cell = Rect(*corner, corner.x + self.tile, corner.y + self.tile)
                    tiles.rect(cell, self.joint, self.tile_corner + self.grout / 2)
                inset = self.grout / 2
                tiles.tiles(art, [Point(x + inset, y + inset) for x, y in corners])
        tiles.text(piece.id, self.number_font, self.number_size, middle, self.ink)
        return [ground.svg(), tiles.svg()]


def _quarter_centre(trim: Rect, quarter: Point) -> Point:
    """The middle of a quarter of the card; (0, 0) is the card's own middle."""
    return Point(
        (trim.x0 + trim.x1) / 2 + quarter.x * trim.width / 4,
        (trim.y0 + trim.y1) / 2 + quarter.y * trim.height / 4,
    )


def _order_column(art: Art) -> str:
    return f"order_{art.name}"
