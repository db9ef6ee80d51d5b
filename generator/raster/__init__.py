"""Take the same faces and sheets, make pictures of them."""

from generator.raster.contents import seen
from generator.raster.drift import Row, drifted
from generator.raster.overlay import LEGEND, overlaid
from generator.raster.pictures import cut_out, encode, face_sheets, overview, rasterise, rasterised

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
