"""The pieces of a game as they are put on a table: what never changes while people play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from generator.basics.errors import fail
from generator.basics.geometry import Point, Size, translation
from generator.basics.outlines import Kind, Outline, box_of, carried
from generator.basics.place import Place
from generator.export.lying import LyingSet, lying_sets
from generator.export.pieces import PrintedPiece
from generator.model import Component, Face, FaceKey, Game

MOST_PIECES = 5000
_MOST_KINDS = 40  # that begin on stacks of their own
_HEXAGON_ACROSS = 30.0  # mm, of the hexagons to snap to, if the game has none
_TURNS: Mapping[Kind, int] = {"hexagon": 60, "trihex": 60}
_TURN = 90


class SuppliedPiece(Struct, frozen=True):
    """A piece of a set, and the ids of its faces; `back` is None if it is blank."""

    set: int
    id: str
    name: str
    copies: int
    front: str
    back: str | None


class SuppliedSet(Struct, frozen=True):
    """The pieces of a component. Lengths are in mm.

    front, back: the outline of each side, in the box of the cut piece. turn: degrees of a step.
    anchor: the point that snaps to the middle of a hexagon, from the middle of an upright piece.
    is_hiding: whether its pieces begin with their backs up. is_apart: whether unlike pieces begin
    on stacks of their own, because none of them has a back.
    """

    id: str
    title: str
    size: Size
    front: Outline
    back: Outline
    turn: int
    anchor: Point
    is_folded: bool
    is_board: bool
    is_hiding: bool
    is_apart: bool


@dataclass(frozen=True)
class Supply:
    """All pieces of a game with their faces, and the pages of its rules.

    `across` is the width of the hexagons to snap to in mm, from side to side; `is_pointed`, whether
    they have a corner at the top.
    """

    name: str
    title: str
    sets: Sequence[SuppliedSet]
    pieces: Sequence[SuppliedPiece]
    across: float
    is_pointed: bool
    faces: Sequence[Face] = field(repr=False)
    rules: Sequence[Face] = field(default=(), repr=False)
    font_folders: tuple[str, ...] = ()

    def set_of(self, piece: int) -> SuppliedSet:
        return self.sets[self.pieces[piece].set]


def make_supply(game: Game, faces: Mapping[FaceKey, Face], rules: Sequence[Face] = ()) -> Supply:
    """The pieces of a game with these faces, and the pages of its rules. Raises PnpError if there
    are no pieces, or too many."""
    lying = list(lying_sets(game.components, faces))
    _check_number(game, sum(one.copies for one in lying))
    pieces = [
        _piece(number, one, printed) for number, one in enumerate(lying) for printed in one.printed
    ]
    across, is_pointed = _hexagons(one.component for one in lying)
    shown = {face.id: face for one in lying for face in one.faces.values()}
    return Supply(
        game.name,
        game.title,
        [_set(one) for one in lying],
        pieces,
        across,
        is_pointed,
        list(shown.values()),
        rules,
        tuple(map(str, game.font_folders)),
    )


def _check_number(game: Game, number: int) -> None:
    if not number:
        raise fail(Place(game.name), "it has no pieces to put on a table", "give it a component")
    if number > MOST_PIECES:
        what = f"it has {number:,} pieces, and a table holds {MOST_PIECES:,}"
        raise fail(Place(game.name), what, "lower the counts of its pieces")


def _piece(number: int, lying: LyingSet, one: PrintedPiece) -> SuppliedPiece:
    front = lying.faces[lying.component.id, one.piece.id, "front"].id
    name = f"{lying.component.title} {one.piece.id}"
    return SuppliedPiece(number, one.piece.id, name, one.piece.copies, front, one.back)


def _set(lying: LyingSet) -> SuppliedSet:
    component, kind = lying.component, lying.component.shape.kind
    faces = lying.faces.values()
    front = next(face for key, face in lying.faces.items() if key[2] == "front")
    return SuppliedSet(
        component.id,
        component.title,
        lying.size,
        _cut(front),
        _cut(next((face for face in faces if face.id == lying.printed[0].back), None) or front),
        _TURNS.get(kind, _TURN),
        _anchor(component),
        lying.is_folded,
        lying.is_board,
        lying.is_secret,
        not component.has_back and len(lying.printed) <= _MOST_KINDS,
    )


def _cut(face: Face) -> Outline:
    """The outline of a face in the box of the cut piece."""
    box = box_of(face.outline)
    return carried(face.cut, translation(-box.x0, -box.y0))


def _anchor(component: Component) -> Point:
    """Three hexagons snap by the one at the top, all other pieces by their middle."""
    if component.shape.kind != "trihex":
        return Point(0.0, 0.0)
    radius = component.size.height / 3.5  # of each hexagon: the box is 3.5 of them high
    return Point(0.0, radius - component.size.height / 2)


def _hexagons(components: Iterable[Component]) -> tuple[float, bool]:
    """The hexagons of the game's first such pieces: their width, and whether they are pointed."""
    for component in components:
        width, height = component.size
        if component.shape.kind == "trihex":
            return width / 2, True
        if component.shape.kind == "hexagon":
            return min(width, height), height > width
    return _HEXAGON_ACROSS, True
