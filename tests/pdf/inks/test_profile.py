"""Profiles of presses: which are taken, and what is said of the others."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import ImageCms

from generator.basics.errors import PnpError
from generator.pdf.inks import built_in_profile, read_profile
from generator.pdf.mixing import Mixer

GOOD = built_in_profile().content


def damaged(at: int, by: bytes) -> bytes:
    return GOOD[:at] + by + GOOD[at + len(by) :]


def screen() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (lambda: b"", "this is not an ICC profile"),
        (lambda: b"%PDF-1.7" * 99, "this is not an ICC profile"),
        (screen, "this profile is for RGB, not CMYK"),
        (lambda: damaged(12, b"link"), "this profile is of the class link, not of a printer"),
        (lambda: damaged(8, b"\x05"), "this profile is of version 5, not 2 or 4"),
        (lambda: GOOD[:-1], "its size is not the size that it states"),
        (lambda: damaged(128, b"\0\0\0\0"), "has no tables for both directions"),
        (lambda: damaged(128, b"\xff" * 900), "has no tables for both directions"),
        (lambda: GOOD + b"\0" * 2**24, "is too large: 16.1 MB"),
    ],
)
def test_faults(content: Callable[[], bytes], told: str, tmp_path: Path) -> None:
    (tmp_path / "a.icc").write_bytes(content())
    with pytest.raises(PnpError, match=told):
        read_profile(tmp_path / "a.icc")


@pytest.mark.parametrize("path", ["none.icc", "."])
def test_a_file_that_cannot_be_read(path: str, tmp_path: Path) -> None:
    with pytest.raises(PnpError, match=r"does not exist|is a folder"):
        read_profile(tmp_path / path)


def test_a_profile_by_path_has_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "a.icc").write_bytes(GOOD)
    profile = read_profile(tmp_path / "a.icc")
    assert (profile.name, profile.condition) == ("Coated paper, FOGRA39L, 240 % ink", "")


def _damaged_table() -> bytes:
    start = GOOD.index(b"B2A1") if b"B2A1" in GOOD else GOOD.index(b"B2A0")
    offset = int.from_bytes(GOOD[start + 4 : start + 8], "big")
    return damaged(offset, b"\0" * 48)


def _blank_table() -> bytes:
    """Its header whole, and no ink for any colour."""
    start = GOOD.index(b"B2A1") if b"B2A1" in GOOD else GOOD.index(b"B2A0")
    offset, length = (int.from_bytes(GOOD[at : at + 4], "big") for at in (start + 4, start + 8))
    return damaged(offset + 56, bytes(length - 56))


def _no_letter() -> bytes:
    """Its description has a letter beyond the last of Unicode."""
    start = GOOD.index(b"desc", 132)
    offset = int.from_bytes(GOOD[start + 4 : start + 8], "big")
    return damaged(offset + 12, b"\xff")


@pytest.mark.parametrize("make", [_damaged_table, _no_letter, _blank_table, lambda: damaged(128, b"\xff" * 4)])
def test_tables_that_the_engine_refuses(make: Callable[[], bytes], tmp_path: Path) -> None:
    """The second is a profile of four billion tables."""
    (tmp_path / "a.icc").write_bytes(make())
    with pytest.raises(PnpError, match="this profile is damaged"):
        Mixer(read_profile(tmp_path / "a.icc"), 2.4)


def test_the_built_in_profile_is_one_that_the_engine_reads() -> None:
    profile = ImageCms.ImageCmsProfile(io.BytesIO(GOOD)).profile
    assert (profile.device_class, profile.xcolor_space.strip()) == ("prtr", "CMYK")
    assert len(GOOD) < 200_000
