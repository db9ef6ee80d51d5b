"""Take the same faces and sheets, make pictures of them."""

from generator.export.contents import seen
from generator.export.drift import Row, drifted
from generator.export.overlay import LEGEND, overlaid
from generator.export.png import cut_out, encode, face_sheets, overview, rasterise, rasterised

__all__ = [
    "LEGEND",
    "Row",
    "cut_out",
    "drifted",
    "encode",
    "face_sheets",
    "overlaid",
    "overview",
    "rasterise",
    "rasterised",
    "seen",
]
