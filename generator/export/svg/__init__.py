"""SVG files of a kit: each face, and each page to read."""

from collections.abc import Iterator
from typing import Literal

from generator.basics.bounds import Bound
from generator.basics.errors import Place, quote
from generator.basics.geometry import Rect, translation
from generator.basics.keys import Keys
from generator.basics.shapes import Outline
from generator.export.exporter import ExportedFile, Kit
from generator.export.svg.document import FaceDocument
from generator.model import Component, Face, Side, Turn
from generator.text import FontBook


class Drawings(Keys, frozen=True, kw_only=True):
    """A file for each face with its bleed and for each page of the cover and the rules.

    A file has the size of the bleed box; its unit is a millimetre, its origin the top left corner,
    as in a template. `text`: letters are outlines, or text in fonts that the file contains.
    """

    text: Literal["outlines", "fonts"] = "outlines"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        fonts = FontBook(kit.game.font_folders)
        contents: dict[tuple[str, Outline], bytes] = {}
        for path, face, bleed in _paths(kit):
            if (face.id, bleed) not in contents:
                with Bound(Place(quote(kit.game.name))).hold():
                    content = FaceDocument(face, bleed, fonts, self.text).content()
                contents[face.id, bleed] = content
            yield ExportedFile(path, contents[face.id, bleed])


def _paths(kit: Kit) -> Iterator[tuple[str, Face, Outline]]:
    """The path of each file, its face, and the outline within which it may be inked."""
    components = {component.id: component for component in kit.game.components}
    for (component, piece, side), face in kit.faces.items():
        bleed = bleed_of(components[component], side, face.turn)
        yield f"faces/{component}/{piece}-{side}.svg", face.upright, bleed
    for (part, number, _), face in kit.pages.items():
        yield f"{part}/{number}.svg", face, Rect(0.0, 0.0, *face.size).corners()


def bleed_of(component: Component, side: Side, turn: Turn = 0) -> Outline:
    """The outline within which a face that is upright may be inked, on its bleed box. `turn`: how
    it lies on the piece."""
    view = (component if side == "front" else component.from_behind()).unturned(turn)
    return view.shape.placed(translation(view.bleed, view.bleed), by=view.bleed)
