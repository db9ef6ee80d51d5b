"""Take Atreya's faces, find where they differ from the table."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.looks import Faults, Looks, Shown, ShownRows, SideLook, always, named
from generator.model import Column, Feature

_COLOURS = {"R": "red", "G": "green", "B": "blue"}


def _tile(prefix: str) -> list[Shown]:
    """What a side shows whose columns have this prefix."""
    hues = _COLOURS.values()
    return [
        Shown("centre", f"{prefix}centre"),
        Shown("sides", f"{prefix}sides"),
        *(
            Shown(f"colour {letter}", always(colour), "colour", hues, may_lack=True)
            for letter, colour in _COLOURS.items()
        ),
        Shown("line", always("black"), "colour", ["white", *hues]),
        Shown("mark", named("start", {"yes": "start"}, "")),
    ]


class AtreyaFaces(ShownRows, frozen=True, kw_only=True):
    """Each face of a tile shows its own columns: fronts `centre` and `sides`, backs `back_centre`
    and `back_sides`.

    On both faces R is red, G green and B blue, with the same textures; lines are black, and tiles
    whose `start` is "yes" have a mark.
    """

    kind = "atreya.faces"
    fronts, backs = _tile(""), _tile("back_")
    needs_back = True

    def columns(self) -> list[Column]:
        return [Column(n) for n in ("centre", "sides", "back_centre", "back_sides", "start")]

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Textures of backs that are not those of the fronts."""
        due = {one.part: one.value for look in looks.of("front") for one in _textures(look)}
        for look in looks.of("back"):
            for texture in _textures(look):
                if texture.value != due.get(texture.part, ""):
                    faults.expect(look, texture.part, due.get(texture.part, ""))


def _textures(look: SideLook) -> Iterator[Feature]:
    return (feature for feature in look.features if feature.part.startswith("texture"))
