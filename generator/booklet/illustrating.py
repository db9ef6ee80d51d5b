"""Take a booklet's text and the drawn faces, make its figures as Faces of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from generator.basics.geometry import Size
from generator.basics.outlines import rectangle
from generator.booklet.blocks import Aside, Block, Listing, Manuscript, MarkdownFigure
from generator.booklet.design import PageDesign
from generator.booklet.figure import ContentsEntry, FaceIndex, list_kit
from generator.booklet.figure_reading import read_figure
from generator.booklet.plates import make_plate
from generator.booklet.reading import read, symbols
from generator.model import Art, Booklet, Face, FaceKey, Game
from generator.text import FontBook
from generator.text.icons import colour_picture, find_icon

_WIDTH = 130.0  # mm of a figure at most, as wide as a column on a screen
_HEIGHTS = {"face": 75.0, "row": 80.0, "table": 130.0}  # mm, by kind
_INK = "#1f1c19"


class Illustration(Struct, frozen=True):
    """A figure as a face without bleed, its caption, and the names of the pieces that it shows."""

    face: Face
    caption: str
    shown: tuple[str, ...]


class IllustratedText(Struct, frozen=True):
    """A text, its figures and its lists of the kit by their lines, and its icons by name."""

    text: Manuscript
    figures: dict[int, Illustration]
    kits: dict[int, list[ContentsEntry]]
    icons: dict[str, Art]


def illustrate(game: Game, booklet: Booklet, faces: Mapping[FaceKey, Face]) -> IllustratedText:
    """The text of a booklet with its figures. Raises PnpError with every fault of it."""
    text = read(booklet.text, booklet.place)
    index = FaceIndex(game.components, faces, booklet.icons)
    design = PageDesign(booklet, FontBook(game.font_folders))
    sources = list(_figures_of(text.blocks))
    drawn = (one for one in sources if one.kind != "kit")
    return IllustratedText(
        text,
        {one.line: _illustrate(one, index, design) for one in drawn},
        {one.line: list(list_kit(one, index)) for one in sources if one.kind == "kit"},
        {
            name: colour_picture(find_icon(name, booklet.icons, ""), _INK)
            for name in symbols(booklet.text, booklet.place)
        },
    )


def _figures_of(blocks: Iterable[Block]) -> Iterator[MarkdownFigure]:
    """The figures of a text, also those in lists and asides."""
    for block in blocks:
        match block:
            case MarkdownFigure():
                yield block
            case Aside():
                yield from _figures_of(block.blocks)
            case Listing():
                for item in block.items:
                    yield from _figures_of(item)


def _illustrate(source: MarkdownFigure, index: FaceIndex, design: PageDesign) -> Illustration:
    figure = read_figure(source, index, design.booklet.place)
    room = Size(_WIDTH, _HEIGHTS[source.kind])
    plate = make_plate(figure, room, design.accent, design.bold)
    shown = tuple(dict.fromkeys(one.face.name for one in figure.placed))
    edge = rectangle(plate.size).outline
    face = Face.of(plate.layers, f"figure in line {source.line} of the rules", plate.size, edge)
    return Illustration(face, figure.caption, shown)
