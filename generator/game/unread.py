"""In a draft, what stands for a side of a component whose template or renderer has faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Problem
from generator.model import SIDES, Column, Component, Design, Feature, Piece, PlacedLayer


class Unread(Struct, frozen=True):
    """Implements Renderer; its faces are empty. `problems` are the faults of the side."""

    problems: frozenset[Problem]

    def columns(self) -> Sequence[Column]:
        return ()

    def draw(self, _piece: Piece, _component: Component) -> Sequence[PlacedLayer]:
        return ()

    def features(self, _piece: Piece, _component: Component) -> Iterable[Feature]:
        return ()


def name_faces(problems: Iterable[Problem], designs: Sequence[Design]) -> Iterator[Problem]:
    """The problems; those of unread sides with the faces that they prevent."""
    unread = [
        (renderer.problems, [(design.component.id, piece.id, side) for piece in _printed(design)])
        for design in designs
        for side in SIDES
        if isinstance(renderer := design.renderer(side), Unread)
    ]
    for problem in problems:
        faces = [face for faults, of_side in unread if problem in faults for face in of_side]
        yield replace(problem, faces=(*problem.faces, *faces)) if faces else problem


def _printed(design: Design) -> list[Piece]:
    return [piece for piece in design.component.pieces if piece.copies]
