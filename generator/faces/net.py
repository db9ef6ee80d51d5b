"""Faces of nets from the values of a row, with upright art on every panel.

Also sides of flat tokens: a ground, a picture and a mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import ceil
from typing import Annotated, TypeVar

from msgspec import Meta

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import (
    Point,
    Rect,
    Size,
    carried,
    common,
    edges,
    grown,
    holds,
    steady,
    translation,
    without,
)
from generator.basics.keys import Keys, describe
from generator.basics.units import MM_PER_PT
from generator.faces.canvas import SWATCH_LAP, Canvas
from generator.layout.nets import Net, Panel
from generator.model import Art, Column, Component, Feature, Layer, Piece, PlacedLayer
from generator.tables.fields import (
    ArtName,
    Colour,
    ColumnName,
    Extent,
    Length,
    MaybeArt,
    MaybeFont,
    Name,
    PositiveLength,
    Text,
)
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook

MOST_BLEED = 3.0  # mm: flaps are close to each other
_OVERLAP = 0.1  # mm that a panel's ink runs past a fold: no paper shows in it
_PLAIN = 1.5  # mm along a fold without a pattern: the fold line shows on the ground
_MOST_SWATCHES = 3_000
_LEAST_TYPE = 6 * MM_PER_PT  # 6 pt
_GLUE, _GLUE_SIZE, _GLUE_INK = "glue", 7 * MM_PER_PT, "#5a5a5a"
_GLUE_CLEAR, _GROUND_CLEAR = 1.1, 0.1  # mm from the word to the cut, and to bleed on the tab
_TITLE_ROOM = Size(0.86, 0.7)  # of a panel

_Picked = TypeVar("_Picked")
MaybeColumn = Annotated[ColumnName | None, describe("a column; its value picks one of these")]
PanelNames = Annotated[
    tuple[Name, ...], describe("names of panels; 'side' stands for 'side-1' and so on")
]
ArtOfPanel = Annotated[dict[Name, ArtName], describe("panel = art")]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Heights = Annotated[
    dict[Name, Share], describe("panel = position of the title, 0 (top) to 1 (bottom)")
]
PickingColumn = Annotated[ColumnName, describe("a column; its value picks one of these")]
ArtOfValue = Annotated[dict[Name, ArtName], describe("value = art")]
ColourOfValue = Annotated[dict[Name, Colour], describe("value = colour")]
Place = Annotated[
    tuple[Length, Length], describe("distances from the top left of the cut piece's box")
]
_Named = TypeVar("_Named")


class Panels(Keys, frozen=True, kw_only=True):
    """A ground with a pattern, and on each panel a picture, a mark and a title.

    Ground, pattern and mark are the same for all pieces, or the value of a column picks them.
    Ground and pattern run past the trim, the ground also a bit onto the tabs, which are otherwise
    blank except for the word "glue", if it fits. A strip of 1.5 mm along folds has no pattern.
    A picture is as large as the panel allows, and upright on the finished piece.
    """

    renderer = "net.panels"
    ground: Colour = "#ffffff"
    ground_by: MaybeColumn = None
    grounds: ColourOfValue = {}
    pattern: MaybeArt = None  # a swatch, one in the middle of a panel and others around it
    pattern_by: MaybeColumn = None
    patterns: ArtOfValue = {}
    pattern_on: PanelNames = ()  # by default, all visible panels
    pattern_size: Extent = (10.0, 10.0)
    arts: ArtOfPanel = {}
    mark: MaybeArt = None
    mark_by: MaybeColumn = None
    marks: ArtOfValue = {}
    mark_on: PanelNames = ()  # by default, all visible panels
    mark_at: Place = (0.0, 0.0)  # the mark's middle, from the top left of the panel's box
    mark_size: PositiveLength = 4.0
    title: Annotated[Text | None, describe("a line of text")] = None
    titles: Heights = {}
    title_font: MaybeFont = None
    title_size: PositiveLength = 12.0  # at most: a narrow panel has a smaller title
    title_colour: Colour = "#000000"

    def columns(self) -> list[Column]:
        names = [name for name in (self.ground_by, self.pattern_by, self.mark_by) if name]
        return [Column(name) for name in dict.fromkeys(names)]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        net = _net(component)
        self._check_names(net)
        ground = _of(piece, self.ground, self.ground_by, self.grounds, "ground")
        pattern = _of(piece, self.pattern, self.pattern_by, self.patterns, "pattern")
        mark = _of(piece, self.mark, self.mark_by, self.marks, "mark")
        areas = [
            _InkArea(panel, net, component.bleed) for panel in net.panels if not panel.is_glued
        ]
        canvas = Canvas(component.bleed_size)
        canvas.polygons([area.reach for area in areas], ground or "#ffffff")
        layers = [PlacedLayer(canvas.layer(f"{component.id} ground {ground}"), Point(0.0, 0.0))]
        for area in areas:
            layers += self._on_panel(area, pattern, mark)
        for panel in net.panels:
            if panel.is_glued:
                layers += _word(panel, component.bleed, areas)
        return layers

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        """The features, regardless of panels."""
        ground = _of(piece, self.ground, self.ground_by, self.grounds, "ground")
        yield Feature("ground", ground, _option(piece, "ground", self.ground_by))
        pattern = _of(piece, self.pattern, self.pattern_by, self.patterns, "pattern")
        if pattern:
            option = _option(piece, "pattern", self.pattern_by)
            yield Feature.of("pattern", pattern, option)
        mark = _of(piece, self.mark, self.mark_by, self.marks, "mark")
        if mark:
            yield Feature.of("mark", mark, _option(piece, "mark", self.mark_by))
        for panel, art in self.arts.items():
            yield Feature.of(f"art {panel}", art, f"arts.{panel}")

    def _on_panel(
        self, ink_area: _InkArea, pattern: Art | None, mark: Art | None
    ) -> Iterator[PlacedLayer]:
        panel = ink_area.panel
        if pattern and _is_named(panel, self.pattern_on):
            yield from ink_area.tile(pattern, Size(*self.pattern_size))
        art = self.arts.get(panel.name, self.arts.get(panel.kind))
        if art:
            yield ink_area.picture(art, Rect(0.0, 0.0, *panel.size))
        if mark and _is_named(panel, self.mark_on):
            place = Rect(*self.mark_at, *self.mark_at).grown(self.mark_size / 2)
            if not Rect(0.0, 0.0, *panel.size).encloses(place):
                what = f"the mark leaves the panel {quote(panel.name)}"
                raise MisfitError(what, "choose another `mark_at` or `mark_size`")
            yield ink_area.picture(mark, place)
        height = self.titles.get(panel.name, self.titles.get(panel.kind))
        if self.title and height is not None:
            yield ink_area.place(self._draw_title(self.title, panel, height), Point(0.0, 0.0))

    def _draw_title(self, title: str, panel: Panel, height: float) -> Layer:
        if self.title_font is None:
            raise MisfitError("the title has no font", "set title_font = 'Alegreya Sans'")
        width, high = (side * room for side, room in zip(panel.size, _TITLE_ROOM, strict=True))
        ink = self.title_font.ink(title, 1.0)
        size = min(self.title_size, width / ink.width, high / ink.height)
        if size < _LEAST_TYPE:
            what = f"the title does not fit the panel {quote(panel.name)}"
            raise MisfitError(what, "leave the panel out of `titles`, or shorten the title")
        canvas = Canvas(panel.size)
        middle = Point(panel.size.width / 2, panel.size.height * height)
        canvas.text(title, self.title_font, size, middle, self.title_colour)
        return canvas.layer(f"title {panel.name}")

    def _check_names(self, net: Net) -> None:
        names = {name for panel in net.panels for name in (panel.name, panel.kind)}
        for name in (*self.arts, *self.pattern_on, *self.mark_on, *self.titles):
            if name not in names:
                raise MisfitError(f"there is no panel {quote(name)}", did_you_mean(name, names))


def _net(component: Component) -> Net:
    if not isinstance(component.shape, Net):
        hint = "choose a [component.shape] of the kind pyramid, tent, house or tuckbox"
        raise MisfitError("the piece has no panels", hint)
    if component.bleed > MOST_BLEED:
        hint = f"set at most {MOST_BLEED:g}mm: flaps are close to each other"
        raise MisfitError(f"a bleed of {component.bleed:g} mm is too much for a net", hint)
    return component.shape


def _of(
    piece: Piece, same: _Picked, by: str | None, table: Mapping[str, _Picked], what: str
) -> _Picked:
    return pick(table, piece, by, what) if by else same


def _option(piece: Piece, what: str, by: str | None) -> str:
    return f"{what}s.{piece.row[by]}" if by else what


def _is_named(panel: Panel, names: tuple[str, ...]) -> bool:
    """Whether a panel is among the names; without names, whether it is visible."""
    return panel.name in names or panel.kind in names if names else not panel.behind


def _word(tab: Panel, bleed: float, areas: Sequence[_InkArea]) -> Iterator[PlacedLayer]:
    """The word "glue" along the fold of a tab, if nothing else is printed there."""
    ink = _house_font().ink(_GLUE, _GLUE_SIZE)
    width, height = tab.size
    low = height - bleed - _GROUND_CLEAR
    middle = Point(width / 2, (_GLUE_CLEAR + low) / 2)
    word = Rect(*middle, *middle).grown(ink.height / 2)
    word = word._replace(x0=middle.x - ink.width / 2, x1=middle.x + ink.width / 2)
    place = translation(bleed, bleed) @ tab.place
    room = carried(word.grown(_GROUND_CLEAR).corners(), place)
    is_bare = not any(common(room, area.reach) for area in areas)
    if is_bare and holds(tab.own_outline, word.grown(_GLUE_CLEAR)):
        canvas = Canvas(tab.size)
        canvas.text(_GLUE, _house_font(), _GLUE_SIZE, middle, _GLUE_INK)
        clip = carried(tab.own_outline, place)
        yield PlacedLayer(canvas.layer(_GLUE), Point(0.0, 0.0), place, clip)


@cache
def _house_font() -> Font:
    return FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY)


class _InkArea:
    """A panel on a face, and the area that it may ink: past the trim, and up to the folds."""

    def __init__(self, panel: Panel, net: Net, bleed: float) -> None:
        self.panel = panel
        self._place = translation(bleed, bleed) @ panel.place
        tabs = {other.name for other in net.panels if other.is_glued}
        folds = [_middle(f.start, f.end) for f in net.folds if panel.name in (f.of, f.to)]
        middles = [_middle(f.start, f.end) for f in net.folds if not tabs & {f.of, f.to}]
        steps = [
            _OVERLAP if any(_is_between(m, p, q) for m in middles) else bleed
            for p, q in edges(panel.outline)
        ]
        plain = [
            -_PLAIN / 2 if any(_is_between(m, p, q) for m in folds) else bleed
            for p, q in edges(panel.outline)
        ]
        near = {name for f in net.folds if panel.name in (f.of, f.to) for name in (f.of, f.to)}
        others = tuple(panel.outline for panel in net.panels if panel.name not in near)
        shift = translation(bleed, bleed)
        self.reach = carried(without(grown(panel.outline, steps), others), shift)
        self._patterned = carried(without(grown(panel.outline, plain), others), shift)

    def place(self, layer: Layer, at: Point) -> PlacedLayer:
        return PlacedLayer(layer, at, self._place, self.reach)

    def picture(self, art: Art, box: Rect) -> PlacedLayer:
        canvas = Canvas(Size(box.width, box.height))
        canvas.image(art, Rect(0.0, 0.0, box.width, box.height))
        return self.place(canvas.layer(f"art {art.name}"), Point(box.x0, box.y0))

    def tile(self, art: Art, size: Size) -> Iterator[PlacedLayer]:
        """Cover the panel and its bleed with swatches, one of them in the middle, and leave a plain
        strip along folds."""
        width, height = self.panel.size
        columns, rows = (
            ceil(steady((side / 2 + MOST_BLEED) / step - 0.5))
            for side, step in zip(self.panel.size, size, strict=True)
        )
        if (2 * columns + 1) * (2 * rows + 1) > _MOST_SWATCHES:
            raise MisfitError("a panel has too many swatches", "choose a larger `pattern_size`")
        for row in range(-rows, rows + 1):
            for column in range(-columns, columns + 1):
                x, y = (
                    width / 2 + (column - 0.5) * size.width,
                    height / 2 + (row - 0.5) * size.height,
                )
                box = Rect(x, y, x + size.width, y + size.height)
                swatch = self.picture(art, box.grown(SWATCH_LAP))
                yield swatch._replace(clip=self._patterned)


def _middle(p: Point, q: Point) -> Point:
    return Point((p.x + q.x) / 2, (p.y + q.y) / 2)


def _is_between(middle: Point, p: Point, q: Point) -> bool:
    """Whether the middle of a fold is on an edge."""
    ax, ay, bx, by = middle.x - p.x, middle.y - p.y, q.x - p.x, q.y - p.y
    along, length = ax * bx + ay * by, bx * bx + by * by
    return abs(ax * by - ay * bx) < 1e-6 * length and 0.0 < along < length


class Token(Keys, frozen=True, kw_only=True):
    """A ground in one colour, a picture as large as the piece, and a mark on top.

    The value of a column picks each of them. The ground runs past the trim; the picture is as
    large as the box around the piece allows, less a margin. Draw backs as seen from behind.
    """

    renderer = "token.art"
    ground_by: PickingColumn
    grounds: ColourOfValue
    art_by: PickingColumn
    arts: ArtOfValue
    art_margin: Length = 0.0
    mark_by: MaybeColumn = None
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
