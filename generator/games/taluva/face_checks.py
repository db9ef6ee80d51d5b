"""Take Taluva's faces, find wrong fields and wrong players' colours."""

from __future__ import annotations

from collections.abc import Mapping

from generator.checks import colours
from generator.checks.looks import Faults, Looks, SideLook
from generator.checks.table import Declared
from generator.errors import Problem
from generator.games.taluva.checks import TERRAINS
from generator.model import Column, Component

VOLCANO = "volcano"
VOLCANOES = (VOLCANO, "volcano-left", "volcano-right")  # so that not all look the same
# Our own marks, which distinguish players without colours, the same on all their buildings.
MARKS: Mapping[str, str] = {"red": "disc", "brown": "triangle", "white": "bar", "yellow": "cross"}


class TaluvaFields(Declared, frozen=True, kw_only=True):
    """Each field of a tile shows the art with its name, and the top field a volcano. The columns
    are `left` and `right`."""

    kind = "taluva.fields"

    def columns(self) -> list[Column]:
        return [Column("left"), Column("right")]

    def check_faces(self, component: Component, looks: Looks) -> list[Problem]:
        faults = Faults(self, component)
        for look in looks.of("front"):
            row = look.piece.row
            due = {"left": str(row["left"]), "right": str(row["right"]), "top": _volcano(look)}
            for part, name in due.items():
                faults.expect_art(look, part, name, (*TERRAINS, *VOLCANOES))
        return list(faults.problems())


def _volcano(look: SideLook) -> str:
    """The name of the volcano on top, or of the usual one if there is none."""
    shown = (one.art.name for one in look.features if one.part == "top" and one.art)
    return next((name for name in shown if name in VOLCANOES), VOLCANO)


class Players(Declared, frozen=True, kw_only=True):
    """Each building has the colour named in `player`, and the mark of that player (see
    `MARKS`)."""

    kind = "taluva.players"

    def columns(self) -> list[Column]:
        return [Column("player")]

    def check_faces(self, component: Component, looks: Looks) -> list[Problem]:
        faults = Faults(self, component)
        for look in looks.of("front"):
            player = str(look.piece.row["player"])
            if player in colours.NAMES:
                faults.expect_colour(look, "ground", player, MARKS)
            if player in MARKS:
                faults.expect_art(look, "mark", MARKS[player], MARKS.values())
        return list(faults.problems())
