"""A module of VASSAL, made of a kit: decks on a table, a hand for each player, the rules.

buildFile.xml and moduledata list the components of a module; vassal.xml has what they have in common. Pieces are as
VASSAL writes them: traits from the outermost to the piece itself, then their states.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Annotated
from xml.etree.ElementTree import Element, SubElement, indent, parse, tostring

from msgspec import Meta
from PIL import Image

from generator.basics.geometry import MM_PER_INCH
from generator.basics.keys import Keys
from generator.basics.writing import archive
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import PieceSet, TablePiece, encode_png, name_by_content, picture_sets, print_rules

_RULES = "rules.pdf"
_WIDE, _HIGH = 750.0, 550.0  # mm of the table, below the decks
_GAP = 12.0  # mm between decks
_SQUARE, _HEXAGON = 90, 60  # degrees of a turn
_BUILD = "VASSAL.build"
_MODULE = f"{_BUILD}.module"
_MAP = f"{_MODULE}.map"

FLIP = "70,130"  # Control F: the code of the key, and of the keys held with it
_TURN = "82,130"  # Control R
_CONTROL = "128"
_TO_PARTS, _TO_TRAITS, _TO_IMAGES, _TO_SECTIONS = ";", "\t", ",", "/"


class VassalModule(Keys, frozen=True, kw_only=True):
    """GAME.vmod, a module of VASSAL 3.6 or later. A piece is as large as on paper at `dpi`."""

    dpi: Annotated[int, Meta(ge=40, le=300)] = 96
    players: Annotated[int, Meta(ge=1, le=12)] = 4

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        module = _Module(kit, self.dpi)
        yield ExportedFile(f"{kit.game.name}.vmod", archive(module.files(self.players)))


class _Module:
    def __init__(self, kit: Kit, dpi: int) -> None:
        self._kit, self._dots = kit, dpi / MM_PER_INCH
        self._sets = list(picture_sets(kit, dpi))
        self._images: dict[str, bytes] = {}
        self._last_id = 0

    def files(self, players: int) -> dict[str, bytes]:
        """The files of the module, by path."""
        game, rules = self._kit.game, print_rules(self._kit)
        root, data = _usual(f"{_BUILD}.GameModule"), _usual("data")
        if rules:
            document = _usual("rules")
            _find(root, f"{_MODULE}.Documentation").append(document[0])
        table = _find(root, f"{_MODULE}.Map")
        high = self._put_piles(table) + _HIGH
        board = _find(table, f".//{_MAP}.boardPicker.Board")
        board.attrib |= {"width": f"{self._pixels(_WIDE)}", "height": f"{self._pixels(high)}"}
        grid = self._grid()
        if grid is not None:
            board.append(grid)
        for side in (f"Player {number}" for number in range(1, players + 1)):
            SubElement(_find(root, f"{_MODULE}.PlayerRoster"), "entry").text = side
            root.append(_hand(side))
        named = {"name": game.title, "description": game.about}
        root.attrib |= named | {"nextPieceSlotId": str(self._last_id + 1)}
        for name, text in named.items():
            _find(data, name).text = text
        found = {"buildFile.xml": _write(root), "moduledata": _write(data)}
        if rules:
            found[_RULES] = rules
        return found | {f"images/{name}": self._images[name] for name in sorted(self._images)}

    def _put_piles(self, table: Element) -> float:
        """Put the piles in rows; returns the height of all rows in mm."""
        x, y, row = _GAP, _GAP, 0.0
        for picture_set in self._sets:
            width, height = picture_set.size
            if x > _GAP and x + width > _WIDE:
                x, y, row = _GAP, y + row + _GAP, 0.0
            middle = self._pixels(x + width / 2), self._pixels(y + height / 2)
            table.extend(self._piles(picture_set, *middle))
            x, row = x + width + _GAP, max(row, height)
        return y + row + _GAP

    def _piles(self, piece_set: PieceSet, x: int, y: int) -> Iterator[Element]:
        """A deck, or boards alone, whose middle is at x, y (pixels)."""
        place = {"name": piece_set.component.title, "x": str(x), "y": str(y)}
        slots = [slot for piece in piece_set.pieces for slot in self._slots(piece_set, piece)]
        if not piece_set.is_board:
            deck, sides = _usual(f"{_MAP}.DrawPile"), slots[0].attrib
            shown = {name: sides[name] for name in ("width", "height")}
            deck.attrib |= place | shown
            deck.set("faceDown", "Always" if piece_set.is_secret else "Never")
            deck.extend(slots)
            yield deck
            return
        for slot in slots:
            stack = _usual(f"{_MAP}.SetupStack")
            stack.attrib |= place
            stack.append(slot)
            yield stack

    def _slots(self, piece_set: PieceSet, piece: TablePiece) -> Iterator[Element]:
        """The copies of a piece, each with a number of its own."""
        front = self._picture(_centred(piece_set, piece.front))
        back = None if piece_set.is_folded else self._picture(_centred(piece_set, piece.back))
        width, height = _centred(piece_set, piece.front).size
        is_hexagonal = piece_set.component.shape.kind in ("hexagon", "trihex")
        is_secret, turn = piece_set.is_secret, _HEXAGON if is_hexagonal else _SQUARE
        kind = f"{_BUILD}.widget.{'PieceSlot' if piece_set.is_board else 'CardSlot'}"
        for _ in range(piece.copies):
            self._last_id += 1
            named = {"entryName": piece.name, "gpid": str(self._last_id)}
            slot = Element(kind, named | {"width": str(width), "height": str(height)})
            slot.text = define(self._last_id, piece.name, front, back, turn, is_secret=is_secret)
            yield slot

    def _picture(self, image: Image.Image) -> str:
        content = encode_png(image)
        name = name_by_content(content, "png")
        self._images[name] = content
        return name

    def _grid(self) -> Element | None:
        """The grid of the first tiles that are hexagons, or three hexagons together, which lie on its corners.
        Hexagons are in columns; in rows if a corner is at their top."""
        for picture_set in self._sets:
            (width, height), kind = picture_set.size, picture_set.component.shape.kind
            if kind in ("hexagon", "trihex"):
                are_three = kind == "trihex"
                across = (width / 2 if are_three else min(width, height)) * self._dots
                grid = _usual(f"{_MAP}.boardPicker.board.HexGrid")
                grid.attrib |= {"dx": f"{across * 0.75**0.5:.3f}", "dy": f"{across:.3f}"}
                grid.set("cornersLegal", str(are_three).lower())
                grid.set("sideways", str(are_three or height > width).lower())
                return grid
        return None

    def _pixels(self, length: float) -> int:
        return round(length * self._dots)


def _centred(piece_set: PieceSet, image: Image.Image) -> Image.Image:
    """The picture with room below three hexagons, so that their common corner is in its middle:
    it lies on a corner of the grid, and stays there when the piece turns."""
    if piece_set.component.shape.kind != "trihex":
        return image
    radius = image.width / 2 / sqrt(3)
    framed = Image.new("RGBA", (image.width, round(4 * radius)))
    framed.paste(image, (0, 0))
    return framed


def _hand(side: str) -> Element:
    hand, name = _usual(f"{_MODULE}.PlayerHand"), f"Hand of {side}"
    hand.attrib |= {"mapName": name, "side": side, "buttonName": name}
    _find(hand, f".//{_MAP}.boardPicker.Board").set("name", name)
    return hand


def _usual(part: str) -> Element:
    """A part of a module as it usually is, to fill."""
    usual = deepcopy(_find(_usual_parts(), part))
    usual.tail = None
    return usual


@cache
def _usual_parts() -> Element:
    return parse(Path(__file__).with_suffix(".xml")).getroot()


def _find(element: Element, path: str) -> Element:
    found = element.find(path)
    assert found is not None, "vassal.xml has it"
    return found


def _write(root: Element) -> bytes:
    indent(root, " ")
    content: bytes = tostring(root, encoding="UTF-8", xml_declaration=True)
    return content + b"\n"


def define(id_: int, name: str, front: str, back: str | None, turn: int, *, is_secret: bool) -> str:
    """The definition of a piece with a number of its own, and the files of its pictures.

    `back` hides the front from others if it `is_secret`, else it is the other side; None if both
    sides look alike. The piece turns by `turn` degrees.
    """
    traits, states = [_rotated(turn)], ["0"]
    if back and is_secret:
        traits.append(_masked(back))
        states.append("null;")
    elif back:
        traits.append(_layered([front, back]))
        states.append("1")
    shown = "" if back and not is_secret else front
    traits.append(_join(["piece", "", "", shown, name], _TO_PARTS))
    states.append(_join(["null", "0", "0", str(id_), "0"], _TO_PARTS))
    return _join(["+", "null", _nest(traits), _nest(states)], _TO_SECTIONS)


def _masked(back: str) -> str:
    """A trait that shows the back. It shows the front to the player who turned the piece over, while it is selected."""
    return _join(["obs", FLIP, back, "Flip", "P", "?", "player:", "Peek"], _TO_PARTS)


def _layered(images: Sequence[str]) -> str:
    """A trait that shows one of several pictures, and the next one with the key."""
    activate, up, down = ["", _CONTROL, ""], ["Flip", _CONTROL, ""], ["", _CONTROL, ""]
    reset, place = ["", "", "1"], ["false", "0", "0"]
    names = _join(["" for _ in images], _TO_IMAGES)
    looping, random = ["true", "Side"], ["", ""]
    following, version = ["false", "", "1"], ["1", "true"]
    keys = ["", FLIP, ""]
    shown = [_join(images, _TO_IMAGES), names]
    parts = [*activate, *up, *down, *reset, *place, *shown, *looping, *random, *following]
    return _join(["emb2", *parts, *version, *keys], _TO_PARTS)


def _rotated(degrees: int) -> str:
    """A trait that turns the piece clockwise with the key."""
    return _join(["rotate", str(360 // degrees), _TURN, "", "Turn", "", "", "", "Turn"], _TO_PARTS)


def _nest(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return _join([parts[0], _nest(parts[1:])], _TO_TRAITS)


def _join(parts: Sequence[str], between: str) -> str:
    """A list of parts; one with a backslash at its end is quoted, as one that looks quoted is."""
    return between.join(_escape(part, between) for part in parts)


def _escape(part: str, between: str) -> str:
    if part.endswith("\\") or (part.startswith("'") and part.endswith("'")):
        part = f"'{part}'"
    return part.replace(between, f"\\{between}")
