"""A track of words: a strip of fields side by side."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import ORIGIN, Point, Rect
from generator.basics.keys import Keys, describe
from generator.faces.canvas import Canvas
from generator.model import Column, Component, Feature, Piece, PlacedLayer
from generator.tables.fields import Colour, FontFamily, Length, PositiveLength, Text


class Track(Keys, frozen=True, kw_only=True):
    """Fields side by side along a strip, in alternating colours, with a line between any two."""

    renderer = "track.fields"
    fields: Annotated[tuple[Text, ...], describe("the text of each field", min_length=2)]
    grounds: Annotated[tuple[Colour, ...], describe("colours that alternate from field to field", min_length=1)]
    inks: Annotated[tuple[Colour, ...], describe("colours that alternate from field to field", min_length=1)]
    line: Colour
    line_width: Length
    slant: Length  # how far right of its foot the top of a line is
    font: FontFamily
    size: PositiveLength
    margin: Length = 1.0  # from a word to the end of its field

    def columns(self) -> list[Column]:
        return []

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        canvas, trim = Canvas(component.bleed_size), component.trim
        pitch = trim.width / len(self.fields)
        ends = range(len(self.fields) + 1)
        lines = [self._line(trim.x0 + number * pitch, trim, component.bleed) for number in ends]
        far = (Point(-trim.x1, lines[0][0].y), Point(2 * trim.x1, lines[0][0].y))
        lines[0], lines[-1] = ((Point(x, y), Point(x, lines[0][1].y)) for x, y in far)
        for number, (left, right) in enumerate(pairwise(lines)):
            ground = self.grounds[number % len(self.grounds)]
            canvas.polygons([(*left, *reversed(right))], ground)
        canvas.lines(lines[1:-1], self.line, self.line_width)
        for number, word in enumerate(self.fields):
            high = self.font.ink("H", self.size).height
            aside = abs(self.slant) * high / trim.height
            if self.font.width(word, self.size) > pitch - aside - 2 * self.margin:
                raise MisfitError(f"{quote(word)} is too long for its field", "make `size` smaller")
            ink = self.inks[number % len(self.inks)]
            foot = Point(trim.x0 + (number + 0.5) * pitch, (trim.y0 + trim.y1 + high) / 2)
            canvas.stand(word, self.font, self.size, foot, ink)
        return [PlacedLayer(canvas.layer(f"{component.id} {piece.id}"), ORIGIN)]

    def features(self, _: Piece, _component: Component) -> Iterator[Feature]:
        for number, word in enumerate(self.fields):
            yield Feature("field", word, f"fields.{number}")

    def _line(self, x: float, trim: Rect, bleed: float) -> tuple[Point, Point]:
        """A line from foot to top, past the trim at both ends, through `x` half way up."""
        aside = self.slant / 2 * (1 + 2 * bleed / trim.height)
        return Point(x - aside, trim.y1 + bleed), Point(x + aside, trim.y0 - bleed)
