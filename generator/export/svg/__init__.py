"""Take a kit, make an SVG of each face and of each page that is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from generator.bounds import Bound
from generator.errors import quote
from generator.export.exporter import ExportedFile, Kit
from generator.export.svg.document import FaceDocument
from generator.fields import OPTIONS
from generator.geometry import Rect, translation
from generator.model import Component, Face, Side
from generator.outlines import Outline
from generator.place import Place
from generator.text import FontBook


@dataclass(frozen=True)
class Drawings:
    """Each face with its bleed, each page of the cover and the rules; each a file by itself.

    A file is as large as the bleed box, and so are its coordinates: a unit is a millimetre, the
    origin the top left corner, as in a template. `text`: letters are outlines, or text in fonts
    that are in the file.
    """

    __pydantic_config__ = OPTIONS

    text: Literal["outlines", "fonts"] = "outlines"

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        fonts = FontBook(kit.game.font_folders)
        known: dict[tuple[str, Outline], bytes] = {}
        for path, face, bleed in _paths(kit):
            if (face.id, bleed) not in known:
                with Bound(Place(quote(kit.game.name))).hold():
                    content = FaceDocument(face, bleed, fonts, self.text).content()
                known[face.id, bleed] = content
            yield ExportedFile(path, known[face.id, bleed])


def _paths(kit: Kit) -> Iterator[tuple[str, Face, Outline]]:
    """Each file's path, its face, and the outline that this may ink."""
    components = {component.id: component for component in kit.game.components}
    for (component, piece, side), face in kit.faces.items():
        bleed = bleed_of(components[component], side)
        yield f"faces/{component}/{piece}-{side}.svg", face, bleed
    for (part, number, _), face in kit.pages.items():
        yield f"{part}/{number}.svg", face, Rect(0.0, 0.0, *face.size).corners()


def bleed_of(component: Component, side: Side) -> Outline:
    """The outline that a face may ink, on its bleed box."""
    seen = component if side == "front" else component.from_behind()
    return seen.shape.placed(translation(seen.bleed, seen.bleed), by=seen.bleed)
