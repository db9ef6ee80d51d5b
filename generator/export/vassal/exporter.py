"""Take a kit, make a module of VASSAL: decks on a table, a hand for each player, the rules."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Annotated

from msgspec import Meta
from PIL import Image

from generator.basics.keys import Keys
from generator.basics.units import MM_PER_INCH
from generator.export.archive import archive
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import encode_png, name_by_content, print_rules
from generator.export.table import PieceSet, TablePiece, picture_sets
from generator.export.vassal.buildfile import HexGrid, Pile, Slot, Table, build_file, module_data
from generator.export.vassal.traits import PieceLooks, define

_RULES = "rules.pdf"
_WIDE, _HIGH = 750.0, 550.0  # mm of the table, below the decks
_GAP = 12.0  # mm between decks
_SQUARE, _HEXAGON = 90, 60  # degrees of a turn


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
        for one in self._sets:
            width, height = one.size
            if x > _GAP and x + width > _WIDE:
                x, y, row = _GAP, y + row + _GAP, 0.0
            middle = self._pixels(x + width / 2), self._pixels(y + height / 2)
            piles.append(self._pile(one, *middle))
            x, row = x + width + _GAP, max(row, height)
        return piles, y + row + _GAP

    def _pile(self, one: PieceSet, x: int, y: int) -> Pile:
        slots = [slot for piece in one.pieces for slot in self._slots(one, piece)]
        return Pile(one.component.title, slots, x, y, not one.is_board, one.is_secret)

    def _slots(self, one: PieceSet, piece: TablePiece) -> Iterator[Slot]:
        front = self._picture(_centred(one, piece.front))
        back = None if one.is_folded else self._picture(_centred(one, piece.back))
        width, height = _centred(one, piece.front).size
        for _ in range(piece.copies):
            self._last_id += 1
            looks = PieceLooks(piece.name, front, back, one.is_secret, _turn(one))
            yield Slot(piece.name, define(looks, self._last_id), width, height, self._last_id)

    def _picture(self, image: Image.Image) -> str:
        content = encode_png(image)
        name = name_by_content(content, "png")
        self._images[name] = content
        return name

    def _grid(self) -> HexGrid | None:
        """That of the first tiles that are hexagons, alone or three together."""
        for one in self._sets:
            (width, height), kind = one.size, one.component.shape.kind
            if kind == "trihex":
                return HexGrid(width / 2 * self._dots, has_corner_at_top=True, on_corners=True)
            if kind == "hexagon":
                across = min(width, height) * self._dots
                return HexGrid(across, has_corner_at_top=height > width, on_corners=False)
        return None

    def _pixels(self, length: float) -> int:
        return round(length * self._dots)


def _turn(one: PieceSet) -> int:
    return _HEXAGON if one.component.shape.kind in ("hexagon", "trihex") else _SQUARE


def _centred(one: PieceSet, image: Image.Image) -> Image.Image:
    """The picture with room below three hexagons, so that their common corner is in its middle:
    it lies on a corner of the grid, and stays there when the piece turns."""
    if one.component.shape.kind != "trihex":
        return image
    radius = image.width / 2 / sqrt(3)
    framed = Image.new("RGBA", (image.width, round(4 * radius)))
    framed.paste(image, (0, 0))
    return framed
