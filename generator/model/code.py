"""The code that a game names beside its data: what draws its pieces, and what checks them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

from generator.errors import Problem
from generator.geometry import Point
from generator.model.face import Side, Stamp
from generator.model.game import Art, Component, Game, Piece
from generator.place import Place


@dataclass(frozen=True, slots=True)
class Column:
    """A column that a renderer or a rule reads: whole numbers from low to high, or text."""

    name: str
    low: int | None = None
    high: int | None = None
    asked: Place | None = None  # where a template reads it; None for what Python reads


@dataclass(frozen=True, slots=True)
class Feature:
    """What a person makes out on a face, as its renderer is told to draw it.

    part: what it is on the face: "ground", "number", "tile".
    value: a text, a number, a colour "#rrggbb", the name of art.
    option: the key of the renderer that decides it, down to the line of a table: "grounds.red".
    at: its middle from the top left of the cut piece's box, mm, where the rules may ask for it.
    art: the picture, where it is one.
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


class Renderer(Protocol):
    """Draws one side of a piece as SVG; its fields are the options the spec may set."""

    def columns(self) -> Sequence[Column]:
        """The columns that it reads, and what they may hold."""
        ...

    def draw(self, piece: Piece, component: Component) -> Sequence[Stamp]:
        """The face as drawings laid one upon another on its bleed box, the lowest first.

        It depends on the columns above and nothing else of the piece: pieces alike in them share
        a face. What faces share is best a layer of its own: it is typeset once.
        Raises MisfitError for what cannot be drawn.
        """
        ...

    def features(self, piece: Piece, component: Component) -> Iterable[Feature]:
        """What `draw` draws, as rules look at it. Raises MisfitError for what cannot be drawn."""
        ...


class Check(Protocol):
    """Says what is wrong with a component. It has one or more of the methods of `generator.checks`:
    `check` of its pieces, `check_faces` of what they show, `check_booklet` of the rulebook."""

    def columns(self) -> Sequence[Column]:
        """The columns that it reads, and what they may hold."""
        ...


class PlacedCheck(NamedTuple):
    """A check, and where the spec asks for it."""

    check: Check
    place: Place


@dataclass(frozen=True, slots=True)
class Design:
    """A component, and the code that its spec names for it: what draws each side, what checks it.

    A component without a `back` has blank backs.
    """

    component: Component
    front: Renderer
    back: Renderer | None = None
    checks: tuple[PlacedCheck, ...] = ()

    def renderer(self, side: Side) -> Renderer | None:
        """What draws a side; None for a blank back."""
        return self.front if side == "front" else self.back


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A game, which is plain data, and the designs of its components in the same order.

    findings: what its reader found that is no error.
    """

    game: Game
    designs: tuple[Design, ...]
    findings: tuple[Problem, ...] = ()

    def design(self, component: str) -> Design:
        """That of the component with this id. Raises KeyError: there is none."""
        return {design.component.id: design for design in self.designs}[component]
