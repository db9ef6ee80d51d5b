"""Exporters for playingcards.io and Card Game Simulator.

A room of playingcards.io has piles of cards, boards, a hand. Every piece is a card, since only cards have pictures of
their own on both sides. Its picture is transparent around the piece. The table is 1600 x 1000 pixels.

A game of Card Game Simulator has flat pieces as cards, decks, boards.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Annotated, Any

from msgspec import Meta, Struct
from PIL import Image

from generator.basics.errors import Place, fail
from generator.basics.geometry import MM_PER_INCH, Size, decimal
from generator.basics.keys import Keys
from generator.basics.writing import archive
from generator.export import pieces as game_pieces
from generator.export.exporter import ExportedFile, Kit, check_address

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
_CARD_BACK, _RULES = "CardBack.png", "rules.pdf"
_BACK_FACE = "_b"  # after the id of a card: its back, if it has its own
_TURN, _TURN_OF_HEXAGONS = 90, 60  # degrees
_HEXAGONAL = {"hexagon", "trihex"}


class PlayingCards(Keys, frozen=True, kw_only=True):
    """GAME.pcio, a room of playingcards.io, which virtualtabletop.io also reads."""

    dpi: Annotated[int, Meta(ge=50, le=600)] = 150

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        sets = list(game_pieces.picture_sets(kit, self.dpi))
        room = _Widgets()
        stacks = [_stack_of(picture_set) for picture_set in sets]
        if rules := game_pieces.picture_rules(kit, self.dpi):
            stacks.append(_stack_of_rules(rules))
        for stack, spot in zip(stacks, _arrange(kit, stacks), strict=True):
            room.put(stack, spot)
        yield ExportedFile(f"{kit.game.name}.pcio", room.save())


class _Stack(Struct, frozen=True):
    """Pieces that lie in one place; their pictures show `size` (mm)."""

    title: str
    pieces: Sequence[game_pieces.TablePiece]
    size: Size
    is_board: bool = False
    is_face_up: bool = True
    has_shuffle: bool = False


class _WidgetSpot(Struct, frozen=True):
    """The top left corner of a stack on the table and its size, in pixels."""

    x: float
    y: float
    size: Size


def _stack_of(piece_set: game_pieces.PieceSet) -> _Stack:
    title = piece_set.component.title
    many = piece_set.component.has_back and piece_set.copies > 1
    return _Stack(
        title, piece_set.pieces, piece_set.size, piece_set.is_board, not piece_set.is_secret, has_shuffle=many
    )


def _stack_of_rules(rules: game_pieces.RulePages) -> _Stack:
    """A card for each page, to be enlarged: no board with legible pages fits on the table."""
    pieces = [
        game_pieces.TablePiece(str(number), f"Rules {number}", 1, page, page)
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
    def __init__(self) -> None:
        self._widgets: list[Widget] = [dict(_HAND)]
        self._files: dict[str, bytes] = {}
        self._numbers = count(1)

    def put(self, stack: _Stack, spot: _WidgetSpot) -> None:
        if stack.is_board:
            picture = self._picture(stack.pieces[0].front)
            self._add("board", spot, boardImage=picture)
            return
        label = {"label": stack.title, "hasShuffleButton": stack.has_shuffle}
        pile = self._add("cardPile", spot, **label)
        size = Size(spot.size.width - 2 * _RIM, spot.size.height - 2 * _RIM)
        inner = _WidgetSpot(spot.x + _RIM, spot.y + _RIM, size)
        deck = self._add("cardDeck", inner, parent=pile, **self._deck(stack, inner))
        for piece in reversed(stack.pieces):  # the first lies on top
            how = {"deck": deck, "cardType": piece.id, "faceup": stack.is_face_up}
            for _ in range(piece.copies):
                self._add("card", inner, parent=pile, **how)

    def save(self) -> bytes:
        widgets = json.dumps(self._widgets, indent=1, ensure_ascii=False).encode()
        files = {f"userassets/{name}": self._files[name] for name in sorted(self._files)}
        return archive({"widgets.json": widgets, **files})

    def _deck(self, stack: _Stack, inner: _WidgetSpot) -> Widget:
        return {
            "cardWidth": _pixels(inner.size.width),
            "cardHeight": _pixels(inner.size.height),
            "cardTypes": {
                piece.id: {"label": piece.name, "front": self._picture(piece.front), "back": self._picture(piece.back)}
                for piece in stack.pieces
            },
            "faceTemplate": _template("front", inner.size),
            "backTemplate": _template("back", inner.size),
            "enlarge": True,
        }

    def _add(self, kind: str, spot: _WidgetSpot, **more: object) -> str:
        number = next(self._numbers)
        id_ = f"{kind}{number}"
        place = {"x": _pixels(spot.x), "y": _pixels(spot.y), "z": number}
        sides = {"width": _pixels(spot.size.width), "height": _pixels(spot.size.height)}
        sides = {} if kind in ("card", "cardDeck") else sides
        self._widgets.append({"id": id_, "type": kind, **place, **sides, **more})
        return id_

    def _picture(self, image: Image.Image) -> str:
        content = game_pieces.encode_png(image)
        while len(content) > MOST_BYTES:
            width, height = (max(int(side * _SHRINK), 1) for side in image.size)
            image = image.resize((width, height), Image.Resampling.LANCZOS)
            content = game_pieces.encode_png(image)
        name = game_pieces.name_by_content(content, "png")
        self._files[name] = content
        return f"package://userassets/{name}"


def _template(column: str, size: Size) -> Widget:
    """A side of a card: the picture in a column of its type."""
    picture = {"type": "image", "valueType": "dynamic", "value": column, "color": "transparent"}
    box = {"x": 0, "y": 0, "w": _pixels(size.width), "h": _pixels(size.height)}
    return {"includeBorder": False, "includeRadius": False, "objects": [picture | box]}


def _pixels(length: float) -> float:
    return float(decimal(length, 1))


class CardGameSimulator(Keys, frozen=True, kw_only=True):
    """cgs/cgs.json with the cards, decks, backs and boards beside it, and the rules as a PDF.

    `base_url` is where the folder will be; the default is a server on your own computer.
    """

    dpi: Annotated[int, Meta(ge=50, le=600)] = 200
    base_url: str = "http://localhost:8000/"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        base = check_address("cgs", self.base_url)
        sets = [flat for flat in game_pieces.picture_sets(kit, self.dpi) if not flat.is_folded]
        decks = [picture_set for picture_set in sets if not picture_set.is_board]
        if not decks:
            what = f"{kit.game.title} has no cards: all its pieces are folded, or boards"
            raise fail(Place("--to cgs"), what, "Card Game Simulator plays with flat pieces")
        collected = _Collected(decks, [picture_set for picture_set in sets if picture_set.is_board])
        if rules := game_pieces.print_rules(kit):
            collected.files[_RULES] = rules
        collected.files["AllCards.json"] = _encode(collected.cards)
        collected.files["cgs.json"] = _encode(collected.describe(kit, base))
        for path, content in collected.files.items():
            yield ExportedFile(f"cgs/{path}", content)


class _Collected:
    def __init__(self, decks: Sequence[game_pieces.PieceSet], boards: Sequence[game_pieces.PieceSet]) -> None:
        widths, heights = zip(*(deck.size for deck in decks), strict=True)
        self._card = Size(max(widths), max(heights))
        self.files: dict[str, bytes] = {}
        self.cards: list[dict[str, Any]] = []
        self._decks: dict[str, str] = {}  # the file of each, by its name
        self._backs: list[str] = []
        self._boards = boards
        for deck in decks:
            self._add_deck(deck)
        for board in boards:
            self.files[f"boards/{board.id}.png"] = game_pieces.encode_png(board.pieces[0].front)

    def _add_deck(self, piece_set: game_pieces.PieceSet) -> None:
        id_ = piece_set.id
        if not piece_set.has_own_backs:
            back = game_pieces.encode_png(self._frame(piece_set, piece_set.pieces[0].back))
            self.files[f"backs/{id_}.png"] = back
            self.files.setdefault(_CARD_BACK, back)
            self._backs.append(id_)
        lines = []
        for number, piece in enumerate(piece_set.pieces, 1):
            self._add_card(piece_set, piece, f"{id_}-{number}")
            lines.append(f"{piece.copies} [{id_}-{number}] {piece.name}\n")
        self._decks[id_] = f"decks/{id_}.txt"
        self.files[self._decks[id_]] = "".join(lines).encode()

    def _add_card(self, piece_set: game_pieces.PieceSet, piece: game_pieces.TablePiece, id_: str) -> None:
        set_, faces = piece_set.id, {id_: piece.front}
        card: dict[str, Any] = {"id": id_, "name": piece.name, "set": set_}
        card["setname"] = piece_set.component.title
        if piece_set.has_own_backs:
            faces[f"{id_}{_BACK_FACE}"] = piece.back
            card["backName"] = f"{piece.name}, back"
        else:
            card["backs"] = [set_]
        self.cards.append(card)
        for name, image in faces.items():
            self.files[f"sets/{set_}/{name}.png"] = game_pieces.encode_png(self._frame(piece_set, image))

    def describe(self, kit: Kit, base: str) -> dict[str, Any]:
        """The contents of cgs.json."""
        game = kit.game
        decks = [{"name": name, "url": base + path} for name, path in self._decks.items()]
        kinds = {component.shape.kind for component in game.components}
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
            "gameCardRotationDegrees": _TURN_OF_HEXAGONS if kinds & _HEXAGONAL else _TURN,
            "gameDefaultCardAction": "flip",
        }
        return described | self._pictures(base)

    def _pictures(self, base: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if _RULES in self.files:
            found["rulesUrl"] = base + _RULES
        if self._backs:
            found["cardBackImageUrl"] = base + _CARD_BACK
            urls = [{"id": back, "url": f"{base}backs/{back}.png"} for back in self._backs]
            found["cardBackFaceImageUrls"] = urls
        if self._boards:
            ids = [board.id for board in self._boards]
            found["gameBoardUrls"] = [{"id": id_, "url": f"{base}boards/{id_}.png"} for id_ in ids]
            found["gameBoardCards"] = [{"card": self.cards[0]["id"], "boards": self._places()}]
        return found

    def _places(self) -> list[dict[str, Any]]:
        """The boards one above the other, from the middle of the table."""
        places, y = [], 0.0
        for board in self._boards:
            corner, size = _inches(-board.size.width / 2, y), _inches(*board.size)
            places.append({"id": board.id, "offsetMin": corner, "size": size})
            y += board.size.height + MM_PER_INCH
        return places

    def _frame(self, piece_set: game_pieces.PieceSet, image: Image.Image) -> Image.Image:
        """A picture in the middle of one as large as a card."""
        if piece_set.size == self._card:
            return image
        dots = image.width / piece_set.size.width
        width, height = (max(round(side * dots), 1) for side in self._card)
        framed = Image.new("RGBA", (max(width, image.width), max(height, image.height)))
        left, top = (framed.width - image.width) // 2, (framed.height - image.height) // 2
        framed.paste(image, (left, top))
        return framed


def _inches(x: float, y: float) -> dict[str, float]:
    return {name: float(decimal(mm / MM_PER_INCH)) for name, mm in (("x", x), ("y", y))}


def _encode(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
