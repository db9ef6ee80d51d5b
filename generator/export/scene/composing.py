"""Scenes for a kit whose spec has none: boxes, stacks and the rules in the back, faces in front."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place
from generator.basics.geometry import ORIGIN, Point, Rect
from generator.basics.shapes import box_of
from generator.export.scene.laying import Stock, lay
from generator.export.scene.table import COLOURS, Arrangement, LatticeCell, Scene, SceneGroup
from generator.layout.folds import standing_net
from generator.layout.nets import Net
from generator.model import RULEBOOK, Component, Game, Piece, Side

_TILT = 50.0
_TURNS = (-5.0, 4.0, -3.0, 6.0, -4.0, 3.0)  # degrees, so that nothing lies as if measured
_GAP = 16.0  # mm between groups
_WIDTHS = (240.0, 320.0, 400.0, 500.0, 620.0, 760.0)  # mm, of rows of groups: the best is chosen
_FLAT = 2.1  # the width of a picture, in depths of the table that it shows
_CARD = 45.0  # mm, the longer side of the smallest card; what is smaller is a token
_LARGEST = 160.0  # mm: a larger piece is a board
_FANNED, _SCATTERED, _STANDING = 5, 12, 6  # pieces of a component in the front
_MOST_STACKED = 60
_MOST_PARTS = 12  # components
_AROUND = ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_OF_THREE = ((0, 0, 0), (1, 0, 5), (0, 2, 1))  # the same for trihexes


class _Block(Struct, frozen=True):
    """Groups that lie together, and the box around them."""

    groups: tuple[SceneGroup, ...]
    box: Rect

    def moved(self, x: float, y: float) -> Iterator[SceneGroup]:
        """The groups with the middle of their box at a point."""
        middle = self.box.centre
        for group in self.groups:
            at = Point(group.at.x + x - middle.x, group.at.y + y - middle.y)
            yield replace(group, at=at)


def compose(game: Game, stock: Stock) -> Scene:
    """A scene of all kinds of pieces of a game."""
    parts = [part for part in game.components if any(stock.has((part.id, p.id)) for p in part.pieces)]
    parts = parts[:_MOST_PARTS]
    turns = iter(_TURNS * _MOST_PARTS)
    back = [group for part in parts for group in _in_the_back(part, stock)]
    if stock.has((RULEBOOK, "1")):
        back.append(SceneGroup(((RULEBOOK, "1"),), ORIGIN))
    front = [group for part in parts for group in _in_front(part, stock)]
    placed = [_block(replace(lying, turn=next(turns)), stock) for lying in (*back, *front)]
    arranged = ([*_rows(placed[: len(back)], width), *_rows(placed[len(back) :], width)] for width in _WIDTHS)
    rows = min(arranged, key=_extent)
    return Scene(tuple(_in_rows(rows)), "wood", COLOURS["wood"], _TILT, None, Place(game.name))


def _in_the_back(part: Component, stock: Stock) -> Iterator[SceneGroup]:
    """A box, or the stack of a component's pieces."""
    if net := standing_net(part.shape):
        if _is_box(net):
            yield SceneGroup(((part.id, part.pieces[0].id),), ORIGIN)
        return
    pieces = [(part.id, piece.id) for piece in part.copies() if stock.has((part.id, piece.id))]
    is_small = max(part.size) < _CARD and part.shape.kind not in ("hexagon", "trihex")
    if is_small or len(pieces) < 3:
        return
    side: Side = "back" if part.has_back else "front"
    yield SceneGroup(tuple(pieces[-_MOST_STACKED:]), ORIGIN, side=side, arrange="stack")


def _in_front(part: Component, stock: Stock) -> Iterator[SceneGroup]:
    """Some different faces of a component."""
    pieces = _different(part, stock)
    if net := standing_net(part.shape):
        if not _is_box(net):
            yield _of(part, pieces[:_STANDING], "scatter")
    elif part.shape.kind in ("hexagon", "trihex"):
        places = _AROUND if part.shape.kind == "hexagon" else _OF_THREE
        cells = tuple(LatticeCell(*place) for place in places[: len(pieces)])
        yield replace(_of(part, pieces[: len(cells)], "cells"), cells=cells)
    elif max(part.size) < _CARD:
        yield _of(part, pieces[:_SCATTERED], "scatter")
    elif max(part.size) > _LARGEST or part.shape.kind != "rectangle":
        yield _of(part, pieces[:2], "row")
    else:
        shown = pieces[:: ceil(len(pieces) / _FANNED)]
        is_turned = any(stock.faces[part.id, piece.id, "front"].turn for piece in shown)
        yield _of(part, shown, "row" if is_turned else "fan")


def _of(part: Component, pieces: Sequence[Piece], arrangement: Arrangement) -> SceneGroup:
    names = tuple((part.id, piece.id) for piece in pieces)
    return SceneGroup(names, ORIGIN, arrange=arrangement)


def _different(part: Component, stock: Stock) -> list[Piece]:
    """The pieces with different fronts, from all over the table of the component."""
    faces = {
        stock.faces[part.id, piece.id, "front"].id: piece
        for piece in reversed(part.pieces)
        if stock.has((part.id, piece.id))
    }
    return list(faces.values())[::-1]


def _is_box(net: Net) -> bool:
    return any(panel.name == "tuck" for panel in net.panels)


def _block(group: SceneGroup, stock: Stock) -> _Block:
    laid = lay([group], stock)
    return _Block((group,), box_of(point for piece in laid for point in piece.foot))


def _extent(rows: Sequence[Sequence[_Block]]) -> float:
    """How wide a picture of rows must be, at least."""
    width = max(sum(block.box.width + _GAP for block in row) for row in rows)
    return max(width, sum(max(block.box.height for block in row) + _GAP for row in rows) * _FLAT)


def _rows(blocks: Iterable[_Block], width: float) -> Iterator[list[_Block]]:
    """Blocks in rows that are not wider than `width`, if a block is not."""
    row: list[_Block] = []
    for block in blocks:
        if row and sum(member.box.width + _GAP for member in (*row, block)) > width:
            yield row
            row = []
        row.append(block)
    if row:
        yield row


def _in_rows(rows: Sequence[Sequence[_Block]]) -> Iterator[SceneGroup]:
    """The groups of each row side by side, the rows one before the other."""
    y = 0.0
    for row in rows:
        height = max(block.box.height for block in row)
        x = -(sum(block.box.width + _GAP for block in row) - _GAP) / 2
        for block in row:
            yield from block.moved(x + block.box.width / 2, y + height / 2)
            x += block.box.width + _GAP
        y += height + _GAP
