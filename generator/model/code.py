"""The code that a game names beside its data: renderers and checks."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, Self

from msgspec import Struct

from generator.basics.errors import MisfitError, Place, Problem
from generator.basics.geometry import Point
from generator.model.face import PlacedLayer, Side
from generator.model.game import Art, Component, Game, Piece


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

    `find` makes the warnings and notes of its reader so far: some pictures are read when faces are
    drawn.
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
