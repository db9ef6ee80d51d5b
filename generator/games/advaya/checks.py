"""Checks of Advaya: how a table of tiles differs from the set.

Also where the faces, tokens and track differ from what the game needs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from msgspec import Struct

from generator.basics.errors import MisfitError, Problem, did_you_mean, list_names, quote
from generator.checks import Faults, Looks, Shown, ShownRows, always, named
from generator.checks.table import Declared, doubles, label
from generator.games.advaya import tiles as advaya
from generator.games.advaya.tiles import Coloured, Drawing
from generator.games.hexagon import mirrored
from generator.model import Component, Piece, Side

_START, _START_NAME = advaya.parse("0-3"), "I"  # half black, half white ("Preparation")
_INVERTED = str.maketrans("BW", "WB")
_COLOURS = {"B": "black", "W": "white"}
_LINES: Mapping[Side, str] = {"front": "blue", "back": "red"}  # "Allowed moves"
_COLUMNS = ("name", "segments", "sides", "back_segments", "back_sides")
TRACK = ("Progress", "1", "2", "3", "4", "5", "6", "END")  # "Game end": the stagnation rule

# "you can mark the capture target tile (if applicable), pinned tiles, and the last moved tile":
# every tile may be pinned. One more token counts progress.
TOKENS: Mapping[str, int] = {"pinned": 49, "last-moved": 1, "target": 1, "progress": 1}


class _Tile(Struct, frozen=True):
    """A row with a valid front; `turn` is its drawing in the turn that sorts first."""

    piece: Piece
    drawing: Drawing
    turn: Drawing
    sides: str

    @property
    def id(self) -> str:
        return self.piece.id

    @property
    def name(self) -> str:
        return str(self.piece.row["name"])

    @property
    def key(self) -> Coloured:
        return advaya.colour_areas(self.drawing, self.sides)

    def __str__(self) -> str:
        return _label(self.piece)


class AdvayaSet(Declared, frozen=True, kw_only=True):
    """The tiles are the set defined by Advaya's five properties (see `advaya.types`), each once.

    The columns `segments` ("0-3 1-6": corners counterclockwise from the right, 6 the centre) and
    `sides` ("BWBWBW": side k from corner k to the next) describe the front; `back_segments` and
    `back_sides` describe the back, which is the front mirrored at its vertical axis with its
    colours inverted. Tiles of one type share their `name`, others do not; the start tile is I.
    """

    kind = "advaya.set"
    reads = _COLUMNS

    def check(self, component: Component) -> Iterator[Problem]:
        tiles = []
        for piece in component.pieces:
            if not piece.copies:
                continue
            try:
                tile = _read(piece)
            except MisfitError as error:
                yield self.problem(piece.place, f"{_label(piece)}: {error}")
                continue
            if foreign := _foreign(tile):
                yield self.problem(piece.place, f"{tile} {foreign}")
            else:
                tiles.append(tile)
                yield from self._back(tile)
        keyed = [(tile.key, tile.piece) for tile in tiles]
        yield from (self.problem(*double) for double in doubles(keyed, _label, "tile"))
        yield from self._missing(tiles, component)
        yield from self._names(tiles)

    def _back(self, tile: _Tile) -> Iterator[Problem]:
        row = tile.piece.row
        lines, sides = str(row["back_segments"]), str(row["back_sides"])
        due = advaya.behind(tile.drawing), mirrored(tile.sides).translate(_INVERTED)
        place, back = tile.piece.place, f"{tile}: the back's"
        is_behind = False
        with suppress(MisfitError):
            is_behind = advaya.parse(lines) == due[0]
        if not is_behind:
            due_lines = advaya.write_tile(due[0])
            what = f"{back} lines are {quote(lines)}; the front's, mirrored, are {due_lines}"
            yield self.problem(place.at_column("back_segments"), what)
        if sides != due[1]:
            what = f"{back} sides are {quote(sides)}; the front's, mirrored and inverted, are"
            yield self.problem(place.at_column("back_sides"), f"{what} {due[1]}")

    def _missing(self, tiles: Sequence[_Tile], component: Component) -> Iterator[Problem]:
        present = {tile.key for tile in tiles}
        twins = {tile.turn: tile for tile in tiles}
        for type_ in advaya.types():
            twin = twins.get(advaya.least_turn(type_.drawing))
            for sides in type_.colourings:
                if advaya.colour_areas(type_.drawing, sides) not in present:
                    yield self.problem(component.place, f"{_name_absent(type_.drawing, sides, twin)} is missing")

    def _names(self, tiles: Iterable[_Tile]) -> Iterator[Problem]:
        """Tiles of one type with two names, or of two types with one; a start tile not named I."""
        of_type: dict[Drawing, _Tile] = {}
        of_name: dict[str, _Tile] = {}
        reported: set[str] = set()  # one wrong tile conflicts with several others
        for tile in tiles:
            for first in (of_type.setdefault(tile.turn, tile), of_name.setdefault(tile.name, tile)):
                is_one = first.turn == tile.turn
                if is_one != (first.name == tile.name) and not reported & {first.id, tile.id}:
                    reported |= {first.id, tile.id}
                    what = "of one type with two names" if is_one else "of two types with one name"
                    yield self.problem(tile.piece.place.at_column("name"), f"{first} and {tile} are {what}")
        for tile in tiles:
            if _is_start(tile.drawing) and tile.name != _START_NAME:
                what = f"{tile} is the start tile, but is not named {_START_NAME}"
                yield self.problem(tile.piece.place.at_column("name"), what)


def _read(piece: Piece) -> _Tile:
    """Reads a row. Raises MisfitError if its front is not valid."""
    drawing, sides = advaya.parse(str(piece.row["segments"])), str(piece.row["sides"])
    if len(sides) != 6 or set(sides) - set("BW"):
        raise MisfitError(f"{quote(sides)} are not six sides, each B or W")
    return _Tile(piece, drawing, advaya.least_turn(drawing), sides)


def _label(piece: Piece) -> str:
    return label(piece, piece.row["name"])


def _name_absent(drawing: Drawing, sides: str, twin: _Tile | None) -> str:
    """Names a missing tile after `twin`, the tile of its type with the other colours, if any."""
    if _is_start(drawing):
        return f"the start tile {_START_NAME} ({advaya.write_tile(drawing)} {sides})"
    if twin is None:
        return f"the tile {advaya.write_tile(drawing)} {sides}"
    sides = twin.sides.translate(_INVERTED)
    return f"the other {twin.name} ({advaya.write_tile(twin.drawing)} {sides})"


def _is_start(drawing: Drawing) -> bool:
    return advaya.least_turn(drawing) == advaya.least_turn(_START)


def _foreign(tile: _Tile) -> str:
    """Why a tile is not in the set; "" if it is."""
    if not tile.drawing:
        return "has no line"
    flaw = advaya.flaw(tile.drawing)
    if flaw:
        return f"is not in the set: {flaw}"
    type_ = advaya.type_of(tile.drawing)
    if type_ is None:
        return "is not in the set: it needs three colours"
    if advaya.least_turn(type_.drawing) != tile.turn:
        lines = advaya.write_tile(type_.drawing)
        return f"is not in the set: tiles of its connectivity are drawn {lines}, in some turn"
    return _find_wrong_colours(tile)


def _find_wrong_colours(tile: _Tile) -> str:
    areas, wrongly = advaya.areas(tile.drawing), "is coloured wrongly:"
    for a, b in combinations(range(6), 2):
        pair = (areas.of_sides[a], areas.of_sides[b])
        one, other = tile.sides[a], tile.sides[b]
        if pair[0] == pair[1] and one != other:
            return f"{wrongly} sides {a} and {b} are one area, but {one} and {other}"
        if (min(pair), max(pair)) in areas.touching and one == other:
            return f"{wrongly} a line parts sides {a} and {b}, but both are {one}"
    return ""


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
    reads = _COLUMNS
    fronts, backs = _tile("front"), _tile("back")
    needs_back = True

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Lines of backs that look like those of fronts."""
        fronts = {line.value for look in looks.of("front") for line in look.all("construction")}
        for look in looks.of("back"):
            for line in look.all("construction"):
                if line.value in fronts:
                    faults.add(look, f"the lines are {line.value}, like those of the fronts", line.option)


