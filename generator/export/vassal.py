"""A module of VASSAL, made of a kit: decks on a table, a hand for each player, the rules.

buildFile.xml and moduledata list the components of a module. Pieces are as VASSAL writes them:
traits from the outermost to the piece itself, then their states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Annotated
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec import Meta, Struct
from PIL import Image

from generator.basics.keys import Keys
from generator.basics.units import MM_PER_INCH
from generator.export.exporter import ExportedFile, Kit, archive
from generator.export.pieces import (
    PieceSet,
    TablePiece,
    encode_png,
    name_by_content,
    picture_sets,
    print_rules,
)

_RULES = "rules.pdf"
_WIDE, _HIGH = 750.0, 550.0  # mm of the table, below the decks
_GAP = 12.0  # mm between decks
_SQUARE, _HEXAGON = 90, 60  # degrees of a turn
_MODULE = "VASSAL.build.module"
_MAP = f"{_MODULE}.map"
_BOARD = f"{_MAP}.boardPicker.Board"
_VERSION = "1.0"
_TABLE = "Table"
_WHITE, _GREY, _FELT = "255,255,255", "160,160,160", "214,222,214"
_HAND = (1600, 420)  # pixels

# what a map needs to be played on
_MAP_PARTS = (
    "StackMetrics",
    "ForwardToKeyBuffer",
    "Scroller",
    "ForwardToChatter",
    "MenuDisplayer",
    "StackExpander",
    "PieceMover",
    "KeyBufferer",
    "HighlightLastMoved",
    "CounterDetailViewer",
    "Zoomer",
)
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
        content = archive(module.files(self.players))
        yield ExportedFile(f"{kit.game.name}.vmod", content)


class _Module:
    """Collects pictures and piles."""

    def __init__(self, kit: Kit, dpi: int) -> None:
        self._kit, self._dots = kit, dpi / MM_PER_INCH
        self._sets = list(picture_sets(kit, dpi))
        self._images: dict[str, bytes] = {}
        self._last_id = 0

    def files(self, players: int) -> dict[str, bytes]:
        """What the module holds, by path."""
        game = self._kit.game
        piles, top = self._piles()
        table = Table(self._pixels(_WIDE), self._pixels(top + _HIGH), self._grid())
        rules = print_rules(self._kit)
        named = _RULES if rules else ""
        built = build_file(game.title, game.about, table, piles, players, named)
        found = {"buildFile.xml": built, "moduledata": module_data(game.title, game.about)}
        if rules:
            found[_RULES] = rules
        return found | {f"images/{name}": self._images[name] for name in sorted(self._images)}

    def _piles(self) -> tuple[list[Pile], float]:
        """The piles in rows, and the height of all rows in mm."""
        piles, x, y, row = [], _GAP, _GAP, 0.0
        for picture_set in self._sets:
            width, height = picture_set.size
            if x > _GAP and x + width > _WIDE:
                x, y, row = _GAP, y + row + _GAP, 0.0
            middle = self._pixels(x + width / 2), self._pixels(y + height / 2)
            piles.append(self._pile(picture_set, *middle))
            x, row = x + width + _GAP, max(row, height)
        return piles, y + row + _GAP

    def _pile(self, piece_set: PieceSet, x: int, y: int) -> Pile:
        slots = [slot for piece in piece_set.pieces for slot in self._slots(piece_set, piece)]
        return Pile(
            piece_set.component.title, slots, x, y, not piece_set.is_board, piece_set.is_secret
        )

    def _slots(self, piece_set: PieceSet, piece: TablePiece) -> Iterator[Slot]:
        front = self._picture(_centred(piece_set, piece.front))
        back = None if piece_set.is_folded else self._picture(_centred(piece_set, piece.back))
        width, height = _centred(piece_set, piece.front).size
        for _ in range(piece.copies):
            id_ = self._last_id = self._last_id + 1
            is_secret, turn = piece_set.is_secret, _turn(piece_set)
            definition = define(id_, piece.name, front, back, turn, is_secret=is_secret)
            yield Slot(piece.name, definition, width, height, id_)

    def _picture(self, image: Image.Image) -> str:
        content = encode_png(image)
        name = name_by_content(content, "png")
        self._images[name] = content
        return name

    def _grid(self) -> HexGrid | None:
        """That of the first tiles that are hexagons, alone or three together."""
        for picture_set in self._sets:
            (width, height), kind = picture_set.size, picture_set.component.shape.kind
            if kind == "trihex":
                return HexGrid(width / 2 * self._dots, has_corner_at_top=True, on_corners=True)
            if kind == "hexagon":
                across = min(width, height) * self._dots
                return HexGrid(across, has_corner_at_top=height > width, on_corners=False)
        return None

    def _pixels(self, length: float) -> int:
        return round(length * self._dots)


def _turn(piece_set: PieceSet) -> int:
    return _HEXAGON if piece_set.component.shape.kind in ("hexagon", "trihex") else _SQUARE


def _centred(piece_set: PieceSet, image: Image.Image) -> Image.Image:
    """The picture with room below three hexagons, so that their common corner is in its middle:
    it lies on a corner of the grid, and stays there when the piece turns."""
    if piece_set.component.shape.kind != "trihex":
        return image
    radius = image.width / 2 / sqrt(3)
    framed = Image.new("RGBA", (image.width, round(4 * radius)))
    framed.paste(image, (0, 0))
    return framed


class Slot(Struct, frozen=True):
    """A piece: its name, its definition, the size of its picture in pixels, its number."""

    name: str
    definition: str
    width: int
    height: int
    id: int


class Pile(Struct, frozen=True):
    """Pieces in one place of the table, whose middle is at x, y (pixels)."""

    name: str
    slots: Sequence[Slot]
    x: int
    y: int
    is_deck: bool
    is_face_down: bool


class HexGrid(Struct, frozen=True):
    """Hexagons of a distance from side to side in pixels; pieces lie in their middles, or
    `on_corners` too."""

    across: float
    has_corner_at_top: bool
    on_corners: bool


class Table(Struct, frozen=True):
    """The size of the table in pixels, and its grid."""

    width: int
    height: int
    grid: HexGrid | None


def build_file(
    title: str, about: str, table: Table, piles: Sequence[Pile], players: int, rules: str
) -> bytes:
    """The components of the module; `rules` is the file of the rules, "" for none."""
    next_id = 1 + max((slot.id for pile in piles for slot in pile.slots), default=0)
    root = Element("VASSAL.build.GameModule")
    root.attrib.update(name=title, version=_VERSION, description=about, VassalVersion="3.6.0")
    root.set("nextPieceSlotId", str(next_id))
    _add(root, f"{_MODULE}.BasicCommandEncoder")
    documents = _add(root, f"{_MODULE}.Documentation")
    if rules:
        _add(documents, f"{_MODULE}.documentation.BrowserPDFFile", title="Rules", pdfFile=rules)
    sides = [f"Player {number}" for number in range(1, players + 1)]
    roster = _add(root, f"{_MODULE}.PlayerRoster", buttonText="Side")
    for side in sides:
        _add(roster, "entry").text = side
    _add(root, f"{_MODULE}.GlobalOptions", promptString="Opponents can unmask my pieces")
    _add_table(root, table, piles)
    for side in sides:
        _add_hand(root, side)
    return _write(root)


def module_data(title: str, about: str) -> bytes:
    """What VASSAL shows of a module before it opens it."""
    root = Element("data", version="1")
    texts = {"version": _VERSION, "extra1": "", "extra2": "", "VassalVersion": "3.6.0"}
    texts |= {"dateSaved": "0", "description": about, "name": title}
    for name, text in texts.items():
        _add(root, name).text = text
    return _write(root)


def _add_table(root: Element, table: Table, piles: Sequence[Pile]) -> None:
    how = {"mapName": _TABLE, "launch": "false", "markMoved": "Never", "backgroundcolor": _FELT}
    map_ = _add(root, f"{_MODULE}.Map", **how, edgeWidth="0", edgeHeight="0")
    board = _add_board(map_, _TABLE, table.width, table.height)
    if table.grid:
        _add_grid(board, table.grid)
    for pile in piles:
        _add_pile(map_, pile)


def _add_hand(root: Element, side: str) -> None:
    name = f"Hand of {side}"
    how = {"mapName": name, "side": side, "visible": "false", "launch": "true"}
    texts = {"buttonName": name, "backgroundcolor": _WHITE, "markMoved": "Never"}
    map_ = _add(root, f"{_MODULE}.PlayerHand", **how, **texts)
    _add_board(map_, name, *_HAND)


def _add_board(map_: Element, name: str, width: int, height: int) -> Element:
    picker = _add(map_, f"{_MAP}.BoardPicker")
    sides = {"width": str(width), "height": str(height)}
    board = _add(picker, _BOARD, name=name, image="", color=_FELT, **sides)
    for part in _MAP_PARTS:
        _add(map_, f"{_MAP}.{part}")
    return board


def _add_grid(board: Element, grid: HexGrid) -> None:
    """Hexagons in columns; in rows if a corner is at their top."""
    apart = {"dx": f"{grid.across * 0.75**0.5:.3f}", "dy": f"{grid.across:.3f}"}
    turned, cornered = (str(is_so).lower() for is_so in (grid.has_corner_at_top, grid.on_corners))
    places = {"cornersLegal": cornered, "edgesLegal": "false", "snapTo": "true"}
    look = {"visible": "true", "dotsVisible": "false", "color": _GREY, "sideways": turned}
    _add(board, f"{_MAP}.boardPicker.board.HexGrid", x0="0", y0="0", **apart, **places, **look)


def _add_pile(map_: Element, pile: Pile) -> None:
    place = {"name": pile.name, "owningBoard": _TABLE, "x": str(pile.x), "y": str(pile.y)}
    place["useGridLocation"] = "false"
    if not pile.is_deck:
        for slot in pile.slots:
            stack = _add(map_, f"{_MAP}.SetupStack", **place)
            _add_slot(stack, "PieceSlot", slot)
        return
    first = pile.slots[0]
    how = {
        "width": str(first.width),
        "height": str(first.height),
        "faceDown": "Always" if pile.is_face_down else "Never",
        "drawFaceUp": "true",
        "shuffle": "Via right-click Menu",
        "shuffleCommand": "Shuffle",
        "allowSelect": "true",
        "allowMultiple": "true",
        "draw": "true",
        "color": _GREY,
        "reshufflable": "false",
        "canSave": "false",
    }
    deck = _add(map_, f"{_MAP}.DrawPile", **place, **how)
    for slot in pile.slots:
        _add_slot(deck, "CardSlot", slot)


def _add_slot(parent: Element, kind: str, slot: Slot) -> None:
    sides = {"width": str(slot.width), "height": str(slot.height)}
    named = {"entryName": slot.name, "gpid": str(slot.id)}
    _add(parent, f"VASSAL.build.widget.{kind}", **named, **sides).text = slot.definition


def _add(parent: Element, kind: str, /, **attributes: str) -> Element:
    return SubElement(parent, kind, attributes)


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
    """A trait that shows the back. It shows the front to the player who turned the piece over,
    while it is selected."""
    parts = ["obs", FLIP, back, "Flip", "P", "?", "player:", "Peek"]
    return _join(parts, _TO_PARTS)


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
    parts = ["rotate", str(360 // degrees), _TURN, "", "Turn", "", "", "", "Turn"]
    return _join(parts, _TO_PARTS)


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
