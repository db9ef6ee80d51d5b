"""Problems of drawn faces: a single problem for all pieces with the same fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil

from msgspec import Struct

from generator.basics.errors import Problem, faces_of
from generator.model import Component, Face, FaceFault, Piece, Side

_MOST_OVERFULL = 40  # pieces named in one message: each is to be shortened
OVERFLOW = "text.overflow"  # the only fault of a face that game.toml may accept


class DrawnPiece(Struct, frozen=True):
    """One side of a piece: its face, None if it cannot be drawn at all, and its faults."""

    piece: Piece
    face: Face | None
    faults: tuple[FaceFault, ...] = ()


_Flaw = tuple[Piece, FaceFault]


def problems_of(
    component: Component,
    side: Side,
    drawn: Iterable[DrawnPiece],
    find: Callable[[Problem], object] = lambda _: None,
) -> Iterator[Problem]:
    """The faults of a side. A fault of several pieces is one Problem: of all pieces, at the line of
    the drawing, or of the component without one; of some, at the first of them; if texts are too
    long, at the piece with the longest.

    `find` returns the [[accept]] that accepts a Problem, or None. Faults that different ones accept
    are separate Problems.
    """
    groups: dict[object, list[_Flaw]] = {}
    for drawn_piece in drawn:
        for fault in drawn_piece.faults:
            key: object = str(fault)
            if fault.over:
                key = (
                    fault.place,
                    fault.part,
                    find(_overflow(component, side, [(drawn_piece.piece, fault)])),
                )
            groups.setdefault(key, []).append((drawn_piece.piece, fault))
    for flaws in groups.values():
        make = _overflow if flaws[0][1].over else _misfit
        yield make(component, side, flaws)


def _misfit(component: Component, side: Side, flaws: Sequence[_Flaw]) -> Problem:
    piece, fault = flaws[0]
    names = _names(flaws)
    subject = f"the {side}" if len(names) == 1 else faces_of(side, names, count_drawn(component))
    place, words = piece.place, str(fault)
    if 1 < len(names) == count_drawn(component):
        place, words = fault.place or component.place, fault.clause
    what = f"{subject} cannot be drawn: {words}"
    return Problem(place, what, fault.hint, faces=_faces(component, side, names))


def _overflow(component: Component, side: Side, flaws: Sequence[_Flaw]) -> Problem:
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
        faces=_faces(component, side, names),
    )


def _names(flaws: Sequence[_Flaw]) -> list[str]:
    return list(dict.fromkeys(piece.id for piece, _ in flaws))


def name_pieces(component: Component, names: Sequence[str]) -> tuple[str, ...]:
    """The pieces, or the component if these are all its pieces."""
    if len(names) == count_drawn(component):
        return (component.id,)
    return tuple(f"{component.id}/{name}" for name in names)


def count_drawn(component: Component) -> int:
    return sum(piece.is_drawn for piece in component.pieces)


def _faces(
    component: Component, side: Side, names: Sequence[str]
) -> tuple[tuple[str, str, str], ...]:
    return tuple((component.id, name, side) for name in names)
