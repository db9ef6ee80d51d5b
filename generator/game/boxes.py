"""A [[box]] for the components of a game: what it holds, and its nets."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import permutations
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, did_you_mean, quote
from generator.basics.geometry import HAIR
from generator.basics.keys import KeyPath, Keys
from generator.basics.papers import Paper
from generator.basics.phrases import Phrases
from generator.game.spec import Source
from generator.layout.folds import put_away
from generator.layout.nets import Net
from generator.layout.solids import LEAST_DEPTH, envelope, tray, tuckbox
from generator.model import Component, Design, Piece, Renderer, divided
from generator.tables.fields import FoldLength, Length, Name, Text

RENDERER = "net.panels"  # [[box]] also takes its options
BLEED = 1.5  # mm
CARD = 0.3  # mm, the thickness of the box's own paper
LAYERS = (2, 5, 3)  # of card across the width, the height (lid, flaps, bottom), the depth (a tab)
MOST_STACKS = 6  # of the pieces of one component
_KEPT = 40  # the best arrangements so far, to which the next component is added
_TAB = 15.0  # mm, about: the tabs and flaps of a net beside its walls
TITLING = ("title", "titles", "title_font")
_EASE = 0.4  # mm between a tray and its lid, both sides together
_LEAST_DEEP = 8.0  # mm: a lower wall cannot be folded
_LEAST_WALL = 20.0  # mm, wide and high: a smaller wall cannot be folded
_SLIMMEST = 4.0  # times as high as wide: fingers reach to the bottom of no slimmer box
_SAFE = 0.0  # a pattern that bleeds is always near the cut


class BoxTable(Keys, frozen=True, kw_only=True):
    """[[box]]: a box for pieces; it also takes the options of net.panels"""

    kind: Literal["tuckbox", "lid", "tray", "envelope"] = "tuckbox"
    id: Name = "box"
    holds: list[Name] | None = None
    thickness: Length = 0.3
    room: Length = 1.0
    split: Annotated[int, Meta(ge=1, le=20)] = 1
    paper: Text | None = None
    lid: FoldLength | None = None


class WantedBox(Struct, frozen=True):
    """A validated [[box]]."""

    table: BoxTable
    face: Renderer
    path: KeyPath
    paper: Paper | None


def make_boxes(
    source: Source, boxes: Sequence[WantedBox], components: Sequence[Component], phrases: Phrases
) -> list[Design]:
    """The boxes around components. Reports every box that cannot be made."""
    designs: list[Design] = []
    taken = {component.id for component in components}
    for wanted_box in boxes:
        if wanted_box.table.id in taken:
            continue  # reported before
        taken.add(wanted_box.table.id)
        place = source.place(wanted_box.path)
        if made := source.collect(box, wanted_box.table, components, place, phrases, at=place):
            designs.append(Design(replace(made, paper=wanted_box.paper), wanted_box.face))
    return designs


class PieceBlock(NamedTuple):
    """Stacks of pieces: the size of all together in mm, the shortest side first."""

    depth: float
    width: float
    height: float
    stacks: int


class PieceStack(Struct, frozen=True):
    """Equal pieces: the width, height and thickness of one in mm, and their number."""

    width: float
    height: float
    pieces: int
    thickness: float


def box(table: BoxTable, components: Sequence[Component], place: Place, phrases: Phrases) -> Component:
    """Makes a box. Raises MisfitError if it holds nothing, or pieces that are not flat."""
    lots = []
    for part in divided(held(table, components)):
        (width, height), layers = put_away(part.shape)
        count = -(-len(part.copies()) // table.split)
        lots.append(PieceStack(width, height, count, layers * table.thickness))
    is_only = table.id == "box"
    title = phrases.say("box.title") if is_only else phrases.say("box.named", name=table.id)
    shapes = wrap(smallest(lots), table)
    pieces = tuple(
        Piece(f"{table.id}{name}", {}, table.split, place, shape=shape if name else None)
        for name, shape in shapes.items()
    )
    return Component(
        id=table.id,
        title=title if len(shapes) == 1 else phrases.say("box.parts", title=title),
        shape=max(shapes.values(), key=lambda shape: max(shape.size)),
        corner_radius=0.0,
        bleed=BLEED,
        back_bleed=BLEED,
        safe=_SAFE,
        cuts="double",
        columns={"front": ()},
        pieces=pieces,
        place=place,
    )


def held(table: BoxTable, components: Sequence[Component]) -> list[Component]:
    """The components in a box. Raises MisfitError if there are none or one is not flat."""
    flat = {component.id: component for component in components if component.shape.kind != "net"}
    for name in table.holds or ():
        if name not in flat:
            is_there = any(name == component.id for component in components)
            what = "is not flat" if is_there else "is not a component"
            raise MisfitError(f"holds: {quote(name)} {what}", did_you_mean(name, flat))
    names = flat if table.holds is None else dict.fromkeys(table.holds)
    if not names:
        raise MisfitError("there is nothing for the box to hold", "list flat components")
    return [flat[name] for name in names]


def wrap(block: PieceBlock, table: BoxTable) -> dict[str, Net]:
    """The nets that hold a block, by what their names add to that of the box."""
    if table.kind == "tuckbox":
        return {"": around(block, table.room)}
    width, high = (max(side + 2 * CARD + table.room, _LEAST_WALL) for side in (block.width, block.height))
    deep = max(block.depth + CARD + table.room, _LEAST_DEEP)
    if table.kind == "envelope":
        out = max(_LEAST_DEEP, high / 4)
        return {"": envelope(width + block.depth, high + block.depth, out)}
    if table.kind == "tray":
        return {"": tray(high, width, deep)}
    past = 2 * CARD + _EASE
    lid = tray(high + past, width + past, table.lid or max(deep / 2, _LEAST_DEEP), is_lid=True)
    return {"-lid": lid, "-tray": tray(high, width, deep)}


def around(block: PieceBlock, room: float = 0.0) -> Net:
    """The box that has room for a block."""
    across, up, deep = (layers * CARD + room for layers in LAYERS)
    return tuckbox(
        max(block.width + across, _LEAST_WALL),
        max(block.height + up, _LEAST_WALL),
        max(block.depth + deep, LEAST_DEPTH),
    )


def smallest(lots: Iterable[PieceStack]) -> PieceBlock:
    """Arranges all pieces so that their box takes the least paper. Every stack adds a fifth to
    it, and so much more the slimmer a box is than one that is filled with ease.

    The pieces of a lot form up to six stacks side by side, in rows and columns. Lots lie next to or on top of each
    other, turned any way. The depth of the box is the shortest side of the block, its height the longest.
    """
    first, *others = lots
    blocks = nsmallest(_KEPT, set(_stacks(first)), key=_cost)
    for lot in others:
        stacks = set(_stacks(lot))
        joined = {joint for block in blocks for stack in stacks for joint in _join(block, stack)}
        blocks = nsmallest(_KEPT, joined, key=_cost)
    return blocks[0]


def _cost(block: PieceBlock) -> tuple[float, PieceBlock]:
    across = 2 * (block.width + block.depth) + _TAB
    up = block.height + 2 * block.depth + _TAB
    slim = max(block.height / _SLIMMEST, block.width) / max(block.width, HAIR)
    return round(across * up * (1 + block.stacks / 5) * slim, 3), block


def _stacks(lot: PieceStack) -> Iterator[PieceBlock]:
    for stacks in range(1, min(MOST_STACKS, lot.pieces) + 1):
        high = -(-lot.pieces // stacks) * lot.thickness
        for columns in (n for n in range(1, stacks + 1) if stacks % n == 0):
            yield _block(columns * lot.width, stacks // columns * lot.height, high, stacks)


def _join(one: PieceBlock, other: PieceBlock) -> Iterator[PieceBlock]:
    """Two blocks side by side, along each axis, with the other turned each way."""
    a, b, c, stacks = *one[:3], one.stacks + other.stacks
    for x, y, z in permutations(other[:3]):
        yield _block(a + x, max(b, y), max(c, z), stacks)
        yield _block(max(a, x), b + y, max(c, z), stacks)
        yield _block(max(a, x), max(b, y), c + z, stacks)


def _block(a: float, b: float, c: float, stacks: int) -> PieceBlock:
    depth, width, height = sorted((a, b, c))
    return PieceBlock(depth, width, height, stacks)
