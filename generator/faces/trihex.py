"""Faces of a tile of three hexagons, one above two, from the names of its fields."""

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Annotated

from generator.basics.errors import MisfitError, look_up
from generator.basics.geometry import ORIGIN, Point, Rect, Size, translation
from generator.basics.keys import Keys, describe
from generator.basics.shapes import Outline, box_of, carried, grown, hexagon
from generator.faces.canvas import Canvas
from generator.model import Art, Column, Component, Feature, Layer, Piece, PlacedLayer
from generator.tables.fields import ArtName, Colour, Length, Name

ArtOfField = Annotated[dict[Name, ArtName], describe("the value of a column = art")]
MaybeColumn = Annotated[Name | None, describe("a column; its value picks one of `tops`")]
_FIELD_ART = 1.5  # the side of a field's art, in widths of a hexagon
_BACK_ART = 3.0  # the side of the back's art, in widths of a hexagon
_LAP = 0.2  # mm that a field overlaps its neighbour: no paper shows between them

# The offset of a hexagon's middle from the joint of the three, in widths of a hexagon and in
# distances from its middle to a corner. Then its inner edges, clockwise from the top corner, with
# the mm that each extends beneath a neighbour, which is drawn later.
_PLACES: Mapping[str, tuple[float, float, Mapping[int, float]]] = {
    "left": (-0.5, 0.5, {0: _LAP, 1: _LAP}),
    "right": (0.5, 0.5, {4: 0.0, 5: _LAP}),
    "top": (0.0, -1.0, {2: 0.0, 3: 0.0}),
}


class TriHexFields(Keys, frozen=True, kw_only=True):
    """One art on top of a tile, and below it the art for the columns `left` and `right`.

    `tops` are other arts on top, for the values of the column `top_by`; if it is empty, the tile
    shows `top`. The art of a field is a square one and a half times as wide as the hexagon in its
    middle: the hexagon is 100 units wide on a viewBox of 150. The art around it continues into the
    bleed.
    """

    renderer = "trihex.fields"
    top: ArtName
    fields: ArtOfField
    top_by: MaybeColumn = None
    tops: ArtOfField = {}
    seam: Length = 0.0  # the width of the line between two fields; 0mm for none
    seam_colour: Colour = "#ffffff"

    def columns(self) -> list[Column]:
        return [Column(name) for name in ["left", "right", *([self.top_by] if self.top_by else [])]]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        across = _across(component)
        arts = {column: look_up(self.fields, str(piece.row[column]), "field") for column in ("left", "right")}
        joint, reach = _joint(component.trim), across * _FIELD_ART / 2
        layers = []
        for place, art in (arts | {"top": self._top(piece)[0]}).items():
            x, y, _ = _PLACES[place]
            corner = (joint.x + x * across - reach, joint.y + y * across / sqrt(3) - reach)
            layers.append(PlacedLayer(_field(art, place, across, component.bleed), Point(*corner)))
        return [*layers, *([self._seams(component, joint, across)] if self.seam else [])]

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        yield Feature.of("top", *self._top(piece))
        for column in ("left", "right"):
            name = str(piece.row[column])
            yield Feature.of(column, look_up(self.fields, name, "field"), f"fields.{name}")

    def _top(self, piece: Piece) -> tuple[Art, str]:
        """The art on top of a tile, and the option that names it."""
        name = str(piece.row[self.top_by] or "") if self.top_by else ""
        return (look_up(self.tops, name, "field"), f"tops.{name}") if name else (self.top, "top")

    def _seams(self, component: Component, joint: Point, across: float) -> PlacedLayer:
        """Lines from the joint between the fields, out past the trim."""
        canvas = Canvas(component.bleed_size)
        radius = across / sqrt(3) + 2 * component.bleed
        for x, y in ((sqrt(3) / 2, -0.5), (0.0, 1.0), (-sqrt(3) / 2, -0.5)):
            end = Point(joint.x + x * radius, joint.y + y * radius)
            canvas.line((joint, end), self.seam_colour, self.seam)
        return PlacedLayer(canvas.layer(f"{component.id} seams"), ORIGIN)


class TriHexBack(Keys, frozen=True, kw_only=True):
    """One art for the back of every tile, the same in all its turns.

    The art is a square three hexagons wide, with the joint of the three fields in its middle.
    """

    renderer = "trihex.back"
    art: ArtName

    def columns(self) -> list[Column]:
        return []

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        joint = _joint(component.trim)
        box = Rect(*joint, *joint).grown(_across(component) * _BACK_ART / 2)
        _check_reach(Rect(0.0, 0.0, *component.bleed_size), box)
        canvas = Canvas(component.bleed_size)
        canvas.image(self.art, box)
        return [PlacedLayer(canvas.layer(f"{component.id} {piece.id} back"), ORIGIN)]

    def features(self, _: Piece, _component: Component) -> Iterator[Feature]:
        yield Feature.of("back", self.art, "art")


def _across(component: Component) -> float:
    """The width of a hexagon in mm. Raises MisfitError if the pieces have another shape."""
    if component.shape.kind != "trihex":
        what = f"the pieces are not trihexes: their shape is a {component.shape.kind}"
        raise MisfitError(what, "set kind = 'trihex' and across = '40mm' in [component.shape]")
    return component.size.width / 2


def _joint(trim: Rect) -> Point:
    """The point where the three fields meet: the foot of the upper hexagon."""
    return Point((trim.x0 + trim.x1) / 2, trim.y0 + trim.width / sqrt(3))


def _field(art: Art, place: str, across: float, bleed: float) -> Layer:
    """A hexagon of art, up to its neighbours and, past the rim of the tile, over the bleed."""
    side = across * _FIELD_ART
    box, (width, height) = Rect(0.0, 0.0, side, side), hexagon(across, "corner").size
    middle = translation((side - width) / 2, (side - height) / 2)
    inner = _PLACES[place][2]
    steps = [inner.get(edge, bleed) for edge in range(6)]
    outline: Outline = grown(carried(hexagon(across, "corner").outline, middle), steps)
    _check_reach(box_of(outline), box)
    canvas = Canvas(Size(side, side))
    canvas.tile(art, [box], outline)
    return canvas.layer(f"art {art.name} {place}")


def _check_reach(inked: Rect, art: Rect) -> None:
    if not art.encloses(inked):
        raise MisfitError("the bleed reaches past the art", "choose a smaller bleed or larger hexagons")
