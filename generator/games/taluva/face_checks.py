"""Take Taluva's faces, find wrong fields and wrong players' colours."""

from __future__ import annotations

from collections.abc import Mapping

from generator.checks.colours import NAMES
from generator.checks.looks import Shown, ShownRows, SideLook, named
from generator.games.taluva.checks import TERRAINS
from generator.model import Column

VOLCANO = "volcano"
VOLCANOES = (VOLCANO, "volcano-left", "volcano-right")  # so that not all look the same
# Our own marks, which distinguish players without colours, the same on all their buildings.
MARKS: Mapping[str, str] = {"red": "disc", "brown": "triangle", "white": "bar", "yellow": "cross"}


def _volcano(look: SideLook) -> str:
    """The name of the volcano on top, or of the usual one if there is none."""
    shown = (one.art.name for one in look.features if one.part == "top" and one.art)
    return next((name for name in shown if name in VOLCANOES), VOLCANO)


class TaluvaFields(ShownRows, frozen=True, kw_only=True):
    """Each field of a tile shows the art with its name, and the top field a volcano. The columns
    are `left` and `right`."""

    kind = "taluva.fields"
    fronts = [
        Shown(part, by, "art", (*TERRAINS, *VOLCANOES))
        for part, by in (("left", "left"), ("right", "right"), ("top", _volcano))
    ]

    def columns(self) -> list[Column]:
        return [Column("left"), Column("right")]


class Players(ShownRows, frozen=True, kw_only=True):
    """Each building has the colour named in `player`, and the mark of that player (see
    `MARKS`)."""

    kind = "taluva.players"
    fronts = [
        Shown("ground", named("player", {name: name for name in NAMES}), "colour", MARKS),
        Shown("mark", named("player", MARKS), "art", MARKS.values()),
    ]

    def columns(self) -> list[Column]:
        return [Column("player")]
