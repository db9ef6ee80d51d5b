"""Take a kit, make a saved object of Tabletop Simulator and the files that it names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated
from urllib.parse import quote

from msgspec import Meta, Struct
from PIL import Image

from generator.basics.keys import Keys
from generator.basics.units import MM_PER_INCH
from generator.export.addresses import WEB, check_address
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import (
    CellGrid,
    PrintedPiece,
    divide,
    encode_png,
    lay_grid,
    name_by_content,
    paint_pieces,
    print_rules,
    printed_pieces,
)
from generator.export.tts import objects
from generator.export.tts.meshes import THICKNESS, folded, slab
from generator.export.tts.objects import CardSheet, DeckCard, Object, TableSpot
from generator.layout.nets import Net
from generator.model import Component

_MOST = CellGrid(10, 7)  # cells of a sheet
_LEAST = 2  # cells each way
_SIDE = 4096  # pixels of a sheet, each way
_APART = 4.0  # inches between objects on the table
_A_ROW = 6  # objects
_SCHEMES = (*WEB, "file")


class TabletopSimulator(Keys, frozen=True, kw_only=True):
    """tts/GAME.json, a saved object, and in tts/files/ what it names: sheets of cards, pictures and
    meshes of other pieces, the rules as a PDF.

    `base_url` is where these files will be: "https://you.example/game/". Without it, the saved
    object names them alone, and they belong into the game's own folders.
    """

    dpi: Annotated[int, Meta(ge=50, le=600)] = 250
    base_url: str = ""

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        table = _SavedTable(
            kit, self.dpi, self.base_url and check_address("tts", self.base_url, _SCHEMES)
        )
        content = table.save()
        for name, file in table.files.items():
            yield ExportedFile(f"tts/files/{name}", file)
        yield ExportedFile(f"tts/{kit.game.name}.json", content)


class _PaintedPart(Struct, frozen=True):
    """A component with its pieces and the pictures of its faces by id."""

    component: Component
    pieces: Sequence[PrintedPiece]
    pictures: Mapping[str, Image.Image]


class _SavedTable:
    """Collects files and objects."""

    def __init__(self, kit: Kit, dpi: int, base: str) -> None:
        self._kit, self._dpi, self._base = kit, dpi, base
        self.files: dict[str, bytes] = {}

    def save(self) -> bytes:
        """The saved object."""
        game = self._kit.game
        shown = [one for one in game.components if printed_pieces(self._kit.faces, one)]
        things = [self._put(component, _spread(at)) for at, component in enumerate(shown)]
        if rules := self._rules(_spread(len(things))):
            things.append(rules)
        saved = objects.save(game.title, game.about, objects.name_apart(things))
        return (json.dumps(saved, indent=2, ensure_ascii=False) + "\n").encode()

    def _put(self, component: Component, at: TableSpot) -> Object:
        pieces = printed_pieces(self._kit.faces, component)
        faces = {key: face for key, face in self._kit.faces.items() if key[0] == component.id}
        look = _PaintedPart(
            component, pieces, paint_pieces(self._kit, faces, self._dpi_of(component))
        )
        if component.shape.kind == "rectangle":
            return self._deck(look, at)
        make = self._token
        if isinstance(component.shape, Net) or component.has_back:
            make = self._model
        each = [make(look, one, at) for one in pieces]
        copies = [
            thing for thing, one in zip(each, pieces, strict=True) for _ in range(one.piece.copies)
        ]
        return copies[0] if len(copies) == 1 else objects.bag(component.title, copies, at)

    def _dpi_of(self, component: Component) -> float:
        """Fewer dots where a picture would be larger than a sheet may be."""
        width, height = component.shape.size
        sides = 2 * width if component.has_back else width, height
        cells = _LEAST if component.shape.kind == "rectangle" else 1
        return min(self._dpi, _SIDE / cells * MM_PER_INCH / max(sides))

    def _deck(self, look: _PaintedPart, at: TableSpot) -> Object:
        component, pieces = look.component, look.pieces
        backs = list(dict.fromkeys(one.back for one in pieces))
        has_own_backs = len(backs) > 1
        size = look.pictures[pieces[0].front].size
        grid = _grid(len(pieces), size)
        sheets = []
        for fronts in divide(pieces, grid.cells):
            face = self._sheet([look.pictures[one.front] for one in fronts], grid)
            if has_own_backs:
                blank = Image.new("RGBA", size, "white")
                own = [look.pictures[one.back] if one.back else blank for one in fronts]
                back = self._sheet(own, grid)
            else:
                picture = look.pictures[backs[0]] if backs[0] else Image.new("RGBA", size, "white")
                back = self._picture(_on_white(picture))
            sheets.append(CardSheet(face, back, *grid, has_own_backs))
        cards = [
            DeckCard(
                f"{component.title} {one.piece.id}", 1 + index // grid.cells, index % grid.cells
            )
            for index, one in enumerate(pieces)
            for _ in range(one.piece.copies)
        ]
        scale = component.shape.size.height / MM_PER_INCH / objects.CARD_HEIGHT
        return objects.deck(component.title, cards, sheets, scale, at)

    def _token(self, look: _PaintedPart, one: PrintedPiece, at: TableSpot) -> Object:
        picture = look.pictures[one.front]
        border = max(picture.size) // 50 + 1  # the outline is found within a transparent border
        framed = Image.new("RGBA", (picture.width + 2 * border, picture.height + 2 * border))
        framed.paste(picture, (border, border))
        name = f"{look.component.title} {one.piece.id}"
        thick = THICKNESS / MM_PER_INCH
        scale = max(look.component.shape.size) / MM_PER_INCH / 2
        return objects.token(name, self._picture(framed), thick, scale, at)

    def _model(self, look: _PaintedPart, one: PrintedPiece, at: TableSpot) -> Object:
        shape, front = look.component.shape, _on_white(look.pictures[one.front])
        if isinstance(shape, Net):
            mesh, texture = folded(shape), front
        else:
            mesh, texture = slab(shape, has_back=one.back is not None), front
            if one.back:
                texture = Image.new("RGB", (2 * front.width, front.height), "white")
                texture.paste(front, (0, 0))
                texture.paste(_on_white(look.pictures[one.back]), (front.width, 0))
        name = f"{look.component.title} {one.piece.id}"
        return objects.model(name, self._file(mesh, "obj"), self._picture(texture), at)

    def _rules(self, at: TableSpot) -> Object | None:
        content = print_rules(self._kit)
        if not content:
            return None
        return objects.document("Rules", self._file(content, "pdf"), at)

    def _sheet(self, images: Sequence[Image.Image], grid: CellGrid) -> str:
        return self._picture(lay_grid(images, grid))

    def _picture(self, image: Image.Image) -> str:
        return self._file(encode_png(image), "png")

    def _file(self, content: bytes, ending: str) -> str:
        name = name_by_content(content, ending)
        self.files[name] = content
        return self._base + quote(name)


def _grid(count: int, cell: tuple[int, int]) -> CellGrid:
    """The grid of every sheet of a deck: as large as allowed, no larger than needed."""
    columns = min(_SIDE // cell[0], _MOST.columns)
    rows = min(_SIDE // cell[1], _MOST.rows)
    columns = max(min(columns, count), _LEAST)
    return CellGrid(columns, max(min(rows, ceil(count / columns)), _LEAST))


def _spread(number: int) -> TableSpot:
    row, column = divmod(number, _A_ROW)
    return TableSpot((column - (_A_ROW - 1) / 2) * _APART, -row * _APART)


def _on_white(image: Image.Image) -> Image.Image:
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, (0, 0), image)
    return ground
