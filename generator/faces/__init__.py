"""Faces of a Component's pieces: SVG drawings in millimetres; and the problems of drawn ones, a
single one for all pieces with the same fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from math import ceil
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from generator import model
from generator.basics.bounds import at_work_on
from generator.basics.errors import MisfitError, PnpError, Problem, did_you_mean, faces_of, quote, raise_all
from generator.basics.geometry import quarter_turns
from generator.basics.recent import remembered
from generator.basics.shapes import Shape
from generator.faces.canvas import TrimEdge
from generator.faces.template import FromTemplate as FromTemplate
from generator.faces.templating.pictures import show_face

_MOST_WITHIN = 5  # faces, each within the one before
_MOST_UNPACKED = 2000  # layers of a side: to pack one and unpack it takes a tenth of drawing it

Known = dict[tuple[object, ...], model.Face]  # by the values that a renderer reads from a row
_MOST_OVERFULL = 40  # pieces named in one message: each is to be shortened
OVERFLOW = "text.overflow"  # the only fault of a face that game.toml may accept


def draw(design: model.Design, side: model.Side) -> list[tuple[model.Piece, model.Face]]:
    """Draw the face of every piece on one side; pieces share one if the renderer reads equal values from their rows.

    Raises PnpError with every fault, as `problems_of` says them.
    """
    drawn = list(draw_each(design, side, {}))
    raise_all(problems_of(design.component, side, drawn))
    return [(drawn_piece.piece, drawn_piece.face) for drawn_piece in drawn if drawn_piece.face]


def find_costs(design: model.Design) -> Iterator[Problem]:
    """Notes on the pieces for whose sake the texts of all are small."""
    for side in model.SIDES:
        renderer = design.renderer(side)
        if isinstance(renderer, FromTemplate):
            renderer = renderer.beside(None, design.component.pieces)
            yield from renderer.find_costs(design.component, side)


def draw_each(design: model.Design, side: model.Side, known: Known) -> Iterator[DrawnPiece]:
    """Draw the faces of one side one by one, each with its faults.

    Faces in `known` are not drawn again; new ones are added to it.
    """
    component, renderer = design.component, design.renderer(side)
    if renderer is None:
        return
    if isinstance(renderer, FromTemplate):
        other = design.renderer("back" if side == "front" else "front")
        renderer = renderer.beside(other, design.rows or component.pieces)
    drawer = _SideDrawer(renderer, component, side)
    layers: dict[str, model.Layer] = {}
    for piece in (piece for piece in drawer.view.pieces if piece.is_drawn):
        values = drawer.read(piece)
        if values in known:
            yield DrawnPiece(piece, known[values])
            continue
        at_work_on(f"the {side} of {component.id} {piece.id}")
        placed_layers, turn, faults = drawer.draw(piece)
        placed_layers = [
            model.PlacedLayer(layers.get(layer.id) or _keep(layer, layers), at, motion, clip)
            for layer, at, motion, clip in placed_layers
        ]
        name, view = f"{component.id} {piece.id} {side}", drawer.view.of(piece)
        looks = view.bleed_size, view.outline, view.corner_radius
        face = model.Face.of(placed_layers, name, *looks, turn, view.holes)
        if not faults:
            known[values] = face
        yield DrawnPiece(piece, face if placed_layers or not faults else None, faults)


class OtherFaces:
    """The faces of a game's pieces as pictures, drawn for the templates that show them."""

    def __init__(self, designs: Sequence[model.Design]) -> None:
        self._faces = {
            f"{design.component.id}/{piece.id}" + "#back" * (side == "back"): (design, piece, side)
            for design in designs
            for side in model.SIDES
            if design.renderer(side)
            for piece in design.component.pieces
            if piece.is_drawn
        }
        self._kept: dict[str, model.Art | MisfitError] = {}
        self._drawn: list[str] = []  # those at work, each for the one before

    @cached_property
    def digest(self) -> str:
        """A digest of all rows."""
        rows = [(name, piece.row) for name, (_, piece, _) in self._faces.items()]
        return blake2b(repr(rows).encode(), digest_size=16).hexdigest()

    def show(self, name: str) -> model.Art:
        """The face of a name such as "cards/hut", or "cards/hut#back". Raises MisfitError if there
        is none, if it shows itself, or if it has a fault."""
        if name not in self._faces:
            raise MisfitError(f"there is no face {quote(name)}", did_you_mean(name, self._faces))
        if name in self._drawn or len(self._drawn) >= _MOST_WITHIN:
            chain = " → ".join((*self._drawn, name))
            what = f"faces show each other, or more than {_MOST_WITHIN} are in each other: {chain}"
            raise MisfitError(what, "draw one of them without the other")
        if name not in self._kept:
            self._drawn.append(name)
            try:
                self._kept[name] = self._draw(name)
            except MisfitError as error:
                self._kept[name] = error
            finally:
                self._drawn.pop()
        kept = self._kept[name]
        if isinstance(kept, MisfitError):
            raise MisfitError(str(kept), kept.hint)
        return kept

    def _draw(self, name: str) -> model.Art:
        """Raises MisfitError for a fault, unless it is a text that is too long, which the spec may accept."""
        design, piece, side = self._faces[name]
        only = replace(design, component=replace(design.component, pieces=(piece,)))
        drawn = next(draw_each(only, side, {}))
        fault = next((fault for fault in drawn.faults if not fault.over), None)
        if fault or drawn.face is None:
            what = f"{name} cannot be shown: {fault.what if fault else 'it is empty'}"
            raise MisfitError(what, fault.hint if fault else "")
        return show_face(drawn.face)


