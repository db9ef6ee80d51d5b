"""The face of a hexagonal tile, from its sides: coloured areas and lines between them.

Also the place in areas where a box has most room.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count, product
from math import ceil, floor, inf
from typing import Annotated, Literal

from generator.basics.errors import MisfitError, look_up, quote
from generator.basics.geometry import HAIR, ORIGIN, Affine, Point, Rect, Size, steady, translation
from generator.basics.keys import Keys, describe, matching
from generator.basics.recent import remembered
from generator.basics.shapes import Outline, box_of, carried, edges, grown
from generator.faces import mosaic
from generator.faces.canvas import SWATCH_LAP, Canvas
from generator.faces.mosaic import CORNERS, Chain, HexagonRing, HexagonTile, divide
from generator.model import Column, Component, Feature, Layer, Piece, PlacedLayer
from generator.tables.fields import ArtName, Colour, ColumnName, FontFamily, Length, MaybeArt, PositiveLength

_OVERLAP = 0.1  # mm that parts reach below each other: no seam shows between equal colours
_MOST_SWATCHES = 2_000
Area = tuple[Outline, ...]  # its rims
_Coloured = tuple[Area, str]  # an area and the letter of its colour
Letter = Annotated[str, matching(r"^[A-Za-z]$", "must be one letter, a to z or A to Z")]
Colours = Annotated[dict[Letter, Colour], describe("letter = colour", min_length=1)]
Swatches = Annotated[
    dict[Letter, tuple[PositiveLength, PositiveLength]], describe("letter = width and height of its swatch")
]
Share = Annotated[  # beyond these limits a part would be too narrow to see
    float, describe("a fraction of the hexagon's radius", ge=0.005, le=0.995)
]
_Stretch = tuple[float, float, float, float]  # of a rim: its start and its vector
_CLOSE = 0.04  # of the box: a smaller gain of room does not matter
_QUARTERS = tuple(product((-0.5, 0.5), repeat=2))


class Lines(Keys, frozen=True, kw_only=True):
    """How the lines between areas are drawn."""

    line: Colour
    line_width: Share
    construction: Annotated[Literal["solid", "double"], describe("a line, or two with a gap between")] = "solid"
    between: Colour = "#ffffff"  # shows between the two lines of a double one
    between_width: Share = 0.03

    def _draw_lines(self, canvas: Canvas, chains: Sequence[Chain], radius: float) -> None:
        canvas.lines(chains, self.line, self.line_width * radius)
        if self.construction == "double":
            canvas.lines(chains, self.between, self.between_width * radius)


class Lined(Lines, frozen=True, kw_only=True):
    """A hexagon divided into areas by straight lines, with its name where there is most room.

    Columns: the lines, each from one of the corners 0 to 5 (counterclockwise from the right) to
    another, or to the centre 6: "0-3 1-6"; the letters of the colours of sides 0 to 5 (from corner
    k to the next): "BBWWWW"; the name. Lines and colours continue into the bleed.
    """

    renderer = "areas.lined"
    segments: Annotated[ColumnName, describe("the column with the lines")] = "segments"
    sides: Annotated[ColumnName, describe("the column with the colours of the sides")] = "sides"
    names: Annotated[ColumnName, describe("the column with the name")] = "name"
    colours: Colours
    inks: Annotated[dict[Letter, Colour], describe("letter = colour of a name on it")]
    name_font: FontFamily
    name_size: PositiveLength
    margin: Length = 3.0  # from the trim to the name, and to a mark
    clear: Length = 0.3  # from a line to the name, and to a mark
    marks: Annotated[dict[str, ArtName], describe("name = art, placed where there is most room beside the name")] = {}
    mark_size: PositiveLength = 6.0

    def columns(self) -> list[Column]:
        return [Column(self.segments), Column(self.sides), Column(self.names)]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        hexagon = HexagonTile.of(component)
        sides = _letters(str(piece.row[self.sides]), self.colours)
        tile = divide(hexagon)
        walls = tile.walls(str(piece.row[self.segments]))
        areas = [(rims, _colour(sides, of)) for rims, of in tile.areas(walls)]
        canvas = Canvas(component.bleed_size)
        for letter, colour in self.colours.items():
            rims = [rim for area_rims, of in areas if of == letter for rim in area_rims]
            if rims:
                canvas.polygons(rims, colour)
        chains = mosaic.chains_once(walls | tile.walls_beyond(sides))
        self._draw_lines(canvas, chains, hexagon.radius)
        self._draw_name(canvas, str(piece.row[self.names]), hexagon, areas)
        return [PlacedLayer(canvas.layer(f"{component.id} {piece.id}"), ORIGIN)]

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        sides = _letters(str(piece.row[self.sides]), self.colours)
        name = str(piece.row[self.names])
        yield Feature("lines", str(piece.row[self.segments]), "segments")
        yield Feature("sides", sides, "sides")
        yield from _tints(sides, self.colours)
        yield Feature("line", self.line, "line")
        yield Feature("construction", self.construction, "construction")
        yield Feature("name", name, "names")
        if name in self.marks:
            yield Feature.of("mark", self.marks[name], f"marks.{name}")

    def _draw_name(self, canvas: Canvas, name: str, hexagon: HexagonTile, areas: Sequence[_Coloured]) -> None:
        ink = self.name_font.ink(name, self.name_size)
        number, middle = self._place("name", hexagon, areas, Size(ink.width, ink.height))
        letter = areas[number][1]
        if letter not in self.inks:
            raise MisfitError(f"inks has no colour for {letter}", f"add a colour for {letter}")
        canvas.text(name, self.name_font, self.name_size, middle, self.inks[letter])
        if name in self.marks:
            others = [*areas[:number], *areas[number + 1 :]]
            _, middle = self._place("mark", hexagon, others, Size(self.mark_size, self.mark_size))
            canvas.image(self.marks[name], Rect(*middle, *middle).grown(self.mark_size / 2))

    def _place(self, what: str, hexagon: HexagonTile, areas: Sequence[_Coloured], size: Size) -> tuple[int, Point]:
        apart = self.line_width * hexagon.radius + 2 * self.clear
        box = Size(size.width + apart, size.height + apart)
        rims = tuple(rims for rims, _ in areas)
        number, middle, times = roomiest(rims, hexagon.within(self.margin), box)
        if times < 1:
            raise MisfitError(f"no area has room for the {what}", f"make {what}_size, margin or clear smaller")
        return number, middle


def _tints(letters: str, colours: Mapping[str, str]) -> Iterator[Feature]:
    for letter in sorted(set(letters)):
        yield Feature(f"colour {letter}", colours[letter], f"colours.{letter}")


def _letters(sides: str, colours: Mapping[str, str]) -> str:
    """The letters of six sides. Raises MisfitError if they are not six letters of colours."""
    for letter in sides:
        look_up(colours, letter, "colour")
    if len(sides) != len(CORNERS):
        raise MisfitError(f"{quote(sides)} does not name six sides", "write a letter for each side")
    return sides


def _colour(sides: str, of: Sequence[int]) -> str:
    """The colour's letter of an area with these sides. Raises MisfitError if they differ."""
    letters = {sides[side] for side in of}
    if not letters:
        raise MisfitError("the lines cut off an area without a side", "let it reach a side")
    if len(letters) > 1:
        names = " and ".join(str(side) for side in of)
        raise MisfitError(f"sides {names} belong to one area, but differ in colour", "draw a line between them")
    return letters.pop()


