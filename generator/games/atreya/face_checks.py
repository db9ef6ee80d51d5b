"""Take Atreya's faces, find where they differ from the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.checks.looks import Faults, Looks, SideLook, has_back
from generator.checks.table import Declared
from generator.errors import Problem
from generator.model import Column, Component, Feature, Side

_COLOURS = {"R": "red", "G": "green", "B": "blue"}
_SIDES: tuple[Side, Side] = ("front", "back")


class AtreyaFaces(Declared, frozen=True, kw_only=True):
    """Each face of a tile shows its own columns: fronts `centre` and `sides`, backs `back_centre`
    and `back_sides`.

    On both faces R is red, G green and B blue, with the same textures; lines are black, and tiles
    whose `start` is "yes" have a mark.
    """

    kind = "atreya.faces"

    def columns(self) -> list[Column]:
        return [Column(n) for n in ("centre", "sides", "back_centre", "back_sides", "start")]

    def check_faces(self, component: Component, looks: Looks) -> list[Problem]:
        faults = Faults(self, component)
        textures: dict[str, str] = {}
        for side in _SIDES:
            every = list(looks.of(side))
            for look in every:
                self._check(look, faults)
            if side == "back":
                _compare_textures(every, textures, faults)
            textures = {one.part: one.value for look in every for one in _textures(look)}
        return [*has_back(self, component), *faults.problems()]

    def _check(self, look: SideLook, faults: Faults) -> None:
        row, prefix = look.piece.row, "" if look.side == "front" else "back_"
        faults.expect(look, "centre", str(row[f"{prefix}centre"]))
        faults.expect(look, "sides", str(row[f"{prefix}sides"]))
        for letter, colour in _COLOURS.items():
            if look.all(f"colour {letter}"):
                faults.expect_colour(look, f"colour {letter}", colour, _COLOURS.values())
        faults.expect_colour(look, "line", "black", ["white", *_COLOURS.values()])
        faults.expect(look, "mark", "start" if row["start"] == "yes" else "")


def _textures(look: SideLook) -> Iterable[Feature]:
    return (feature for feature in look.features if feature.part.startswith("texture"))


def _compare_textures(backs: Iterable[SideLook], fronts: Mapping[str, str], faults: Faults) -> None:
    for look in backs:
        for texture in _textures(look):
            due = fronts.get(texture.part, "")
            if texture.value != due:
                faults.expect(look, texture.part, due)