class _SideDrawer:
    """Draws one side of a component's pieces, each face as it lies on its piece."""

    def __init__(self, renderer: model.Renderer, component: model.Component, side: model.Side) -> None:
        self.view = component if side == "front" else component.from_behind()
        self._renderer, self._side = renderer, side
        decks = renderer.deck_sizes.values() if isinstance(renderer, FromTemplate) else ()
        self._sizes = [str(smallest) for ((smallest, _), *_) in decks]
        column = component.turns.get(side)
        self._own = (column,) if isinstance(column, str) else ()
        self._columns = [column.name for column in renderer.columns()]

    def read(self, piece: model.Piece) -> tuple[Shape | model.Value | None, ...]:
        """The shape and the cells on which the face of a piece depends."""
        renderer = self._renderer
        filled = renderer if isinstance(renderer, FromTemplate) else None
        names = filled.reads(piece) if filled else self._columns
        sources = filled.sources(piece) if filled else ()
        values = (piece.row[name] for name in (*names, *self._own))
        return piece.shape, *self._sizes, *values, *sources

    def draw(self, piece: model.Piece) -> tuple[Sequence[model.PlacedLayer], model.Turn, tuple[model.FaceFault, ...]]:
        """What can be drawn of a face, how it lies on the piece, and its faults."""
        turn: model.Turn = 0
        try:
            turn = turn_of(self._renderer, piece, self.view.of(piece), self._side)
            return self._draw(piece, turn), turn, ()
        except model.FlawedFaceError as error:
            return self._lay(error.layers, piece, turn), turn, error.faults
        except MisfitError as error:
            return (), turn, (model.FaceFault(str(error), error.hint),)

    def _draw(self, piece: model.Piece, turn: model.Turn) -> Sequence[model.PlacedLayer]:
        """The face is drawn on the piece as it is held to read it, and turned with that."""
        edge = self._edge(piece.shape, turn)
        return self._lay(edge.draw(self._renderer, piece), piece, turn)

    @remembered
    def _edge(self, own_shape: Shape | None, turn: model.Turn) -> TrimEdge:
        part = replace(self.view, shape=own_shape) if own_shape else self.view
        return TrimEdge(part.unturned(turn), self.view.edges.get(self._side, model.DRAWN))

    def _lay(
        self, layers: Sequence[model.PlacedLayer], piece: model.Piece, turn: model.Turn
    ) -> Sequence[model.PlacedLayer]:
        """The layers of an upright face as they lie on the piece."""
        if not turn:
            return layers
        by = quarter_turns(self.view.of(piece).unturned(turn).bleed_size, turn)
        return [placed.carried(by) for placed in layers]


