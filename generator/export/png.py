"""PNG pictures of a kit: faces, sheets, pages, folded nets, drifted backs.

Also grids of its fronts and backs, and each face alone, with a list of them all.
"""

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import ceil
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace
from PIL import Image

from generator.art.pixels import save_picture
from generator.basics.errors import Place, fail
from generator.basics.geometry import decimal
from generator.basics.keys import Keys
from generator.export import pieces
from generator.export.exporter import ExportedFile, Kit, name_sheets
from generator.model import FLIPS, LEAFLETS, SIDES, Face, FaceKey, Page, Sheet, Side
from generator.pdf import raster
from generator.tables.fields import Length

_MOST_COLUMNS = 10
_QUALITY = 92  # of WebP


class Pictures(Keys, frozen=True, kw_only=True):
    """overview.png, each face, each page; folded.png if pieces stand.

    With `drift`, a length, also drift.png: the backs as they come out if the printer is that far
    off and pieces are cut along the marks of the front.
    """

    dpi: Annotated[int, Meta(ge=20, le=1200)] = 150
    drift: Length | None = None  # mm

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        if self.drift is not None:
            _check_that_backs_drift(kit)
        painted = self._paint_pages(kit)
        encoded = {id_: raster.encode(image, self.dpi) for id_, image in painted.items()}
        if kit.sheets:
            yield from self._sheets(kit, painted, encoded)
        yield from self._faces(kit)
        for (part, number, _), face in kit.pages.items():  # in reading order
            yield ExportedFile(f"{part}/{number}.png", encoded[face.id])
        yield from self._export_folded(kit)

    def _paint_pages(self, kit: Kit) -> dict[str, Image.Image]:
        """A picture of each page of the cover and of the rulebook, by the id of its face."""
        distinct = {face.id: face for face in kit.pages.values()}
        if not distinct:
            return {}
        sheets = raster.face_sheets(list(distinct.values()))
        printed = kit.print(sheets, kit.pages, is_temporary=True)
        return dict(zip(distinct, raster.rasterise_each(printed, self.dpi), strict=True))

    def _sheets(
        self, kit: Kit, painted: Mapping[str, Image.Image], encoded: Mapping[str, bytes]
    ) -> Iterator[ExportedFile]:
        """A picture of each page of each sheet; if a page shows only painted pages, its marks are painted on them."""
        pages = [(name, page) for name, sheet in name_sheets(kit.sheets) for page in sheet.pages]
        sheets, grounds = self._lay_sheets(kit, painted)
        printed = kit.print(sheets, {**kit.faces, **kit.pages}, is_temporary=True)
        images: Iterable[Image.Image] = raster.rasterise_each(printed, self.dpi, grounds)
        kept = list(images) if self.drift is not None else []
        for (name, page), ground, image in zip(pages, grounds, kept or images, strict=True):
            path = f"sheets/{name}-{page.side}.png"
            face = _find_only_face(page) if ground else None
            if face and painted[face].size == image.size:
                yield ExportedFile(path, encoded[face])
            elif page.placements:
                yield self._file(path, image)
        if self.drift is not None:
            first = sum(len(sheet.pages) for sheet in kit.sheets if sheet.component in LEAFLETS)
            drawn = [(sheet, page) for sheet in kit.sheets for page in sheet.pages]
            by_id = {face.id: face for face in kit.faces.values()}
            yield from self._export_drifted(
                raster.drift_backs(drawn[first:], kept[first:], by_id, self.drift, self.dpi)
            )

    def _lay_sheets(self, kit: Kit, painted: Mapping[str, Image.Image]) -> tuple[list[Sheet], list[Image.Image | None]]:
        """The sheets without the faces that are painted, and pictures of those for each page; None
        for a page whose faces must be painted."""
        sheets, grounds = list[Sheet](), list[Image.Image | None]()
        for sheet in kit.sheets:
            laid = [raster.lay(page, sheet.paper, painted, self.dpi) for page in sheet.pages]
            left = (
                page if ground is None else replace(page, placements=())
                for page, ground in zip(sheet.pages, laid, strict=True)
            )
            sheets.append(replace(sheet, pages=tuple(left)))
            grounds += laid
        return sheets, grounds

    def _export_drifted(self, rows: Iterable[raster.DriftRow]) -> Iterator[ExportedFile]:
        groups: dict[str, list[Image.Image]] = {}
        for row in rows:
            yield self._file(f"drift/{row.component}/{row.piece}.png", row.picture)
            groups.setdefault(row.component, []).append(row.picture)
        yield self._overview("drift.png", list(groups.values()))

    def _faces(self, kit: Kit) -> Iterator[ExportedFile]:
        """A picture of each cut face, and an overview of all distinct ones."""
        groups: dict[tuple[str, Side], dict[object, Image.Image]] = {}
        files: dict[Hashable, bytes] = {}
        for (component, piece, side), face, image in self._export_cut_out(kit, kit.shown):
            look = _look(face)
            if look not in files:
                files[look] = raster.encode(image, self.dpi)
            yield ExportedFile(f"faces/{component}/{piece}-{side}.png", files[look])
            groups.setdefault((component, side), {}).setdefault(face.layers, image)
        yield self._overview(
            "overview.png",
            [
                list(group.values())
                for (component, side), group in groups.items()
                if side == "front" or not group.keys() <= groups[component, "front"].keys()
            ],
        )

    def _export_folded(self, kit: Kit) -> Iterator[ExportedFile]:
        """An overview of all pieces that stand, folded."""
        sets = pieces.lying_sets(kit.components, kit.faces)
        standing = {key: face for lying in sets if lying.is_folded for key, face in lying.faces.items()}
        rows: dict[str, list[Image.Image]] = {}
        for (component, _, _), _, image in self._export_cut_out(kit, standing):
            rows.setdefault(component, []).append(image)
        if rows:
            yield self._overview("folded.png", list(rows.values()))

    def _export_cut_out(self, kit: Kit, faces: Mapping[FaceKey, Face]) -> Iterator[tuple[FaceKey, Face, Image.Image]]:
        if not faces:
            return
        distinct: dict[Hashable, Face] = {}
        for face in faces.values():
            distinct.setdefault(_look(face), face)
        images = pieces.paint_cut(kit, list(distinct.values()), self.dpi)
        pictures = dict(zip(distinct, images, strict=True))
        for key, face in faces.items():
            yield key, face, pictures[_look(face)]

    def _overview(self, path: str, blocks: Sequence[Sequence[Image.Image]]) -> ExportedFile:
        return self._file(path, raster.overview(blocks, self.dpi))

    def _file(self, path: str, image: Image.Image) -> ExportedFile:
        return ExportedFile(path, raster.encode(image, self.dpi))


