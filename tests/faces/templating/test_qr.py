"""QR codes: what another program reads of the printed picture."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from tests.conftest import Pnp
from tests.game.tiny import SVG, drawn, problems, svg, write

CODE = '<rect x="5" y="8" width="30" height="30" {}/>'
BY_CELL = CODE.format('pnp:qr="x"')


def read(folder: Path, pnp: Pnp) -> Sequence[zxingcpp.Barcode]:
    """The codes of the picture of the card."""
    out = folder.parent / "out"
    result = pnp("export", folder, "--to", "png", "--set", "dpi=300", "-o", out)
    assert result.exit_code == 0, result.output
    with Image.open(out / "faces/cards/a-front.png") as picture:
        flat = Image.new("RGB", picture.size, "white")
        flat.paste(picture, mask=picture.convert("RGBA").getchannel("A"))
        return zxingcpp.read_barcodes(flat)


@pytest.mark.parametrize("sample", ["art/gone.png", "https://example.com/code.png"])
def test_the_sample_of_a_code_need_not_exist(folder: Path, sample: str, pnp: Pnp) -> None:
    body = f'<image href="{sample}" x="5" y="8" width="30" height="30" pnp:qr="x"/>'
    (code,) = read(write(folder, body, "https://example.com"), pnp)
    assert code.text == "https://example.com"


@pytest.mark.parametrize(
    "cell",
    [
        "https://example.com/cards/whale?copy=3",
        "7",
        "0123456789012345678901234567",
        "ALPHA 9 $%*+-./:",
        "Grüße aus Łódź — 小倉百人一首 עברית",
        '<a b="c">&amp;{{ x }}',
    ],
)
def test_a_code_holds_the_cell(folder: Path, cell: str, pnp: Pnp) -> None:
    (code,) = read(write(folder, BY_CELL, cell), pnp)
    assert code.text == cell
    assert code.format.name == "QRCode"


@pytest.mark.parametrize(
    "body",
    [
        CODE.format('pnp:qr="https://example.com/{{ x }}"'),
        CODE.format("pnp:qr=\"'https://example.com/' ~ x\""),
        '<image width="30" height="30" x="5" y="9" href="dot.svg" pnp:qr="https://example.com/7"/>',
        CODE.format('rx="2" stroke="#ffffff" stroke-width="3" pnp:qr="https://example.com/7"'),
        CODE.format('style="fill:navy;stroke:#fff" pnp:qr="https://example.com/7"'),
        '<g transform="translate(20 20) rotate(30) scale(.5)"><rect width="50" height="40" '
        'pnp:qr="https://example.com/7"/></g>',
        '<rect x="5mm" y="8mm" width="30mm" height="40mm" transform="scale(.2)" pnp:qr="https://example.com/7"/>',
    ],
)
def test_a_code_of_an_expression_or_a_text(folder: Path, body: str, pnp: Pnp) -> None:
    (code,) = read(write(folder, body), pnp)
    assert code.text == "https://example.com/7"


@pytest.mark.parametrize(("level", "least"), [("", "MQH"), ("L", "LMQH"), ("q", "QH"), ("H", "H")])
def test_a_code_has_at_least_its_level(folder: Path, level: str, least: str, pnp: Pnp) -> None:
    told = f'pnp:qr-level="{level}"' if level else ""
    (code,) = read(write(folder, CODE.format(f'pnp:qr="https://example.com/" {told}')), pnp)
    assert code.ec_level in least


def test_each_row_has_its_code(folder: Path) -> None:
    write(folder, BY_CELL)
    (folder / "cards.csv").write_text("id,x,t\na,one,\nb,two,\n", "utf-8")
    paths = [sole.get("d") for face in drawn(folder).values() for sole in svg(face).iter(f"{SVG}path")]
    assert len(set(paths)) == 2


def test_the_quiet_zone_lies_within_the_box(folder: Path) -> None:
    write(folder, '<rect x="2" y="4" width="29" height="58" pnp:qr="x"/>')  # a code of 21 + 8
    (path,) = svg(drawn(folder)["a"]).iter(f"{SVG}path")
    assert path.get("transform") == "translate(2 18.5) scale(1)"
    assert str(path.get("d")).startswith("M4 4h7v1h-7z")
    assert not {"x", "y", "width", "height"} & set(path.attrib)


@pytest.mark.parametrize(
    ("body", "cell", "told"),
    [
        (BY_CELL, "", "the text of the QR code is empty"),
        (BY_CELL, "a" * 2_400, "2,400 characters are too many for a QR code"),
        (BY_CELL, "é" * 9_999, "9,999 characters are too many for a QR code"),
        (BY_CELL, "a" * 1_300, "mm wide, too small to scan"),
        (CODE.format('pnp:qr="x" fill="none"'), "7", "the QR code has no fill"),
        (CODE.format('pnp:qr="x" pnp:qr-level="X"'), "7", "pnp:qr-level is 'X'"),
        ('<circle r="9" pnp:qr="x"/>', "7", "<circle> cannot become a QR code"),
        ('<rect width="9" pnp:qr="x"/>', "7", "the box has no width or no height"),
        ('<rect width="50%" height="9" pnp:qr="x"/>', "7", "'50%' is not a length"),
        (CODE.format('pnp:qr="xx"'), "7", "the column 'xx' is missing"),
        (CODE.format('pnp:qr="[x]"'), "7", "is a list, not a text"),
        ('<g transform="scale(0)">' + BY_CELL + "</g>", "7", "scaled to nothing"),
        ('<g pnp:for="n in 200">' + BY_CELL * 9 + "</g>", "a" * 300, "more than 16 MB are filled in"),
        (CODE.format('pnp:qrr="x"'), "7", "there is no pnp:qrr"),
    ],
)
def test_what_no_code_can_be_made_of(folder: Path, body: str, cell: str, told: str) -> None:
    found = problems(write(folder, body, cell))
    assert any(told in problem.what for problem in found), found
    assert all("front.svg" in f"{problem.place} {problem.what}" for problem in found)


def test_who_draws_no_code_loads_no_segno() -> None:
    code = "import sys, generator.faces.templating.template; sys.exit('segno' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
