"""Figures, read from lines of text: pieces in their places, and marks on them.

Also the faces and pictures that a figure may name.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from math import ceil, isnan, nan
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, Problem, collecting, did_you_mean, fail, quote, raise_all
from generator.basics.geometry import Affine, Point, Rect, Size, steady, translation, turning
from generator.basics.shapes import Outline, Top, box_of, carried, circle, hexagon, rectangle
from generator.booklet.reading import MarkdownFigure
from generator.faces.standing import stand
from generator.layout.folds import standing_net
from generator.model import SIDES, Art, Component, Face, FaceKey, Side
from generator.text.shape import house_icon, natural_size, proportion

LAYER = 5.0  # mm, from one level of flat pieces to the next
_ENTRY = re.compile(r"(?:[-*]\s+)?(?:(\d{1,7})\s+)?([^:]*)(:?.*)")  # number, title, remark
_MAX_LINES = 100
_FARTHEST = 2000.0  # mm
_HIGHEST = 9  # level
_GAP = 4.0  # mm between the pieces of a row
_WIDEST_ROW = 230.0  # mm of pieces: a column shows them at half their size
_WORD = re.compile(r'"[^"]*"?|[^\s",]+|,')


class PlacedFace(Struct, frozen=True):
    """A face in a figure: `place` maps it to the figure. A flat piece on a level has a side as
    high as a layer, which is seen below it; without a level (0) it is as thin as paper. `stands`
    is whether it is the picture of a folded piece."""

    face: Face
    place: Affine
    is_faded: bool = False
    level: int = 0
    stands: bool = False

    def outline(self) -> Outline:
        return carried(self.face.cut, self.place)


class Stroke(Struct, frozen=True):
    """A line in the accent colour; closed if it ends at its start."""

    points: Outline
    is_arrow: bool = False


class Shade(Struct, frozen=True):
    """An area that is dimmed, so that what lies beside it stands out."""

    points: Outline


class Picture(Struct, frozen=True):
    """One of the game's pictures, in a box."""

    art: Art
    box: Rect


class Sign(Struct, frozen=True):
    """What is drawn about a point: a numbered disc, a short text, a cross on what is not allowed or
    a tick on what is, or the number of a level above as many layers."""

    kind: Literal["number", "note", "cross", "tick", "level"]
    at: Point
    text: str = ""


Mark = Stroke | Shade | Picture | Sign


class Figure(Struct):
    """The content of a figure, in mm from its origin."""

    size: Size | None = None
    placed: list[PlacedFace] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    caption: str = ""


class FaceIndex:
    """The faces and pictures of a game by the names that a person writes. What stands is folded."""

    def __init__(
        self, components: Sequence[Component], faces: Mapping[FaceKey, Face], pictures: Mapping[str, Art]
    ) -> None:
        self._components = components
        self._faces = faces
        self._pictures = pictures
        self._nets = {part.id: part for part in components if standing_net(part.shape)}
        self._folded: dict[tuple[str, str], Face] = {}

    def face(self, component: str, piece: str, side: Side) -> Face:
        """Find a face. Raises MisfitError if there is none."""
        face = self._find((component, piece, side))
        if face:
            return face
        ids = [component.id for component in self._components]
        if component not in ids:
            raise MisfitError(f"unknown component {quote(component)}", did_you_mean(component, ids))
        pieces = [key[1] for key in self._faces if (key[0], key[2]) == (component, side)]
        if not pieces:
            raise MisfitError(f"the {component} have no backs", "leave out back")
        raise MisfitError(f"there is no piece {quote(piece)} among the {component}", did_you_mean(piece, pieces))

    def picture(self, name: str) -> Art:
        """Find a picture. Raises MisfitError if there is none."""
        art = self._pictures.get(name) or house_icon(name)
        if art is None:
            hint = did_you_mean(name, self._pictures) if self._pictures else "name it in [art]"
            raise MisfitError(f"there is no picture {quote(name)}", hint)
        return art

    def check(self, word: str, others: Sequence[str]) -> None:
        """Raises MisfitError if a word is not a component; `others` are also allowed there."""
        ids = [component.id for component in self._components]
        if word not in ids:
            raise MisfitError(f"{quote(word)} is neither a component nor a mark", did_you_mean(word, (*ids, *others)))

    def component(self, name: str) -> Component | None:
        """The component with that id or title, in upper or lower case."""
        every = ((word, part) for part in self._components for word in (part.title, part.id))
        return {word.casefold(): part for word, part in every}.get(name.casefold())

    def first_of(self, component: Component) -> Face | None:
        """The front of a component's first piece."""
        return self._find((component.id, next((piece.id for piece in component.pieces if piece.copies), ""), "front"))

    def share_of(self, component: Component) -> float:
        """The width of a net, as a part of that of the game's widest net of the same form."""
        net = standing_net(component.shape)
        if net is None:
            return 1.0
        names = [panel.name for panel in net.panels]
        nets = filter(None, (standing_net(other.shape) for other in self._nets.values()))
        widths = [n.size.width for n in nets if [panel.name for panel in n.panels] == names]
        return net.size.width / max(widths)

    def _find(self, key: FaceKey) -> Face | None:
        component, id_, _ = key
        net, flat = self._nets.get(component), self._faces.get(key)
        if net is None or flat is None:
            return flat and flat.upright
        if (component, id_) not in self._folded:
            front, back = (self._faces.get((component, id_, side)) for side in SIDES)
            self._folded[component, id_] = stand(net, id_, front or flat, back)
        return self._folded[component, id_]

    def is_folded(self, component: str) -> bool:
        """Whether the pieces of a component stand."""
        return component in self._nets

    def hexagons_top(self) -> Top:
        """Whether the game's hexagons have an edge or a corner at the top."""
        shapes = (component.shape for component in self._components)
        outline = next((shape.outline for shape in shapes if shape.kind == "hexagon"), None)
        tops = [y for _, y in outline or () if y < 1e-6]
        return "edge" if len(tops) == 2 else "corner"