class Ringed(Lines, frozen=True, kw_only=True):
    """A hexagon in the middle of the tile and a part on each side of it, each in one colour, with
    lines only between two colours.

    Columns: the letter of the middle's colour; the letters of sides 0 to 5, counterclockwise from
    the side above the right corner: "BGRRRR". A texture repeats a swatch from the middle of the
    tile outwards, so that it continues from part to part.
    """

    renderer = "areas.ringed"
    centre: Annotated[ColumnName, describe("the column with the colour of the middle")] = "centre"
    sides: Annotated[ColumnName, describe("the column with the colours of the sides")] = "sides"
    colours: Colours
    inner: Share  # the size of the hexagon in the middle
    textures: Annotated[dict[Letter, ArtName], describe("letter = a swatch")] = {}
    swatches: Swatches = {}
    mark: MaybeArt = None  # in the middle of tiles that the table marks
    marked: Annotated[ColumnName, describe("the column with 'yes' for tiles with a mark")] = "start"
    mark_size: PositiveLength = 6.0

    def columns(self) -> list[Column]:
        return [Column(n) for n in (self.centre, self.sides, *([self.marked] if self.mark else []))]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        hexagon = HexagonTile.of(component)
        letters = _letters(str(piece.row[self.sides]), self.colours)
        centre = str(piece.row[self.centre])
        look_up(self.colours, centre, "colour")
        tile = HexagonRing(hexagon, self.inner)
        parts = zip(tile.parts, letters + centre, strict=True)
        size = component.bleed_size
        name = f"{component.id} part"
        layers = [self._part(f"{name} {n}", letter, part, size) for n, (part, letter) in enumerate(parts)]
        lines = Canvas(size)
        self._draw_lines(lines, mosaic.chains(tile.walls(letters, centre)), hexagon.radius)
        layers.append(lines.layer(f"{component.id} {piece.id}"))
        if self.mark and piece.row[self.marked] == "yes":
            mark, middle = Canvas(size), hexagon.centre
            mark.image(self.mark, Rect(*middle, *middle).grown(self.mark_size / 2))
            layers.append(mark.layer(f"art {self.mark.name}"))
        return [PlacedLayer(layer, ORIGIN) for layer in layers]

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        centre, sides = str(piece.row[self.centre]), str(piece.row[self.sides])
        yield Feature("centre", centre, "centre")
        yield Feature("sides", sides, "sides")
        yield from _tints(_letters(sides, self.colours), self.colours)
        yield Feature("line", self.line, "line")
        for letter in sorted({*sides, centre} & set(self.textures)):
            yield Feature.of(f"texture {letter}", self.textures[letter], f"textures.{letter}")
        if self.mark and piece.row[self.marked] == "yes":
            yield Feature.of("mark", self.mark, "mark")

    @remembered  # the rows of a table share a few
    def _part(self, name: str, letter: str, part: Outline, size: Size) -> Layer:
        canvas = Canvas(size)
        outline = grown(part, _OVERLAP)
        canvas.polygons([outline], self.colours[letter])
        if letter in self.textures:
            swatches = self._lay_swatches(letter, outline, size)
            canvas.tile(self.textures[letter], swatches, outline)
        return canvas.layer(f"{name} {letter}")

    def _lay_swatches(self, letter: str, part: Outline, size: Size) -> list[Rect]:
        """The boxes of the swatches of a texture that overlap a part within the face."""
        if letter not in self.swatches:
            raise MisfitError(f"swatches has no size for {letter}", "[width, height]")
        width, height = self.swatches[letter]
        box = box_of(part).within(Rect(0.0, 0.0, *size))
        x, y = (size.width - width) / 2, (size.height - height) / 2  # the one in the middle
        columns = range(floor(steady((box.x0 - x) / width)), ceil(steady((box.x1 - x) / width)))
        rows = range(floor(steady((box.y0 - y) / height)), ceil(steady((box.y1 - y) / height)))
        if len(columns) * len(rows) > _MOST_SWATCHES:
            raise MisfitError("a part has too many swatches", "make the swatches larger")
        first = Rect(x, y, x + width, y + height)
        cells = (translation(column * width, row * height).apply_rect(first) for column in columns for row in rows)
        return [cell.grown(SWATCH_LAP) for cell in cells if _overlap(part, cell)]


