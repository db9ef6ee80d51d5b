"""What goes to the press's worker: everything a PDF is made of, or a layer to be tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.model import Face, Imprint, Layer, Sheet


def layers_of(faces: Sequence[Face]) -> list[Layer]:
    """The distinct layers of faces."""
    stamps = (stamp for face in faces for stamp in face.stamps)
    return list({stamp.layer.id: stamp.layer for stamp in stamps}.values())


@dataclass(frozen=True, slots=True)
class Job:
    """Sheets, the faces placed on them, and the folders of the fonts they are set in."""

    sheets: Sequence[Sheet]
    faces: Sequence[Face]
    imprint: Imprint
    font_folders: Sequence[str]
    # what a piece and the id of its face are called, for those who do not see it
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def layers(self) -> list[Layer]:
        """The distinct layers of all faces."""
        return layers_of(self.faces)


@dataclass(frozen=True, slots=True)
class Draft:
    """Layers that a job is going to hold. It has no answer."""

    layers: Sequence[Layer]
    font_folders: Sequence[str]


@dataclass(frozen=True, slots=True)
class Trial:
    """A layer to be drawn alone, to find out whether it can be. The answer is empty."""

    layer: Layer
    font_folders: Sequence[str]
