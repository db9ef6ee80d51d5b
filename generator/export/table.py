"""Take a kit, make pictures of its pieces as they lie on a table, and of the pages of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from PIL import Image, ImageOps

from generator.basics.geometry import Size
from generator.basics.units import MM_PER_INCH
from generator.export.exporter import Kit
from generator.export.lying import LyingSet, lying_sets
from generator.export.pieces import paint_pieces, print_rules, rule_pages
from generator.pdf import raster

MOST_PIXELS = 4096  # of a picture, each way: graphics cards of tables refuse more


class TablePiece(Struct, frozen=True):
    """A piece, with pictures of both sides of one size, transparent outside its outline.

    A folded piece shows the same picture on both sides; a back that is not printed is white.
    """

    id: str
    name: str
    copies: int
    front: Image.Image
    back: Image.Image


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
    for one in lying.printed:
        front = pictures[faces[component.id, one.piece.id, "front"].id]
        back = pictures[one.back] if one.back else front
        if not one.back and not lying.is_folded:
            back = _blank_back(front)
        name = f"{component.title} {one.piece.id}"
        pieces.append(TablePiece(one.piece.id, name, one.piece.copies, front, back))
    return PieceSet(component, lying.printed, faces, lying.size, pieces)


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
    faces = list(rule_pages(kit).values())
    if not faces:
        return None
    size = faces[0].size
    return RulePages(raster.rasterise(print_rules(kit), _bounded(dpi, size)), size)
