"""Plates of Figures: faces to scale, and marks on them."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, pairwise

from msgspec import Struct

from generator.basics.errors import MisfitError
from generator.basics.geometry import HAIR, MM_PER_PT, ORIGIN, Affine, Point, Rect, Size, scaling, translation, turning
from generator.basics.shapes import Outline, Ray, box_of, carried, circle, common, holds, rims
from generator.booklet import figure
from generator.faces.canvas import Canvas
from generator.faces.templating.pictures import make_code
from generator.model import Art, Face, Layer, PlacedLayer
from generator.text import Font
from generator.text.shape import colour_picture

_LINE, _HALO = 0.7, 1.5  # mm: an accent line, and the white beneath it
_EDGE = 0.2  # mm: a line that shows the edge of a white piece on white paper
_EDGE_COLOUR = "#a39d92"
_SEAM = 0.8  # mm: the white rim of what stands, which shows it on others of its colour
_CONTOUR, _STANDING = 0.45, 0.3  # mm: the dark edges of pieces on a level, and of those that stand
_SHADOW = "rgba(29,29,27,0.3)"  # of a piece that lies on others
_CAST = Size(4.0, figure.LAYER + 4.0)  # mm, not of the paper: how far it falls to the right, and down
_VEIL = "rgba(255,255,255,0.7)"
_PAPER = "#ffffff"
_NOTE = 8.5 * MM_PER_PT
_PAD = Size(1.3, 0.7)  # mm around the words of a note
_DISC = 4.6
_CODE_SQUARE, _LONGEST_ADDRESS = 0.42, 300  # mm, of which telephones need 0.25; characters
_DIM = "rgba(189,184,176,0.72)"  # over an area: white becomes light grey, black another grey
_SIGN = 5.4  # mm, the diameter of a cross or a tick
_SIGN_COLOUR = "#1d1d1b"
_LAYERS = Size(5.0, 0.75)  # mm, of each layer in the mark of a level
_APART = 0.45  # mm between these
_SIDE, _PALE_SIDE = "#6b6054", "#c4bdb1"  # of pieces on a level
_ROUND = Size(_HALO / 2, _HALO / 2)
_ARROW = 2.6  # mm, the length of an arrow's head
_BARBS = tuple(turning(side, ORIGIN).apply(Point(_ARROW, 0.0)) for side in (-32.0, 32.0))
_BARE = Size(0.0, 0.0)
_HALVINGS = 30


class Plate(Struct, frozen=True):
    """A printed figure: layers from its top left, in mm of the paper."""

    layers: tuple[PlacedLayer, ...]
    size: Size

    def moved(self, x: float, y: float) -> Iterator[PlacedLayer]:
        return carry(self.layers, translation(x, y))


def carry(layers: Iterable[PlacedLayer], by: Affine) -> Iterator[PlacedLayer]:
    """Move layers."""
    return (placed.carried(by) for placed in layers)


def make_plate(drawn: figure.Figure, room: Size, accent: str, font: Font) -> Plate:
    """Draw a figure at its size, or smaller if that does not fit the room.

    Raises MisfitError if a note is too long.
    """
    maker = _PlateMaker(drawn, accent, font)
    return maker.plate(maker.scale(room))


def draw_code(address: str) -> figure.Figure:
    """The QR code of an address. Raises MisfitError if it is too long."""
    if len(address) > _LONGEST_ADDRESS:
        what = f"an address of {len(address)} characters is too long for a small QR code"
        raise MisfitError(what, f"at most {_LONGEST_ADDRESS}")
    code = make_code(address, "M")
    side, box = code.squares * _CODE_SQUARE, f"0 0 {code.squares} {code.squares}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><path d="{code.path}"/></svg>'
    art = Art(address, f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}")
    return figure.Figure(marks=[figure.Picture(art, Rect(0.0, 0.0, side, side))])


class _PlateMaker(Struct, dict=True):
    """Draws a figure. Pieces are scaled; lines and letters of marks are not."""

    _figure: figure.Figure
    _accent: str
    _font: Font

    def scale(self, room: Size) -> float:
        """The largest scale, up to 1, at which the figure fits the room."""

        def fits(scale: float) -> bool:
            box = self._box(scale)
            return box.width <= room.width and box.height <= room.height

        if fits(1.0):
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        if low == 0.0:
            raise MisfitError("a note is wider than the page", "use fewer words")
        return low

    def _box(self, scale: float) -> Rect:
        """The box around the figure, in mm of the paper from the figure's origin."""
        enlarge = scaling(scale).apply_rect
        box = Rect.around(*(enlarge(inner).grown(*pad) for inner, pad in self._extents))
        if self._figure.size is None:
            return box
        return box.around(_about(box.centre, Size(self._figure.size.width * scale, self._figure.size.height * scale)))

    @cached_property
    def _extents(self) -> list[tuple[Rect, Size]]:
        """The boxes to scale, in the figure, and the mm around each that are not scaled."""
        return [
            *((extent_of(piece), Size(_EDGE / 2, _EDGE / 2)) for piece in self._figure.placed),
            *map(self._extent, self._figure.marks),
        ]

    def _extent(self, mark: figure.Mark) -> tuple[Rect, Size]:
        match mark:
            case figure.Stroke():
                return box_of(mark.points), Size(_ARROW, _ARROW) if mark.is_arrow else _ROUND
            case figure.Shade():
                return box_of(mark.points), _BARE
            case figure.Sign():
                return Rect(*mark.at, *mark.at), self._half_size(mark)
            case figure.Picture():
                return mark.box, _BARE

    def _half_size(self, sign: figure.Sign) -> Size:
        """How far a sign reaches to each side of its point, and up and down."""
        match sign.kind:
            case "level":
                width, height = _level_size(int(sign.text))
                return Size(width / 2, height / 2)
            case "note":
                width, height = self._note_size(sign.text)
                return Size(width / 2 + _LINE, height / 2 + _LINE)
        half = (_DISC if sign.kind == "number" else _SIGN) / 2 + _LINE
        return Size(half, half)

    def _note_size(self, text: str) -> Size:
        width = self._font.width(text, _NOTE)
        return Size(width + 2 * _PAD.width, _NOTE + 2 * _PAD.height)

    def plate(self, scale: float) -> Plate:
        box = self._box(scale)
        base = translation(-box.x0, -box.y0) @ scaling(scale)
        size = Size(box.width, box.height)
        faces = {piece.face.id: piece.face for piece in self._figure.placed}
        layers_of = {id_: cut_to_outline(face) for id_, face in faces.items()}
        layers: list[PlacedLayer] = []
        for level, group in groupby(self._figure.placed, key=lambda piece: piece.level):
            pieces = list(group)
            if level:
                layers.append(PlacedLayer(draw_sides(pieces, base, size), ORIGIN))
            for piece in pieces:
                layers += carry(layers_of[piece.face.id], base @ piece.place)
                layers.append(_edge(piece, base, scale))
        if self._figure.marks:
            layers.append(PlacedLayer(self._marks(base, size), ORIGIN))
        return Plate(tuple(layers), size)

    def _marks(self, base: Affine, size: Size) -> Layer:
        canvas = Canvas(size)
        for mark in self._figure.marks:
            match mark:
                case figure.Stroke():
                    self._stroke(canvas, [base.apply(point) for point in mark.points], mark)
                case figure.Shade():
                    outline = [base.apply(point) for point in mark.points]
                    canvas.polygons([outline], _DIM)
                case figure.Sign():
                    self._sign(canvas, base.apply(mark.at), mark)
                case figure.Picture():
                    canvas.image(colour_picture(mark.art, self._accent), base.apply_rect(mark.box))
        return canvas.layer("marks of a figure")

    def _stroke(self, canvas: Canvas, points: list[Point], stroke: figure.Stroke) -> None:
        head = _arrow_head(points[-2], points[-1]) if stroke.is_arrow else None
        for colour, width in ((_PAPER, _HALO), (self._accent, _LINE)):
            canvas.line(points, colour, width)
            if head:
                canvas.line(head, colour, width)

    def _sign(self, canvas: Canvas, at: Point, sign: figure.Sign) -> None:
        match sign.kind:
            case "number":
                self._disc(canvas, at, sign.text)
            case "level":
                self._level(canvas, at, int(sign.text))
            case "note":
                self._note(canvas, at, sign.text)
            case _:
                _cross_or_tick(canvas, at, sign)

    def _disc(self, canvas: Canvas, at: Point, text: str) -> None:
        for diameter, colour in ((_DISC + _LINE, _PAPER), (_DISC, self._accent)):
            canvas.polygons([_round(at, diameter)], colour)
        canvas.text(text, self._font, _NOTE, at, _PAPER)

    def _level(self, canvas: Canvas, at: Point, level: int) -> None:
        """The number of a level above as many layers, unlike the disc of a number."""
        box = _about(at, _level_size(level))
        canvas.rect(box, _PAPER, _PAD.height)
        canvas.outline(box, _SIGN_COLOUR, _LINE / 2, _PAD.height)
        width, height = _LAYERS
        for number in range(level):
            y = box.y1 - _PAD.height - number * (height + _APART)
            bar = Rect(at.x - width / 2 + _APART, y - height, at.x + width / 2 - _APART, y)
            canvas.rect(bar, _SIGN_COLOUR)
        middle = Point(at.x, box.y0 + 0.5 * _NOTE + _APART)
        canvas.text(f"{level}", self._font, _NOTE, middle, _SIGN_COLOUR)

    def _note(self, canvas: Canvas, at: Point, text: str) -> None:
        box = _about(at, self._note_size(text))
        canvas.rect(box, _PAPER, _PAD.width)
        canvas.outline(box, self._accent, _LINE / 2, _PAD.width)
        start = Point(box.x0 + _PAD.width, at.y + 0.33 * _NOTE)
        canvas.write(text, self._font, _NOTE, start, self._accent)


