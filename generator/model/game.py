"""A game as its folder describes it, and the code that it names beside its data: renderers and checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, Self

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import Level, MisfitError, Place, Problem
from generator.basics.geometry import Point, Rect, Size, quarter_turns, translation
from generator.basics.papers import Paper
from generator.basics.phrases import Phrases, read_phrases
from generator.basics.shapes import Outline, Shape, carried, rectangle
from generator.model.face import HALF_TURN, LackingWords, PlacedLayer, Side, Turn

Value = str | int

# neighbours touch; a gutter between them holds both bleeds; the layout chooses
Cuts = Literal["shared", "double", "squares", "auto"]
# the edges of panels of a larger piece meet, or each lies on a strip of the one before
Joint = Literal["butt", "overlap"]

DRAWN, MIRROR = "drawn", "mirror"
_UNSIZED = Size(0.0, 0.0)
LEAFLETS = COVER, RULEBOOK = "cover", "rules"  # the parts of a kit to read


class TranslatedCell(Struct, frozen=True):
    """A filled cell of a column with translations ("name.de"): for each language, whether its cell is filled too."""

    place: Place
    languages: Mapping[str, bool]


class Piece(Struct, frozen=True):
    """One row of a table: a physical piece, `copies` times.

    copy_of: the id of the first copy, for a further one whose face shows its number. shape: its
    own, if the pieces of its component differ. size: of the box around the cut piece, of a physical
    one (`Component.copies`). fills: it takes the places that stay free on sheets, and has no
    copies besides. meets: the names in `only` of a request whose condition holds for its row.
    """

    id: str
    row: Mapping[str, Value]
    copies: int
    place: Place
    texts: tuple[TranslatedCell, ...] = ()
    copy_of: str = ""
    shape: Shape | None = None
    size: Size = _UNSIZED
    fills: bool = False
    meets: frozenset[str] = frozenset()

    @property
    def is_drawn(self) -> bool:
        """Whether it may be printed."""
        return self.copies > 0 or self.fills

    def number(self, column: str) -> int:
        """The value of a column that a renderer or check declares as a whole number."""
        value = self.row[column]
        assert isinstance(value, int), f"{column} was not declared as a number"
        return value


class Merged(Struct, frozen=True):
    """The changes of an expansion to a component: copies before, added and removed, and the number
    of rows that it replaces."""

    base: int
    added: int
    removed: int
    replaced: int

    def __str__(self) -> str:
        total = self.base + self.added - self.removed
        rows = f", {self.replaced} of the rows replaced" if self.replaced else ""
        return f"base {self.base} + {self.added} - {self.removed} = {total} pieces{rows}"


class Art(Struct, frozen=True):
    """A designer's picture, proven harmless: SVG, PNG or JPEG as a data URI.

    `file` is its path within the game's folder; empty for built-in pictures. A drawing with texts
    has a `part`, the <svg> that shows it within another drawing; `lacking` is of these texts.
    """

    name: str
    uri: str
    file: str = ""
    part: str = ""
    lacking: tuple[LackingWords, ...] = ()


class Component(Struct, frozen=True):
    """All pieces of one pair of faces. They have its shape, or each row has its own.

    Shapes are as seen from the front; `from_behind` turns them over. The shape of a component whose
    rows differ is the largest of theirs; `of` has that of one piece, and `alike` divides it.
    """

    id: str
    title: str
    shape: Shape
    corner_radius: float  # of a rectangle
    bleed: float
    back_bleed: float
    safe: float  # distance from the cut at which an inexact cut removes nothing
    cuts: Cuts
    columns: Mapping[Side, tuple[str, ...]]  # read to draw each printed side
    pieces: tuple[Piece, ...]
    place: Place
    merged: Merged | None = None  # None without an expansion
    # the face past the trim: DRAWN by the renderer (the default), MIRROR, or a colour
    edges: Mapping[Side, str] = field(default_factory=dict)
    least_bleed: float | None = None
    # how the faces of a side lie on the piece: for all, or in the cells of a column; a template of
    # the turned piece's size may say so instead
    turns: Mapping[Side, Turn | str] = field(default_factory=dict)
    # of its panels where it fits no sheet; None: it is not to be divided. "auto" joins them edge to
    # edge, but divides no decks of cards
    tile: Joint | Literal["auto"] | None = "auto"
    # the places of options of a side ("back.line") and of art ("art.star")
    places: Mapping[str, Place] = field(default_factory=dict)
    paper: Paper | None = None  # None for the usual one
    glue: str = ""  # the word on bare tabs

    def copies(self) -> list[Piece]:
        """The physical pieces, with their size: each row as often as its count says."""
        sized = (replace(piece, size=(piece.shape or self.shape).size) for piece in self.pieces)
        return [piece for piece in sized for _ in range(piece.copies)]

    def of(self, piece: Piece) -> Component:
        """The component in the shape of one of its pieces."""
        return self if piece.shape is None else replace(self, shape=piece.shape)

    def name_piece(self, id_: str) -> str:
        """What people call the piece with that id: "Cards blue whale"; "Box" if it is the component's own id."""
        return self.title if id_ == self.id else f"{self.title} {id_.replace('-', ' ')}"

    def shape_of(self, id_: str) -> Shape:
        """The shape of the piece with that id."""
        return next((piece.shape for piece in self.pieces if piece.id == id_), None) or self.shape

    def alike(self) -> list[Component]:
        """The component itself, or its parts of one shape each, in the order of their rows."""
        if not any(piece.shape for piece in self.pieces):
            return [self]
        parts: dict[Shape, list[Piece]] = {}
        for piece in self.pieces:
            parts.setdefault(piece.shape or self.shape, []).append(piece)
        if len(parts) == 1:
            return [replace(self, shape=next(iter(parts)))]
        are_many = len(parts) < len(self.pieces)  # else their ids tell them apart
        sizes = (f" {shape.size.width:.4g} × {shape.size.height:.4g} mm" if are_many else "" for shape in parts)
        return [
            replace(self, title=self.title + size, shape=shape, pieces=tuple(pieces))
            for size, (shape, pieces) in zip(sizes, parts.items(), strict=True)
        ]

    def with_joined_copies(self) -> Component:
        """The component with one piece for each row, also where the faces of copies differ."""
        more = Counter(piece.copy_of for piece in self.pieces if piece.copy_of)
        rows = (piece for piece in self.pieces if not piece.copy_of)
        joined = (replace(piece, copies=piece.copies + more[piece.id]) for piece in rows)
        return replace(self, pieces=tuple(joined)) if more else self

    def find_place(self, key: str) -> Place:
        """The place of an option or an art; if it is left out, the place of its table."""
        while key and key not in self.places:
            key = key.rpartition(".")[0]
        return self.places.get(key, self.place)

    @property
    def has_back(self) -> bool:
        """Whether its backs are printed."""
        return "back" in self.columns

    @property
    def is_plain_edged(self) -> bool:
        """Whether all edges of a side are of one colour, so that neighbours may share a bleed."""
        return all(self.edges.get(side, DRAWN) not in (DRAWN, MIRROR) for side in self.columns)

    def from_behind(self) -> Component:
        """The component turned over: mirrored outlines, and the bleed of the back."""
        pieces = self.pieces
        if any(piece.shape for piece in pieces):
            pieces = tuple(replace(piece, shape=piece.shape and piece.shape.mirrored()) for piece in pieces)
        return replace(self, shape=self.shape.mirrored(), bleed=self.back_bleed, pieces=pieces)

    def unturned(self, turn: Turn) -> Component:
        """The same pieces, turned so that their faces are upright."""
        if not turn:
            return self
        shape, by = self.shape, quarter_turns(self.shape.size, -turn)
        holes = tuple(carried(hole, by) for hole in shape.holes)
        if shape.kind == "rectangle":
            size = shape.size if turn == HALF_TURN else shape.size.turned()
            return replace(self, shape=Shape(shape.kind, rectangle(size).outline, holes))
        return replace(self, shape=Shape(shape.kind, carried(shape.outline, by), holes))

    @property
    def size(self) -> Size:
        """The size of the box around a cut piece."""
        return self.shape.size

    @property
    def bleed_size(self) -> Size:
        """The size of the bleed box, on which a face is drawn."""
        return Size(self.size.width + 2 * self.bleed, self.size.height + 2 * self.bleed)

    @property
    def trim(self) -> Rect:
        """The box around the cut piece in face coordinates."""
        width, height = self.size
        return Rect(self.bleed, self.bleed, self.bleed + width, self.bleed + height)

    @property
    def outline(self) -> Outline:
        """The cut piece in face coordinates."""
        return carried(self.shape.outline, translation(self.bleed, self.bleed))

    @property
    def holes(self) -> tuple[Outline, ...]:
        """The holes in face coordinates."""
        inset = translation(self.bleed, self.bleed)
        return tuple(carried(hole, inset) for hole in self.shape.holes)


