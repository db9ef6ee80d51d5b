"""Broken pictures of every kind, as files, within drawings, beside templates."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from random import Random

from PIL import Image

from tests.fuzz import havoc, material
from tests.fuzz.cases import Case, with_command

_MODES = {
    "PNG": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"),
    "JPEG": ("L", "RGB", "CMYK"),
    "WEBP": ("RGB", "RGBA"),
    "AVIF": ("L", "RGB", "RGBA"),
    "GIF": ("1", "L", "P"),
    "TIFF": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK"),
    "BMP": ("1", "L", "P", "RGB"),
}
_TURNING = ("JPEG", "PNG", "WEBP", "AVIF", "TIFF")
_ORIENTATION = 0x0112
_CHUNKS = (
    b"IHDR",
    b"PLTE",
    b"IDAT",
    b"IEND",
    b"tRNS",
    b"gAMA",
    b"iCCP",
    b"tEXt",
    b"zTXt",
    b"iTXt",
    b"pHYs",
    b"acTL",
    b"fcTL",
    b"eXIf",
    b"abcd",
)
_MARKERS = (0xC0, 0xC1, 0xC2, 0xC4, 0xC9, 0xD0, 0xD8, 0xD9, 0xDA, 0xDB, 0xDD, 0xE0, 0xE1, 0xE2, 0xEE, 0xFE, 0xFF)
_SIDES = (0, 1, 5_000, 5_001, 65_535, 2**31 - 1, 2**31, 2**32 - 1)


def make(rng: Random) -> Case:
    kind = rng.choice(tuple(_MODES))
    content = _picture(rng, kind)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        is_rough = rng.random() < 0.4
        content = havoc.break_bytes(rng, content) if is_rough else _broken(rng, kind, content)
    suffixes = (".png", ".jpg", ".jpeg", ".PNG", ".tif", ".webp")
    suffix = rng.choice(suffixes) if rng.random() < 0.1 else f".{kind.lower()}"
    return with_command(rng, _placed(rng, content, suffix))


def _placed(rng: Random, content: bytes, suffix: str) -> material.Files:
    files = dict(material.TINY)
    if rng.random() < 0.6:
        files |= {f"photo{suffix}": content}
        spec = material.spec_of(files)
        spec["art"]["dot"] = f"photo{suffix}"
        return material.with_spec(files, spec)
    text = base64.b64encode(content).decode()
    if rng.random() < 0.2:
        text = havoc.break_text(rng, text)
    mimes = ("png", "jpeg", "png;charset=utf-8", "PNG", "gif", "webp", "avif", "tiff", "bmp")
    mime = f"image/{rng.choice(mimes)}"
    link = f"data:{mime};base64,{text}".replace("&", "").replace("<", "").replace('"', "")
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image width="9" height="9" href="{link}"/></svg>'
    )
    return {**files, "dot.svg": drawing.encode("utf-8", "replace")}


def _picture(rng: Random, kind: str) -> bytes:
    mode = rng.choice(_MODES[kind])
    size = rng.choice(((1, 1), (1, 9), (16, 16), (33, 7)))
    image = Image.frombytes("RGB", size, rng.randbytes(3 * size[0] * size[1]))
    image = image.convert("L").convert("I").convert("I;16") if mode == "I;16" else image.convert(mode)
    written = io.BytesIO()
    dpi = rng.choice(((72, 72), (300, 300), (0, 0), (1e-6, 1e6)))
    told: dict[str, object] = {}
    if kind in _TURNING and rng.random() < 0.3:
        told["exif"] = exif = Image.Exif()
        exif[_ORIENTATION] = rng.randrange(10)
    if kind == "JPEG":
        told |= {"quality": rng.choice((1, 50, 95)), "progressive": rng.random() < 0.5}
    elif kind == "PNG":
        told["dpi"] = dpi
    image.save(written, kind, **told)
    return written.getvalue()


def _broken(rng: Random, kind: str, content: bytes) -> bytes:
    if kind == "PNG":
        return _broken_png(rng, content)
    return _broken_jpeg(rng, content) if kind == "JPEG" else havoc.break_bytes(rng, content)


def _broken_png(rng: Random, content: bytes) -> bytes:
    """A chunk changed, dropped or doubled, its checksum true nearly always."""
    chunks = _chunks(content)
    if not chunks:
        return havoc.break_bytes(rng, content)
    at = rng.randrange(len(chunks))
    kind, held = chunks[at]
    chance = rng.random()
    if chance < 0.4:
        held = havoc.break_bytes(rng, held)
        if kind == b"IDAT" and rng.random() < 0.5:
            held = zlib.compress(rng.randbytes(rng.choice((0, 9, 999))) * rng.choice((1, 1, 200)))
    elif chance < 0.6:
        at, held = (
            0,
            struct.pack(
                ">IIBBBBB", rng.choice(_SIDES), rng.choice(_SIDES), *rng.choices((0, 1, 2, 3, 4, 6, 8, 16, 255), k=5)
            ),
        )
        kind = b"IHDR"
    elif chance < 0.75:
        kind = rng.choice(_CHUNKS)
    chunks[at : at + 1] = [(kind, held)] * rng.choice((0, 1, 1, 1, 2)) if chance > 0.75 else [(kind, held)]
    return content[:8] + b"".join(_chunk(rng, *chunk) for chunk in chunks)


def _chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at + 12 <= len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        found.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + size]))
        at += 12 + size
    return found


def _chunk(rng: Random, kind: bytes, held: bytes) -> bytes:
    check = zlib.crc32(kind + held) if rng.random() < 0.97 else 0
    size = len(held) if rng.random() < 0.97 else rng.choice(_SIDES)
    return struct.pack(">I", size) + kind + held + struct.pack(">I", check)


def _broken_jpeg(rng: Random, content: bytes) -> bytes:
    """A marker, a length or a field of a segment changed."""
    places = [at for at in range(len(content) - 4) if content[at] == 0xFF and content[at + 1]]
    if not places:
        return havoc.break_bytes(rng, content)
    at = rng.choice(places)
    chance = rng.random()
    if chance < 0.3:
        return content[: at + 1] + bytes([rng.choice(_MARKERS)]) + content[at + 2 :]
    if chance < 0.6:
        size = rng.choice((0, 1, 2, 3, 17, 65_535)).to_bytes(2, "big")
        return content[: at + 2] + size + content[at + 4 :]
    field = at + rng.randint(4, 12)
    return content[:field] + rng.choice((b"\0", b"\1", b"\xff", b"\0\0", b"\xff\xff")) + content[field + 1 :]
