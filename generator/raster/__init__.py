"""Take PDFs of faces and sheets, make pictures of them, and read their contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.lazily import load_lazily

if TYPE_CHECKING:
    from generator.raster.drift import DriftRow, drift_backs
    from generator.raster.encoding import encode
    from generator.raster.overlaying import LEGEND, overlay
    from generator.raster.pictures import (
        cut_along,
        cut_out,
        face_sheets,
        overview,
        rasterise,
        rasterise_as_jpegs,
        rasterise_each,
        trimmed,
    )
    from generator.raster.proofs import paint_faces, read_faces
    from generator.raster.sharing import lay

__all__ = [
    "LEGEND",
    "DriftRow",
    "cut_along",
    "cut_out",
    "drift_backs",
    "encode",
    "face_sheets",
    "lay",
    "overlay",
    "overview",
    "paint_faces",
    "rasterise",
    "rasterise_as_jpegs",
    "rasterise_each",
    "read_faces",
    "trimmed",
]

_MODULES = {
    "DriftRow": "generator.raster.drift",
    "LEGEND": "generator.raster.overlaying",
    "cut_along": "generator.raster.pictures",
    "cut_out": "generator.raster.pictures",
    "drift_backs": "generator.raster.drift",
    "encode": "generator.raster.encoding",
    "face_sheets": "generator.raster.pictures",
    "lay": "generator.raster.sharing",
    "overlay": "generator.raster.overlaying",
    "overview": "generator.raster.pictures",
    "paint_faces": "generator.raster.proofs",
    "rasterise": "generator.raster.pictures",
    "rasterise_as_jpegs": "generator.raster.pictures",
    "rasterise_each": "generator.raster.pictures",
    "read_faces": "generator.raster.proofs",
    "trimmed": "generator.raster.pictures",
}

__getattr__ = load_lazily(__name__, _MODULES)
