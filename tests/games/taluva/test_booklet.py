"""The figures of Taluva's booklet lie as tiles can lie, and show what their captions tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from math import atan2, cos, dist, radians, sin, sqrt
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from generator import pipeline
from generator.booklet.figure import LAYER
from generator.games.taluva.checks import BUILDINGS, PLAYERS, TERRAINS, TILES_A_PLAYER
from tests.games.conftest import TEMPLATES
from tests.games.figures import WORDS, Figure, Laid, Point, figure, figure_without_caption, in_a_line, rules_of, tables

RULES = rules_of("taluva")
TEXT = in_a_line(RULES)
TILES = {piece.id: piece.row for piece in pipeline.read("taluva").game.components[0].pieces}
ACROSS = 40.0  # mm, from side to side of a hexagon
RADIUS = ACROSS / sqrt(3)
WIDTH, HEIGHT = 2 * ACROSS, 3.5 * RADIUS  # of a tile, upright
CAPTIONS = [caption[:30] for caption in re.findall(r"^::: table +(.+)$", RULES, re.M)]
Cell = tuple[int, int]  # half hexagons to the right, rows down


class Hexagon:
    """One of a tile's three, where it lies."""

    def __init__(self, tile: int, what: str, direction: int, level: int) -> None:
        self.tile, self.what, self.level = tile, what, level
        self.direction = direction  # of the tile's volcano, in degrees clockwise


class Island:
    """What lies on the table, tile upon tile. `broken` are the rules that each tile breaks."""

    def __init__(self, laid: Sequence[Laid]) -> None:
        first = hexagons(laid[0])[0][1]
        self._origin = first
        self.at: dict[Cell, list[Hexagon]] = {}
        self.broken: list[set[str]] = []
        self.cells: list[list[Cell]] = []
        for number, tile in enumerate(laid):
            self._lay(number, tile)

    def cell(self, point: Point) -> Cell:
        """The cell with this middle; what lies off the lattice has none."""
        across = (point[0] - self._origin[0]) / (ACROSS / 2)
        down = (point[1] - self._origin[1]) / (1.5 * RADIUS)
        cell = round(across), round(down)
        assert dist((across, down), cell) < 0.01, "off the lattice"
        assert sum(cell) % 2 == 0, "between two hexagons"
        return cell

    def near(self, point: Point) -> Cell:
        """The cell that a point lies well within."""
        ((cell, _),) = [
            (cell, middle) for cell in self.at if dist(point, middle := self.middle(cell)) < 0.9 * ACROSS / 2
        ]
        return cell

    def around(self, point: Point) -> Cell | None:
        """The cell around a point, which may lie beside the island."""
        cells = (cell for cell in self.at if dist(point, self.middle(cell)) < ACROSS / 2)
        return next(cells, None)

    def nearest(self, point: Point) -> Cell:
        """The cell at whose edge a mark is."""
        cell = min(self.at, key=lambda cell: dist(point, self.middle(cell)))
        assert dist(point, self.middle(cell)) < 0.7 * ACROSS
        return cell

    def middle(self, cell: Cell) -> Point:
        x, y = self._origin
        return x + cell[0] * ACROSS / 2, y + cell[1] * 1.5 * RADIUS

    def top(self, cell: Cell) -> Hexagon:
        return self.at[cell][-1]

    def _lay(self, number: int, tile: Laid) -> None:
        spots = [(what, self.cell(middle)) for what, middle in hexagons(tile)]
        beneath = [self.at.get(cell, []) for _, cell in spots]
        broken = set()
        if any(beneath):
            if len({len(stack) for stack in beneath}) > 1:
                broken.add("empty space")
            if not beneath[0] or beneath[0][-1].what != "volcano":
                broken.add("no volcano")
            elif beneath[0][-1].direction == tile.turn:
                broken.add("same direction")
        elif self.at and not touches([cell for _, cell in spots], self.at):
            broken.add("apart")
        self.broken.append(broken)
        self.cells.append([cell for _, cell in spots])
        level = max(map(len, beneath)) + 1
        for what, cell in spots:
            self.at.setdefault(cell, []).append(Hexagon(number, what, tile.turn, level))


def touches(cells: Sequence[Cell], others: dict[Cell, list[Hexagon]]) -> int:
    """How many sides."""
    return sum(near in others for cell in cells for near in neighbours(cell))


def neighbours(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 2, y), (x - 2, y), (x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)]