def divided(components: Iterable[Component]) -> Iterator[Component]:
    """Components of one shape each."""
    for component in components:
        yield from component.alike()


Composition = Literal["large", "fan", "row", "wall", "table"]


class Poster(Struct, frozen=True):
    """The picture on the cover sheet and on the title page of the rules.

    composition: None for the usual one of the game's first pieces.
    pieces, front: as a figure of the rules names them; the one in front is large.
    front_at: the middle of that piece, in parts of the picture's width and height.
    rows, art: squares of art, each row a text of letters that name them.
    overlap: of a piece, by the next; None for the usual one.
    fills: whether the pieces fill the picture and are cut at its edges.
    """

    place: Place
    composition: Composition | None = None
    pieces: tuple[str, ...] = ()
    front: str = ""
    front_at: tuple[float, float] = (0.5, 0.5)
    rows: tuple[str, ...] = ()
    art: Mapping[str, Art] = field(default_factory=dict)
    overlap: float | None = None
    fills: bool = False


class Booklet(Struct, frozen=True):
    """The text of a rule booklet, as written, and its design."""

    place: Place  # its file
    text: str
    title_font: str  # families
    text_font: str
    fallback: tuple[str, ...]  # for characters that these lack
    size: float  # mm
    accent: str
    icons: Mapping[str, Art]  # pictures among words
    palette: Mapping[str, str]
    has_cover: bool  # a sheet that lists the kit's contents and the steps to make it
    poster: Poster
    links: Literal["text", "qr"] = "text"  # what paper shows of a link


