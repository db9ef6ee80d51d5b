"""The two faces of a Talavera card, from a row of tiles or orders."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import ceil
from typing import Annotated

from generator.basics.errors import MisfitError
from generator.basics.geometry import HAIR, ORIGIN, Point, Rect, Size, steady
from generator.basics.keys import Custom, Keys, describe
from generator.faces.canvas import Canvas
from generator.model import Art, Column, Component, Feature, Layer, Piece, PlacedLayer
from generator.tables.fields import ArtName, Colour, FontFamily, Length, MaybeArt, PositiveLength

Quarters = Annotated[
    tuple[ArtName, ArtName, ArtName, ArtName], describe("the patterns in reading order, top left first: names in [art]")
]
Slots = Custom[
    dict[ArtName, list[tuple[Length, Length]]],
    describe("art = the positions of its tiles, from the top left of the cut card"),
]
NUMBERS = (1, 4)  # the range of an order (Talavera rules, "Components")
_QUARTERS = (Point(-1, -1), Point(1, -1), Point(-1, 1), Point(1, 1))  # reading order
_MOST_TILES = 2_000  # on a face


class Order(Keys, frozen=True, kw_only=True):
    """A wall of each pattern in its quarter of the card, with the ordered number on a plaque.

    The columns are `order_` with the name of each quarter's art. Walls run from the middle of the card past its trim.
    """

    renderer = "talavera.order"
    quarters: Quarters
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

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        size = component.bleed_size
        if size.width * size.height > _MOST_TILES * self.tile**2:
            raise MisfitError("the walls have too many tiles", "make `tile` larger")
        ground, plaques, numbers = Canvas(size), Canvas(size), Canvas(size)
        ground.rect(Rect(0.0, 0.0, *size), self.ground)
        tiles: list[PlacedLayer] = []
        for art, quarter in zip(self.quarters, _QUARTERS, strict=True):
            centre = _quarter_centre(component.trim, quarter)
            plaque = Rect(*centre, *centre).grown(self.plaque / 2)
            tile = self._tile_layers[art.name]
            tiles += [PlacedLayer(tile, corner) for corner in self._wall(quarter, size, plaque)]
            self._draw_plaque(plaques, plaque)
            number = str(piece.number(_order_column(art)))
            numbers.text(number, self.numeral_font, self.numeral_size, centre, self.ink)
        return [
            PlacedLayer(ground.layer(f"{component.id} ground"), ORIGIN),
            *tiles,
            PlacedLayer(plaques.layer(f"{component.id} plaques"), ORIGIN),
            PlacedLayer(numbers.layer(f"{component.id} {piece.id}"), ORIGIN),
        ]

    def features(self, piece: Piece, component: Component) -> Iterator[Feature]:
        card = Rect(0.0, 0.0, *component.size)
        for place, (art, quarter) in enumerate(zip(self.quarters, _QUARTERS, strict=True)):
            option, centre = f"quarters.{place}", _quarter_centre(card, quarter)
            yield Feature.of("quarter", art, option, centre)
            yield Feature("number", str(piece.number(_order_column(art))), option, centre)

    @cached_property
    def _tile_layers(self) -> dict[str, Layer]:
        return _tiles(self.quarters, self.tile, self.grout, self.tile_corner, self.ground)

    def _draw_plaque(self, canvas: Canvas, plaque: Rect) -> None:
        canvas.rect(plaque.grown(self.grout), self.ground, self.plaque_corner + self.grout)
        canvas.rect(plaque, self.plaque_colour, self.plaque_corner)
        if self.plaque_line:
            inset = self.plaque_inset + self.plaque_line / 2
            corner = max(self.plaque_corner - inset, 0.0)
            canvas.outline(plaque.grown(-inset), self.ink, self.plaque_line, corner)

    def _wall(self, quarter: Point, size: Size, plaque: Rect) -> Iterator[Point]:
        """The top left corners of a wall's tiles, without those that the plaque hides."""
        for row in range(ceil(steady(size.height / 2 / self.tile))):
            for column in range(ceil(steady(size.width / 2 / self.tile))):
                x = size.width / 2 + self.tile * (column if quarter.x > 0 else -column - 1)
                y = size.height / 2 + self.tile * (row if quarter.y > 0 else -row - 1)
                if not plaque.encloses(Rect(x, y, x + self.tile, y + self.tile)):
                    yield Point(x, y)