def _find_only_face(page: Page) -> str | None:
    """The face that is all of a page of a sheet, if one is."""
    if page.marks or page.labels or len(page.placements) > 1:
        return None
    return page.placements[0].face


def _look(face: Face) -> Hashable:
    """A key for the picture of a cut piece; most backs of a deck have the same."""
    return face.id, face.size, face.outline, face.corner_radius, face.holes


def _check_that_backs_drift(kit: Kit) -> None:
    if kit.way not in FLIPS:
        what = f"nothing can drift with --sides {kit.way}: only one side of the paper is printed"
        raise fail(Place("drift"), what, "leave out --drift, or print on both sides: --sides duplex")
    if not any(component.has_back for component in kit.game.components):
        title = kit.game.title
        what = f"nothing can drift: {title} has no backs, and cuts follow the marks of the fronts"
        raise fail(Place("drift"), what, "leave out --drift")


class Grids(Keys, frozen=True, kw_only=True):
    """grid/sheets/: grids of the fronts and backs of each component, row by row; grid/faces/: each
    face alone; grid/rules/: the pages of the rules; grid/sheets.json: columns, rows, names, counts.

    Pictures are transparent outside the pieces.
    """

    dpi: Annotated[int, Meta(ge=50, le=600)] = 150
    picture: Literal["png", "webp"] = "png"
    columns: Annotated[int, Meta(ge=1, le=20)] = _MOST_COLUMNS

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        listed: list[dict[str, Any]] = []
        shapes: Counter[str] = Counter()
        for picture_set in pieces.picture_sets(kit, self.dpi):
            id_ = picture_set.component.id
            shapes[id_] += 1
            name = id_ if shapes[id_] == 1 else f"{id_}-{shapes[id_]}"
            grids = _GridMaker(name, picture_set, _grid(picture_set, self.columns), self.picture)
            yield from grids.files()
            listed.append(grids.describe())
        rules = pieces.picture_rules(kit, self.dpi)
        names = []
        for number, page in enumerate(rules.pictures if rules else (), 1):
            names.append(f"rules/{number}.{self.picture}")
            yield ExportedFile(f"grid/{names[-1]}", _encode(page, self.picture))
        described = {"title": kit.game.title, "components": listed, "rules": names}
        text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
        yield ExportedFile("grid/sheets.json", text.encode())


