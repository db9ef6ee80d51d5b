"""How a file is printed on a press: the profile, limit of ink, black and standard of the file.

The inks are mixed from the colours of a screen. An ICC profile that is not a press's is refused.
"""

import os
from pathlib import Path
from typing import Literal

from msgspec import Struct

from generator.basics.errors import Place, PnpError, fail
from generator.basics.files import MEGABYTE, read_within

_LARGEST = 16 * MEGABYTE
_HEADER = 128  # bytes
_MOST_TAGS = 200
_TAG = 12  # bytes: its name, its offset, its length
_LONGEST_NAME = 120  # letters
_HINT = "name the output profile that the print shop gives: FILE.icc"
_NEEDED = (b"A2B0", b"B2A0")  # tables from inks to colours and back
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
    return PressProfile(content, _name(_tags(content)), "FOGRA39")


def read_profile(path: Path) -> PressProfile:
    """The profile of a file. Raises PnpError if it is not an output profile for CMYK."""
    place = Place(str(path))
    file = Path(os.path.realpath(path))
    content = read_within(file.parent, file.name, _LARGEST, place)
    _check_header(content, place)
    tags = _tags(content)
    if any(tag not in tags for tag in _NEEDED):
        raise fail(place, "this profile is damaged, or has no tables for both directions", _HINT)
    return PressProfile(content, _name(tags) or path.stem, file=str(path))


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


def _tags(content: bytes) -> dict[bytes, bytes]:
    """The tags of a profile by name; those that lie outside the file are missing."""
    count = int.from_bytes(content[_HEADER : _HEADER + 4], "big")
    tags = {}
    for number in range(min(count, _MOST_TAGS)):
        start = _HEADER + 4 + number * _TAG
        entry = content[start : start + _TAG]
        offset, length = (int.from_bytes(entry[at : at + 4], "big") for at in (4, 8))
        if offset + length <= len(content):
            tags[entry[:4]] = content[offset : offset + length]
    return tags


def _name(tags: dict[bytes, bytes]) -> str:
    """The description: ASCII in version 2, UTF-16 in version 4; without control characters."""
    tag = tags.get(b"desc", b"")
    if tag[:4] == b"desc":
        length = int.from_bytes(tag[8:12], "big")
        text = tag[12 : 12 + length].decode("ascii", "replace")
    else:
        length, offset = (int.from_bytes(tag[at : at + 4], "big") for at in (20, 24))
        text = tag[offset : offset + length].decode("utf-16-be", "replace")
    return "".join(filter(str.isprintable, text))[:_LONGEST_NAME].strip()


class PressColour(Struct, frozen=True):
    """Colours as inks of a profile, at most `limit` of them at a place: 2.4 is 240 %."""

    profile: PressProfile
    limit: float = USUAL_LIMIT
    standard: Standard = "PDF/X-4"