def turn_of(renderer: model.Renderer, piece: model.Piece, component: model.Component, side: model.Side) -> model.Turn:
    """How the face of a piece lies on it; `component` is as seen from its side. Raises MisfitError
    if the cell that says it is not a turn, or for a piece that is folded."""
    turn = component.turns.get(side)
    if isinstance(turn, str):
        turn = _read_turn(piece.row[turn])
    if turn is None:
        turn = renderer.turn(piece, component) if isinstance(renderer, FromTemplate) else 0
    if turn and component.shape.creases:
        raise MisfitError("a folded piece cannot be turned", "leave out its turn")
    return turn


def _read_turn(cell: model.Value) -> model.Turn | None:
    """The turn in a cell; None if it is empty."""
    turns: dict[str, model.Turn | None] = {"": None, **{str(turn): turn for turn in get_args(model.Turn)}}
    word = str(cell).strip()
    if word not in turns:
        raise MisfitError(f"{quote(word)} is not a turn", "0, 90, 180 or 270 degrees clockwise")
    return turns[word]


def _keep(layer: model.Layer, layers: dict[str, model.Layer]) -> model.Layer:
    """Add a layer to those of a side; beyond many, it is packed."""
    kept = layers[layer.id] = layer if len(layers) < _MOST_UNPACKED else layer.packed()
    return kept


class DrawnPiece(Struct, frozen=True):
    """One side of a piece: its face, None if it cannot be drawn at all, and its faults."""

    piece: model.Piece
    face: model.Face | None
    faults: tuple[model.FaceFault, ...] = ()


_Flaw = tuple[model.Piece, model.FaceFault]


def problems_of(
    component: model.Component,
    side: model.Side,
    drawn: Iterable[DrawnPiece],
    find: Callable[[Problem], object] = lambda _: None,
) -> Iterator[Problem]:
    """The faults of a side. A fault of several pieces is one Problem: of all pieces, at the line of the drawing, or of
    the component without one; of some, at the first of them; if texts are too long, at the piece with the longest.

    `find` returns the [[accept]] that accepts a Problem, or None. Faults that different ones accept
    are separate Problems.
    """
    groups: dict[object, list[_Flaw]] = {}
    for drawn_piece in drawn:
        for fault in drawn_piece.faults:
            key: object = str(fault)
            if fault.over:
                problem = _overflow(component, side, [(drawn_piece.piece, fault)])
                key = fault.place, fault.part, find(problem)
            groups.setdefault(key, []).append((drawn_piece.piece, fault))
    for flaws in groups.values():
        make = _overflow if flaws[0][1].over else _misfit
        yield make(component, side, flaws)


def _misfit(component: model.Component, side: model.Side, flaws: Sequence[_Flaw]) -> Problem:
    piece, fault = flaws[0]
    names = _names(flaws)
    subject = f"the {side}" if len(names) == 1 else faces_of(side, names, count_drawn(component))
    place, words = piece.place, str(fault)
    if 1 < len(names) == count_drawn(component):
        place, words = fault.place or component.place, fault.clause
    return Problem(place, f"{subject} cannot be drawn: {words}", fault.hint, faces=_name_faces(component, side, names))


def _overflow(component: model.Component, side: model.Side, flaws: Sequence[_Flaw]) -> Problem:
    worst, fault = max(flaws, key=lambda flaw: flaw[1].over)
    names = _names(flaws)
    subject = faces_of(side, names, count_drawn(component), _MOST_OVERFULL)
    most = f", most of all on {worst.id}" if len(names) > 1 else ""
    return Problem(
        worst.place,
        f"a text on {subject} is too long{most}: {fault}",
        fault.hint,
        rule=OVERFLOW,
        on=name_pieces(component, names),
        found=f"at most {ceil(fault.over * 10) / 10:.1f} mm too long",
        faces=_name_faces(component, side, names),
    )


def _names(flaws: Sequence[_Flaw]) -> list[str]:
    return list(dict.fromkeys(piece.id for piece, _ in flaws))


def name_pieces(component: model.Component, names: Sequence[str]) -> tuple[str, ...]:
    """The pieces, or the component if these are all its pieces."""
    if len(names) == count_drawn(component):
        return (component.id,)
    return tuple(f"{component.id}/{name}" for name in names)


def count_drawn(component: model.Component) -> int:
    return sum(piece.is_drawn for piece in component.pieces)


def _name_faces(component: model.Component, side: model.Side, names: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    return tuple((component.id, name, side) for name in names)
