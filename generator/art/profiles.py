"""Colour profiles of pictures, found and embedded in a form that the engine keeps.

The engine (typst 0.15) embeds a profile up to version 4 whose minor version is at most 2, and
silently drops any other. A minor version adds only what readers may ignore (ICC.1, 7.2.4), so a
copy of the profile states minor version 2. A PNG without a profile may state its colours by gAMA
and cHRM (PNG, 11.3.2).
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

_LAST_MINOR = 2
_MINOR = 9  # of a profile: the byte whose upper half is the minor version
_ID = slice(84, 100)  # of a profile: a sum of its bytes, or zeros
_HEADER = 128
_SPACES = {"1": "GRAY", "L": "GRAY", "LA": "GRAY", "I;16": "GRAY", "CMYK": "CMYK"}  # else RGB
_MODES = {"GRAY": "L", "CMYK": "CMYK", "RGB": "RGB"}  # for conversions
_COLOURS = (b"iCCP", b"sRGB", b"gAMA", b"cHRM")  # chunks of a PNG, the first counts
_IHDR = 33  # bytes of a PNG up to the end of its first chunk
_EVEN = 2  # of 255: a profile that changes colours by no more is sRGB
_STEPS = (0, 64, 128, 192, 255)
_SCREEN = 1 / 2.2  # the usual gAMA
_AS_SCREEN = 0.03  # a gAMA that differs by no more is that of sRGB
_SRGB = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)  # white, red, green, blue, as in cHRM
_AS_SRGB = 0.005  # how far these may differ
_D50 = (0.9642, 1.0, 0.8249)  # the white of profiles
_BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


def profile_of(image: Image.Image) -> bytes | None:
    """The profile of a picture in a form that the engine embeds, or one made of a PNG's gAMA and
    cHRM. None if its colours are those of screens, or the profile cannot be read."""
    content = image.info.get("icc_profile")
    if not content:
        return _make(image) if image.format == "PNG" else None
    profile = _open(content, image.mode)
    if profile is None or content[_MINOR] >> 4 <= _LAST_MINOR:
        return content if profile else None
    return None if _is_srgb(profile) else _lower(content)


def embed(content: bytes, image: Image.Image) -> bytes:
    """The bytes of a PNG or JPEG with the profile that the engine embeds; its pixels are kept."""
    own, profile = image.info.get("icc_profile", b""), profile_of(image)
    if profile is None or profile == own:
        return content
    if image.format == "PNG":
        return _with_chunk(content, b"iCCP", b"profile\0\0" + zlib.compress(profile))
    return content.replace(own[:_HEADER], profile[:_HEADER], 1)


def from_lab(image: Image.Image) -> Image.Image:
    """A LAB picture in sRGB."""
    from PIL import ImageCms

    return _to_srgb(image, ImageCms.createProfile("LAB"))


def _is_srgb(profile: Any) -> bool:
    """Whether its colours are those of sRGB, as in the profile that GIMP saves."""
    from PIL import Image, ImageChops

    if profile.profile.xcolor_space.strip() != "RGB":
        return False
    colours = [(r, g, b) for r in _STEPS for g in _STEPS for b in _STEPS]
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


def _lower(profile: bytes) -> bytes:
    """The profile with a minor version that the engine embeds; its sum is then not known."""
    head = profile[:_MINOR] + bytes([_LAST_MINOR << 4]) + profile[_MINOR + 1 : _ID.start]
    return head + bytes(_ID.stop - _ID.start) + profile[_ID.stop :]


def _open(content: bytes, mode: str) -> Any:
    """The profile; None if it is not readable, or for other colours than the picture's."""
    from PIL import ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(content))
        space = profile.profile.xcolor_space.strip()
        if space != _SPACES.get(mode, "RGB"):
            return None
        ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), _MODES[space], "RGB")
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


def _make(image: Image.Image) -> bytes | None:
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
    tags = {b"desc": _words("PNG"), b"cprt": _words("-"), b"wtpt": _place(_D50)}
    if is_grey:
        return _write(b"GRAY", tags | {b"kTRC": curve})
    columns = _find_columns(points)
    if columns is None:
        return None
    for letter, column in zip((b"r", b"g", b"b"), columns, strict=True):
        tags |= {letter + b"XYZ": _place(column), letter + b"TRC": curve}
    return _write(b"RGB ", tags)


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


def _place(xyz: Sequence[float]) -> bytes:
    return struct.pack(">4s4x3i", b"XYZ ", *(round(value * 65536) for value in xyz))


def _words(text: str) -> bytes:
    return struct.pack(">4s4xII4sII", b"mluc", 1, 12, b"enUS", 2 * len(text), 28) + text.encode(
        "utf-16-be"
    )


def _write(space: bytes, tags: dict[bytes, bytes]) -> bytes:
    """A profile of a screen, version 4.2 (ICC.1, 7)."""
    table, data = struct.pack(">I", len(tags)), b""
    start = _HEADER + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += struct.pack(">4sII", name, start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    white = _place(_D50)[8:]
    dated = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
    head = struct.pack(
        ">I4xI4s4s4s12s4s28x12s48x", start + len(data), 0x04200000, b"mntr", space, b"XYZ ",
        dated, b"acsp", white,
    )  # fmt: skip
    return head + table + data
