"""buildFile.xml and moduledata: the components of a module of VASSAL."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec import Struct

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
