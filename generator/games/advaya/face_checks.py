"""Take Advaya's faces, tokens and track, find where they differ from what the game needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from generator.basics.errors import Problem, did_you_mean, quote
from generator.checks.looks import Faults, Looks, Shown, ShownRows, always, named
from generator.checks.table import list_names
from generator.model import Column, Component, Side

_COLOURS = {"B": "black", "W": "white"}
_LINES: Mapping[Side, str] = {"front": "blue", "back": "red"}  # "Allowed moves"
_START_NAME = "I"
TRACK = ("Progress", "1", "2", "3", "4", "5", "6", "END")  # "Game end": the stagnation rule
# "you can mark the capture target tile (if applicable), pinned tiles, and the last moved tile":
# every tile may be pinned. One more token counts progress.
TOKENS: Mapping[str, int] = {"pinned": 49, "last-moved": 1, "target": 1, "progress": 1}


def _tile(side: Side) -> list[Shown]:
    prefix, hues = "" if side == "front" else "back_", _COLOURS.values()
    return [
        Shown("lines", f"{prefix}segments"),
        Shown("sides", f"{prefix}sides"),
        Shown("name", "name"),
        *(
            Shown(f"colour {letter}", always(colour), "colour", hues, may_lack=True)
            for letter, colour in _COLOURS.items()
        ),
        Shown("line", always(_LINES[side]), "colour", _LINES.values()),
        Shown("mark", named("name", {_START_NAME: "seed"}, "")),
    ]


class AdvayaFaces(ShownRows, frozen=True, kw_only=True):
    """Each face of a tile shows its own columns: fronts `segments` and `sides`, with blue lines,
    backs `back_segments` and `back_sides`, with red ones.

    B is black and W white on both. The lines of fronts and backs are drawn in two ways, so that
    a player can tell them apart without colours. The start tile, I, has a mark.
    """

    kind = "advaya.faces"
    fronts, backs = _tile("front"), _tile("back")
    needs_back = True

    def columns(self) -> list[Column]:
        names = ("name", "segments", "sides", "back_segments", "back_sides")
        return [Column(name) for name in names]

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Lines of backs that look like those of fronts."""
        fronts = {one.value for look in looks.of("front") for one in look.all("construction")}
        for look in looks.of("back"):
            for one in look.all("construction"):
                if one.value in fronts:
                    what = f"the lines are {one.value}, like those of the fronts"
                    faults.add(look, what, one.option)


class Tokens(ShownRows, frozen=True, kw_only=True):
    """There are as many tokens of each kind as the game may need (see `TOKENS`), and both sides
    of each show the art named after its kind. The column is `kind`."""

    kind = "advaya.tokens"
    fronts = backs = [Shown("art", "kind", "art", TOKENS)]
    needs_back = True

    def columns(self) -> list[Column]:
        return [Column("kind")]

    def check(self, component: Component) -> Iterator[Problem]:
        counts: Counter[str] = Counter()
        for piece in component.pieces:
            kind = str(piece.row["kind"])
            counts[kind] += piece.copies
            if kind not in TOKENS:
                what = f"{piece.id}: {quote(kind)} is not a token of the game"
                place = piece.place.at_column("kind")
                yield self.problem(place, f"{what}; {did_you_mean(kind, TOKENS)}")
        for kind, due in TOKENS.items():
            if counts[kind] != due:
                rows = [piece for piece in component.pieces if piece.row["kind"] == kind]
                place = rows[0].place if rows else component.place
                yield self.problem(place, f"there are {counts[kind]} {kind} tokens, not {due}")


class TrackFields(ShownRows, frozen=True, kw_only=True):
    """The fields of the track are Progress, 1 to 6 and END."""

    kind = "advaya.track"

    def columns(self) -> list[Column]:
        return []

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            fields = look.all("field")
            words = [field.value for field in fields]
            if words != list(TRACK):
                wrong = next(
                    (f for f, due in zip(fields, TRACK, strict=False) if f.value != due), None
                )
                what = f"the fields are {list_names(words)}, not {list_names(TRACK)}"
                faults.add(look, what, wrong.option if wrong else "fields")
