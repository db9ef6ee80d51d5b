"""Take the booklet's figure of Atreya's start, find how it differs from the author's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import atan2, degrees, hypot

from msgspec import Struct

from generator.basics.errors import Problem, quote
from generator.basics.geometry import Point
from generator.checks.table import Declared, list_names
from generator.model import Booklet, Column, Component, Piece

CAPTION = "The three start tiles lie back up and meet in one corner."
_OPENS = re.compile(r"::: table (.*)")
_NUMBER = r"(-?\d{1,4}(?:\.\d{1,6})?)"
_PLACEMENT = re.compile(rf"(\S+) (\S+)( back)? at {_NUMBER} {_NUMBER}(?: turn (\d{{1,4}}))?")
_NEAR = 0.1  # mm


class _PlacedTile(Struct, frozen=True):
    """A tile in a figure: `at` is a corner of its box, `turn` is in degrees, clockwise."""

    piece: Piece
    is_back: bool
    at: Point
    turn: int

    def side_towards(self, other: _PlacedTile) -> str:
        """The colour of the side that faces another tile."""
        way = degrees(atan2(self.at.y - other.at.y, other.at.x - self.at.x))
        sides = str(self.piece.row["back_sides" if self.is_back else "sides"])
        return sides[(round((way - 30) / 60) + self.turn // 60) % 6]

    @property
    def centre(self) -> str:
        return str(self.piece.row["back_centre" if self.is_back else "centre"])


class Start(Declared, frozen=True, kw_only=True):
    """The booklet's figure of the three start tiles, found by its caption, shows them in the
    author's arrangement: back up, around one corner, every two of them touching in two half-pieces
    of the third one's colour, so that each colour has a closed shape of size 1."""

    kind = "atreya.start"

    def columns(self) -> list[Column]:
        return [Column(n) for n in ("centre", "sides", "back_centre", "back_sides", "start")]

    def check(self, component: Component) -> list[Problem]:
        """Finds nothing: only the booklet shows the start."""
        del component
        return []

    def check_booklet(self, component: Component, booklet: Booklet) -> Iterator[Problem]:
        pieces = {piece.id: piece for piece in component.pieces}
        number, lines = _figure(booklet.text)
        if not number:
            what = f"no figure has the caption {quote(CAPTION)}"
            yield self.problem(booklet.place, what)
            return
        tiles = list(_tiles(lines, component.id, pieces))
        for what in _faults(tiles, component.size.height):
            yield self.problem(booklet.place.at_line(number), what, on=[one.piece for one in tiles])


def _figure(text: str) -> tuple[int, Sequence[str]]:
    """The 1-based line where the figure begins, and its lines; 0 if there is no figure."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        opening = _OPENS.fullmatch(line.strip())
        if opening and opening[1].startswith(CAPTION):
            end = next((n for n, one in enumerate(lines[number:]) if one.strip() == ":::"), 0)
            return number, lines[number : number + end]
    return 0, ()


def _tiles(lines: Sequence[str], id_: str, pieces: Mapping[str, Piece]) -> Iterator[_PlacedTile]:
    for line in lines:
        match = _PLACEMENT.match(line.strip())
        if match and match[1] == id_ and match[2] in pieces:
            at = Point(float(match[4]), float(match[5]))
            yield _PlacedTile(pieces[match[2]], bool(match[3]), at, int(match[6] or 0))


def _faults(tiles: Sequence[_PlacedTile], across: float) -> Iterator[str]:
    names = [one.piece.id for one in tiles]
    starts = [one for one in tiles if one.piece.row["start"] == "yes"]
    if len(tiles) != 3 or len(starts) != 3 or len({one.centre for one in tiles}) != 3:
        yield f"the start shows {list_names(names or ['no tile'])}, not the three start tiles"
        return
    for one in tiles:
        if not one.is_back:
            yield f"{one.piece.id} shows its front, not its back"
    for one, other, third in permutations(tiles):
        if abs(hypot(one.at.x - other.at.x, one.at.y - other.at.y) - across) > _NEAR:
            if names.index(one.piece.id) < names.index(other.piece.id):
                yield f"{one.piece.id} and {other.piece.id} do not touch"
        elif (colour := one.side_towards(other)) != third.centre:
            yield (
                f"{one.piece.id} touches {other.piece.id} in {colour}, not in {third.centre}, "
                f"the colour of {third.piece.id}"
            )
