"""Scenes for a kit whose spec has none: boxes, stacks and the rules in the back, faces in front."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place
from generator.basics.geometry import ORIGIN, Point, Rect
from generator.basics.shapes import box_of
from generator.export.scene.laying import Stock, lay
from generator.export.scene.table import COLOURS, Arrangement, Caption, LatticeCell, Scene, SceneGroup
from generator.layout.folds import standing_net
from generator.model import RULEBOOK, Component, Game, Piece, Side

_TILT = 50.0
_TURNS = (-5.0, 4.0, -3.0, 6.0, -4.0, 3.0)  # degrees, so that nothing lies as if measured
_GAP = 16.0  # mm between groups
_WIDTHS = (240.0, 320.0, 400.0, 500.0, 620.0, 760.0, 940.0, 1200.0)  # mm, of rows of groups: the best is chosen
_FLAT = 2.1  # the width of a picture, in depths of the table that it shows
_CARD = 45.0  # mm, the longer side of the smallest card; what is smaller is a token
_LARGEST = 160.0  # mm: a larger piece is a board
_FANNED, _SCATTERED, _STANDING = 5, 12, 6  # pieces of a component in the front
_MOST_STACKED = 60
_MOST_PARTS = 12  # components
_AROUND = ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_OF_THREE = ((0, 0, 0), (1, 0, 5), (0, 2, 1))  # the same for trihexes
_FROM_ABOVE = 1.72  # the same, for a steeper look
_CLOSE = 5.0  # mm between pieces that lie apart
_MOST_APART = 16
_LETTERS, _LETTER_WIDE, _LETTER_ROOM = 0.032, 0.55, 2.4  # of what is written: its size, and the room for it


class _Block(Struct, frozen=True):
    """A group, the box around its pieces, and what is written below."""

    group: SceneGroup
    box: Rect
    words: str = ""

    def moved(self, to: Point) -> SceneGroup:
        """The group with the middle of its box at a point."""
        middle = self.box.centre
        return replace(self.group, at=Point(to.x - middle.x, to.y - middle.y))


def compose(game: Game, stock: Stock) -> Scene:
    """A scene of all kinds of pieces of a game."""
    parts = _parts(game, stock)
    turns = iter(_TURNS * _MOST_PARTS)
    back = [group for part in parts for group in _in_the_back(part, stock)]
    if stock.has((RULEBOOK, "1")):
        back.append(SceneGroup(((RULEBOOK, "1"),), ORIGIN))
    front = [group for part in parts for group in _in_front(part, stock)]
    placed = [_block(replace(lying, turn=next(turns)), stock) for lying in (*back, *front)]
    arranged = ([*_rows(placed[: len(back)], width), *_rows(placed[len(back) :], width)] for width in _WIDTHS)
    groups = tuple(block.moved(at) for block, at in _in_rows(min(arranged, key=_extent)))
    return Scene(groups, "wood", COLOURS["wood"], _TILT, None, Place(game.name))


def explode(game: Game, stock: Stock) -> Scene:
    """A scene of all kinds of pieces apart, each above its number and its name."""
    groups = [(_apart(part, stock), f"{len(part.copies())} × {part.title}") for part in _parts(game, stock)]
    if stock.has((RULEBOOK, "1")):
        groups.append((SceneGroup(((RULEBOOK, "1"),), ORIGIN), game.phrases.say("rules.title")))
    blocks = [replace(_block(group, stock), words=words) for group, words in groups]
    size = _LETTERS * sqrt(sum(block.box.width * block.box.height for block in blocks))

    def with_room(block: _Block) -> _Block:
        aside = max(0.0, _LETTER_WIDE * size * len(block.words) - block.box.width) / 2
        x0, y0, x1, y1 = block.box
        return replace(block, box=Rect(x0 - aside, y0, x1 + aside, y1 + _LETTER_ROOM * size))

    blocks = [with_room(block) for block in blocks]
    rows = min((list(_rows(blocks, width)) for width in _WIDTHS), key=lambda rows: _extent(rows, _FROM_ABOVE))
    placed = list(_in_rows(rows))
    down = (_LETTER_ROOM - 1) * size  # from the letters to the end of their room
    spots = [(block.words, Point(at.x, at.y + block.box.height / 2 - down)) for block, at in placed]
    return Scene(
        tuple(block.moved(at) for block, at in placed),
        "linen",
        COLOURS["linen"],
        _TILT,
        None,
        Place(game.name),
        tuple(Caption(words, at, size) for words, at in spots),
    )


def _parts(game: Game, stock: Stock) -> list[Component]:
    parts = [part for part in game.components if any(stock.has((part.id, piece.id)) for piece in part.pieces)]
    return parts[:_MOST_PARTS]


def _apart(part: Component, stock: Stock) -> SceneGroup:
    """Some pieces of a component side by side: all if they are few, or else its different faces."""
    pieces = [piece for piece in part.copies() if stock.has((part.id, piece.id))]
    if len(pieces) > _MOST_APART:
        different = _different(part, stock)[:_MOST_APART]
        pieces = different if len(different) > _MOST_APART / 2 else pieces[:: ceil(len(pieces) / _MOST_APART)]
    width, height = part.size
    columns = ceil(sqrt(len(pieces) * _FLAT * height / width))
    return replace(
        _of(part, pieces, "row"), columns=min(columns, len(pieces)), gap=_CLOSE, lies=_has_panel(part, "tuck")
    )


def _in_the_back(part: Component, stock: Stock) -> Iterator[SceneGroup]:
    """A box, or the stack of a component's pieces."""
    if standing_net(part.shape):
        if _has_panel(part, "tuck"):
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
    if standing_net(part.shape):
        if not _has_panel(part, "tuck"):
            yield _of(part, pieces[:_STANDING], "row" if _has_panel(part, "top", "bottom") else "scatter")
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
    return SceneGroup(tuple((part.id, piece.id) for piece in pieces), ORIGIN, arrange=arrangement)


def _different(part: Component, stock: Stock) -> list[Piece]:
    """The pieces with different fronts, from all over the table of the component."""
    faces = {
        stock.faces[part.id, piece.id, "front"].id: piece
        for piece in reversed(part.pieces)
        if stock.has((part.id, piece.id))
    }
    return list(faces.values())[::-1]


def _has_panel(part: Component, *names: str) -> bool:
    """Whether it is folded and has one of these panels: "tuck" is of a closed box, "top" of a lid."""
    net = standing_net(part.shape)
    return net is not None and any(panel.name in names for panel in net.panels)


def _block(group: SceneGroup, stock: Stock) -> _Block:
    laid = lay([group], stock)
    return _Block(group, box_of(point for piece in laid for point in piece.foot))


def _extent(rows: Sequence[Sequence[_Block]], flat: float = _FLAT) -> float:
    """How wide a picture of rows must be, at least."""
    width = max(sum(block.box.width + _GAP for block in row) for row in rows)
    return max(width, sum(max(block.box.height for block in row) + _GAP for row in rows) * flat)


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


def _in_rows(rows: Sequence[Sequence[_Block]]) -> Iterator[tuple[_Block, Point]]:
    """The blocks of each row side by side, the rows one before the other, and their middles."""
    y = 0.0
    for row in rows:
        height = max(block.box.height for block in row)
        x = -(sum(block.box.width + _GAP for block in row) - _GAP) / 2
        for block in row:
            yield block, Point(x + block.box.width / 2, y + height / 2)
            x += block.box.width + _GAP
        y += height + _GAP
