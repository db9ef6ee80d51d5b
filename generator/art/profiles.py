"""Colour profiles of pictures, found and embedded in a form that the engine keeps.

The engine (typst 0.15) embeds a profile up to version 4 whose minor version is at most 2, and
silently drops any other. A minor version adds only what readers may ignore (ICC.1, 7.2.4), so a
copy of the profile states minor version 2.
"""

from __future__ import annotations

import io
import struct
import zlib
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


def profile_of(image: Image.Image) -> bytes | None:
    """The profile of a picture in a form that the engine embeds; None if there is none, if its
    colours are those of screens, or if it cannot be read."""
    content = image.info.get("icc_profile")
    if not content:
        return None
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
