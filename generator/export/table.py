"""Take a kit, make pictures of its pieces as they lie on a table, and of the pages of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from PIL import Image, ImageOps

from generator import raster
from generator.export.exporter import Kit
from generator.export.pieces import paint_pieces, print_rules, printed_pieces, rule_pages
from generator.faces.standing import stand
from generator.geometry import Size
from generator.model import Component, Face, FaceKey
from generator.nets import Net
from generator.units import MM_PER_INCH

MOST_PIXELS = 4096  # of a picture, each way: graphics cards of tables refuse more


class TablePiece(NamedTuple):
    """A piece, with pictures of both sides of one size, transparent outside its outline.

    A folded piece shows the same picture on both sides; a back that is not printed is white.
    """

    id: str
    name: str
    copies: int
    front: Image.Image
    back: Image.Image


class PieceSet(NamedTuple):
    """The pieces of a component; their pictures show `size` (mm)."""

    component: Component
    pieces: Sequence[TablePiece]
    size: Size
    has_own_backs: bool

    @property
    def copies(self) -> int:
        """All physical pieces."""
        return sum(piece.copies for piece in self.pieces)

    @property
    def is_folded(self) -> bool:
        """Whether the pieces are nets, which stand."""
        return isinstance(self.component.shape, Net)

    @property
    def is_board(self) -> bool:
        """Whether it is one piece that lies on the table with its front up, such as a track."""
        return self.copies == 1 and not self.component.has_back and not self.is_folded

    @property
    def is_secret(self) -> bool:
        """Whether the backs are printed and look alike, so that they hide the fronts."""
        return self.component.has_back and not self.has_own_backs


def picture_sets(kit: Kit, dpi: float) -> Iterator[PieceSet]:
    """The sets of a kit that are printed; large pictures have fewer dots, see MOST_PIXELS."""
    for component in kit.game.components:
        if printed_pieces(kit, component):
            yield _picture_set(kit, component, dpi)


def _picture_set(kit: Kit, component: Component, dpi: float) -> PieceSet:
    faces, size = _seen_faces(kit, component)
    pictures = paint_pieces(kit, faces, _bounded(dpi, size))
    printed = printed_pieces(kit, component)
    pieces = []
    for one in printed:
        front = pictures[faces[component.id, one.piece.id, "front"].id]
        back = pictures[one.back] if one.back else front
        if not one.back and not isinstance(component.shape, Net):
            back = _blank_back(front)
        name = f"{component.title} {one.piece.id}"
        pieces.append(TablePiece(one.piece.id, name, one.piece.copies, front, back))
    return PieceSet(component, pieces, size, len({one.back for one in printed}) > 1)


def _seen_faces(kit: Kit, component: Component) -> tuple[Mapping[FaceKey, Face], Size]:
    """The faces of a component as seen on the table, and the size of all."""
    faces = {key: face for key, face in kit.faces.items() if key[0] == component.id}
    if not isinstance(component.shape, Net):
        return faces, component.size
    standing = {
        key: stand(component, key[1], face) for key, face in faces.items() if key[2] == "front"
    }
    return standing, next(iter(standing.values())).size


def _bounded(dpi: float, size: Size) -> float:
    return min(dpi, MOST_PIXELS * MM_PER_INCH / max(size))


def _blank_back(front: Image.Image) -> Image.Image:
    blank = Image.new("RGBA", front.size, "white")
    blank.putalpha(ImageOps.mirror(front.getchannel("A")))
    return blank


class RulePages(NamedTuple):
    """The pages of the rulebook in reading order, and the size of one (mm)."""

    pictures: Sequence[Image.Image]
    size: Size


def picture_rules(kit: Kit, dpi: float) -> RulePages | None:
    """Pictures of the rulebook; None if it is not printed."""
    faces = list(rule_pages(kit).values())
    if not faces:
        return None
    size = faces[0].size
    return RulePages(raster.rasterise(print_rules(kit), _bounded(dpi, size)), size)