class ContentsEntry(Struct, frozen=True):
    """A line of the kit's contents: a number, a title, a remark, and the face of one piece.

    `share` is the part of its room that the picture takes: pyramids of three sizes differ."""

    number: str
    title: str
    remark: str
    face: Face | None
    share: float = 1.0


def list_kit(source: MarkdownFigure, faces: FaceIndex) -> Iterator[ContentsEntry]:
    """Read the list of a kit. Whether its numbers are right is not checked here."""
    for _, text in source.body:
        match = _ENTRY.fullmatch(text)
        number, name, remark = match.groups("") if match else ("", text, "")
        component = faces.component(name.strip())
        if component is None:
            yield ContentsEntry(number, name, remark, None)
        else:
            number = number or str(len(component.copies()))
            face, share = faces.first_of(component), faces.share_of(component)
            yield ContentsEntry(number, component.title, remark, face, share)


class _LineWords:
    def __init__(self, text: str) -> None:
        self._words = _WORD.findall(text)

    def next(self, what: str) -> str:
        if not self._words:
            raise MisfitError(f"{what} is missing at the end of the line")
        return str(self._words.pop(0))

    @property
    def first(self) -> str:
        return self._words[0] if self._words else ""

    def has(self, word: str) -> bool:
        """Take the next word if it is this one, and say whether it is."""
        if not self._words or self._words[0] != word:
            return False
        self._words.pop(0)
        return True

    def number(self, what: str) -> float:
        word = self.next(what)
        try:
            number = float(word)
        except ValueError:
            number = nan
        if isnan(number):
            raise MisfitError(f"{what} must be a number, not {quote(word)}")
        if abs(number) > _FARTHEST:
            raise MisfitError(f"{what}: {quote(word)} is too large", f"write at most {_FARTHEST:g}")
        return number

    def length(self, what: str) -> float:
        length = self.number(what)
        if length <= 0:
            raise MisfitError(f"{what} must be more than 0")
        return length

    def level(self) -> int:
        word = self.next("the level")
        if not word.isdecimal() or not 0 < int(word[:9]) <= _HIGHEST:
            raise MisfitError(f"{quote(word)} is not a level", f"write a whole number from 1 to {_HIGHEST}")
        return int(word)

    def point(self) -> Point:
        return Point(self.number("x"), self.number("y"))

    def quoted(self) -> str:
        word = self.next("the text in quotes")
        if len(word) < 3 or word[0] != '"' or word[-1] != '"':
            raise MisfitError(f"{quote(word)} is not text in quotes", 'write note "12 points" at 30 10')
        return word[1:-1]

    def rest(self) -> str:
        rest, self._words = " ".join(self._words), []
        return rest

    def end(self, words: Sequence[str] = ()) -> None:
        """Raises MisfitError if words are left. `words`: all that the line may have, in order."""
        word = self.first
        if word in words:
            raise MisfitError(f"{quote(word)} comes too late", f"the order: {', '.join(words)}")
        if word:
            raise MisfitError(f"unknown word {quote(word)}", did_you_mean(word, words))


