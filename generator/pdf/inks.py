"""How a file is printed on a press: the profile, limit of ink, black and standard of the file.

The inks are mixed from the colours of a screen. An ICC profile that is not a press's is refused.
"""

import io
import os
from pathlib import Path
from typing import Literal

from msgspec import Struct

from generator.basics.errors import Place, PnpError, fail
from generator.basics.files import MEGABYTE, read_within

_LARGEST = 16 * MEGABYTE
_HEADER = 128  # bytes
_LONGEST_NAME = 120  # letters
_HINT = "name the output profile that the print shop gives: FILE.icc"
Standard = Literal["PDF/X-4", "PDF/X-1a:2003"]
USUAL_LIMIT = 2.4  # of ink: shops that print cards on demand ask for 240 %


class PressProfile(Struct, frozen=True):
    """An output profile for CMYK.

    name: its own description. condition: the registered name of its printing condition, if known.
    file: its path as it was given, if it was.
    """

    content: bytes
    name: str
    condition: str = ""
    file: str = ""


def built_in_profile() -> PressProfile:
    """Offset printing on coated paper; at most 240 % of ink."""
    content = Path(__file__).with_name("coated.icc").read_bytes()
    return PressProfile(content, _read_name(content), "FOGRA39")


def read_profile(path: Path) -> PressProfile:
    """The profile of a file. Raises PnpError if it is not an output profile for CMYK."""
    place = Place(str(path))
    file = Path(os.path.realpath(path))
    content = read_within(file.parent, file.name, _LARGEST, place)
    _check_header(content, place)
    try:
        return PressProfile(content, _read_name(content) or path.stem, file=str(path))
    except (OSError, ValueError):  # ValueError: a letter of its description is none
        raise fail(place, "this profile is damaged, or has no tables for both directions", _HINT) from None


def unreadable(profile: PressProfile) -> PnpError:
    """The fault of a profile that the colour engine refuses."""
    return fail(Place(profile.file or profile.name), "this profile is damaged", _HINT)


def _check_header(content: bytes, place: Place) -> None:
    if len(content) < _HEADER or content[36:40] != b"acsp":
        raise fail(place, "this is not an ICC profile", _HINT)
    kind, space = (content[start : start + 4].decode("latin-1").strip() for start in (12, 16))
    if space != "CMYK":
        raise fail(place, f"this profile is for {space}, not CMYK", _HINT)
    if kind != "prtr":
        raise fail(place, f"this profile is of the class {kind}, not of a printer (prtr)", _HINT)
    if content[8] not in (2, 4):
        raise fail(place, f"this profile is of version {content[8]}, not 2 or 4", _HINT)
    if int.from_bytes(content[:4], "big") != len(content):
        raise fail(place, "this profile is damaged: its size is not the size that it states", _HINT)


def _read_name(content: bytes) -> str:
    """The description of a profile, without control characters. Raises OSError if the profile has
    no tables from inks to colours and back."""
    from PIL import ImageCms  # rarely needed

    profile = ImageCms.ImageCmsProfile(io.BytesIO(content)).profile
    tables = profile.clut or {}
    if not all(tables.get(ImageCms.Intent.PERCEPTUAL, (False,))[:2]):
        raise OSError("it has no tables")
    return "".join(filter(str.isprintable, profile.profile_description or ""))[:_LONGEST_NAME].strip()


class PressColour(Struct, frozen=True):
    """Colours as inks of a profile, at most `limit` of them at a place: 2.4 is 240 %."""

    profile: PressProfile
    limit: float = USUAL_LIMIT
    standard: Standard = "PDF/X-4"
