"""A picture of a kit's game on a table: the Scene to picture, from [scene] of a game.toml."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from typing import Annotated, Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from generator.basics.errors import MisfitError, Place, did_you_mean, quote
from generator.basics.geometry import Point, Rect
from generator.basics.keys import After, Custom, KeyPath, Keys, Reads, Schema, describe
from generator.game.components import RoomTable
from generator.game.spec import Source
from generator.model import RULEBOOK, Component, Side
from generator.tables.fields import Colour, Length, Resources, Text

MOST_PIECES = 300  # in a scene
_MOST_GROUPS = 150
_LEAST_FRAME = 20.0  # mm
_MOST_STEPS = 20
_LAID = 0.3  # mm: a sheet of card, with the glue
Surface = Literal["felt", "linen", "slate", "wood"]
COLOURS: Mapping[Surface, str] = {"felt": "#57695f", "linen": "#cbbfa8", "slate": "#4d5459", "wood": "#a87a50"}
_Name = tuple[str, str]
# side by side; on each other; as held in a hand; on a lattice of hexagons; here and there
Arrangement = Literal["row", "stack", "fan", "cells", "scatter"]


class LatticeCell(Struct, frozen=True):
    """A hexagon of a lattice: its column, its row (each half a hexagon further right), and the
    sixths of a turn of the piece on it."""

    column: int
    row: int
    turns: int = 0


class SceneGroup(Struct, frozen=True):
    """Pieces that are laid out together.

    pieces: component and id of each; ("rules", "3") is page 3 of the rules.
    at:     where the middle of the first piece is, in mm; of a fan, the middle of all.
    turn:   degrees clockwise, of the pieces and of their arrangement.
    gap:    mm between the pieces of a row, and about that of a scatter.
    step:   degrees between neighbours in a fan.
    lift:   mm above what is below.
    thickness: mm of one piece.
    lies:   whether folded pieces lie on their back.
    """

    pieces: tuple[tuple[str, str], ...]
    at: Point
    side: Side = "front"
    arrange: Arrangement = "row"
    turn: float = 0.0
    columns: int | None = None  # of a row that goes on below; None: all beside each other
    gap: float = 3.0
    step: float = 13.0
    cells: tuple[LatticeCell, ...] = ()
    lift: float = 0.0
    thickness: float = 0.3
    lies: bool = False


class Caption(Struct, frozen=True):
    """What is written at a place of the table, its middle there, and its size in mm."""

    words: str
    at: Point
    size: float


class Scene(Struct, frozen=True):
    """Groups in the order in which they are laid down; a later one lies on an earlier one.

    surface, cloth: what the table is made of, and its colour. tilt: degrees by which the camera looks
    down. frame: the part of the table to show, None for all pieces. place: its table in the spec.
    """

    groups: tuple[SceneGroup, ...]
    surface: Surface
    cloth: str
    tilt: float
    frame: Rect | None
    place: Place
    captions: tuple[Caption, ...] = ()


def _cell(value: object) -> LatticeCell:
    steps = value if isinstance(value, list) else []
    is_whole = all(isinstance(step, int) and not isinstance(step, bool) for step in steps)
    if len(steps) not in (2, 3) or not is_whole or max(map(abs, steps)) > _MOST_STEPS:
        what = f"{quote(value)} is not a cell"
        hint = f"its column, its row, and sixths of a turn, -{_MOST_STEPS} to {_MOST_STEPS}"
        raise MisfitError(what, f"{hint}: [1, 0] or [1, 0, 2]")
    return LatticeCell(*steps)


def _frame(frame: tuple[float, float, float, float]) -> Rect:
    rect = Rect(*frame)
    if min(rect.width, rect.height) < _LEAST_FRAME:
        what = "the frame is too small, or its edges are in another order"
        raise MisfitError(what, f"left, far, right, near, {_LEAST_FRAME:g}mm apart or more")
    return rect


_CellList = Custom[
    LatticeCell,
    Reads(_cell),
    Schema(
        {
            "type": "array",
            "items": {"type": "integer", "minimum": -_MOST_STEPS, "maximum": _MOST_STEPS},
            "minItems": 2,
            "maxItems": 3,
        }
    ),
]


_Frame = Custom[tuple[Length, Length, Length, Length], After(_frame)]


class GroupTable(Keys, frozen=True, kw_only=True):
    """[[scene.group]]: pieces that are laid out together"""

    pieces: Annotated[
        list[Text], describe("'cards' for all of them, 'cards/3', or 'rules'", min_length=1, max_length=100)
    ]
    at: Annotated[
        tuple[Length, Length], describe("where the first piece, or the middle of a fan, is: right, and towards you")
    ]
    side: Annotated[Side, describe("'front', or 'back' for pieces that lie face down")] = "front"
    arrange: Annotated[Arrangement, describe("'row', 'stack', 'fan', 'cells' of hexagons, or 'scatter'")] = "row"
    count: (
        Annotated[int, describe("how many pieces; if more than are named, these repeat", ge=1, le=MOST_PIECES)] | None
    ) = None
    turn: Annotated[float, describe("degrees clockwise", ge=-360, le=360)] = 0.0
    columns: Annotated[int, describe("the pieces in a line of a row", ge=1, le=100)] | None = None
    gap: Annotated[Length, describe("the gap between the pieces of a row or a scatter")] = 3.0
    step: Annotated[float, describe("degrees between pieces in a fan", ge=1, le=60)] = 13.0
    cells: Annotated[
        tuple[_CellList, ...],
        describe(
            "for each piece its hexagon: column, row, and sixths of a turn: [[0, 0], [1, 0, 2]]", max_length=MOST_PIECES
        ),
    ] = ()
    lift: Annotated[Length, describe("how far above what is below")] = 0.0
    thickness: Annotated[Length, describe("of a piece: 2mm, if it is glued to board")] = _LAID
    lies: Annotated[bool, describe("true: folded pieces lie on their back")] = False

    def __post_init__(self) -> None:
        if self.cells and self.arrange != "cells":
            raise MisfitError("cells are for arrange = 'cells'", "write it, or leave out cells")
        if self.arrange == "cells" and not self.cells:
            raise MisfitError("the cells are missing", "cells = [[0, 0], [1, 0]]")


class SceneTable(Keys, frozen=True, kw_only=True):
    """[scene]: the picture of the game on a table that `pnp export GAME --to scene` makes"""

    surface: Annotated[Surface, describe("what the table is made of")] = "felt"
    cloth: Annotated[Colour, describe("the colour of the table; without it, the usual one of its surface")] | None = (
        None
    )
    tilt: Annotated[float, describe("degrees by which one looks down; 90 is from above", ge=20, le=90)] = 52.0
    frame: Annotated[_Frame | None, describe("the part of the table to show: its left, far, right and near edge")] = (
        None
    )
    group: Annotated[
        list[GroupTable], describe("[[scene.group]] with pieces and at; a later one lies on an earlier one")
    ]


def _read(source: Source, components: Sequence[Component], resources: Resources) -> Scene | None:
    """Reads the scene; None if the game has none, or if faults are reported."""
    raw, path = source.raw.get("scene"), ("scene",)
    if not isinstance(raw, dict):
        return None
    table = source.validate(SceneTable, raw, path, resources)
    if table is None:
        return None
    if not 1 <= len(table.group) <= _MOST_GROUPS:
        what = f"there are {len(table.group)} groups of pieces"
        source.report(path, what, f"write 1 to {_MOST_GROUPS} [[scene.group]]")
        return None
    before = len(source.problems)
    groups = tuple(_groups(source, table.group, components))
    total = sum(len(group.pieces) for group in groups)
    if total > MOST_PIECES:
        source.report(path, f"the scene has {total:,} pieces", f"at most {MOST_PIECES}")
    if len(source.problems) > before:
        return None
    frame: Any = table.frame  # a Rect, by its validator
    return Scene(groups, table.surface, table.cloth or COLOURS[table.surface], table.tilt, frame, source.place(path))


def _groups(source: Source, tables: Sequence[GroupTable], components: Sequence[Component]) -> Iterator[SceneGroup]:
    known = {component.id: component for component in components}
    for index, table in enumerate(tables):
        path: KeyPath = ("scene", "group", index)
        named = [_find(source, name, (*path, "pieces"), known) for name in table.pieces]
        pieces = [piece for names in named for piece in names]
        if pieces:
            yield _group(table, pieces)


def _group(table: GroupTable, pieces: Sequence[_Name]) -> SceneGroup:
    count = len(table.cells) or table.count or len(pieces)
    laid = {"pieces": tuple(islice(cycle(pieces), count)), "at": Point(*table.at)}
    how = asdict(table) | laid
    del how["count"]
    return SceneGroup(**how)


def _find(source: Source, name: str, path: KeyPath, known: Mapping[str, Component]) -> Sequence[_Name]:
    """The pieces of a name. Reports a name that the game does not have."""
    part, slash, id_ = name.partition("/")
    if part == RULEBOOK and isinstance(source.raw.get("booklet"), dict):
        return [(RULEBOOK, id_ or "1")]
    if part not in known:
        hint = did_you_mean(part, known)
        source.report(path, f"the game has no pieces {quote(part)}", hint)
        return []
    ids = {piece.id: piece.copies for piece in known[part].pieces}
    if not slash:
        return [(part, piece) for piece, copies in ids.items() for _ in range(copies)][:MOST_PIECES]
    if id_ not in ids:
        what = f"there is no piece {quote(id_)} among the {len(ids)} {part}"
        near = "" if id_.isdecimal() else did_you_mean(id_, ids)  # a number is not misspelt
        hint = near or f"if its row is gone, take {quote(name)} out here too"
        source.report(path, what, hint)
        return []
    return [(part, id_)]


SCENE = RoomTable[Scene]("scene", SceneTable, _read)
