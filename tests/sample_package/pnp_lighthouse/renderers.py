"""Faces of lighthouses."""

from collections.abc import Iterator
from math import cos, hypot, radians, sin
from typing import Annotated

from generator.plugins import (
    Canvas,
    Colour,
    Column,
    ColumnName,
    Component,
    Feature,
    FontFamily,
    Keys,
    Layer,
    MisfitError,
    Piece,
    PlacedLayer,
    Point,
    PositiveLength,
    Rect,
    describe,
)

_CORNER = Point(0.0, 0.0)


class Beam(Keys, frozen=True, kw_only=True):
    """A lamp in the middle with its bearing in degrees (0 is up, 90 right), and its beam."""

    bearing_by: Annotated[ColumnName, describe("the column that holds the bearing")]
    night: Colour
    light: Colour
    font: FontFamily
    lamp: PositiveLength = 18.0  # across
    spread: Annotated[int, describe("degrees, 5 to 60", ge=5, le=60)] = 24

    def columns(self) -> list[Column]:
        return [Column(self.bearing_by, 0, 359)]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        if self.lamp > min(component.size):
            raise MisfitError("the lamp is larger than the piece", "a smaller `lamp`")
        return [
            PlacedLayer(self._night(component), _CORNER),
            PlacedLayer(self._light(piece.number(self.bearing_by), component), _CORNER),
        ]

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        yield Feature("ground", self.night, "night")
        yield Feature("bearing", str(piece.number(self.bearing_by)))

    def _night(self, component: Component) -> Layer:
        """The same for all pieces, so it is typeset once."""
        canvas = Canvas(component.bleed_size)
        canvas.rect(Rect(0.0, 0.0, *component.bleed_size), self.night)
        return canvas.layer("night")

    def _light(self, bearing: int, component: Component) -> Layer:
        canvas = Canvas(component.bleed_size)
        middle = component.trim.centre
        reach = hypot(*component.bleed_size)  # past the bleed, whichever way
        edges = [radians(bearing + side * self.spread / 2) for side in (-1, 1)]
        ends = [Point(middle.x + reach * sin(a), middle.y - reach * cos(a)) for a in edges]
        canvas.polygons([[middle, *ends]], self.light)
        lamp = Rect(*middle, *middle).grown(self.lamp / 2)
        canvas.rect(lamp, self.light, corner=self.lamp / 2)
        canvas.text(str(bearing), self.font, 0.4 * self.lamp, middle, self.night)
        return canvas.layer(f"the beam at {bearing} degrees")
