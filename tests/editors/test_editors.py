"""Drawings as editors save them print as another engine shows them, or are told what will not do.

The files hold what Inkscape 1.3, Illustrator 27 and Figma write, around drawings of our own.
"""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from generator.text import HOUSE_FONTS
from tests.conftest import Pnp
from tests.support import oracles

HERE = Path(__file__).parent
FILES = sorted(path.stem for path in HERE.glob("*.svg"))
DPI = 150
CLOSE = 3.0  # mean difference of a channel, of 255, once hair's breadths are blurred
GAME = """
[game]
title = "Saved"
designer = "The tests"
about = "One card."
[[component]]
id = "cards"
title = "Cards"
size = ["40mm", "60mm"]
row = [{ id = "a" }]
[component.front]
template = "front.svg"
edge = "#ffffff"
"""
# What Illustrator calls a font, and what it is: another engine knows families only.
CALLED = {
    "'AlegreyaSans-Bold'": "'Alegreya Sans';font-weight:700",
    "'AlegreyaSans-Regular'": "'Alegreya Sans';font-weight:400",
    "AlegreyaSans-Bold, ": "",
}


def printed(folder: Path, pnp: Pnp) -> Image.Image:
    result = pnp("export", folder, "--to", "png", "--dpi", DPI, "-o", folder / "out")
    assert result.exit_code == 0, result.output
    return Image.open(folder / "out/faces/cards/a-front.png").convert("RGB")


def by_librsvg(svg: str, folder: Path, size: tuple[int, int]) -> Image.Image:
    tool = oracles.need("rsvg-convert")
    fonts = folder / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{HOUSE_FONTS}</dir><cachedir>{folder}/cache</cachedir></fontconfig>")
    environment = {"FONTCONFIG_FILE": str(fonts), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    command = [tool, "--width", str(size[0]), "--height", str(size[1])]
    done = subprocess.run(command, input=svg.encode(), capture_output=True, check=True, env=environment)
    picture = Image.open(io.BytesIO(done.stdout)).convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    white.alpha_composite(picture)
    return white.convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    blurred = (image.filter(ImageFilter.GaussianBlur(1)) for image in (one, other))
    return max(ImageStat.Stat(ImageChops.difference(*blurred)).mean)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, "utf-8")
    return folder


@pytest.mark.parametrize("name", FILES)
def test_it_prints_as_it_is_drawn(name: str, folder: Path, pnp: Pnp) -> None:
    svg = (HERE / f"{name}.svg").read_text("utf-8")
    (folder / "front.svg").write_text(svg, "utf-8")
    for called, family in CALLED.items():
        svg = svg.replace(called, family)
    face = printed(folder, pnp)
    drawn = by_librsvg(svg, folder, face.size)
    assert difference(face, drawn) < CLOSE
    without = by_librsvg(svg.replace("<text", "<desc").replace("</text", "</desc"), folder, face.size)
    assert difference(face, without) > 1.5 * difference(face, drawn), "the words count"


def test_text_that_inkscape_flows_is_filled_where_it_stands(folder: Path, pnp: Pnp) -> None:
    """Its box is never shown, so it lies in <defs>, in the text's own measure."""
    svg = (HERE / "inkscape.svg").read_text("utf-8")
    start, end = svg.index('<tspan\n         x="18.898438"\n         y="144'), svg.rindex("</text>")
    words = "{{ '**Shelter** all who come, and turn one card of the river.' }}"
    drawn = by_librsvg(svg, folder, (236, 354))
    (folder / "front.svg").write_text(svg[:start] + words + svg[end:], "utf-8")
    assert difference(printed(folder, pnp).resize((236, 354)), drawn) < CLOSE


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            '<flowRoot><flowRegion><rect width="9" height="9"/></flowRegion><flowPara>a</flowPara></flowRoot>',
            "front.svg:2: <flowRoot> is not printed",
        ),
        ("<switch><foreignObject/></switch>", "front.svg:2: <foreignObject> is not printed"),
        ('<text font-family="AlegreyaSans-Blck">a</text>', "front.svg:2: there is no font family 'AlegreyaSans-Blck'"),
        (
            '<text font-family="Alegreya Sans"><textPath href="p.svg#p">a</textPath></text>',
            "front.svg:2: <textPath> points outside the file",
        ),
        ("<meshgradient/>", "front.svg:2: <meshgradient> is not printed"),
    ],
)
def test_what_is_not_printed_is_reported(folder: Path, pnp: Pnp, body: str, told: str) -> None:
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 60">'
    (folder / "front.svg").write_text(f"{head}\n{body}</svg>", "utf-8")
    result = pnp("check", folder)
    assert result.exit_code == 1
    assert told in result.output