def hexagons(tile: Laid) -> list[tuple[str, Point]]:
    """What they are and their middles: the volcano, then its fields, the right one first."""
    row = TILES[tile.piece]
    upright = {
        "volcano": (WIDTH / 2, RADIUS),
        "right": (WIDTH - ACROSS / 2, 2.5 * RADIUS),
        "left": (ACROSS / 2, 2.5 * RADIUS),
    }
    return [(str(row.get(name, name)), turned((tile.x + x, tile.y + y), tile)) for name, (x, y) in upright.items()]


def turned(point: Point, tile: Laid) -> Point:
    """Clockwise about the middle of the box around the tile as it lay before."""
    middle = tile.x + WIDTH / 2, tile.y + HEIGHT / 2
    x, y, by = point[0] - middle[0], point[1] - middle[1], radians(tile.turn)
    return middle[0] + x * cos(by) - y * sin(by), middle[1] + x * sin(by) + y * cos(by)


def island(shown: Figure) -> Island:
    return Island(shown.of("tiles"))


def islands(shown: Figure) -> list[list[Laid]]:
    """The tiles of each island; all begin with the same tile."""
    found: list[list[Laid]] = []
    for tile in shown.of("tiles"):
        if not found or tile.piece == found[0][0].piece:
            found.append([])
        found[-1].append(tile)
    return found


def eruptions() -> tuple[list[list[Laid]], list[list[Laid]]]:
    """A tile and a new one on it, twice, which are drawn beside one another; then the islands
    of what is not allowed."""
    pairs = islands(figure(RULES, PAIRS))
    return [[old, _moved_onto(old, new)] for old, new in pairs], islands(figure(RULES, NOT_ALLOWED))


def _moved_onto(old: Laid, new: Laid) -> Laid:
    """The new tile where its volcano buries that of the old one."""
    (_, (x, y)), (_, (u, v)) = hexagons(old)[0], hexagons(new)[0]
    return new._replace(x=new.x + x - u, y=new.y + y - v)


def stage(number: int) -> Figure:
    """An island of the figure of an eruption: before it, after it, after two more."""
    shown = figure(RULES, "An eruption, before and after")
    return replace(shown, laid=islands(shown)[number])


def levels(shown: Figure) -> list[tuple[int, int]]:
    """What is written on hexagons or at their edges, and the level there."""
    land = island(shown)
    return [(number, land.top(land.nearest(at)).level) for number, at in cards(shown)]


def cards(shown: Figure) -> list[tuple[int, Point]]:
    """The numbers of levels, and where they are."""
    return [(int(written), at) for written, at in shown.marks if written.isdecimal()]


PAIRS = "In each pair the left tile"
NOT_ALLOWED = "Two more eruptions"
BURYING = "The outline is where"
EXPANSION = "The settlement expands into the jungle"
SEVERAL = (PAIRS, NOT_ALLOWED, BURYING, "Three turns", "An eruption")  # figures of more than one island


@pytest.mark.parametrize("caption", [c for c in CAPTIONS if not c.startswith(SEVERAL)])
def test_tiles_lie_by_the_rules(caption: str) -> None:
    """On the lattice, none hanging, none beside the island or where no eruption may be."""
    land = island(figure(RULES, caption))
    assert not any(land.broken)


@pytest.mark.parametrize("caption", CAPTIONS)
def test_levels_are_drawn_as_they_are(caption: str) -> None:
    """Of tiles, of what stands on them and of their marks, each at its height."""
    shown = figure(RULES, caption)
    raised = [lying for lying in shown.of("tiles") if lying.level]
    if not raised:
        return
    lands = [Island(laid) for laid in islands(shown) if laid[0].level]
    true = [
        max(layer.level for cell in cells for layer in land.at[cell] if layer.tile == tile)
        for land in lands
        for tile, cells in enumerate(land.cells)
    ]
    assert [field.level for field in raised] == true
    stands = [
        ((lying.x + x, lying.y + y), max(1, lying.level)) for kind, (x, y) in FEET.items() for lying in shown.of(kind)
    ]
    for at, level in (*shown.levels, *stands):
        tops = [land.top(cell).level for land in lands if (cell := land.around(at)) is not None]
        assert tops in ([level], [])


def test_names_of_a_tile() -> None:
    shown = figure(RULES, "A tile. The arrow is the direction")
    land = island(shown)
    (above, _), *fields = shown.marks
    assert above == "volcano"
    assert [(name, land.top(land.near(at)).what) for name, at in fields] == [("field", "jungle"), ("field", "lake")]
    fields_told = f"The other two are **fields** of one of {WORDS[len(TERRAINS)]} terrains"
    assert f"{fields_told}: {', '.join(TERRAINS[:-1])} or {TERRAINS[-1]}." in TEXT


