"""Take a component, make what its faces show; gather what of that is wrong.

A table may be right and drawn wrong: the renderer reads another column, or has another colour or
picture for a value. So a rule asks the renderers what they show (`model.Feature`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.checks.colours import nearest
from generator.checks.table import Declared, list_names
from generator.errors import MisfitError, Problem, quote
from generator.model import Component, Design, Feature, Piece, Side
from generator.place import Place

_MOST_NAMED = 3  # pieces that a finding lists


@dataclass(frozen=True, slots=True)
class SideLook:
    """A side of a piece, and what it shows."""

    side: Side
    piece: Piece
    features: tuple[Feature, ...]

    def all(self, part: str) -> list[Feature]:
        return [feature for feature in self.features if feature.part == part]


@dataclass(frozen=True, slots=True)
class Looks:
    """What a component's faces show."""

    design: Design

    def of(self, side: Side) -> Iterator[SideLook]:
        """A side of every piece that is printed; what cannot be drawn is told when it is drawn."""
        component, renderer = self.design.component, self.design.renderer(side)
        seen = component if side == "front" else component.from_behind()
        for piece in component.pieces:
            if renderer is not None and piece.copies:
                try:
                    yield SideLook(side, piece, tuple(renderer.features(piece, seen)))
                except MisfitError:
                    continue


class _FaultKey(NamedTuple):
    """Where a fault is, on which side, and what of it is at fault."""

    place: Place
    side: Side
    topic: str


class Faults:
    """What is wrong with faces: what many have at fault by one option is found once."""

    def __init__(self, rule: Declared, component: Component) -> None:
        self._rule, self._component = rule, component
        self._found: dict[_FaultKey, dict[str, tuple[Piece, str]]] = {}

    def add(self, look: SideLook, what: str, option: str = "", topic: str = "") -> None:
        """`option` is the renderer's that is at fault; faults of one topic are told as one."""
        place = self._component.find_place(f"{look.side}.{option}" if option else look.side)
        self._add_at(place, look, what, topic or what)

    def _add_at(self, place: Place, look: SideLook, what: str, topic: str) -> None:
        pieces = self._found.setdefault(_FaultKey(place, look.side, topic), {})
        pieces.setdefault(look.piece.id, (look.piece, what))

    def expect(self, look: SideLook, part: str, due: str) -> None:
        """The part is there and says what it should; an empty `due`: it is not there."""
        for feature in self._parts(look, part, due):
            if feature.value != due:
                is_ = "are" if part.endswith("s") else "is"
                what = f"the {part} {is_} {quote(feature.value)}, not {quote(due)}"
                self.add(look, what, feature.option, part)

    def expect_colour(self, look: SideLook, part: str, due: str, others: Collection[str]) -> None:
        """The part is of a colour that is more like `due` than like others, all of NAMES."""
        for feature in self._parts(look, part, due):
            name = nearest(feature.value, {due: None} | dict.fromkeys(others))
            if name != due:
                what = f"the {part} is {feature.value}, {name} rather than {due}"
                self.add(look, what, feature.option)

    def expect_art(self, look: SideLook, part: str, due: str, others: Collection[str]) -> None:
        """The part is the art of that name, and its file is not named like another's."""
        for feature in self._parts(look, part, due):
            self.check_art(look, feature, due, others)

    def check_art(
        self, look: SideLook, feature: Feature, due: str, others: Collection[str]
    ) -> None:
        """The same of a feature."""
        name = feature.art.name if feature.art else ""
        stem = _stem(feature.art.file) if feature.art else ""
        if name != due:
            is_ = f"is the art {quote(name)}" if name else "is no art"
            self.add(look, f"the {feature.part} {is_}, not {quote(due)}", feature.option)
        elif stem != due and stem in others:
            what = f"the {feature.part} is the art {quote(due)}, which is the file of {quote(stem)}"
            self._add_at(self._component.find_place(f"art.{name}"), look, what, what)

    def _parts(self, look: SideLook, part: str, due: str) -> Iterator[Feature]:
        parts = look.all(part)
        if not due:
            for feature in parts:
                self.add(look, f"the {part} {quote(feature.value)} is too much", feature.option)
        elif not parts:
            self.add(look, f"there is no {part}, but {quote(due)} is due", topic=part)
        else:
            yield from parts

    def problems(self) -> Iterator[Problem]:
        printed = sum(piece.copies > 0 for piece in self._component.pieces)
        for at, pieces in self._found.items():
            whose = _whose(at.side, list(pieces), printed)
            (first, what), *_ = pieces.values()
            faults = dict.fromkeys(what for _, what in pieces.values())
            example = f"on {first.id} " if len(faults) > 1 else ""
            found = f"{at.side}: {'; '.join(faults)}"
            on = [piece for piece, _ in pieces.values()] if len(pieces) < printed else []
            yield self._rule.problem(at.place, f"{whose}: {example}{what}", on=on, found=found)


def has_back(rule: Declared, component: Component) -> Iterator[Problem]:
    """A finding if there are no backs."""
    if not component.has_back:
        yield rule.problem(component.place, f"the {component.id} have no backs")


def _whose(side: Side, names: Sequence[str], printed: int) -> str:
    if len(names) == 1:
        return f"the {side} of {names[0]}"
    if len(names) == printed:
        return f"all {printed} {side}s"
    rest = len(names) - _MOST_NAMED
    return f"the {side}s of {list_names([*names[:_MOST_NAMED], *([f'{rest} more'] * (rest > 0))])}"


def _stem(file: str) -> str:
    """The name of a file without its folder and ending."""
    return file.rpartition("/")[2].partition(".")[0]