def _overlap(part: Outline, cell: Rect) -> bool:
    """Whether a convex part and a cell in its box overlap: no edge has the whole cell outside."""
    return all(
        any((q.x - p.x) * (c.y - p.y) > (q.y - p.y) * (c.x - p.x) for c in cell.corners()) for p, q in edges(part)
    )


@cache
def roomiest(areas: tuple[Area, ...], within: Outline, box: Size) -> tuple[int, Point, float]:
    """The number of the area where an upright box has most room, the box's middle there, and the
    factor by which it could grow; it does not fit if that is less than 1.

    The box stays `within` a convex outline. Squares of the plane are searched, the most promising
    first, and divided into four (as in Mapbox's polylabel); the unit is half the box.
    """
    scale = Affine(2 / box.width, 0.0, 0.0, 2 / box.height, 0.0, 0.0)
    limit = _stretches((carried(within, scale),))
    scaled = [_stretches(tuple(carried(rim, scale) for rim in area)) for area in areas]
    order = count()
    best = (0, Point(0.0, 0.0), -inf)
    heap: list[tuple[float, int, int, float, float, float]] = []

    def look(index: int, x: float, y: float, half: float) -> None:
        nonlocal best
        little = best[2] - max(half - _CLOSE, HAIR)  # room that is not worth a further look
        clear = _clearance(limit, x, y, little)
        if clear > little:
            clear = min(clear, _clearance(scaled[index], x, y, little))
        if clear <= little:
            return
        # steady: every machine finds the same first one of places with equal room
        clear = steady(clear, 6)
        if clear > best[2]:
            best = (index, Point(x, y), clear)
        if clear + half > best[2] + _CLOSE:
            heappush(heap, (-clear - half, next(order), index, x, y, half))

    for index, area in enumerate(areas):
        around = scale.apply_rect(box_of(corner for rim in area for corner in rim))
        look(index, *around.centre, steady(max(around.width, around.height) / 2, 6))
    while heap and -heap[0][0] > best[2] + _CLOSE:
        _, _, index, x, y, side = heappop(heap)
        for dx, dy in _QUARTERS:
            look(index, x + dx * side, y + dy * side, side / 2)
    index, (x, y), times = best
    return index, Point(x * box.width / 2, y * box.height / 2), times