class Tiles(Keys, frozen=True, kw_only=True):
    """The row's number of tiles of each pattern, in the first slots of that pattern.

    The columns are the names of the art, and `id`, printed in the ornament in the middle.
    Slots are the top left corners of tiles, from the top left of the trimmed card.
    """

    renderer = "talavera.tiles"
    slots: Slots
    tile: PositiveLength  # from grout to grout
    ground: Colour
    ink: Colour
    number_font: FontFamily
    number_size: PositiveLength
    ornament: ArtName
    ornament_size: PositiveLength
    grout: Length = 0.0
    backdrop: MaybeArt = None  # over the cut card, beneath the tiles
    joint: Colour = "#ffffff"  # the colour of the grout around each tile
    tile_corner: Length = 0.0

    def columns(self) -> list[Column]:
        counts = [Column(art.name, 0, len(slots)) for art, slots in self.slots.items()]
        return [Column("id"), *counts]

    @cached_property
    def _tile_layers(self) -> dict[str, Layer]:
        return _tiles(self.slots, self.tile, self.grout, self.tile_corner, self.joint)

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        trim, size = component.trim, component.bleed_size
        middle = _quarter_centre(trim, ORIGIN)
        self._check_slots(component)
        ground, number = Canvas(size), Canvas(size)
        ground.rect(Rect(0.0, 0.0, *size), self.ground)
        if self.backdrop:
            ground.image(self.backdrop, trim)
        ground.image(self.ornament, Rect(*middle, *middle).grown(self.ornament_size / 2))
        number.text(piece.id, self.number_font, self.number_size, middle, self.ink)
        tiles = [
            PlacedLayer(self._tile_layers[art.name], Point(trim.x0 + x, trim.y0 + y))
            for art, slots in self.slots.items()
            for x, y in slots[: piece.number(art.name)]
        ]
        return [
            PlacedLayer(ground.layer(f"{component.id} ground"), ORIGIN),
            *tiles,
            PlacedLayer(number.layer(f"{component.id} {piece.id}"), ORIGIN),
        ]

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        for art, slots in self.slots.items():
            for place, (x, y) in enumerate(slots[: piece.number(art.name)]):
                middle = Point(x + self.tile / 2, y + self.tile / 2)
                yield Feature.of("tile", art, f"slots.{art.name}.{place}", middle)
        yield Feature("number", piece.id)
        yield Feature.of("ornament", self.ornament, "ornament")

    def _check_slots(self, component: Component) -> None:
        for art, slots in self.slots.items():
            for x, y in slots:
                right, bottom = x + self.tile - HAIR, y + self.tile - HAIR
                if right > component.size.width or bottom > component.size.height:
                    what = f"a slot of {art.name} at {x:g} mm, {y:g} mm extends past the card"
                    raise MisfitError(what, "measure from the top left corner of the cut card")


def _tiles(patterns: Iterable[Art], side: float, grout: float, corner: float, joint: str) -> dict[str, Layer]:
    """A glazed tile of each pattern, with half a grout in the joint's colour on each side."""
    if grout >= side:
        raise MisfitError("the grout is as wide as the tile", "make `grout` smaller")
    cell = Rect(0.0, 0.0, side, side)
    layers = {}
    for art in patterns:
        canvas = Canvas(Size(side, side))
        canvas.rect(cell, joint, corner + grout / 2)
        canvas.image(art, cell.grown(-grout / 2), corner)
        layers[art.name] = canvas.layer(f"art {art.name}")
    return layers


def _quarter_centre(trim: Rect, quarter: Point) -> Point:
    """The middle of a quarter of the card; (0, 0) is the card's own middle."""
    return Point(
        (trim.x0 + trim.x1) / 2 + quarter.x * trim.width / 4, (trim.y0 + trim.y1) / 2 + quarter.y * trim.height / 4
    )


def _order_column(art: Art) -> str:
    return f"order_{art.name}"
