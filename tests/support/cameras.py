"""Take an upright picture, store it as a camera does that was held in another way."""

from __future__ import annotations

from PIL import Image

_ORIENTATION = 0x0112  # the EXIF tag (CIPA DC-008)
# How the picture is stored that a viewer is told to turn by each number.
_STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
ORIENTATIONS = tuple(_STORED)


def store_turned(upright: Image.Image, orientation: int) -> tuple[Image.Image, Image.Exif]:
    """The picture as it is stored, and the data that tell how to turn it."""
    turn = _STORED[orientation]
    return upright if turn is None else upright.transpose(turn), exif_of(orientation)


def exif_of(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[_ORIENTATION] = orientation
    return exif
