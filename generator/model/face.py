"""The faces of pieces: layers, placed on a face."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from generator.geometry import IDENTITY, Affine, Point, Rect, Size, decimal, translation
from generator.outlines import Outline, box_of, common, grown, rounded

Side = Literal["front", "back"]
FaceKey = tuple[str, str, Side]  # component, piece, side
SIDES: tuple[Side, Side] = ("front", "back")
_LONGEST_PACKED = 64 * 1024  # characters; longer texts hold photographs, which are packed already
_AT_THE_CUT = 0.5  # mm: layers of a bleed overlap the piece by less


class LackingWords(Struct, frozen=True):
    """Words whose family does not have the style they ask for: "bold", "italic"."""

    words: str
    family: str
    style: str


class Layer(Struct, frozen=True):
    """A drawing: SVG text whose user unit is the millimetre. It is typeset once and placed often.

    `name` is for error messages; `id` is a digest of the text; `content` is the text, packed in a
    deck that has many thousands; `lacking` are the words whose family lacks the style that they ask
    for.
    """

    id: str
    name: str
    content: bytes | str
    size: Size
    lacking: tuple[LackingWords, ...] = ()

    @property
    def svg(self) -> str:
        """The text of the drawing."""
        if isinstance(self.content, str):
            return self.content
        return zlib.decompress(self.content).decode()

    def packed(self) -> Self:
        """The layer with its text packed, unless that is long."""
        content = self.content
        if isinstance(content, bytes) or len(content) > _LONGEST_PACKED:
            return self
        return replace(self, content=zlib.compress(content.encode(), 1))

    def without_drawing(self) -> Self:
        """The layer without its text."""
        return replace(self, content="")

    @classmethod
    def of(cls, name: str, svg: str, size: Size, lacking: tuple[LackingWords, ...] = ()) -> Self:
        """A layer whose id is a digest of its text."""
        digest = blake2b(svg.encode(), digest_size=12).hexdigest()
        return cls(digest, name, svg, size, lacking)


class PlacedLayer(NamedTuple):
    """A layer with its top left corner at a point of a face, then moved by `motion`.

    Only the part within `clip` shows; all of it, if `clip` is None.
    """

    layer: Layer
    at: Point
    motion: Affine = IDENTITY
    clip: Outline | None = None

    @property
    def place(self) -> Affine:
        """Map the layer to the face."""
        return self.motion @ translation(*self.at)

    def to_text(self) -> str:
        """A text of its content, in steady numbers: layers with equal texts look the same."""
        return f"{self.layer.id} {_write_frame(self.at, self.motion, self.clip)}"


@lru_cache  # the faces of a component have the same
def _write_frame(at: Point, motion: Affine, clip: Outline | None) -> str:
    """A text of the place and the clip of a layer."""
    place = (motion @ translation(*at)).to_text()
    corners = " ".join(decimal(length) for point in clip or () for length in point)
    return f"{place} {'all' if clip is None else corners}"


@lru_cache
def _reaches(clip: Outline, piece: Outline) -> bool:
    """Whether a clip reaches further into a piece than the overlap of a bleed."""
    return bool(common(clip, grown(piece, -_AT_THE_CUT)))


class Face(Struct, frozen=True):
    """One side of a piece: layers on its bleed box, the lowest first."""

    id: str
    name: str
    layers: tuple[PlacedLayer, ...]
    size: Size
    outline: Outline  # of the cut piece
    corner_radius: float

    @classmethod
    def of(
        cls,
        placed_layers: Sequence[PlacedLayer],
        name: str,
        size: Size,
        outline: Outline,
        corner_radius: float = 0.0,
    ) -> Self:
        """A face whose id is a digest of its layers."""
        content = "\n".join(placed.to_text() for placed in placed_layers)
        id_ = blake2b(content.encode(), digest_size=12).hexdigest()
        return cls(id_, name, tuple(placed_layers), size, outline, corner_radius)

    @property
    def trim(self) -> Rect:
        """The box around the cut piece."""
        return box_of(self.outline)

    @property
    def cut_out(self) -> tuple[PlacedLayer, ...]:
        """The layers without those that only make its bleed, such as mirrored edges."""
        return tuple(s for s in self.layers if s.clip is None or _reaches(s.clip, self.outline))

    @property
    def cut(self) -> Outline:
        """The outline with its corners rounded."""
        return rounded(self.outline, self.corner_radius)