def test_tiles_of_a_game_are_as_described() -> None:
    ((row,),) = tables(RULES, "players")
    told = {"players": "tiles"} | {str(player): str(player * TILES_A_PLAYER) for player in PLAYERS}
    assert row == told
    assert f"play with all {len(pipeline.read('taluva').game.components[0].copies())} tiles" in TEXT
    larger = len(pipeline.read("taluva-60").game.components[0].copies())
    take = [str(larger * players // max(PLAYERS)) for players in PLAYERS]
    deck = f"This game can be printed with {larger} tiles too: then 2, 3 or 4 players take"
    assert f"{deck} {', '.join(take[:-1])} or {take[-1]} of them." in TEXT


def test_buildings_of_a_player_are_as_described() -> None:
    huts, temples, towers = BUILDINGS["hut"], BUILDINGS["temple"], BUILDINGS["tower"]
    assert f"one colour: {huts} huts, {temples} temples and {towers} towers." in TEXT
    assert f"three kinds ({huts} huts, {temples} temples, {towers} towers)" in TEXT
    counts = {own.id: len(own.copies()) for own in pipeline.read("taluva").game.components}
    kinds = {"huts": huts, "temples": temples, "towers": towers}
    assert {kind: counts[kind] // max(PLAYERS) for kind in kinds} == kinds


def test_new_tile_touches_with_one_side() -> None:
    land = island(figure(RULES, "One side that touches is enough. Terrains need not match"))
    new = land.cells[-1]
    ((ours, theirs),) = [
        (land.top(cell).what, land.top(near).what)
        for cell in new
        for near in neighbours(cell)
        if near in land.at and near not in new
    ]
    assert (ours, theirs) == ("jungle", "sand")
    assert all(len(land.at[cell]) == 1 for cell in new)


def test_eruption_is_as_described() -> None:
    """The same island before and after; outlines show where the tile comes."""
    before, land, grown = (island(stage(number)) for number in range(3))
    assert land.cells[:4] == before.cells == grown.cells[:4]
    assert len(grown.cells) == len(land.cells) + 2
    assert land.cells[-1] in grown.cells
    assert not any((*before.broken, *land.broken, *grown.broken))
    buried = [land.at[cell][-2] for cell in land.cells[-1]]
    assert [field.what for field in buried].count("volcano") == 2
    assert buried[0].what == "volcano"
    assert {land.top(cell).level for cell in land.cells[-1]} == {2}
    assert {before.cell(middle) for middle in stage(0).hexagons} == {*land.cells[-1]}


def test_each_thing_not_allowed_breaks_its_rule_alone() -> None:
    shown, pairs = figure(RULES, NOT_ALLOWED), figure(RULES, PAIRS)
    (same, _), wrongs = eruptions()
    on_field, hanging = (Island(laid) for laid in wrongs)
    assert len([cell for cell in hanging.cells[-1] if len(hanging.at[cell]) == 1]) == 1
    assert Island(same).broken == [set(), {"same direction"}]
    assert on_field.broken == [set(), set(), {"no volcano"}]
    assert hanging.broken == [set(), set(), {"empty space"}]
    assert [name for name, _ in shown.marks] == ["volcano on a field", "empty space below"]
    assert [kind for kind, _ in shown.signs] == ["cross", "cross"]
    assert [name for name, _ in pairs.marks] == ["same direction", "another direction"]
    assert [kind for kind, _ in pairs.signs] == ["cross", "tick"]


@pytest.mark.parametrize("caption", [PAIRS, NOT_ALLOWED, BURYING])
def test_signs_hide_nothing(caption: str) -> None:
    shown = figure(RULES, caption)
    assert shown.signs
    for tile in shown.of("tiles"):
        up = LAYER * max(0, tile.level - 1)
        middles = [(x, y - up) for _, (x, y) in hexagons(tile)]
        assert all(dist(at, middle) > RADIUS for _, at in shown.signs for middle in middles)


def test_a_sign_stands_between_a_tile_and_the_new_one() -> None:
    shown = figure(RULES, PAIRS)
    for (old, new), (_, (x, _)) in zip(islands(shown), shown.signs, strict=True):
        (_, (left, _)), (_, (right, _)) = hexagons(old)[0], hexagons(new)[0]
        assert x == pytest.approx((left + right) / 2, abs=1.0)


@pytest.mark.parametrize(("caption", "tiles"), [("A tile. The arrow", 1), (PAIRS, 4)])
def test_arrows_are_the_directions_of_volcanoes(caption: str, tiles: int) -> None:
    """Through the middle of the volcano, toward the point that its tile's hexagons share."""
    shown = figure(RULES, caption)
    directions = [arrow for arrow in shown.arrows if not is_long(arrow)]
    assert len(directions) == tiles
    for tile, (start, end) in zip(shown.of("tiles"), directions, strict=True):
        middles = [middle for _, middle in hexagons(tile)]
        shared = tuple(sum(values) / 3 for values in zip(*middles, strict=True))
        assert dist(start, middles[0]) < dist(end, middles[0]) < RADIUS
        for a, b in ((start, middles[0]), (middles[0], end), (end, shared)):
            along = atan2(b[1] - a[1], b[0] - a[0])
            assert along == pytest.approx(radians(tile.turn + 90 - 360 * (tile.turn > 90)), abs=0.1)


def is_long(arrow: tuple[Point, Point]) -> bool:
    return dist(*arrow) > ACROSS


def test_a_long_arrow_goes_from_the_new_volcano_to_the_one_to_bury() -> None:
    shown = figure(RULES, PAIRS)
    arrows = [arrow for arrow in shown.arrows if is_long(arrow)]
    for tiles, ends in zip(islands(shown), arrows, strict=True):
        middles = [hexagons(tile)[0][1] for tile in reversed(tiles)]
        for end, middle in zip(ends, middles, strict=True):
            assert ACROSS / 2 < dist(end, middle) < RADIUS + 2.0  # beside it: nothing is hidden


def test_levels_are_true() -> None:
    shown = stage(2)
    told = levels(shown)
    assert all(number == level for number, level in told)
    assert {number for number, _ in told} == {1, 2, 3}
    land = island(shown)
    (below, level), *others = {(land.at[cell][-2].level, land.top(cell).level) for cell in land.cells[-1]}
    assert not others
    assert f"a tile on level {below} tiles is on level {level}." in shown.caption


def test_terrains_are_named() -> None:
    shown = figure(RULES, "The five terrains.")
    land = island(shown)
    assert [name for name, _ in shown.marks] == list(TERRAINS)
    for name, (x, y) in shown.marks:
        sides = (land.near((x + side * ACROSS / 2, y)) for side in (-1, 1))
        assert [land.top(cell).what for cell in sides] == [name, name]


@pytest.mark.parametrize("game", ["taluva", "taluva-60"])
def test_most_tiles_have_two_terrains(game: str) -> None:
    tiles = [piece.row for piece in pipeline.read(game).game.components[0].copies()]
    assert len([row for row in tiles if row["left"] != row["right"]]) > 0.8 * len(tiles)
    assert "Most tiles have fields of two terrains." in RULES


def test_the_players_are_named() -> None:
    """By the colour and the mark of their huts, which stand above the names."""
    shown = figure_without_caption(RULES, "size 250 28")
    huts = next(component for component in pipeline.read("taluva").game.components if component.id == "huts")
    assert [lying.piece for lying in shown.laid] == [piece.id for piece in huts.pieces]
    settings = tomllib.loads((TEMPLATES / "taluva" / "game.toml").read_text("utf-8"))
    (front,) = (setting["front"] for setting in settings["component"] if setting["id"] == "huts")
    told = [f"{player}: {mark}" for player, mark in front["marks"].items()]
    assert [name for name, _ in shown.marks] == told
    assert [f"{name.partition(':')[0]}-hut" for name in told] == [lying.piece for lying in shown.laid]
    assert all(0 < at[0] - lying.x < 20 for lying, (_, at) in zip(shown.laid, shown.marks, strict=True))


class Built(NamedTuple):
    """Red's buildings on an island, by cell; the new ones are in hexagons."""

    land: Island
    kinds: dict[Cell, str]
    new: list[Cell]

    def settlement_beside(self, cell: Cell) -> set[Cell]:
        """The fields of the settlements that touch a cell, without the new buildings."""
        old = set(self.kinds) - set(self.new)
        found = set(neighbours(cell)) & old
        while more := {near for sign in found for near in neighbours(sign)} & old - found:
            found |= more
        return found


def built() -> list[Built]:
    """The islands of the figure of three turns: for a hut, a temple, a tower."""
    shown = figure(RULES, "Three turns of red")
    found = []
    for some in islands(shown):
        land = Island(some)
        assert not any(land.broken)
        kinds = {
            cell: kind
            for kind, (x, y) in FEET.items()
            for lying in shown.of(kind)
            if (cell := land.around((lying.x + x, lying.y + y))) is not None
        }
        new = [cell for at in shown.hexagons if (cell := land.around(at)) is not None]
        found.append(Built(land, kinds, new))
    assert {lying.piece.partition("-")[0] for kind in FEET for lying in shown.of(kind)} == {"red"}
    return found


TEMPLE = "a temple: beside a settlement of three fields"
# The middle of a building's foot in its picture.
FEET = {"huts": (9.8, 12.5), "towers": (8.96, 32.6), "temples": (16.54, 21.2)}


def test_buildings_stand_as_the_rules_say() -> None:
    places = built()
    first, second, third = places
    (hut,), (temple,), (tower,) = (place.new for place in places)
    for place, kind in zip(places, ("huts", "temples", "towers"), strict=True):
        (cell,) = place.new
        assert place.kinds[cell] == kind
        assert place.land.top(cell).what in TERRAINS
        assert all(  # a hut alone on a field: the fields are on level 1
            place.land.top(at).level == 1 for at, kind in place.kinds.items() if kind == "huts"
        )
    assert first.land.top(hut).level == 1
    assert first.kinds.keys() > {hut}
    assert not first.settlement_beside(hut)
    beside = second.settlement_beside(temple)
    assert len(beside) == 3
    assert "temples" not in [second.kinds[cell] for cell in beside]
    assert third.land.top(tower).level == 3
    shown = figure(RULES, "Three turns of red")
    assert [third.land.around(at) for name, at in shown.marks if name == "3"] == [tower]
    beside = third.settlement_beside(tower)
    assert beside
    assert "towers" not in [third.kinds[cell] for cell in beside]
    told = [name for name, _ in shown.marks]
    assert told == ["a hut: level 1", TEMPLE, "3", "a tower: level 3"]


def test_expansion_takes_every_jungle_beside_the_hut() -> None:
    shown = figure(RULES, EXPANSION)
    land = island(shown)
    (hut,) = shown.of("huts")
    home = land.near((hut.x + 9.8, hut.y + 8.46))  # the middle of a hut that stands
    assert land.top(home).what != "volcano"
    jungle = {cell for cell in land.at if land.top(cell).what == "jungle"}
    taken = jungle & set(neighbours(home))
    assert taken == {land.cell(at) for at in shown.hexagons}
    assert jungle == {land.cell(at) for _, at in cards(shown)}
    assert all(number == level for number, level in levels(shown))
    levels_taken = {cell: number for number, at in cards(shown) if (cell := land.cell(at)) in taken}
    assert pointed_at(shown, land) == levels_taken
    terms, total = re.findall(r"(\d[\d +]+) = (\d+) huts", shown.caption)[0]
    counted = sorted(int(term) for term in terms.split("+"))
    assert (counted, int(total)) == (sorted(levels_taken.values()), sum(counted))
    assert len(counted) == 3
    (other,) = jungle - taken
    assert "The jungle at the right does not touch it" in shown.caption
    assert land.middle(other)[0] > max(land.middle(cell)[0] for cell in taken)


def pointed_at(shown: Figure, land: Island) -> dict[Cell, int]:
    """The numbers of huts, by the cell that the arrow beside each points at."""
    told = {}
    for start, end in shown.arrows:
        words, _ = min((mark for mark in shown.marks if "hut" in mark[0]), key=lambda sign: dist(sign[1], start))
        number = int(words.partition(" ")[0])
        assert words == f"{number} hut{'s' if number > 1 else ''}"
        told[land.near(end)] = number
    return told


def test_a_tile_upright_and_turned() -> None:
    """The frame of these tests: the volcano is on top, its lava flows down."""
    upright = Laid("jungle-lake", False, 0.0, 0.0, 0, False, "tiles")
    assert [name for name, _ in hexagons(upright)] == ["volcano", "lake", "jungle"]
    volcano, right, left = (middle for _, middle in hexagons(upright))
    assert volcano[1] < right[1] == pytest.approx(left[1])
    assert left[0] < right[0]
    assert dist(volcano, right) == pytest.approx(ACROSS)
    lying = [middle for _, middle in hexagons(upright._replace(turn=120))]
    assert lying[0][0] > lying[1][0]
    assert lying[0][1] > lying[2][1]