class Accept(Struct, frozen=True):
    """A finding that may stay, and the reason.

    finding: its kind.
    on: the components ("cards") and pieces ("cards/3") that it is about; empty for the whole game.
    found: its figures.
    level: the most serious level that may stay.
    is_due: whether to report the Accept itself if no finding needs it.
    whole: the same as `on`, but with the components all of whose pieces it lists.
    """

    finding: str
    on: tuple[str, ...]
    found: str
    reason: str
    level: Level
    place: Place
    is_due: bool = True
    whole: tuple[str, ...] = ()


class LowInk(Struct, frozen=True):
    """That a game prints with little ink, and the colours ("#rrggbb") and pictures (data URIs) that
    its [ink.low] sets: these print as they are."""

    colours: frozenset[str] = frozenset()
    pictures: frozenset[str] = frozenset()


class Game(Struct, frozen=True):
    """A game as its folder describes it.

    `name` includes the variant ("talavera-balanced") and the language. `language` is "" for the game in its original
    language; the language of its `phrases` is known always. `players`, `time` and `age` are words, "" if its spec gives
    none. `scores` are the lines of a score pad. `tables` has what other rooms read from their tables of its spec, by
    their names ("play", "scene"); such a room gives it a type.
    """

    name: str
    title: str
    designer: str
    about: str
    components: tuple[Component, ...]
    font_folders: tuple[Path, ...]
    booklet: Booklet | None = None
    palette: Mapping[str, str] = field(default_factory=dict)
    accepts: tuple[Accept, ...] = ()
    language: str = ""
    title_languages: tuple[str, ...] = ()  # and of the rules
    low_ink: LowInk | None = None  # None: it prints with its usual ink
    tables: Mapping[str, object] = field(default_factory=dict)
    players: str = ""
    time: str = ""
    age: str = ""
    scores: tuple[str, ...] = ()
    phrases: Phrases = field(default_factory=read_phrases)

    @property
    def terms(self) -> list[str]:
        """For how many it is, how long it takes, for whom: what its spec says of these."""
        return [words for words in (self.players, self.time, self.age) if words]

    @property
    def languages(self) -> list[str]:
        """The languages of titles, rules and columns of tables."""
        pieces = (piece for component in self.components for piece in component.pieces)
        texts = (text for piece in pieces for text in piece.texts)
        own = {language for text in texts for language in text.languages}
        return sorted({*self.title_languages, *own})