def read_figure(source: MarkdownFigure, faces: FaceIndex, file: Place) -> Figure:
    """Read a figure. Raises PnpError with every fault, each at a line of `file`."""
    kinds = {"face": _face, "picture": _face, "row": _row, "table": _table}
    names = (*kinds, "kit")
    place = file.at_line(source.line)
    if source.kind not in kinds:
        kind = source.kind
        what = f"there is no figure {quote(kind)}" if kind else "the kind of the figure is missing"
        raise fail(place, what, did_you_mean(source.kind, names))
    if len(source.body) > _MAX_LINES:
        raise fail(place, f"the figure has {len(source.body):,} lines", f"write at most {_MAX_LINES}")
    reader = _FigureReader(faces, file)
    figure = kinds[source.kind](reader, source)
    if not reader.problems and not figure.placed and not figure.marks:
        raise fail(place, "the figure is empty", "name a piece: cards 3")
    raise_all(reader.problems)
    return figure


class _FigureReader(Struct):
    faces: FaceIndex
    _file: Place
    problems: list[Problem] = []

    def collecting(self, line: int) -> AbstractContextManager[None]:
        """Collects the problems of a line."""
        return collecting(self.problems, self._file.at_line(line))


def _face(reader: _FigureReader, source: MarkdownFigure) -> Figure:
    """One face, or a picture at its own size; the caption is its lines, or the words after its piece."""
    figure = Figure(caption=" ".join(line.text for line in source.body))
    words = _LineWords(source.head)
    with reader.collecting(source.line):
        if source.kind == "picture":
            art = reader.faces.picture(source.head)
            figure.marks.append(Picture(art, Rect(0.0, 0.0, *natural_size(art))))
            return figure
        figure.placed.append(_piece(words, reader.faces))
        if source.body:
            words.end(("back", "turn"))
        figure.caption = figure.caption or words.rest()
    return figure


def _row(reader: _FigureReader, source: MarkdownFigure) -> Figure:
    """Pieces side by side, in as many rows as keep them large enough to read."""
    placed: list[PlacedFace] = []
    for line, text in source.body:
        words = _LineWords(text)
        with reader.collecting(line):
            placed.append(_piece(words, reader.faces))
            words.end(("back", "turn"))
    return Figure(placed=list(_in_rows(placed)), caption=source.head)


def _in_rows(placed: Sequence[PlacedFace]) -> Iterator[PlacedFace]:
    boxes = [box_of(piece.outline()) for piece in placed]
    rows = ceil(steady(sum(box.width + _GAP for box in boxes) / _WIDEST_ROW))
    count = max(1, ceil(len(placed) / max(1, rows)))
    y = 0.0
    for start in range(0, len(placed), count):
        row = list(zip(placed, boxes, strict=True))[start : start + count]
        height, x = max(box.height for _, box in row), 0.0
        for piece, box in row:
            shift = translation(x - box.x0, y + (height - box.height) / 2 - box.y0)
            yield replace(piece, place=shift @ piece.place)
            x += box.width + _GAP
        y += height + _GAP


def _piece(words: _LineWords, faces: FaceIndex) -> PlacedFace:
    """A piece by its name, turned about the middle of its box."""
    component, piece = words.next("a component"), words.next("a piece")
    side: Side = "back" if words.has("back") else "front"
    face = faces.face(component, piece, side)
    turn = words.number("the turn") if words.has("turn") else 0.0
    return PlacedFace(face, turning(turn, face.trim.centre), stands=faces.is_folded(component))


_TABLE_WORDS = ("back", "at", "turn", "level", "faded")


def _table(reader: _FigureReader, source: MarkdownFigure) -> Figure:
    """Pieces at given places, and marks."""
    figure = Figure(caption=source.head)
    for line, text in source.body:
        words = _LineWords(text)
        with reader.collecting(line):
            _read_line(figure, words, reader.faces)
    return figure


def _read_line(figure: Figure, words: _LineWords, faces: FaceIndex) -> None:
    if words.has("size"):
        figure.size = Size(words.length("the width"), words.length("the height"))
        words.end()
    elif words.first in _READERS:
        mark = _READERS[words.next("a mark")](words, faces)
        level = words.level() if words.has("level") else 1
        words.end(("level",))
        figure.marks.append(_lift(mark, level))
    else:
        piece = _piece_at(words, faces)
        words.end(_TABLE_WORDS)
        figure.placed.append(piece)


