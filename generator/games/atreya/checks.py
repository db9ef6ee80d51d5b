"""Checks of Atreya: how a table differs from the set of tiles in three colours.

Also where faces differ from the table, and the booklet's figure of the start from the author's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations, product
from math import atan2, degrees, hypot

from msgspec import Struct

from generator.basics.errors import Problem, list_names, quote
from generator.basics.geometry import Point
from generator.checks import Faults, Looks, Shown, ShownRows, SideLook, always, named
from generator.checks.table import Declared, doubles, label
from generator.games.hexagon import mirrored, turns
from generator.model import Booklet, Component, Feature, Piece

COLOURS = "RGB"
Tile = tuple[str, str]  # the centre's colour and those of the sides
_CLOCKWISE = "RBG"  # the order in which the colours meet where the three start tiles do
_MARKS = ("", "yes")
_COLUMNS = ("centre", "sides", "back_centre", "back_sides", "start")
_COLOURS = {"R": "red", "G": "green", "B": "blue"}
CAPTION = "The three start tiles lie back up and meet in one corner."
_OPENS = re.compile(r"::: table (.*)")
_NUMBER = r"(-?\d{1,4}(?:\.\d{1,6})?)"
_PLACEMENT = re.compile(rf"(\S+) (\S+)( back)? at {_NUMBER} {_NUMBER}(?: turn (\d{{1,4}}))?")
_NEAR = 0.1  # mm


@cache
def tiles() -> frozenset[Tile]:
    """The 168 tiles: a colour in the centre and one on each side, with all three on the sides.

    A turn of a tile is the same tile; so is its reflection, which is its other face. Sides are
    counterclockwise from side 0, in the one of those twelve that sorts first.
    """
    rims = ["".join(sides) for sides in product(COLOURS, repeat=6) if len(set(sides)) == 3]
    return frozenset(tile(centre, sides) for sides in rims for centre in COLOURS)


def tile(centre: str, sides: str) -> Tile:
    """Equal for all turns and both faces of a tile."""
    return centre, min((*turns(sides), *turns(mirrored(sides))))


def start_back(centre: str) -> str:
    """The sides of a start tile's back, clockwise: four in its centre's colour, one in each other.

    Red RRRRBG, green GGGGRB, blue BBBBGR: the three can meet in one corner, two of them in red,
    two in green, two in blue.
    """
    first = _CLOCKWISE.index(centre)
    return centre * 4 + (_CLOCKWISE * 2)[first + 1 : first + 3]


class AtreyaSet(Declared, frozen=True, kw_only=True):
    """The tiles are the set of all tiles in three colours (see `tiles`), each once.

    The columns `centre` and `sides` ("BGRRRR": counterclockwise from the side above the right
    corner) describe the front; `back_centre` and `back_sides` the back, the front mirrored at its
    vertical axis; `start` is "yes" for the three start tiles (see `start_back`), else empty.
    """

    kind = "atreya.set"
    reads = _COLUMNS

    def check(self, component: Component) -> Iterator[Problem]:
        keyed = []
        for piece in (piece for piece in component.pieces if piece.copies):
            if foreign := _foreign(*_front(piece)):
                yield self.problem(piece.place, f"{_label(piece)} {foreign}")
            else:
                keyed.append((tile(*_front(piece)), piece))
                yield from self._back(piece)
                if what := _find_wrong_mark(*_front(piece), str(piece.row["start"])):
                    yield self.problem(piece.place.at_column("start"), f"{_label(piece)} {what}")
        yield from (self.problem(*double) for double in doubles(keyed, _label, "tile"))
        for centre, sides in sorted(tiles() - {key for key, _ in keyed}):
            yield self.problem(component.place, f"the tile {centre} {sides}, in some turn or flipped, is missing")

    def _back(self, piece: Piece) -> Iterator[Problem]:
        centre, sides = _front(piece)
        for column, due in (("back_centre", centre), ("back_sides", mirrored(sides))):
            cell = str(piece.row[column])
            if cell != due:
                what = f"{_label(piece)}: the back has {quote(cell)}; the front mirrored has {due}"
                yield self.problem(piece.place.at_column(column), what)


def _front(piece: Piece) -> Tile:
    return str(piece.row["centre"]), str(piece.row["sides"])


def _label(piece: Piece) -> str:
    return label(piece, " ".join(_front(piece)))


def _foreign(centre: str, sides: str) -> str:
    """Why a tile is not in the set; "" if it is."""
    if centre not in tuple(COLOURS):
        return f"has the centre {quote(centre)}, not R, G or B"
    if len(sides) != 6 or set(sides) - set(COLOURS):
        return f"has the sides {quote(sides)}, not six of R, G and B"
    absent = [colour for colour in COLOURS if colour not in sides]
    return f"is not in the set: no side is {' or '.join(absent)}" if absent else ""


def _find_wrong_mark(centre: str, sides: str, mark: str) -> str:
    back = start_back(centre)
    is_start = tile(centre, sides) == tile(centre, back)
    if mark not in _MARKS:
        return f"is marked {quote(mark)}: mark start tiles with yes, and no others"
    if is_start != (mark == "yes"):
        return "is a start tile, but not marked" if is_start else "is marked, but not a start tile"
    if is_start and back not in turns(mirrored(sides)[::-1]):
        return f"has its faces swapped: the back of a start tile reads {back} clockwise"
    return ""


def _tile(prefix: str) -> list[Shown]:
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
    """Each face of a tile shows its own columns: fronts `centre` and `sides`, backs `back_centre` and `back_sides`.

    On both faces R is red, G green and B blue, with the same textures; lines are black, and tiles
    whose `start` is "yes" have a mark.
    """

    kind = "atreya.faces"
    reads = _COLUMNS
    fronts, backs = _tile(""), _tile("back_")
    needs_back = True

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Textures of backs that are not those of the fronts."""
        due = {seen.part: seen.value for look in looks.of("front") for seen in _textures(look)}
        for look in looks.of("back"):
            for texture in _textures(look):
                if texture.value != due.get(texture.part, ""):
                    faults.expect(look, texture.part, due.get(texture.part, ""))


