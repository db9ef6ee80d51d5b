"""Pieces of a kit, laid out on a table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from generator.basics.geometry import Point, Rect
from generator.basics.place import Place
from generator.model.face import Side

# side by side; on each other; as held in a hand; on a lattice of hexagons; here and there
Arrangement = Literal["row", "stack", "fan", "cells", "scatter"]


class LatticeCell(Struct, frozen=True):
    """A hexagon of a lattice: its column, its row (each half a hexagon further right), and the
    sixths of a turn of the piece on it."""

    column: int
    row: int
    turns: int = 0


class SceneGroup(Struct, frozen=True):
    """Pieces that are laid out together.

    pieces: component and id of each; ("rules", "3") is page 3 of the rules.
    at:     where the middle of the first piece is, in mm; of a fan, the middle of all.
    turn:   degrees clockwise, of the pieces and of their arrangement.
    gap:    mm between the pieces of a row, and about that of a scatter.
    step:   degrees between neighbours in a fan.
    lift:   mm above what is below.
    thickness: mm of one piece.
    lies:   whether folded pieces lie on their back.
    """

    pieces: tuple[tuple[str, str], ...]
    at: Point
    side: Side = "front"
    arrangement: Arrangement = "row"
    turn: float = 0.0
    columns: int = 0  # of a row that goes on below; 0: all beside each other
    gap: float = 3.0
    step: float = 13.0
    cells: tuple[LatticeCell, ...] = ()
    lift: float = 0.0
    thickness: float = 0.3
    lies: bool = False


class Scene(Struct, frozen=True):
    """Groups in the order in which they are laid down; a later one lies on an earlier one.

    cloth: the colour of the table. tilt: degrees by which the camera looks down. frame: the part of
    the table to show, None for all pieces. place: its table in the spec.
    """

    groups: tuple[SceneGroup, ...]
    cloth: str
    tilt: float
    frame: Rect | None
    place: Place
