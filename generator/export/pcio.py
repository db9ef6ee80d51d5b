"""Take a kit, make a room of playingcards.io: piles of cards, boards, a hand.

Every piece is a card, since only cards have pictures of their own on both sides. Its picture is
transparent around the piece. The table is 1600 x 1000 pixels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Annotated, Any

from msgspec import Meta, Struct
from PIL import Image

from generator.basics.errors import fail
from generator.basics.geometry import Size, decimal
from generator.basics.keys import Keys
from generator.basics.place import Place
from generator.export.archive import archive
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import encode_png, name_by_content
from generator.export.table import PieceSet, RulePages, TablePiece, picture_rules, picture_sets

Widget = dict[str, Any]

MOST_BYTES = 2 * 1024 * 1024 - 1  # of a picture: VirtualTabletop leaves out larger ones
_TABLE = Size(1600.0, 800.0)  # above the hand
_HAND = {"id": "hand", "type": "hand", "x": 50, "y": 820, "z": 1, "width": 1500, "height": 180}
_LARGEST = 1.62  # pixels per mm: a poker card is 103 pixels wide
_SMALLER = 0.94  # of one scale to the next that is tried
_SMALLEST = 0.2
_RIM = 4.0  # of a pile around its cards
_GAP, _LABEL, _BUTTON = 20.0, 30.0, 40.0
_SHRINK = 0.8


class PlayingCards(Keys, frozen=True, kw_only=True):
    """GAME.pcio, a room of playingcards.io, which virtualtabletop.io also reads."""

    dpi: Annotated[int, Meta(ge=50, le=600)] = 150

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        sets = list(picture_sets(kit, self.dpi))
        room = _Widgets()
        stacks = [_stack_of(one) for one in sets]
        if rules := picture_rules(kit, self.dpi):
            stacks.append(_stack_of_rules(rules))
        for stack, spot in zip(stacks, _arrange(kit, stacks), strict=True):
            room.put(stack, spot)
        yield ExportedFile(f"{kit.game.name}.pcio", room.save())


class _Stack(Struct, frozen=True):
    """Pieces that lie in one place; their pictures show `size` (mm)."""

    title: str
    pieces: Sequence[TablePiece]
    size: Size
    is_board: bool = False
    is_face_up: bool = True
    has_shuffle: bool = False


class _WidgetSpot(Struct, frozen=True):
    """The top left corner of a stack on the table and its size, in pixels."""

    x: float
    y: float
    size: Size


def _stack_of(one: PieceSet) -> _Stack:
    title = one.component.title
    many = one.component.has_back and one.copies > 1
    return _Stack(title, one.pieces, one.size, one.is_board, not one.is_secret, has_shuffle=many)


def _stack_of_rules(rules: RulePages) -> _Stack:
    """A card for each page, to be enlarged: no board with legible pages fits on the table."""
    pieces = [
        TablePiece(str(number), f"Rules {number}", 1, page, page)
        for number, page in enumerate(rules.pictures, 1)
    ]
    return _Stack("Rules", pieces, rules.size)


def _arrange(kit: Kit, stacks: Sequence[_Stack]) -> list[_WidgetSpot]:
    """Rows of stacks at the largest scale at which all fit. Raises PnpError if none does."""
    scale = _LARGEST
    while scale > _SMALLEST:
        if spots := _in_rows(stacks, scale):
            return spots
        scale *= _SMALLER
    what = f"the {len(stacks)} stacks of {kit.game.title} do not fit on the table"
    raise fail(Place("--to pcio"), what, "split the game, or make its pieces smaller")


def _in_rows(stacks: Sequence[_Stack], scale: float) -> list[_WidgetSpot]:
    """A spot for each stack; none if they are too many."""
    spots, x, y, below = [], _GAP, _LABEL, 0.0
    for stack in stacks:
        size = Size(*(side * scale + 2 * _RIM for side in stack.size))
        if x + size.width + _GAP > _TABLE.width:
            x, y, below = _GAP, below + _LABEL, 0.0
        spots.append(_WidgetSpot(x, y, size))
        x += size.width + _GAP
        below = max(below, y + size.height + _BUTTON)
        if below > _TABLE.height or x > _TABLE.width:
            return []
    return spots


class _Widgets:
    """Collects widgets and their pictures."""

    def __init__(self) -> None:
        self._widgets: list[Widget] = [dict(_HAND)]
        self._files: dict[str, bytes] = {}
        self._numbers = count(1)

    def put(self, stack: _Stack, spot: _WidgetSpot) -> None:
        if stack.is_board:
            picture = self._picture(stack.pieces[0].front)
            self._add("board", spot, spot.size, boardImage=picture)
            return
        label = {"label": stack.title, "hasShuffleButton": stack.has_shuffle}
        pile = self._add("cardPile", spot, spot.size, **label)
        inner = _WidgetSpot(spot.x + _RIM, spot.y + _RIM, _within(spot.size))
        deck = self._add("cardDeck", inner, inner.size, parent=pile, **self._deck(stack, inner))
        for piece in reversed(stack.pieces):  # the first lies on top
            how = {"deck": deck, "cardType": piece.id, "faceup": stack.is_face_up}
            for _ in range(piece.copies):
                self._add("card", inner, inner.size, parent=pile, **how)

    def save(self) -> bytes:
        widgets = json.dumps(self._widgets, indent=1, ensure_ascii=False).encode()
        files = {f"userassets/{name}": self._files[name] for name in sorted(self._files)}
        return archive({"widgets.json": widgets, **files})

    def _deck(self, stack: _Stack, inner: _WidgetSpot) -> Widget:
        return {
            "cardWidth": _pixels(inner.size.width),
            "cardHeight": _pixels(inner.size.height),
            "cardTypes": {
                piece.id: {
                    "label": piece.name,
                    "front": self._picture(piece.front),
                    "back": self._picture(piece.back),
                }
                for piece in stack.pieces
            },
            "faceTemplate": _template("front", inner.size),
            "backTemplate": _template("back", inner.size),
            "enlarge": True,
        }

    def _add(self, kind: str, spot: _WidgetSpot, size: Size, **more: object) -> str:
        number = next(self._numbers)
        id_ = f"{kind}{number}"
        place = {"x": _pixels(spot.x), "y": _pixels(spot.y), "z": number}
        sides = {"width": _pixels(size.width), "height": _pixels(size.height)}
        sides = {} if kind in ("card", "cardDeck") else sides
        self._widgets.append({"id": id_, "type": kind, **place, **sides, **more})
        return id_

    def _picture(self, image: Image.Image) -> str:
        content = encode_png(image)
        while len(content) > MOST_BYTES:
            width, height = (max(int(side * _SHRINK), 1) for side in image.size)
            image = image.resize((width, height), Image.Resampling.LANCZOS)
            content = encode_png(image)
        name = name_by_content(content, "png")
        self._files[name] = content
        return f"package://userassets/{name}"


def _template(column: str, size: Size) -> Widget:
    """A side of a card: the picture in a column of its type."""
    picture = {"type": "image", "valueType": "dynamic", "value": column, "color": "transparent"}
    box = {"x": 0, "y": 0, "w": _pixels(size.width), "h": _pixels(size.height)}
    return {"includeBorder": False, "includeRadius": False, "objects": [picture | box]}


def _within(size: Size) -> Size:
    return Size(size.width - 2 * _RIM, size.height - 2 * _RIM)


def _pixels(length: float) -> float:
    return float(decimal(length, 1))