def _stretches(area: Area) -> list[_Stretch]:
    return [(px, py, qx - px, qy - py) for rim in area for (px, py), (qx, qy) in edges(rim)]


def _clearance(rim: list[_Stretch], x: float, y: float, little: float) -> float:
    """The distance of a point from the rim, the larger of those along x and y; negative outside. If
    that is `little` or less, it may be any such number."""
    nearest, is_inside = inf, False
    for px, py, dx, dy in rim:
        ax, ay = px - x, py - y
        bx, by = ax + dx, ay + dy
        # most stretches lie wholly further off along x or y, and need not be measured
        is_near_x = (-nearest < ax or -nearest < bx) and (ax < nearest or bx < nearest)
        if is_near_x and (-nearest < ay or -nearest < by) and (ay < nearest or by < nearest):
            nearest = min(nearest, _distance(ax, ay, bx, by, dx, dy))
            if nearest <= little:
                return nearest
        if (ay > 0) != (by > 0) and ax - ay * dx / dy > 0:
            is_inside = not is_inside
    return nearest if is_inside else -nearest


def _distance(ax: float, ay: float, bx: float, by: float, dx: float, dy: float) -> float:
    """The distance from the origin to a stretch from a to b, whose vector is d.

    Its nearest point is an end, or a point where |x| is |y|.
    """
    start, end = max(ax, -ax, ay, -ay), max(bx, -bx, by, -by)
    best = start if start < end else end
    if (slope := dx - dy) and 0.0 < (t := (ay - ax) / slope) < 1.0:
        x, y = ax + t * dx, ay + t * dy
        best = min(best, max(x, -x, y, -y))
    if (slope := dx + dy) and 0.0 < (t := (-ay - ax) / slope) < 1.0:
        x, y = ax + t * dx, ay + t * dy
        best = min(best, max(x, -x, y, -y))
    return best
