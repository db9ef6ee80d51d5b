"""Take PDFs of faces and sheets, make pictures of them, and read their contents."""

from generator.raster.contents import read_pages
from generator.raster.drift import DriftRow, drift_backs
from generator.raster.overlay import LEGEND, overlay
from generator.raster.pictures import (
    cut_out,
    encode,
    face_sheets,
    overview,
    rasterise,
    rasterise_each,
)

__all__ = [
    "LEGEND",
    "DriftRow",
    "cut_out",
    "drift_backs",
    "encode",
    "face_sheets",
    "overlay",
    "overview",
    "rasterise",
    "rasterise_each",
    "read_pages",
]
