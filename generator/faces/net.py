"""Faces of nets from the values of a row, with upright art on every panel.

Also sides of flat tokens: a ground, a picture and a mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import atan2, ceil, degrees
from statistics import mean
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from msgspec import Meta

from generator.basics.errors import MisfitError, Place, did_you_mean, quote
from generator.basics.files import one_line
from generator.basics.geometry import MM_PER_PT, ORIGIN, Point, Rect, Size, mirror_x, steady, translation, turning
from generator.basics.keys import Custom, Keys, Reads, ReadsWith, Schema, describe
from generator.basics.shapes import Shape, carried, common, edges, grown, holds, without
from generator.faces.canvas import SWATCH_LAP, Canvas
from generator.layout.nets import Net, Panel, fold_net
from generator.layout.solids import FACE
from generator.model import Art, Column, Component, Feature, Layer, Piece, PlacedLayer
from generator.tables import fields
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook

if TYPE_CHECKING:  # loading takes time that a game without texts of rows saves
    from generator.faces.templating.choosing import RowArt, RowText

MOST_BLEED = 3.0  # mm: flaps are close to each other
_OVERLAP = 0.1  # mm that a panel's ink runs past a fold: no paper shows in it
_PLAIN = 1.5  # mm along a fold without a pattern: the fold line shows on the ground
_MOST_SWATCHES = 3_000
_LEAST_TYPE = 6 * MM_PER_PT  # 6 pt
_GLUE_SIZE, _GLUE_INK = 7 * MM_PER_PT, "#5a5a5a"
_GLUE_CLEAR, _GROUND_CLEAR = 1.1, 0.1  # mm from the word to the cut, and to bleed on the tab
_TITLE_ROOM = Size(0.86, 0.7)  # of a panel

_NUMBER_ROOM, _CORNER_ROOM = Size(0.4, 0.34), Size(0.2, 0.2)  # of the face of a die
_TURNING, _LEAST_NINE = ("6", "9"), 9  # numbers with a dot, on dice with so many faces
_SHADOW = "#26221f"
_OPENING = "{{"

T = TypeVar("T")


def _panel_art(value: object, resources: fields.Resources) -> Art | RowArt:
    if not isinstance(value, str) or _OPENING not in value:
        return fields.find_art(value, resources)
    from generator.faces.templating.choosing import RowArt

    return RowArt(resources, _row_text(value, "art"))


def _panel_text(value: object) -> str | RowText:
    if not isinstance(value, str) or not value.strip():
        raise MisfitError(f"{quote(value)} is not a text", "for example '{{ name }}'")
    text = one_line(value.strip())
    return _row_text(text, "text") if _OPENING in text else text


def _row_text(text: str, names: str) -> RowText:
    from generator.faces.templating.choosing import RowText

    return RowText(text, Place(""), tuple, names)


MaybeColumn = Annotated[fields.ColumnName | None, describe("a column; its value picks one of these")]
PanelNames = Annotated[tuple[fields.Name, ...], describe("names of panels; 'side' stands for 'side-1' and so on")]
PanelArt = Custom[
    "Art | RowArt",
    ReadsWith(_panel_art),
    Schema({"type": "string", "description": "a name in [art], or '{{ column }}', which names art"}),
]
ArtOfPanel = Custom[dict[fields.Name, PanelArt], describe("panel = art; '{{ art }}': the art of the row")]
PanelText = Custom[
    "str | RowText",
    Reads(_panel_text),
    Schema({"type": "string", "description": "a line of text, with '{{ column }}'"}),
]
TextOfPanel = Custom[dict[fields.Name, PanelText], describe("panel = a line of text: '{{ name }} {{ copy }}'")]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Heights = Annotated[dict[fields.Name, Share], describe("panel = position of the title, 0 (top) to 1 (bottom)")]
PickingColumn = Annotated[fields.ColumnName, describe("a column; its value picks one of these")]
ArtOfValue = Annotated[dict[fields.Name, fields.ArtName], describe("value = art")]
ColourOfValue = Annotated[dict[fields.Name, fields.Colour], describe("value = colour")]
Spot = Annotated[tuple[fields.Length, fields.Length], describe("distances from the top left of the cut piece's box")]


class Panels(Keys, frozen=True, kw_only=True):
    """A ground with a pattern, and on each panel a picture, a mark and a title.

    Ground, pattern and mark are the same for all pieces, or the value of a column picks them. Ground and pattern run
    past the trim, the ground also a bit onto the tabs, which are otherwise blank except for the word "glue", if it fits
    and the font of sheets or of titles has its letters. A strip of 1.5 mm along folds has no pattern. A picture is as
    large as the panel allows, and upright on the finished piece.
    """

    renderer = "net.panels"
    ground: fields.Colour = "#ffffff"
    ground_by: MaybeColumn = None
    grounds: ColourOfValue = {}
    pattern: fields.MaybeArt = None  # a swatch, one in the middle of a panel and others around it
    pattern_by: MaybeColumn = None
    patterns: ArtOfValue = {}
    pattern_on: PanelNames = ()  # by default, all visible panels
    pattern_size: fields.Extent = (10.0, 10.0)
    arts: ArtOfPanel = {}
    mark: fields.MaybeArt = None
    mark_by: MaybeColumn = None
    marks: ArtOfValue = {}
    mark_on: PanelNames = ()  # by default, all visible panels
    mark_at: Spot = (0.0, 0.0)  # the mark's middle, from the top left of the panel's box
    mark_size: fields.PositiveLength = 4.0
    title: Annotated[fields.Text | None, describe("a line of text")] = None
    titles: Heights = {}
    title_font: fields.MaybeFont = None
    title_size: fields.PositiveLength = 12.0  # at most: a narrow panel has a smaller title
    title_colour: fields.Colour = "#000000"
    texts: TextOfPanel = {}  # in the middle of panels, in the font and colour of the title
    numbers: Annotated[bool, describe("whether each face of a die has its number")] = False
    reverse: Annotated[
        Literal["mirror", "shade"] | None,
        describe("what a 'back' without art shows: the art of the front, mirrored, or its shape"),
    ] = None

    def columns(self) -> list[Column]:
        names = [name for name in (self.ground_by, self.pattern_by, self.mark_by) if name]
        filled = [art.name for art in self.arts.values() if not isinstance(art, Art)]
        filled += [text for text in self.texts.values() if not isinstance(text, str)]
        columns = {name: Column(name) for name in names}
        columns |= {column.name: column for text in filled for column in text.columns}
        return list(columns.values())

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        net = _net(component)
        self._check_names(component)
        ground = _of(piece, self.ground, self.ground_by, self.grounds, "ground")
        pattern = _of(piece, self.pattern, self.pattern_by, self.patterns, "pattern")
        mark = _of(piece, self.mark, self.mark_by, self.marks, "mark")
        inked = (panel for panel in net.panels if not panel.is_glued)
        areas = [_InkArea(panel, net, component.bleed) for panel in inked]
        canvas = Canvas(component.bleed_size)
        canvas.polygons([area.reach for area in areas], ground or "#ffffff")
        layers = [PlacedLayer(canvas.layer(f"{component.id} ground {ground}"), Point(0.0, 0.0))]
        arts = self._arts(piece)
        for area in areas:
            layers += self._on_panel(area, arts, pattern, mark)
            layers += self._words(area.panel, area, piece)
            if self.numbers:
                layers += _number(area, net)
        word = component.glue
        fonts = (font for font in (_house_font(), self.title_font) if font and word)
        font = next((font for font in fonts if not font.missing(word)), None)
        for panel in net.panels:
            if panel.is_glued and font:
                layers += _word(word, font, panel, component.bleed, areas)
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
        for panel, art in self._arts(piece).items():
            yield Feature.of(f"art {panel}", art, f"arts.{panel}")

    def _on_panel(
        self, ink_area: _InkArea, arts: Mapping[str, Art], pattern: Art | None, mark: Art | None
    ) -> Iterator[PlacedLayer]:
        panel = ink_area.panel
        if pattern and _is_named(panel, self.pattern_on):
            yield from ink_area.tile(pattern, Size(*self.pattern_size))
        front = arts.get("front")
        if art := arts.get(panel.name, arts.get(panel.kind)):
            yield ink_area.picture(art, Rect(0.0, 0.0, *panel.size))
        elif panel.name == "back" and front and self.reverse:
            yield ink_area.mirrored(front, _SHADOW if self.reverse == "shade" else "")
        if mark and _is_named(panel, self.mark_on):
            place = Rect(*self.mark_at, *self.mark_at).grown(self.mark_size / 2)
            if not Rect(0.0, 0.0, *panel.size).encloses(place):
                what = f"the mark leaves the panel {quote(panel.name)}"
                raise MisfitError(what, "choose another `mark_at` or `mark_size`")
            yield ink_area.picture(mark, place)
        height = self.titles.get(panel.name, self.titles.get(panel.kind))
        if self.title and height is not None:
            if self.title_font is None:
                raise MisfitError("the title has no font", "set title_font = 'Alegreya Sans'")
            yield ink_area.place(self._draw_title(self.title, panel, height), Point(0.0, 0.0))

    def _arts(self, piece: Piece) -> Mapping[str, Art]:
        arts = ((panel, art if isinstance(art, Art) else art.of(piece.row)) for panel, art in self.arts.items())
        return {panel: art for panel, art in arts if art}

    def _words(self, panel: Panel, ink_area: _InkArea, piece: Piece) -> Iterator[PlacedLayer]:
        text = self.texts.get(panel.name, self.texts.get(panel.kind, ""))
        if not isinstance(text, str):
            text = "" if text.is_empty(piece.row) else text.text(piece.row)
        if text.strip():
            yield ink_area.place(self._draw_title(text.strip(), panel, 0.5, "text"), Point(0.0, 0.0))

    def _draw_title(self, title: str, panel: Panel, height: float, words: str = "title") -> Layer:
        font = self.title_font or _house_font()
        width, high = (side * room for side, room in zip(panel.size, _TITLE_ROOM, strict=True))
        ink = font.ink(title, 1.0)
        # a font without these letters has no ink: drawing reports it
        size = min(self.title_size, width / (ink.width or 1.0), high / (ink.height or 1.0))
        if size < _LEAST_TYPE:
            what = f"the {words} does not fit the panel {quote(panel.name)}"
            raise MisfitError(what, f"leave the panel out of `{words}s`, or shorten the {words}")
        canvas = Canvas(panel.size)
        middle = Point(panel.size.width / 2, panel.size.height * height)
        canvas.text(title, font, size, middle, self.title_colour)
        return canvas.layer(f"title {panel.name}")

    def _check_names(self, component: Component) -> None:
        names = _panel_names(component.shape)
        options = (self.arts, self.pattern_on, self.mark_on, self.titles, self.texts)
        named = {name for option in options for name in option}
        if not named <= names:  # other pieces may have other panels
            shapes = (piece.shape for piece in component.pieces)
            names = names.union(*map(_panel_names, shapes))
        if self.numbers and f"{FACE}1" not in names:
            raise MisfitError("only dice have `numbers`", "leave it out, or write `texts`")
        for name in sorted(named):
            if name not in names:
                raise MisfitError(f"there is no panel {quote(name)}", did_you_mean(name, names))


def _panel_names(shape: Shape | None) -> set[str]:
    panels = shape.panels if isinstance(shape, Net) else ()
    return {name for panel in panels for name in (panel.name, panel.kind)}


def _net(component: Component) -> Net:
    if not isinstance(component.shape, Net):
        hint = "choose a [component.shape] of a kind that folds: tent, tuckbox, die, standee"
        raise MisfitError("the piece has no panels", hint)
    if component.bleed > MOST_BLEED:
        hint = f"set at most {MOST_BLEED:g}mm: flaps are close to each other"
        raise MisfitError(f"a bleed of {component.bleed:g} mm is too much for a net", hint)
    return component.shape


def _of(piece: Piece, same: T, by: str | None, table: Mapping[str, T], what: str) -> T:
    return pick(table, piece, by, what) if by else same


def _option(piece: Piece, what: str, by: str | None) -> str:
    return f"{what}s.{piece.row[by]}" if by else what


def _is_named(panel: Panel, names: tuple[str, ...]) -> bool:
    """Whether a panel is among the names; without names, whether it is visible."""
    return panel.name in names or panel.kind in names if names else not panel.behind


def _number(ink_area: _InkArea, net: Net) -> Iterator[PlacedLayer]:
    """The number of a face in its middle. A die of four has one at each corner: that of the face
    below it when the corner is up."""
    panel = ink_area.panel
    if not panel.name.startswith(FACE):
        return
    faces = [face for face in net.panels if face.name.startswith(FACE)]
    corners = panel.own_outline
    middle = Point(*map(mean, zip(*corners, strict=True)))
    if len(faces) > len(corners) + 1:
        number = panel.name.removeprefix(FACE)
        digits = f"{number}." if number in _TURNING and len(faces) >= _LEAST_NINE else number
        yield _digits(ink_area, digits, middle, 0.0, _NUMBER_ROOM)
        return
    planes = fold_net(net)
    for corner, own in zip(panel.outline, corners, strict=True):
        spot = planes[panel.name].at(corner)
        below = max(faces, key=lambda face: planes[face.name].depth(spot))
        turn = degrees(atan2(own.x - middle.x, middle.y - own.y))
        at = _middle(middle, own)
        number = below.name.removeprefix(FACE)
        yield _digits(ink_area, number, at, turn, _CORNER_ROOM)


def _digits(ink_area: _InkArea, text: str, middle: Point, turn: float, room: Size) -> PlacedLayer:
    """A number around a point of a panel, turned by degrees; `room` is a part of the panel."""
    size = ink_area.panel.size
    font = _house_font()
    ink = font.ink(text, 1.0)
    canvas = Canvas(size)
    scale = min(room.width * size.width / ink.width, room.height * size.height / ink.height)
    canvas.text(text, font, scale, middle, "#000000")
    placed = ink_area.place(canvas.layer(f"number {text}"), ORIGIN)
    return placed._replace(motion=placed.motion @ turning(turn, middle))


def _word(word: str, font: Font, tab: Panel, bleed: float, areas: Sequence[_InkArea]) -> Iterator[PlacedLayer]:
    """A word along the fold of a tab, if nothing else is printed there."""
    ink = font.ink(word, _GLUE_SIZE)
    width, height = tab.size
    low = height - bleed - _GROUND_CLEAR
    middle = Point(width / 2, (_GLUE_CLEAR + low) / 2)
    box = Rect(*middle, *middle).grown(ink.height / 2)
    box = box._replace(x0=middle.x - ink.width / 2, x1=middle.x + ink.width / 2)
    place = translation(bleed, bleed) @ tab.place
    room = carried(box.grown(_GROUND_CLEAR).corners(), place)
    is_bare = not any(common(room, area.reach) for area in areas)
    if is_bare and holds(tab.own_outline, box.grown(_GLUE_CLEAR)):
        canvas = Canvas(tab.size)
        canvas.text(word, font, _GLUE_SIZE, middle, _GLUE_INK)
        clip = carried(tab.own_outline, place)
        yield PlacedLayer(canvas.layer(word), Point(0.0, 0.0), place, clip)


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
        steps = [_OVERLAP if any(_is_between(m, p, q) for m in middles) else bleed for p, q in edges(panel.outline)]
        plain = [-_PLAIN / 2 if any(_is_between(m, p, q) for m in folds) else bleed for p, q in edges(panel.outline)]
        near = {name for f in net.folds if panel.name in (f.of, f.to) for name in (f.of, f.to)}
        others = tuple(panel.outline for panel in net.panels if panel.name not in near)
        shift = translation(bleed, bleed)
        self.reach = carried(without(grown(panel.outline, steps), others), shift)
        self._patterned = carried(without(grown(panel.outline, plain), others), shift)

    def place(self, layer: Layer, at: Point) -> PlacedLayer:
        return PlacedLayer(layer, at, self._place, self.reach)

    def picture(self, art: Art, box: Rect) -> PlacedLayer:
        layer, at, *_ = _picture(art, box)
        return self.place(layer, at)

    def mirrored(self, art: Art, shade: str) -> PlacedLayer:
        """A picture on the whole panel as seen from behind; if a colour is given, its shape."""
        box = Rect(0.0, 0.0, *self.panel.size)
        placed = self.picture(art, box)
        if shade:
            canvas = Canvas(self.panel.size)
            canvas.silhouette(art, box, shade)
            placed = self.place(canvas.layer(f"shape of {art.name}"), ORIGIN)
        return placed._replace(motion=self._place @ mirror_x(box.width))

    def tile(self, art: Art, size: Size) -> Iterator[PlacedLayer]:
        """Cover the panel and its bleed with swatches, one of them in the middle, and leave a plain
        strip along folds."""
        width, height = self.panel.size
        columns, rows = (
            ceil(steady((side / 2 + MOST_BLEED) / step - 0.5)) for side, step in zip(self.panel.size, size, strict=True)
        )
        if (2 * columns + 1) * (2 * rows + 1) > _MOST_SWATCHES:
            raise MisfitError("a panel has too many swatches", "choose a larger `pattern_size`")
        for row in range(-rows, rows + 1):
            for column in range(-columns, columns + 1):
                x = width / 2 + (column - 0.5) * size.width
                y = height / 2 + (row - 0.5) * size.height
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
    art_margin: fields.Length = 0.0
    mark_by: MaybeColumn = None
    marks: ArtOfValue = {}
    mark_at: Spot = (0.0, 0.0)  # the mark's middle
    mark_size: fields.PositiveLength = 4.0

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
            raise MisfitError("the margin leaves nothing of the token", "choose a smaller `art_margin`")
        layers = [PlacedLayer(ground.layer(f"{component.id} ground {colour}"), Point(0.0, 0.0)), _picture(art, box)]
        if self.mark_by:
            x, y = component.trim.x0 + self.mark_at[0], component.trim.y0 + self.mark_at[1]
            place = Rect(x, y, x, y).grown(self.mark_size / 2)
            if not component.trim.encloses(place):
                raise MisfitError("the mark leaves the token", "choose another `mark_at` or `mark_size`")
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


def pick(table: Mapping[str, T], piece: Piece, column: str, what: str) -> T:
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