class Tokens(ShownRows, frozen=True, kw_only=True):
    """There are as many tokens of each kind as the game may need (see `TOKENS`), and both sides
    of each show the art named after its kind. The column is `kind`."""

    kind = "advaya.tokens"
    reads = ("kind",)
    fronts = backs = [Shown("art", "kind", "art", TOKENS)]
    needs_back = True

    def check(self, component: Component) -> Iterator[Problem]:
        counts: Counter[str] = Counter()
        for piece in component.pieces:
            kind = str(piece.row["kind"])
            counts[kind] += piece.copies
            if kind not in TOKENS:
                what = f"{piece.id}: {quote(kind)} is not a token of the game"
                yield self.problem(piece.place.at_column("kind"), f"{what}; {did_you_mean(kind, TOKENS)}")
        for kind, due in TOKENS.items():
            if counts[kind] != due:
                rows = [piece for piece in component.pieces if piece.row["kind"] == kind]
                place = rows[0].place if rows else component.place
                yield self.problem(place, f"there are {counts[kind]} {kind} tokens, not {due}")


class TrackFields(ShownRows, frozen=True, kw_only=True):
    """The fields of the track are Progress, 1 to 6 and END."""

    kind = "advaya.track"

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            fields = look.all("field")
            words = [field.value for field in fields]
            if words != list(TRACK):
                pairs = zip(fields, TRACK, strict=False)
                wrong = (field.option for field, due in pairs if field.value != due)
                faults.add(look, f"the fields are {list_names(words)}, not {list_names(TRACK)}", next(wrong, "fields"))
