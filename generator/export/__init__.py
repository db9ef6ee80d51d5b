"""Take the same faces and sheets, make pictures of them."""

from generator.export.png import encode, face_sheets, overview, rasterise, rounded

__all__ = ["encode", "face_sheets", "overview", "rasterise", "rounded"]