def _piece_at(words: _LineWords, faces: FaceIndex) -> PlacedFace:
    faces.check(words.first, (*_READERS, "size"))
    piece = _piece(words, faces)
    if not words.has("at"):
        words.end(_TABLE_WORDS)
        raise MisfitError("the place of the piece is missing", "write cards 3 at 10 20")
    x, y = words.point()
    trim = piece.face.trim
    place = translation(x - trim.x0, y - trim.y0) @ piece.place
    if words.has("turn"):
        turn = turning(words.number("the turn"), Point(x + trim.width / 2, y + trim.height / 2))
        place = turn @ place
    level = words.level() if words.has("level") else 0
    place = translation(0.0, _rise(level)) @ place
    is_faded = words.has("faded")
    return replace(piece, place=place, is_faded=is_faded, level=0 if piece.stands else level)


def _rise(level: int) -> float:
    """How far down a level is drawn (mm): it is seen from the front, from high above."""
    return -LAYER * (max(1, level) - 1)


def _lift(mark: Mark, level: int) -> Mark:
    """Move a mark to where the pieces of a level are drawn."""
    up = _rise(level)
    match mark:
        case Stroke() | Shade():
            return replace(mark, points=carried(mark.points, translation(0.0, up)))
        case Picture():
            return replace(mark, box=mark.box.moved(0.0, up))
        case _:
            return replace(mark, at=Point(mark.at.x, mark.at.y + up))


def _hexagon(words: _LineWords, faces: FaceIndex) -> Mark:
    middle, across = words.point(), words.length("the width")
    return _around(hexagon(across, faces.hexagons_top()).outline, middle)


def _ring(words: _LineWords, _: FaceIndex) -> Mark:
    middle = words.point()
    return _around(circle(words.length("the diameter")).outline, middle)


def _box(words: _LineWords, _: FaceIndex) -> Mark:
    x, y = words.point()
    size = Size(words.length("the width"), words.length("the height"))
    return _close(carried(rectangle(size).outline, translation(x, y)))


def _arrow(words: _LineWords, _: FaceIndex) -> Mark:
    points = [words.point()]
    while words.has(","):
        points.append(words.point())
    if not words.has("to"):
        raise MisfitError("the end of the arrow is missing", "write arrow 0 0 to 10 10")
    return Stroke((*points, words.point()), is_arrow=True)


def _picture(words: _LineWords, faces: FaceIndex) -> Mark:
    art, (x, y) = faces.picture(words.next("the name of a picture")), _at(words)
    width = words.length("the width")
    across, down = width / 2, width / proportion(art) / 2
    return Picture(art, Rect(x - across, y - down, x + across, y + down))


def _around(outline: Outline, middle: Point) -> Stroke:
    centre = box_of(outline).centre
    return _close(carried(outline, translation(middle.x - centre.x, middle.y - centre.y)))


def _close(outline: Outline) -> Stroke:
    return Stroke((*outline, outline[0]))


def _at(words: _LineWords) -> Point:
    if not words.has("at"):
        raise MisfitError("'at' and a point are missing", "write number 1 at 20 20")
    return words.point()


_READERS: dict[str, Callable[[_LineWords, FaceIndex], Mark]] = {
    "area": lambda words, _: Shade(tuple(_chain(words, "an area needs three", 3))),
    "arrow": _arrow,
    "box": _box,
    "cross": lambda words, _: Sign("cross", _at(words)),
    "hexagon": _hexagon,
    "layers": lambda words, _: Sign("level", text=f"{words.level()}", at=_at(words)),
    "line": lambda words, _: Stroke(tuple(_chain(words, "a line needs two", 2))),
    "note": lambda words, _: Sign("note", text=words.quoted(), at=_at(words)),
    "number": lambda words, _: Sign("number", text=words.next("the number"), at=_at(words)),
    "picture": _picture,
    "ring": _ring,
    "tick": lambda words, _: Sign("tick", _at(words)),
}


def _chain(words: _LineWords, what: str, least: int) -> Iterator[Point]:
    """Points between commas. Raises MisfitError if they are fewer than the least."""
    yield words.point()
    count = 1
    while count < least or words.first == ",":
        if not words.has(","):
            raise MisfitError(f"{what} points or more", f"write {what.split()[1]} 0 0, 10 0, 10 10")
        yield words.point()
        count += 1
