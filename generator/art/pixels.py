"""Pictures of pixels, made printable, or a report of why they cannot be printed.

The engine (typst 0.15) embeds a JPEG as it is and the pixels of a PNG. It ignores the EXIF orientation. It embeds a
colour profile up to version 4 whose minor version is at most 2, and silently drops any other. A minor version adds only
what readers may ignore (ICC.1, 7.2.4), so a copy of the profile states minor version 2. A PNG without a profile may
state its colours by gAMA and cHRM (PNG, 11.3.2).
"""

from __future__ import annotations

import base64
import io
import os
import struct
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generator.art import css
from generator.basics.errors import MisfitError
from generator.basics.files import MEGABYTE, kind_of

if TYPE_CHECKING:  # a game without pictures does not load it
    from PIL import Image

# by the suffixes of files, in the order of messages
FORMATS = {
    ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".avif": "avif", ".gif": "gif",
    ".tif": "tiff", ".tiff": "tiff", ".bmp": "bmp",
}  # fmt: skip
# In the place of pictures, which are proven separately, while the drawing is proven: one pixel.
PROVEN = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
MAX_PIXELS = 25_000_000  # 5,000 x 5,000: a Letter page at 450 dpi
MAX_PNG = 8 * MEGABYTE  # of a converted PNG: a larger one becomes a JPEG
_PRINTED = {"PNG": "png", "JPEG": "jpeg", "MPO": "jpeg"}  # some cameras write MPO
_SHARP = 1200  # pixels of the longer side, about 400 dpi on a card
_QUALITY = 95  # of a converted JPEG, without subsampling
_MOST_SCANS = 100  # of a progressive JPEG, each with the time of all pixels; programs make ten
_JPEG, _SCAN = b"\xff\xd8", b"\xff\xda"
_TIFF = (b"II", b"MM")  # the byte order
_AGAIN = "open it in its editor and export it again"
_ORIENTATION = 0x0112  # EXIF 2.3, 4.6.4
# The matrix that turns a picture of w x h upright, by its orientation.
_UPRIGHT = {
    2: "-1 0 0 1 {w} 0", 3: "-1 0 0 -1 {w} {h}", 4: "1 0 0 -1 0 {h}", 5: "0 1 1 0 0 0",
    6: "0 1 -1 0 {h} 0", 7: "0 -1 -1 0 {h} {w}", 8: "0 -1 1 0 0 {w}",
}  # fmt: skip
_ON_ITS_SIDE = 5  # from this orientation on, width and height change places
_MODES = {"PA": "RGBA", "La": "LA", "RGBa": "RGBA", "RGBX": "RGB", "YCbCr": "RGB", "HSV": "RGB"}
_DEEP = ("I", "F")  # modes without a known range
_LAST_MINOR = 2
_MINOR = 9  # of a profile: the byte whose upper half is the minor version
_ID = slice(84, 100)  # of a profile: a sum of its bytes, or zeros
_HEADER = 128
_SPACES = {"1": "GRAY", "L": "GRAY", "LA": "GRAY", "I;16": "GRAY", "CMYK": "CMYK"}  # else RGB
_CONVERTED = {"GRAY": "L", "CMYK": "CMYK", "RGB": "RGB"}  # for conversions
_COLOURS = (b"iCCP", b"sRGB", b"gAMA", b"cHRM")  # chunks of a PNG, the first counts
_IHDR = 33  # bytes of a PNG up to the end of its first chunk
_EVEN = 2  # of 255: a profile that changes colours by no more is sRGB
_LEVELS = (0, 64, 128, 192, 255)
_SCREEN = 1 / 2.2  # the usual gAMA
_AS_SCREEN = 0.03  # a gAMA that differs by no more is that of sRGB
_SRGB = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)  # white, red, green, blue, as in cHRM
_AS_SRGB = 0.005  # how far these may differ
_D50 = (0.9642, 1.0, 0.8249)  # the white of profiles
_BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


class Printable(Struct, frozen=True):
    """A picture for the engine: its kind, as in a data URI, its bytes, and its pixels."""

    kind: str
    content: bytes
    pixels: int

    @property
    def uri(self) -> str:
        return f"data:image/{self.kind};base64,{base64.b64encode(self.content).decode()}"


