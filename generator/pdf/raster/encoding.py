"""Take a picture, make a PNG.

Pillow chooses a filter for each row, which takes as long as compressing them and makes drawings
larger: with it, an export of pictures takes 9.3 s instead of 8.0 s, and they are a fifth larger.
Here rows have none, except in photographs (W3C, PNG, third edition, 9 and 11).
"""

from __future__ import annotations

import io
import zlib
from struct import pack

from PIL import Image

from generator.basics.units import MM_PER_INCH

_COMPRESSION = 2  # zlib: 3 takes an eighth longer and makes faces and sheets 2.5 % smaller
_LEAST_GAIN = 4  # times smaller than its pixels: a photograph is not
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS = {"RGB": 2, "RGBA": 6}
_METRE = 1


def encode(image: Image.Image, dpi: float) -> bytes:
    """The file of an RGB or RGBA picture."""
    pixels = _compress_rows(image)
    if len(pixels) * _LEAST_GAIN > image.width * image.height * len(image.mode):
        buffer = io.BytesIO()
        image.save(buffer, "PNG", compress_level=_COMPRESSION, dpi=(dpi, dpi))
        return buffer.getvalue()
    head = pack(">2I5B", *image.size, 8, _COLOURS[image.mode], 0, 0, 0)
    dots = round(dpi * 1000 / MM_PER_INCH)
    resolution = _chunk(b"pHYs", pack(">2IB", dots, dots, _METRE))
    parts = (_chunk(b"IHDR", head), resolution, _chunk(b"IDAT", pixels), _chunk(b"IEND", b""))
    return _SIGNATURE + b"".join(parts)


def _compress_rows(image: Image.Image) -> bytes:
    """The pixels, compressed; each row begins with the number of its filter, 0."""
    zeroes_behind = image.tobytes("raw", image.mode, image.width * len(image.mode) + 1)
    packer = zlib.compressobj(_COMPRESSION)
    rows = packer.compress(b"\0"), packer.compress(memoryview(zeroes_behind)[:-1])
    return b"".join((*rows, packer.flush()))


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return pack(">I", len(content)) + kind + content + pack(">I", checksum)
