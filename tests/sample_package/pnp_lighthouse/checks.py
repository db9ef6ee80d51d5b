"""Checks of a table whose rows name each other."""

from typing import Annotated

from generator.plugins import Column, ColumnName, Component, Declared, Problem, describe, list_names, quote


class Ring(Declared, frozen=True, kw_only=True):
    """Each piece names the next one, and so one comes around by all pieces."""

    kind = "lighthouse.ring"
    next: Annotated[ColumnName, describe("the column that names the next piece")]

    def columns(self) -> list[Column]:
        return [Column(self.next)]

    def check(self, component: Component) -> list[Problem]:
        following = {piece.id: str(piece.row[self.next]) for piece in component.pieces}
        unknown = [
            self.problem(piece.place.at_column(self.next), f"there is no {quote(name)}")
            for piece in component.pieces
            if (name := following[piece.id]) not in following
        ]
        return unknown or self._check_walk(component, following)

    def _check_walk(self, component: Component, following: dict[str, str]) -> list[Problem]:
        first = component.pieces[0].id
        met = {first}
        last = first
        while following[last] not in met:
            last = following[last]
            met.add(last)
        left = [name for name in following if name not in met]
        if left:
            return [self.problem(component.place, f"no way leads from {first} to {list_names(left)}")]
        if following[last] != first:
            what = f"{last} leads back to {following[last]}, not to {first}"
            return [self.problem(component.place, what)]
        return []