def make_printable(content: bytes, format_: str, *, is_alone: bool = True) -> Printable:
    """The printable form of a picture: `content` itself if the engine prints it right.

    A JPEG with an orientation is put into a drawing that turns it, or, without `is_alone`, within a drawing of the
    designer's, it is encoded again. Other pictures become a PNG, or a JPEG if the PNG were larger than MAX_PNG. Raises
    MisfitError if the content is not a picture of a known format, whatever `format_` is, or if it is too large.
    """
    from PIL import Image

    if content.startswith(_JPEG) and content.count(_SCAN) > _MOST_SCANS:
        raise MisfitError("the picture is drawn in too many steps", _AGAIN)
    _silence_warnings()
    silence = _silence_libtiff() if content.startswith(_TIFF) else nullcontext()
    try:
        with silence, warnings.catch_warnings():  # the size is checked below
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=_known_formats()) as image:
                if image.width * image.height <= MAX_PIXELS:
                    return _convert(image, content, is_alone)
    except Image.DecompressionBombError:
        pass
    except (MisfitError, MemoryError):
        raise
    except Exception:  # the library raises anything for a broken file
        name, kind = format_.upper(), kind_of(content)
        if kind and name not in kind:
            hint = f"a new name does not convert it: export it as {name}"
            raise MisfitError(f"this is {kind}, not a {name} picture", hint) from None
        raise MisfitError(f"this is not a readable {name} picture", _AGAIN) from None
    raise MisfitError("the picture has too many pixels", f"at most {MAX_PIXELS:,}")


@cache
def _silence_warnings() -> None:
    """Keeps the library's warnings from users."""
    import logging

    logging.getLogger("PIL").addHandler(logging.NullHandler())


@contextmanager
def _silence_libtiff() -> Iterator[None]:
    """Keeps what the library says of a broken file from the terminal."""
    try:
        stderr = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


def find_upright_size(content: bytes) -> tuple[int, int]:
    """The pixels across and down of a readable picture, held as its EXIF orientation says."""
    from PIL import Image

    with Image.open(io.BytesIO(content), formats=_known_formats()) as image:
        is_turned = _read_turn(image) >= _ON_ITS_SIDE
        return image.size[::-1] if is_turned else image.size


def _known_formats() -> list[str]:
    return list(dict.fromkeys(FORMATS.values()))


def _convert(image: Image.Image, content: bytes, is_alone: bool) -> Printable:
    from PIL import Image, ImageOps

    kind, (width, height) = _PRINTED.get(image.format or "", ""), image.size
    if kind == "jpeg":
        image.draft(image.mode, (1, 1))  # decoding an eighth shows whether the file is whole
    image.load()
    turn = _read_turn(image)
    if kind and turn == 1:
        return Printable(kind, _embed_profile(content, image), width * height)
    if kind == "jpeg" and is_alone:
        return _make_upright(_embed_profile(content, image), width, height, turn)
    if kind == "jpeg":
        image = Image.open(io.BytesIO(content), formats=["jpeg"])
    profile = _profile_of(image)
    upright = ImageOps.exif_transpose(image) if turn != 1 else image
    return Printable(*_encode(_to_plain_mode(upright), profile, kind), width * height)


def _read_turn(image: Image.Image) -> int:
    """The EXIF orientation, 1 if it is not readable."""
    try:
        turn = image.getexif().get(_ORIENTATION, 1)
    except MemoryError:
        raise
    except Exception:
        return 1
    return turn if turn in _UPRIGHT else 1


def _make_upright(content: bytes, width: int, height: int, turn: int) -> Printable:
    """A drawing that shows a JPEG upright, with its bytes unchanged."""
    across, down = (height, width) if turn >= _ON_ITS_SIDE else (width, height)
    inner = Printable("jpeg", content, width * height).uri
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
        f'viewBox="0 0 {across} {down}"><image width="{width}" height="{height}" '
        f'transform="matrix({_UPRIGHT[turn].format(w=width, h=height)})" href="{inner}"/></svg>'
    )
    return Printable("svg+xml", drawing.encode(), width * height)


def _to_plain_mode(image: Image.Image) -> Image.Image:
    """The picture in a mode that a PNG can hold, or in CMYK. Raises MisfitError."""
    if image.mode in _DEEP:
        raise MisfitError("the picture has 32 bits a pixel", "save it with 8 or 16 bits for each colour")
    if image.mode.startswith("I;16"):
        return image if image.mode == "I;16" else image.convert("I").convert("I;16")
    if image.mode == "LAB":
        from PIL import ImageCms

        return _to_srgb(image, ImageCms.createProfile("LAB"))
    return image.convert(_MODES[image.mode]) if image.mode in _MODES else image


