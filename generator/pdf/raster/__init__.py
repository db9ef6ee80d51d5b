"""Pictures of the PDFs of faces and sheets, and the contents of these PDFs."""

from __future__ import annotations

from generator.pdf.raster.overlaying import LEGEND, overlay
from generator.pdf.raster.pictures import (
    DriftRow,
    cut_along,
    cut_out,
    drift_backs,
    encode,
    face_sheets,
    lay,
    overview,
    paint_bands,
    rasterise,
    rasterise_as_jpegs,
    rasterise_each,
    trimmed,
)
from generator.pdf.raster.proofs import paint_faces, read_faces