def extent_of(piece: figure.PlacedFace) -> Rect:
    """The box around a piece, its side and its shadow."""
    box = box_of(piece.outline())
    if piece.level > 1:
        return box._replace(x1=box.x1 + _CAST.width, y1=box.y1 + _CAST.height)
    return box._replace(y1=box.y1 + figure.LAYER) if piece.level else box


def draw_sides(pieces: Sequence[figure.PlacedFace], base: Affine, size: Size) -> Layer:
    """The sides of pieces on one level, from the front, and the shadows of those on others: what
    lies on that level covers the rest."""
    canvas = Canvas(size)
    if pieces[0].level > 1:
        fallen = base @ translation(*_CAST)
        canvas.polygons([carried(piece.outline(), fallen) for piece in pieces], _SHADOW)
    for is_faded, colour in ((True, _PALE_SIDE), (False, _SIDE)):
        outlines = (piece.outline() for piece in pieces if piece.is_faded == is_faded)
        quads = [quad for outline in outlines for quad in _side_of(carried(outline, base), base)]
        if quads:
            canvas.polygons(quads, colour)
    return canvas.layer("sides of pieces")


def _side_of(outline: Outline, base: Affine) -> Iterator[Outline]:
    """The areas below the edges, all in one direction, so that none cancels another."""
    down = figure.LAYER * base.d
    for one, other in pairwise((*outline, outline[0])):
        if abs(one.x - other.x) < HAIR:
            continue
        left, right = sorted((one, other))
        yield left, right, Point(right.x, right.y + down), Point(left.x, left.y + down)