def _encode(image: Image.Image, profile: bytes | None, kind: str) -> tuple[str, bytes]:
    """The kind and the bytes: a JPEG stays one, inks become one, others are kept without loss
    unless they become too large. Raises MisfitError."""
    if kind != "jpeg" and image.mode != "CMYK":
        content = save_picture(image, "PNG", compress_level=1, icc_profile=profile)
        if len(content) <= MAX_PNG:
            return "png", content
        if image.has_transparency_data:
            what = f"as a PNG the picture has {len(content) / MEGABYTE:.0f} MB"
            raise MisfitError(what, f"at most {MAX_PNG // MEGABYTE} MB: save it with fewer pixels")
    opaque = image if image.mode in ("L", "RGB", "CMYK") else image.convert("RGB")
    return "jpeg", save_picture(opaque, "JPEG", quality=_QUALITY, subsampling=0, icc_profile=profile)


def save_picture(image: Image.Image, format_: str, **options: object) -> bytes:
    """The file of a picture in a format of Pillow."""
    stream = io.BytesIO()
    image.save(stream, format_, **options)
    return stream.getvalue()


def sharpen(uri: str) -> str:
    """A small picture, as a data URI, enlarged until viewers cannot smooth its pixels."""
    from PIL import Image

    picture = read_embedded(uri)
    if picture is None:
        return uri
    with Image.open(io.BytesIO(picture.content)) as image:
        times = _SHARP // max(image.size)
        if times < 2 or image.mode == "CMYK":
            return uri
        size = (image.width * times, image.height * times)
        plain = image if image.mode in ("L", "LA") else image.convert("RGBA")
        larger = plain.resize(size, Image.Resampling.NEAREST)
        profile = image.info.get("icc_profile")
    sharp = save_picture(larger, "PNG", compress_level=6, icc_profile=profile)
    return Printable("png", sharp, size[0] * size[1]).uri


@lru_cache(maxsize=64)  # a picture on every card is read once
def count_embedded(uri: str) -> int:
    """The pixels of the picture in a `data:` URI, 0 if there is none. Raises MisfitError."""
    picture = read_embedded(uri)
    return picture.pixels if picture else 0


def read_embedded(uri: str) -> Printable | None:
    """The picture in a `data:` URI, or None if there is none. Raises MisfitError."""
    picture = css.picture_of(uri, tuple(FORMATS.values()))
    if picture is None:
        return None
    format_, text = picture
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:  # not base64, or a character that is not ASCII
        raise MisfitError("the embedded picture is not readable", "embed it again") from None
    if uri == PROVEN:  # a game without other pictures needs no library
        return Printable("png", content, 1)
    return make_printable(content, format_, is_alone=False)


def _profile_of(image: Image.Image) -> bytes | None:
    """The profile of a picture in a form that the engine embeds, or one made of a PNG's gAMA and
    cHRM. None if its colours are those of screens, or the profile cannot be read."""
    content = image.info.get("icc_profile")
    if not content:
        return _make_profile(image) if image.format == "PNG" else None
    profile = _open_profile(content, image.mode)
    if profile is None or content[_MINOR] >> 4 <= _LAST_MINOR:
        return content if profile else None
    return None if _is_srgb(profile) else _lower_profile(content)


def _embed_profile(content: bytes, image: Image.Image) -> bytes:
    """The bytes of a PNG or JPEG with the profile that the engine embeds; its pixels are kept."""
    own, profile = image.info.get("icc_profile", b""), _profile_of(image)
    if profile is None or profile == own:
        return content
    if image.format == "PNG":
        return _with_chunk(content, b"iCCP", b"profile\0\0" + zlib.compress(profile))
    return content.replace(own[:_HEADER], profile[:_HEADER], 1)


def _is_srgb(profile: Any) -> bool:
    """Whether its colours are those of sRGB, as in the profile that GIMP saves."""
    from PIL import Image, ImageChops

    if profile.profile.xcolor_space.strip() != "RGB":
        return False
    colours = [(r, g, b) for r in _LEVELS for g in _LEVELS for b in _LEVELS]
    image = Image.new("RGB", (len(colours), 1))
    image.putdata(colours)
    differences = ImageChops.difference(image, _to_srgb(image, profile)).tobytes()
    return max(differences) <= _EVEN


def _to_srgb(image: Image.Image, profile: Any) -> Image.Image:
    """A picture in sRGB, relative to white; black stays as it is."""
    from PIL import Image, ImageCms

    converted = ImageCms.profileToProfile(
        image, profile, ImageCms.createProfile("sRGB"),
        ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )  # fmt: skip
    assert isinstance(converted, Image.Image), "it is not converted in place"
    return converted