class _GridMaker:
    """The grids of a component's pieces of one shape; all of their sheets have the same grid."""

    def __init__(self, name: str, piece_set: pieces.PieceSet, grid: pieces.CellGrid, ending: str) -> None:
        self._name, self._set, self._grid, self._ending = name, piece_set, grid, ending
        self._groups = list(pieces.divide(piece_set.pieces, grid.cells))
        self._sides: Sequence[Side] = SIDES if piece_set.component.has_back else ("front",)

    def files(self) -> Iterator[ExportedFile]:
        for (number, group), side in product(enumerate(self._groups, 1), self._sides):
            pictures = [piece.picture(side) for piece in group]
            yield self._file(self._sheet(side, number), pieces.lay_grid(pictures, self._grid))
        for piece, side in product(self._set.pieces, self._sides):
            yield self._file(self._face(piece, side), piece.picture(side))

    def describe(self) -> dict[str, Any]:
        picture_set, numbers = self._set, range(1, len(self._groups) + 1)
        sheets = {side: [self._sheet(side, number) for number in numbers] for side in self._sides}
        return {
            "id": self._name,
            "title": picture_set.component.title,
            "width_mm": float(decimal(picture_set.size.width, 2)),
            "height_mm": float(decimal(picture_set.size.height, 2)),
            "columns": self._grid.columns,
            "rows": self._grid.rows,
            "fronts": sheets["front"],
            "backs": sheets.get("back", []),
            "backs_alike": not picture_set.has_own_backs,
            "count": picture_set.copies,
            "pieces": [self._describe(index, p) for index, p in enumerate(picture_set.pieces)],
        }

    def _describe(self, index: int, piece: pieces.TablePiece) -> dict[str, Any]:
        sheet, cell = divmod(index, self._grid.cells)
        row, column = divmod(cell, self._grid.columns)
        place = {"sheet": sheet + 1, "column": column + 1, "row": row + 1}
        files: dict[str, str] = {side: self._face(piece, side) for side in self._sides}
        return {"name": piece.name, "count": piece.copies, **place, **files}

    def _sheet(self, side: str, number: int) -> str:
        return f"sheets/{self._name}-{side}s-{number}.{self._ending}"

    def _face(self, piece: pieces.TablePiece, side: str) -> str:
        return f"faces/{self._name}/{piece.id}-{side}.{self._ending}"

    def _file(self, path: str, image: Image.Image) -> ExportedFile:
        return ExportedFile(f"grid/{path}", _encode(image, self._ending))


def _grid(piece_set: pieces.PieceSet, most_columns: int) -> pieces.CellGrid:
    """A grid with as few rows as possible, and as few empty cells as possible in them."""
    width, height = piece_set.pieces[0].front.size
    count = len(piece_set.pieces)
    columns = min(pieces.MOST_PIXELS // width, most_columns, count)
    rows = min(pieces.MOST_PIXELS // height, ceil(count / columns))
    if columns * rows >= count:
        columns = ceil(count / rows)
    return pieces.CellGrid(columns, rows)


def _encode(image: Image.Image, ending: str) -> bytes:
    if ending == "png":
        return pieces.encode_png(image)
    return save_picture(image, "WEBP", quality=_QUALITY, method=4)