def _textures(look: SideLook) -> Iterator[Feature]:
    return (feature for feature in look.features if feature.part.startswith("texture"))


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
    reads = _COLUMNS

    def check_booklet(self, component: Component, booklet: Booklet) -> Iterator[Problem]:
        pieces = {piece.id: piece for piece in component.pieces}
        number, lines = _figure(booklet.text)
        if not number:
            yield self.problem(booklet.place, f"no figure has the caption {quote(CAPTION)}")
            return
        tiles = list(_tiles(lines, component.id, pieces))
        shown, place = [lying_tile.piece for lying_tile in tiles], booklet.place.at_line(number)
        for what in _faults(tiles, component.size.height):
            yield self.problem(place, what, on=shown)


def _figure(text: str) -> tuple[int, Sequence[str]]:
    """The 1-based line where the figure begins, and its lines; 0 if there is no figure."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        opening = _OPENS.fullmatch(line.strip())
        if opening and opening[1].startswith(CAPTION):
            end = next((n for n, line in enumerate(lines[number:]) if line.strip() == ":::"), 0)
            return number, lines[number : number + end]
    return 0, ()


def _tiles(lines: Sequence[str], id_: str, pieces: Mapping[str, Piece]) -> Iterator[_PlacedTile]:
    for line in lines:
        match = _PLACEMENT.match(line.strip())
        if match and match[1] == id_ and match[2] in pieces:
            at = Point(float(match[4]), float(match[5]))
            yield _PlacedTile(pieces[match[2]], bool(match[3]), at, int(match[6] or 0))


def _faults(tiles: Sequence[_PlacedTile], across: float) -> Iterator[str]:
    names = [lying_tile.piece.id for lying_tile in tiles]
    starts = [lying_tile for lying_tile in tiles if lying_tile.piece.row["start"] == "yes"]
    if len(tiles) != 3 or len(starts) != 3 or len({lying_tile.centre for lying_tile in tiles}) != 3:
        yield f"the start shows {list_names(names or ['no tile'])}, not the three start tiles"
        return
    for lying_tile in tiles:
        if not lying_tile.is_back:
            yield f"{lying_tile.piece.id} shows its front, not its back"
    for one, other, third in permutations(tiles):
        if abs(hypot(one.at.x - other.at.x, one.at.y - other.at.y) - across) > _NEAR:
            if names.index(one.piece.id) < names.index(other.piece.id):
                yield f"{one.piece.id} and {other.piece.id} do not touch"
        elif (colour := one.side_towards(other)) != third.centre:
            due = f"{third.centre}, the colour of {third.piece.id}"
            yield f"{one.piece.id} touches {other.piece.id} in {colour}, not in {due}"
