"""Take a kit, make grids of its fronts and backs, and each face alone, with a list of them all."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Annotated, Any, Literal

from msgspec import Meta
from PIL import Image

from generator.basics.geometry import decimal
from generator.basics.keys import Keys
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import CellGrid, divide, encode_png
from generator.export.table import MOST_PIXELS, PieceSet, TablePiece, picture_rules, picture_sets

_MOST_COLUMNS = 10
_QUALITY = 92  # of WebP


class Grids(Keys, frozen=True, kw_only=True):
    """grid/sheets/: grids of the fronts and backs of each component, row by row; grid/faces/: each
    face alone; grid/rules/: the pages of the rules; grid/sheets.json: columns, rows, names, counts.

    Pictures are transparent outside the pieces.
    """

    dpi: Annotated[int, Meta(ge=50, le=600)] = 150
    picture: Literal["png", "webp"] = "png"
    columns: Annotated[int, Meta(ge=1, le=20)] = _MOST_COLUMNS

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        listed = []
        for one in picture_sets(kit, self.dpi):
            grids = _GridMaker(one, _grid(one, self.columns), self.picture)
            yield from grids.files()
            listed.append(grids.describe())
        rules = picture_rules(kit, self.dpi)
        names = []
        for number, page in enumerate(rules.pictures if rules else (), 1):
            names.append(f"rules/{number}.{self.picture}")
            yield ExportedFile(f"grid/{names[-1]}", _encode(page, self.picture))
        described = {"title": kit.game.title, "components": listed, "rules": names}
        text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
        yield ExportedFile("grid/sheets.json", text.encode())


class _GridMaker:
    """The grids of a component; all of its sheets have the same grid."""

    def __init__(self, one: PieceSet, grid: CellGrid, ending: str) -> None:
        self._set, self._grid, self._ending = one, grid, ending
        self._groups = list(divide(one.pieces, grid.cells))
        self._has_backs = one.component.has_back

    def files(self) -> Iterator[ExportedFile]:
        for number, group in enumerate(self._groups, 1):
            yield self._file(self._sheet("front", number), self._lay([p.front for p in group]))
            if self._has_backs:
                yield self._file(self._sheet("back", number), self._lay([p.back for p in group]))
        for piece in self._set.pieces:
            yield self._file(self._face(piece, "front"), piece.front)
            if self._has_backs:
                yield self._file(self._face(piece, "back"), piece.back)

    def describe(self) -> dict[str, Any]:
        one, numbers = self._set, range(1, len(self._groups) + 1)
        backs = [self._sheet("back", number) for number in numbers] if self._has_backs else []
        return {
            "id": one.component.id,
            "title": one.component.title,
            "width_mm": float(decimal(one.size.width, 2)),
            "height_mm": float(decimal(one.size.height, 2)),
            "columns": self._grid.columns,
            "rows": self._grid.rows,
            "fronts": [self._sheet("front", number) for number in numbers],
            "backs": backs,
            "backs_alike": not one.has_own_backs,
            "count": one.copies,
            "pieces": [self._describe(index, p) for index, p in enumerate(one.pieces)],
        }

    def _describe(self, index: int, piece: TablePiece) -> dict[str, Any]:
        sheet, cell = divmod(index, self._grid.cells)
        row, column = divmod(cell, self._grid.columns)
        place = {"sheet": sheet + 1, "column": column + 1, "row": row + 1}
        files = {"front": self._face(piece, "front")}
        if self._has_backs:
            files["back"] = self._face(piece, "back")
        return {"name": piece.name, "count": piece.copies} | place | files

    def _sheet(self, side: str, number: int) -> str:
        return f"sheets/{self._set.component.id}-{side}s-{number}.{self._ending}"

    def _face(self, piece: TablePiece, side: str) -> str:
        return f"faces/{self._set.component.id}/{piece.id}-{side}.{self._ending}"

    def _lay(self, images: Sequence[Image.Image]) -> Image.Image:
        width, height = images[0].size
        columns, rows = self._grid
        sheet = Image.new("RGBA", (columns * width, rows * height))
        for number, image in enumerate(images):
            row, column = divmod(number, columns)
            sheet.paste(image, (column * width, row * height))
        return sheet

    def _file(self, path: str, image: Image.Image) -> ExportedFile:
        return ExportedFile(f"grid/{path}", _encode(image, self._ending))


def _grid(one: PieceSet, most_columns: int) -> CellGrid:
    """As few rows as possible, as few empty cells as possible in them."""
    width, height = one.pieces[0].front.size
    count = len(one.pieces)
    columns = min(MOST_PIXELS // width, most_columns, count)
    rows = min(MOST_PIXELS // height, ceil(count / columns))
    if columns * rows >= count:
        columns = ceil(count / rows)
    return CellGrid(columns, rows)


def _encode(image: Image.Image, ending: str) -> bytes:
    if ending == "png":
        return encode_png(image)
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=_QUALITY, method=4)
    return buffer.getvalue()
