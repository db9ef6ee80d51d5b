"""Take a kit, make pictures of its cut pieces, and grids of them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from msgspec import Struct
from PIL import Image

from generator.export.exporter import Kit
from generator.model import RULEBOOK, Component, Face, FaceKey, Piece
from generator.pdf import raster

_DIGEST = 8  # bytes
_Thing = TypeVar("_Thing")


def paint_pieces(kit: Kit, faces: Mapping[FaceKey, Face], dpi: float) -> dict[str, Image.Image]:
    """A picture of each cut face by its id, transparent outside its outline."""
    distinct = {face.id: (key, face) for key, face in faces.items()}
    if not distinct:
        return {}
    once = [face for _, face in distinct.values()]
    return {face.id: image for face, image in zip(once, paint_cut(kit, once, dpi), strict=True)}


def paint_cut(kit: Kit, faces: Sequence[Face], dpi: float) -> Iterator[Image.Image]:
    """A picture of each face as a cut piece, transparent outside its outline."""
    whole = iter(faces)
    for proof, pages in kit.prove([raster.trimmed(face) for face in faces]):
        for image in raster.paint_faces(proof, pages, dpi):
            yield raster.cut_out(image, next(whole), dpi)


class PrintedPiece(Struct, frozen=True):
    """A piece with the ids of its faces."""

    piece: Piece
    front: str
    back: str | None


def printed_pieces(faces: Mapping[FaceKey, Face], component: Component) -> list[PrintedPiece]:
    """The pieces of a component that are printed at least once."""
    found = []
    for piece in component.pieces:
        front = faces.get((component.id, piece.id, "front"))
        back = faces.get((component.id, piece.id, "back"))
        if piece.copies and front:
            found.append(PrintedPiece(piece, front.id, back.id if back else None))
    return found


def print_rules(kit: Kit) -> bytes:
    """A PDF of the rulebook; empty if it is not printed."""
    pages = rule_pages(kit)
    return kit.print(raster.face_sheets(list(pages.values())), pages) if pages else b""


def rule_pages(kit: Kit) -> Mapping[FaceKey, Face]:
    """The pages of the rulebook, in reading order."""
    return {key: face for key, face in kit.pages.items() if key[0] == RULEBOOK}


class CellGrid(NamedTuple):
    """Cells of equal size, row by row."""

    columns: int
    rows: int

    @property
    def cells(self) -> int:
        return self.columns * self.rows


def lay_grid(images: Sequence[Image.Image], grid: CellGrid) -> Image.Image:
    """Pictures of one size in the cells of a grid, on white; the last cells may stay empty."""
    width, height = images[0].size
    sheet = Image.new("RGB", (grid.columns * width, grid.rows * height), "white")
    for number, image in enumerate(images):
        row, column = divmod(number, grid.columns)
        sheet.paste(image, (column * width, row * height), image)
    return sheet


def divide(things: Sequence[_Thing], cells: int) -> Iterator[Sequence[_Thing]]:
    """What lies in one grid after another."""
    for start in range(0, len(things), cells):
        yield things[start : start + cells]


def name_by_content(content: bytes, ending: str) -> str:
    """A name that changes with the content, since tables keep files by their address."""
    return f"{blake2b(content, digest_size=_DIGEST).hexdigest()}.{ending}"


def encode_png(image: Image.Image) -> bytes:
    """A PNG without metadata."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=False, compress_level=6)
    return buffer.getvalue()