def _lower_profile(profile: bytes) -> bytes:
    """The profile with a minor version that the engine embeds; its sum is then not known."""
    head = profile[:_MINOR] + bytes([_LAST_MINOR << 4]) + profile[_MINOR + 1 : _ID.start]
    return head + bytes(_ID.stop - _ID.start) + profile[_ID.stop :]


def _open_profile(content: bytes, mode: str) -> Any:
    """The profile; None if it is not readable, or for other colours than the picture's."""
    from PIL import ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(content))
        space = profile.profile.xcolor_space.strip()
        if space != _SPACES.get(mode, "RGB"):
            return None
        ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), _CONVERTED[space], "RGB")
    except MemoryError:
        raise
    except Exception:  # the library raises anything for a broken profile
        return None
    return profile


def _with_chunk(png: bytes, name: bytes, data: bytes) -> bytes:
    """A PNG with one chunk about its colours."""
    chunk = struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    kept, at = [png[:_IHDR], chunk], _IHDR
    while at < len(png):
        end = at + 12 + int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] not in _COLOURS:
            kept.append(png[at:end])
        at = end
    return b"".join(kept)


def _make_profile(image: Image.Image) -> bytes | None:
    """A profile of the gAMA and cHRM of a PNG; None if these are those of sRGB."""
    gamma, points = image.info.get("gamma"), image.info.get("chromaticity", _SRGB)
    is_grey = _SPACES.get(image.mode) == "GRAY"
    is_usual = gamma is None or abs(gamma - _SCREEN) <= _AS_SCREEN
    pairs = zip(points, _SRGB, strict=True)
    is_srgb = is_grey or all(abs(own - usual) <= _AS_SRGB for own, usual in pairs)
    if "srgb" in image.info or (is_usual and is_srgb) or (gamma is not None and gamma <= 0):
        return None
    power = min(1 / (gamma or _SCREEN), 255.0)
    curve = b"curv" + struct.pack(">4xIH", 1, round(power * 256))
    tags = {b"desc": _write_text("PNG"), b"cprt": _write_text("-"), b"wtpt": _write_place(_D50)}
    if is_grey:
        return _write_profile(b"GRAY", tags | {b"kTRC": curve})
    columns = _find_columns(points)
    if columns is None:
        return None
    for letter, column in zip((b"r", b"g", b"b"), columns, strict=True):
        tags |= {letter + b"XYZ": _write_place(column), letter + b"TRC": curve}
    return _write_profile(b"RGB ", tags)


def _find_columns(points: Sequence[float]) -> Sequence[Sequence[float]] | None:
    """The red, green and blue of cHRM as XYZ, their white moved to that of profiles (Bradford);
    None if they are not three colours."""
    import numpy as np

    places = np.array([(x, y, 1 - x - y) for x, y in zip(points[::2], points[1::2], strict=True)])
    white, primaries, bradford = places[0], places[1:].T, np.array(_BRADFORD)
    if white[1] <= 0 or abs(np.linalg.det(primaries)) < 1e-6:
        return None
    white = white / white[1]
    scaled = primaries * np.linalg.solve(primaries, white)
    cones = (bradford @ _D50) / (bradford @ white)
    moved = np.linalg.inv(bradford) @ np.diag(cones) @ bradford @ scaled
    return [[float(number) for number in column] for column in moved.T]


def _write_place(xyz: Sequence[float]) -> bytes:
    return struct.pack(">4s4x3i", b"XYZ ", *(round(value * 65536) for value in xyz))


def _write_text(text: str) -> bytes:
    words = text.encode("utf-16-be")
    return struct.pack(">4s4xII4sII", b"mluc", 1, 12, b"enUS", len(words), 28) + words


def _write_profile(space: bytes, tags: dict[bytes, bytes]) -> bytes:
    """A profile of a screen, version 4.2 (ICC.1, 7)."""
    table, data = struct.pack(">I", len(tags)), b""
    start = _HEADER + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += struct.pack(">4sII", name, start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    white = _write_place(_D50)[8:]
    dated = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
    head = struct.pack(
        ">I4xI4s4s4s12s4s28x12s48x", start + len(data), 0x04200000, b"mntr", space, b"XYZ ",
        dated, b"acsp", white,
    )  # fmt: skip
    return head + table + data
