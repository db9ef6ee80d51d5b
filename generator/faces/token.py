"""Take the values of a row, make a side of a flat token: a ground, a picture and a mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, TypeVar

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import Point, Rect, Size
from generator.basics.keys import Keys, describe
from generator.faces.canvas import Canvas
from generator.model import Art, Column, Component, Feature, Piece, PlacedLayer
from generator.tables.fields import ArtName, Colour, ColumnName, Length, Name, PositiveLength

PickingColumn = Annotated[ColumnName, describe("a column; its value picks one of these")]
ArtOfValue = Annotated[dict[Name, ArtName], describe("value = art")]
ColourOfValue = Annotated[dict[Name, Colour], describe("value = colour")]
Place = Annotated[
    tuple[Length, Length], describe("distances from the top left of the cut piece's box")
]
_Named = TypeVar("_Named")


class Token(Keys, frozen=True, kw_only=True):
    """A ground in one colour, a picture as large as the piece, and a mark on top.

    The value of a column picks each of them. The ground runs past the trim; the picture is as
    large as the box around the piece allows, less a margin. Draw backs as seen from behind.
    """

    ground_by: PickingColumn
    grounds: ColourOfValue
    art_by: PickingColumn
    arts: ArtOfValue
    art_margin: Length = 0.0
    mark_by: PickingColumn = ""
    marks: ArtOfValue = {}
    mark_at: Place = (0.0, 0.0)  # the mark's middle
    mark_size: PositiveLength = 4.0

    def columns(self) -> list[Column]:
        names = [self.ground_by, self.art_by, *([self.mark_by] if self.mark_by else [])]
        return [Column(name) for name in dict.fromkeys(names)]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        colour = pick(self.grounds, piece, self.ground_by, "ground")
        art = pick(self.arts, piece, self.art_by, "art")
        ground = Canvas(component.bleed_size)
        ground.rect(Rect(0.0, 0.0, *component.bleed_size), colour)
        box = component.trim.grown(-self.art_margin)
        if min(box.x1 - box.x0, box.y1 - box.y0) <= 0:
            what = "the margin leaves nothing of the token"
            raise MisfitError(what, "choose a smaller `art_margin`")
        layers = [
            PlacedLayer(ground.layer(f"{component.id} ground {colour}"), Point(0.0, 0.0)),
            _picture(art, box),
        ]
        if self.mark_by:
            x, y = component.trim.x0 + self.mark_at[0], component.trim.y0 + self.mark_at[1]
            place = Rect(x, y, x, y).grown(self.mark_size / 2)
            if not component.trim.encloses(place):
                hint = "choose another `mark_at` or `mark_size`"
                raise MisfitError("the mark leaves the token", hint)
            layers.append(_picture(pick(self.marks, piece, self.mark_by, "mark"), place))
        return layers

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        colour = pick(self.grounds, piece, self.ground_by, "ground")
        yield Feature("ground", colour, f"grounds.{piece.row[self.ground_by]}")
        art = pick(self.arts, piece, self.art_by, "art")
        yield Feature.of("art", art, f"arts.{piece.row[self.art_by]}")
        if self.mark_by:
            mark = pick(self.marks, piece, self.mark_by, "mark")
            yield Feature.of("mark", mark, f"marks.{piece.row[self.mark_by]}")


def pick(table: Mapping[str, _Named], piece: Piece, column: str, what: str) -> _Named:
    """Look up the value of a column. Raises MisfitError if the table lacks it."""
    value = str(piece.row[column])
    if value not in table:
        hint = did_you_mean(value, table) or f"add {quote(value)} to {what}s"
        raise MisfitError(f"there is no {what} for the {column} {quote(value)}", hint)
    return table[value]


def _picture(art: Art, box: Rect) -> PlacedLayer:
    canvas = Canvas(Size(box.width, box.height))
    canvas.image(art, Rect(0.0, 0.0, box.width, box.height))
    return PlacedLayer(canvas.layer(f"art {art.name}"), Point(box.x0, box.y0))