class Column(Struct, frozen=True):
    """A column that a renderer or a check reads: whole numbers from low to high, or text."""

    name: str
    low: int | None = None
    high: int | None = None
    reader: Place | None = None  # the place in a template; None for Python code


class Feature(Struct, frozen=True):
    """A part of a face that people recognise, as the renderer draws it.

    part: its role on the face: "ground", "number", "tile".
    value: a text, a number, a colour "#rrggbb", or the name of art.
    option: the renderer's option that sets it, with the key of a table: "grounds.red".
    at: its middle in mm from the top left of the cut piece's box, if checks need it.
    art: the picture, if it is one.
    """

    part: str
    value: str
    option: str = ""
    at: Point | None = None
    art: Art | None = None

    @classmethod
    def of(cls, part: str, art: Art, option: str, at: Point | None = None) -> Self:
        """A feature that is a picture."""
        return cls(part, art.name, option, at, art)


class FaceFault(Struct, frozen=True):
    """A fault of a face: the fault in one clause, and a hint.

    over: the mm by which a text is too long; 0 for any other fault.
    part: the part of a drawing that is at fault: "<text> {{ rules }}".
    place: the line of that drawing; None for Python code.
    """

    what: str
    hint: str = ""
    over: float = 0.0
    part: str = ""
    place: Place | None = None

    @property
    def clause(self) -> str:
        """The fault with its part, without its place."""
        return f"{self.part}: {self.what}" if self.part else self.what

    def __str__(self) -> str:
        return f"{self.place}: {self.clause}" if self.place else self.clause


class FlawedFaceError(MisfitError):
    """A face with faults, and what can be drawn of it in spite of them, which may be nothing."""

    def __init__(self, faults: Sequence[FaceFault], layers: Sequence[PlacedLayer]) -> None:
        super().__init__(faults[0].what, faults[0].hint)
        self.faults = tuple(faults)
        self.layers = tuple(layers)


class Renderer(Protocol):
    """Draws one side of a piece as SVG; its fields are the options the spec may set."""

    def columns(self) -> Sequence[Column]:
        """The columns that it reads, and their allowed values."""
        ...

    def draw(self, piece: Piece, component: Component) -> Sequence[PlacedLayer]:
        """The face as a stack of drawings on its bleed box, the lowest first.

        It depends on the columns above and on nothing else of the piece: pieces with equal values
        in them share a face. Put a drawing that faces share into a separate layer, which is typeset
        once. Raises MisfitError if the face cannot be drawn, FlawedFaceError if a part of it can.
        """
        ...

    def features(self, piece: Piece, component: Component) -> Iterable[Feature]:
        """The parts that `draw` draws, for checks. Raises MisfitError if one cannot be drawn."""
        ...


class Check(Protocol):
    """Finds faults of a component. It has one or more of the methods in `generator.checks`: `check`
    for its pieces, `check_faces` for the features of their faces, `check_booklet` for the rulebook.
    """

    def columns(self) -> Sequence[Column]:
        """The columns that it reads, and their allowed values."""
        ...


class PlacedCheck(Struct, frozen=True):
    """A check, and its place in the spec."""

    check: Check
    place: Place


class Design(Struct, frozen=True):
    """A component with the code that its spec names: the renderers of its sides and its checks.

    A component without a `back` has blank backs.
    """

    component: Component
    front: Renderer
    back: Renderer | None = None
    checks: tuple[PlacedCheck, ...] = ()
    rows: tuple[Piece, ...] = ()  # all pieces of the component, if it has only some of them

    def renderer(self, side: Side) -> Renderer | None:
        """The renderer of a side; None for a blank back."""
        return self.front if side == "front" else self.back


class LoadedGame(Struct, frozen=True):
    """A game, which is plain data, and the designs of its components in the same order.

    `find` makes the warnings and notes of its reader so far: some pictures are read when faces are drawn.
    """

    game: Game
    designs: tuple[Design, ...]
    find: Callable[[], Iterable[Problem]] = tuple

    @property
    def findings(self) -> tuple[Problem, ...]:
        """The warnings and notes of its reader so far."""
        return tuple(self.find())

    def design(self, component: str) -> Design:
        """The design of the component with this id. Raises KeyError if there is none."""
        return {design.component.id: design for design in self.designs}[component]
