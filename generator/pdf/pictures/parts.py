"""Take a face, make the part that a picture shows: all of it, or only the cut piece."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from generator.basics.geometry import Size, translation
from generator.basics.outlines import carried
from generator.model import Face

Part = Literal["piece", "whole"]  # the box of the trim, the box of the bleed


def part_of(face: Face, part: Part) -> Face:
    """The face, reduced to the part. A cut piece leaves out the art of the bleed: with mirrored
    edges, that is most of the work."""
    if part == "whole":
        return face
    trim = face.trim
    away = translation(-trim.x0, -trim.y0)
    layers = (
        placed._replace(
            motion=away @ placed.motion,
            clip=None if placed.clip is None else carried(placed.clip, away),
        )
        for placed in face.cut_out
    )
    return replace(
        face,
        layers=tuple(layers),
        size=Size(trim.width, trim.height),
        outline=carried(face.outline, away),
    )
