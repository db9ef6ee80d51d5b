"""Take a picture with its colour profile, make one whose colours the engine prints right.

The engine (typst 0.15) embeds a profile up to version 4.2 and silently drops a later one.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

_LAST_EMBEDDED = (4, 2)
_VERSION = slice(
    8, 10
)  # of a profile: the major version, and in half a byte the minor (ICC.1, 7.2.4)
_SPACES = {"L": "GRAY", "LA": "GRAY", "I;16": "GRAY", "CMYK": "CMYK"}  # by mode; else RGB
_MODES = {"GRAY": "L", "CMYK": "CMYK", "RGB": "RGB"}  # for conversions
_AS_SRGB = 2  # of 255: a profile that changes colours by no more is sRGB
_STEPS = (0, 64, 128, 192, 255)


def is_foreign(image: Image.Image) -> bool:
    """Whether a picture has a profile that the engine drops and that changes its colours."""
    content = image.info.get("icc_profile") or b""
    version = tuple(content[_VERSION])
    if len(version) < 2 or (version[0], version[1] >> 4) <= _LAST_EMBEDDED:
        return False
    profile = _open(content, image.mode)
    return profile is not None and not _is_srgb(profile)


def convert(image: Image.Image) -> tuple[Image.Image, bytes | None]:
    """A picture that a PNG or JPEG can hold, and the profile to embed with it.

    CMYK without a profile becomes RGB by subtraction, since its inks are not known.
    """
    content = image.info.get("icc_profile") or b""
    if image.mode in ("CMYK", "LAB"):
        profile = _lab() if image.mode == "LAB" else _open(content, image.mode)
        return (_to_srgb(image, profile) if profile else image.convert("RGB")), None
    if is_foreign(image):
        return _to_srgb(image, _open(content, image.mode)), None
    return image, content if _open(content, image.mode) else None


def _open(content: bytes, mode: str) -> Any:
    """The profile; None if it is not readable, or for other colours than the picture's."""
    from PIL import ImageCms

    if not content:
        return None
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


def _lab() -> Any:
    from PIL import ImageCms

    return ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))


def _is_srgb(profile: Any) -> bool:
    """Whether its colours are those of sRGB, as in the profile that GIMP saves."""
    from PIL import Image, ImageChops

    if profile.profile.xcolor_space.strip() != "RGB":
        return False
    colours = [(r, g, b) for r in _STEPS for g in _STEPS for b in _STEPS]
    image = Image.new("RGB", (len(colours), 1))
    image.putdata(colours)
    differences = ImageChops.difference(image, _to_srgb(image, profile)).tobytes()
    return max(differences) <= _AS_SRGB


def _to_srgb(image: Image.Image, profile: Any) -> Image.Image:
    """A picture in sRGB, relative to white; black and transparency stay as they are."""
    from PIL import Image, ImageCms

    alpha = image.convert("RGBA").getchannel("A") if image.has_transparency_data else None
    plain = image.convert("L") if image.mode in ("LA", "I;16") else image
    plain = plain if plain.mode in ("L", "RGB", "CMYK", "LAB") else plain.convert("RGB")
    converted = ImageCms.profileToProfile(
        plain, profile, ImageCms.createProfile("sRGB"),
        ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )  # fmt: skip
    assert isinstance(converted, Image.Image), "it is not converted in place"
    if alpha is not None:
        converted.putalpha(alpha)
    return converted
