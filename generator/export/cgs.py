"""Take a kit, make a game of Card Game Simulator: its flat pieces as cards, decks of them, boards.

The folder is laid out as that program keeps a game, so it may be put on the web or copied.
All cards of a game have one size there, so the picture of a smaller piece has a transparent border.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta
from PIL import Image

from generator.basics.errors import fail
from generator.basics.geometry import Size, decimal
from generator.basics.keys import Keys
from generator.basics.place import Place
from generator.basics.units import MM_PER_INCH
from generator.export.addresses import check_address
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import encode_png, print_rules
from generator.export.table import PieceSet, TablePiece, picture_sets

_CARD_BACK, _RULES = "CardBack.png", "rules.pdf"
_BACK_FACE = "_b"  # after the id of a card: its back, if it has its own
_TURN, _TURN_OF_HEXAGONS = 90, 60  # degrees


class CardGameSimulator(Keys, frozen=True, kw_only=True):
    """cgs/cgs.json with the cards, decks, backs and boards beside it, and the rules as a PDF.

    `base_url` is where the folder will be; the default is a server on your own computer.
    """

    dpi: Annotated[int, Meta(ge=50, le=600)] = 200
    base_url: str = "http://localhost:8000/"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        base = check_address("cgs", self.base_url)
        sets = [one for one in picture_sets(kit, self.dpi) if not one.is_folded]
        decks = [one for one in sets if not one.is_board]
        if not decks:
            what = f"{kit.game.title} has no cards: all its pieces are folded, or boards"
            raise fail(Place("--to cgs"), what, "Card Game Simulator plays with flat pieces")
        collected = _Collected(decks)
        for board in sets:
            if board.is_board:
                collected.add_board(board)
        collected.add_rules(kit)
        collected.files["AllCards.json"] = _encode(collected.cards)
        collected.files["cgs.json"] = _encode(collected.describe(kit, base))
        for path, content in collected.files.items():
            yield ExportedFile(f"cgs/{path}", content)


class _Collected:
    """The files of a game and its lists."""

    def __init__(self, decks: Sequence[PieceSet]) -> None:
        widths, heights = zip(*(one.size for one in decks), strict=True)
        self._card = Size(max(widths), max(heights))
        self.files: dict[str, bytes] = {}
        self.cards: list[dict[str, Any]] = []
        self._decks: dict[str, str] = {}  # the file of each, by its name
        self._backs: list[str] = []
        self._boards: list[PieceSet] = []
        for one in decks:
            self._add_deck(one)

    def _add_deck(self, one: PieceSet) -> None:
        id_ = one.component.id
        if not one.has_own_backs:
            self._add_back(id_, self._frame(one, one.pieces[0].back))
        lines = []
        for number, piece in enumerate(one.pieces, 1):
            self._add_card(one, piece, f"{id_}-{number}")
            lines.append(f"{piece.copies} [{id_}-{number}] {piece.name}\n")
        self._decks[id_] = f"decks/{id_}.txt"
        self.files[self._decks[id_]] = "".join(lines).encode()

    def _add_card(self, one: PieceSet, piece: TablePiece, id_: str) -> None:
        set_, faces = one.component.id, {id_: piece.front}
        card: dict[str, Any] = {"id": id_, "name": piece.name, "set": set_}
        card["setname"] = one.component.title
        if one.has_own_backs:
            faces[f"{id_}{_BACK_FACE}"] = piece.back
            card["backName"] = f"{piece.name}, back"
        else:
            card["backs"] = [set_]
        self.cards.append(card)
        for name, image in faces.items():
            self.files[f"sets/{set_}/{name}.png"] = encode_png(self._frame(one, image))

    def _add_back(self, id_: str, image: Image.Image) -> None:
        content = encode_png(image)
        self.files[f"backs/{id_}.png"] = content
        self.files.setdefault(_CARD_BACK, content)
        self._backs.append(id_)

    def add_board(self, one: PieceSet) -> None:
        self._boards.append(one)
        content = encode_png(one.pieces[0].front)
        self.files[f"boards/{one.component.id}.png"] = content

    def add_rules(self, kit: Kit) -> None:
        if content := print_rules(kit):
            self.files[_RULES] = content

    def describe(self, kit: Kit, base: str) -> dict[str, Any]:
        """What cgs.json says."""
        game = kit.game
        decks = [{"name": name, "url": base + path} for name, path in self._decks.items()]
        described: dict[str, Any] = {
            "name": game.title,
            "autoUpdateUrl": f"{base}cgs.json",
            "copyright": game.designer,
            "allCardsUrl": f"{base}AllCards.json",
            "cardImageUrl": base + "sets/{cardSet}/{cardId}.{cardImageFileType}",
            "cardImageFileType": "png",
            "cardBackImageFileType": "png",
            "cardSize": _inches(*self._card),
            "cardNameBackIdentifier": "backName",
            "cardNameIsUnique": False,
            "deckFileType": "txt",
            "deckFileTxtId": "id",
            "deckUrls": decks,
            "gameStartDecks": decks,
            "gameCardRotationDegrees": _turn(kit),
            "gameDefaultCardAction": "flip",
        }
        return described | self._pictures(base)

    def _pictures(self, base: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if _RULES in self.files:
            found["rulesUrl"] = base + _RULES
        if self._backs:
            found["cardBackImageUrl"] = base + _CARD_BACK
            urls = [{"id": one, "url": f"{base}backs/{one}.png"} for one in self._backs]
            found["cardBackFaceImageUrls"] = urls
        if self._boards:
            ids = [one.component.id for one in self._boards]
            found["gameBoardUrls"] = [{"id": id_, "url": f"{base}boards/{id_}.png"} for id_ in ids]
            found["gameBoardCards"] = [{"card": self.cards[0]["id"], "boards": self._places()}]
        return found

    def _places(self) -> list[dict[str, Any]]:
        """The boards one above the other, from the middle of the table."""
        places, y = [], 0.0
        for one in self._boards:
            corner, size = _inches(-one.size.width / 2, y), _inches(*one.size)
            places.append({"id": one.component.id, "offsetMin": corner, "size": size})
            y += one.size.height + MM_PER_INCH
        return places

    def _frame(self, one: PieceSet, image: Image.Image) -> Image.Image:
        """A picture in the middle of one as large as a card."""
        if one.size == self._card:
            return image
        dots = image.width / one.size.width
        width, height = (max(round(side * dots), 1) for side in self._card)
        framed = Image.new("RGBA", (max(width, image.width), max(height, image.height)))
        left, top = (framed.width - image.width) // 2, (framed.height - image.height) // 2
        framed.paste(image, (left, top))
        return framed


def _turn(kit: Kit) -> int:
    kinds = {component.shape.kind for component in kit.game.components}
    return _TURN_OF_HEXAGONS if kinds & {"hexagon", "trihex"} else _TURN


def _inches(x: float, y: float) -> dict[str, float]:
    return {name: float(decimal(mm / MM_PER_INCH)) for name, mm in (("x", x), ("y", y))}


def _encode(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
