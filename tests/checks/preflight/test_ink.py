"""Thin lines, coarse pictures and much ink are found as they print."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from tests.checks.preflight.planted import check, full, rules

LINE = '<path d="M8 30 h20" stroke="#000" stroke-width="{}" fill="none"/>'


@pytest.mark.parametrize(
    ("art", "width"),
    [
        (LINE.format(0.06), "0.06"),
        (f'<g transform="scale(0.5)">{LINE.format(0.18)}</g>', "0.09"),
        (f'<g transform="rotate(20) scale(0.25 0.5)">{LINE.format(0.2)}</g>', "0.071"),
        (LINE.format(0.06) + LINE.format(0.04).replace("30", "40"), "0.04"),
        ('<rect x="8" y="30" width="20" height="0.05" fill="#000"/>', "0.05"),
        ('<circle cx="20" cy="30" r="9" stroke="#000" stroke-width="0.05" fill="#ccc"/>', "0.05"),
    ],
)
def test_thin_line(art: str, width: str) -> None:
    (found,) = check([LINE.format(0.3), art])
    assert (found.level, found.rule) == ("warning", "line.thin")
    assert found.what == f"the back of 2: a line {width} mm wide"


@pytest.mark.parametrize(
    "art",
    [
        LINE.format(0.1),
        '<g transform="scale(4)"><path d="M3 8 h5" stroke="#000" stroke-width="0.03"/></g>',
        '<rect x="8" y="30" width="20" height="0.2" fill="#000"/>',
        '<rect x="8" y="30" width="0.05" height="0.5" fill="#000"/>',  # a speck
        LINE.format(0.05).replace("8 30", "8 90"),  # beside the page
        '<path d="M8 30 h20" fill="none"/>',
    ],
)
def test_line_wide_enough(art: str) -> None:
    assert check([art]) == []


def picture(pixels: int, side: float, transform: str = "") -> str:
    """A photograph of noise, as wide as high, on a square of a side in mm."""
    buffer = io.BytesIO()
    noise = bytes((i * 7919) % 251 for i in range(pixels * pixels))
    Image.frombytes("L", (pixels, pixels), noise).save(buffer, "PNG")
    uri = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    return f'<g transform="{transform}"><image x="8" y="8" width="{side}" height="{side}" href="{uri}"/></g>'


@pytest.mark.parametrize(
    ("art", "dpi"),
    [
        (picture(100, 20), 127),
        (picture(230, 20), 292),
        (picture(100, 8, "scale(2)"), 159),
        (picture(100, 12, "translate(0 30) rotate(-30)"), 212),
        (picture(200, 20) + picture(100, 20), 127),
    ],
)
def test_coarse_picture(art: str, dpi: int) -> None:
    (found,) = check([art, ""])
    assert (found.level, found.rule) == ("warning", "image.coarse")
    assert found.what == f"the back of 1: a picture has {dpi} dpi when printed"


def test_sharp_picture() -> None:
    assert check([picture(240, 20), picture(237, 20)]) == [], "305 dpi, and 1 % less than 300"


@pytest.mark.parametrize(
    ("ground", "ink"), [("#ff0000", "200%"), ("#0000ff", "200%"), ("#70b070", None), ("#000000", None), ("#fff", None)]
)
def test_much_ink(ground: str, ink: str | None) -> None:
    problems = check([full(ground)])
    assert rules(problems) == (["ink.much"] if ink else [])
    assert all(f"it takes {ink} of the ink of a solid black piece" in problem.what for problem in problems)


def test_ink_is_that_of_the_whole_piece() -> None:
    """Red on seven tenths of the piece is 140 % of it; what the bleed holds is cut away."""
    part = '<rect x="-9" y="{}" width="99" height="99" fill="#ff0000"/>'
    assert check([part.format(18)]) == []
    assert rules(check([part.format(14)])) == ["ink.much"]