def _level_size(level: int) -> Size:
    height = _NOTE + level * (_LAYERS.height + _APART) + 2 * _PAD.height
    return Size(_LAYERS.width, height)


def _cross_or_tick(canvas: Canvas, at: Point, sign: figure.Sign) -> None:
    """A white cross on dark, or a dark tick on white: also apart in grey."""
    dark, light = _SIGN_COLOUR, _PAPER
    ground, ink = (dark, light) if sign.kind == "cross" else (light, dark)
    r = 0.2 * _SIGN
    lines = [[(-r, -r), (r, r)], [(-r, r), (r, -r)]]
    if sign.kind == "tick":
        lines = [[(-1.2 * r, 0.0), (-0.3 * r, r), (1.3 * r, -r)]]
    for diameter, colour in ((_SIGN + 2 * _LINE, light), (_SIGN, dark), (_SIGN - _LINE, ground)):
        canvas.polygons([_round(at, diameter)], colour)
    for line in lines:
        canvas.line([Point(at.x + x, at.y + y) for x, y in line], ink, 1.1)


def _about(at: Point, size: Size) -> Rect:
    return Rect(*at, *at).grown(size.width / 2, size.height / 2)


def _round(at: Point, diameter: float) -> Outline:
    return carried(circle(diameter).outline, translation(at.x - diameter / 2, at.y - diameter / 2))


def _arrow_head(start: Point, end: Point) -> tuple[Point, Point, Point]:
    """The head of an arrow: a barb, its tip, the other barb."""
    left, right = carried(_BARBS, Ray.through(end, start).frame)
    return left, end, right


def _edge(placed: figure.PlacedFace, base: Affine, scale: float) -> PlacedLayer:
    """The edge of a piece, and a veil over it if it is faded."""
    canvas = Canvas(placed.face.size)
    if placed.is_faded:
        canvas.polygons([placed.face.cut], _VEIL)
    colour, width = edge_of(placed)
    outline = [(*rim, rim[0]) for rim in rims(placed.face.cut)]
    if placed.stands:
        canvas.lines(outline, _PAPER, _SEAM / scale)
    canvas.lines(outline, colour, width / scale)
    return PlacedLayer(canvas.layer("edge of a piece"), ORIGIN, base @ placed.place)


def edge_of(placed: figure.PlacedFace) -> tuple[str, float]:
    """The colour of a piece's edge and its width (mm): dark if it stands or has a level."""
    if placed.is_faded or not (placed.level or placed.stands):
        return _EDGE_COLOUR, _EDGE
    return _SIGN_COLOUR, _STANDING if placed.stands else _CONTOUR


def cut_to_outline(face: Face) -> tuple[PlacedLayer, ...]:
    """The layers of a face, clipped to its cut."""
    return tuple(
        placed._replace(clip=clip)
        for placed in face.layers
        for clip in (common(face.cut, placed.clip) if placed.clip else _clips(face, placed))
    )


def _clips(face: Face, placed: PlacedLayer) -> list[Outline | None]:
    """The clip of a layer without one: none if the layer is within the cut."""
    return [None] if holds(face.cut, placed.place.apply_rect(Rect(0.0, 0.0, *placed.layer.size))) else [face.cut]
