"""Pictures of a kit's cut pieces and of the pages of its rules, and grids of them.

Pieces are pictured as they lie on a table, which depends on the drawn faces of their component.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from msgspec import Struct
from PIL import Image, ImageOps

from generator.art.pixels import save_picture
from generator.basics.geometry import MM_PER_INCH, Size
from generator.export.exporter import Kit
from generator.faces.standing import stand
from generator.layout.folds import standing_net
from generator.model import Component, Face, FaceKey, Piece, Side
from generator.pdf import raster

_DIGEST = 8  # bytes
_Thing = TypeVar("_Thing")
MOST_PIXELS = 4096  # of a picture, each way: graphics cards of tables refuse more


def paint_pieces(kit: Kit, faces: Mapping[FaceKey, Face], dpi: float) -> dict[str, Image.Image]:
    """A picture of each cut face by its id, transparent outside its outline."""
    distinct = {face.id: face for face in faces.values()}
    return dict(zip(distinct, paint_cut(kit, list(distinct.values()), dpi) if distinct else (), strict=True))


def paint_cut(kit: Kit, faces: Sequence[Face], dpi: float) -> Iterator[Image.Image]:
    """A picture of each face as a cut piece, transparent outside its outline."""
    whole = iter(faces)
    for proof, pages in kit.prove([raster.trimmed(face) for face in faces]):
        for image in raster.paint_faces(proof, pages, dpi):
            yield raster.cut_out(image, next(whole), dpi)


LONGEST_CARD = 140.0  # mm, rounded up: a jumbo card has 139.7


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


def is_board(component: Component, printed: Sequence[PrintedPiece]) -> bool:
    """Whether it is one piece that stays on the table with its front up, such as a map or a track:
    without a back, not folded, and longer than any card, so no marker."""
    copies = sum(printed_piece.piece.copies for printed_piece in printed)
    is_flat = not component.has_back and not standing_net(component.shape)
    return copies == 1 and is_flat and max(component.size) > LONGEST_CARD


def print_rules(kit: Kit) -> bytes:
    """A PDF of the rulebook; empty if it is not printed."""
    pages = kit.rule_pages
    return kit.print(raster.face_sheets(list(pages.values())), pages) if pages else b""


class CellGrid(NamedTuple):
    """Cells of equal size, row by row."""

    columns: int
    rows: int

    @property
    def cells(self) -> int:
        return self.columns * self.rows


def lay_grid(images: Sequence[Image.Image], grid: CellGrid, ground: str = "") -> Image.Image:
    """Pictures of one size in the cells of a grid, on a colour or on nothing; the last cells may stay empty."""
    width, height = images[0].size
    size = grid.columns * width, grid.rows * height
    sheet = Image.new("RGB", size, ground) if ground else Image.new("RGBA", size)
    for number, image in enumerate(images):
        row, column = divmod(number, grid.columns)
        sheet.paste(image, (column * width, row * height), image if ground else None)
    return sheet


def divide(things: Sequence[_Thing], cells: int) -> Iterator[Sequence[_Thing]]:
    """Divides things into grids of so many cells."""
    for start in range(0, len(things), cells):
        yield things[start : start + cells]


def name_by_content(content: bytes, ending: str) -> str:
    """A name that changes with the content, since tables keep files by their address."""
    return f"{blake2b(content, digest_size=_DIGEST).hexdigest()}.{ending}"


def encode_png(image: Image.Image) -> bytes:
    """A PNG without metadata."""
    return save_picture(image, "PNG", optimize=False, compress_level=6)


class LyingSet(Struct, frozen=True):
    """The printed pieces of a component that have one shape, and their faces as they are seen on a
    table: folded pieces stand. All faces show `size` (mm). `id` is that of the component, with a
    number if its pieces have several shapes."""

    id: str
    component: Component
    printed: Sequence[PrintedPiece]
    faces: Mapping[FaceKey, Face]
    size: Size

    @property
    def copies(self) -> int:
        """All physical pieces."""
        return sum(printed_piece.piece.copies for printed_piece in self.printed)

    @property
    def has_own_backs(self) -> bool:
        """Whether some backs differ."""
        return len({printed_piece.back for printed_piece in self.printed}) > 1

    @property
    def is_folded(self) -> bool:
        """Whether the pieces are folded and stand."""
        return standing_net(self.component.shape) is not None

    @property
    def is_board(self) -> bool:
        """Whether the piece is a board; see the function `is_board`."""
        return is_board(self.component, self.printed)

    @property
    def is_secret(self) -> bool:
        """Whether the backs are printed and look alike, so that they hide which front is which."""
        has_hidden = len({printed_piece.front for printed_piece in self.printed}) > 1
        is_plain = self.component.has_back and not self.has_own_backs
        return is_plain and has_hidden and not self.is_folded


def faces_of(component: Component, faces: Mapping[FaceKey, Face]) -> dict[FaceKey, Face]:
    """The faces of the pieces of a component, or of a part of one."""
    pieces = {piece.id for piece in component.pieces}
    return {key: face for key, face in faces.items() if key[0] == component.id and key[1] in pieces}


def lying_sets(components: Iterable[Component], faces: Mapping[FaceKey, Face]) -> Iterator[LyingSet]:
    """The sets of the components that are printed, one for each shape."""
    for component in components:
        parts = component.alike()
        for number, part in enumerate(parts, 1):
            if printed := printed_pieces(faces, part):
                if standing_net(part.shape):
                    printed = [PrintedPiece(piece.piece, piece.front, None) for piece in printed]
                id_ = f"{part.id}-{number}" if len(parts) > 1 else part.id
                yield LyingSet(id_, part, printed, *_seen_faces(part, faces))


def _seen_faces(component: Component, faces: Mapping[FaceKey, Face]) -> tuple[Mapping[FaceKey, Face], Size]:
    """The faces of a component as seen on the table, and the size of all."""
    own = faces_of(component, faces)
    if not standing_net(component.shape):
        return own, component.size
    standing = {
        key: stand(component, key[1], face, own.get((*key[:2], "back")))
        for key, face in own.items()
        if key[2] == "front"
    }
    return standing, next(iter(standing.values())).size


class TablePiece(Struct, frozen=True):
    """A piece, with pictures of both sides of one size, transparent outside its outline.

    A folded piece shows the same picture on both sides; a back that is not printed is white.
    """

    id: str
    name: str
    copies: int
    front: Image.Image
    back: Image.Image

    def picture(self, side: Side) -> Image.Image:
        return self.front if side == "front" else self.back


class PieceSet(LyingSet, frozen=True):
    """The pieces of a component with their pictures."""

    pieces: Sequence[TablePiece]


def picture_sets(kit: Kit, dpi: float) -> Iterator[PieceSet]:
    """The sets of a kit that are printed; large pictures have fewer dots, see MOST_PIXELS."""
    for lying in lying_sets(kit.game.components, kit.faces):
        yield _picture_set(kit, lying, dpi)


def _picture_set(kit: Kit, lying: LyingSet, dpi: float) -> PieceSet:
    component, faces = lying.component, lying.faces
    pictures = paint_pieces(kit, faces, _bounded(dpi, lying.size))
    pieces = []
    for printed in lying.printed:
        id_, copies = printed.piece.id, printed.piece.copies
        front = back = pictures[faces[component.id, id_, "front"].id]
        if not lying.is_folded:
            back = pictures[printed.back] if printed.back else _blank_back(front)
        pieces.append(TablePiece(id_, component.name_piece(id_), copies, front, back))
    return PieceSet(lying.id, component, lying.printed, faces, lying.size, pieces)


def _bounded(dpi: float, size: Size) -> float:
    return min(dpi, MOST_PIXELS * MM_PER_INCH / max(size))


def _blank_back(front: Image.Image) -> Image.Image:
    blank = Image.new("RGBA", front.size, "white")
    blank.putalpha(ImageOps.mirror(front.getchannel("A")))
    return blank


class RulePages(Struct, frozen=True):
    """The pages of the rulebook in reading order, and the size of one (mm)."""

    pictures: Sequence[Image.Image]
    size: Size


def picture_rules(kit: Kit, dpi: float) -> RulePages | None:
    """Pictures of the rulebook; None if it is not printed."""
    faces = list(kit.rule_pages.values())
    if not faces:
        return None
    size = faces[0].size
    return RulePages(raster.rasterise(print_rules(kit), _bounded(dpi, size)), size)
